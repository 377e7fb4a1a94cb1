"""The closer look at what is on the screen, in a thread of its own, with a count. Lives in the UI thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from memtui.core.errors import MemtuiError
from memtui.i18n import _
from memtui.ui.seeking import Errand, Seeker, Sought
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.inspection import Findings, Inspection
    from memtui.core.layouts.base import Snapshot
    from memtui.ui.desk import Desk
    from memtui.ui.seeking import Cancelled

POST_EVERY_S = 0.2
"""A count is posted at most this often, so that one of a few memories is never seen."""


class Inspected(Message):
    """How many memories were looked at closer so far. Posted by the thread that does it."""

    def __init__(self, done: int, total: int) -> None:
        super().__init__()
        self.done = done
        self.total = total


class Inspecting:
    """Looks closer at whatever was read last; a newer look takes the place of one that is under way."""

    def __init__(self, desk: Desk, clock: Callable[[], float] = time.monotonic) -> None:
        self._desk = desk
        self._clock = clock
        self._seeker = Seeker(desk.app.post_message)
        self._one_at_a_time = threading.Lock()
        self._inspection: Inspection | None = None
        self._about: Sequence[Snapshot] | None = None
        self._count: tuple[int, int] | None = None
        self.findings: Findings | None = None
        """What is known by now; frozen, and read by the work thread."""

    @property
    def idle(self) -> threading.Event:
        """Set while nothing is looked at."""
        return self._seeker.idle

    @property
    def line(self) -> list[Span]:
        """What the status says of it, nothing while there is nothing to wait for."""
        if self._count is None:
            return []
        words = _("checking {done:,} of {total:,}").format(done=self._count[0], total=self._count[1])
        return [(words, "muted")]

    def inspect(self, snapshots: Sequence[Snapshot]) -> None:
        """Look closer at these stores, unless that was done."""
        if snapshots is self._about:
            return
        self._about = snapshots
        self._seeker.seek(Errand(lambda cancelled: self._run(snapshots, cancelled), self._done, self._failed))

    def _run(self, snapshots: Sequence[Snapshot], cancelled: Cancelled) -> Findings | None:
        from memtui.core.inspection import Inspection

        posted_at = self._clock()

        def progress(done: int, total: int) -> None:
            nonlocal posted_at
            if self._clock() - posted_at > POST_EVERY_S and not cancelled():
                posted_at = self._clock()
                self._desk.app.post_message(Inspected(done, total))

        # one that is not wanted any more ends within a memory, and hands over what it knows
        with self._one_at_a_time:
            if self._inspection is None:
                self._inspection = Inspection(self._desk.app.env)
            return self._inspection.inspect(snapshots, cancelled, progress)

    def goes_on(self, message: Inspected) -> None:
        """Show how far it is."""
        if not self.idle.is_set():
            self._count = (message.done, message.total)
            self._desk.show_status()

    def heard(self, sought: Sought) -> None:
        """Show what was found."""
        self._seeker.heard(sought)

    def _done(self, findings: Findings | None) -> None:
        self.findings = findings
        self._ended()
        self._desk.live.show_findings()

    def _failed(self, error: MemtuiError) -> None:
        self._ended()
        self._about = None
        self._desk.say_error(error)

    def _ended(self) -> None:
        if self._count is not None:
            self._count = None
            self._desk.show_status()

    def close(self) -> None:
        """End within one memory."""
        self._seeker.close()
