"""The end of a session file: what a line appended there has to know, read from the last bytes alone."""

from __future__ import annotations

from pathlib import Path

from memtui.core.sessions.base import Counts
from memtui.core.sessions.reader import opened
from memtui.core.sessions.tally import Tally, count_from, count_part
from memtui.late.dataclasses import dataclass

TAIL_STEPS = (64 << 10, 1 << 20, 8 << 20)
"""How much of the tail is read until a whole entry is found; then the whole file is."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The size and inode of a file, the id of its last entry, and whether its last line has its end.

    Of `counts` only `leaf_id` and `pending_bytes` are meant.
    """

    size_bytes: int
    inode: int
    counts: Counts
    ends_with_newline: bool


def ending_of(path: Path) -> Ending:
    """Look at the end of a session file. Raises OSError."""
    with opened(path) as reader:
        size_bytes = reader.status.size_bytes
        ends = reader.at(size_bytes - 1, 1) == b"\n" if size_bytes else True
        for step in TAIL_STEPS:
            first = max(0, size_bytes - step)
            data = reader.at(first, size_bytes - first)
            counts = count_part(data[data.find(b"\n") + 1 :] if first else data)
            if not first or counts.leaf_id:
                return Ending(size_bytes, reader.status.inode, counts, ends)
        counted = count_from(reader, Tally())
        assert counted is not None
        return Ending(size_bytes, reader.status.inode, counted[0], ends)
