"""A watcher for tests that says what the test says, and remembers what it was told."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memtui.core.watch import LIVE, Root, WatchState
from memtui.ui.live import OnChange


class PlayedWatcher:
    """Make one with `watch_with(watcher)`; it is started by the app."""

    def __init__(self) -> None:
        self.state: WatchState = LIVE
        self.roots: tuple[Root, ...] = ()
        self.hot: tuple[Path, ...] = ()
        self.started = self.closed = False
        self._on_change: OnChange | None = None

    def make(self, roots: Iterable[Root], on_change: OnChange) -> PlayedWatcher:
        """What the app calls to get its watcher."""
        self.roots, self._on_change = tuple(roots), on_change
        return self

    def start(self) -> None:
        self.started = True

    def set_roots(self, roots: Iterable[Root]) -> None:
        self.roots = tuple(roots)

    def set_hot(self, paths: Iterable[Path]) -> None:
        self.hot = tuple(paths)

    def close(self) -> None:
        self.closed = True

    def say(self, *paths: Path) -> None:
        """Something happened at these paths."""
        assert self._on_change is not None
        self._on_change(frozenset(paths))
