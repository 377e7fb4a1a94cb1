"""How sessions are listed while nothing is searched for: whose, in which order, by which filter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk
    from memtui.ui.found import Found
    from memtui.ui.listed import Listed


class SessionList:
    """`everywhere`: of all projects. `query` is the filter, '' for none. `changed` hears of another one of
    them, with whether the best row is wanted first."""

    def __init__(self, desk: Desk, changed: Callable[[bool], None]) -> None:
        self._desk, self._changed = desk, changed
        self.everywhere = False
        self.query = ""

    @property
    def order(self) -> str:
        """The order of the sessions: an id of `found.SESSION_ORDERS`, '' for the last message first."""
        from memtui.ui.arranging import known_order
        from memtui.ui.found import SESSION_ORDERS

        return known_order(self._desk.remembered.session_order, SESSION_ORDERS)

    def sort(self, order: str) -> None:
        """List the sessions in this order from now on, also after the next start."""
        self._desk.remember(session_order=order)
        self._changed(False)

    def filter(self, query: str) -> None:
        """List only sessions whose title or directory matches; '' lists all."""
        self.query = query
        self._changed(bool(query))

    def toggle_scope(self) -> None:
        """This project's sessions, or all."""
        self.everywhere = not self.everywhere
        self._changed(False)

    def make(self, listed: Listed, then: Callable[[Found], None]) -> None:
        """Hand the rows to `then`, unless they are to be others by then. Called by the UI thread."""
        from memtui.ui.found import found_sessions

        env, running = self._desk.app.env, self._desk.beside.running
        now, asked = env.now(), (self.everywhere, self.query, self.order)
        everywhere, query, order = asked

        def job(workspace: Workspace | None) -> Found:
            return found_sessions(
                *(listed, running),
                everywhere=everywhere,
                home=env.home,
                now=now,
                query=query,
                order=order,
            )

        def show(found: Found) -> None:
            if asked == (self.everywhere, self.query, self.order):
                then(found)

        if query:
            # all of them are looked through
            self._desk.work.do(job, show, channel="sessions", failed=self._desk.say_error)
        else:
            show(job(None))
