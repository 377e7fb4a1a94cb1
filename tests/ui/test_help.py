"""Every key does something that can be seen, wherever the cursor is; the help and the palette do it too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.ui.commands import COMMANDS, Command, answers_to_key, is_in
from memtui.ui.offers import NAMED_KEYS, name_of
from memtui.ui.screens.command_screen import CommandScreen
from memtui.ui.why_not import why_not

MOVING = {"down", "up", "first", "last", "half_down", "half_up", "page_down", "page_up"}
"""At an end of what they move in, these have nothing to show."""

Go = Callable[[Driver], None]


@pytest.fixture
def env(make_env: MakeEnv, demo: DemoHome) -> Env:
    return make_env(home=demo.home, cwd=demo.project, environ={"EDITOR": "true"})


def seen(driver: Driver) -> tuple[object, ...]:
    """What a person could notice."""
    app = driver.app
    painted = tuple(tuple(strip) for strip in app.screen._compositor.render_strips())
    return (painted, app.desk.telling.said, len(app.screen_stack), app.is_running)


async def put_back(driver: Driver, go: Callable[[Driver], object]) -> None:
    app, desk = driver.app, driver.app.desk
    while len(app.screen_stack) > 1:
        app.pop_screen()
    desk.front = None
    if desk.ask_bar.asking:
        desk.ask_bar.leave()
    if desk.line_input.asking:
        desk.line_input.finish(None)
    if desk.searching.is_typing:
        desk.searching.end()
    desk.main.remove_class("-zoomed")
    desk.listing.end_range()
    desk.listing.mark(())
    desk.say("")
    await driver.settled()
    result = go(driver)
    if result is not None:
        await result  # type: ignore[misc]
    await driver.settled()


def offered(driver: Driver) -> list[Command]:
    """The commands whose keys reach something here and are not refused with a sentence."""
    scope = driver.app.desk.scope
    here = [c for c in COMMANDS if c.keys and c.id not in MOVING and answers_to_key(c, scope)]
    return [command for command in here if not why_not(driver.app.desk, command.id)]


async def assert_every_key_shows(driver: Driver, go: Callable[[Driver], object], *, only_own: bool) -> None:
    await put_back(driver, go)
    commands = [c for c in offered(driver) if c.id != "leave" and (c.scope != "everywhere" or not only_own)]
    silent = []
    for command in commands:
        await put_back(driver, go)
        before = seen(driver)
        await driver.press(command.keys[0])
        if seen(driver) == before:
            silent.append(command.id)
    assert silent == []


def on_memory(which: Callable[[object], bool]) -> Callable[[Driver], None]:
    def go(driver: Driver) -> None:
        desk = driver.app.desk
        assert desk.view is not None
        driver.app.navigation.activate("index")
        row_id = next(i.row_id for i in desk.view.items.values() if which(i.memory))
        assert desk.index.list.go_to(row_id)

    return go


async def test_every_key_shows_something_on_a_memory(env: Env) -> None:
    async with running(env) as driver:
        await assert_every_key_shows(driver, on_memory(lambda m: m.file == "user-role.md"), only_own=False)


async def test_every_key_shows_something_on_a_memory_whose_file_is_missing(env: Env) -> None:
    async with running(env) as driver:
        await assert_every_key_shows(driver, on_memory(lambda m: m.state == "missing"), only_own=True)


async def test_every_key_shows_something_on_a_memory_that_is_not_loaded(env: Env) -> None:
    async with running(env) as driver:
        await assert_every_key_shows(driver, on_memory(lambda m: not m.loaded), only_own=True)


async def test_every_key_shows_something_on_a_session_and_its_messages(env: Env) -> None:
    async with running(env) as driver:

        def on_session(driver: Driver) -> None:
            driver.app.navigation.activate("search")
            driver.app.desk.search.list.move_to_first()

        async def on_message(driver: Driver) -> None:
            on_session(driver)
            driver.app.desk.searching.open_target()
            await driver.settled()
            driver.app.desk.topic.text.move_to_last()

        await assert_every_key_shows(driver, on_session, only_own=True)
        await assert_every_key_shows(driver, on_message, only_own=True)


async def test_every_key_shows_something_on_an_empty_screen(make_env: MakeEnv, tmp_path: Path) -> None:
    project = tmp_path / "empty"
    project.mkdir()
    async with running(make_env(cwd=project, environ={"EDITOR": "true"})) as driver:

        def at_start(driver: Driver) -> None:
            driver.app.navigation.activate("index")

        await assert_every_key_shows(driver, at_start, only_own=False)


async def test_a_key_that_cannot_be_done_says_the_sentence_of_the_help(env: Env) -> None:
    async with running(env) as driver:
        on_memory(lambda m: m.state == "missing")(driver)
        for command in COMMANDS:
            reason = why_not(driver.app.desk, command.id)
            if not reason or not command.keys or not answers_to_key(command, driver.app.desk.scope):
                continue
            driver.app.desk.say("")
            await driver.pilot.press(command.keys[0])
            assert driver.app.desk.telling.said == [(reason, "warn")] or command.id in ("undo", "redo"), (
                command.id
            )


async def test_keys_in_the_bar_are_possible_and_in_the_help(env: Env) -> None:
    async with running(env, (120, 36)) as driver:
        on_memory(lambda m: m.state == "missing")(driver)
        await driver.settled()
        bar = driver.text.splitlines()[-1]
        assert "d delete" in bar and "e edit" not in bar and bar.rstrip().endswith("? all keys")
        await driver.press("?")
        assert "On this memory" in driver.text and "not now: grafana-old.md" in driver.text


# The help and the palette


async def test_help_opens_on_the_thing_under_the_cursor_and_every_way_leads_out(env: Env) -> None:
    async with running(env, (80, 32)) as driver:
        for key in ("q", "h", "?", "ctrl+c", "escape"):
            await driver.press("?")
            assert isinstance(driver.app.screen, CommandScreen)
            assert driver.words.index("On this memory") < driver.words.index("In a text")
            await driver.press(key)
            assert len(driver.app.screen_stack) == 1
        await driver.press("3", "?")
        assert "On this session" in driver.text


async def test_help_does_what_it_tells(env: Env) -> None:
    async with running(env) as driver:
        await driver.press("?", "w", "enter")
        assert "read by" in driver.text
        await driver.press("q", "?", "/", *"filt", "enter", *"user")
        assert driver.app.desk.line_input.value == "user"


async def test_u11_the_palette_needs_no_esc(env: Env) -> None:
    async with running(env) as driver:
        for opening, leaving in ((":", "ctrl+p"), ("ctrl+p", "backspace"), (":", "ctrl+c"), (":", "escape")):
            await driver.press(opening)
            assert "Commands" in driver.text
            await driver.press(leaving)
            assert len(driver.app.screen_stack) == 1
        await driver.press("?", "/", *"zz", "backspace", "backspace", "backspace")
        assert "All keys" in driver.text and "q back" in driver.text
        await driver.press("q")
        assert len(driver.app.screen_stack) == 1


async def test_the_palette_finds_moves_and_does(env: Env) -> None:
    async with running(env) as driver:
        await driver.press(":", *"pane", "down", "up", *"x", "ctrl+w", *"status", "enter")
        assert driver.app.navigation.active == "status"
        await driver.press("1", "ctrl+p", *"d", "enter")
        assert "Delete user-role.md" in driver.words
        await driver.press("n", ":", *"resume")
        assert "not now: there is no session under the cursor" in driver.words
        await driver.press("enter")
        assert driver.app.desk.telling.said[0][0] == "there is no session under the cursor"


async def test_letters_typed_before_the_palette_is_there_are_not_lost(env: Env) -> None:
    async with running(env) as driver:
        from textual import events

        for key, sign in ((":", ":"), *((letter, letter) for letter in "all projects"), ("enter", "\r")):
            name = {" ": "space", ":": "colon"}.get(key, key)
            driver.app.post_message(events.Key(name, sign))
        await driver.settled()
        await driver.settled()
        assert len(driver.app.screen_stack) == 1
        assert driver.app.desk.searching.session_list.everywhere


def test_no_two_commands_have_one_name() -> None:
    names = [name_of(command) for command in COMMANDS]
    assert sorted(set(names)) == sorted(names)


async def test_the_palette_is_as_high_as_its_hits_and_its_names_stand_in_a_column(env: Env) -> None:
    async with running(env, (120, 36)) as driver:
        await driver.press(":", *"delete")
        rows = [
            line for line in driver.text.splitlines() if "delete memory" in line or "delete session" in line
        ]
        assert [line.index("delete ") for line in rows] == [rows[0].index("delete ")] * 2
        sheet = driver.app.screen.query_one("#sheet")
        assert len(rows) < sheet.size.height <= 3 + len(rows)
        assert "Enter does it · Esc ctrl+c back" in driver.text


async def test_a_help_tells_below_only_what_its_row_has_no_room_for(env: Env) -> None:
    told = "Delete it and its index line"
    async with running(env, (120, 36)) as driver:
        await driver.press("?")
        assert driver.words.count(told) == 1
        await driver.pilot.resize_terminal(45, 20)
        await driver.settled()
        assert driver.words.count(told) == 1 and "delete memory" in driver.words
        await driver.press("j")
        assert told not in driver.words and "Edit its text in your editor" in driver.words


async def test_the_help_is_usable_at_40x10(env: Env) -> None:
    async with running(env, (40, 10)) as driver:
        await driver.press("?", "u")
        assert "not now: there is nothing to undo" in driver.words
        await driver.press("k", "j", "/", *"where", "enter")
        assert len(driver.app.screen_stack) == 2


def test_every_key_has_a_name_that_can_be_typed() -> None:
    assert all(is_in(command, command.scope) for command in COMMANDS)
    assert set(NAMED_KEYS.values()) >= {"[", "]", "!", "?", ":"}


# Hints, and what stands where there is nothing


async def test_a_hint_goes_after_three_uses_and_stays_gone_after_a_restart(env: Env) -> None:
    async with running(env) as driver:
        assert "/ searches" in driver.text
        await driver.press("/", "escape", "/", "escape")
        assert "/ searches" in driver.text
        await driver.press("/", "escape", "j")
        assert "/ searches" not in driver.text and "space marks several" in driver.text
    async with running(env) as driver:
        assert "/ searches" not in driver.text and "space marks several" in driver.text


async def test_u_is_told_of_after_a_change_until_it_is_known(env: Env) -> None:
    async with running(env) as driver:
        for _time in range(3):
            await driver.press("d", "y")
            assert "· u undoes" in driver.words
            await driver.press("u")
        await driver.press("d", "y")
        assert "· u undoes" not in driver.words


async def test_a_line_and_a_query_say_their_keys(env: Env) -> None:
    async with running(env) as driver:
        await driver.press("f")
        assert "Enter keep · Esc ctrl+c leave" in driver.text.splitlines()[-1]
        await driver.press("escape", "/")
        assert "Esc ctrl+c leave" in driver.text.splitlines()[-1]
        await driver.press(*"qqqqq")
        # what is told of can be done: letters are typed now, so that / would be one of them
        assert "nothing found; type on" in driver.words and "/ changes" not in driver.words
        await driver.press("enter")
        assert "nothing found" in driver.words and "/ changes the query" in driver.words
        await driver.press("1", "f", *"qqqqq")
        assert "nothing matches; Esc shows" in driver.words
        await driver.press("enter")
        assert "nothing matches; Esc shows" in driver.words
        await driver.press("escape")
        assert "15 of 15" in driver.text


async def test_an_empty_home_says_what_to_do_in_every_pane(make_env: MakeEnv, tmp_path: Path) -> None:
    project = tmp_path / "empty"
    project.mkdir()
    async with running(make_env(cwd=project), (80, 24)) as driver:
        left = " ".join(" ".join(line[1:31].strip() for line in driver.text.splitlines()).split())
        for words in ("a adds one", "w shows every store", "would keep it in", "(nothing there)"):
            assert words in left
        assert "No memory is under the cursor." in driver.words
        bar = driver.text.splitlines()[-1]
        assert "a add" in bar and not {"d delete", "f filter", "u undo"} & set(bar.split("  "))
        await driver.press("3")
        assert "no sessions here, nor in any other" in driver.words


async def test_an_empty_project_tells_of_the_sessions_of_others(
    make_env: MakeEnv, demo: DemoHome, tmp_path: Path
) -> None:
    project = tmp_path / "empty"
    project.mkdir()
    async with running(make_env(home=demo.home, cwd=project), (120, 36)) as driver:
        await driver.settled()
        assert "/ searches 16 sessions" in " ".join(line[1:47].strip() for line in driver.text.splitlines()[:8])


async def test_stores_that_cannot_be_read_at_all_say_how_to_try_again(env: Env) -> None:
    from memtui.core.errors import MemtuiError

    async with running(env) as driver:
        driver.app.desk.view = None
        driver.app.desk._not_read(MemtuiError("/x: Input/output error"))
        await driver.settled()
        assert "/x: Input/output" in driver.words and "F5 reads again" in driver.words
        await driver.press("d")
        assert "not read yet" in driver.words
        await driver.press("f5")
        assert "15 of 15" in driver.text


async def test_u_stands_in_the_bar_once_there_is_something_to_undo(env: Env) -> None:
    async with running(env, (120, 36)) as driver:
        assert "u undo" not in driver.text.splitlines()[-1]
        await driver.press("3", "i", "x", "enter")
        assert "u undo" in driver.text.splitlines()[-1]
