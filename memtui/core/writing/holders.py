"""Who holds a file open for writing: asked before a replaced file goes for good."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from memtui.core import fs

_PROCESSES = Path("/proc")
_ACCESS_MODES = os.O_WRONLY | os.O_RDWR


def has_writers(path: Path) -> bool | None:
    """Whether any program holds the regular file at `path` open for writing; None where it cannot be known.

    Linux grants a read lease on a file only while nobody has it open for writing (fcntl(2), F_SETLEASE): the
    lease is asked for and given back at once. Elsewhere, and on file systems without leases, the answer is
    None. A True may be wrong: some network file systems refuse every lease in the same words (`is_open`).
    """
    import fcntl
    import signal

    lease = getattr(fcntl, "F_SETLEASE", None)
    if lease is None:
        return None
    if fs.kind_of(path) != "file":
        return None
    try:
        with open(path, "rb", buffering=0) as file:
            # who opens the file in this very moment breaks the lease: by default that signal ends the process
            fcntl.fcntl(file, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(file, lease, fcntl.F_RDLCK)
            fcntl.fcntl(file, lease, fcntl.F_UNLCK)
    except OSError as error:
        return True if error.errno == errno.EAGAIN else None
    return False


def is_open(path: Path, *, elsewhere: bool = False) -> bool:
    """Whether a process that this user may look into has the file at `path` open for writing (Linux's /proc).

    `elsewhere`: this process does not count. Takes some milliseconds; False also where there is no /proc.
    """
    try:
        wanted = os.lstat(path)
        processes = os.listdir(_PROCESSES)
    except OSError:
        return False
    for process in processes:
        if not process.isdecimal() or (elsewhere and process == str(os.getpid())):
            continue
        # processes end, and those of others are closed to us
        with contextlib.suppress(OSError):
            for descriptor in os.listdir(_PROCESSES / process / "fd"):
                if _is_writer(_PROCESSES / process, descriptor, wanted):
                    return True
    return False


def _is_writer(process: Path, descriptor: str, wanted: os.stat_result) -> bool:
    try:
        status = os.stat(process / "fd" / descriptor)
        if (status.st_dev, status.st_ino) != (wanted.st_dev, wanted.st_ino):
            return False
        details = (process / "fdinfo" / descriptor).read_text(encoding="ascii", errors="replace")
    except OSError:
        return False
    flags = next((line.split()[1] for line in details.splitlines() if line.startswith("flags:")), "0")
    return bool(int(flags, 8) & _ACCESS_MODES)
