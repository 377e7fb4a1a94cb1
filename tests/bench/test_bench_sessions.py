"""How fast sessions are listed and opened, as ratios to bare reading in the same run.

Run with `pytest -m bench tests/bench -s`: the figures are printed. Medians of interleaved runs. The corpus is
2,000 files of 60 MB in all; MEMTUI_BENCH_MB in the environment makes it larger.
"""

import os
import random
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from session_corpus import Writer, grown, line

from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import count_sessions, list_sessions
from memtui.core.sessions.pi_places import pi_places
from memtui.core.sessions.transcript import Transcript

pytestmark = pytest.mark.bench

UNCHANGED_LIMIT = 6
"""An unchanged list, in times of opening every file and reading its head and tail."""

FIRST_LIMIT = 12
"""The first list with all counts, in times of reading every byte once."""

OPEN_LIMIT = 3
"""Opening 100,000 lines, in times of opening 1,000."""

FILES = 2_000
EDGE_BYTES = 16 << 10


@pytest.fixture
def corpus(home, real_environ):
    """2,000 sessions of sizes as people have them (log-normal), below a pi agent directory."""
    rng = random.Random(7)
    total_bytes = int(float(real_environ.get("MEMTUI_BENCH_MB", "60")) * 1e6)
    shares = [rng.lognormvariate(0, 1.2) for _ in range(FILES)]
    parts = [grown(rng, 400_000, f"s-{number}").data for number in range(8)]
    for number, share in enumerate(shares):
        size_bytes = min(16_000_000, max(6_000, int(share / sum(shares) * total_bytes)))
        session = Writer(f"/home/u/p{number % 40}", f"id-{number}")
        session.user(f"question {number}")
        while len(session.data) < size_bytes:
            body = parts[number % len(parts)]
            first = body.index(b"\n") + 1
            cut = body.find(b"\n", min(len(body) - 1, first + size_bytes - len(session.data))) + 1
            session.raw(bytes(body[first : cut or len(body)]))
        session.save(home / "agent" / "sessions" / f"--home-u-p{number % 40}--" / f"{number:05}.jsonl")
    return home / "agent"


def seconds(work):
    """How long some work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def read_edges(paths):
    """Open every file and read its head and tail."""
    for path in paths:
        with open(path, "rb", buffering=0) as file:
            file.read(EDGE_BYTES)
            file.seek(max(0, os.fstat(file.fileno()).st_size - EDGE_BYTES))
            file.read(EDGE_BYTES)


def read_all(paths):
    """Read every byte once."""
    for path in paths:
        with open(path, "rb", buffering=0) as file:
            while file.read(8 << 20):
                pass


def test_lists_are_fast(corpus, env):
    places = pi_places(corpus, Path("/home/u/p1"), corpus.parent)
    paths = [session.file for session in list_sessions(places, SessionCache(None))]
    size_mb = sum(path.stat().st_size for path in paths) / 1e6
    assert len(paths) == FILES

    def first():
        cache = SessionCache(None)
        sessions = list(list_sessions(places, cache))
        counted = sum(1 for _ in count_sessions(sessions, cache))
        assert counted + sum(session.counts is not None for session in sessions) == FILES

    def rows():
        assert sum(1 for _ in list_sessions(places, SessionCache(None))) == FILES

    cache = SessionCache(env.cache_dir)
    for _session in count_sessions(list(list_sessions(places, cache)), cache):
        pass
    cache.save()

    def unchanged():
        sessions = list(list_sessions(places, SessionCache(env.cache_dir)))
        assert all(session.counts is not None for session in sessions)

    works = [lambda: read_edges(paths), unchanged, lambda: read_all(paths), first, rows]
    taken = [[] for _ in works]
    for turn in range(6):
        for work, times in zip(works, taken, strict=True):
            spent = seconds(work)
            if turn:
                times.append(spent)
    edges_s, unchanged_s, all_s, first_s, rows_s = (statistics.median(times) for times in taken)
    print(
        f"\n{FILES:,} sessions, {size_mb:.0f} MB: unchanged {unchanged_s * 1e3:.0f} ms, heads and tails "
        f"{edges_s * 1e3:.0f} ms, {unchanged_s / edges_s:.2f}x; first list with counts {first_s * 1e3:.0f} ms, "
        f"every byte {all_s * 1e3:.0f} ms, {first_s / all_s:.1f}x; rows alone {rows_s * 1e3:.0f} ms"
    )
    assert unchanged_s / edges_s <= UNCHANGED_LIMIT
    assert first_s / all_s <= FIRST_LIMIT


def test_long_transcripts_open_as_short_ones(home):
    rng = random.Random(5)
    text = "".join(rng.choice("abcdefgh \n") for _ in range(4000))
    paths = []
    for lines in (1_000, 100_000):
        session = Writer()
        for number in range(lines):
            if number % 2:
                session.assistant(text[: number % 400])
            else:
                session.user(text[: number % 200])
        paths.append(session.save(home / f"{lines}.jsonl"))
    middle = paths[1].stat().st_size // 2

    def show(path, at=None):
        shown = Transcript(path, at)
        shown.messages(max(0, len(shown) - 60), len(shown))

    works = [lambda: show(paths[0]), lambda: show(paths[1]), lambda: show(paths[1], middle)]
    taken = [[] for _ in works]
    for turn in range(21):
        for work, times in zip(works, taken, strict=True):
            spent = seconds(work)
            if turn:
                times.append(spent)
    short_s, long_s, hit_s = (statistics.median(times) for times in taken)
    whole = Transcript(paths[1])
    tracemalloc.start()
    loading_s = seconds(lambda: whole.focus(0) is None or whole.resolve())
    held_mb = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    print(
        f"\n1,000 lines open in {short_s * 1e3:.2f} ms, 100,000 in {long_s * 1e3:.2f} ms, "
        f"{long_s / short_s:.2f}x; at a hit in the middle {hit_s * 1e3:.2f} ms; all 100,000 indexed in "
        f"{loading_s * 1e3:.0f} ms (traced), {held_mb:.1f} MB held"
    )
    assert long_s / short_s <= OPEN_LIMIT
    assert held_mb < 40


def test_growth_is_noticed_at_once(home):
    session = grown(random.Random(3), 20_000_000)
    path = session.save(home / "s.jsonl")
    shown = Transcript(path)
    more = line({"type": "custom", "id": "x", "parentId": session.parent, "customType": "c"})

    def grow():
        with open(path, "ab") as file:
            file.write(more.replace(b'"x"', f'"x{len(shown)}"'.encode()))
        assert shown.grow().added == 1

    def bare():
        with open(path, "rb", buffering=0) as file:
            file.seek(path.stat().st_size - 1000)
            file.read()

    grown_s, bare_s = (statistics.median(seconds(work) for _ in range(50)) for work in (grow, bare))
    print(f"\nan appended line: {grown_s * 1e6:.0f} us, a bare open and read: {bare_s * 1e6:.0f} us")
    assert grown_s / bare_s < 60
