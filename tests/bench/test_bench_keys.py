"""From a key to the last byte of what it paints, beside a bare app that does the same with Line API widgets.

Run with `pytest -m bench tests/bench -s`: the figures are printed. Both programs run in terminals of one size
and are asked in turn, so that a busy machine slows both alike.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from app_home import AppHome, fact, make_home
from pty_tools import Terminal

from memtui.__main__ import FRAMES_PER_SECOND

pytestmark = pytest.mark.bench

LIMIT = 1.3
"""memtui's times, p50 and p95, in times of the bare app's."""

ROUNDS = 120

SIZE = (120, 36)

BARE = Path(__file__).parent / "bare_browser.py"

WORDS = ("the import refuses to start while a lock of another run exists", "keep commits small", "ask first")


def home_of(root: Path, count: int, body_bytes: int) -> AppHome:
    """A store of `count` memories of about `body_bytes`, each with its line."""
    lines = [f"- {WORDS[number % 3]}, number {number}\n" for number in range(body_bytes // 40)]
    files = {
        f"memory-{number:04}.md": fact(f"memory-{number:04}", "".join(lines[number % 7 :]))
        for number in range(count)
    }
    index = "# Memory\n\n" + "".join(f"- [{name[:-3]}]({name}) — what it says in a line\n" for name in files)
    return make_home(root, index, files)


@pytest.fixture
def quick_environ(child_environ: Mapping[str, str], tmp_path: Path) -> dict[str, str]:
    """As an installed program runs: compiled once, and not watched by the tests' own hook. Both programs paint
    as often as memtui does."""
    environ = {name: value for name, value in child_environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    environ["PYTHONPYCACHEPREFIX"] = str(tmp_path / "compiled")
    environ["TEXTUAL_FPS"] = FRAMES_PER_SECOND
    return environ


def opened(command: list[str], home: AppHome, environ: Mapping[str, str]) -> Terminal:
    terminal = Terminal(command, environ=environ, cwd=home.project, columns=SIZE[0], rows=SIZE[1])
    terminal.wait_for("memory-0010")
    terminal.wait_until_quiet(1.5)
    return terminal


def quantiles(seconds: list[float]) -> tuple[float, float]:
    """p50 and p95, in ms."""
    return statistics.median(seconds) * 1e3, statistics.quantiles(seconds, n=20)[-1] * 1e3


def test_a_key_paints_nearly_as_fast_as_in_a_bare_app(tmp_path: Path, quick_environ: dict[str, str]) -> None:
    home = home_of(tmp_path, 1_000, 1_500)
    bare_command = [sys.executable, str(BARE), str(home.store)]
    with opened(home.command, home, quick_environ) as memtui, opened(bare_command, home, quick_environ) as bare:
        for key, rounds in (("j", ROUNDS), ("pagedown", 25)):
            taken: tuple[list[float], list[float]] = [], []
            for turn in range(rounds + 10):
                for terminal, times in zip((memtui, bare), taken, strict=True):
                    spent = terminal.seconds_to_paint(key)
                    if turn >= 10:
                        times.append(spent)
            (own_50, own_95), (bare_50, bare_95) = map(quantiles, taken)
            print(
                f"\n{key}, 1,000 memories: p50 {own_50:.1f} ms, p95 {own_95:.1f} ms; bare app p50 {bare_50:.1f} ms, "
                f"p95 {bare_95:.1f} ms; {own_50 / bare_50:.2f}x and {own_95 / bare_95:.2f}x"
            )
            if key == "j":
                ratios = own_50 / bare_50, own_95 / bare_95
    assert max(ratios) <= LIMIT


def test_u07_two_thousand_memories(tmp_path: Path, quick_environ: dict[str, str]) -> None:
    home = home_of(tmp_path, 2_000, 2_000)
    with opened(home.command, home, quick_environ) as terminal:  # the first run compiles
        terminal.press("q")
        terminal.wait_for_end()
    start = time.perf_counter()
    with Terminal(home.command, environ=quick_environ, cwd=home.project, columns=120, rows=36) as terminal:
        terminal.wait_for("1 Memories")
        frame_s = time.perf_counter() - start
        terminal.wait_for("memory-0010")
        rows_s = time.perf_counter() - start
        terminal.wait_until_quiet(2.0)
        figures = [f"first frame {frame_s * 1e3:.0f} ms, rows {rows_s * 1e3:.0f} ms"]
        for keys in ("j" * 20, ["pagedown"] * 8, "Gg" * 4):
            times = [terminal.seconds_to_paint(key, 0.15) for key in keys]
            p50_ms, most_ms = statistics.median(times) * 1e3, max(times) * 1e3
            figures.append(f"{keys[0]} p50 {p50_ms:.0f} ms, most {most_ms:.0f} ms")
        terminal.press("f")
        terminal.wait_until_quiet(0.2)
        times = [terminal.seconds_to_paint(letter, 0.3) for letter in "memory-1999"]
        figures.append(
            f"a letter of the filter p50 {statistics.median(times) * 1e3:.0f}, most {max(times) * 1e3:.0f} ms"
        )
    print("\n2,000 memories: " + "; ".join(figures))
