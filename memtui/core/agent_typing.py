"""The door to an agent's editor: which commands there are, what must hold, and sending or inserting.

Everything that takes a Tmux runs programs and belongs to a work thread. Import this late: the first frame and
`list` need none of it.
"""

from __future__ import annotations

from memtui.core.agents.conditions import Condition, first_failing
from memtui.core.agents.sending import conditions_for, insert, send
from memtui.core.agents.sent import Clock, Sent
from memtui.core.agents.slash_commands import SlashCommand, commands_for
from memtui.core.agents.targets import Target, meant, nobody, targets

__all__ = [
    "Clock",
    "Condition",
    "Sent",
    "SlashCommand",
    "Target",
    "commands_for",
    "conditions_for",
    "first_failing",
    "insert",
    "meant",
    "nobody",
    "send",
    "targets",
]
