"""Effects on files too large to hold in memory: append, cut, copy; and being alone with a file for a moment.

The second half of the seam that `fs` is: every change is announced to its observer in the same way. Files are
read and copied in chunks of 8 MB. Sizes and offsets are bytes; symlinks are never followed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from memtui.core import fs
from memtui.late.dataclasses import dataclass

CHUNK_BYTES = 8 << 20

_OPEN_WAIT_S = 1.0
_PAUSE_S = 0.002


@dataclass(frozen=True, slots=True)
class Status:
    """A regular file as it was at one moment (times in nanoseconds)."""

    device: int
    inode: int
    size_bytes: int
    mode: int
    mtime_ns: int
    ctime_ns: int


def status_of(path: Path) -> Status | None:
    """The regular file at `path` itself, None when nothing is there.

    Raises OSError: ELOOP for a symlink, EISDIR for a directory, EINVAL for anything else.
    """
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        kinds = {stat.S_IFLNK: errno.ELOOP, stat.S_IFDIR: errno.EISDIR}
        number = kinds.get(stat.S_IFMT(found.st_mode), errno.EINVAL)
        raise OSError(number, os.strerror(number), str(path))
    return _status(found)


def device_of(path: Path) -> int | None:
    """The device that what stands at `path` lies on, None for nothing."""
    try:
        return os.lstat(path).st_dev
    except OSError:
        return None


def _status(found: os.stat_result) -> Status:
    return Status(
        found.st_dev,
        found.st_ino,
        found.st_size,
        stat.S_IMODE(found.st_mode),
        found.st_mtime_ns,
        found.st_ctime_ns,
    )


class Held:
    """An open file, to be used within `held`. What is appended goes to its end, wherever that is by then."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    @property
    def status(self) -> Status:
        """The file as it is now, whatever name it has by now."""
        return _status(os.fstat(self._descriptor))

    def read(self, offset: int, size_bytes: int) -> bytes:
        """Up to `size_bytes` bytes from `offset` on, fewer only at the end of the file."""
        pieces = []
        while size_bytes > 0 and (piece := os.pread(self._descriptor, size_bytes, offset)):
            pieces.append(piece)
            offset += len(piece)
            size_bytes -= len(piece)
        return b"".join(pieces)

    def pieces(self, start: int, end: int) -> Iterator[bytes]:
        """The bytes from `start` to `end` in chunks. Raises EIO when the file turns out to end earlier."""
        while start < end:
            piece = self.read(start, min(CHUNK_BYTES, end - start))
            if not piece:
                raise OSError(errno.EIO, "the file became shorter while it was read", str(self.path))
            yield piece
            start += len(piece)

    def line_start(self, offset: int) -> int:
        """Where the line that `offset` lies in, or ends, begins: behind the last line end before it, else 0."""
        while offset > 0:
            start = max(0, offset - CHUNK_BYTES)
            cut = self.read(start, offset - start).rfind(b"\n") + 1
            if cut:
                return start + cut
            offset = start
        return 0

    def append(self, data: bytes) -> int:
        """Append in one write, and return the offset at which the bytes landed."""
        fs.announce("append", "before", self.path)
        with self._errors_name_it():
            _write_all(self._descriptor, data)
            landed = os.lseek(self._descriptor, 0, os.SEEK_CUR) - len(data)
        fs.announce("append", "after", self.path)
        return landed

    def append_from(self, source: Held, start: int, end: int) -> None:
        """Append the bytes of another file from `start` to `end`."""
        for piece in source.pieces(start, end):
            self.append(piece)

    def cut(self, size_bytes: int) -> None:
        """Make the file end at `size_bytes`."""
        fs.announce("cut", "before", self.path)
        with self._errors_name_it():
            os.ftruncate(self._descriptor, size_bytes)
        fs.announce("cut", "after", self.path)

    def flush(self) -> None:
        """Flush the file to the disk."""
        fs.announce("fsync", "before", self.path)
        with self._errors_name_it():
            os.fsync(self._descriptor)
        fs.announce("fsync", "after", self.path)

    def be_alone(self, wait_s: float = 0.0) -> bool | None:
        """Keep every other program from opening the file until this one is closed: they wait in their `open`.

        False while another program has it open (asked for `wait_s` seconds); None where the system cannot do
        it. Linux gives a write lease to the only one that has a file open (fcntl(2), F_SETLEASE); who opens it
        then waits until the lease is given back. Do not open the file again meanwhile: that waits, too.
        """
        import fcntl
        import signal

        lease = getattr(fcntl, "F_SETLEASE", None)
        if lease is None:
            return None
        deadline = time.monotonic() + wait_s
        while True:
            try:
                # who waits for the lease is announced by a signal, which by default would end this process
                fcntl.fcntl(self._descriptor, fcntl.F_SETSIG, signal.SIGURG)
                fcntl.fcntl(self._descriptor, lease, fcntl.F_WRLCK)
                return True
            except OSError as error:
                if error.errno != errno.EAGAIN:
                    return None
            if time.monotonic() >= deadline:
                return False
            time.sleep(_PAUSE_S)

    def let_in(self) -> None:
        """Let the others open the file again, before this one is closed."""
        import fcntl

        if (lease := getattr(fcntl, "F_SETLEASE", None)) is not None:
            with contextlib.suppress(OSError):
                fcntl.fcntl(self._descriptor, lease, fcntl.F_UNLCK)

    @contextlib.contextmanager
    def _errors_name_it(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            error.filename = error.filename or str(self.path)
            raise


@contextlib.contextmanager
def held(path: Path, *, writable: bool = True) -> Iterator[Held]:
    """Open a regular file that exists. Raises OSError: ELOOP for a symlink, EINVAL for what is no file."""
    descriptor = _open(path, (os.O_RDWR | os.O_APPEND) if writable else os.O_RDONLY)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        yield Held(path, descriptor)
    finally:
        os.close(descriptor)


def _open(path: Path, flags: int) -> int:
    deadline = time.monotonic() + _OPEN_WAIT_S
    while True:
        try:
            return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except BlockingIOError:
            # another memtui asks for a lease at this moment
            if time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE_S)


def copy_new(source: Held, target: Path, end: int, *, mode: int = 0o600) -> None:
    """Copy the first `end` bytes to a new file (which must not exist) with exactly `mode`, and flush it."""
    fs.announce("copy_new", "before", target)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(target, flags, 0o600)
    try:
        try:
            os.fchmod(descriptor, mode)
            for piece in source.pieces(0, end):
                half = len(piece) // 2
                _write_all(descriptor, piece[:half])
                fs.announce("copy_new", "middle", target)
                _write_all(descriptor, piece[half:])
            fs.announce("copy_new", "after", target)
            fs.announce("fsync", "before", target)
            os.fsync(descriptor)
            fs.announce("fsync", "after", target)
        except OSError as error:
            error.filename = error.filename or str(target)
            raise
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
