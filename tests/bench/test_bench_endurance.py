"""A long day: memory, descriptors and threads of the app after many file events and opened transcripts."""

from __future__ import annotations

import gc
import os
import sys
import threading
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "ui"))

from app_driver import MakeEnv, running

from memtui.core.watch import Watcher
from memtui.demo import build_demo

pytestmark = pytest.mark.bench

EVENTS = 10_000
TRANSCRIPTS = 200
WARM_UP_EVENTS = 1_000
WARM_UP_TRANSCRIPTS = 40
GROWTH = 1.10
"""How much more memory the app may hold after all that than after the warm-up."""


def resident_bytes() -> int:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the resident size is read from /proc")
async def test_memory_descriptors_and_threads_stay(make_env: MakeEnv, tmp_path: Path) -> None:
    demo = build_demo(tmp_path / "demo")
    env = make_env(home=demo.home, cwd=demo.project)
    fact = demo.store / "prefer-small-commits.md"
    base = fact.read_bytes()
    files = sorted((demo.home / ".pi").rglob("*code-app--/*.jsonl"))
    async with running(env, (120, 36), Watcher) as driver:

        async def live_through(events: int, transcripts: int) -> None:
            each = max(1, events // transcripts)
            for number in range(transcripts):
                for event in range(each):
                    fact.write_bytes(base + b"line %d\n" % (event % 7))
                await driver.press("3", *(["j"] * (number % len(files))), "enter")
                await driver.press("h", "g")
            fact.write_bytes(base)
            await driver.settled()

        await live_through(WARM_UP_EVENTS, WARM_UP_TRANSCRIPTS)
        before = (resident_bytes(), descriptors(), threading.active_count())
        await live_through(EVENTS, TRANSCRIPTS)
        after = (resident_bytes(), descriptors(), threading.active_count())
    print(f"\nresident {before[0] / 1e6:.1f} -> {after[0] / 1e6:.1f} MB, descriptors {before[1]} -> {after[1]}")
    assert after[0] <= before[0] * GROWTH
    assert after[1:] == before[1:]
