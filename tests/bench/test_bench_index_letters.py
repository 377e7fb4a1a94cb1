"""From a letter of a query to the last byte of the first results, beside a bare app that only paints rows.

Run with `pytest -m bench tests/bench/test_bench_index*.py -s`: the figures are printed. The corpus is as in
test_bench_index.py. Both programs run in terminals of one size and are asked in turn. The first results stand
when the search pane changes no more for `REST_S`: what no row shows is told later, and the text of the first row
stands in another pane.
"""

from __future__ import annotations

import os
import random
import select
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from index_bench import Corpus, home_with, names_file, percentile, percentiles, writing
from screen_cells import Cells

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from pty_tools import Terminal

from memtui.__main__ import FRAMES_PER_SECOND
from memtui.core.env import Env

pytestmark = pytest.mark.bench

SIZE = (120, 36)

REST_S = 0.1
"""Shorter than the pause of the search after what is told first."""

QUIET_S = 0.35
"""A key is pressed when nothing was sent for so long."""

BUILDS = 4
"""So many times an index is built by another process while somebody types."""

BESIDE_LIMIT = 2.0
"""p95 of a letter while an index is built, in times of that of a quiet machine."""

BARE = Path(__file__).parent / "bare_search.py"

QUERIES = [
    *("zebrafish_quantum_cache", "deterministic replay harness", "PhantomLatticeResolver", "the function"),
    *("error in the cache", "get session", "量索引", "token_cache", "build server client", "zebrafsh"),
]


class Watched:
    """A program in a terminal, and what it painted from the words "3 Search" on."""

    def __init__(self, command: Sequence[str], environ: dict[str, str], cwd: Path) -> None:
        own = {**environ, "TEXTUAL_FPS": FRAMES_PER_SECOND}
        self.terminal = Terminal(command, environ=own, cwd=cwd, columns=SIZE[0], rows=SIZE[1], limit_s=120)
        self._cells = Cells(*SIZE)
        self._fed = 0
        self._at = 0, 0

    def look(self) -> None:
        """Take in what was sent until now; the place of the results."""
        self.terminal.wait_until_quiet(0.5)
        self._feed()
        lines = self._cells.lines()
        y = next(number for number, line in enumerate(lines) if "3 Search" in line)
        self._at = max(0, lines[y].index("3 Search") - 3), y

    def _feed(self) -> None:
        self._cells.feed(self.terminal.raw[self._fed :])
        self._fed = len(self.terminal.raw)

    def seconds_to_results(self, key: str) -> tuple[float, float]:
        """Press a key: how long until the first change of the results' pane, and until the first results."""
        terminal, descriptor = self.terminal, self.terminal._descriptor
        self._feed()
        start = time.perf_counter()
        terminal.press(key)
        sent: list[tuple[float, bytes]] = []
        while select.select([descriptor], [], [], QUIET_S)[0]:
            data = os.read(descriptor, 1 << 16)
            sent.append((time.perf_counter() - start, data))
        before, changes = self._cells.below(*self._at), list[float]()
        for at, data in sent:
            terminal.raw += data
            self._feed()
            after = self._cells.below(*self._at)
            if after != before and (not changes or at - changes[-1] < REST_S):
                changes.append(at)
            before = after
        return (changes[0], changes[-1]) if changes else (0.0, 0.0)


def test_a_letter_of_a_query(
    corpus: Corpus, indexed_env: Env, tmp_path: Path, quick_programs: dict[str, str]
) -> None:
    rng = random.Random(3)
    command = [sys.executable, "-m", "memtui", "--home", str(indexed_env.home)]
    memtui = Watched(command, quick_programs, indexed_env.cwd)
    bare = Watched([sys.executable, str(BARE)], quick_programs, indexed_env.cwd)
    with memtui.terminal, bare.terminal:
        memtui.terminal.wait_for("1 Memories")
        memtui.terminal.wait_until_quiet(2.0)
        memtui.terminal.press("/")
        programs = (memtui, bare)
        for one in programs:
            one.look()
        own, others = letters(programs, rng.sample(QUERIES, 6))
        names = names_file(home_with(corpus.directory, tmp_path), tmp_path)
        beside: list[Taken] = []
        for turn in range(BUILDS):
            with writing(tmp_path / str(turn), names, quick_programs) as child:
                while child.poll() is None:
                    beside += letters((memtui,), [rng.choice(QUERIES)], lambda: child.poll() is None)[0]
    typed, results = zip(*own, strict=True)
    print(
        f"\n{len(own)} letters of queries, {corpus}: to the letter {percentiles(typed)}; to the last byte of the "
        f"first results {percentiles(results)}; a bare app: {percentiles([paint for _echo, paint in others])}"
    )
    while_written = [paint for _echo, paint in beside]
    ratio = percentile(while_written, 95) / percentile(results, 95)
    print(
        f"while another process builds an index, {len(beside)} letters: {percentiles(while_written)}, p95 {ratio:.2f}x"
    )
    assert not corpus.is_full or ratio <= BESIDE_LIMIT


Taken = tuple[float, float]
"""Seconds from a letter to its echo, and to the first results."""


def letters(
    programs: Sequence[Watched], queries: Sequence[str], goes_on: Callable[[], bool] = lambda: True
) -> list[list[Taken]]:
    """Type queries in some programs in turn, letter by letter; what each letter took in each of them."""
    taken: list[list[Taken]] = [[] for _ in programs]
    for query in queries:
        for letter in query:
            for one, times in zip(programs, taken, strict=True):
                time_taken = one.seconds_to_results(letter)
                if goes_on():
                    times.append(time_taken)
        for one in programs:
            one.terminal.press("ctrl+u")
            one.terminal.wait_until_quiet(QUIET_S)
    return taken
