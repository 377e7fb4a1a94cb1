"""The door to the agents that run beside memtui: windows of tmux for them.

Everything here runs programs or reads files, and belongs to a work thread.
"""

from __future__ import annotations

from memtui.core.agents.base import Agent, Pane
from memtui.core.agents.tmux import RunProgram, Tmux, TmuxError, run_program
from memtui.core.agents.windows import window_words

__all__ = ["Agent", "Pane", "RunProgram", "Tmux", "TmuxError", "run_program", "window_words"]
