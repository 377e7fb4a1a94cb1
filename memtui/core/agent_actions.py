"""The door to the agents that run beside memtui: who they are, and windows of tmux for them.

Everything here runs programs or reads files, and belongs to a work thread.
"""

from __future__ import annotations

from memtui.core.agents.base import PI, Agent, Pane
from memtui.core.agents.finder import Finder, Running, find_agents
from memtui.core.agents.running import match
from memtui.core.agents.tmux import RunProgram, Tmux, TmuxError, run_program
from memtui.core.agents.using import Use, name_of, use_of
from memtui.core.agents.windows import window_words

__all__ = ["PI", "Agent", "Finder", "Pane", "RunProgram", "Running", "Tmux", "TmuxError", "Use", "find_agents"]
__all__ += ["match", "name_of", "run_program", "use_of", "window_words"]
