"""Which agents of this user are running, and where: Linux's /proc, else what `ps` and `lsof` tell (macOS)."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from memtui.core.agents.base import AGENTS
from memtui.core.agents.process import Process, Processes, agent_of
from memtui.late.dataclasses import dataclass

PROCESSES = Path("/proc")

_VARIABLES = ("HOME", "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR")
_MOST_BYTES = 1 << 20
_MOST_ANCESTORS = 64
_PSEUDO_TERMINALS = range(136, 144)
"""The major numbers of Linux's pseudo terminals, 256 of them each."""


@dataclass(frozen=True, slots=True)
class _Status:
    """Of /proc/PID/stat."""

    parent: int
    tty: int
    is_front: bool
    ticks: int


def list_processes(processes: Path | None = None) -> Processes:
    """The agents that run now; some milliseconds. Never raises."""
    processes = PROCESSES if processes is None else processes
    if os.path.isdir(processes / "self"):
        return _from_proc(processes)
    from memtui.core.agents.process_status import from_ps

    return from_ps()


def is_running(pid: int) -> bool:
    """Whether a process is still there; opens no file."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _from_proc(processes: Path) -> Processes:
    try:
        names = os.listdir(processes)
    except OSError:
        return Processes()
    booted = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
    found = tuple(_found(processes, names, booted))
    return Processes(found, (os.getpid(), *_ancestors(processes, os.getpid())), is_known=True)


def _found(processes: Path, names: Iterable[str], booted: float) -> Iterator[Process]:
    per_second = os.sysconf("SC_CLK_TCK")
    for name in sorted(filter(str.isdecimal, names), key=int):
        # processes end at any moment, and those of others are closed to us
        with contextlib.suppress(OSError, ValueError, IndexError):
            folder = processes / name
            if os.stat(folder).st_uid != os.getuid() or not (agent := _agent_in(folder)):
                continue
            status = _status(folder)
            yield Process(
                *(int(name), _directory(folder), agent, _ancestors(processes, int(name))),
                *(_terminal(status.tty), status.is_front, booted + status.ticks / per_second),
                environ=_environ(folder),
            )


def _directory(folder: Path) -> str:
    directory = os.readlink(folder / "cwd")
    # Linux says so behind the name of one that was removed
    gone = directory.removesuffix(" (deleted)")
    return directory if gone == directory or os.path.lexists(directory) else gone


def _agent_in(folder: Path) -> str:
    """Which agent a process is, '' for none."""
    name = _read(folder / "comm").rstrip("\n")
    return name if name in AGENTS else agent_of(_read(folder / "cmdline").split("\0"))


def _status(folder: Path) -> _Status:
    # the name of the program stands in brackets, and may hold brackets and blanks
    fields = _read(folder / "stat").rpartition(")")[2].split()
    group, tty, front = int(fields[2]), int(fields[4]), int(fields[5])
    return _Status(int(fields[1]), tty, tty != 0 and group == front, int(fields[19]))


def _ancestors(processes: Path, pid: int) -> tuple[int, ...]:
    found: list[int] = []
    with contextlib.suppress(OSError, ValueError, IndexError):
        while pid > 1 and len(found) < _MOST_ANCESTORS:
            pid = _status(processes / str(pid)).parent
            found.append(pid)
    return tuple(found)


def _terminal(number: int) -> str:
    major, minor = number >> 8 & 0xFFF, number & 0xFF | number >> 12 & 0xFFF00
    return f"/dev/pts/{(major - 136) * 256 + minor}" if major in _PSEUDO_TERMINALS else ""


def _environ(folder: Path) -> tuple[tuple[str, str], ...] | None:
    try:
        pairs = [line.partition("=") for line in _read(folder / "environ").split("\0")]
    except OSError:
        return None
    given: Mapping[str, str] = {name: value for name, _sign, value in reversed(pairs)}
    return tuple((name, given[name]) for name in _VARIABLES if name in given)


def _read(path: Path) -> str:
    with open(path, "rb") as file:
        return file.read(_MOST_BYTES).decode("utf-8", "surrogateescape")
