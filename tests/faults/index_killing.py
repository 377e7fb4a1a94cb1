"""The process that writes the index, killed at some moment, and what is in the index then."""

from __future__ import annotations

import os
import subprocess
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from memtui.core.search.index.keeper import child_command
from memtui.core.search.index.planning import exact_query
from memtui.core.search.index.reader import IndexReader
from memtui.core.search.index.schema import TEXTS

MOST_DOCUMENTS = 1_000_000


def start_child(cache_dir: Path, files: Sequence[Path], environ: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Begin to write the index of some files, as the app does."""
    command = child_command(cache_dir)
    child = subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert child.stdin is not None
    child.stdin.write(b"".join(bytes(path) + b"\0" for path in files))
    child.stdin.close()
    return child


def write_index(cache_dir: Path, files: Sequence[Path], environ: Mapping[str, str]) -> float:
    """Write it to the end; the seconds it took."""
    start = time.perf_counter()
    assert start_child(cache_dir, files, environ).wait() == 0
    return time.perf_counter() - start


def kill_after(delay_s: float, cache_dir: Path, files: Sequence[Path], environ: Mapping[str, str]) -> bool:
    """Begin to write the index and kill it; whether it was still at work."""
    child = start_child(cache_dir, files, environ)
    try:
        child.wait(delay_s)
    except subprocess.TimeoutExpired:
        child.kill()
    return child.wait() < 0


def opens(cache_dir: Path) -> bool:
    """Whether the index can be asked, or there is none yet: never one that is broken."""
    reader = IndexReader(cache_dir)
    if not reader.refresh():
        return not any(cache_dir.glob("index-*/files.log"))
    reader.search(exact_query((), TEXTS, ()), 10)
    return True


def documents(cache_dir: Path) -> Counter[tuple[str, int, int]]:
    """How many documents there are of each place: a file's name, offset and length as one number, and kind."""
    reader = IndexReader(cache_dir)
    assert reader.refresh()
    found = reader.search(exact_query((), TEXTS, ()), MOST_DOCUMENTS)
    assert found.total == len(found.best)
    known = {os.fspath(name) for name in reader.files}
    counted = Counter((reader.name_of(item.sid), item.place, item.kind) for item in found.best)
    assert {name for name, _place, _kind in counted} <= known
    return counted
