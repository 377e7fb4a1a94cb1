"""The door to an agent's editor: which commands there are, what must hold, and sending or inserting.

Everything that takes a Tmux runs programs and belongs to a work thread. Import this late: the first frame and
`list` need none of it.
"""

from __future__ import annotations

from memtui.core.agents.conditions import Condition, all_hold
from memtui.core.agents.sending import conditions_for, insert, send
from memtui.core.agents.sent import Clock, Outcome, Sent
from memtui.core.agents.slash_commands import Follows, Proof, SlashCommand, commands_for
from memtui.core.agents.targets import Target, meant, nobody, targets

__all__ = [
    "Clock",
    "Condition",
    "Follows",
    "Outcome",
    "Proof",
    "Sent",
    "SlashCommand",
    "Target",
    "all_hold",
    "commands_for",
    "conditions_for",
    "insert",
    "meant",
    "nobody",
    "send",
    "targets",
]
