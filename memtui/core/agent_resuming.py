"""The door to going on with a session: where it runs, what resumes it, and a window or pane of tmux for that.

Everything here runs programs or reads files, and belongs to a work thread.
"""

from __future__ import annotations

from memtui.core.agents.base import Pane
from memtui.core.agents.resuming import Place, Ready, open_in_tmux, ready_to_resume, usual_place
from memtui.core.agents.tmux import RunWithInput, Tmux, TmuxError, run_with_input
from memtui.core.agents.windows import go_to

__all__ = ["Pane", "Place", "Ready", "RunWithInput", "Tmux", "TmuxError", "go_to", "open_in_tmux"]
__all__ += ["ready_to_resume", "run_with_input", "usual_place"]
