"""How fast sessions are searched without an index, in times of bare reading in the same run.

Run with `pytest -m bench tests/bench -s`: the figures are printed. Medians of interleaved runs. The corpus is
60 MB; MEMTUI_BENCH_MB in the environment makes it larger.
"""

import random
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from session_corpus import grown

from memtui.core.library import Library

pytestmark = pytest.mark.bench

LIMITS = {"absentword": 30, "unknown_name in_src/a.ts": 30, "增分缺失": 20, "Пример": 80, "naïveté": 30}
"""A word that is nowhere, in times of reading every byte once: ASCII, an identifier, ideographs, Cyrillic."""

FIRST_HIT_LIMIT = 1
"""The first hit of a word that is everywhere, in times of reading every byte once."""

HELD_MB = 48
FILES = 60


@pytest.fixture
def library(env, home, real_environ):
    rng = random.Random(11)
    size_bytes = int(float(real_environ.get("MEMTUI_BENCH_MB", "60")) * 1e6 / FILES)
    for number in range(FILES):
        session = grown(rng, size_bytes, f"id-{number}")
        session.save(home / ".pi" / "agent" / "sessions" / "--home-dev-app--" / f"{number:05}.jsonl")
    return Library(env)


def seconds(work):
    """How long some work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def read_all(paths):
    """Read every byte once."""
    for path in paths:
        with open(path, "rb", buffering=0) as file:
            while file.read(1 << 20):
                pass


def test_a_search_is_near_to_reading(library):
    sessions = list(library.sessions())
    paths = [session.file for session in sessions]
    size_mb = sum(path.stat().st_size for path in paths) / 1e6

    def absent(typed):
        assert library.search(typed, (), sessions).results().total == 0

    def first_hit():
        assert next(iter(library.search("cache", (), sessions))) is not None

    works = [lambda: read_all(paths), first_hit, *(lambda typed=typed: absent(typed) for typed in LIMITS)]
    taken = [[] for _ in works]
    for turn in range(6):
        for work, times in zip(works, taken, strict=True):
            spent = seconds(work)
            if turn:
                times.append(spent)
    bare_s, first_s, *absent_s = map(statistics.median, taken)
    print(f"\n{size_mb:.0f} MB: bare {bare_s * 1e3:.0f} ms, first hit {first_s * 1e3:.1f} ms")
    for (typed, limit), spent_s in zip(LIMITS.items(), absent_s, strict=True):
        ratio = spent_s / bare_s
        print(f"{typed}: {spent_s * 1e3:.0f} ms, {size_mb / spent_s:.0f} MB/s, {ratio:.1f}x (<= {limit})")
    for (typed, limit), spent_s in zip(LIMITS.items(), absent_s, strict=True):
        assert spent_s / bare_s <= limit, typed
    assert first_s / bare_s <= FIRST_HIT_LIMIT


def test_memory_stays_bounded(library):
    sessions = list(library.sessions())
    count = sum(1 for _hit in library.search("parser", (), sessions))
    spent_s = seconds(lambda: sum(1 for _hit in library.search("parser", (), sessions)))
    tracemalloc.start()
    for _hit in library.search("parser", (), sessions):
        pass
    held_mb = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(f"\na word in {count:,} messages: {spent_s * 1e3:.0f} ms, at most {held_mb:.1f} MB held")
    assert held_mb < HELD_MB
