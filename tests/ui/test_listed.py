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
from memtui.ui.listed import HOT, MOST_HOT, SHARE, Listed, Pace, listed

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_a_result_that_takes_long_to_make_is_made_more_seldom() -> None:
    clock = Clock()
    pace = Pace(0.1, clock)
    assert not pace.is_due
    clock.now_s = 0.1
    assert pace.is_due
    with pace.making():
        clock.now_s += 2.0
    clock.now_s += 2.0 * SHARE - 0.01
    assert not pace.is_due
    clock.now_s += 0.02
    assert pace.is_due


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
