"""Orphaned stores on the screen: story 10 with its keys, what is shown first, and the way back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from app_driver import Driver, running, tree

from memtui.core.env import Env
from memtui.core.locate.claude import encoded_name
from memtui.demo import DemoHome
from memtui.ui.screens.diff_screen import DiffScreen
from memtui.ui.screens.review_screen import ReviewScreen

CAME = {"project_build-2.md", "reference_certificates.md"}
"""What of the demo's orphaned store is not in the memory of its project."""


@pytest.fixture
def old(demo: DemoHome) -> Path:
    """The store of the demo's project that is gone."""
    return demo.home / ".claude" / "projects" / encoded_name(str(demo.home / "code" / "gone")) / "memory"


@pytest.fixture
def here(demo: DemoHome) -> Path:
    """The demo's project's own memory of the same owner."""
    return demo.home / ".claude" / "projects" / "code-app" / "memory"


def without_index(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if name != "MEMORY.md"}


async def test_story_10_adopt_in_three_keys_and_undo_in_one(env: Env, old: Path, here: Path) -> None:
    before, left = tree(here), tree(old)
    async with running(env, (120, 36)) as driver:
        await driver.press("P")
        assert "its project ~/code/gone is gone" in driver.sentences and "3 memories" in driver.sentences
        assert "1 session, the last 1mo ago" in driver.sentences and "1 project is gone" in driver.sentences
        # what would become of each is shown before anything is asked
        assert "+ Certificates" in driver.sentences and "here already, word for word" in driver.sentences
        assert "one of its name says something else here" in driver.sentences
        await driver.press("M")
        assert "Copy 2 memories of ~/code/gone into claude?" in driver.sentences
        assert "this one is called project_build-2.md" in driver.sentences and tree(here) == before
        await driver.press("y")
        after = tree(here)
        assert without_index(after) == without_index(before) | {name: after[name] for name in CAME}
        assert after["reference_certificates.md"] == left["reference_certificates.md"]
        assert (
            after["MEMORY.md"]
            == before["MEMORY.md"]
            + (
                "- [Build command](project_build-2.md) — `ninja`, before the move to make\n"
                "- [Certificates](reference_certificates.md) — renewed by Ana in March\n"
            ).encode()
        )
        assert tree(old) == left and "adopted 2 memories of gone" in driver.sentences
        assert "all here" in driver.text
        await driver.press("M")
        assert "all of it is here already" in driver.sentences
        await driver.press("u")
        assert tree(here) == before and "all here" not in driver.text


@pytest.mark.parametrize("size", [(80, 24), (40, 10)])
async def test_it_is_looked_at_asked_about_and_left_at_every_size(
    env: Env, old: Path, here: Path, size: tuple[int, int]
) -> None:
    before = tree(here)
    async with running(env, size) as driver:
        await driver.press("P")
        assert "code/gone" in driver.sentences and "M adopt" in driver.words
        await driver.press("enter")
        assert isinstance(driver.app.screen, DiffScreen)
        await driver.press("q", "y")
        assert "~/.claude" in driver.sentences
        await driver.press("M")
        assert review(driver).ask_bar.asking and "y yes" in driver.words
        await driver.press("n", "f5", "q")
        assert driver.app.screen is driver.app.screen_stack[0]
    assert tree(here) == before


def review(driver: Driver) -> ReviewScreen:
    assert isinstance(driver.app.screen, ReviewScreen)
    return driver.app.screen


async def test_a_store_of_an_unknown_project_comes_too_and_none_at_all_is_said(
    env: Env, demo: DemoHome, old: Path, here: Path
) -> None:
    async with running(env, (100, 24)) as driver:
        await driver.press("P", "j")
        assert "not known: claude:code-m" in driver.sentences
        assert "no conversation tells which project it is of" in driver.sentences
        await driver.press("M", "y")
        assert {"one.md", "two.md"} <= tree(here).keys()
        await driver.press("u")
        # what goes while it is on the screen is gone at the next look
        shutil.rmtree(old)
        for store in (demo.long_store, demo.messy_store, here.parents[1] / "code-messy"):
            shutil.rmtree(store)
        await driver.press("f5")
        assert "no memory of a project that is gone" in driver.sentences
        await driver.press("M", "enter", "y", "q")
        assert not isinstance(driver.app.screen, ReviewScreen)
