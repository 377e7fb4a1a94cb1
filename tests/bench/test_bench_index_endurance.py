"""The index on a bad day: its writer killed again and again, and many that read and write at once.

Run with `pytest -m bench tests/bench/test_bench_index*.py -s`. MEMTUI_BENCH_MINUTES is how long many work side
by side (1).
"""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from index_bench import env_of, percentiles

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))
sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))

from index_killing import documents, kill_after, opens, write_index
from session_corpus import Writer, grown

from memtui.core.library import Library
from memtui.core.search.index.schema import index_dir

pytestmark = pytest.mark.bench

KILLS = 100
BLOCKED_S = 30
"""Whoever takes longer to answer is taken for blocked."""


def test_a_hundred_kills(tmp_path: Path, quick_programs: dict[str, str]) -> None:
    rng = random.Random(8)
    sessions = [grown(rng, rng.choice((100_000, 400_000, 900_000)), f"s-{number}") for number in range(16)]
    files = [session.save(tmp_path / "sessions" / f"{number}.jsonl") for number, session in enumerate(sessions)]
    index = tmp_path / "index"
    # the first one compiles
    write_index(tmp_path / "compiled", files[:1], quick_programs)
    build_s = write_index(tmp_path / "measured", files, quick_programs)
    more(rng, sessions[0], files[0])
    update_s = write_index(tmp_path / "measured", files, quick_programs)
    killed, broken = 0, []
    for number in range(KILLS):
        # a build from nothing, or an update of what was there
        took_s = update_s if index.exists() else build_s
        killed += kill_after(rng.uniform(0.1, 1.0) * took_s, index, files, quick_programs)
        if not opens(index):
            broken.append(number)
        if number % 25 == 24:
            write_index(index, files, quick_programs)
            clean = tmp_path / f"clean-{number}"
            write_index(clean, files, quick_programs)
            assert documents(index) == documents(clean), number
            index = tmp_path / f"index-{number}"
        for place in rng.sample(range(len(files)), 3):
            more(rng, sessions[place], files[place])
    write_index(index, files, quick_programs)
    write_index(tmp_path / "clean", files, quick_programs)
    found = documents(index)
    print(
        f"\n{KILLS} kills, {killed} of them at work, {len(broken)} left an index that does not open; whole after "
        f"the next run: {found.total():,} documents, {max(found.values())} of one place at most"
    )
    assert not broken
    assert found == documents(tmp_path / "clean")
    assert killed > KILLS / 2


def more(rng: random.Random, session: Writer, path: Path) -> None:
    """Let a session go on, or be rewritten."""
    if rng.random() < 0.1:
        fresh = grown(rng, 100_000, f"again-{rng.random()}")
        session.data, session.parent = fresh.data, fresh.parent
    before = len(session.data)
    session.user(f"go on {rng.random()}")
    session.tool("done " * rng.randrange(2_000))
    if before < path.stat().st_size:
        path.unlink()
    session.save(path)


def test_many_at_once(tmp_path: Path, quick_programs: dict[str, str], real_environ: Mapping[str, str]) -> None:
    minutes = float(real_environ.get("MEMTUI_BENCH_MINUTES", "1"))
    env = env_of(tmp_path / "home")
    folder = env.home / ".pi" / "agent" / "sessions" / "--home-dev-app--"
    rng = random.Random(2)
    for number in range(30):
        grown(rng, 300_000, f"old-{number}").save(folder / f"old-{number}.jsonl")
    day = Day(env.home, quick_programs, time.monotonic() + minutes * 60)
    works = [
        *(threading.Thread(target=day.write, args=(folder, number)) for number in range(2)),
        threading.Thread(target=day.ask_the_command),
    ]
    for work in works:
        work.start()
    for work in works:
        work.join()
    day.end()
    library = Library(env)
    assert library.update_index(library.session_files()).is_done
    files = [file.path for file in library.session_files()]
    write_index(tmp_path / "clean", files, quick_programs)
    found = documents(library.index_home)
    print(
        f"\n{minutes:g} minutes, {len(day.written)} lines: each of two apps finds each of them, "
        f"{percentiles(day.spent)}; the command {len(day.commands)} times, {percentiles(day.commands)}; "
        f"in the end {found.total():,} documents in {len(files)} files"
    )
    assert not day.missed
    assert max(day.spent + day.commands) < BLOCKED_S
    assert [path.name for path in library.index_home.glob("index-*")] == [index_dir(library.index_home).name]
    assert found == documents(tmp_path / "clean")


class Day:
    """Two apps, a command and two writers at once, until a moment (of the monotonic clock)."""

    def __init__(self, home: Path, environ: Mapping[str, str], until: float) -> None:
        self.home, self.environ, self.until = home, environ, until
        self.written: list[str] = []
        self.missed: list[str] = []
        self.spent: list[float] = []
        self.commands: list[float] = []
        self.apps = [self._app(), self._app()]

    def _app(self) -> tuple[subprocess.Popen[str], threading.Lock]:
        command = [sys.executable, str(Path(__file__).with_name("index_user.py")), str(self.home)]
        process = subprocess.Popen(
            command, env=self.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return process, threading.Lock()

    def write(self, folder: Path, number: int) -> None:
        """Append lines, and look for each by both apps."""
        rng = random.Random(number)
        session = Writer(session_id=f"new-{number}")
        session.number = 100_000_000 * (number + 1)
        with open(folder / f"new-{number}.jsonl", "ab") as file:
            while time.monotonic() < self.until:
                # unlike each other by more than a typing error
                word = "q" + hashlib.sha256(f"{number} {len(self.written)}".encode()).hexdigest()[:20]
                session.user(f"look for {word}")
                session.tool("given " * rng.randrange(1, 8_000))
                file.write(session.data)
                file.flush()
                session.data.clear()
                for place, (process, lock) in enumerate(self.apps):
                    with lock:
                        found = self._ask(process, word)
                    if found != 1:
                        self.missed.append(f"{word} by {place}: {found}")
                self.written.append(word)
                time.sleep(rng.uniform(0.02, 0.2))

    def _ask(self, process: subprocess.Popen[str], word: str) -> int:
        assert process.stdin is not None and process.stdout is not None
        start = time.perf_counter()
        process.stdin.write(word + "\n")
        process.stdin.flush()
        answer = process.stdout.readline().split()
        self.spent.append(time.perf_counter() - start)
        return int(answer[1]) if len(answer) == 2 else -1

    def ask_the_command(self) -> None:
        """Look for the last line by the command line, again and again."""
        while time.monotonic() < self.until:
            if not self.written:
                time.sleep(0.05)
                continue
            word = self.written[-1]
            command = [
                sys.executable,
                "-m",
                "memtui",
                "--home",
                str(self.home),
                "--cwd",
                str(self.home / "code"),
            ]
            start = time.perf_counter()
            done = subprocess.run([*command, "search", word, "--json"], env=self.environ, capture_output=True)
            self.commands.append(time.perf_counter() - start)
            total = json.loads(done.stdout)["total"] if done.stdout else -1
            if total != 1:
                self.missed.append(f"{word} by the command: {total}")

    def end(self) -> None:
        """Let both apps end."""
        for process, _lock in self.apps:
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(BLOCKED_S) == 0
