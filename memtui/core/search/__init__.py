"""Search: everything that was saved or said, found by its words. Nothing is written, no index is needed.

An index can take the place of a source later; what a receiver sees are the hits alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from memtui.core.layouts.base import Snapshot
from memtui.core.search.base import Cancelled, HiddenBecause, Hit, Results, Search, Source
from memtui.core.search.by_id import IdSource
from memtui.core.search.filters import Filters
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
) -> Search:
    """What a pasted id names; the memories that match, best first; the messages of sessions, newest first.

    `hidden` counts sessions that were left out before; `now` is what the days of a query are counted from.
    Nothing is read before the first hit is asked for; no step runs long after `cancelled()`. Never raises.
    """
    sessions = tuple(sessions)
    sources = (IdSource(sessions), MemorySource(snapshots), SessionSource(sessions, hidden))
    return Search(parse(typed, now), sources, cancelled)
