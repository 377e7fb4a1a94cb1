"""What goes on with a session: which program, in which directory, and what speaks against it.

Where the session's own directory is gone pi asks by itself whether to go on in the one it was started in, or to
fork the session into it (measured with pi 1.6).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from memtui.core.agents.base import Agent, Pane
from memtui.core.agents.directories import How, nearest
from memtui.core.agents.finder import Running, find_agents
from memtui.core.agents.tmux import Tmux
from memtui.core.agents.using import Use, name_of, use_of
from memtui.core.agents.windows import Side, pane_words, said, window_words
from memtui.core.config import load_config
from memtui.core.env import Env
from memtui.core.errors import StorageError, explain
from memtui.core.sessions.base import Session
from memtui.core.sessions.quick import look_at
from memtui.core.sessions.resume import Launch, resume
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Place:
    """Where pi is opened: in a window of its own, or at this side of memtui's pane."""

    side: Side | None = None

    @property
    def other(self) -> Place:
        """The other of the two."""
        return Place("right") if self.side is None else Place()


@dataclass(frozen=True, slots=True)
class Ready:
    """What there is to run, or `hindrance`: why there is nothing; `copies` = the command helps all the same.

    `gone` is the session's own directory where that is gone; `launch.directory` is another then, and `how` says
    what it is to that one. `running` are the agents that have the session, or may (`is_certain` = they do);
    `warning` says what happens when it is resumed beside them. Texts may have come from the disk.
    """

    session: Session
    launch: Launch | None = None
    hindrance: str = ""
    copies: bool = False
    gone: str = ""
    how: How = "parent"
    running: tuple[Agent, ...] = ()
    is_certain: bool = False
    warning: str = ""
    place: Place = Place()

    @property
    def panes(self) -> tuple[Pane, ...]:
        """The panes of tmux in which it runs, or may run."""
        return tuple(agent.pane for agent in self.running if agent.pane is not None)


def ready_to_resume(env: Env, session: Session, tmux: Tmux, opened: Mapping[str, Path]) -> Ready:
    """Look at the session, who has it, its directory and where pi is. Raises StorageError when it is gone.

    `opened` says of the panes (by their ids) in which memtui opened a session: which file.
    """
    try:
        session = look_at(session.file)
    except OSError as error:
        raise StorageError(explain(error, session.file)) from error
    ready = _what_to_run(env, session)
    use = _use_of(session, find_agents(env, tmux=tmux), env.now(), opened)
    warning = ""
    if use.because:
        warning = _(
            "This session may be in use: {reason}. Two pi that go on with it do not see each other: what they "
            "write ends on two branches of one file."
        ).format(reason=use.because)
    is_certain = use.certainty == "sure"
    return replace(ready, running=use.agents, is_certain=is_certain, warning=warning, place=usual_place(env))


def _use_of(session: Session, running: Running, now: datetime, opened: Mapping[str, Path]) -> Use:
    """Who has it, where what memtui opened itself counts until its pi writes: nothing else tells of it.

    Such a pi has that session and no other of its directory, also where that is not the session's own.
    """
    waiting = {agent: opened.get(_pane_id(agent)) for agent in running.agents if agent.session is None}
    if those := tuple(agent for agent, file in waiting.items() if file == session.file):
        names = ", ".join(map(name_of, those))
        return Use("sure", _("memtui opened it in {agents}").format(agents=names), those)
    others = tuple(agent for agent in running.agents if waiting.get(agent) is None)
    return use_of(session, replace(running, agents=others), now)


def _pane_id(agent: Agent) -> str:
    return "" if agent.pane is None else agent.pane.id


def _what_to_run(env: Env, session: Session) -> Ready:
    found = resume(session)
    if not found.command:
        return Ready(session, hindrance=found.note)
    if not session.cwd.startswith("/"):
        return Ready(session, hindrance=_("{why}; y copies the command").format(why=found.note))
    program = shutil.which(found.words[0], path=env.get("PATH") or None)
    if program is None:
        return Ready(session, hindrance=_("pi is not on the PATH"), copies=True)
    words = (str(env.cwd / program), *found.words[1:])
    if found.directory:
        return Ready(session, Launch(words, found.directory, env.environ))
    instead = nearest(Path(os.path.normpath(session.cwd)), [env.cwd])
    launch = Launch(words, str(instead.directory), env.environ)
    return Ready(session, launch, gone=session.cwd, how=instead.how)


def usual_place(env: Env) -> Place:
    """Where `config.yaml` wants it."""
    wanted = load_config(env).resume_in
    return Place() if wanted == "window" else Place("right" if wanted == "right" else "below")


def open_in_tmux(tmux: Tmux, launch: Launch, title: str, place: Place) -> tuple[str, str]:
    """Open a window or pane that goes on with a session; gives the id of the pane and where it is, as tmux says
    it. `title` is safe for display. Raises TmuxError.
    """
    if place.side is None or not tmux.own_pane:
        words = window_words(title, launch.directory, launch.words, launch.environ)
    else:
        words = pane_words(tmux.own_pane, place.side, launch.directory, launch.words, launch.environ)
    pane, _blank, where = said(tmux.call(*words)).partition(" ")
    return pane, where
