"""How fast and how small commands are, as ratios to a bare baseline of the same run.

Run with `pytest -m bench tests/bench -s`: the figures are printed. Medians of interleaved runs, so that a busy
machine slows both sides alike.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memtui.demo import build_demo

pytestmark = pytest.mark.bench

START_LIMIT = 12
"""`memtui list` on the demo home, in times of `python -c pass`."""

MANY_LIMIT = 10
"""10,000 facts listed, in times of a bare process that scans the directory and reads every file."""

MANY_FACTS = 10_000
MANY_PEAK_MB = 150

BARE_READ = """
import os, sys
with os.scandir(sys.argv[1]) as entries:
    for entry in entries:
        with open(entry.path, "rb") as file:
            file.read()
"""

LIST = """
import sys
from memtui.__main__ import main
status = main()
import resource
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print("peak", peak if sys.platform != "darwin" else peak // 1024, file=sys.stderr)
sys.exit(status)
"""


@pytest.fixture
def quick_environ(child_environ, tmp_path):
    """As an installed program runs: compiled once, and not watched by the tests' own hook."""
    environ = {name: value for name, value in child_environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environ["PYTHONPATH"] = str(Path(__file__).parents[2])
    environ["PYTHONPYCACHEPREFIX"] = str(tmp_path / "compiled")
    return environ


def seconds(command, environ):
    start = time.perf_counter()
    subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def interleaved(commands, environ, rounds):
    """The median seconds of each command, run by turns after one run of each that counts for nothing."""
    taken = [[] for _ in commands]
    for turn in range(rounds + 1):
        for command, times in zip(commands, taken, strict=True):
            spent = seconds(command, environ)
            if turn:
                times.append(spent)
    return [statistics.median(times) for times in taken]


def test_list_of_the_demo_starts_fast(tmp_path, quick_environ):
    demo = build_demo(tmp_path / "demo")
    bare = [sys.executable, "-c", "pass"]
    listing = [sys.executable, "-m", "memtui", "--home", str(demo.home), "list"]
    bare_s, list_s = interleaved([bare, listing], quick_environ, 21)
    ratio = list_s / bare_s
    print(f"\nlist of the demo: {list_s * 1e3:.1f} ms, python -c pass: {bare_s * 1e3:.1f} ms, {ratio:.1f}x")
    assert ratio <= START_LIMIT


def test_many_facts_are_listed_fast_and_small(tmp_path, quick_environ):
    home, store = many_facts(tmp_path)
    bare = [sys.executable, "-c", BARE_READ, str(store)]
    listing = [sys.executable, "-c", LIST, "--home", str(home), "--cwd", str(home / "app"), "list"]
    once = subprocess.run(listing, env=quick_environ, capture_output=True, check=True, text=True)
    assert once.stdout.count(".md") >= MANY_FACTS
    peak_mb = int(once.stderr.split()[-1]) / 1024
    bare_s, list_s = interleaved([bare, listing], quick_environ, 7)
    ratio = list_s / bare_s
    print(
        f"\n{MANY_FACTS:,} facts: {list_s:.2f} s, bare scandir and read: {bare_s:.2f} s, {ratio:.1f}x; "
        f"peak {peak_mb:.0f} MB"
    )
    assert ratio <= MANY_LIMIT
    assert peak_mb < MANY_PEAK_MB


def many_facts(tmp_path):
    """A home whose project has 10,000 facts, 150 of them in the index."""
    home, store = tmp_path / "home", tmp_path / "home" / "memory"
    store.mkdir(parents=True)
    (home / "app" / ".pi").mkdir(parents=True)
    (home / "app" / ".pi" / "zcode-memory.json").write_text(json.dumps({"dir": str(store)}))
    names = [f"fact-{number:05}" for number in range(MANY_FACTS)]
    for name in names:
        text = (
            f"---\nname: {name}\ndescription: what is known about {name} and where it is used\nmetadata:\n"
            f"  node_type: memory\n  type: project\n---\n\n" + "One more sentence about it.\n" * 20
        )
        descriptor = os.open(store / f"{name}.md", os.O_WRONLY | os.O_CREAT, 0o644)
        os.write(descriptor, text.encode())
        os.close(descriptor)
    (store / "MEMORY.md").write_text("".join(f"- [{name}]({name}.md) — a hook\n" for name in names[:150]))
    return home, store
