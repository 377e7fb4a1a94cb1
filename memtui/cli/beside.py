"""What `status` says of the agents that run beside memtui."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memtui.cli import documents
from memtui.core.agent_actions import name_of
from memtui.core.safety import display
from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.agent_actions import Agent, Running


def agents_document(running: Running) -> documents.Json:
    """The agents beside memtui; null where neither tmux nor the system tells of any."""
    if not running.is_known and running.problem:
        return {"agents": None}
    return {"agents": [_document(agent) for agent in running.beside]}


def _document(agent: Agent) -> documents.Json:
    return {
        "agent": agent.agent,
        "pid": agent.pid or None,
        "pane": None if agent.pane is None else agent.pane.id,
        "place": None if agent.pane is None else agent.pane.place,
        "cwd": agent.cwd or None,
        "session": None if agent.session is None else str(agent.session),
        "candidates": [str(file) for file in agent.sessions],
        "because": agent.because,
    }


def agents_rows(running: Running) -> Iterator[tuple[str, str]]:
    """A row for each agent beside memtui, none where there is none; safe for display."""
    for agent in running.beside:
        titles = [
            f"“{display.line(file.stem if (row := running.rows.get(file)) is None else row.title)}”"
            for file in agent.sessions
        ]
        if agent.session is not None:
            said = _("session {title}").format(title=titles[0])
        elif titles:
            said = _("one of the sessions {titles} ({why})").format(titles=", ".join(titles), why=agent.because)
        else:
            said = agent.because
        yield _("agent"), f"{display.line(name_of(agent))}: {said}"
    if running.problem:
        said = _("tmux does not tell its panes: {problem}").format(problem=display.line(running.problem))
        yield _("agent"), said
