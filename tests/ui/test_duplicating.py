"""The review of duplicates: groups, two texts side by side with what differs marked, and what its keys do."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import Driver, running, tree

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.ui.screens.pair_screen import PairScreen

RULE = "Run the linter and the type checker before you open a pull request on port 8080 of the gateway."
BODIES = {
    "lint-first": f"{RULE}\nThe gateway runs both again, and it takes long.",
    "lint-again": f"{RULE}\nThe gateway runs both once more, and that takes long.",
    "tea": "The user likes green tea in the morning.",
    "green-tea": "**The user likes green tea in the morning**",
}


@pytest.fixture
def store(demo: DemoHome) -> Path:
    """The demo's store with a pair of equal memories, and one of memories that nearly are."""
    index = demo.store / "MEMORY.md"
    for name, body in BODIES.items():
        head = f"---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: user\n---\n\n"
        (demo.store / f"{name}.md").write_text(f"{head}{body}\n")
        index.write_text(f"{index.read_text().rstrip()}\n- [{name}]({name}.md) — about {name}\n")
    return demo.store


def pair(driver: Driver) -> PairScreen:
    screen = driver.app.screen
    assert isinstance(screen, PairScreen)
    return screen


def marked(driver: Driver, text: str) -> set[str]:
    """The parts of a text of the pair that are marked as differing."""
    view = pair(driver).text if text == "one" else pair(driver).other
    return {
        line[start:end]
        for line, inks in zip(view.lines, view._inks or (), strict=True)
        for start, end, ink in inks
        if ink == "match"
    }


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (45, 20), (40, 10)])
async def test_groups_stand_side_by_side_at_every_size(env: Env, store: Path, size: tuple[int, int]) -> None:
    async with running(env, size) as driver:
        await driver.press("D")
        for words in ("2 groups", "the same", "green-tea", "q back"):
            assert words in driver.words
        assert pair(driver).text.size.height >= 1 and pair(driver).other.size.height >= 1
        assert marked(driver, "one") == marked(driver, "other") == set()
        await driver.press("G")
        assert {frozenset(marked(driver, "one")), frozenset(marked(driver, "other"))} == {
            frozenset({"again", "it"}),
            frozenset({"once more", "that"}),
        }
        await driver.press("q")
        assert "1 Memories" in driver.words or "memories" in driver.words


async def test_one_is_kept_when_the_other_is_deleted(env: Env, store: Path) -> None:
    async with running(env) as driver:
        await driver.press("D")
        gone = driver.cursor_file
        assert gone in {"tea.md", "green-tea.md"}
        await driver.press("d", "y")
        assert not (store / gone).exists() and gone not in (store / "MEMORY.md").read_text()
        assert "1 group" in driver.words and driver.cursor_file.startswith("lint-")
        await driver.press("u")
        assert (store / gone).exists() and "2 groups" in driver.words
        await driver.press("space")
        assert len(driver.app.desk.marked) == 1
        await driver.press("space", "d", "n", "q")
        assert not driver.app.desk.marked and driver.app.desk.front is None


async def test_story_5_two_are_one_in_three_keys_and_an_edit(env: Env, store: Path) -> None:
    before = tree(store)
    async with running(env) as driver:
        await driver.press("D", "j")
        kept = driver.cursor_file
        (gone,) = {"tea.md", "green-tea.md"} - {kept}
        driver.edit_with(lambda text: text.replace(b"**", b""))
        await driver.press("m")
        assert "Make one of 2 memories" in driver.sentences and gone in driver.sentences
        await driver.press("e")
        assert gone not in tree(store) and b"green tea" in tree(store)[kept]
        index = tree(store)["MEMORY.md"]
        assert index.count(f"({kept})".encode()) == 1 and f"({gone})".encode() not in index
        assert "1 group" in driver.words
        await driver.press("u")
        assert tree(store) == before and "2 groups" in driver.words


async def test_enter_leads_to_the_memory_and_a_passage_is_only_shown(env: Env, store: Path) -> None:
    (env.cwd / "AGENTS.md").write_text("# Rules\n\n- The user likes green tea in the morning.\n")
    async with running(env) as driver:
        await driver.press("D", "j", "j")
        assert "AGENTS.md:3" in driver.words and driver.app.desk.item is None
        await driver.press("enter")
        assert "an instruction file is yours to edit" in driver.sentences
        await driver.press("k")
        file = driver.cursor_file
        await driver.press("enter")
        assert driver.app.desk.front is None and driver.cursor_file == file
