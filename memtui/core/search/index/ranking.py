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
        best = max(self.places.values(), key=lambda place: (round(place.score, 1), place.ts))
        return -round(best.score, 1), -best.ts, (-self.session.updated.timestamp(), str(self.session.file))

    def in_order(self) -> list[Place]:
        """The best message first, of equal ones the newest."""
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
        groups: dict[str, Group] = {}
        for item in candidates:
            name = self._reader.name_of(item.sid)
            row = self._parts.rows.get(name)
            if row is None or row.sid != item.sid or name in self.gone:
                continue
            if item.kind == _HEADER and not self._with_headers:
                continue
            group = groups.get(name)
            if group is None:
                group = groups[name] = Group(self._parts.sessions[name], row)
            offset, length = unpack_place(item.place)
            known = group.places.get(offset)
            if known is None:
                group.places[offset] = Place(offset, length, item.score, item.ts, item.key)
            elif item.score > known.score:
                known.score = item.score
        self._drop_copies(groups)
        return sorted((group for group in groups.values() if group.places), key=lambda group: group.rank)

    def _drop_copies(self, groups: dict[str, Group]) -> None:
        owners: dict[int, str] = {}
        newest = sorted(groups.items(), key=lambda pair: (-pair[1].session.updated.timestamp(), pair[0]))
        for name, group in newest:
            for place in list(group.places.values()):
                if place.key == NO_COPY:
                    continue
                if place.key in self._keys or owners.setdefault(place.key, name) != name:
                    del group.places[place.offset]
                    self.copies.add((name, place.offset))
                else:
                    self.copies.discard((name, place.offset))
