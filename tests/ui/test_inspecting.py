"""The closer look while the app is open: its count, its findings on the rows and in the counts, and no more."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from app_driver import Driver, running
from played_watcher import PlayedWatcher

from memtui.core.checks.closer.base import Family, Subject, Surroundings
from memtui.core.env import Env
from memtui.core.layouts.base import Problem
from memtui.core.workspace import Workspace
from memtui.demo import DemoHome
from memtui.ui import inspecting
from memtui.ui.app import MemtuiApp

FACT = "prefer-small-commits.md"


def row_of(driver: Driver, words: str) -> str:
    return next(line for line in driver.text.splitlines() if words in line)


async def test_a_finding_is_a_problem_like_any_other_and_goes_with_its_cause(env: Env, demo: DemoHome) -> None:
    fact = demo.store / FACT
    sound = fact.read_bytes()
    fact.write_bytes(sound + b"\nThe rules are in `src/rules.py`.\n")
    (env.cwd / "src").mkdir(exist_ok=True)
    watcher = PlayedWatcher()
    async with running(env, (120, 36), watcher.make) as driver:
        driver.go_to(FACT)
        await driver.settled()
        assert "Prefer small commits" in row_of(driver, "stale…")
        assert [problem.code for problem in driver.app.desk.item.problems] == ["stale-reference"]  # type: ignore[union-attr]
        assert "names src/rules.py, which is not there" in driver.sentences
        before = driver.app.desk.view.problem_count  # type: ignore[union-attr]
        fact.write_bytes(sound)
        watcher.say(fact)
        await driver.settled()
        assert driver.cursor_file == FACT and "stale" not in driver.text
        assert driver.app.desk.view.problem_count == before - 1  # type: ignore[union-attr]


async def test_a_long_look_counts_on_the_screen_and_keys_are_not_held_up(
    env: Env, demo: DemoHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    seen: list[str] = []

    def wait(subject: Subject, around: Surroundings) -> Iterator[Problem]:
        seen.append(subject.memory)
        assert len(seen) != 4 or gate.wait(20)
        yield subject.problem("stale-reference", "note", "looked at")

    monkeypatch.setattr("memtui.core.inspection.FAMILIES", (Family("waits", ("stale-reference",), each=wait),))
    monkeypatch.setattr(inspecting, "POST_EVERY_S", -1.0)
    app = MemtuiApp(env, lambda: Workspace(env))
    async with app.run_test(size=(120, 36)) as pilot:
        driver = Driver(app, pilot)
        while "checking 3 of" not in driver.text:
            await asyncio.sleep(0.001)
        await driver.pilot.press("j", "j")
        assert driver.app.desk.item is not None and not driver.app.desk.inspecting.idle.is_set()
        gate.set()
        await driver.settled()
        assert "checking" not in driver.text and "stale reference" in driver.text
    app.work.stop()
