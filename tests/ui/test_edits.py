"""Questions with a look, one-line edits with what they would cost, and the editor."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import ClassVar

import pytest
from app_driver import Driver, MakeEnv, running, tree
from textual.drivers.headless_driver import HeadlessDriver

from memtui.core.drafts import start_draft
from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.core.layouts.base import Budget, Remove
from memtui.core.workspace import Forecast, Workspace
from memtui.demo import DemoHome
from memtui.ui.app import MemtuiApp
from memtui.ui.changing import Changing
from memtui.ui.editor import editor_command
from memtui.ui.metering import bar, meter_parts
from memtui.ui.outcomes import Batch
from memtui.ui.screens.diff_screen import DiffScreen, diff_lines

FACT = "prefer-small-commits.md"
OTHER = "no-mocks-in-db-tests.md"


# A question with a look


async def test_o_shows_what_would_change_and_the_question_stands_again_after_it(
    env: Env, demo: DemoHome
) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        view = driver.app.desk.view
        assert view is not None
        snapshot = view.stores[0].snapshot
        edits = tuple(Remove(memory.id) for memory in snapshot.memories if memory.file in (FACT, OTHER))
        changing = Changing(driver.app.desk)
        changing.review("Delete 2 memories?", "delete", [Batch(snapshot, edits)], opener="d")
        await driver.settled()
        assert "Delete 2 memories?" in driver.words and "o look" in driver.words
        await driver.press("o")
        assert isinstance(driver.app.screen, DiffScreen)
        assert "MEMORY.md: 2 lines go" in driver.text and f"{FACT} goes, 14 lines" in driver.text
        assert "q back to the question" in driver.text
        # no key of the sheet answers the question below it
        await driver.press("j", "y", "x", "h")
        assert tree(demo.store) == before
        assert driver.app.desk.ask_bar.asking and "Delete 2 memories?" in driver.words
        await driver.press("y")
        assert {FACT, OTHER}.isdisjoint(tree(demo.store))
        assert "deleted" in driver.words
        await driver.press("u")
        assert tree(demo.store) == before


async def test_a_review_of_several_stores_makes_one_change_each_and_says_both(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        view = driver.app.desk.view
        assert view is not None and len(view.stores) > 1
        batches = [Batch(store.snapshot, (Remove(store.items[0].memory.id),)) for store in view.stores[:2]]
        files = [store.items[0].memory.file for store in view.stores[:2]]
        Changing(driver.app.desk).review("Delete 2 memories?", "delete", batches)
        await driver.settled()
        await driver.press("o", "q", "y")
        for store, file in zip(view.stores[:2], files, strict=True):
            assert not (store.snapshot.store.root / file).exists()
        assert "deleted 2 memories · u undoes, one store at a time" in driver.words


def test_a_diff_says_in_words_what_happens_to_a_file_and_by_sign_and_ink_to_its_lines() -> None:
    lines = ["--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", " same", "--- not a name", "+more", "\\ No newline"]
    shown = list(diff_lines([*lines, "", "note: more"]))
    assert [(line.text, line.ink) for line in shown] == [
        ("x: 1 line goes, 1 comes", "heading"),
        ("  same", ""),
        ("- -- not a name", "gone"),
        ("+ more", "good"),
        ("\\  No newline", "muted"),
        ("", ""),
        ("note: more", ""),
    ]
    assert [line.sign for line in shown] == ["", " ", "-", "+", "", "", ""]


def test_a_diff_of_a_whole_file_of_an_end_and_of_a_session_is_in_words_too() -> None:
    new = ["--- /dev/null", "+++ b/n", "@@ -0,0 +1,2 @@", "+a", "+++ b"]
    gone = ["--- a/g", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"]
    put_on = ["--- a/s", "+++ b/s", "+{}"]
    texts = [line.text for line in diff_lines([*new, "", *gone, "", *put_on, "", "-s.jsonl (1 bytes)"])]
    assert texts == [
        *("n is new, 2 lines", "+ a", "+ ++ b", "", "g goes, 1 line", "- a", ""),
        *("s: 1 line comes", "+ {}", "", "- s.jsonl (1 bytes)"),
    ]


def test_a_diff_with_little_room_begins_near_the_change_and_names_its_line() -> None:
    hunk = ["@@ -4,7 +4,6 @@", " 4", " 5", " 6", "-7", " 8", " 9", " 10"]
    lines = ["--- a/x", "+++ b/x", *hunk]
    assert [line.text for line in diff_lines(lines, 1)] == [
        *("x: 1 line goes", "line 6", "  6", "- 7", "  8"),
    ]
    # whatever stands where a diff should be, nothing is lost of it
    assert [line.text for line in diff_lines([*lines[:4], "odd", "--- a/y"])][-2:] == ["odd", "- -- a/y"]


async def test_a_sign_is_repeated_where_a_line_of_a_diff_wraps(env: Env) -> None:
    async with running(env, (40, 10)) as driver:
        driver.go_to(FACT)
        await driver.press("d", "o")
        rows = [line[2:].split(" ", 1)[0] for line in driver.text.splitlines() if "│" in line]
        first = rows.index("-")
        assert rows[first : first + 2] == ["-", "-"] and "MEMORY.md: 1 line goes" in driver.text


# One line, in place


async def test_a_line_is_metered_while_it_is_typed_and_written_with_enter(env: Env, demo: DemoHome) -> None:
    async with running(env, (120, 30)) as driver:
        driver.go_to(FACT)
        await driver.press("i")
        line_input = driver.app.desk.line_input
        assert f"index line of {FACT}" in driver.words
        first = line_input.note
        assert first == "this line 99 of 200 · index 15 of 200 lines ▱▱▱▱"
        assert "Enter keep · Esc ctrl+c leave" in driver.text.splitlines()[-1]
        await driver.press(*"!!!")
        assert line_input.note != first
        # the row that is edited stays in sight
        assert "prefer-small-commits" in driver.text
        line_input._field.value += "x" * 200
        await driver.settled()
        assert (line_input._parts or [])[0][0][1] == "warn"
        assert ", 102 over" in line_input.note
        await driver.press("enter")
        assert b"!!!xxx" in (demo.store / "MEMORY.md").read_bytes()


async def test_what_is_refused_is_said_beside_the_field_and_enter_keeps_the_text(
    env: Env, demo: DemoHome
) -> None:
    before = tree(demo.store)
    async with running(env, (40, 10)) as driver:
        driver.go_to(FACT)
        await driver.press("I")
        line_input = driver.app.desk.line_input
        line_input._field.value = OTHER.removesuffix(".md")
        await driver.settled()
        refusal = line_input.note
        assert "exists" in refusal or "taken" in refusal
        await driver.press("enter")
        assert line_input.asking and line_input.value == OTHER.removesuffix(".md")
        assert line_input.note == refusal and tree(demo.store) == before
        await driver.press("x", "enter")
        assert not line_input.asking and (demo.store / OTHER.replace(".md", "x.md")).exists()


async def test_what_is_refused_only_when_it_is_written_comes_back_to_be_changed(
    env: Env, demo: DemoHome
) -> None:
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("I", "x")
        # another program takes the name, and memtui has not looked again yet
        (demo.store / FACT.replace(".md", "x.md")).write_text("theirs\n")
        await driver.press("enter")
        line_input = driver.app.desk.line_input
        assert line_input.asking and line_input.value == FACT.replace(".md", "x")
        assert line_input.note and line_input.note in driver.words
        assert (demo.store / FACT.replace(".md", "x.md")).read_text() == "theirs\n"


@pytest.mark.parametrize("key", ["escape", "ctrl+c"])
async def test_u11_a_line_is_left_with_ctrl_c_as_with_esc(env: Env, demo: DemoHome, key: str) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("i", "x", key)
        assert not driver.app.desk.is_asking
        await driver.press("/", "x", key)
        assert driver.app.desk.search.line.value == "x"
        await driver.press(key)
        assert not driver.app.desk.is_typing
        await driver.press("1", "f", "z", key)
        assert not driver.app.desk.is_typing and driver.app.desk.query_text == ""
        await driver.press("d", key)
        assert not driver.app.desk.is_asking and tree(demo.store) == before


async def test_ctrl_c_in_a_line_copies_what_is_selected_in_it(env: Env) -> None:
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("I", "shift+home", "ctrl+c")
        assert driver.app.desk.line_input.asking
        assert driver.app.clipboard == FACT.removesuffix(".md")


async def test_a_new_memory_is_metered_before_it_is_there(env: Env, demo: DemoHome) -> None:
    async with running(env, (120, 30)) as driver:
        await driver.press("a")
        note = driver.app.desk.line_input.note
        assert "index 15 of 200 lines" in note and "new in zcode, 1 of 2, title:" in driver.words
        await driver.press(*"new")
        assert "index 16 of 200 lines" in driver.app.desk.line_input.note
        await driver.press("enter")
        assert "new in zcode, 2 of 2, one line about “new”:" in driver.words
        await driver.press(*"about", "enter")
        assert "- [new](new.md) — about\n" in (demo.store / "MEMORY.md").read_text()


@pytest.mark.parametrize("size", [(45, 20), (40, 10)])
async def test_the_end_of_a_long_line_is_in_sight_when_it_is_opened_and_after_a_resize(
    env: Env, size: tuple[int, int]
) -> None:
    async with running(env, size) as driver:
        driver.go_to(FACT)
        await driver.press("i")
        field = driver.app.desk.line_input._field

        def shown() -> str:
            return next(
                line for line in driver.text.splitlines()[::-1] if "apart from" in line or "behav" in line
            )

        assert "behaviour" in shown() and shown().strip().startswith("…")
        await driver.press("home")
        assert field.scroll_offset.x == 0
        await driver.press("end")
        await driver.pilot.resize_terminal(36, 10)
        await driver.settled()
        assert "behaviour" in shown()


async def test_a_new_name_is_metered_only_where_it_breaks_a_limit(env: Env, demo: DemoHome) -> None:
    index = demo.store / "MEMORY.md"
    index.write_text(index.read_text().replace("apart from behaviour", "apart " * 16))
    async with running(env, (120, 30)) as driver:
        driver.go_to(FACT)
        await driver.press("I")
        assert driver.app.desk.line_input.note == ""
        driver.app.desk.line_input._field.value += "x" * 40
        await driver.settled()
        note = driver.app.desk.line_input.note
        assert note.startswith("this line ") and note.endswith(" over") and "index" not in note


def test_what_is_over_a_limit_comes_first_and_is_said_in_words() -> None:
    line, index = Budget("inject", "", "utf16", 99, 200), Budget("inject", "", "bytes", 25_003, 25_000, True)
    parts, compact = meter_parts(Forecast((index,), line))
    texts = [["".join(text for text, _ink in part) for part in some] for some in (parts, compact)]
    assert texts == [
        ["index 25,003 of 25,000 bytes, 3 over ▰▰▰▰", "this line 99 of 200"],
        ["25,003 of 25,000, 3 over", "99 of 200"],
    ]
    assert [part[0][1] for part in parts] == ["warn", "muted"]


def test_the_bar_of_a_budget_is_full_only_at_its_limit() -> None:
    shares = [bar(Budget("inject", "", "lines", used, 200)) for used in (0, 24, 50, 199, 200, 900)]
    assert shares == ["▱▱▱▱", "▱▱▱▱", "▰▱▱▱", "▰▰▰▱", "▰▰▰▰", "▰▰▰▰"]


# The editor


class SuspendingDriver(HeadlessDriver):
    """A driver without a terminal that the app takes for one it can step aside from."""

    calls: ClassVar[list[str]] = []

    @property
    def can_suspend(self) -> bool:
        return True

    @property
    def is_headless(self) -> bool:
        return False

    def suspend_application_mode(self) -> None:
        self.calls.append("suspend")

    def resume_application_mode(self) -> None:
        self.calls.append("resume")


@pytest.mark.parametrize(("script", "told"), [("exit 1", "the editor ended with 1"), ("exit 0", "nothing was")])
async def test_u03_the_screen_and_the_cursor_come_back_each_time(
    env: Env, demo: DemoHome, tmp_path: Path, script: str, told: str
) -> None:
    editor = tmp_path / "my editor"
    editor.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/arguments"\n{script}\n')
    editor.chmod(0o755)
    env = dataclasses.replace(env, environ={"VISUAL": f"'{editor}' --wait 'a b'", "EDITOR": "/nope"})
    SuspendingDriver.calls.clear()
    app = MemtuiApp(env, lambda: Workspace(env), None)
    app.driver_class = SuspendingDriver
    try:
        async with app.run_test(headless=False, size=(80, 24)) as pilot:
            driver = Driver(app, pilot)
            await driver.read()
            driver.go_to(FACT)
            await driver.press("e")
            assert SuspendingDriver.calls == ["suspend", "resume"]
            assert told in driver.words and driver.cursor_file == FACT
            assert "1 Memories" in driver.text
    finally:
        app.work.stop()
    assert (tmp_path / "arguments").read_text().splitlines()[:2] == ["--wait", "a b"]


def test_u03_visual_comes_before_editor_and_vi_before_nano(make_env: MakeEnv, tmp_path: Path) -> None:
    for name in ("vi", "nano", "mine"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    path = {"PATH": str(tmp_path)}
    visual = {"VISUAL": "mine -u NONE", "EDITOR": "nano"}
    assert editor_command(make_env(environ={**path, **visual}), "") == ["mine", "-u", "NONE"]
    assert editor_command(make_env(environ={**path, "EDITOR": "nano -w"}), "") == ["nano", "-w"]
    assert editor_command(make_env(environ={**path, "EDITOR": "nano"}), "mine 'a b'") == ["mine", "a b"]
    assert editor_command(make_env(environ={**path, "EDITOR": " "}), "") == ["vi"]
    (tmp_path / "vi").unlink()
    assert editor_command(make_env(environ=path), "") == ["nano"]
    (tmp_path / "nano").unlink()
    with pytest.raises(UsageError, match=r"set \$VISUAL or \$EDITOR"):
        editor_command(make_env(environ=path), "")
    for named in ("/nope", "'unclosed"):
        with pytest.raises(UsageError, match="editor"):
            editor_command(make_env(environ={**path, "EDITOR": named}), "")


async def test_a_text_that_a_crash_left_in_an_editor_is_told_of_at_the_next_start(env: Env) -> None:
    kept = start_draft(env.state_dir, FACT, b"typed\n")
    async with running(env, (160, 40)) as driver:
        assert "the text you edited is kept in" in driver.words
    assert kept.exists()
