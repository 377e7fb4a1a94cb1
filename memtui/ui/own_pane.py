"""memtui's own pane of tmux: noted while it runs, so that the next memtui of the window comes here.

All of it is done after the first frame, on the work thread: a tmux call takes about 2 ms, but what is imported
for one takes 12.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.core.env import Env
    from memtui.core.own_pane import Tmux
    from memtui.core.workspace import Workspace


class OwnPane:
    """The note on the pane; nothing outside of tmux. Made by whoever runs the app for a person.

    `first` is the pane of a memtui that shows the same in this window, to which the person was brought; '' =
    there is none, or `is_new` = it does not matter.
    """

    def __init__(self, env: Env, owner: str, path: Path | None, *, is_new: bool) -> None:
        self.first = ""
        self._env = env
        self._shows = (owner, path)
        self._is_new = is_new
        self._noted: Tmux | None = None

    def note(self, workspace: Workspace) -> str:
        """Go to the memtui that is there already, and give its pane; else note that this one is here.

        On the work thread. A tmux that cannot is no reason not to be here.
        """
        if not self._env.get("TMUX_PANE"):
            return ""
        from memtui.core.own_pane import Tmux, TmuxError, first_beside, go_to, key_of, mark

        tmux = Tmux(self._env.environ)
        if not tmux.own_pane:
            return ""
        key = key_of(self._env, *self._shows)
        with contextlib.suppress(TmuxError):
            if not self._is_new and (first := first_beside(tmux, key)):
                go_to(tmux, first)
                self.first = first
                return first
        with contextlib.suppress(TmuxError):
            mark(tmux, key, os.getpid())
            self._noted = tmux
        return ""

    def leave(self) -> None:
        """Take the note away, before another program gets the pane."""
        if self._noted is not None:
            from memtui.core.own_pane import TmuxError, unmark

            with contextlib.suppress(TmuxError):
                unmark(self._noted)
