"""The known sessions as the UI gets them: all that takes longer with many of them is made ready beforehand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from heapq import nlargest
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    from memtui.core.library import Folded, HiddenBecause, Library, Session
    from memtui.core.watch import Root

HOT = timedelta(minutes=10)
"""Sessions that were written to so recently are looked at most often."""

MOST_HOT = 20

FIRST_AFTER_S, SLOWER, MOST_EVERY_S = 0.1, 1.5, 1.0
"""How soon a first partial list is made, and how much longer it takes to each further one: whoever types would
wait for the paint of each."""

SHARE = 40
"""Making partial lists takes at most one part in so many of the time."""


@dataclass(frozen=True, slots=True)
class Listed:
    """All sessions, the newest first; `folded` are the same, each once, and `here` those of this project.

    `counting` while counts still come. `hidden` counts those that are not of this project, by reason. `late`
    are those that were written to last. `state` is another number once a file came, went or grew: what is
    searched for may be in it. Made in the thread that lists, by `listed`.
    """

    sessions: tuple[Session, ...]
    folded: tuple[Folded, ...]
    here: tuple[Folded, ...]
    hidden: Mapping[HiddenBecause, int]
    by_file: Mapping[str, Session]
    late: tuple[Session, ...]
    roots: tuple[Root, ...]
    counting: bool
    state: int

    def hot(self, now: datetime) -> list[Path]:
        """The files that may be growing, the one that was written to last first."""
        at, span_s = now.timestamp(), HOT.total_seconds()
        return [session.file for session in self.late if abs(at - session.mtime) < span_s]


def listed(library: Library, sessions: Iterable[Session], *, counting: bool) -> Listed:
    """What there is to show of some sessions."""
    from memtui.core.library import fold_copies, newest_first
    from memtui.core.watch import Root

    newest = tuple(newest_first(sessions))
    here, hidden = library.split(newest)
    return Listed(
        newest,
        tuple(fold_copies(newest)),
        tuple(fold_copies(here)),
        dict(+hidden),
        {session.where: session for session in newest},
        tuple(nlargest(MOST_HOT, newest, key=lambda session: session.mtime_ns)),
        (Root(library.places.directory),),
        counting,
        hash(frozenset((session.where, session.size_bytes) for session in newest)),
    )


class Pace:
    """When the next partial result is due: the first one soon, then less and less often, down to each
    `MOST_EVERY_S`; later where one takes long to make."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._every_s, self._clock = FIRST_AFTER_S, clock
        self._due_at = clock() + FIRST_AFTER_S

    @property
    def is_due(self) -> bool:
        """Whether it is time."""
        return self._clock() >= self._due_at

    @contextmanager
    def making(self) -> Iterator[None]:
        """One is made within the block."""
        start = self._clock()
        yield
        end = self._clock()
        self._every_s = min(MOST_EVERY_S, self._every_s * SLOWER)
        self._due_at = end + max(self._every_s, (end - start) * SHARE)
