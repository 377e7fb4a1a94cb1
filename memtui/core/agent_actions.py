"""The door to the agents that run beside memtui: who they are.

Everything here runs programs or reads files, and belongs to a work thread.
"""

from __future__ import annotations

from memtui.core.agents.base import PI, Agent, Pane
from memtui.core.agents.finder import Finder, Running, find_agents
from memtui.core.agents.tmux import Tmux
from memtui.core.agents.using import Use, name_of, use_of

__all__ = ["PI", "Agent", "Finder", "Pane", "Running", "Tmux", "Use", "find_agents"]
__all__ += ["name_of", "use_of"]
