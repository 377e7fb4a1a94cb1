"""The documents that the index found, as messages by session: the best first, none twice."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.core.search.copy_keys import NO_COPY
from memtui.core.search.index.log import FileRow
from memtui.core.search.index.parts import Parts
from memtui.core.search.index.reader import Candidate, IndexReader
from memtui.core.search.index.schema import unpack_place
from memtui.core.sessions.base import KINDS, Session
from memtui.late.dataclasses import dataclass, field

_HEADER = KINDS.index("session")


@dataclass(slots=True)
class Place:
    """One message that may match: the best score of its documents."""

    offset: int
    length: int
    score: float
    ts: int
    key: int


@dataclass(slots=True)
class Group:
    """The messages of one session that may match, by offset."""

    session: Session
    row: FileRow
    places: dict[int, Place] = field(default_factory=dict)

    @property
    def rank(self) -> tuple[float, int, tuple[float, str]]:
        """Sorts the best message first, of equal ones the newest, then that of the newest session."""
        score, ts = max([(round(place.score, 1), place.ts) for place in self.places.values()])
        return -score, -ts, self.age

    @property
    def age(self) -> tuple[float, str]:
        """Sorts the newest session first."""
        return -self.session.updated.timestamp(), str(self.session.file)

    def in_order(self) -> list[Place]:
        """The best message first, of equal ones the newest."""
        if len(self.places) == 1:
            return list(self.places.values())
        return sorted(
            self.places.values(), key=lambda place: (-round(place.score, 1), -place.ts, -place.offset)
        )


class Ranking:
    """Groups what the index found. `keys` are those of messages that were found elsewhere; `gone` are paths of
    files that turned out not to be readable. `copies` are the messages that stand in a newer session, too."""

    def __init__(self, reader: IndexReader, parts: Parts, keys: set[int], *, with_headers: bool) -> None:
        self._reader, self._parts, self._keys = reader, parts, keys
        self._with_headers = with_headers
        self.gone: set[str] = set()
        self.copies: set[tuple[str, int]] = set()

    def groups(self, candidates: Iterable[Candidate]) -> list[Group]:
        """The messages by session, the best first; a message that stands in several files is in the newest."""
        groups: dict[int, Group | None] = {}
        for item in candidates:
            sid = item.sid
            if item.kind == _HEADER and not self._with_headers:
                continue
            if sid not in groups:
                groups[sid] = self._group(sid)
            group = groups[sid]
            if group is None:
                continue
            offset, length = unpack_place(item.place)
            known = group.places.get(offset)
            if known is None:
                group.places[offset] = Place(offset, length, item.score, item.ts, item.key)
            elif item.score > known.score:
                known.score = item.score
        found = [group for group in groups.values() if group is not None]
        self._drop_copies(found)
        return sorted((group for group in found if group.places), key=lambda group: group.rank)

    def _group(self, sid: int) -> Group | None:
        """An empty group for the messages of a file; None for one that is not asked for, or not known."""
        name = self._reader.name_of(sid)
        row = self._parts.rows.get(name)
        if row is None or row.sid != sid or name in self.gone:
            return None
        return Group(self._parts.sessions[name], row)

    def _drop_copies(self, groups: list[Group]) -> None:
        keys = [place.key for group in groups for place in group.places.values() if place.key != NO_COPY]
        if len(set(keys)) == len(keys) and self._keys.isdisjoint(keys) and not self.copies:
            return
        owners: dict[int, str] = {}
        for group in sorted(groups, key=lambda group: group.age):
            name = str(group.session.file)
            for place in list(group.places.values()):
                if place.key == NO_COPY:
                    continue
                if place.key in self._keys or owners.setdefault(place.key, name) != name:
                    del group.places[place.offset]
                    self.copies.add((name, place.offset))
                else:
                    self.copies.discard((name, place.offset))
