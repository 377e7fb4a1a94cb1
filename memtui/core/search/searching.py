"""One search over memories and sessions; what a receiver sees are the hits.

An index of the sessions says where to look; without one the files are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from memtui.core.layouts.base import Snapshot
from memtui.core.search.base import Cancelled, HiddenBecause, Hit, Results, Search, Source, Step, no_matter
from memtui.core.search.by_id import IdSource
from memtui.core.search.filters import Filters
from memtui.core.search.index.reader import IndexReader
from memtui.core.search.index.source import IndexSource
from memtui.core.search.memories import MemorySource
from memtui.core.search.query import Query, filter_spans, parse, spans
from memtui.core.search.sessions import SessionSource
from memtui.core.sessions.base import Session
from memtui.core.sessions.reader import never

__all__ = ["Filters", "HiddenBecause", "Hit", "Query", "Results", "Search", "Source", "filter_spans", "parse"]
__all__ += ["search", "spans"]


def search(
    typed: str,
    snapshots: Iterable[Snapshot],
    sessions: Iterable[Session],
    cancelled: Cancelled = never,
    hidden: Mapping[HiddenBecause, int] | None = None,
    now: datetime | None = None,
    index: IndexReader | None = None,
    *,
    folds: bool = False,
    reads_all: bool = True,
    before_long: Callable[[Step], None] = no_matter,
) -> Search:
    """What a pasted id names; the memories that match, best first; the messages of sessions.

    These come newest first, by an index best first. `hidden` counts sessions that were left out before; `now`
    is what the days of a query are counted from; `folds`, `reads_all` and `before_long` are `IndexSource`'s.
    Nothing is read before the first hit is asked for; no step runs long after `cancelled()`. Never raises.
    """
    sessions = tuple(sessions)
    if index is None:
        said: Source = SessionSource(sessions, hidden)
    else:
        said = IndexSource(index, sessions, hidden, folds=folds, reads_all=reads_all, before_long=before_long)
    return Search(parse(typed, now), (IdSource(sessions, index), MemorySource(snapshots), said), cancelled)
