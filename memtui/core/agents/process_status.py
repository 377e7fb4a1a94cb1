"""The running agents as `ps` and `lsof` tell of them, where there is no /proc (macOS).

The environment of a process is not among what they tell: where it keeps its files is not known then.
"""

from __future__ import annotations

import os
import time

from memtui.core.agents.process import Process, Processes, agent_of
from memtui.core.agents.tmux import TmuxError, run_with_input
from memtui.late import re

_COLUMNS = ("pid", "ppid", "uid", "pgid", "tpgid", "tty", "etime", "args")

PS = ("ps", "-A", "-ww", *(word for column in _COLUMNS for word in ("-o", f"{column}=")))
"""Each column by an option of its own: what stands behind a `=` is all heading, to the end (POSIX)."""

_PASSED = re.compile(r"(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$")
_ESCAPED = re.compile(rb"\\(?:x([0-9a-f]{2})|(.))")
_LETTERS = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_ENVIRON = {"LC_ALL": "C", "PATH": "/bin:/usr/bin:/sbin:/usr/sbin"}


def from_ps() -> Processes:
    """The agents that run now; some tens of milliseconds. Never raises."""
    try:
        printed = run_with_input(PS, _ENVIRON, b"")
    except TmuxError:
        return Processes()
    agents, own = read_ps(printed.decode("utf-8", "surrogateescape"), os.getuid(), os.getpid(), time.time())
    if not agents:
        return Processes((), own, is_known=True)
    pids = ",".join(str(process.pid) for process in agents)
    try:
        listed = run_with_input(("lsof", "-a", "-d", "cwd", "-Fn", "-p", pids), _ENVIRON, b"")
    except TmuxError:
        listed = b""
    places = read_lsof(listed.decode("utf-8", "surrogateescape"))
    return Processes(tuple(_at(process, places) for process in agents), own, is_known=True)


def read_ps(printed: str, user: int, own: int, now: float) -> tuple[tuple[Process, ...], tuple[int, ...]]:
    """The agents of a user in what `ps` printed at a time (seconds since 1970), without their directories; and
    the process `own` with those that it was started by. Lines that are none are passed over."""
    parents: dict[int, int] = {}
    rows: list[tuple[int, str, str, bool, float]] = []
    for line in printed.split("\n"):
        fields = line.split(None, 7)
        if len(fields) != 8 or not all(field.lstrip("-").isdecimal() for field in fields[:5]):
            continue
        pid, parent, uid, group, front = map(int, fields[:5])
        parents[pid] = parent
        agent = agent_of(fields[7].split(" ")) if uid == user else ""
        if agent:
            tty = "" if fields[5].strip("?-") == "" else f"/dev/{fields[5]}"
            rows.append((pid, agent, tty, bool(tty) and group == front, now - _seconds(fields[6])))
    agents = tuple(
        Process(pid, "", agent, _above(pid, parents), tty, is_front, started)
        for pid, agent, tty, is_front, started in rows
    )
    return agents, (own, *_above(own, parents))


def read_lsof(printed: str) -> dict[int, str]:
    """The directory of each process in what `lsof -Fn` printed, which writes `\\xc3` for what is not ASCII."""
    places: dict[int, str] = {}
    pid = 0
    for line in printed.split("\n"):
        if line.startswith("p") and line[1:].isdecimal():
            pid = int(line[1:])
        elif line.startswith("n/"):
            places[pid] = os.fsdecode(_ESCAPED.sub(_unescaped, os.fsencode(line[1:])))
    return places


def _unescaped(escaped: re.Match[bytes]) -> bytes:
    if escaped[1]:
        return bytes.fromhex(escaped[1].decode())
    return _LETTERS.get(escaped[2], escaped[2])


def _at(process: Process, places: dict[int, str]) -> Process:
    cwd = places.get(process.pid, "")
    return Process(
        *(process.pid, cwd, process.agent, process.ancestors, process.tty, process.is_front, process.started)
    )


def _above(pid: int, parents: dict[int, int]) -> tuple[int, ...]:
    found: list[int] = []
    while (pid := parents.get(pid, 0)) and pid not in found:
        found.append(pid)
    return tuple(found)


def _seconds(passed: str) -> int:
    """How long a process has run, of `[[days-]hours:]minutes:seconds`."""
    match = _PASSED.match(passed)
    if match is None:
        return 0
    days, hours, minutes, seconds = (int(part or "0") for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
