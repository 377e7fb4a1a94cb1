"""The system's own file events, through watchdog; the only module that knows it, and it is imported late."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import ObservedWatch

_ROOM = "/"
# no opened and closed_no_write: our own reads would wake us; no directory's `modified`: it repeats what
# happened to the entry, and would wake us for temp names
_EVENTS = (
    *("FileCreatedEvent", "FileModifiedEvent", "FileAttribEvent", "FileDeletedEvent", "FileMovedEvent"),
    *("FileClosedEvent", "DirCreatedEvent", "DirDeletedEvent", "DirMovedEvent", "DirAttribEvent"),
)
_READS = ("opened", "closed_no_write")


class Native(Protocol):
    """A source of events about directories; its methods are called by one thread."""

    def watch(self, path: str, *, recursive: bool) -> None:
        """Report what happens in a directory that is not watched yet. Raises OSError (28, 24 at the limit)."""
        ...

    def forget(self, path: str) -> None:
        """Stop watching a directory; nothing happens when it is not watched."""
        ...

    def is_watching(self, path: str) -> bool:
        """Whether events of a directory can still come; false once it was removed."""
        ...

    def check_room(self) -> None:
        """Raise OSError when no further directory could be watched, so that some below may be missing."""
        ...

    def close(self) -> None:
        """End all threads and free all descriptors."""
        ...


NativeFactory = Callable[[Callable[[tuple[str, ...]], None], Callable[[], None]], Native]
"""Makes a started source. Both functions are called from its threads: the first with the paths an event is
about, the second when events were lost. Raises OSError at the limit."""


class WatchdogNative:
    """Events by watchdog: inotify, FSEvents or kqueue; on Linux two threads and three descriptors, and a thread
    for each directory given to `watch`. The constructor starts it and raises OSError at the limit.
    """

    def __init__(self, on_paths: Callable[[tuple[str, ...]], None], on_lost: Callable[[], None]) -> None:
        from watchdog import events, observers

        class Handler(events.FileSystemEventHandler):
            """Hands on the paths of an event."""

            def on_any_event(self, event: FileSystemEvent) -> None:
                if event.event_type not in _READS:
                    on_paths(tuple(os.fsdecode(path) for path in (event.src_path, event.dest_path) if path))

        self._handler = Handler()
        self._events = [getattr(events, name) for name in _EVENTS if hasattr(events, name)]
        self._watches: dict[str, ObservedWatch] = {}
        self._log = _LostEvents(on_lost)
        logger = _quiet_logger()
        self._observer = observers.Observer(timeout=1.0)
        try:
            self._observer.start()
        except BaseException:
            # its reading thread runs from the constructor on
            self._observer.stop()
            raise
        logger.addHandler(self._log)

    def watch(self, path: str, *, recursive: bool) -> None:
        """See `Native.watch`."""
        if path not in self._watches:
            self._watches[path] = self._schedule(path, recursive=recursive)

    def _schedule(self, path: str, *, recursive: bool) -> ObservedWatch:
        return self._observer.schedule(self._handler, path, recursive=recursive, event_filter=self._events)

    def forget(self, path: str) -> None:
        """See `Native.forget`."""
        watch = self._watches.pop(path, None)
        if watch is not None:
            self._unschedule(watch)

    def _unschedule(self, watch: ObservedWatch) -> None:
        try:
            self._observer.unschedule(watch)
        except (KeyError, OSError):
            # gone already, and its watch in the kernel with it
            return

    def is_watching(self, path: str) -> bool:
        """See `Native.is_watching`: a removed directory ends its emitter while the observer lives on."""
        watch = self._watches.get(path)
        alive = {emitter.watch for emitter in self._observer.emitters if emitter.is_alive()}
        return watch is not None and self._observer.is_alive() and watch in alive

    def check_room(self) -> None:
        """See `Native.check_room`: watchdog says nothing when a directory below a watched one got no watch."""
        if sys.platform == "linux" and _ROOM not in self._watches:
            self._unschedule(self._schedule(_ROOM, recursive=False))

    def close(self) -> None:
        """See `Native.close`."""
        _quiet_logger().removeHandler(self._log)
        self._observer.stop()
        if self._observer.is_alive():
            self._observer.join()
        self._watches.clear()


class _LostEvents(logging.Handler):
    """Notices watchdog saying in its log that the kernel dropped events; there is no other way to know."""

    def __init__(self, on_lost: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._on_lost = on_lost

    def emit(self, record: logging.LogRecord) -> None:
        if "overflow" in record.getMessage().lower():
            self._on_lost()


_NOWHERE = logging.NullHandler()


def _quiet_logger() -> logging.Logger:
    # what nobody handles is printed on stderr, which is the screen of the app; watchdog 7 warns of every
    # `mkdir -p` below a watched directory
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
    logger = logging.getLogger("watchdog")
    logger.addHandler(_NOWHERE)
    logger.propagate = False
    return logger
