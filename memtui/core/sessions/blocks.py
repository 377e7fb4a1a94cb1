"""The index of a session file in blocks of fixed size: which entries there are, in a few bytes each.

Block `n` holds the entries of the lines that start within its `BLOCK_BYTES` bytes of the file, so any block
can be read without those before it. Ids and texts are not kept: they are read again when they are needed.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from memtui.core.sessions.base import KINDS, Branch, Kind
from memtui.core.sessions.reader import Giant, Reader, Stretch, stretches
from memtui.core.sessions.records import Found, look_at_last, oversized, scan

BLOCK_BYTES = 256 << 10

UNKNOWN, ACTIVE, OTHER = 0, 1, 2
BRANCHES: tuple[Branch, Branch, Branch] = ("unknown", "active", "other")

_BRANCH_BITS = 3
_RECOVERED_BIT = 4
_KIND_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}


class Lines(NamedTuple):
    """The records found on some lines; `pending` is where a last line without a line end starts, None for none.

    `unfinished`: that line is still being written (it holds no record yet).
    """

    found: list[Found]
    pending: int | None = None
    unfinished: bool = False


class Block:
    """Entries in the order of the file: offset, length, kind, and flags for branch and recovery."""

    __slots__ = ("flags", "kinds", "lengths", "offsets")

    def __init__(self) -> None:
        self.offsets = array("Q")
        self.lengths = array("Q")
        self.kinds = array("B")
        self.flags = array("B")

    def __len__(self) -> int:
        return len(self.offsets)

    def extend(self, found: Iterable[Found], branches: Iterable[int]) -> None:
        """Add entries behind the others, each with its branch."""
        for item, branch in zip(found, branches, strict=True):
            self.offsets.append(item.offset)
            self.lengths.append(item.length)
            self.kinds.append(_KIND_NUMBERS[item.kind])
            self.flags.append(branch | (0 if item.whole else _RECOVERED_BIT))

    def cut_from(self, offset: int) -> int:
        """Drop the entries from an offset on; how many those were."""
        first = bisect_left(self.offsets, offset)
        count = len(self.offsets) - first
        for column in (self.offsets, self.lengths, self.kinds, self.flags):
            del column[first:]
        return count

    def set_branch(self, offset: int, branch: int) -> bool:
        """Set the branch of the entry at an offset; False when there is none."""
        at = bisect_left(self.offsets, offset)
        if at == len(self.offsets) or self.offsets[at] != offset:
            return False
        self.flags[at] = (self.flags[at] & ~_BRANCH_BITS) | branch
        return True

    def find(self, offset: int) -> int:
        """Index of the last entry that starts at or before an offset, -1 for none."""
        return bisect_right(self.offsets, offset) - 1

    def kind(self, index: int) -> Kind:
        """The kind of an entry."""
        return KINDS[self.kinds[index]]

    def branch(self, index: int) -> Branch:
        """The branch of an entry."""
        return BRANCHES[self.flags[index] & _BRANCH_BITS]

    def recovered(self, index: int) -> bool:
        """Whether an entry stands on a line that pi cannot read."""
        return bool(self.flags[index] & _RECOVERED_BIT)


def block_count(size_bytes: int) -> int:
    """How many blocks a file has, at least one."""
    return max(1, -(-size_bytes // BLOCK_BYTES))


def read_block(reader: Reader, number: int) -> Lines:
    """The records on the lines that start in a block."""
    size_bytes = reader.status.size_bytes
    first, last = number * BLOCK_BYTES, min((number + 1) * BLOCK_BYTES, size_bytes)
    if first >= size_bytes:
        return Lines([])
    if number:
        data = reader.at(first - 1, last - first + 1)
        cut = data.find(b"\n") + 1
        if not cut:
            return Lines([])
        start, data = first - 1 + cut, data[cut:]
    else:
        start, data = 0, reader.at(0, last)
    whole = data.rfind(b"\n") + 1
    found = scan(data[:whole], start) if whole else []
    if whole == len(data):
        return Lines(found)
    rest = _read_line(reader, start + whole)
    return rest._replace(found=found + rest.found)


def _read_line(reader: Reader, start: int) -> Lines:
    """The records of the one line that starts at an offset."""
    for piece in stretches(reader, start, reader.status.size_bytes, chunk_bytes=BLOCK_BYTES):
        if not piece.ended:
            return _last_line(piece)
        if isinstance(piece, Giant):
            return Lines([oversized(piece.head, piece.offset, piece.length)])
        return Lines(scan(piece.data[: piece.data.index(b"\n")], start))
    return Lines([])


def read_appended(reader: Reader, start: int) -> Lines:
    """The records from an offset, where a line starts, to the end of the file."""
    found: list[Found] = []
    for piece in stretches(reader, start, reader.status.size_bytes):
        if not piece.ended:
            rest = _last_line(piece)
            return rest._replace(found=found + rest.found)
        if isinstance(piece, Giant):
            found.append(oversized(piece.head, piece.offset, piece.length))
        else:
            found += scan(piece.data, piece.offset)
    return Lines(found)


def _last_line(piece: Stretch | Giant) -> Lines:
    if isinstance(piece, Giant):
        return Lines([oversized(piece.head, piece.offset, piece.length)], piece.offset)
    found = look_at_last(piece.data, piece.offset)
    return Lines(found or [], piece.offset, found is None)
