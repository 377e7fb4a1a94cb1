"""What there is of an index, for people: how much of the sessions it holds, and what it takes."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from memtui.core import fs
from memtui.core.search.index.reader import IndexReader
from memtui.core.sessions.base import Session
from memtui.core.sessions.listing import SessionFile
from memtui.late.dataclasses import dataclass

State = Literal["off", "none", "building", "ready"]
"""Off by configuration, or for want of its engine; not there; not all files were indexed yet; all were."""


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """`files` of `sessions` are indexed; `behind_bytes` of those there are were not read yet. `size_bytes` is
    what the index takes on the disk; `folder` is '' where there is none."""

    state: State
    sessions: int = 0
    files: int = 0
    behind_bytes: int = 0
    size_bytes: int = 0
    folder: str = ""
    why: str = ""


def status_of_index(reader: IndexReader, files: Sequence[SessionFile | Session]) -> IndexStatus:
    """How an index stands to the session files (all there are). Never raises."""
    is_there = reader.refresh()
    count = known = behind = 0
    for file in files:
        count += 1
        row = reader.files.get(file.where) if is_there else None
        if row is None:
            behind += file.size_bytes
        else:
            known += 1
            grown = file.size_bytes - row.size_bytes
            # one that is shorter, or was written to and did not grow, was rewritten
            is_rewritten = grown < 0 or (grown == 0 and file.mtime_ns != row.mtime_ns)
            behind += file.size_bytes if is_rewritten else grown
    if not is_there:
        return IndexStatus("none", count, behind_bytes=behind)
    if known < len(reader.files):
        # what is of files that are gone is to be taken out
        names = {file.where for file in files}
        behind += sum(max(1, row.size_bytes) for name, row in reader.files.items() if name not in names)
    folder = reader.folder
    state: State = "ready" if reader.is_done else "building"
    return IndexStatus(state, count, known, behind, _size_of(folder), str(folder))


def _size_of(folder: Path) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for entry in fs.list_dir(folder):
            with contextlib.suppress(OSError):
                total += fs.size_and_time(folder / entry.name)[0]
    return total
