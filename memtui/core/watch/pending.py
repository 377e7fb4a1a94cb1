"""Paths that changed and were not announced yet, united under a lock."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from memtui.core.watch.times import Times


class Pending:
    """Collects changed paths from any thread and knows when they are to be announced."""

    def __init__(self, clock: Callable[[], float], times: Times) -> None:
        self._clock, self._times = clock, times
        self._lock = threading.Lock()
        self._paths: set[str] = set()
        self._first_s: float | None = None
        self._last_s = 0.0
        self._announced_s = float("-inf")

    def add(self, paths: Iterable[str]) -> bool:
        """Take paths in (none at all asks for an announcement without one); True when nothing waited before."""
        with self._lock:
            was_empty = self._first_s is None
            self._last_s = self._clock()
            if self._first_s is None:
                self._first_s = self._last_s
            self._paths.update(paths)
            return was_empty

    def due_s(self) -> float | None:
        """The moment of the next announcement on the clock, None when there is nothing to announce."""
        with self._lock:
            return self._due_s()

    def _due_s(self) -> float | None:
        if self._first_s is None:
            return None
        settled = min(self._last_s + self._times.quiet_s, self._first_s + self._times.latest_s)
        return max(settled, self._announced_s + self._times.gap_s)

    def take(self) -> frozenset[str] | None:
        """What is to be announced now, None when nothing is due; what comes later waits for the next time."""
        with self._lock:
            due, now = self._due_s(), self._clock()
            if due is None or now < due:
                return None
            paths = frozenset(self._paths)
            self._paths.clear()
            self._first_s, self._announced_s = None, now
            return paths
