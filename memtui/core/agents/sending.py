"""Getting a line into pi's editor through tmux: the protocol of design section 7.

Never an Enter on anything but our own line; never a key into anything but an editor that was seen to be empty.
Every step is taken on a fresh look; anything unexpected ends it. Blocks for some hundred milliseconds up to
some seconds: for a work thread.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable
from dataclasses import dataclass

from memtui.core.agents.base import Agent
from memtui.core.agents.conditions import Condition
from memtui.core.agents.slash_commands import SlashCommand
from memtui.core.agents.tmux import Tmux
from memtui.core.locate.pi_extensions import Extensions
from memtui.i18n import _


class Outcome(enum.Enum):
    """How a sending ended."""

    RAN = "ran"
    """Sent, and seen to be taken."""
    SENT = "sent"
    """Sent with its Enter, but what came of it was not seen."""
    INSERTED = "inserted"
    """In the editor, without Enter."""
    REFUSED = "refused"
    """Nothing was typed, or all of it was taken back."""
    LEFT = "left"
    """Something of ours stands in the editor, beside what came in between; no Enter was sent."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a line or a text.

    `said` is one sentence for the person (it may hold text of the pane: through `safety/display` only).
    `copy` is what belongs on the clipboard now: the text where it did not arrive, '' where it did.
    """

    outcome: Outcome
    said: str
    copy: str = ""

    @property
    def arrived(self) -> bool:
        """Whether the agent has it."""
        return self.outcome in (Outcome.RAN, Outcome.SENT, Outcome.INSERTED)


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as the protocol sees it, so that tests need none: seconds that only grow, and a wait."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


def conditions_for(
    tmux: Tmux, agent: Agent, extensions: Extensions, command: SlashCommand | None
) -> tuple[Condition, ...]:
    """How everything stands that must hold before `command` is sent (None: before a text is inserted).

    One call of tmux; never raises. For the question that is asked before anything is typed.
    """
    del tmux, agent, extensions, command
    return ()


def send(
    tmux: Tmux, agent: Agent, extensions: Extensions, command: SlashCommand, clock: Clock | None = None
) -> Sent:
    """Type a command into the agent's editor and press Enter, if everything that must hold does. Never raises.

    Only after the person agreed to the text and the pane. `command.asks_for` must have been answered
    (`with_argument`). `copy` of the answer is to be put on the clipboard by the caller where it is not ''.
    """
    del tmux, agent, extensions, clock
    return Sent(Outcome.REFUSED, _("nothing was typed"), command.text)


def insert(tmux: Tmux, agent: Agent, text: str, clock: Clock | None = None) -> Sent:
    """Put a text into the agent's editor as a bracketed paste, without Enter, under the same conditions.

    Lines stay lines; control characters are made visible. Never raises.
    """
    del tmux, agent, clock
    return Sent(Outcome.REFUSED, _("nothing was typed"), text)
