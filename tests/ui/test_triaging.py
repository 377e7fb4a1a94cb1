"""Triage: a queue with one decision a key, kept from run to run, and taken back as a whole."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta

from app_driver import Driver, MakeEnv, running, tree

from memtui.core.env import Env
from memtui.core.kept import TriageState, load_triage, update_triage, with_keep
from memtui.core.layouts.base import Problem
from memtui.core.triage import keep_of
from memtui.core.workspace import Workspace
from memtui.demo import DemoHome
from memtui.ui.reviews.triage_rows import problem_lines
from memtui.ui.reviews.triaging import RUN_ROW, TriageReview

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def review_on(driver: Driver) -> TriageReview:
    front = driver.app.desk.front
    assert isinstance(front, TriageReview)
    return front


def review_text(review: TriageReview) -> str:
    """Why the memory under the cursor is there."""
    return " ".join(text for line in review.entries[review.row_id].reason for text, _ink in line)


def title(driver: Driver) -> str:
    """What the frame says of the progress."""
    return str(driver.app.screen.query_one("#sheet").border_title)


async def begin(driver: Driver) -> TriageReview:
    await driver.press("S")
    return review_on(driver)


async def test_story_3_ten_memories_take_ten_to_twenty_keys_and_one_undo(env: Env, demo: DemoHome) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        review = await begin(driver)
        count = len(review.entries) - 1
        assert title(driver) == f"Triage  0 of {count}" and "Enter keep" in driver.text
        keys = ["enter", "d", "y", "enter", "t", "u", *["enter"] * 6]
        gone = ""
        for number, key in enumerate(keys):
            if key == "d":
                gone = review.item.memory.file  # type: ignore[union-attr]
            await driver.press(key)
            assert number != 2 or gone not in tree(demo.store)
        assert len(keys) == 12
        assert title(driver) == f"Triage  10 of {count} · 8 kept · 1 deleted · 1 changed"
        # the end says what was done, and its u is about all of it
        await driver.press("G")
        assert review.row_id == RUN_ROW and "This run: 8 kept · 1 deleted · 1 changed" in driver.sentences
        await driver.press("u")
        assert "Take all of this run back" in driver.sentences and gone not in tree(demo.store)
        await driver.press("y")
        assert tree(demo.store) == before and "took 2 changes back" in driver.sentences
        assert title(driver) == f"Triage  0 of {count}" and not any(load_triage(env).keeps.values())


async def test_it_goes_on_where_it_was_left_and_what_was_kept_comes_back_when_it_changes(
    env: Env, demo: DemoHome
) -> None:
    async with running(env) as driver:
        review = await begin(driver)
        count = len(review.entries) - 1
        kept = "no-mocks-in-db-tests.md"
        review.go_to(next(row for row in review.entries if row.endswith(kept)))
        await driver.press("enter", "d", "y", "q")
        assert driver.app.screen is driver.app.desk.main
    path = demo.store / kept
    async with running(env) as driver:
        review = await begin(driver)
        assert title(driver) == f"Triage  2 of {count} · 1 kept · 1 deleted"
        assert not any(row.endswith(kept) for row in review.entries) and len(review.entries) == count - 1
        path.write_bytes(path.read_bytes() + b"more\n")
        driver.app.desk.live.look_again()
        await driver.settled()
        # it comes in at the end of a queue that is on the screen
        await driver.press("G", "k")
        assert kept in driver.words and "it has changed since you kept it on" in driver.sentences
        # what was decided in another start can be taken back, one by one and as a whole
        await driver.press("u")
        assert title(driver).endswith("· 1 kept") and "undid: deleted" in driver.sentences
        await driver.press("ctrl+r", "G", "u", "y")
        assert "took 1 change back" in driver.sentences and "kept" not in title(driver)


async def test_what_is_found_later_leads_the_rest_of_the_queue(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        review = await begin(driver)
        await driver.press("enter")
        rows = list(review.entries)
        view = driver.app.desk.view
        assert view is not None
        last = view.items[rows[-2]]
        snapshot = view.stores[last.store].snapshot
        problem = Problem("threat", "error", "odd words", memory=last.memory.id)
        found = dataclasses.replace(snapshot, problems=(*snapshot.problems, problem))
        stores = list(view.stores)
        stores[last.store] = dataclasses.replace(stores[last.store], snapshot=found)
        driver.app.desk.view = dataclasses.replace(view, stores=tuple(stores))
        review.view_changed()
        await driver.settled()
        # what was passed and what the cursor is on stay where they are
        assert list(review.entries) == [*rows[:2], rows[-2], *rows[2:-2], RUN_ROW]


async def test_u_takes_back_one_decision_after_the_other_and_leads_back_to_it(env: Env, demo: DemoHome) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        review = await begin(driver)
        first = review.row_id
        await driver.press("enter")
        second = review.row_id
        await driver.press("d", "y")
        assert tree(demo.home) != before and review.row_id not in (first, second)
        await driver.press("u")
        assert tree(demo.store) == before and review.row_id == second
        await driver.press("u")
        assert review.row_id == first and "is to be decided again" in driver.sentences
        assert not any(load_triage(env).keeps.values())
        await driver.press("ctrl+r")
        assert tree(demo.store) != before and "1 deleted" in title(driver)


async def test_what_others_change_meanwhile_is_skipped_and_said(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        review = await begin(driver)
        rows = [row for row in review.entries if row != RUN_ROW]
        item = next(item for row in rows[1:] if (item := review.item_of(row)) and item.memory.state == "ok")
        root = driver.app.desk.view.stores[item.store].snapshot.store.root  # type: ignore[union-attr]
        review.go_to(item.row_id)
        await driver.press("d")
        for path in (root / item.memory.file,):
            path.unlink()
        index = root / "MEMORY.md"
        if index.is_file():
            lines = index.read_text().splitlines(True)
            index.write_text("".join(line for line in lines if item.memory.file not in line))
        await driver.press("y")
        await driver.settled()
        assert title(driver).startswith(f"Triage  0 of {len(rows) - 1}")
        assert next(row.tail for row in review.screen.rows.rows if row.id == item.row_id) == "gone"
        review.go_to(item.row_id)
        await driver.press("enter")
        assert review.row_id != item.row_id and "kept" not in title(driver)


async def test_a_decision_on_what_has_changed_since_is_asked_about_and_is_none_until_it_is_made(
    env: Env, demo: DemoHome
) -> None:
    path = demo.store / "no-mocks-in-db-tests.md"
    async with running(env) as driver:
        review = await begin(driver)
        row = next(row for row in review.entries if row.endswith(path.name))
        review.go_to(row)
        # nobody has told memtui yet
        path.write_bytes(path.read_bytes() + b"theirs\n")
        await driver.press("d", "y")
        assert "do yours on top of theirs" in driver.sentences and review.screen.ask_bar.asking
        assert path.is_file() and "deleted" not in title(driver)
        await driver.press("n")
        assert path.is_file() and row in review._undecided() and "0 of" in title(driver)
        review.go_to(row)
        await driver.press("d", "y")
        assert not path.is_file() and "1 deleted" in title(driver)


async def test_an_editor_that_fails_decides_nothing_and_one_that_changes_the_text_does(
    env: Env, demo: DemoHome
) -> None:
    async with running(env) as driver:
        review = await begin(driver)
        item = next(
            item for row in review.entries if (item := review.item_of(row)) and item.memory.state == "ok"
        )
        review.go_to(item.row_id)
        driver.app.desk.run_editor = lambda words, path, line: "vi ended with 1"  # type: ignore[method-assign]
        await driver.press("e")
        assert review.row_id == item.row_id and "vi ended with 1" in driver.sentences
        driver.edit_with(lambda text: text + b"\nmore\n")
        await driver.press("e")
        assert "1 changed" in title(driver) and review.row_id != item.row_id
        # it was looked at: the next run does not ask again
        await driver.press("q", "S")
        assert item.row_id not in review_on(driver).entries


async def test_an_empty_queue_says_so_and_when_the_next_memory_is_due(
    make_env: MakeEnv, demo: DemoHome
) -> None:
    moments = [NOW]
    env = make_env(home=demo.home, cwd=demo.project, now=lambda: moments[0])
    env.config_dir.mkdir(parents=True)
    (env.config_dir / "config.yaml").write_text("triage:\n  again_days: 30\n")
    for snapshot in Workspace(env).snapshots():
        for memory in snapshot.memories:
            own = [problem for problem in snapshot.problems if problem.memory == memory.id]
            # with what a closer look will find in it
            kept = keep_of(snapshot, memory, own, NOW)
            kept = dataclasses.replace(kept, codes=kept.codes | {"relative-date", "stale-reference"})
            update_triage(
                env,
                lambda state, a=snapshot.store.id, b=memory.id, c=kept: TriageState(
                    with_keep(state.keeps, a, b, c)
                ),
            )
    async with running(env, (40, 10)) as driver:
        review = await begin(driver)
        assert "every memory here was looked at" in driver.sentences and not review.entries
        assert "the next one comes back on 2026-12-30" in driver.sentences
        await driver.press("enter", "d", "u", "q")
        moments[0] += timedelta(days=30)
        # a run that comes to its end is shown once more, with the way back
        review = await begin(driver)
        assert "you kept it on 2026-11-30" in review_text(review)
        await driver.press(*["enter"] * len(review.entries))
        assert driver.app.desk.front is None
        await driver.press("S")
        assert "the end of this run" in driver.words and "every memory here was looked" in driver.sentences


async def test_ten_thousand_problems_are_a_few_lines(env: Env) -> None:
    async with running(env) as driver:
        view = driver.app.desk.view
        assert view is not None
        codes = ["a", "b", "c", "d", "e", "f"]
        problems = [Problem(code, "warning", f"{code} {number}") for code in codes for number in range(2000)]
        lines = ["".join(text for text, _ink in line) for line in problem_lines(problems, view)]
        assert lines[0] == "! a 0 (and 1,999 more such)" and lines[-1] == "… and 2 more kinds of problems"
        assert len(lines) == 5
