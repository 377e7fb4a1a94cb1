"""The file effects: the one seam between memtui and the disk, so that tests can fail or kill at the n-th.

Every function that changes something announces itself to the observer before and after it acts (and, for a
write, once in the middle). Nothing else in memtui opens a file for writing, renames, links or unlinks.
Paths may hold surrogates (names that are not UTF-8); modes are permission bits; sizes are bytes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from memtui.core import renames
from memtui.core.flocks import locked as locked
from memtui.core.renames import UNSUPPORTED
from memtui.core.renames import UnsupportedEffectError as UnsupportedEffectError
from memtui.late.dataclasses import dataclass

Phase = Literal["before", "middle", "after"]
Observer = Callable[[str, Phase, tuple[Path, ...]], None]
Kind = Literal["file", "dir", "symlink", "other"]


_observer: Observer | None = None


@dataclass(frozen=True, slots=True)
class FileImage:
    """A regular file as it was at one moment: its bytes and identity (`mtime_ns` in nanoseconds)."""

    data: bytes
    mode: int
    inode: int
    device: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a directory."""

    name: str
    kind: Kind


@contextlib.contextmanager
def observed_by(observer: Observer) -> Iterator[None]:
    """Let `observer` see every effect within the block; what it raises happens instead of the effect."""
    global _observer
    previous, _observer = _observer, observer
    try:
        yield
    finally:
        _observer = previous


def _announce(effect: str, phase: Phase, *paths: Path) -> None:
    if _observer is not None:
        _observer(effect, phase, paths)


announce = _announce
"""Tells the observer of an effect: for `streams`, which holds the effects on large files."""


# Reading


def read_file(path: Path, *, limit_bytes: int | None = None) -> FileImage:
    """Read a regular file without following a symlink at its end.

    Raises OSError: ELOOP for a symlink, EISDIR for a directory, EINVAL for a pipe or device, EFBIG above
    `limit_bytes` (also when the file grows beyond it while it is read).
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        allowed_bytes = sys.maxsize if limit_bytes is None else limit_bytes
        size_bytes = status.st_size
        chunks = []
        while size_bytes <= allowed_bytes and (chunk := os.read(descriptor, max(status.st_size + 1, 1 << 16))):
            chunks.append(chunk)
            size_bytes = sum(map(len, chunks))
        if size_bytes > allowed_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        mode = stat.S_IMODE(status.st_mode)
        return FileImage(b"".join(chunks), mode, status.st_ino, status.st_dev, status.st_mtime_ns)
    finally:
        os.close(descriptor)


def read_head(path: Path, limit_bytes: int) -> bytes:
    """The first `limit_bytes` bytes of a regular file (all of a shorter one); symlinks as in `read_file`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        chunks = []
        while limit_bytes > 0 and (chunk := os.read(descriptor, limit_bytes)):
            chunks.append(chunk)
            limit_bytes -= len(chunk)
        return b"".join(chunks)
    finally:
        os.close(descriptor)


def read_tail(path: Path, limit_bytes: int) -> tuple[bytes, int, int]:
    """The end of a regular file, its size, and its time of change in nanoseconds. Raises as `read_file`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        start = max(0, found.st_size - limit_bytes)
        file.seek(start)
        data = file.read(found.st_size - start)
        return data, start + len(data), found.st_mtime_ns


def read_from(path: Path, offset: int, limit_bytes: int) -> bytes:
    """Up to `limit_bytes` bytes of a regular file from an offset on. Raises as `read_file`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        file.seek(offset)
        return file.read(limit_bytes)


def list_dir(path: Path) -> list[Entry]:
    """The names in a directory with their kinds, sorted; symlinks are not followed. Raises OSError."""
    with os.scandir(path) as entries:
        return sorted((Entry(entry.name, _kind(entry)) for entry in entries), key=lambda entry: entry.name)


def _kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return "symlink"
    if entry.is_dir(follow_symlinks=False):
        return "dir"
    return "file" if entry.is_file(follow_symlinks=False) else "other"


def kind_of(path: Path) -> Kind | None:
    """What stands at `path` itself (symlinks not followed), or None when nothing does or it cannot be asked."""
    try:
        mode = os.lstat(path).st_mode
    except (OSError, ValueError):
        return None
    if stat.S_ISLNK(mode):
        return "symlink"
    if stat.S_ISDIR(mode):
        return "dir"
    return "file" if stat.S_ISREG(mode) else "other"


def size_and_time(path: Path) -> tuple[int, float]:
    """Size in bytes and time of last change in seconds of what stands at `path` itself; zeros for nothing."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return 0, 0.0
    return status.st_size, status.st_mtime


def mtime_ns(path: Path) -> int:
    """When a name itself was last changed, in nanoseconds. Raises OSError."""
    return os.lstat(path).st_mtime_ns


def inode_of(path: Path) -> int | None:
    """Inode number of what stands at `path` itself, or None when nothing does."""
    try:
        return os.lstat(path).st_ino
    except (OSError, ValueError):
        return None


def is_dir(path: Path) -> bool:
    """Whether `path` is a directory, symlinks followed; False when it cannot be asked."""
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def is_writable(path: Path) -> bool:
    """Whether the system would let this process write to `path` (a file or a directory)."""
    return os.access(path, os.W_OK)


def read_link(path: Path) -> str:
    """The target text of a symlink. Raises OSError."""
    return os.readlink(path)


def real_path(path: Path) -> Path:
    """`path` with every symlink resolved, as far as it exists."""
    return Path(os.path.realpath(path))


# Changing


def make_dirs(path: Path, *, mode: int = 0o777) -> list[Path]:
    """Create a directory and its missing parents; returns those that were made, outermost first.

    Raises NotADirectoryError when something else stands at `path`.
    """
    missing: list[Path] = []
    current = path
    while kind_of(current) is None:
        missing.append(current)
        if current.parent == current:
            break
        current = current.parent
    made: list[Path] = []
    for directory in reversed(missing):
        _announce("make_dir", "before", directory)
        try:
            os.mkdir(directory, mode)
        except FileExistsError:
            continue
        made.append(directory)
        _announce("make_dir", "after", directory)
    if not is_dir(path):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
    return made


def make_dir(path: Path) -> None:
    """Create one directory; FileExistsError when the name is taken, whatever stands there."""
    _announce("make_dir", "before", path)
    os.mkdir(path)
    _announce("make_dir", "after", path)


def write_new(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Create `path` (which must not exist) with `data` and exactly `mode`, and flush it to the disk."""
    _announce("write_new", "before", path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        with _errors_name(path):
            os.fchmod(descriptor, mode)
            half = len(data) // 2
            _write_all(descriptor, data[:half])
            _announce("write_new", "middle", path)
            _write_all(descriptor, data[half:])
            _announce("write_new", "after", path)
            _flush(descriptor, path)
    finally:
        os.close(descriptor)


def append(path: Path, data: bytes, *, create_mode: int | None = None, flush: bool = True) -> int:
    """Append `data` in one open and flush it; returns the inode that took it.

    Symlinks (ELOOP), pipes and devices (EINVAL, ENXIO) are refused. The file must exist unless `create_mode`
    is given. `flush=False` leaves the disk to the system's own time.
    """
    _announce("append", "before", path)
    flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    if create_mode is not None:
        flags |= os.O_CREAT
    descriptor = os.open(path, flags, create_mode or 0o600)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        with _errors_name(path):
            _write_all(descriptor, data)
            _announce("append", "after", path)
            if flush:
                _flush(descriptor, path)
        return os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _flush(descriptor: int, path: Path) -> None:
    _announce("fsync", "before", path)
    os.fsync(descriptor)
    _announce("fsync", "after", path)


@contextlib.contextmanager
def _errors_name(path: Path) -> Iterator[None]:
    # calls on a descriptor do not know the file's name, and a message without its place helps nobody
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def fsync_dir(path: Path) -> None:
    """Flush a directory's names to the disk (where the file system can)."""
    _announce("fsync_dir", "before", path)
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in UNSUPPORTED:
            raise
    finally:
        os.close(descriptor)
    _announce("fsync_dir", "after", path)


def exchange(first: Path, second: Path) -> None:
    """Swap the names of two regular files in one step; symlinks (ELOOP) and directories (EISDIR) are refused.

    Raises UnsupportedEffectError where the system or file system cannot do it.
    """
    for path in (first, second):
        kind = stat.S_IFMT(os.lstat(path).st_mode)
        if kind != stat.S_IFREG:
            number = {stat.S_IFLNK: errno.ELOOP, stat.S_IFDIR: errno.EISDIR}.get(kind, errno.EINVAL)
            raise OSError(number, os.strerror(number), str(path))
    _announce("exchange", "before", first, second)
    renames.exchange(first, second)
    _announce("exchange", "after", first, second)


def move_to_free(source: Path, target: Path) -> None:
    """Rename `source` to a name that must be free, else FileExistsError; never replaces anything.

    `source` must be a name that no other program uses: where names cannot be moved without replacing, a hard
    link and an unlink do it, and what another program puts at `source` in between would be lost.
    """
    _announce("move_to_free", "before", source, target)
    try:
        renames.move(source, target)
    except UnsupportedEffectError:
        os.link(source, target, follow_symlinks=False)
        _announce("move_to_free", "middle", source, target)
        if os.path.samestat(os.lstat(source), os.lstat(target)):
            os.unlink(source)
    _announce("move_to_free", "after", source, target)


def replace(source: Path, target: Path) -> None:
    """Rename `source` over `target`, replacing it: for memtui's own files and the fallback of `exchange`."""
    _announce("replace", "before", source, target)
    os.replace(source, target)
    _announce("replace", "after", source, target)


def link(source: Path, target: Path) -> None:
    """Give the file at `source` a second name; FileExistsError when `target` is taken."""
    _announce("link", "before", source, target)
    os.link(source, target, follow_symlinks=False)
    _announce("link", "after", source, target)


def make_symlink(target: str, path: Path) -> None:
    """Create a symlink at the free name `path`."""
    _announce("make_symlink", "before", path)
    os.symlink(target, path)
    _announce("make_symlink", "after", path)


def unlink(path: Path, *, missing_ok: bool = False) -> None:
    """Remove one name (never a directory)."""
    _announce("unlink", "before", path)
    try:
        os.unlink(path)
    except FileNotFoundError:
        if not missing_ok:
            raise
    _announce("unlink", "after", path)


def remove_dir(path: Path) -> None:
    """Remove an empty directory."""
    _announce("remove_dir", "before", path)
    os.rmdir(path)
    _announce("remove_dir", "after", path)


def set_mode(path: Path, mode: int) -> None:
    """Set the permission bits of a file or directory (never through a symlink)."""
    _announce("set_mode", "before", path)
    if stat.S_ISLNK(os.lstat(path).st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    os.chmod(path, mode)
    _announce("set_mode", "after", path)


def keep_owner(source: Path, target: Path) -> None:
    """Give `target` the owner and group of `source`, as far as the system lets us (a superuser's memtui must
    not take an agent's files away from it). Nothing happens where they are the same."""
    wanted, current = os.lstat(source), os.lstat(target)
    if (wanted.st_uid, wanted.st_gid) == (current.st_uid, current.st_gid):
        return
    _announce("keep_owner", "before", target)
    with contextlib.suppress(PermissionError):
        os.chown(target, wanted.st_uid, wanted.st_gid, follow_symlinks=False)
    _announce("keep_owner", "after", target)


def set_times(path: Path, time_ns: int) -> None:
    """Set the times of last access and change of a name itself (a symlink's own), in nanoseconds."""
    _announce("set_times", "before", path)
    if os.utime in os.supports_follow_symlinks:
        os.utime(path, ns=(time_ns, time_ns), follow_symlinks=False)
    elif not stat.S_ISLNK(os.lstat(path).st_mode):
        os.utime(path, ns=(time_ns, time_ns))
    _announce("set_times", "after", path)
