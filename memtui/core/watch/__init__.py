"""Seeing what other programs do to the files on the screen while they do it.

Directories are watched, never files, and any event only means "look again". See `Watcher`.
"""

from __future__ import annotations

from memtui.core.watch.native import Native, NativeFactory
from memtui.core.watch.roots import Root
from memtui.core.watch.times import LIVE, Pacer, SystemPacer, Times, WatchState
from memtui.core.watch.watcher import Watcher

__all__ = ["LIVE", "Native", "NativeFactory", "Pacer", "Root", "SystemPacer", "Times", "WatchState", "Watcher"]
