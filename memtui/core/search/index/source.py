"""Searching sessions by the index: the best messages first, each as it stands in its file, and what came since.

The index says where to look; every hit that is shown was read from its file and holds what was typed. What was
appended after the index was written last is read, so that nothing is ever missing because it is new.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from memtui.core.search.base import Cancelled, HiddenBecause, Hit, Step, no_matter
from memtui.core.search.hit_maker import HitMaker, branch_at
from memtui.core.search.index.asking import TOOLS, Asked
from memtui.core.search.index.engine import BrokenIndexError
from memtui.core.search.index.linear import tail_is_linear
from memtui.core.search.index.meaning import meant, suggest
from memtui.core.search.index.parts import Parts, parts_of
from memtui.core.search.index.planning import Terms, limits_of, terms_of
from memtui.core.search.index.ranking import Group, Place, Ranking
from memtui.core.search.index.reader import Candidate, Candidates, IndexReader
from memtui.core.search.index.schema import TEXTS
from memtui.core.search.query import Query
from memtui.core.search.record_texts import ID_CHARACTERS
from memtui.core.search.sessions import FileSearch, SessionSource
from memtui.core.sessions.base import Session
from memtui.core.sessions.reader import opened
from memtui.late import dataclasses

FIRST_DOCUMENTS = 200
"""So many documents are ranked before anything is shown, and of those that are only like the query at all."""

MOST_DOCUMENTS = 2000
"""So many are looked at in all."""

MOST_SESSIONS = 300
"""Where a session is one hit, so many are read: no list shows more rows, and each costs half a millisecond."""

ENOUGH = 5
"""With fewer sessions than that, what is only like the query is looked for as well."""


class IndexSource:
    """The messages of sessions by an index. One search at a time.

    `folds`: a session gives one hit, its best message, with the offsets of its others (`Hit.others`), and again
    when more of them are known; else every message is one. `reads_all`: what the index does not hold yet is
    read, however much it is; else only what is small, and the rest is counted as hidden. `before_long` is
    called where a step begins in which no hit may come for a while.
    """

    def __init__(
        self,
        reader: IndexReader,
        sessions: Iterable[Session],
        hidden: Mapping[HiddenBecause, int] | None = None,
        *,
        folds: bool = False,
        reads_all: bool = True,
        before_long: Callable[[Step], None] = no_matter,
    ) -> None:
        self.hidden: Counter[HiddenBecause] = Counter(hidden or {})
        self.beyond = 0
        self.suggestion = ""
        self._reader = reader
        self._sessions = tuple(sessions)
        self._folds, self._reads_all, self._before_long = folds, reads_all, before_long

    def search(self, query: Query, cancelled: Cancelled) -> Iterator[Hit]:
        """What came since the index was written, then the best of it, then what the index does not hold."""
        words = terms_of(query)
        has_terms = any(item.terms for item in words) or not words
        is_there = self._reader.refresh()
        if query.is_exact or not has_terms or (not is_there and self._reads_all):
            self._before_long("asking")
            yield from self._read_files(self._sessions, query, cancelled)
            return
        wanted: Iterable[Session] = self._sessions
        if query.filters:
            wanted = (session for session in wanted if query.filters.fits_session(session))
        parts = parts_of(wanted, self._reader, reads_all=self._reads_all)
        self._hide(parts)
        run = _Run(
            *(self._reader, query, words, parts, self.hidden, cancelled, self._before_long), folds=self._folds
        )
        try:
            yield from run.hits()
            if run.found_nothing and is_there and not cancelled():
                self.suggestion = suggest(query, words, self._reader.vocabulary)
        except BrokenIndexError:
            # the next process that writes makes it anew; what was shown is shown again as the files have it
            yield from self._read_files(self._sessions, query, cancelled)
        self.beyond = run.beyond

    def _read_files(self, sessions: Iterable[Session], query: Query, cancelled: Cancelled) -> Iterator[Hit]:
        scan = SessionSource(sessions)
        yield from scan.search(query, cancelled)
        self.hidden.update(scan.hidden)

    def _hide(self, parts: Parts) -> None:
        counts: dict[HiddenBecause, int] = {
            "not-indexed": parts.unread,
            "tools-not-indexed": parts.without_tools,
            "too-long": parts.skipped,
        }
        self.hidden.update({why: count for why, count in counts.items() if count})


class _Run:
    """One query."""

    def __init__(
        self,
        reader: IndexReader,
        query: Query,
        words: list[Terms],
        parts: Parts,
        hidden: Counter[HiddenBecause],
        cancelled: Cancelled,
        before_long: Callable[[Step], None],
        *,
        folds: bool,
    ) -> None:
        self._reader, self._query, self._words, self._parts = reader, query, words, parts
        self._hidden, self._cancelled, self._folds = hidden, cancelled, folds
        self._before_long = before_long
        self._shown: dict[str, Hit] = {}
        self._seen: set[tuple[str, int]] = set()
        self._keys: set[int] = set()
        is_long = bool(query.words) and all(len(word.text) >= ID_CHARACTERS for word in query.words)
        self._ranking = Ranking(reader, parts, self._keys, with_headers=is_long)
        filters = query.filters
        is_plain = all(item.is_whole for item in words)
        self._needs_check = bool(filters.places or filters.after or filters.before) or not is_plain
        self._fields = TOOLS if filters.places == {"tools"} else TEXTS
        self._to_check: list[tuple[Group, list[Place]]] = []
        self._left_out: set[str] = set()
        self.beyond = 0
        self.found_nothing = True

    def hits(self) -> Iterator[Hit]:
        """All of them, one after the other."""
        yield from self._since(self._parts.near)
        if self._parts.rows and not self._cancelled():
            yield from self._by_index()
        if self._parts.far and not self._cancelled():
            self._before_long("reading")
        yield from self._since(self._parts.far)
        self.beyond += len(self._left_out)
        if copies := len(self._ranking.copies):
            self._hidden["copy"] += copies
        if gone := len(self._ranking.gone):
            self._hidden["unreadable"] += gone

    def _by_index(self) -> Iterator[Hit]:
        limits = limits_of(self._query.filters, self._parts.sids, self._reader.sids)
        asked = Asked(self._reader, self._words, self._fields, limits)
        if not self._words:
            # nothing but filters: what is newest comes first
            yield from self._found(asked.newest)
            return
        comes_first = self._folds and self._fields == TEXTS
        has_many = False
        if comes_first:
            # what was said comes before what tools gave, and is found in a part of the time
            said = asked.said(FIRST_DOCUMENTS).best
            has_many = len(said) == FIRST_DOCUMENTS
            yield from self._read(said, is_loose=False)
            if not self._goes_on():
                return
        yield from self._found(asked.best, asked.total, has_many=has_many)
        if len(self._shown) >= ENOUGH or self._query.pasted_id or not self._goes_on():
            return
        if comes_first:
            yield from self._read(asked.said_like(FIRST_DOCUMENTS).best, is_loose=True)
            if not self._goes_on():
                return
        yield from self._read(asked.like(FIRST_DOCUMENTS).best, is_loose=True)

    def _goes_on(self) -> bool:
        """Let what was found be told before what takes long; whether anybody still waits for that."""
        if not self._cancelled():
            self._before_long("asking")
        return not self._cancelled()

    def _since(self, sessions: list[Session]) -> Iterator[Hit]:
        """What some files hold beyond the index."""
        scan = SessionSource(sessions, starts=self._parts.starts, seen=self._keys)
        for hit in scan.search(self._query, self._cancelled):
            name = str(hit.file)
            self._seen.add((name, hit.offset))
            self.found_nothing = False
            if self._parts.starts[hit.file] and name not in self._shown:
                self._shown[name] = hit
            yield hit
        self._hidden.update(scan.hidden)

    def _found(
        self,
        ask: Callable[[int], Candidates],
        count: Callable[[], int] | None = None,
        *,
        has_many: bool = False,
    ) -> Iterator[Hit]:
        is_first = self._folds and not has_many
        first = FIRST_DOCUMENTS if is_first else MOST_DOCUMENTS
        found = ask(first)
        yield from self._read(found.best, is_loose=False)
        if len(found.best) < first or self._cancelled():
            return
        if is_first:
            found = ask(MOST_DOCUMENTS)
            yield from self._read(found.best, is_loose=False)
            if self._cancelled():
                return
        total = found.total if count is None else count()
        self.beyond += max(0, total - len(found.best))

    def _read(self, candidates: Iterable[Candidate], *, is_loose: bool) -> Iterator[Hit]:
        candidates = list(candidates)
        is_whole = False
        while not is_whole:
            is_whole = True
            for group in self._ranking.groups(candidates):
                if self._cancelled():
                    return
                if self._is_too_many(group):
                    self._left_out.add(str(group.session.file))
                    continue
                try:
                    for hit in self._read_group(group, is_loose=is_loose):
                        self.found_nothing = False
                        yield hit
                except OSError:
                    # what is a copy of its messages stands in for it
                    self._ranking.gone.add(str(group.session.file))
                    is_whole = False
        yield from self._check()

    def _is_too_many(self, group: Group) -> bool:
        is_full = self._folds and len(self._shown) >= MOST_SESSIONS
        return is_full and str(group.session.file) not in self._shown

    def _read_group(self, group: Group, *, is_loose: bool) -> Iterator[Hit]:
        name = str(group.session.file)
        fresh = [place for place in group.in_order() if (name, place.offset) not in self._seen]
        if not fresh:
            return
        self._seen.update((name, place.offset) for place in fresh)
        if not self._folds:
            for hit in self._read_places(group, fresh, is_loose=is_loose):
                self._shown.setdefault(name, hit)
                yield hit
            return
        shown, rest = self._shown.get(name), fresh
        if shown is None:
            shown = next(self._read_places(group, fresh, is_loose=is_loose), None)
            if shown is None:
                return
            at = next(number for number, place in enumerate(fresh) if place.offset == shown.offset)
            rest = fresh[at + 1 :]
        if self._needs_check and not is_loose:
            # a list shows the best of each session: that comes first, for all of them
            self._to_check.append((group, rest))
            rest = []
        # of what is only like the query the best place stands for all
        yield self._with_others(shown, [place.offset for place in rest])

    def _check(self) -> Iterator[Hit]:
        """The sessions again whose other places hold what was typed, too."""
        to_check, self._to_check = self._to_check, []
        for group, places in to_check:
            if self._cancelled():
                return
            with contextlib.suppress(OSError):
                found = [hit.offset for hit in self._read_places(group, places, is_loose=False)]
                if found:
                    yield self._with_others(self._shown[str(group.session.file)], found)

    def _with_others(self, shown: Hit, offsets: Iterable[int]) -> Hit:
        others = tuple(sorted({*shown.others, *offsets} - {shown.offset}))
        whole = shown if others == shown.others else dataclasses.replace(shown, others=others)
        self._shown[str(shown.file)] = whole
        return whole

    def _read_places(self, group: Group, places: list[Place], *, is_loose: bool) -> Iterator[Hit]:
        """The hits at some places of a file. Where a session is one hit only the first is told its branch."""
        session, name = group.session, str(group.session.file)
        with opened(session.file) as file:
            search = FileSearch(session, file, self._query, self._hidden, self._cancelled)
            is_linear = tail_is_linear(file, group.row)
            if not self._folds:
                # as they are read, and as their branches are found
                places = sorted(places, key=lambda place: -place.offset)
            looks_up = not self._folds and not is_linear
            maker = HitMaker(session, file, self._query, self._cancelled, is_linear=not looks_up)
            for place in places:
                if self._cancelled():
                    return
                hit = search.hit_at(maker, place.offset, place.length, meant if is_loose else None)
                if hit is None:
                    continue
                if self._folds and not is_linear and name not in self._shown:
                    branch = branch_at(session, file, hit.offset, self._cancelled)
                    hit = dataclasses.replace(hit, branch=branch)
                yield hit
