"""A tmux server with several played panes, for tests of the app: it lists them, and what else is asked of one goes
to the pi that is played in it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from played_pi import PlayedPi

from memtui.core.agents.tmux import TmuxError

OWN = "%9"
"""The pane of memtui."""


def at_once(pi: PlayedPi) -> None:
    """pi takes and draws whatever it is given."""
    pi.take()
    pi.draw()


@dataclass
class PlayedPane:
    """A pane with a pi in it, and what tmux tells of it."""

    id: str
    cwd: Path
    pi: PlayedPi = field(default_factory=lambda: PlayedPi({}, at_once))
    window: str = "@0"
    title: str = "π - app"

    @property
    def number(self) -> int:
        """Of its id, and of its place in the window."""
        return int(self.id[1:])

    @property
    def pid(self) -> int:
        """Of the program in it: a process that there is not."""
        return 2**22 + self.number

    @property
    def tty(self) -> str:
        """The device of its terminal."""
        return f"/dev/pts/{self.number}"

    @property
    def text(self) -> str:
        """What is in its editor."""
        return "\n".join(self.pi.lines)

    @property
    def submitted(self) -> list[str]:
        """What Enter fell on."""
        return [line for line, _is_ours in self.pi.entered]

    def values(self) -> dict[str, str]:
        """What a listing of panes asks for."""
        return {
            "pane_id": self.id,
            "window_id": self.window,
            "session_name": "work",
            "window_index": "0",
            "pane_index": str(self.number),
            "pane_pid": str(self.pid),
            "pane_current_command": self.pi.program,
            "pane_title": self.title,
            "pane_current_path": str(self.cwd),
            "pane_tty": self.tty,
            "pane_in_mode": str(int(self.pi.in_mode)),
            "pane_dead": "0",
            "session_attached": "1",
            "window_active": "1",
            "window_zoomed_flag": "0",
            "pane_active": "0",
        }


class PlayedTmux:
    """Runs tmux for memtui with these panes and its own beside the first; `problem`: it fails with that."""

    def __init__(self, *panes: PlayedPane, problem: str = "") -> None:
        own = PlayedPane(OWN, Path("/"), PlayedPi({}, program="memtui"))
        self.panes = {pane.id: pane for pane in (*panes, own)}
        self._problem = problem

    def run(self, words: Sequence[str], environ: Mapping[str, str], given: bytes) -> bytes:
        """One call, as `Tmux` makes it."""
        if self._problem:
            raise TmuxError(self._problem)
        if words[2] == "list-panes":
            rows = [_expanded(words[-1], pane.values()) for pane in self.panes.values()]
            return "".join(f"{row}\n" for row in rows).encode("utf-8", "surrogateescape")
        target = words[words.index("-t") + 1]
        if target not in self.panes:
            raise TmuxError(f"can't find pane: {target}")
        # each played pi takes itself for the first
        return self.panes[target].pi.run([word.replace(target, "%1") for word in words], environ, given)


def _expanded(form: str, values: Mapping[str, str]) -> str:
    return re.sub(r"#\{(\w+)\}", lambda found: values[found[1]], form)
