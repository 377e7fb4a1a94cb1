"""When Python looks for garbage: while nobody presses a key, since the look takes longer than a key may."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.app import App
    from textual.timer import Timer

UNASKED_AFTER = (30_000, 30, 20)
"""After so many new objects, and rounds, Python looks also while keys come (by default 700, 10, 10)."""

WORTH_A_LOOK = 5_000
"""So many new objects are looked through when keys pause; each thousand takes some tenths of a millisecond."""

PAUSE_S = 0.35
"""So long without a key is a pause (seconds)."""

OLDER_EVERY = 10
"""Every so many times what was left by the times before is looked through again."""


class Garbage:
    """Looks for garbage when keys pause. Lives in the UI thread."""

    def __init__(self, app: App[int]) -> None:
        self._app = app
        self._timer: Timer | None = None
        self._looks = 0

    def start(self) -> None:
        """From now on, at what comes: what there is stays."""
        self.leave_out_what_there_is()
        gc.set_threshold(*UNASKED_AFTER)
        gc.enable()

    def leave_out_what_there_is(self) -> None:
        """What there is now stays for long, and is never looked through."""
        gc.freeze()

    def key(self) -> None:
        """Somebody pressed a key."""
        if self._timer is not None:
            self._timer.reset()
        elif gc.isenabled():
            self._timer = self._app.set_timer(PAUSE_S, self._look)

    def _look(self) -> None:
        self._timer = None
        if gc.get_count()[0] >= WORTH_A_LOOK:
            self._looks += 1
            gc.collect(0 if self._looks % OLDER_EVERY else 1)
