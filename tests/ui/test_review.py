"""The screen that every review uses: a queue with reasons and texts, and the keys of memories on it."""

from __future__ import annotations

import pytest
from app_driver import Driver, running, tree

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.ui.changing import Changing
from memtui.ui.reviews.reviewing import Review
from memtui.ui.screens.diff_screen import DiffScreen
from memtui.ui.screens.review_screen import Entry, ReviewScreen
from memtui.ui.widgets.row_list import Cell, Row

FACT = "prefer-small-commits.md"
OTHER = "no-mocks-in-db-tests.md"

PASSED = ("delete", "edit", "type", "line", "move", "undo")


async def review_of(driver: Driver, *files: str) -> Review:
    """A review of these memories of the demo, opened."""
    view = driver.app.desk.view
    assert view is not None
    kept: list[str] = []
    review = Review(
        driver.app.desk,
        "Review",
        opener="history",
        own={"open": kept.append},
        passed=PASSED,
        meanings={"open": ("keep", "Keep it as it is")},
    )
    items = [item for file in files for item in view.items.values() if item.memory.file == file]
    reason = [[("! ", "warn"), ("its reason stands on top", "warn")]]
    entries = [Entry(item.row, reason, item.row_id) for item in items]
    entries.append(Entry(Row("end", (Cell("the run"),)), (), "", [[("what was done", "title")]]))
    assert review.open()
    review.show(entries, [[("nothing here", "muted")]])
    review.screen.show_progress(["1 of 2"])
    await driver.settled()
    return review


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (45, 20), (40, 10)])
async def test_reason_text_progress_and_keys_have_room_at_every_size(
    env: Env, demo: DemoHome, size: tuple[int, int]
) -> None:
    async with running(env, size) as driver:
        review = await review_of(driver, FACT, OTHER)
        await driver.settled()
        # it covers the panes: they are not painted again below it
        assert review.screen.styles.background.a == 1
        for words in (
            "Review 1 of 2",
            "Prefer small commits",
            "its reason stands",
            "Enter keep",
            "? keys q back",
        ):
            assert words in driver.words
        assert (
            any(line.strip("│▌ ") for line in review.screen.text.lines) and review.screen.text.size.height >= 2
        )
        await driver.press("G")
        assert "what was done" in driver.words
        await driver.press("d")
        assert "there is no memory under the cursor" in driver.sentences
        await driver.press("q")
        assert driver.app.desk.front is None and "1 Memories" in driver.words


async def test_a_review_lists_its_own_keys_and_says_that_another_does_nothing(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        review = await review_of(driver, FACT)
        await driver.press("s", "j")
        assert "s (sort) does nothing in this list; ? shows what does" in driver.sentences
        await driver.press("Z", "k")
        assert "Z" not in driver.sentences
        await driver.press("?")
        for words in ("Keys here: Review", "Enter l Keep it as it is", "d Delete it", "k ↑ One row up"):
            assert words in driver.words
        assert "sort" not in driver.words.partition("Keys here")[2].partition("Enter does it")[0]
        await driver.press("d", "enter")
        assert review.screen.ask_bar.asking
        await driver.press("n", ":", *"last", "enter")
        assert review.row_id == "end"
        review.show((), [[("nothing here", "muted")]])
        await driver.settled()
        assert "nothing here" in driver.words and not review.screen.query_one("#beside").display


async def test_keys_of_memories_ask_type_and_say_on_the_review(env: Env, demo: DemoHome) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        review = await review_of(driver, FACT, OTHER)
        await driver.press("d")
        assert review.screen.ask_bar.asking and f"Delete {FACT}" in driver.words
        # a question has all keys
        await driver.press("o")
        assert isinstance(driver.app.screen, DiffScreen)
        await driver.press("q", "y")
        assert isinstance(driver.app.screen, ReviewScreen) and FACT not in tree(demo.store)
        assert f"deleted {FACT}" in driver.sentences and review.item is None
        await driver.press("u")
        assert tree(demo.store) == before and review.item is not None
        await driver.press("j", "i", "ctrl+u", *"ab")
        # moving keys are letters, and what it would come to stands beside them
        assert review.screen.line_input.value == "ab" and "of" in review.screen.line_input.note
        await driver.press("enter")
        assert b"ab" in tree(demo.store)["MEMORY.md"] and "u undoes" in driver.sentences
        driver.edit_with(lambda text: text + b"more\n")
        await driver.press("e")
        assert tree(demo.store)[OTHER].endswith(b"more\n")
        assert "more" in driver.app.desk.front.screen.text.lines  # type: ignore[union-attr]
        # the help is about the memory of the review, and does what is chosen there
        await driver.press("?", "t", "enter", "u")
        assert b"type: user" in tree(demo.store)[OTHER] and not driver.app.desk.is_asking
        assert driver.app.screen is review.screen


async def test_what_another_program_does_meanwhile_is_seen_and_voids_the_question(
    env: Env, demo: DemoHome
) -> None:
    async with running(env) as driver:
        review = await review_of(driver, FACT, OTHER)
        await driver.press("d")
        (demo.store / FACT).unlink()
        index = demo.store / "MEMORY.md"
        index.write_text("".join(line for line in index.read_text().splitlines(True) if FACT not in line))
        driver.app.desk.live.look_again()
        await driver.settled()
        assert not review.screen.ask_bar.asking and "is already gone" in driver.sentences
        before = tree(demo.store)
        await driver.press("y", "d", "y")
        assert tree(demo.store) == before


async def test_a_change_tells_the_review_when_it_begins_and_how_it_ended(env: Env, demo: DemoHome) -> None:
    heard: list[tuple[str, object]] = []
    async with running(env) as driver:
        review = await review_of(driver, FACT)
        review.change_began = lambda about: heard.append((about, "began"))  # type: ignore[method-assign]
        review.change_ended = lambda about, outcome: heard.append((about, outcome))  # type: ignore[method-assign]
        row_id = review.row_id
        await driver.press("d", "y")
        (began, ended) = heard
        assert began == (row_id, "began") and ended[0] == row_id and ended[1].change.verb == "delete"  # type: ignore[attr-defined]
        heard.clear()
        # nothing there any more: not made, and that is told
        snapshot = driver.app.desk.view.stores[0].snapshot  # type: ignore[union-attr]
        (demo.store / OTHER).unlink()
        Changing(driver.app.desk).change(snapshot, "set", ())
        await driver.settled()
        assert heard and heard[-1][0] == ""
