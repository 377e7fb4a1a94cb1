"""How long 2,000 memories take to compare, in times of a bare `cdist` of them in the same run, and how much memory.

Run with `pytest -m bench tests/bench/test_bench_duplicates.py -s`: the figures are printed. Medians of
interleaved runs. `cdist` needs numpy (the extra `bench`).
"""

from __future__ import annotations

import random
import statistics
import time
import tracemalloc
from collections.abc import Callable

import pytest

from memtui.core.duplicates import Text, find_pairs, group

pytestmark = pytest.mark.bench

MEMORIES = 2000
TIMES = 15
HELD_MB = 64


def _memories(rng: random.Random) -> dict[str, list[str]]:
    """Texts of 10 to 60 words that have nothing in common, and as many that differ in one word of 40."""
    words = ["".join(rng.choices("abcdefghij", k=rng.randint(3, 9))) for _ in range(3000)]
    sample = rng.choices(words, k=40)
    ideographs = [chr(code) for code in range(0x4E00, 0x5200)]
    return {
        "unlike": [" ".join(rng.choices(words, k=rng.randint(10, 60))) for _ in range(MEMORIES)],
        "alike": [
            " ".join([*sample[: at % 40], rng.choice(words), *sample[at % 40 + 1 :]]) for at in range(MEMORIES)
        ],
        "ideographs": ["".join(rng.choices(ideographs, k=rng.randint(20, 120))) for _ in range(MEMORIES)],
    }


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@pytest.mark.parametrize("kind", ["unlike", "alike", "ideographs"])
def test_comparing_is_near_to_a_bare_cdist(kind: str) -> None:
    cdist = pytest.importorskip("rapidfuzz.process").cdist
    pytest.importorskip("numpy")
    bodies = _memories(random.Random(7))[kind]

    def compare() -> None:
        group(find_pairs([Text("", body) for body in bodies]))

    bare, ours = [], []
    for _turn in range(3):
        bare.append(_seconds(lambda: cdist(bodies, bodies, dtype="uint8")))
        ours.append(_seconds(compare))
    bare_s, ours_s = statistics.median(bare), statistics.median(ours)
    tracemalloc.start()
    compare()
    held_mb = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(
        f"\n{kind}: cdist {bare_s:.2f} s, compared {ours_s:.2f} s, {ours_s / bare_s:.1f} times, {held_mb:.0f} MB"
    )
    assert ours_s <= TIMES * bare_s
    assert held_mb <= HELD_MB


HOSTILE = (
    "一",
    "1,000",
    "1,0001",
    "a+",
    "@",
    "-",
    "`a ",
    '"',
    "<!--",
    "[(",
    "(2026-",
    "\n- ",
    "!",
    "1.",
    "_",
    "不",
)
GROWS = 4
"""Twice as long a text may take so many times as long; what grows with the square takes that every time."""


@pytest.mark.parametrize("piece", HOSTILE)
def test_no_text_takes_time_that_grows_with_the_square_of_its_length(piece: str) -> None:
    def seconds(length: int) -> float:
        text = piece * (length // len(piece))
        return min(_seconds(lambda: find_pairs([Text("", text), Text("", f"{text}x")])) for _turn in range(3))

    once, eight_times = seconds(10_000), seconds(80_000)
    print(f"\n{piece!r}: {once * 1e3:.1f} ms, eight times as long {eight_times * 1e3:.1f} ms")
    assert eight_times <= 8 * GROWS * once
