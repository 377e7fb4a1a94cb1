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
from memtui.core.workspace import Workspace
from memtui.demo import DemoHome, build_demo
from memtui.ui.app import MemtuiApp
from memtui.ui.changing import Changing
from memtui.ui.editor import editor_command
from memtui.ui.metering import bar
from memtui.ui.outcomes import Batch
from memtui.ui.screens.diff_screen import DiffScreen, diff_spans

FACT = "prefer-small-commits.md"
OTHER = "no-mocks-in-db-tests.md"


@pytest.fixture
def demo(tmp_path: Path) -> DemoHome:
    return build_demo(tmp_path / "demo")


@pytest.fixture
def env(make_env: MakeEnv, demo: DemoHome) -> Env:
    return make_env(home=demo.home, cwd=demo.project)


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
        assert "+++ b/MEMORY.md" in driver.text and f"--- a/{FACT}" in driver.text
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
            assert f"deleted {file}" in driver.words


def test_a_diff_names_files_added_and_removed_lines_by_ink_and_sign() -> None:
    lines = ["--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", " same", "--- not a name", "+more", "\\ No newline"]
    inks = [spans[0][1] for spans in diff_spans(lines)]
    assert inks == ["heading", "heading", "heading", "", "error", "good", "muted"]


# One line, in place


async def test_a_line_is_metered_while_it_is_typed_and_written_with_enter(env: Env, demo: DemoHome) -> None:
    async with running(env, (120, 30)) as driver:
        driver.go_to(FACT)
        await driver.press("i")
        line_input = driver.app.desk.line_input
        assert f"index line of {FACT}" in driver.words
        first = line_input.note
        assert "/200 utf16" in first and "15/200 lines" in first
        await driver.press(*"!!!")
        assert line_input.note != first
        # the row that is edited stays in sight
        assert "prefer-small-commits" in driver.text
        line_input._field.value += "x" * 200
        await driver.settled()
        assert (line_input._parts or [])[0][0][1] == "warn"
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
        assert "15/200 lines" in note
        await driver.press(*"new")
        assert "16/200 lines" in driver.app.desk.line_input.note
        await driver.press("enter", *"about", "enter")
        assert "- [new](new.md) — about\n" in (demo.store / "MEMORY.md").read_text()


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
