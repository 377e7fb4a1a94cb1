"""Searching sessions by the index: the best messages first, each as it stands in its file, and what came since.

The index says where to look; every hit that is shown was read from its file and holds what was typed. What was
appended after the index was written last is read, so that nothing is ever missing because it is new.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.search.base import Cancelled, HiddenBecause, Hit
from memtui.core.search.hit_maker import HitMaker
from memtui.core.search.index.linear import tail_is_linear
from memtui.core.search.index.log import FileRow
from memtui.core.search.index.meaning import meant, suggest
from memtui.core.search.index.planning import (
    Terms,
    everything,
    exact_query,
    limited,
    loose_query,
    number_between,
    one_of,
    one_of_files,
    terms_of,
)
from memtui.core.search.index.reader import Candidate, IndexReader
from memtui.core.search.index.schema import TEXTS, unpack_place
from memtui.core.search.query import Query
from memtui.core.search.sessions import FileSearch, SessionSource
from memtui.core.sessions.base import KINDS, Session
from memtui.core.sessions.listing import newest_first
from memtui.core.sessions.reader import opened

if TYPE_CHECKING:
    import tantivy

FIRST_DOCUMENTS = 200
"""So many documents are ranked before anything is shown."""

MOST_DOCUMENTS = 2000
"""So many are looked at in all; `total` counts the rest."""

ENOUGH = 5
"""With fewer sessions than that, what is only like the query is looked for as well."""

MOST_LIMITED_FILES = 5000


@dataclass(slots=True)
class _Place:
    """One message that may match: the best score of its documents."""

    offset: int
    length: int
    score: float
    ts: int
    key: int


@dataclass(slots=True)
class _Group:
    """The messages of one session that may match, by offset."""

    session: Session
    row: FileRow
    places: dict[int, _Place] = field(default_factory=dict)

    @property
    def rank(self) -> tuple[float, int, tuple[float, str]]:
        """Sorts the best message first, of equal ones the newest, then that of the newest session."""
        best = max(self.places.values(), key=lambda place: (round(place.score, 1), place.ts))
        return -round(best.score, 1), -best.ts, (-self.session.updated.timestamp(), str(self.session.file))

    def in_order(self) -> list[_Place]:
        """The best message first, of equal ones the newest."""
        return sorted(
            self.places.values(), key=lambda place: (-round(place.score, 1), -place.ts, -place.offset)
        )


class IndexSource:
    """The messages of sessions by an index. One search at a time.

    `folds`: a session gives one hit, its best message, with the offsets of its others (`Hit.others`), and again
    when more of them are known; else every message is one. `reads_all`: what the index does not hold yet is
    read, however much it is; else only what is small, and the rest is counted as hidden.
    """

    def __init__(
        self,
        reader: IndexReader,
        sessions: Iterable[Session],
        hidden: Mapping[HiddenBecause, int] | None = None,
        *,
        folds: bool = False,
        reads_all: bool = True,
    ) -> None:
        self.hidden: Counter[HiddenBecause] = Counter(hidden or {})
        self.beyond = 0
        self.suggestion = ""
        self._reader = reader
        self._sessions = list(sessions)
        self._folds, self._reads_all = folds, reads_all

    def search(self, query: Query, cancelled: Cancelled) -> Iterator[Hit]:
        """What came since the index was written, then the best of it, then what the index does not hold."""
        words = terms_of(query)
        has_terms = any(item.terms for item in words) or not words
        if query.is_exact or not has_terms or not self._reader.refresh():
            scan = SessionSource(self._sessions)
            yield from scan.search(query, cancelled)
            self.hidden.update(scan.hidden)
            return
        wanted: Iterable[Session] = self._sessions
        if query.filters:
            wanted = (session for session in wanted if query.filters.fits_session(session))
        parts = _Parts.of(wanted, self._reader, reads_all=self._reads_all)
        if parts.unread:
            self.hidden["not-indexed"] += parts.unread
        if skipped := sum(row.skipped for row in parts.rows.values()):
            self.hidden["too-long"] += skipped
        run = _Run(self._reader, query, words, parts, self.hidden, cancelled, folds=self._folds)
        yield from run.hits()
        self.beyond = run.beyond
        if run.found_nothing and not cancelled():
            self.suggestion = suggest(query, words, self._reader.vocabulary)


@dataclass(slots=True)
class _Parts:
    """The sessions by what the index holds of them: `rows` by path, `starts` where what is to be read begins,
    `unread` how many are left out until they are indexed."""

    sessions: dict[str, Session]
    rows: dict[str, FileRow]
    to_read: list[Session]
    starts: dict[Path, int]
    unread: int = 0

    @classmethod
    def of(cls, sessions: Iterable[Session], reader: IndexReader, *, reads_all: bool) -> _Parts:
        """Look at each session: at every key, so there is little that is done for all of them."""
        parts, room, files = cls({}, {}, [], {}), READ_BYTES, reader.files
        fresh: list[tuple[Session, int]] = []
        for session in sessions:
            name = str(session.file)
            parts.sessions[name] = session
            row = files.get(name)
            if row is None or _is_rewritten(session, row):
                fresh.append((session, 0))
                continue
            parts.rows[name] = row
            if session.size_bytes > row.said_to:
                fresh.append((session, row.said_to))
        starts = {session.file: start for session, start in fresh}
        for session in newest_first(session for session, _start in fresh):
            start = starts[session.file]
            room -= session.size_bytes - start
            if reads_all or room >= 0:
                parts.to_read.append(session)
                parts.starts[session.file] = start
            else:
                parts.unread += 1
        return parts


READ_BYTES = 48 << 20
"""While the index is being built, at most so much that is not in it is read for one query."""


def _is_rewritten(session: Session, row: FileRow) -> bool:
    """Whether a file is no longer the one that was indexed: another inode, shorter, or other bytes."""
    if session.inode != row.inode or session.size_bytes < row.said_to:
        return True
    if (session.size_bytes, session.mtime_ns) == (row.size_bytes, row.mtime_ns):
        return False
    try:
        with opened(session.file) as file:
            return file.print_before(row.said_to) != row.mark
    except OSError:
        return True


class _Run:
    """One query."""

    def __init__(
        self,
        reader: IndexReader,
        query: Query,
        words: list[Terms],
        parts: _Parts,
        hidden: Counter[HiddenBecause],
        cancelled: Cancelled,
        *,
        folds: bool,
    ) -> None:
        self._reader, self._query, self._words, self._parts = reader, query, words, parts
        self._hidden, self._cancelled, self._folds = hidden, cancelled, folds
        self._shown: dict[str, Hit] = {}
        self._seen: set[tuple[str, int]] = set()
        self._keys: set[int] = set()
        self._owners: dict[int, str] = {}
        self._needs_check = bool(query.filters.places) or not all(item.is_whole for item in words)
        self.beyond = 0
        self.found_nothing = True

    def hits(self) -> Iterator[Hit]:
        yield from self._since()
        query = exact_query(self._words, TEXTS)
        if self._cancelled():
            return
        limits = self._limits()
        if query is None:
            # nothing but filters
            yield from self._found(limited(everything(), limits), newest_first=True)
            return
        yield from self._found(limited(query, limits))
        if self._cancelled() or len(self._shown) >= ENOUGH or self._query.pasted_id:
            return
        loose = loose_query(self._words, TEXTS, self._reader.vocabulary)
        if loose is not None:
            yield from self._found(limited(loose, limits), is_loose=True)

    def _limits(self) -> list[tantivy.Query]:
        """What all documents have to fulfil: whose they are, of which kind, and from when."""
        filters, limits = self._query.filters, []
        sids = [row.sid for row in self._parts.rows.values()]
        if len(sids) != len(self._reader.files) and len(sids) <= MOST_LIMITED_FILES:
            limits.append(one_of_files(sids))
        if filters.roles:
            limits.append(one_of("kind", [KINDS.index(kind) for kind in KINDS if kind in filters.roles]))
        if filters.after or filters.before:
            first = None if filters.after is None else max(0, int(filters.after.timestamp()))
            last = None if filters.before is None else max(0, int(filters.before.timestamp()))
            limits.append(number_between("ts", first, last))
        return limits

    def _since(self) -> Iterator[Hit]:
        """What the files hold beyond the index."""
        scan = SessionSource(self._parts.to_read, starts=self._parts.starts, seen=self._keys)
        for hit in scan.search(self._query, self._cancelled):
            name = str(hit.file)
            self._seen.add((name, hit.offset))
            self.found_nothing = False
            if self._parts.starts[hit.file] and name not in self._shown:
                self._shown[name] = hit
            yield hit
        self._hidden.update(scan.hidden)

    def _found(
        self, query: tantivy.Query, *, is_loose: bool = False, newest_first: bool = False
    ) -> Iterator[Hit]:
        first = FIRST_DOCUMENTS if self._folds else MOST_DOCUMENTS
        found = self._reader.search(query, first, newest_first=newest_first)
        groups = self._grouped(found.best)
        yield from self._read(groups, is_loose=is_loose)
        if len(found.best) < first or not self._folds or self._cancelled():
            self.beyond += max(0, found.total - len(found.best))
            return
        found = self._reader.search(query, MOST_DOCUMENTS, newest_first=newest_first)
        yield from self._read(self._grouped(found.best), is_loose=is_loose)
        self.beyond += max(0, found.total - len(found.best))

    def _grouped(self, candidates: Iterable[Candidate]) -> list[_Group]:
        """The messages by session, the best first; a message that stands in several files is in the newest."""
        groups: dict[str, _Group] = {}
        for item in candidates:
            name = self._reader.name_of(item.sid)
            row = self._parts.rows.get(name)
            if row is None or row.sid != item.sid:
                continue
            group = groups.get(name)
            if group is None:
                group = groups[name] = _Group(self._parts.sessions[name], row)
            offset, length = unpack_place(item.place)
            known = group.places.get(offset)
            if known is None:
                group.places[offset] = _Place(offset, length, item.score, item.ts, item.key)
            elif item.score > known.score:
                known.score = item.score
        self._drop_copies(groups)
        return sorted((group for group in groups.values() if group.places), key=lambda group: group.rank)

    def _drop_copies(self, groups: dict[str, _Group]) -> None:
        newest = sorted(groups.items(), key=lambda pair: -pair[1].session.updated.timestamp())
        for name, group in newest:
            for offset in [place.offset for place in group.places.values() if place.key]:
                key = group.places[offset].key
                owner = self._owners.setdefault(key, name)
                if owner != name or key in self._keys:
                    del group.places[offset]
                    if (name, offset) not in self._seen:
                        self._hidden["copy"] += 1
                        self._seen.add((name, offset))

    def _read(self, groups: list[_Group], *, is_loose: bool) -> Iterator[Hit]:
        for group in groups:
            if self._cancelled():
                return
            try:
                for hit in self._read_group(group, is_loose=is_loose):
                    self.found_nothing = False
                    yield hit
            except OSError:
                self._hidden["unreadable"] += 1

    def _read_group(self, group: _Group, *, is_loose: bool) -> Iterator[Hit]:
        name = str(group.session.file)
        shown = self._shown.get(name) if self._folds else None
        fresh = [place for place in group.in_order() if (name, place.offset) not in self._seen]
        if not fresh:
            return
        if shown is not None and not self._needs_check and not is_loose:
            self._seen.update((name, place.offset) for place in fresh)
            offsets = (*shown.others, *(place.offset for place in fresh))
            self._shown[name] = dataclasses.replace(shown, others=offsets)
            yield self._shown[name]
            return
        with opened(group.session.file) as file:
            search = FileSearch(group.session, file, self._query, self._hidden, self._cancelled)
            is_linear = tail_is_linear(file, group.row)
            maker = HitMaker(group.session, file, self._query, self._cancelled, is_linear=is_linear)
            if not (self._folds and is_linear):
                # the branch is looked up from the end of the file
                fresh.sort(key=lambda place: -place.offset)
            hits: list[Hit] = []
            for place in fresh:
                if self._cancelled():
                    return
                self._seen.add((name, place.offset))
                if hits and self._folds and not self._needs_check and not is_loose:
                    hits[0] = dataclasses.replace(hits[0], others=(*hits[0].others, place.offset))
                    continue
                hit = search.hit_at(maker, place.offset, place.length, meant if is_loose else None)
                if hit is not None:
                    hits.append(hit)
            if not hits:
                return
            if not self._folds:
                self._shown.setdefault(name, hits[0])
                yield from hits
                return
            order = {place.offset: number for number, place in enumerate(group.in_order())}
            best = min(hits, key=lambda hit: order[hit.offset])
            others = {offset for hit in hits for offset in (hit.offset, *hit.others)} - {best.offset}
            if shown is not None:
                best, others = shown, others | {best.offset, *shown.others}
            self._shown[name] = dataclasses.replace(best, others=tuple(sorted(others)))
            yield self._shown[name]
