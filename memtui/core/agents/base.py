"""What a running agent is made of: its tmux pane, and what is known of it. Frozen data.

Texts are as tmux and the disk gave them (a pane's title can be set by any program): only `safety/display`
makes them fit for a screen.
"""

from __future__ import annotations

from pathlib import Path

from memtui.late.dataclasses import dataclass

PI = "pi"
"""The agent that memtui can reach, by its name."""

AGENTS = (PI, "claude", "codex", "hermes", "zcode")
"""The agents that are known when they run, by what their programs are called."""


@dataclass(frozen=True, slots=True)
class Pane:
    """A pane of the tmux server that memtui runs in.

    `id` (`%5`) and `window` (`@2`) are tmux's own and stay the same for as long as they exist; `place` is what
    a person reads (`session:window.pane`). `pid` is the process that the pane was started with, `command` the
    name of the one in front now. `tty` is its terminal's device, `cwd` where the program in front works.
    `in_mode` = keys go to tmux (copy mode). `is_shown` = it is in the window that memtui stands in. `is_seen` =
    somebody has it before their eyes: in the current window of a session that a terminal is attached to, and
    no other pane is zoomed over it.
    """

    id: str
    window: str
    place: str
    pid: int
    command: str
    title: str
    cwd: str
    in_mode: bool = False
    dead: bool = False
    is_shown: bool = False
    tty: str = ""
    is_seen: bool = False


@dataclass(frozen=True, slots=True)
class Agent:
    """A running agent of this user.

    `pid` is its own process (0 = not known), since `started` (seconds since 1970, 0 = not known), `pane` where
    it is shown (None outside of tmux). `sessions` are the files that it may be writing, likeliest first;
    `because` says by what that was told, or why there is none. One alone is taken for certain where `is_sure`:
    it is not where another agent may be the one that writes it. `started_by` is the process of the agent whose
    tool or extension started it (0 = a person did). `agent_dir` is where it
    keeps its settings, `sessions_dir` where it keeps its sessions, where that could be read.
    """

    agent: str
    pid: int
    cwd: str
    pane: Pane | None = None
    sessions: tuple[Path, ...] = ()
    because: str = ""
    agent_dir: Path | None = None
    sessions_dir: Path | None = None
    started: float = 0.0
    is_sure: bool = True
    started_by: int = 0

    @property
    def key(self) -> tuple[str, int, str]:
        """What stays the same for as long as it runs; the titles of panes change all the time."""
        return self.agent, self.pid, "" if self.pane is None else self.pane.id

    @property
    def session(self) -> Path | None:
        """The file that it writes, None where several are possible or none is known."""
        return self.sessions[0] if self.is_sure and len(self.sessions) == 1 else None
