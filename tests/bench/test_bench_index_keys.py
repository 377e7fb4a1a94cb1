"""From a key in the search pane to its paint, memory, and leaving, with the index of a large corpus and while
it is built.

Run with `pytest -m bench tests/bench/test_bench_index*.py -s`: the figures are printed. The corpus is as in
test_bench_index.py.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
import time
from pathlib import Path

import pytest
from index_bench import Corpus, anonymous_bytes, env_of, home_with, percentile, percentiles

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from pty_tools import Terminal

from memtui.__main__ import FRAMES_PER_SECOND
from memtui.core.env import Env

pytestmark = pytest.mark.bench

APP_MB = 150
"""The memory of the app, with the index open, after `QUERIES`."""

ANSWERED_MS = 50
"""p99 of a key's paint while the index is built."""

LEAVING_S = 0.5

SIZE = (120, 36)

QUERIES = [
    *("zebrafish_quantum_cache", "deterministic replay harness", "PhantomLatticeResolver", "the function"),
    *("error in the cache", "get session", "量索引", "token_cache", "build server client", "zebrafsh"),
]

MOST_KEYS = 1000

WAITING_KEYS = "zxvk jqzx vkjz"
"""What is typed while the index is built: letters that stand nowhere else on the screen."""


def opened(env: Env, environ: dict[str, str]) -> Terminal:
    command = [sys.executable, "-m", "memtui", "--home", str(env.home)]
    own = {**environ, "TEXTUAL_FPS": FRAMES_PER_SECOND}
    terminal = Terminal(command, environ=own, cwd=env.cwd, columns=SIZE[0], rows=SIZE[1], limit_s=120)
    terminal.wait_for("1 Memories")
    return terminal


def seconds_to_echo(terminal: Terminal, key: str, shown: str) -> float:
    """How long it takes until what a key types is on the screen."""
    before = len(terminal.raw)
    start = time.perf_counter()
    terminal.press(key)
    terminal.wait_for(shown, after=before)
    return time.perf_counter() - start


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="memory is read from /proc")
def test_keys_and_memory_with_an_index(
    corpus: Corpus, indexed_env: Env, quick_programs: dict[str, str]
) -> None:
    rng = random.Random(3)
    with opened(indexed_env, quick_programs) as terminal:
        terminal.wait_until_quiet(2.0)
        terminal.press("/")
        terminal.wait_until_quiet(0.5)
        for _turn in range(5):
            for query in rng.sample(QUERIES, len(QUERIES)):
                clear(terminal)
                terminal.press(*query)
                terminal.wait_until_quiet(0.3)
        clear(terminal)
        echoed = []
        for end in range(1, len(WAITING_KEYS) + 1):
            echoed.append(seconds_to_echo(terminal, WAITING_KEYS[end - 1], WAITING_KEYS[:end].rstrip()))
            terminal.wait_until_quiet(0.1)
        own_mb = anonymous_bytes(terminal.pid) / 1e6
    print(
        f"\nkeys of queries, {corpus}: to what was typed {percentiles(echoed)}\n"
        f"anonymous memory of the app after {5 * len(QUERIES)} queries: {own_mb:.0f} MB"
    )
    assert own_mb <= APP_MB


def clear(terminal: Terminal) -> None:
    """Take away what was typed."""
    terminal.press("ctrl+u")
    terminal.wait_until_quiet(0.2)


def test_keys_while_the_index_is_built(corpus: Corpus, tmp_path: Path, quick_programs: dict[str, str]) -> None:
    """From the first frame on: the sessions are listed and counted meanwhile."""
    env = home_with(corpus.directory, tmp_path)
    echoed: list[float] = []
    with opened(env, quick_programs) as terminal:
        start = time.perf_counter()
        wait_for_child(terminal)
        terminal.press("/")
        terminal.read_for(0.2)
        while children(terminal.pid) and len(echoed) < MOST_KEYS:
            for end in range(1, len(WAITING_KEYS) + 1):
                key, shown = WAITING_KEYS[end - 1], WAITING_KEYS[:end].rstrip()
                spent = seconds_to_echo(terminal, key, shown)
                if children(terminal.pid):
                    echoed.append(spent)
                terminal.read_for(0.05)
            terminal.press("ctrl+u")
            terminal.read_for(0.05)
        spent_s = time.perf_counter() - start
    if len(echoed) < 20:
        pytest.skip(f"the index of {corpus} was built before keys could be measured")
    print(
        f"\nkeys while the index is built, {corpus}: {len(echoed)} keys in {spent_s:.0f} s, {percentiles(echoed)}"
    )
    assert percentile(echoed, 99) * 1e3 <= ANSWERED_MS


def test_leaving_while_the_index_is_built(
    corpus: Corpus, tmp_path: Path, quick_programs: dict[str, str]
) -> None:
    home = home_with(corpus.directory, tmp_path).home
    spent = []
    for _turn in range(5):
        shutil.rmtree(home / ".cache", ignore_errors=True)
        env = env_of(home)
        with opened(env, quick_programs) as terminal:
            child = wait_for_child(terminal)
            start = time.perf_counter()
            terminal.press("q")
            assert terminal.wait_for_end() == 0
            spent.append(time.perf_counter() - start)
            assert not any(Path(f"/proc/{pid}").exists() for pid in child)
    print(f"\nleaving while the index is built: {percentiles(spent)}")
    assert max(spent) < LEAVING_S


def wait_for_child(terminal: Terminal) -> list[int]:
    """Wait until the index is being written; by which processes."""
    deadline = time.monotonic() + 30
    while not (found := children(terminal.pid)):
        assert time.monotonic() < deadline
        terminal.read_for(0.01)
    return found


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
        except OSError:
            continue
    return found
