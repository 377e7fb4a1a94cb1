"""Keys in the whole app: one after the other whatever comes in together, and what is said, and for how long."""

from __future__ import annotations

from datetime import timedelta

from app_driver import Driver, MakeEnv, running, tree
from textual import events

from memtui.core.drafts import start_draft
from memtui.core.env import Env
from memtui.core.layouts.base import Add
from memtui.core.workspace import Workspace
from memtui.demo import DemoHome
from memtui.ui.copying import path_end

WIDE = (120, 36)


async def burst(driver: Driver, *keys: str) -> None:
    """Keys that come in all at once."""
    for key in keys:
        event = events.Key(key, key if len(key) == 1 else "\r" if key == "enter" else None)
        event.set_sender(driver.app)
        driver.app.post_message(event)
    await driver.settled()


def said(driver: Driver) -> str:
    return driver.app.desk.status.said


async def test_keys_that_come_in_together_act_as_if_one_by_one(env: Env, demo: DemoHome) -> None:
    async with running(env, WIDE) as driver:
        await burst(driver, "a", *"fast", "enter", *"desc", "enter")
        assert b"desc" in (demo.store / "fast.md").read_bytes()
        # the new memory's row is there once it is written
        assert said(driver) == "added fast.md · e writes its text · u undoes"
        assert driver.cursor_file == "fast.md"
        await burst(driver, "f", *"deploy", "enter", "j", "k", "f", "x", "escape", "G", "k")
        assert not driver.app.desk.is_asking and driver.app.desk.query_text == ""
        await burst(driver, "slash", *"csv", "escape", "1", "g", "i", *"XY", "enter", "j", "z")
        assert not driver.app.desk.is_asking and driver.app.desk.main.has_class("-zoomed")
        assert "XY" in (demo.store / "MEMORY.md").read_text() + driver.text
        # a question that nobody saw is not answered
        before = tree(demo.store)
        await burst(driver, "d", "y")
        assert driver.app.desk.ask_bar.asking and tree(demo.store) == before
        await burst(driver, "n", "question_mark", "G", "q", "g")
        assert len(driver.app.screen_stack) == 1 and not driver.app.desk.ask_bar.asking


async def test_ctrl_q_and_ctrl_c_do_not_leave_memtui_but_sheets(env: Env) -> None:
    async with running(env, WIDE) as driver:
        for key in ("ctrl+q", "ctrl+c"):
            await driver.press(key)
            assert driver.app.is_running and "q leaves memtui" in said(driver)
            for opener in ("U", "w"):
                await driver.press(opener)
                assert len(driver.app.screen_stack) == 2
                await driver.press(key)
                assert len(driver.app.screen_stack) == 1
            await driver.press("d", "o")
            assert len(driver.app.screen_stack) == 2
            await driver.press(key)
            assert len(driver.app.screen_stack) == 1 and driver.app.desk.ask_bar.asking
            await driver.press("n")


async def test_joiners_can_be_typed_and_a_paste_says_what_it_leaves_out(env: Env) -> None:
    async with running(env, (80, 24)) as driver:
        await driver.press("a")
        for character in "👨\u200d👩❤\ufe0f":
            driver.app.post_message(events.Key(character, character).set_sender(driver.app))
        await driver.settled()
        assert driver.app.desk.line_input.value == "👨\u200d👩❤\ufe0f"
        driver.app.post_message(events.Paste("one\ntwo\nthree\n"))
        await driver.settled()
        assert driver.app.desk.line_input.value == "👨\u200d👩❤\ufe0fone"
        assert "2 more lines were left out" in driver.words
        await driver.press("ctrl+u", "enter")
        assert said(driver) == "nothing was added"


async def test_a_filter_begins_with_the_one_that_is_kept_and_gives_way_to_letters(env: Env) -> None:
    async with running(env, (40, 10)) as driver:
        await driver.press("f", *"deploy", "enter", "f", *"csv")
        assert driver.app.desk.query_text == "csv"
        await driver.press("enter", "f", "end", "x", "backspace")
        assert driver.app.desk.query_text == "csv"
        await driver.press("enter", "f", "ctrl+c")
        assert not driver.app.desk.is_asking and driver.app.desk.query_text == ""
        rows = driver.app.desk.index.list
        for query in "sat":
            await driver.press("G", "f", query, "enter", "j", "escape")
            assert rows.scroll_offset.y <= rows.cursor < rows.scroll_offset.y + rows.size.height


async def test_notes_go_with_the_next_key_and_results_with_the_next_command(env: Env) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("ctrl+c")
        assert "q leaves memtui" in said(driver)
        await driver.press("j")
        assert "q leaves memtui" not in said(driver)
        await driver.press("a", *"new", "enter", "enter", "j", "k")
        assert "added new.md" in said(driver)
        await driver.press("z")
        assert "added new.md" not in said(driver).replace("u undoes: added new.md", "")


async def test_enter_says_how_a_question_is_answered(env: Env, demo: DemoHome) -> None:
    before = tree(demo.store)
    async with running(env, WIDE) as driver:
        await driver.press("d", "enter", "enter")
        assert driver.app.desk.ask_bar.asking
        assert driver.words.count("y answers, any other key leaves") == 1
        await driver.press("n", "t", "enter")
        assert "one of these letters answers" in driver.words
        await driver.press("escape")
    assert tree(demo.store) == before


async def test_u_asks_before_it_undoes_what_another_memtui_did(make_env: MakeEnv, demo: DemoHome) -> None:
    env = make_env(home=demo.home, cwd=demo.project)
    earlier = make_env(home=demo.home, cwd=demo.project, now=lambda: env.now() - timedelta(minutes=5))
    later = make_env(home=demo.home, cwd=demo.project, now=lambda: env.now() + timedelta(minutes=5))

    def add(by: Env, title: str) -> None:
        workspace = Workspace(by)
        snapshot = next(s for s in workspace.snapshots() if s.store.root == demo.store)
        workspace.run(snapshot, "add", (Add(title),))

    add(earlier, "before")
    async with running(env, WIDE) as driver:
        add(later, "theirs")
        await driver.press("u")
        assert "Undo “added theirs.md”, which was not done here?" in driver.words
        await driver.press("n")
        assert (demo.store / "theirs.md").exists()
        await driver.press("u", "y")
        assert not (demo.store / "theirs.md").exists()
        await driver.press("u")
        assert not driver.app.desk.ask_bar.asking and not (demo.store / "before.md").exists()


async def test_many_at_once_are_counted(env: Env) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("space", "space", "space", "d", "y")
        assert said(driver) == "deleted 3 memories · u undoes"
        await driver.press("u")
        assert not driver.app.desk.ask_bar.asking


async def test_a_session_that_comes_back_is_found_again_and_one_that_went_is_said(
    env: Env, demo: DemoHome
) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("slash", *"staging deploy", "enter", "3", "g")
        rows = driver.app.desk.search.list
        while driver.app.desk.session is None:
            await driver.press("j")
        await driver.press("enter")
        session = driver.app.desk.reading.session
        assert session is not None

        def is_found() -> bool:
            found = driver.app.desk.searching._found
            assert found is not None
            return any(t.session and t.session.file == session.file for t in found.targets.values())

        assert is_found() and rows.rows
        await driver.press("d", "y")
        await driver.settled()
        assert not session.file.exists() and "the file is gone" in driver.words and not is_found()
        await driver.press("u")
        await driver.settled()
        assert session.file.exists() and "the file is gone" not in driver.words and is_found()


async def test_a_kept_text_is_told_of_once(env: Env) -> None:
    kept = start_draft(env.state_dir, "a.md", b"typed\n")
    async with running(env, WIDE) as driver:
        where = "~/" + str(kept.relative_to(env.home)) if kept.is_relative_to(env.home) else str(kept)
        assert said(driver) == f"the text you edited is kept in {where} until you remove it"
    async with running(env, WIDE) as driver:
        assert "is kept in" not in said(driver)
    assert kept.read_bytes() == b"typed\n"


def test_the_end_of_a_path_is_what_is_said() -> None:
    assert path_end("~/a/b.md") == "~/a/b.md"
    assert path_end("~/code/app/.zcode/memory/import-incident.md") == "…/.zcode/memory/import-incident.md"
    assert path_end("/x/" + "y" * 50) == "…/" + "y" * 50
