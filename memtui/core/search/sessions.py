"""Searching sessions by reading them: newest first, by their bytes; only lines that may match are decoded."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Literal

from memtui.core.safety import display
from memtui.core.search.backward import Lines, backward
from memtui.core.search.base import Cancelled, HiddenBecause, Hit
from memtui.core.search.fold import fold
from memtui.core.search.prefilter import Prefilter
from memtui.core.search.query import Query, Span, spans
from memtui.core.search.record_texts import ID_CHARACTERS, SEARCHED, Said, texts
from memtui.core.search.snippet import Snippet, snippet
from memtui.core.sessions.base import Branch, PartKind, Session
from memtui.core.sessions.blocks import BRANCHES
from memtui.core.sessions.chain import Chain
from memtui.core.sessions.listing import newest_first
from memtui.core.sessions.reader import Reader, opened
from memtui.core.sessions.records import HEAD_BYTES, Found, id_text, look_at_last, oversized, parse_object, scan
from memtui.core.sessions.resume import resume_command
from memtui.core.sessions.times import message_time

_ORDER = ("text", "bash", "tool_call", "tool_result", "thinking", "note")


class SessionSource:
    """The messages of sessions, newest session first and newest message first within each.

    `searched` counts the sessions that were looked through. One search at a time.
    """

    def __init__(self, sessions: Iterable[Session], hidden: Mapping[HiddenBecause, int] | None = None) -> None:
        self.hidden: Counter[HiddenBecause] = Counter(hidden or {})
        self.searched = 0
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
        seen: set[int] = set()
        for session in self._sessions:
            if cancelled():
                return
            if query.filters.fits_session(session):
                try:
                    with opened(session.file) as reader:
                        yield from _One(session, reader, query, prefilter, seen, self.hidden, cancelled).hits()
                except OSError:
                    self.hidden["unreadable"] += 1
            self.searched += 1


class _One:
    """The search of one file."""

    def __init__(
        self,
        session: Session,
        reader: Reader,
        query: Query,
        prefilter: Prefilter,
        seen: set[int],
        hidden: Counter[HiddenBecause],
        cancelled: Cancelled,
    ) -> None:
        self._session = session
        self._reader = reader
        self._query = query
        self._prefilter = prefilter
        self._seen = seen
        self._hidden = hidden
        self._cancelled = cancelled
        self._maker = HitMaker(session, reader, query, cancelled)

    def hits(self) -> Iterator[Hit]:
        for lines in backward(self._reader, self._cancelled):
            if lines.data is None:
                self._hidden["too-long"] += 1
                continue
            for span in reversed(self._lines(lines.data)):
                for found in reversed(records_on(lines, span)):
                    if self._cancelled():
                        return
                    hit = self._hit(lines, lines.data, found)
                    if hit is not None:
                        yield hit

    def _lines(self, data: bytes) -> list[Span]:
        return self._prefilter.lines(data) if self._query.words else [(0, len(data))]

    def _hit(self, lines: Lines, data: bytes, found: Found) -> Hit | None:
        filters = self._query.filters
        if found.kind not in SEARCHED or (filters.roles and found.kind not in filters.roles):
            return None
        first = found.offset - lines.offset
        record = found.record or parse_object(data[first : first + found.length])
        if record is None:
            return None
        when = message_time(record) or self._session.updated
        if not filters.fits_entry(found.kind, when):
            return None
        said = [item for item in texts(record, found.kind) if filters.fits_part(item.part)]
        matched = self._match(said)
        if matched is None or (found.kind == "session" and self._is_too_short_for_an_id):
            return None
        if self._is_copy(record, found, said):
            self._hidden["copy"] += 1
            return None
        part, shown = matched
        return self._maker.hit(lines, found, part, shown, when)

    def _match(self, said: list[Said]) -> tuple[PartKind, Snippet] | None:
        """The part that shows most of the words, if all of them are in some part."""
        if not self._query.words:
            return most_telling(self._query, said)
        missing = set(range(len(self._query.words)))
        best: tuple[int, int, Said] | None = None
        for item in said:
            folded = fold(item.text)
            held = [number for number, word in enumerate(self._query.words) if word.find(folded) is not None]
            missing.difference_update(held)
            rank = (len(held), -_ORDER.index(item.part))
            if held and (best is None or rank > best[:2]):
                best = (*rank, item)
        if missing or best is None:
            return None
        return best[2].part, snippet(self._query, best[2].text)

    def _is_copy(self, record: dict[str, Any], found: Found, said: list[Said]) -> bool:
        """Whether this very message was found before: forks copy entries with their ids and times."""
        message = record.get("message")
        own = message.get("timestamp") if isinstance(message, dict) else None
        when = (record.get("timestamp"), own)
        if found.id is None and not any(when):
            return False
        key = hash((found.id, repr(when), found.kind, tuple(said)))
        known = key in self._seen
        self._seen.add(key)
        return known

    @cached_property
    def _is_too_short_for_an_id(self) -> bool:
        words = self._query.words
        return not words or any(len(word.text) < ID_CHARACTERS for word in words)


class HitMaker:
    """Makes the hits in one file; these must come from its end to its start."""

    def __init__(self, session: Session, reader: Reader, query: Query, cancelled: Cancelled) -> None:
        self._session = session
        self._query = query
        self._branches = _Branches(reader, session.version == 1, cancelled)

    def hit(
        self, lines: Lines, found: Found, part: PartKind | Literal[""], shown: Snippet, when: datetime
    ) -> Hit:
        """The hit of an entry on some lines, shown by a part of it; `when` is its time."""
        return dataclasses.replace(
            self._usual,
            id=id_text(found.id),
            snippet=shown.text,
            matches=shown.matches,
            updated=when,
            offset=found.offset,
            role=found.kind,
            part=part,
            branch="active" if found.kind == "session" else self._branches.of(lines.offset, found.offset),
        )

    @cached_property
    def _usual(self) -> Hit:
        """What all hits of this file have in common."""
        session = self._session
        return Hit(
            kind="session",
            id="",
            agent=session.agent,
            title=session.title,
            file=session.file,
            snippet="",
            matches=(),
            updated=None,
            session=session.id,
            resume=resume_command(session),
            title_matches=spans(self._query, display.line(session.title)),
            session_row=session,
        )


class _Branches:
    """Which branch entries are on, found by walking the file from its end as far down as hits ask for."""

    def __init__(self, reader: Reader, linear: bool, cancelled: Cancelled) -> None:
        self._reader = reader
        self._chain = Chain(linear)
        self._lines = backward(reader, cancelled)
        self._at: int | None = None
        self._known: dict[int, int] = {}

    def of(self, lines_offset: int, offset: int) -> Branch:
        """The branch of an entry of the lines at `lines_offset`; these must not rise from call to call."""
        if self._chain.linear:
            return "active"
        while self._at is None or self._at > lines_offset:
            lines = next(self._lines, None)
            if lines is None:
                return "unknown"
            self._at = lines.offset
            if lines.data is None:
                found = [oversized(self._reader.at(lines.offset, HEAD_BYTES), lines.offset, 0)]
            else:
                found = records_on(lines, (0, len(lines.data)))
            branches = self._chain.walk(found)
            self._known = {item.offset: branch for item, branch in zip(found, branches, strict=True)}
        return BRANCHES[self._known.get(offset, 0)]


def most_telling(query: Query, said: Sequence[Said]) -> tuple[PartKind, Snippet] | None:
    """What shows an entry when no word does: what was said before what was run; None when there is nothing."""
    if not said:
        return None
    best = min(said, key=lambda item: _ORDER.index(item.part))
    return best.part, snippet(query, best.text)


def records_on(lines: Lines, span: tuple[int, int]) -> list[Found]:
    """The records on the lines within a span of the data; a last line that is still being written has none."""
    data = lines.data or b""
    first, last = span
    whole = last if lines.ended or last < len(data) else data.rfind(b"\n", first, last) + 1
    whole = max(whole, first)
    found = scan(data[first:whole], lines.offset + first) if whole > first else []
    if whole < last:
        found += look_at_last(data[whole:last], lines.offset + whole) or []
    return found
