"""Search: everything that was saved or said, found by its words. Nothing is written, no index is needed.

An index can take the place of a source later; what a receiver sees are the hits alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memtui.core.layouts.base import Snapshot
from memtui.core.search.base import Cancelled, HiddenBecause, Hit, Results, Search, Source
from memtui.core.search.memories import MemorySource
from memtui.core.search.query import Query, parse, spans
from memtui.core.search.sessions import SessionSource
from memtui.core.sessions.base import Session
from memtui.core.sessions.reader import never

__all__ = ["HiddenBecause", "Hit", "Query", "Results", "Search", "Source", "parse", "search", "spans"]


def search(
    typed: str,
    snapshots: Iterable[Snapshot],
    sessions: Iterable[Session],
    cancelled: Cancelled = never,
    hidden: Mapping[HiddenBecause, int] | None = None,
) -> Search:
    """The memories that match, best first, then the messages of sessions, newest first.

    `hidden` counts sessions that were left out before. Nothing is read before the first hit is asked for; no
    step runs long after `cancelled()`. Never raises.
    """
    return Search(parse(typed), (MemorySource(snapshots), SessionSource(sessions, hidden)), cancelled)
