"""Searching sessions by reading them: newest first, by their bytes; only lines that may match are decoded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from memtui.core.search.backward import Lines, backward
from memtui.core.search.base import Cancelled, HiddenBecause, Hit
from memtui.core.search.copy_keys import NO_COPY, key_of
from memtui.core.search.hit_maker import HitMaker, best_match, records_on
from memtui.core.search.prefilter import Prefilter
from memtui.core.search.query import Query, Span
from memtui.core.search.record_texts import ID_CHARACTERS, SEARCHED, Said, texts
from memtui.core.sessions.base import Session
from memtui.core.sessions.listing import newest_first
from memtui.core.sessions.reader import Reader, opened
from memtui.core.sessions.records import Found, look, parse_object
from memtui.core.sessions.times import message_time

Meant = Callable[[Query, Sequence[Said]], Query | None]
"""The query with its words as a message has them, None when it has nothing like them."""


class SessionSource:
    """The messages of sessions, newest session first and newest message first within each.

    `searched` counts the sessions that were looked through; of those in `starts` only what stands from that
    offset on is. `seen` are keys of messages (`copy_keys`) that were found already. One search at a time.
    """

    def __init__(
        self,
        sessions: Iterable[Session],
        hidden: Mapping[HiddenBecause, int] | None = None,
        starts: Mapping[Path, int] | None = None,
        seen: set[int] | None = None,
    ) -> None:
        self.hidden: Counter[HiddenBecause] = Counter(hidden or {})
        self.searched = 0
        self.beyond = 0
        self.suggestion = ""
        self._starts = starts or {}
        self._seen = set() if seen is None else seen
        self._sessions = newest_first(sessions)

    @property
    def count(self) -> int:
        """How many sessions there are to search."""
        return len(self._sessions)

    def search(self, query: Query, cancelled: Cancelled) -> Iterator[Hit]:
        """The messages that hold all words, as they are found. A message in several files is given once.

        Without words it is all that pass the filters.
        """
        prefilter = Prefilter(query)
        for session in self._sessions:
            if cancelled():
                return
            if query.filters.fits_session(session):
                try:
                    with opened(session.file) as reader:
                        one = FileSearch(session, reader, query, self.hidden, cancelled)
                        yield from one.hits(prefilter, self._seen, self._starts.get(session.file, 0))
                except OSError:
                    self.hidden["unreadable"] += 1
            self.searched += 1


class FileSearch:
    """The search of one file. What it leaves out is counted in `hidden`."""

    def __init__(
        self,
        session: Session,
        reader: Reader,
        query: Query,
        hidden: Counter[HiddenBecause],
        cancelled: Cancelled,
    ) -> None:
        self._session = session
        self._reader = reader
        self._query = query
        self._hidden = hidden
        self._cancelled = cancelled

    def hits(self, prefilter: Prefilter, seen: set[int], start: int = 0) -> Iterator[Hit]:
        """The messages that hold all words, the last ones first, down to the line that begins at `start`.

        `seen` are the keys of messages that were found already, in this file or in others.
        """
        maker = HitMaker(self._session, self._reader, self._query, self._cancelled, start=start)
        for lines in backward(self._reader, self._cancelled, start=start):
            if lines.data is None:
                self._hidden["too-long"] += 1
                continue
            for span in reversed(self._lines(prefilter, lines.data)):
                for found in reversed(records_on(lines, span)):
                    if self._cancelled():
                        return
                    hit = self._hit(maker, lines, found, seen)
                    if hit is not None:
                        yield hit

    def hit_at(self, maker: HitMaker, offset: int, length: int, meant: Meant | None = None) -> Hit | None:
        """The message whose record stands at a place, if it holds all words, or what was `meant` by them."""
        lines = Lines(offset, self._reader.at(offset, length))
        data = lines.data or b""
        if len(data) < length:
            return None
        found = next((item for item in look(data, offset) if item.kind in SEARCHED), None)
        told = None if found is None else self._told(lines, found)
        if found is None or told is None:
            return None
        _record, said, when = told
        query = self._query if meant is None else meant(self._query, said)
        matched = None if query is None else best_match(query, said)
        if query is None or matched is None:
            return None
        return maker.hit(lines, found, *matched, when, is_fuzzy=query is not self._query)

    def _lines(self, prefilter: Prefilter, data: bytes) -> list[Span]:
        return prefilter.lines(data) if self._query.words else [(0, len(data))]

    def _hit(self, maker: HitMaker, lines: Lines, found: Found, seen: set[int]) -> Hit | None:
        told = self._told(lines, found)
        if told is None:
            return None
        record, said, when = told
        matched = best_match(self._query, said)
        if matched is None:
            return None
        key = key_of(record, found.kind, texts(record, found.kind))
        if key != NO_COPY:
            if key in seen:
                self._hidden["copy"] += 1
                return None
            seen.add(key)
        return maker.hit(lines, found, *matched, when)

    def _told(self, lines: Lines, found: Found) -> tuple[dict[str, Any], list[Said], datetime] | None:
        """A record on some lines with what of it is searched, and its time; None for one that is left out."""
        filters = self._query.filters
        if found.kind not in SEARCHED or (filters.roles and found.kind not in filters.roles):
            return None
        if found.kind == "session" and self._is_too_short_for_an_id:
            return None
        first = found.offset - lines.offset
        record = found.record or parse_object((lines.data or b"")[first : first + found.length])
        if record is None:
            return None
        when = message_time(record) or self._session.updated
        if not filters.fits_entry(found.kind, when):
            return None
        return record, [item for item in texts(record, found.kind) if filters.fits_part(item.part)], when

    @cached_property
    def _is_too_short_for_an_id(self) -> bool:
        words = self._query.words
        return not words or any(len(word.text) < ID_CHARACTERS for word in words)
