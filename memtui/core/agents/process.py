"""A running agent as a process, and how it is told from other programs. Frozen data.

pi names its process `pi` (process.title); before it gets there, and as a script of node or bun, its command
line names a file `pi`. Its title lies over its command line, so what it was started with is lost; what Linux
keeps of its environment is not (pi-and-zcode sheet A3).
"""

from __future__ import annotations

import os

from memtui.core.agents.base import AGENTS
from memtui.late import re
from memtui.late.dataclasses import dataclass

_RUNTIMES = re.compile(r"node|bun|deno|[Pp]ython[\d.]*")


@dataclass(frozen=True, slots=True)
class Process:
    """A running agent: its process id, physical working directory ('' = not known), and which agent it is.

    `ancestors` are the processes that it was started by, its parent first. `tty` is the device of its terminal
    ('' = none), `is_front` whether keys typed there go to it. `started` is in seconds since 1970 (0 = not
    known). `environ` are those variables that say where pi keeps its files, None where they cannot be read.
    """

    pid: int
    cwd: str
    agent: str = "pi"
    ancestors: tuple[int, ...] = ()
    tty: str = ""
    is_front: bool = False
    started: float = 0.0
    environ: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class Processes:
    """The running agents of this user; `own` are memtui's own process and those that it was started by.

    `is_known` is False where the system shows no processes: then nothing is known of who runs.
    """

    agents: tuple[Process, ...] = ()
    own: tuple[int, ...] = ()
    is_known: bool = False


def agent_of(words: list[str]) -> str:
    """Which agent a command line runs, '' for none: a program of that name, or a script of it."""
    runs = [os.path.basename(word) for word in words]
    if not runs:
        return ""
    if _RUNTIMES.fullmatch(runs[0]) is None:
        return runs[0] if runs[0] in AGENTS else ""
    script = next((run for run, word in zip(runs[1:], words[1:], strict=True) if not word.startswith("-")), "")
    return script if script in AGENTS else ""
