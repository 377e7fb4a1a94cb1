"""How often the watcher does what, what it says about itself, and the clock it goes by."""

from __future__ import annotations

import threading
import time
from typing import Literal, Protocol

from memtui.i18n import _
from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Times:
    """All intervals in seconds.

    A change is announced `quiet_s` after its last event, at most `latest_s` after its first, and never sooner
    than `gap_s` after the announcement before. Every `look_s` roots and recently grown sessions are looked at,
    every `sweep_s` everything; what cannot be watched is swept every `poll_s` (`network_poll_s` on network
    file systems), more rarely where a sweep takes long.
    """

    quiet_s: float = 0.1
    latest_s: float = 0.4
    gap_s: float = 0.25
    look_s: float = 2.0
    sweep_s: float = 60.0
    poll_s: float = 2.0
    network_poll_s: float = 5.0


@dataclass(frozen=True, slots=True)
class WatchState:
    """How changes are noticed: `live` by events, `polling` every `every_s` seconds for `reason`, or `off`."""

    kind: Literal["live", "polling", "off"]
    reason: str = ""
    every_s: float = 0.0

    @property
    def text(self) -> str:
        """The state for the status pane; it may hold the name of a file system from the kernel's table."""
        if self.kind == "polling":
            return _("polling every {seconds} s: {reason}").format(
                seconds=f"{self.every_s:g}", reason=self.reason
            )
        if self.kind == "off":
            return _("not watching: {reason}").format(reason=self.reason)
        return _("live")


LIVE = WatchState("live")
"""Everything is watched by events."""


class Pacer(Protocol):
    """The clock of one watcher thread: seconds that never go back, and a wait that others can end."""

    def now(self) -> float:
        """Seconds since some moment."""
        ...

    def wait(self, seconds: float) -> None:
        """Return after `seconds`, or as soon as `wake` was called since the last wait."""
        ...

    def wake(self) -> None:
        """End the wait, now or the next one; from any thread."""
        ...


class SystemPacer:
    """The real `Pacer`: the system's monotonic clock, which no change of the date touches."""

    def __init__(self) -> None:
        self._awake = threading.Event()

    def now(self) -> float:
        """Seconds of the monotonic clock."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """See `Pacer.wait`."""
        self._awake.wait(max(seconds, 0.0))
        self._awake.clear()

    def wake(self) -> None:
        """See `Pacer.wake`."""
        self._awake.set()
