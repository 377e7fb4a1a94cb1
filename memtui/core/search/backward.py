"""Reading a session file from its end to its start, each byte once, a chunk at a time."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.core.sessions.reader import Cancelled, Reader
from memtui.core.sessions.records import LINE_CAP_BYTES
from memtui.late.dataclasses import dataclass

CHUNK_BYTES = 1 << 20
"""Small enough that no step holds the interpreter for more than a few milliseconds."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Consecutive lines that start at `offset`. `ended`: the last of them has its line end.

    `data` is None for one line above the cap, which is not held.
    """

    offset: int
    data: bytes | None
    ended: bool = True


def backward(
    reader: Reader, cancelled: Cancelled, chunk_bytes: int = CHUNK_BYTES, *, start: int = 0
) -> Iterator[Lines]:
    """The lines of a file, the last ones first, in order within each item; stops early when `cancelled()`.

    `start` is the offset of the first line that is wanted, where a line must begin. Holds one chunk and one
    line at most. A file that became shorter meanwhile ends where it ends.
    """
    position = reader.status.size_bytes
    # the end of a line that begins in an earlier chunk: its pieces, the last one first
    held: list[bytes] = []
    held_bytes, ended, at_end = 0, True, True
    while position > start and not cancelled():
        first = max(start, position - chunk_bytes)
        chunk = reader.at(first, position - first)
        if len(chunk) < position - first:
            held, held_bytes, at_end = [], 0, True
        position = first
        if not chunk:
            continue
        if at_end:
            ended, at_end = chunk.endswith(b"\n"), False
        cut = chunk.find(b"\n") + 1
        if first > start and not cut:
            held.append(chunk)
            held_bytes += len(chunk)
            if held_bytes > LINE_CAP_BYTES:
                held = []
            continue
        last = chunk.rfind(b"\n") + 1
        if held_bytes and len(chunk) - last + held_bytes > LINE_CAP_BYTES:
            yield Lines(first + last, None, ended)
            held, ended, chunk = [], True, chunk[:last]
        begins = cut if first > start else 0
        data = b"".join([chunk[begins:], *reversed(held)]) if held else chunk[begins:]
        if data:
            yield Lines(first + begins, data, ended)
            ended = True
        held, held_bytes = ([chunk[:begins]], begins) if begins else ([], 0)
