"""What the benchmarks of the index share: the corpus, homes with it, and runs of programs that are measured."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memtui.core.env import Env
from memtui.core.library import Library
from memtui.core.search.index.keeper import child_command

ROOT = Path(__file__).parents[2]

FULL_BYTES = 900_000_000
"""Limits that are meant for a gigabyte are checked from so many bytes on."""

ROUNDS = 9


@dataclass(frozen=True)
class Corpus:
    """A directory of sessions; `needles` are texts, with the number of sessions that hold each."""

    directory: Path
    needles: Mapping[str, int]
    size_bytes: int
    files: int

    @property
    def is_full(self) -> bool:
        """Whether it is as large as the limits are meant for."""
        return self.size_bytes >= FULL_BYTES

    def __str__(self) -> str:
        return f"{self.files:,} files, {self.size_bytes / 1e6:,.0f} MB"


def open_corpus(environ: Mapping[str, str], scratch: Path) -> Corpus:
    """The corpus that MEMTUI_BENCH_CORPUS names, else one of MEMTUI_BENCH_MB that is generated."""
    named = environ.get("MEMTUI_BENCH_CORPUS")
    directory = Path(named) if named else scratch / "corpus"
    if not named:
        if missing := [name for name in ("numpy", "orjson") if importlib.util.find_spec(name) is None]:
            pytest.skip(f"the corpus is made by {' and '.join(missing)}: pip install 'memtui[bench]'")
        size_mb = float(environ.get("MEMTUI_BENCH_MB", "60"))
        files = int(min(2000, max(200, size_mb * 4)))
        command = [sys.executable, str(Path(__file__).with_name("gen_corpus.py")), "--out", str(directory)]
        subprocess.run([*command, "--files", str(files), "--bytes", str(size_mb * 1e6)], check=True)
    found = json.loads((directory / "needles.json").read_text(encoding="utf-8"))
    needles = {needle: count for needle, count in found.items() if isinstance(count, int)}
    sizes = [path.stat().st_size for path in directory.rglob("*.jsonl")]
    return Corpus(directory, needles, sum(sizes), len(sizes))


def home_with(corpus: Path, root: Path) -> Env:
    """The environment of a home whose pi keeps its sessions in a directory."""
    home = root / "home"
    (home / ".pi" / "agent").mkdir(parents=True)
    (home / ".pi" / "agent" / "sessions").symlink_to(corpus)
    return env_of(home)


def env_of(home: Path) -> Env:
    """The environment that `--home` makes, with the time of now."""
    cwd = home / "code"
    cwd.mkdir(parents=True, exist_ok=True)
    own = {f"{name}_dir": home / place / "memtui" for name, place in OWN.items()}
    return Env(home=home, cwd=cwd, environ={"HOME": str(home)}, now=lambda: datetime.now(UTC), **own)


OWN = {"config": ".config", "state": ".local/state", "cache": ".cache"}


def quick(environ: Mapping[str, str], compiled: Path) -> dict[str, str]:
    """The environment of programs as they run once installed: compiled once, not watched by the tests' hook."""
    clean = {name: value for name, value in environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**clean, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(compiled)}


@dataclass(frozen=True)
class Run:
    """What a process took: seconds of the clock and of processors, and bytes of memory at most."""

    wall_s: float
    cpu_s: float
    peak_bytes: int
    status: int


def run(
    command: Sequence[str | Path],
    environ: Mapping[str, str],
    *,
    stdin: Path | None = None,
    cwd: Path | None = None,
) -> Run:
    """Run a process to its end."""
    start = time.perf_counter()
    with open(stdin or os.devnull, "rb") as given:
        process = subprocess.Popen(
            command, env=environ, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=cwd
        )
        _pid, status, used = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(wall_s, used.ru_utime + used.ru_stime, used.ru_maxrss * unit, process.returncode)


def by_turns(works: Sequence[Callable[[], float]], rounds: int = ROUNDS) -> list[list[float]]:
    """What each work gives, run by turns, after one turn that counts for nothing."""
    taken: list[list[float]] = [[] for _ in works]
    for turn in range(rounds + 1):
        for work, values in zip(works, taken, strict=True):
            value = work()
            if turn:
                values.append(value)
    return taken


def seconds(work: Callable[[], object]) -> float:
    """How long some work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


@dataclass(frozen=True)
class Spread:
    """Lower quartile, median and upper quartile."""

    low: float
    middle: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Those of some values."""
        if len(values) == 1:
            return cls(values[0], values[0], values[0])
        return cls(*statistics.quantiles(values, n=4, method="inclusive"))

    def __format__(self, spec: str) -> str:
        return f"{self.middle:{spec}} ({self.low:{spec}}-{self.high:{spec}})"


def ratios(ones: Sequence[float], others: Sequence[float]) -> Spread:
    """Of each turn, how many times the other the one took."""
    return Spread.of([one / other for one, other in zip(ones, others, strict=True)])


def percentile(values: Sequence[float], share: float) -> float:
    """The value that so many per cent of them do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))]


def percentiles(values: Sequence[float], unit: float = 1e3) -> str:
    """p50, p95, p99 and the most, of seconds in milliseconds."""
    of = [percentile(values, share) * unit for share in (50, 95, 99)]
    return f"p50 {of[0]:.1f}, p95 {of[1]:.1f}, p99 {of[2]:.1f}, most {max(values) * unit:.1f} ms"


def indexed(env: Env) -> Library:
    """A library whose index holds every session."""
    library = Library(env)
    progress = library.update_index(library.session_files())
    assert progress.is_done
    return library


def anonymous_bytes(pid: int) -> int:
    """The memory of a process that no file stands behind."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Anonymous:"):
            return int(line.split()[1]) << 10
    raise AssertionError("no line about anonymous memory")


def names_file(env: Env, tmp_path: Path) -> Path:
    """The names of all sessions as the child reads them."""
    names = tmp_path / "names"
    names.write_bytes(b"".join(bytes(file.path) + b"\0" for file in Library(env).session_files()))
    return names


@contextlib.contextmanager
def writing(cache_dir: Path, names: Path, environ: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process that builds an index as the app has it built."""
    with open(names, "rb") as given:
        child = subprocess.Popen(child_command(cache_dir), env=environ, stdin=given, stdout=subprocess.DEVNULL)
    try:
        yield child
    finally:
        child.kill()
        child.wait()
