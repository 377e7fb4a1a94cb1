"""What the UI gets of many sessions is made ready elsewhere, and not all the time."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from app_driver import running

from memtui.core.env import Env
from memtui.core.library import Library
from memtui.core.sessions import copies
from memtui.late import dataclasses
from memtui.ui import found
from memtui.ui.found import MOST_ROWS, found_sessions
from memtui.ui.listed import FIRST_AFTER_S, HOT, MOST_EVERY_S, MOST_HOT, SHARE, Listed, Pace, listed

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def made_within(pace: Pace, clock: Clock, seconds: float, takes_s: float) -> list[float]:
    """When results are made, of which each takes so long."""
    times = []
    until = clock.now_s + seconds
    while clock.now_s < until:
        clock.now_s += 0.01
        if pace.is_due:
            times.append(clock.now_s)
            with pace.making():
                clock.now_s += takes_s
    return times


def test_partial_results_come_soon_and_then_less_often() -> None:
    clock = Clock()
    times = made_within(Pace(clock), clock, 20.0, 0.0)
    assert times[0] == pytest.approx(FIRST_AFTER_S, abs=0.02)
    gaps = [after - before for before, after in zip(times, times[1:], strict=False)]
    assert gaps[0] < 2 * FIRST_AFTER_S
    assert all(later > earlier - 0.02 for earlier, later in zip(gaps, gaps[1:], strict=False))
    assert gaps[-1] == pytest.approx(MOST_EVERY_S, abs=0.02)


def test_making_partial_results_takes_a_small_part_of_the_time() -> None:
    clock = Clock()
    times = made_within(Pace(clock), clock, 100.0, 2.0)
    assert len(times) >= 2 and len(times) * 2.0 <= 100.0 / SHARE + 2.0


def many(env: Env, count: int) -> Listed:
    """So many sessions like one of the demo's, each a second older than the one before."""
    library = Library(env)
    one = next(iter(library.sessions()))
    made = [
        dataclasses.replace(
            one,
            id=f"s-{number}",
            file=Path(f"/x/{number}.jsonl"),
            updated=NOW - timedelta(seconds=number),
            mtime_ns=int((NOW - timedelta(seconds=number)).timestamp() * 1e9),
        )
        for number in range(count)
    ]
    return listed(library, reversed(made), counting=False)


def test_showing_a_list_takes_no_longer_with_many_sessions(env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    given = many(env, 3 * MOST_ROWS)
    looked_at: Counter[str] = Counter()
    made_row = found._session_row

    def row(*args: Any, **named: Any) -> object:
        looked_at["row"] += 1
        return made_row(*args, **named)

    def identity(session: object) -> object:
        looked_at["compared"] += 1
        return session

    monkeypatch.setattr(found, "_session_row", row)
    monkeypatch.setattr(copies, "_identity", identity)
    shown = found_sessions(given, everywhere=True, home=env.home, now=NOW)
    assert looked_at == {"row": MOST_ROWS}
    assert f"{3 * MOST_ROWS} of {3 * MOST_ROWS}" in shown.about
    assert shown.rows[0].id.endswith("/0.jsonl")


def test_what_was_written_to_of_late_may_be_growing(env: Env) -> None:
    given = many(env, MOST_HOT + 5)
    assert [path.stem for path in given.hot(NOW)] == [str(number) for number in range(MOST_HOT)]
    assert given.hot(NOW + HOT + timedelta(seconds=1)) == []
    assert given.by_file["/x/3.jsonl"].id == "s-3"


def test_another_state_tells_of_files_that_came_or_grew(env: Env) -> None:
    library = Library(env)
    sessions = list(library.sessions())
    before = listed(library, sessions, counting=False)
    assert listed(library, reversed(sessions), counting=True).state == before.state
    grown = dataclasses.replace(sessions[0], size_bytes=sessions[0].size_bytes + 1)
    for others in (sessions[1:], [grown, *sessions[1:]]):
        assert listed(library, others, counting=False).state != before.state


async def test_nothing_of_all_sessions_is_looked_at_in_the_thread_of_the_keys(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[str] = set()
    identity = copies._identity

    def noted(session: Any) -> object:
        threads.add(threading.current_thread().name)
        return identity(session)

    monkeypatch.setattr(copies, "_identity", noted)
    async with running(env, (120, 36)) as driver:
        assert driver.app.desk.search.list.rows
    assert threads == {"memtui-shelf"}
