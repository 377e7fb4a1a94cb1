"""Limits: what each memory takes, what would make the rest fit, and getting there with two keys an entry."""

from __future__ import annotations

import dataclasses
import os

import pytest
from app_driver import Driver, running, tree

from memtui.core.env import Env
from memtui.core.layouts.base import Problem
from memtui.demo import DemoHome
from memtui.ui.reviews.limiting import LimitReview

LINES = 205
FACT = "---\nname: {name}\ndescription: about {name}\nmetadata:\n  node_type: memory\n  type: project\n---\n\n{name}\n"


@pytest.fixture
def crowded(demo: DemoHome) -> DemoHome:
    """A store whose index has 205 lines, of which the agent loads 200."""
    for path in demo.store.glob("*"):
        if path.is_file():
            path.unlink()
    names = [f"m{number:03}" for number in range(LINES)]
    for name in names:
        (demo.store / f"{name}.md").write_text(FACT.format(name=name))
    (demo.store / "MEMORY.md").write_text("".join(f"- [{name}]({name}.md) — about {name}\n" for name in names))
    return demo


def review_on(driver: Driver) -> LimitReview:
    front = driver.app.desk.front
    assert isinstance(front, LimitReview)
    return front


def index_lines(demo: DemoHome) -> int:
    return (demo.store / "MEMORY.md").read_bytes().count(b"\n")


async def test_story_4_an_index_of_205_lines_is_at_200_after_five_times_two_keys(
    env: Env, crowded: DemoHome
) -> None:
    before = tree(crowded.store)
    async with running(env, (45, 20)) as driver:
        await driver.press("L")
        review = review_on(driver)
        assert "205/200 lines, 5 over" in driver.words and "it would fit if these went" in driver.sentences
        assert "takes 1 of 200 lines (under 1%)" in driver.sentences
        # the cut is a line in the list, and some stand below it
        rows = [row.id.split()[0] if row.kind != "row" else "" for row in review.screen.rows.rows]
        cut = rows.index("cut")
        assert cut > rows.index("stay") > rows.index("go") and "" in rows[cut:]
        # what is found while nothing was touched may put others first
        view = driver.app.desk.view
        assert view is not None
        last = next(item for item in view.items.values() if item.memory.file == "m204.md")
        snapshot = view.stores[last.store].snapshot
        found = dataclasses.replace(snapshot, problems=(Problem("threat", "error", "odd", last.memory.id),))
        stores = (dataclasses.replace(view.stores[0], snapshot=found), *view.stores[1:])
        driver.app.desk.view = dataclasses.replace(view, stores=stores)
        review.view_changed()
        await driver.settled()
        assert review.row_id == last.row_id and "the rest fits without these 5" in driver.sentences
        for left in (204, 203, 202, 201, 200):
            await driver.press("d", "y")
            # the meter is live
            assert index_lines(crowded) == left and f"Limits zcode {left}/200 lines" in driver.words
        assert "would fit" not in driver.sentences and ", 5 over" not in driver.words
        # a line is shortened with what it comes to beside it, and that leads on too
        item = review.item
        assert item is not None
        await driver.press("i", "ctrl+u", *"no")
        assert "200 of 200" in review.screen.line_input.note
        await driver.press("enter")
        assert f"]({item.memory.file}) — no\n" in (crowded.store / "MEMORY.md").read_text()
        assert review.row_id != item.row_id
        await driver.press("u", "u")
        assert index_lines(crowded) == 201 and len(tree(crowded.store)) == len(before) - 4
        await driver.press("enter")
        assert driver.app.desk.front is None and driver.app.desk.item is not None


async def test_keys_go_on_to_what_could_go_and_never_into_another_store(env: Env, crowded: DemoHome) -> None:
    twins, index = {"m203": "tea", "m204": "green-tea"}, crowded.store / "MEMORY.md"
    for old, name in twins.items():
        (crowded.store / f"{old}.md").unlink()
        head = FACT.format(name=name).removesuffix(f"{name}\n")
        (crowded.store / f"{name}.md").write_text(f"{head}The user likes green tea in the morning.\n")
        index.write_text(index.read_text().replace(old, name))
    for path in crowded.store.iterdir():
        os.utime(path, (env.now().timestamp() - 60,) * 2)
    async with running(env, (45, 20)) as driver:
        await driver.press("L")
        review = review_on(driver)
        first = review.item
        assert first is not None and first.memory.title in twins.values()
        # without it the other one is no duplicate any more, and stands among the others
        await driver.press("d", "y")
        item = review.item
        assert item is not None and item.memory.title not in twins.values()
        assert "the rest fits without these 4" in driver.sentences
        # the last row of a store leads to the one before it
        rows = [row for row, entry in review.entries.items() if entry.memory and review.item_of(row).store == 0]
        review.go_to(rows[-1])
        await driver.press("d", "y")
        assert review.row_id == rows[-2]


async def test_stores_stand_below_each_other_and_where_nothing_has_a_limit_that_is_said(
    env: Env, demo: DemoHome
) -> None:
    async with running(env, (40, 10)) as driver:
        await driver.press("L")
        title = driver.app.screen.query_one("#sheet")
        assert "Limits zcode 15/200 lines" in driver.words
        await driver.press("right_square_bracket")
        assert str(title.border_title).startswith("Limits  claude 2/200 lines")
        await driver.press("left_square_bracket", "L")
        assert driver.app.desk.front is None
