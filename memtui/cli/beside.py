"""What `status` says of the agents that run beside memtui."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memtui.cli import carried, documents
from memtui.core.agent_actions import name_of
from memtui.core.safety import display
from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.agent_actions import Agent, Running
    from memtui.core.agent_memory import Carried
    from memtui.core.env import Env


def agents_document(running: Running, found: Sequence[Carried], env: Env) -> documents.Json:
    """The agents beside memtui, with what each carries of the memory, and others that share it; null where
    neither tmux nor the system tells of any."""
    if not running.is_known and (running.problem or not env.get("TMUX")):
        return {"agents": None}
    return {"agents": [_document(agent, found) for agent in _shown(running, found)]}


def _shown(running: Running, found: Sequence[Carried]) -> tuple[Agent, ...]:
    return tuple(dict.fromkeys((*running.beside, *(item.agent for item in found))))


def _document(agent: Agent, found: Sequence[Carried]) -> documents.Json:
    return {
        "agent": agent.agent,
        "pid": agent.pid or None,
        "pane": None if agent.pane is None else agent.pane.id,
        "place": None if agent.pane is None else agent.pane.place,
        "cwd": agent.cwd or None,
        "session": None if agent.session is None else str(agent.session),
        "candidates": [str(file) for file in agent.sessions],
        "because": agent.because,
        "memory": [carried.document(item) for item in found if item.agent == agent],
    }


def _name(agent: Agent, env: Env) -> str:
    """Where it is, and in which directory if that is another."""
    name = display.line(name_of(agent))
    if not agent.cwd or agent.cwd == os.fspath(env.cwd):
        return name
    return _("{agent} in {directory}").format(agent=name, directory=display.path(agent.cwd, home=env.home))


def agents_rows(running: Running, found: Sequence[Carried], env: Env) -> Iterator[tuple[str, str]]:
    """Rows for each agent beside memtui, and for others that share the memory; safe for display."""
    for agent in _shown(running, found):
        titles = [
            f"“{display.line(file.stem if (row := running.rows.get(file)) is None else row.title)}”"
            for file in agent.sessions
        ]
        if agent.session is not None:
            said = _("session {title}").format(title=titles[0])
        elif len(titles) == 1:
            said = _("perhaps session {title} ({why})").format(title=titles[0], why=agent.because)
        elif titles:
            said = _("one of the sessions {titles} ({why})").format(titles=", ".join(titles), why=agent.because)
        else:
            said = agent.because
        yield _("agent"), f"{_name(agent, env)}: {said}"
        yield from (("", sentence) for sentence in carried.sentences(found, agent))
    if running.problem:
        said = _("tmux does not tell its panes: {problem}").format(problem=display.line(running.problem))
        yield _("agent"), said
