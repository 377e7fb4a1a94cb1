"""Finding what an id names: a session by the start of its id, an entry by the whole of its own."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from memtui.core.search.backward import Lines, backward
from memtui.core.search.base import Cancelled, HiddenBecause, Hit
from memtui.core.search.hit_maker import HitMaker, most_telling, records_on
from memtui.core.search.index.engine import BrokenIndexError
from memtui.core.search.index.parts import Parts, parts_of
from memtui.core.search.index.reader import IndexReader
from memtui.core.search.index.schema import number_between, unpack_place
from memtui.core.search.prefilter import lines_with
from memtui.core.search.query import Query, parse
from memtui.core.search.record_texts import texts
from memtui.core.search.snippet import Snippet, snippet
from memtui.core.sessions.base import Session
from memtui.core.sessions.listing import newest_first
from memtui.core.sessions.reader import Reader, opened
from memtui.core.sessions.records import Found, id_text, parse_object
from memtui.core.sessions.times import message_time
from memtui.late import dataclasses, re

MOST_ENTRIES = 100
"""So many copies of one entry are looked at."""

_IS_OF_AN_ENTRY = re.compile("[0-9a-f]{8}")

_HEADER_BYTES = 1 << 16
"""A header is looked for in so much of a file: what is no entry may stand before it."""


class IdSource:
    """What the id in a query names. It hides nothing: what it cannot read, the search for words counts."""

    def __init__(self, sessions: Iterable[Session], index: IndexReader | None = None) -> None:
        self.hidden: Counter[HiddenBecause] = Counter()
        self.beyond = 0
        self.suggestion = ""
        self._sessions = sessions
        self._index = index

    def search(self, query: Query, cancelled: Cancelled) -> Iterator[Hit]:
        """The sessions, or else the entries, that have this id."""
        if query.pasted_id:
            yield from find_entry(self._sessions, query.pasted_id, cancelled, self._index)


def find_entry(
    sessions: Iterable[Session], pasted_id: str, cancelled: Cancelled, index: IndexReader | None = None
) -> Iterator[Hit]:
    """The sessions whose id begins with this one (in small letters), then the entries that have it.

    Newest sessions first; a copy of an entry in another file (a fork) is a hit of its own. When it is the whole
    id of a session no file is searched. Files that cannot be read are left out.
    """
    sessions = newest_first(sessions)
    named = [session for session in sessions if session.id.lower().startswith(pasted_id)]
    whole = [session for session in named if session.id.lower() == pasted_id]
    for session in (*whole, *(session for session in named if session not in whole)):
        if cancelled():
            return
        with contextlib.suppress(OSError), opened(session.file) as reader:
            yield _header(session, reader, pasted_id, cancelled)
    if whole:
        return
    starts: Mapping[Path, int] = {}
    if index is not None and _IS_OF_AN_ENTRY.fullmatch(pasted_id) and index.refresh():
        parts = parts_of(sessions, index, reads_all=True)
        yield from _indexed(index, parts, pasted_id, cancelled)
        sessions, starts = [*parts.near, *parts.far], parts.starts
    for session in sessions:
        if cancelled():
            return
        with contextlib.suppress(OSError), opened(session.file) as reader:
            yield from _entries(session, reader, pasted_id, cancelled, starts.get(session.file, 0))


def _indexed(index: IndexReader, parts: Parts, entry_id: str, cancelled: Cancelled) -> Iterator[Hit]:
    """The entries of an id that the index knows: keys of copies begin with it."""
    first = int(entry_id, 16) << 32
    try:
        found = index.search(number_between("key", first, first | 0xFFFFFFFF), MOST_ENTRIES).best
    except BrokenIndexError:
        parts.starts.clear()
        return
    for place in sorted({(index.name_of(item.sid), item.place) for item in found}, reverse=True):
        session = parts.sessions.get(place[0])
        offset, length = unpack_place(place[1])
        if session is None or place[0] not in parts.rows or cancelled():
            continue
        with contextlib.suppress(OSError), opened(session.file) as reader:
            lines = Lines(offset, reader.at(offset, length))
            query = Query(entry_id)
            maker = HitMaker(session, reader, query, cancelled)
            for item in records_on(lines, (0, len(lines.data or b""))):
                if id_text(item.id) == entry_id:
                    yield _entry(maker, query, session, lines, item)


def _header(session: Session, reader: Reader, pasted_id: str, cancelled: Cancelled) -> Hit:
    """The header of a session."""
    data = reader.at(0, _HEADER_BYTES)
    lines = Lines(0, data, ended=False)
    records = records_on(lines, (0, len(data)))
    found = next((item for item in records if item.kind == "session"), Found(0, 0, 0, "session"))
    when = message_time(found.record or {}) or session.updated
    query = parse(pasted_id)
    hit = HitMaker(session, reader, query, cancelled).hit(
        lines, found, "note", snippet(query, session.id), when
    )
    return dataclasses.replace(hit, id=session.id, is_named=True)


def _entries(
    session: Session, reader: Reader, entry_id: str, cancelled: Cancelled, start: int
) -> Iterator[Hit]:
    query = Query(entry_id)
    maker = HitMaker(session, reader, query, cancelled, start=start)
    # other entries name it as what they follow: they pass the bytes, not the look at their own id
    wanted = f'"{entry_id}"'.encode()
    for lines in backward(reader, cancelled, start=start):
        if lines.data is None:
            continue
        for span in reversed(list(lines_with(wanted, lines.data))):
            for found in reversed(records_on(lines, span)):
                if id_text(found.id) != entry_id:
                    continue
                yield _entry(maker, query, session, lines, found)


def _entry(maker: HitMaker, query: Query, session: Session, lines: Lines, found: Found) -> Hit:
    first = found.offset - lines.offset
    record = found.record or parse_object((lines.data or b"")[first : first + found.length]) or {}
    part, shown = most_telling(query, list(texts(record, found.kind))) or ("", Snippet("", ()))
    when = message_time(record) or session.updated
    return dataclasses.replace(maker.hit(lines, found, part, shown, when), is_named=True)
