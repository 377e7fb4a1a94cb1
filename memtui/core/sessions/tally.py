"""Counting a whole session in one pass of bounded memory that can be interrupted and continued."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from memtui.core.sessions.base import Counts
from memtui.core.sessions.plain_lines import read_plain
from memtui.core.sessions.reader import Cancelled, Giant, Reader, Stretch, never, opened, stretches
from memtui.core.sessions.records import Found, id_text, look, look_at_last, oversized, parse_object, scan
from memtui.core.sessions.texts import first_line_of_user, session_name
from memtui.core.sessions.times import message_time, moment
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

NO_COUNTS = Counts()


@dataclass(frozen=True, slots=True)
class Tally:
    """How far a file was counted: up to the offset `end`, where a line starts; `mark` tells a rewrite."""

    end: int = 0
    mark: int = 0
    counts: Counts = NO_COUNTS


class _Adder:
    """Adds up the lines of a file in order."""

    def __init__(self, counts: Counts) -> None:
        self.values: dict[str, Any] = {
            item.name: getattr(counts, item.name) for item in dataclasses.fields(Counts)
        }

    def lines(self, data: bytes, base: int) -> None:
        """Add whole lines that stand at the offset `base` of the file."""
        plain = read_plain(data)
        if plain is None:
            self.records(scan(data, base), data, base)
            return
        values = self.values
        values["messages"] += plain.messages
        values["turns"] += plain.turns
        values["entries"] += plain.messages
        if plain.newest:
            self._newer(moment(int(plain.newest)))
        if not values["first_text"]:
            values["first_text"] = _first_text(data)
        for first, last in plain.odd:
            self.records(look(data[first:last], base + first), data, base)
        if plain.last is not None and (not plain.odd or plain.odd[-1] < plain.last):
            for item in scan(data[slice(*plain.last)], 0):
                values["leaf_id"] = id_text(item.id) if item.whole else values["leaf_id"]

    def records(self, found: list[Found], data: bytes, base: int) -> None:
        """Add records of `data`, which stands at the offset `base` of the file."""
        values = self.values
        for item in found:
            values["damaged"] += item.damage
            if item.kind == "damaged" or item.kind == "session":
                continue
            values["entries"] += item.whole
            values["messages"] += item.whole and item.is_message
            values["recovered"] += item.is_message and not item.whole
            if item.whole:
                values["leaf_id"] = id_text(item.id)
            if item.kind == "user":
                values["turns"] += 1
            if item.kind == "session_info" and item.whole:
                values["name"] = session_name(item.record or {})
            if item.whole and item.is_message and item.kind in ("user", "assistant"):
                record = _record(item, data, base)
                self._newer(message_time(record))
                if item.kind == "user" and not values["first_text"]:
                    values["first_text"] = first_line_of_user(record)

    def _newer(self, when: datetime | None) -> None:
        known = self.values["last_activity"]
        if when is not None and (known is None or when > known):
            self.values["last_activity"] = when

    def counts(self, pending_bytes: int = 0) -> Counts:
        """What was added up so far."""
        return Counts(**self.values | {"pending_bytes": pending_bytes})


def _first_text(data: bytes) -> str:
    """The first text of a person on lines that parse, '' for none."""
    position = 0
    while (at := data.find(b'"user"', position)) >= 0:
        end = data.find(b"\n", at)
        position = end if end >= 0 else len(data)
        record = parse_object(data[data.rfind(b"\n", 0, at) + 1 : position])
        if record is not None and record.get("type") == "message":
            message = record.get("message")
            role = message.get("role") if isinstance(message, dict) else None
            if role == "user" and (text := first_line_of_user(record)):
                return text
    return ""


def _record(item: Found, data: bytes, base: int) -> dict[str, Any]:
    if item.record is not None:
        return item.record
    first = item.offset - base
    return parse_object(data[first : first + item.length]) or {}


def count(path: Path, cancelled: Cancelled = never) -> Counts | None:
    """Count a file from its start; None when cancelled. Raises OSError."""
    with opened(path) as reader:
        counted = count_from(reader, Tally(), cancelled)
    return counted[0] if counted else None


def count_from(reader: Reader, tally: Tally, cancelled: Cancelled = never) -> tuple[Counts, Tally] | None:
    """Continue a count, with the counts of now and the tally to continue from; None when cancelled.

    A tally that does not fit the file (shorter, rewritten) is dropped and the count starts over.
    """
    size_bytes = reader.status.size_bytes
    if tally.end and (tally.end > size_bytes or reader.print_before(tally.end) != tally.mark):
        tally = Tally()
    adder, end = _Adder(tally.counts), tally.end
    rest: Stretch | Giant | None = None
    for piece in stretches(reader, tally.end, size_bytes, cancelled):
        if not piece.ended:
            rest = piece
        elif isinstance(piece, Giant):
            adder.records([oversized(piece.head, piece.offset, piece.length)], piece.head, piece.offset)
            end = piece.offset + piece.length + 1
        else:
            adder.lines(piece.data, piece.offset)
            end = piece.offset + len(piece.data)
    if cancelled():
        return None
    settled = Tally(end, reader.print_before(end), adder.counts())
    if rest is None:
        return settled.counts, settled
    if isinstance(rest, Giant):
        return adder.counts(rest.length), settled
    last = look_at_last(rest.data, rest.offset)
    if last is None:
        return adder.counts(len(rest.data)), settled
    adder.records(last, rest.data, rest.offset)
    return adder.counts(), settled


def count_all(data: bytes) -> Counts:
    """Count a session that is wholly in memory."""
    return _count(data, _Adder(NO_COUNTS))


def count_part(data: bytes) -> Counts:
    """Count the last lines of a session; what a person typed first is not looked for."""
    return _count(data, _Adder(Counts(first_text="-")))


def _count(data: bytes, adder: _Adder) -> Counts:
    cut = data.rfind(b"\n") + 1
    adder.lines(data[:cut], 0)
    rest = data[cut:]
    last = look_at_last(rest, cut) if rest else []
    if last is None:
        return adder.counts(len(rest))
    adder.records(last, rest, cut)
    return adder.counts()
