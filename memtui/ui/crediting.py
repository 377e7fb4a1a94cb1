"""Whose call made what a look just showed: sought when it was told, and again while sessions grow.

Lives in the UI thread; sessions are read in a thread of its own, one errand after the other.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from memtui.late.dataclasses import dataclass, field
from memtui.ui.seeking import Cancelled, Errand, Seeker, Sought

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.core.errors import MemtuiError
    from memtui.core.others import Credits, Found, Place, Writer
    from memtui.ui.desk import Desk
    from memtui.ui.news import Event, News

WAITS = timedelta(minutes=1)
"""So long after the news its writer is looked for: the session may be listed a little later."""


@dataclass
class _Told:
    """News, what it was told from, and the writers that are known by now."""

    news: News
    event: Event
    writers: dict[Place, Writer] = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        return self.writers.keys() == self.event.sought.keys()


Answers = Sequence[tuple[_Told, Mapping["Place", "Writer"]]]


class Crediting:
    """News of others that is not put down to anybody yet."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._seeker = Seeker(desk.app.post_message)
        self._credits: Credits | None = None
        self._open: list[_Told] = []
        self._once_more = False

    @property
    def idle(self) -> threading.Event:
        """Set while no session is read."""
        return self._seeker.idle

    def told(self, news: News, event: Event) -> None:
        """Take in news, and look for its writers."""
        if event.sought:
            self._open.append(_Told(news, event))
            self.look_again()

    def look_again(self) -> None:
        """Look for the writers that are not known; sessions may have grown. Returns at once."""
        if not self._open:
            return
        now = self._desk.app.env.now()
        self._open = [told for told in self._open if not told.is_known and now - told.event.now <= WAITS]
        if not self._seeker.idle.is_set():
            self._once_more = True
        elif self._open and self._desk.searching.sessions:
            self._seek(tuple(self._open))

    def _seek(self, open_now: Sequence[_Told]) -> None:
        env, sessions = self._desk.app.env, self._desk.searching.sessions

        def job(cancelled: Cancelled) -> Answers:
            from memtui.core.others import Credits

            if self._credits is None:
                self._credits = Credits(env.home)
            answers: list[tuple[_Told, Found]] = []
            for told in open_now:
                missing = {
                    place: item for place, item in told.event.sought.items() if place not in told.writers
                }
                answers.append((told, self._credits.find(missing, told.event.now, sessions, cancelled)))
            return answers

        self._seeker.seek(Errand(job, self._found, self._failed))

    def _found(self, answers: Answers) -> None:
        from memtui.core.safety import display
        from memtui.ui.news import tell
        from memtui.ui.view import row_id_of

        for told, writers in answers:
            before, told.writers = told.news, {**told.writers, **writers}
            if writers and (news := tell(told.event, told.writers, self._agents())) is not None:
                told.news = news
                agents = {
                    row_id_of(*place): display.line(made.session.agent) for place, made in writers.items()
                }
                self._desk.live.credit(before, news, agents)
        self._go_on()

    def _agents(self) -> dict[Path, str]:
        """Which running agent writes a session, by its file, where that is certain."""
        running = self._desk.beside.running
        if running is None:
            return {}
        from memtui.core.agent_actions import name_of
        from memtui.core.safety import display

        certain = [(agent.session, agent) for agent in running.agents]
        return {file: display.line(name_of(agent)) for file, agent in certain if file is not None}

    def _failed(self, error: MemtuiError) -> None:
        self._desk.say_error(error)
        self._go_on()

    def _go_on(self) -> None:
        if self._once_more:
            self._once_more = False
            self.look_again()

    def heard(self, sought: Sought) -> None:
        """Tell what was found."""
        self._seeker.heard(sought)

    def close(self) -> None:
        """End within one chunk of a session."""
        self._seeker.close()
