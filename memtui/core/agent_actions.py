"""The door to the agents that run beside memtui: who they are.

Everything here runs programs or reads files, and belongs to a work thread.
"""

from __future__ import annotations

from memtui.core.agents.base import PI, Agent, Pane
from memtui.core.agents.finder import Finder, Running, find_agents
from memtui.core.agents.running import match
from memtui.core.agents.tmux import Tmux, TmuxError
from memtui.core.agents.using import Use, name_of, use_of

__all__ = ["PI", "Agent", "Finder", "Pane", "Running", "Tmux", "TmuxError", "Use", "find_agents"]
__all__ += ["match", "name_of", "use_of"]
