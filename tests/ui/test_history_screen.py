"""The screens over the main one that list: the history with its way back, and where everything is."""

from __future__ import annotations

import dataclasses
import re
from datetime import UTC, datetime, timedelta

import pytest
from app_driver import Driver, running, tree

from memtui.core.env import Env
from memtui.core.layouts.base import Remove, SetField
from memtui.core.workspace import ChangeInfo, Workspace
from memtui.demo import DemoHome
from memtui.ui.history import state_word
from memtui.ui.screens.diff_screen import DiffScreen
from memtui.ui.screens.list_screen import ListScreen
from memtui.ui.where import find_places

FACT = "prefer-small-commits.md"
OTHER = "no-mocks-in-db-tests.md"


@pytest.fixture
def changed(env: Env, demo: DemoHome) -> dict[str, bytes]:
    """Two changes: a memory is deleted, another one gets a hook. Gives the files before them."""
    before = tree(demo.store)
    workspace = Workspace(env)
    store = next(store for store in workspace.used_stores() if store.root == demo.store)
    workspace.run(workspace.scan(store), "delete", (Remove(FACT),))
    workspace.run(workspace.scan(store), "set", (SetField(OTHER, "hook", "another hook"),))
    return before


def rows_of(driver: Driver) -> list[str]:
    """The words of the rows of the screen on top."""
    screen = driver.app.screen
    assert isinstance(screen, ListScreen)
    rows = screen.rows.rows
    return [
        " ".join([*(cell.text.strip() for cell in row.cells if cell.text), row.tail]).strip() for row in rows
    ]


def said(driver: Driver) -> str:
    return " ".join(driver.app.screen.query_one("#said").text.split())  # type: ignore[attr-defined]


async def test_the_history_lists_every_change_newest_first_and_shows_what_each_did(
    env: Env, changed: dict[str, bytes]
) -> None:
    async with running(env, (120, 30)) as driver:
        await driver.press("U")
        first, second = rows_of(driver)
        assert re.search(rf"set the hook of {OTHER} zcode done", first)
        assert re.search(rf"deleted {FACT} zcode done", second)
        await driver.press("j", "enter")
        assert isinstance(driver.app.screen, DiffScreen)
        assert f"{FACT} goes" in driver.text and "- name: prefer-small-commits" in driver.text
        await driver.press("q", "U")
        assert driver.app.screen is driver.app.screen_stack[0]


async def test_any_change_is_undone_and_made_again_at_40x10(
    env: Env, demo: DemoHome, changed: dict[str, bytes]
) -> None:
    async with running(env, (40, 10)) as driver:
        await driver.press("U", "j", "u")
        # it is named, nothing was done yet, and o shows what would be
        assert driver.app.screen.ask_bar.asking and FACT in driver.words  # type: ignore[attr-defined]
        assert "Undo “deleted" in driver.words and FACT not in tree(demo.store)
        await driver.press("o")
        assert f"{FACT} is new" in driver.text and "back to the question" in driver.text
        await driver.press("q", "y")
        assert tree(demo.store)[FACT] == changed[FACT]
        assert b"another hook" in tree(demo.store)["MEMORY.md"]
        assert said(driver) == f"undid: deleted {FACT}"
        # the cursor stays on it, so the same change can be made again
        assert driver.app.screen.rows.cursor == 1 and rows_of(driver)[1].rstrip().endswith("undone")  # type: ignore[attr-defined]
        await driver.press("u")
        assert "undone already" in said(driver)
        await driver.press("ctrl+r")
        assert FACT not in tree(demo.store) and rows_of(driver)[1].endswith("done")
        await driver.press("q")
        assert "1 Memories" in driver.text


async def test_why_a_change_cannot_be_taken_back_is_said_and_nothing_asked(
    env: Env, demo: DemoHome, changed: dict[str, bytes]
) -> None:
    (demo.store / FACT).write_text("made anew by another program\n")
    before = tree(demo.store)
    async with running(env) as driver:
        await driver.press("U", "j", "u")
        assert FACT in said(driver) and "exists again" in said(driver)
        await driver.press("y")
        assert tree(demo.store) == before


async def test_y_copies_the_path_of_what_was_changed_and_nothing_else_answers(
    env: Env, demo: DemoHome, changed: dict[str, bytes]
) -> None:
    async with running(env) as driver:
        before = tree(demo.store)
        await driver.press("U", "y")
        assert driver.app.clipboard == str(demo.store / "MEMORY.md")
        await driver.press("d", "y", "x")
        assert isinstance(driver.app.screen, ListScreen) and tree(demo.store) == before


async def test_an_empty_history_says_so(env: Env) -> None:
    async with running(env, (40, 10)) as driver:
        await driver.press("U", "u", "ctrl+r", "y", "enter")
        assert "nothing was changed from here yet" in driver.words


def test_the_word_of_a_change_says_where_it_stands() -> None:
    when = datetime(2026, 11, 30, tzinfo=UTC) - timedelta(days=1)
    change = ChangeInfo("1", "set x", "set", when, "zcode:x", (), "done")
    words = [
        state_word(item)[0]
        for item in (
            change,
            dataclasses.replace(change, reverted=True),
            dataclasses.replace(change, state="undone"),
            dataclasses.replace(change, state="interrupted"),
        )
    ]
    assert words == ["done", "reverted", "undone", "interrupted"]


# Where


async def test_w_lists_stores_and_folders_of_sessions_and_enter_goes_there(env: Env, demo: DemoHome) -> None:
    async with running(env, (40, 10)) as driver:
        await driver.press("w")
        first, _other, third, *_more = rows_of(driver)
        assert first.startswith("zcode app-1c3f58a90d…  13 memories") and first.endswith("used")
        # another store of the same owner is told apart
        assert third.startswith("zcode app-") and third[:20] != first[:20]
        assert "Enter l open · ? keys · q back" in driver.text.splitlines()[-1]
        # the whole path is there, wrapped
        assert demo.store.parent.name[-12:] in driver.text and "~/.zcode/cli/memories" in driver.text
        await driver.press("j", "y")
        assert driver.app.clipboard.endswith("code-app/memory")
        await driver.press("enter")
        assert driver.app.screen is driver.app.screen_stack[0]
        assert driver.app.desk.store is not None and driver.app.desk.store.name == "claude"
        await driver.press("w", "G", "k", "enter")
        assert driver.app.navigation.active == "search"


async def test_a_store_that_nothing_reads_here_says_how_to_open_it(env: Env) -> None:
    async with running(env) as driver:
        await driver.press("w", "j", "j")
        assert "not used" in rows_of(driver)[2]
        await driver.press("enter")
        assert "memtui PATH opens it" in said(driver)
        await driver.press("w")
        assert driver.app.screen is driver.app.screen_stack[0]


def test_what_is_the_matter_with_a_store_is_told(env: Env, demo: DemoHome) -> None:
    workspace = Workspace(env)
    located = workspace.locate()
    odd = dataclasses.replace(
        located.stores[0],
        writable=False,
        loads=False,
        loads_not_because="it is off",
        shared_by=("~/code/b",),
        warnings=("a \x1b[31mwarning",),
    )
    workspace._located = dataclasses.replace(located, stores=(odd,), warnings=("a setting",))
    found = find_places(workspace, {})
    told = "\n".join("".join(text for text, _ink in line) for line in found.places["store 0"].lines)
    for words in ("read-only", "not injected: it is off", "also the memory of ~/code/b", "a ␛[31mwarning"):
        assert words in told
    assert found.places["settings"].lines == ((("a setting", "warn"),),)
