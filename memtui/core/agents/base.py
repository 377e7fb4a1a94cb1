"""What a running agent is made of: its tmux pane, and what is known of it. Frozen data.

Texts are as tmux and the disk gave them (a pane's title can be set by any program): only `safety/display`
makes them fit for a screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

PI = "pi"
"""The agent that memtui can reach, by its name."""


@dataclass(frozen=True, slots=True)
class Pane:
    """A pane of the tmux server that memtui runs in.

    `id` (`%5`) and `window` (`@2`) are tmux's own and stay the same for as long as they exist; `place` is what
    a person reads (`session:window.pane`). `pid` is the process that the pane was started with, `command` the
    name of the one in front now. `in_mode` = keys go to tmux (copy mode). `is_shown` = it is in the window that
    memtui stands in.
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


@dataclass(frozen=True, slots=True)
class Agent:
    """A running agent of this user.

    `pid` is its own process (0 = not known), `pane` where it is shown (None outside of tmux). `sessions` are
    the files that it may be writing, likeliest first; one alone is taken for certain, `because` says by what
    it was told. `agent_dir` is where it keeps its settings, where that could be read.
    """

    agent: str
    pid: int
    cwd: str
    pane: Pane | None = None
    sessions: tuple[Path, ...] = ()
    because: str = ""
    agent_dir: Path | None = None

    @property
    def session(self) -> Path | None:
        """The file that it writes, None where several are possible or none is known."""
        return self.sessions[0] if len(self.sessions) == 1 else None
