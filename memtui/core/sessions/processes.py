"""Which pi processes of this user are running, and where (Linux's /proc; nothing is known elsewhere).

pi names its process `pi` (process.title); before it gets there, and as a script of node or bun, its command
line names a file `pi`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from memtui.core.sessions.base import Session
from memtui.core.sessions.edits import Process, is_live

PROCESSES = Path("/proc")

_NAME = "pi"
_RUNTIMES = ("node", "bun", "deno")


def running_pi(processes: Path = PROCESSES) -> tuple[Process, ...]:
    """Every running pi of this user with its physical working directory; some milliseconds. Never raises."""
    return tuple(_found(processes))


def in_use(session: Session, now: datetime) -> str:
    """Why a running pi may be using a session, '' when neither its file nor a process speaks for it."""
    return is_live(session, now, running_pi())


def _found(processes: Path) -> Iterator[Process]:
    try:
        names = os.listdir(processes)
    except OSError:
        return
    for name in sorted(filter(str.isdecimal, names), key=int):
        # processes end at any moment, and those of others are closed to us
        with contextlib.suppress(OSError):
            folder = processes / name
            if os.stat(folder).st_uid == os.getuid() and _is_pi(folder):
                yield Process(int(name), os.readlink(folder / "cwd"))


def _is_pi(folder: Path) -> bool:
    if _read(folder / "comm").rstrip("\n") == _NAME:
        return True
    words = _read(folder / "cmdline").split("\0")
    runs = [os.path.basename(word) for word in words]
    if not runs or runs[0] not in _RUNTIMES:
        return bool(runs) and runs[0] == _NAME
    script = next((run for run, word in zip(runs[1:], words[1:], strict=True) if not word.startswith("-")), "")
    return script == _NAME


def _read(path: Path) -> str:
    with open(path, "rb") as file:
        return file.read(1 << 16).decode("utf-8", "surrogateescape")
