"""What became of a line or a text that was meant for an agent, and time as the sending sees it. Frozen data."""

from __future__ import annotations

import enum
import time
from collections.abc import Callable

from memtui.late.dataclasses import dataclass


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
    """Something of ours may stand in the editor, beside what came in between; no Enter was sent."""


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
