"""Limits: what each memory takes, what would make the rest fit, and getting there with two keys an entry."""

from __future__ import annotations

import pytest
from app_driver import Driver, running, tree

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.ui.limiting import LimitReview

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


async def test_an_index_of_205_lines_is_at_200_after_five_times_two_keys(env: Env, crowded: DemoHome) -> None:
    before = tree(crowded.store)
    async with running(env) as driver:
        await driver.press("L")
        assert "205/200 lines, 5 over" in driver.words and "it would fit if these went" in driver.sentences
        assert "takes 1 of 200 lines (under 1%)" in driver.sentences
        for left in (204, 203, 202, 201, 200):
            await driver.press("d", "y")
            # the meter is live
            assert index_lines(crowded) == left and f"Limits zcode {left}/200 lines" in driver.words
        assert (
            "would fit" not in driver.sentences
            and "over" not in driver.app.screen.query_one("#sheet").border_title
        )  # type: ignore[operator]
        await driver.press("u")
        assert index_lines(crowded) == 201 and len(tree(crowded.store)) == len(before) - 4


async def test_the_cut_is_a_line_in_the_list_and_a_hook_is_shortened_with_a_live_meter(
    env: Env, crowded: DemoHome
) -> None:
    async with running(env, (45, 20)) as driver:
        await driver.press("L")
        rows = [row.id.split()[0] if row.kind != "row" else "" for row in review_on(driver).screen.rows.rows]
        cut = rows.index("cut")
        assert cut > rows.index("stay") > rows.index("go") and "" in rows[cut:]
        where = review_on(driver).row_id
        await driver.press("i", "ctrl+u", *"no")
        assert "205 of 200" in review_on(driver).screen.line_input.note
        await driver.press("enter")
        file = review_on(driver).item_of(where).memory.file  # type: ignore[union-attr]
        assert f"]({file}) — no\n" in (crowded.store / "MEMORY.md").read_text()
        # on to the next: two keys an entry and what is typed
        assert review_on(driver).row_id != where
        await driver.press("enter")
        assert driver.app.desk.front is None and driver.app.desk.item is not None


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
