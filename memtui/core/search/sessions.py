"""Searching sessions by reading them: newest first, by their bytes; only lines that may match are decoded."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from memtui.core.safety import display
from memtui.core.search.backward import Lines, backward
from memtui.core.search.base import Cancelled, HiddenBecause, Hit
from memtui.core.search.copies import NO_COPY, key_of
from memtui.core.search.fold import fold
from memtui.core.search.prefilter import Prefilter
from memtui.core.search.query import Query, spans
from memtui.core.search.record_texts import ID_CHARACTERS, SEARCHED, Said, texts
from memtui.core.search.snippet import Snippet, snippet
from memtui.core.sessions.base import Branch, PartKind, Session
from memtui.core.sessions.blocks import BRANCHES
from memtui.core.sessions.chain import Chain
from memtui.core.sessions.listing import newest_first
from memtui.core.sessions.reader import Reader, opened
from memtui.core.sessions.records import (
    HEAD_BYTES,
    Found,
    id_text,
    look,
    look_at_last,
    oversized,
    parse_object,
    scan,
)
from memtui.core.sessions.resume import resume_command
from memtui.core.sessions.times import message_time

_ORDER = ("text", "bash", "tool_call", "tool_result", "thinking", "note")


class SessionSource:
    """The messages of sessions, newest session first and newest message first within each.

    `searched` counts the sessions that were looked through; of those in `starts` only what stands from that
    offset on is. `seen` are keys of messages (`copies`) that were found already. One search at a time.
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
        self._starts = starts or {}
        self._seen = set() if seen is None else seen
        self._sessions = newest_first(sessions)

    @property
    def count(self) -> int:
        """How many sessions there are to search."""
        return len(self._sessions)

    def search(self, query: Query, cancelled: Cancelled) -> Iterator[Hit]:
        """The messages that hold all words, as they are found. A message in several files is given once."""
        prefilter = Prefilter(query)
        for session in self._sessions:
            if cancelled():
                return
            try:
                with opened(session.file) as reader:
                    one = FileSearch(session, reader, query, prefilter, self._seen, self.hidden, cancelled)
                    yield from one.hits(self._starts.get(session.file, 0))
            except OSError:
                self.hidden["unreadable"] += 1
            self.searched += 1


class FileSearch:
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
        self._branches = _Branches(reader, session.version == 1, cancelled)

    def hits(self, start: int = 0) -> Iterator[Hit]:
        """The messages that hold all words, the last ones first, down to the line that begins at `start`."""
        self._branches.start = start
        for lines in backward(self._reader, self._cancelled, start=start):
            if lines.data is None:
                self._hidden["too-long"] += 1
                continue
            for span in reversed(self._prefilter.lines(lines.data)):
                if self._cancelled():
                    return
                for found in reversed(records_on(lines, span)):
                    hit = self._hit(lines, lines.data, found)
                    if hit is not None:
                        yield hit

    def _hit(self, lines: Lines, data: bytes, found: Found) -> Hit | None:
        if found.kind not in SEARCHED:
            return None
        first = found.offset - lines.offset
        record = found.record or parse_object(data[first : first + found.length])
        if record is None:
            return None
        said = list(texts(record, found.kind))
        matched = self._match(said)
        if matched is None or (found.kind == "session" and self._is_too_short_for_an_id):
            return None
        if self._is_copy(record, found, said):
            self._hidden["copy"] += 1
            return None
        branch = "active" if found.kind == "session" else self._branches.of(lines.offset, found.offset)
        return self._made(record, found, *matched, branch)

    def _made(
        self, record: dict[str, Any], found: Found, part: PartKind, shown: Snippet, branch: Branch
    ) -> Hit:
        return dataclasses.replace(
            self._usual,
            id=id_text(found.id),
            snippet=shown.text,
            matches=shown.matches,
            updated=message_time(record) or self._session.updated,
            offset=found.offset,
            role=found.kind,
            part=part,
            branch=branch,
        )

    def hit_at(self, offset: int, length: int, *, is_linear: bool) -> Hit | None:
        """The message whose record stands at a place, if it holds all words. `is_linear`: the file has but one
        branch; else places must not rise from call to call."""
        found = self._record_at(offset, length)
        if found is None or found.record is None:
            return None
        matched = self._match(list(texts(found.record, found.kind)))
        if matched is None or (found.kind == "session" and self._is_too_short_for_an_id):
            return None
        return self._made(found.record, found, *matched, self._branch(found, is_linear=is_linear))

    def alike_at(
        self, offset: int, length: int, meant: Callable[[Query, list[Said]], Query | None], *, is_linear: bool
    ) -> Hit | None:
        """The message at a place, with what in it was `meant` by the words; None when nothing was."""
        found = self._record_at(offset, length)
        if found is None or found.record is None or found.kind == "session":
            return None
        said = list(texts(found.record, found.kind))
        query = meant(self._query, said)
        matched = None if query is None else _match(query, said)
        if matched is None:
            return None
        hit = self._made(found.record, found, *matched, self._branch(found, is_linear=is_linear))
        return dataclasses.replace(hit, is_fuzzy=query is not self._query)

    def _record_at(self, offset: int, length: int) -> Found | None:
        data = self._reader.at(offset, length)
        if len(data) < length:
            return None
        return next((item for item in look(data, offset) if item.kind in SEARCHED), None)

    def _branch(self, found: Found, *, is_linear: bool) -> Branch:
        if is_linear or found.kind == "session":
            return "active"
        return self._branches.of(found.offset, found.offset)

    def _match(self, said: list[Said]) -> tuple[PartKind, Snippet] | None:
        return _match(self._query, said)

    def _is_copy(self, record: dict[str, Any], found: Found, said: list[Said]) -> bool:
        """Whether this very message was found before, in another file or in this one."""
        key = key_of(record, found.kind, sum(len(item.text) for item in said))
        if key == NO_COPY:
            return False
        known = key in self._seen
        self._seen.add(key)
        return known

    @cached_property
    def _is_too_short_for_an_id(self) -> bool:
        return any(len(word.text) < ID_CHARACTERS for word in self._query.words)

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


def _match(query: Query, said: list[Said]) -> tuple[PartKind, Snippet] | None:
    """The part that shows most of the words, if all of them are in some part."""
    missing = set(range(len(query.words)))
    best: tuple[int, int, Said] | None = None
    for item in said:
        folded = fold(item.text)
        held = [number for number, word in enumerate(query.words) if word.find(folded) is not None]
        missing.difference_update(held)
        rank = (len(held), -_ORDER.index(item.part))
        if held and (best is None or rank > best[:2]):
            best = (*rank, item)
    if missing or best is None:
        return None
    return best[2].part, snippet(query, best[2].text)


class _Branches:
    """Which branch entries are on, found by walking the file from its end as far down as hits ask for.

    `start`: nobody asks for what stands before that offset.
    """

    def __init__(self, reader: Reader, linear: bool, cancelled: Cancelled) -> None:
        self.start = 0
        self._reader = reader
        self._cancelled = cancelled
        self._chain = Chain(linear)
        self._lines: Iterator[Lines] | None = None
        self._at: int | None = None
        self._known: dict[int, int] = {}

    def of(self, lines_offset: int, offset: int) -> Branch:
        """The branch of an entry of the lines at `lines_offset`; these must not rise from call to call."""
        if self._chain.linear:
            return "active"
        if self._lines is None:
            self._lines = backward(self._reader, self._cancelled, start=self.start)
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
