"""What another program does between looking and deciding: it is told, and nothing is written unseen."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import running, tree

from memtui.core.env import Env
from memtui.core.layouts.base import Remove, SetField
from memtui.core.workspace import Workspace
from memtui.demo import DemoHome
from memtui.ui.changing import Changing
from memtui.ui.outcomes import Batch
from memtui.ui.screens.diff_screen import DiffScreen

FACT = "prefer-small-commits.md"
OTHER = "no-mocks-in-db-tests.md"
OLD, NEW, NEWEST = b"under 200 lines", b"under 99 lines", b"under 50 lines"


def replace(index: Path, old: bytes, new: bytes) -> None:
    data = index.read_bytes()
    assert old in data
    index.write_bytes(data.replace(old, new))


@pytest.mark.parametrize("size", [(80, 24), (40, 10)])
async def test_c02_the_line_that_changed_is_shown_before_anything_goes(
    env: Env, demo: DemoHome, size: tuple[int, int]
) -> None:
    index = demo.store / "MEMORY.md"
    async with running(env, size) as driver:
        driver.go_to(FACT)
        await driver.press("d")
        replace(index, OLD, NEW)
        before = tree(demo.store)
        await driver.press("y")
        bar = driver.app.desk.ask_bar
        assert bar.asking and tree(demo.store) == before
        words = driver.words
        assert "MEMORY.md was changed by another program while you were deciding" in words
        assert "+1 -1 line); nothing was written" in words
        # the new text is on the screen, and the old one beside it
        assert "under 99 lines" in words and "under 200 lines" in words
        for label in ("y do yours on top of theirs", "o look at both", "n leave it"):
            assert label in words
        await driver.press("o")
        assert isinstance(driver.app.screen, DiffScreen) and "MEMORY.md: " in driver.text
        await driver.press("h")
        assert bar.asking and tree(demo.store) == before
        await driver.press("y")
        assert FACT not in tree(demo.store)
        await driver.press("u")
        assert tree(demo.store) == before


async def test_c02_what_changes_again_is_asked_about_again(env: Env, demo: DemoHome) -> None:
    index = demo.store / "MEMORY.md"
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("d")
        replace(index, OLD, NEW)
        await driver.press("y")
        replace(index, NEW, NEWEST)
        before = tree(demo.store)
        await driver.press("y")
        assert driver.app.desk.ask_bar.asking and "under 50 lines" in driver.words
        await driver.press("h")
        assert tree(demo.store) == before


async def test_what_another_program_took_away_cannot_be_insisted_on(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        view = driver.app.desk.view
        assert view is not None
        snapshot = view.stores[0].snapshot
        (demo.store / FACT).unlink()
        index = (demo.store / "MEMORY.md").read_bytes()
        lines = [line for line in index.splitlines(keepends=True) if FACT.encode() not in line]
        (demo.store / "MEMORY.md").write_bytes(b"".join(lines))
        before = tree(demo.store)
        changing = Changing(driver.app.desk)
        changing.change(snapshot, "set", (SetField(FACT, "hook", "mine"),))
        await driver.settled()
        assert f"{FACT} was taken away by another program" in driver.words
        assert "nothing was written" in driver.words and not driver.app.desk.is_asking
        assert tree(demo.store) == before


async def test_one_store_in_conflict_keeps_the_others_from_nothing(env: Env, demo: DemoHome) -> None:
    async with running(env, (120, 30)) as driver:
        view = driver.app.desk.view
        assert view is not None
        first, second = view.stores[0].snapshot, view.stores[1].snapshot
        other = second.memories[0]
        replace(demo.store / "MEMORY.md", OLD, NEW)
        batches = [Batch(first, (Remove(FACT),)), Batch(second, (Remove(other.id),))]
        Changing(driver.app.desk).review("Delete both?", "delete", batches)
        await driver.settled()
        await driver.press("y")
        assert (demo.store / FACT).exists() and not (second.store.root / other.file).exists()
        assert driver.app.desk.ask_bar.asking and "under 99 lines" in driver.words
        await driver.press("y")
        assert not (demo.store / FACT).exists()


async def test_an_overtaken_line_of_typing_is_asked_about_too(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("i", "!")
        replace(demo.store / "MEMORY.md", OLD, NEW)
        await driver.press("enter")
        assert "under 99 lines" in driver.words and "behaviour!" in driver.words
        await driver.press("y")
        assert b"under 200 lines, refactors apart from behaviour!" in (demo.store / "MEMORY.md").read_bytes()
        workspace = Workspace(env)
        assert [change.state for change in workspace.history()] == ["done"]
