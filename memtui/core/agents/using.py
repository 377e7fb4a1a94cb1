"""Whether a session is in use: memtui's one notion of it. Pure.

pi keeps no file open and takes no lock (pi-and-zcode sheet A2). What moves a session away while its pi goes on
leaves that pi with a file without a header, which it ignores for good, so even what is only possible is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from memtui.core.agents.base import PI, Agent
from memtui.core.agents.finder import Running
from memtui.core.sessions.base import Session
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

LIVE_SECONDS = 120
"""A file that changed this recently may still be written to."""

Certainty = Literal["", "possible", "one of several", "sure"]


@dataclass(frozen=True, slots=True)
class Use:
    """Who uses a session, and how certain that is; `because` is a sentence without a full stop, with text from
    the disk in it.

    "one of several": an agent writes it or another session of its directory. "possible": nothing speaks for
    this session more than for others. `agents` are those that may be it, none where only its growth speaks.
    """

    certainty: Certainty = ""
    because: str = ""
    agents: tuple[Agent, ...] = ()

    @property
    def mark(self) -> str:
        """What a list says of the session in a word, '' where no agent is known to write it, or maybe to.

        Safe for display.
        """
        words = {"sure": _("running"), "one of several": _("running?")}
        return words.get(self.certainty, "")


def use_of(session: Session, running: Running, now: datetime) -> Use:
    """Whether an agent uses a session, by what was found of the agents; a time of change far in the future is
    no sign."""
    pis = [agent for agent in running.agents if agent.agent == PI]
    if writing := tuple(agent for agent in pis if agent.session == session.file):
        return Use("sure", _("{agents} writes it").format(agents=_names(writing)), writing)
    if maybe := tuple(agent for agent in pis if session.file in agent.sessions):
        said = _("{agents} may be writing it: {because}")
        return Use("one of several", said.format(agents=_names(maybe), because=maybe[0].because), maybe)
    age_s = now.timestamp() - session.mtime
    if abs(age_s) <= LIVE_SECONDS:
        return Use("possible", _("it was written to {seconds} seconds ago").format(seconds=max(0, int(age_s))))
    here = tuple(agent for agent in pis if session.cwd and agent.cwd == session.cwd and agent.session is None)
    if here:
        return Use("possible", _("{agents} runs in its directory").format(agents=_names(here)), here)
    return Use()


def name_of(agent: Agent) -> str:
    """An agent as a person finds it: by the place of its pane, else by its process; text as tmux gave it."""
    if agent.pane is not None:
        return _("{agent} in tmux {place}").format(agent=agent.agent, place=agent.pane.place)
    if agent.pid:
        return _("{agent} (process {pid})").format(agent=agent.agent, pid=agent.pid)
    return agent.agent


def _names(agents: Sequence[Agent]) -> str:
    return ", ".join(map(name_of, agents))
