"""Reading session files in pieces: bounded memory, no handle kept, never anything but a regular file."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from memtui.core.sessions.records import HEAD_BYTES, LINE_CAP_BYTES
from memtui.late.dataclasses import dataclass

CHUNK_BYTES = 8 << 20
_PRINT_BYTES = 128
_PRINTS = 8
_SMALL_BYTES = 4096

Cancelled = Callable[[], bool]


def never() -> bool:
    """Not cancelled."""
    return False


@dataclass(frozen=True, slots=True)
class Status:
    """Identity of a file at one moment (times in nanoseconds)."""

    device: int
    inode: int
    size_bytes: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive lines from `offset` on. `ended`: the last of them has its line end."""

    offset: int
    data: bytes
    ended: bool = True


@dataclass(frozen=True, slots=True)
class Giant:
    """A line above the cap: only its first bytes are held; `length` is without the line end."""

    offset: int
    length: int
    head: bytes
    ended: bool


def status_of(path: Path) -> Status:
    """Identity of the regular file behind `path`; symlinks are followed, as pi does.

    Raises OSError; EISDIR for a directory, EINVAL for a pipe or device.
    """
    found = os.stat(path)
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return Status(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def status_as_seen(entry: os.DirEntry[str]) -> Status | None:
    """Identity of the regular file behind a directory's entry, None where `status_of` would raise."""
    try:
        found = entry.stat()
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Status(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


class Reader:
    """An open session file, to be used within `opened`."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file: Any = file
        found = os.fstat(file.fileno())
        self.status = Status(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)

    def at(self, offset: int, size_bytes: int) -> bytes:
        """Up to `size_bytes` bytes from `offset` on, fewer only at the end of the file."""
        if size_bytes <= 0:
            return b""
        self._file.seek(offset)
        data: bytes = self._file.read(size_bytes)
        if len(data) == size_bytes or not data:
            return data
        pieces, missing = [data], size_bytes - len(data)
        while missing and (piece := self._file.read(missing)):
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def print_before(self, offset: int) -> int:
        """A checksum of the bytes at the start of the file and right before `offset`: changes on a rewrite."""
        head = self.at(0, min(offset, _PRINT_BYTES))
        first = max(0, offset - _PRINT_BYTES)
        return zlib.crc32(self.at(first, offset - first), zlib.crc32(head))

    def wide_print_before(self, offset: int) -> int:
        """As `print_before`, with pieces between, or all of what is small: more rewrites change it."""
        if offset <= _SMALL_BYTES:
            return zlib.crc32(self.at(0, offset))
        found = 0
        for number in range(_PRINTS + 1):
            first = (offset - _PRINT_BYTES) * number // _PRINTS
            found = zlib.crc32(self.at(first, _PRINT_BYTES), found)
        return found


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Reader]:
    """Open a session file for reading. Raises OSError as `status_of`."""
    status_of(path)
    with open(path, "rb", buffering=0) as file:
        yield Reader(file)


def stretches(
    reader: Reader, start: int, end: int, cancelled: Cancelled = never, chunk_bytes: int = CHUNK_BYTES
) -> Iterator[Stretch | Giant]:
    """The lines from `start` (where one begins) to `end`, a chunk at a time; a line over the cap by itself.

    What the last item lacks a line end is known by its `ended`. Stops early when `cancelled()`; a file that
    turns out shorter ends where it ends.
    """
    held: list[bytes] = []
    held_bytes, line_start, position = 0, start, start
    while position < end and not cancelled():
        chunk = reader.at(position, min(chunk_bytes, end - position))
        if not chunk:
            break
        position += len(chunk)
        cut = chunk.rfind(b"\n") + 1
        if held_bytes > LINE_CAP_BYTES and cut:
            first = chunk.find(b"\n") + 1
            yield Giant(line_start, held_bytes + first - 1, held[0][:HEAD_BYTES], True)
            line_start += held_bytes + first
            held, held_bytes, chunk, cut = [], 0, chunk[first:], cut - first
        if cut:
            data = b"".join([*held, chunk[:cut]]) if held else chunk[:cut] if cut < len(chunk) else chunk
            yield Stretch(line_start, data)
            line_start += held_bytes + cut
            held, held_bytes, chunk = [], 0, chunk[cut:]
        if chunk:
            held_bytes += len(chunk)
            held.append(chunk)
            if held_bytes > LINE_CAP_BYTES:
                held = [b"".join(held)[:HEAD_BYTES]]
    if held_bytes > LINE_CAP_BYTES:
        yield Giant(line_start, held_bytes, held[0], False)
    elif held:
        yield Stretch(line_start, b"".join(held), False)
