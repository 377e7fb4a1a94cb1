"""How long the app takes to its first frame, in times of a bare Textual app on the same terminal.

Run with `pytest -m bench tests/bench -s`: the figures are printed. Medians of interleaved runs, so that a busy
machine slows both sides alike.
"""

import statistics
import sys
import time
from pathlib import Path

import pytest

from memtui.demo import build_demo

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from pty_tools import Terminal

pytestmark = pytest.mark.bench

LIMIT = 1.25
"""The first frame of memtui, in times of that of the bare app."""

ROUNDS = 21

BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        for number in range(5):
            yield Static(f"widget {number}")

Bare().run()
"""

BARE_SHOWS = "widget 4"
MEMTUI_SHOWS = "1 Memories"


@pytest.fixture
def quick_environ(child_environ, tmp_path):
    """As an installed program runs: compiled once, and not watched by the tests' own hook."""
    environ = {name: value for name, value in child_environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    environ["PYTHONPYCACHEPREFIX"] = str(tmp_path / "compiled")
    return environ


def seconds_until(shown, command, environ, cwd, columns, rows):
    start = time.perf_counter()
    with Terminal(command, environ=environ, cwd=cwd, columns=columns, rows=rows) as terminal:
        terminal.wait_for(shown)
        return time.perf_counter() - start


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 36)])
def test_the_first_frame_comes_nearly_as_fast_as_that_of_a_bare_app(tmp_path, quick_environ, columns, rows):
    demo = build_demo(tmp_path / "demo")
    bare = [sys.executable, "-c", BARE]
    memtui = [sys.executable, "-m", "memtui", "--home", str(demo.home)]
    taken = [], []
    for turn in range(ROUNDS + 1):
        for (command, shown), times in zip(((bare, BARE_SHOWS), (memtui, MEMTUI_SHOWS)), taken, strict=True):
            spent = seconds_until(shown, command, quick_environ, demo.project, columns, rows)
            if turn:  # the first run compiles
                times.append(spent)
    bare_s, memtui_s = map(statistics.median, taken)
    ratio = memtui_s / bare_s
    figures = f"{memtui_s * 1e3:.0f} ms, bare app: {bare_s * 1e3:.0f} ms, {ratio:.2f}x"
    print(f"\nfirst frame at {columns}x{rows}: {figures}")
    assert ratio <= LIMIT
