"""Where the lines are that hold what tools got and gave: a second reading need not look for them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from memtui.core.search.index.extract import DOING
from memtui.core.search.index.schema import pack_place, unpack_place
from memtui.core.sessions.base import KINDS, Kind
from memtui.core.sessions.records import LINE_CAP_BYTES, Found

MOST_LINES = 4_000_000
"""So many are remembered, at nine bytes each."""

_NUMBERS: dict[Kind, int] = {kind: number for number, kind in enumerate(KINDS)}


class ToolLines:
    """The lines of each file (by its number) that were noted; a file with a line that was not is forgotten."""

    def __init__(self) -> None:
        self._of_file: dict[int, _Lines] = {}
        self._left = MOST_LINES

    def start(self, sid: int, offset: int) -> None:
        """From now on lines of this file are noted, the first of which begins at `offset`."""
        if self._left > 0:
            self._of_file[sid] = _Lines(offset)

    def note(self, sid: int, found: Iterable[Found]) -> None:
        """Note the next lines of a file, in their order."""
        lines = self._of_file.get(sid)
        if lines is None:
            return
        before = len(lines.places)
        numbers, add_place, add_kind = _NUMBERS, lines.places.append, lines.kinds.append
        for item in found:
            kind = item.kind
            if kind not in DOING or item.length > LINE_CAP_BYTES:
                continue
            if item.record is not None:
                # it would have to be decoded in the thorough way once more
                del self._of_file[sid]
                return
            if kind != "user":
                add_place(pack_place(item.offset, item.length))
                add_kind(numbers[kind])
        self._left -= len(lines.places) - before

    def of(self, sid: int, offset: int) -> Known | None:
        """The lines of a file from an offset on, once; None where they are not known."""
        lines = self._of_file.pop(sid, None)
        if lines is None or lines.start != offset:
            return None
        self._left += len(lines.places)
        return Known(lines)


class Known:
    """The lines of one file, in their order."""

    def __init__(self, lines: _Lines) -> None:
        self._lines = lines
        self._next = 0

    def before(self, end: int) -> list[Found]:
        """The next of them up to an offset."""
        places, kinds = self._lines.places, self._lines.kinds
        found: list[Found] = []
        number = self._next
        while number < len(places):
            offset, length = unpack_place(places[number])
            if offset >= end:
                break
            found.append(Found(offset, offset, length, KINDS[kinds[number]], True))
            number += 1
        self._next = number
        return found


class _Lines:
    __slots__ = ("kinds", "places", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.places = array("Q")
        self.kinds = bytearray()
