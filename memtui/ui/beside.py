"""The agents beside memtui: looked for while somebody looks at memtui. Lives in the UI thread.

The work is done on the work thread: one call of tmux a look, and no file is opened while nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _

if TYPE_CHECKING:
    from textual.timer import Timer

    from memtui.core.agent_actions import Finder, Running
    from memtui.core.library import Session
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk
    from memtui.ui.widgets.spans import Span

LOOK_EVERY_S = 3.0
"""How long one look is good for while memtui is seen."""

UNSEEN_EVERY_S = 30.0
"""The same while another window is in front: only a key, or this, tells that memtui is seen again. Also while
tmux does not answer."""


class Beside:
    """Who runs beside memtui, as of the last look; `running` is None before the first.

    `status_lines` are what the status says of them, `strip_items` the same in a few words; safe for display.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._timer: Timer | None = None
        self._is_looking = False
        self.finder: Finder | None = None
        self.running: Running | None = None
        self.status_lines: Sequence[Sequence[Span]] = ()
        self.strip_items: Sequence[Sequence[Span]] = ()

    def start(self) -> None:
        """Look now, and from now on while memtui is seen; called again, it only looks."""
        self.look(again=True)

    def look(self, *, again: bool = False) -> None:
        """Look now; `again`: at the processes too, even if nothing speaks for a change."""
        if self._is_looking and not again:
            return
        self._is_looking = True
        sessions = self._desk.searching.sessions

        def job(workspace: Workspace) -> Running:
            return self.finder_in(workspace).find(sessions, again=again)

        self._desk.work.do(job, self._found, channel="beside", failed=lambda error: self._looked())

    def finder_in(self, workspace: Workspace) -> Finder:
        """What finds them, made when it is first asked for. On the work thread."""
        from memtui.core.agent_actions import Finder

        if self.finder is None:
            self.finder = Finder(workspace.env)
        return self.finder

    def woken(self) -> None:
        """The person is here: look, if nobody seemed to."""
        if self.running is not None and not self.running.is_seen:
            self.look()

    def use_of(self, session: Session) -> str:
        """Which agent writes a session, or may, as a sentence with text from the disk; '' for none."""
        if self.running is None or not self.running.agents:
            return ""
        from memtui.core.agent_actions import use_of

        use = use_of(session, self.running, self._desk.app.env.now())
        return use.because if use.mark else ""

    def labels(self, session: Session | None) -> Mapping[str, str]:
        """What commands are called on a session, by id, where an agent beside makes them do something else."""
        if self.running is None or session is None:
            return {}
        has_pane = any(a.pane is not None and a.session == session.file for a in self.running.agents)
        return {"resume": _("go to its pi")} if has_pane else {}

    def _found(self, running: Running) -> None:
        before, self.running = self.running, running
        self._looked()
        if running is not before and self._desk.is_complete:
            self.tell()
            if before is None or _who(before) != _who(running):
                self._desk.searching.agents_changed()
                self._desk.carrying.refresh()

    def _looked(self) -> None:
        self._is_looking = False
        if self._timer is not None:
            self._timer.stop()
        found = self.running
        # a tmux that does not answer keeps the work thread waiting
        seldom = found is not None and (bool(found.problem) or not found.is_seen)
        self._timer = self._desk.app.set_timer(UNSEEN_EVERY_S if seldom else LOOK_EVERY_S, self.look)

    def tell(self) -> None:
        """Put into words who runs, and what each carries, and show it."""
        running, env = self.running, self._desk.app.env
        self.status_lines = self.strip_items = ()
        if running is not None and (running.beside or env.get("TMUX")):
            from memtui.ui.agent_text import agent_items, agent_lines

            carried = self._desk.carrying.sentences
            self.status_lines, self.strip_items = agent_lines(running, env, carried), agent_items(running)
        self._desk.show_status()


def _who(running: Running) -> list[tuple[object, ...]]:
    """What of the agents the marks and sentences depend on: titles of panes change all the time."""
    return [(it.key, it.cwd, it.sessions, it.is_sure) for it in running.agents]
