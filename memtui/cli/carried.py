"""What the running agents carry of the memory, for the commands that show or change it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli import documents
from memtui.core.safety import display

if TYPE_CHECKING:
    from memtui.cli.call import Call
    from memtui.core.agent_actions import Agent, Running
    from memtui.core.agent_memory import Carried
    from memtui.core.workspace import Snapshot


def look(call: Call, running: Running, snapshots: Sequence[Snapshot]) -> tuple[Carried, ...]:
    """What each running agent carries of these stores."""
    from memtui.core.agent_memory import AgentMemory

    return AgentMemory(call.workspace).carried(running.agents, snapshots)


def after(call: Call, paths: Sequence[Path]) -> tuple[tuple[Carried, ...], str]:
    """What each running agent carries of the stores in which these files were changed just now, and the line
    that says it ('' = no memory was changed, or the system does not show who runs)."""
    stores = [s for s in call.workspace.used_stores() if any(path.is_relative_to(s.root) for path in paths)]
    if not stores:
        return (), ""
    from memtui.core.agent_actions import find_agents
    from memtui.core.agent_memory import line_of

    running = find_agents(call.env)
    found = look(call, running, [call.workspace.read(store) for store in stores])
    return found, display.line(line_of(found, is_known=running.is_known))


def document(item: Carried) -> documents.Json:
    """What one agent carries of one store."""
    return {
        "store": item.store.id,
        "state": item.loaded.state,
        "carries": item.carries,
        "brings": item.brings,
        "refreshed_by": list(item.loaded.row.by),
        "source": None if item.loaded.way is None else item.loaded.way.source,
    }


def document_with_agent(item: Carried) -> documents.Json:
    """The same, with the agent that carries it."""
    pane, session = item.agent.pane, item.session
    return {
        "agent": item.agent.agent,
        "pid": item.agent.pid or None,
        "place": None if pane is None else pane.place,
        "session": None if session is None else str(session),
        **document(item),
    }


def sentences(found: Sequence[Carried], agent: Agent) -> list[str]:
    """What an agent carries, a sentence a store; safe for display."""
    from memtui.core.agent_memory import sentences_of

    return list(map(display.line, sentences_of(found, agent)))
