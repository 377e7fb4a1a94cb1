"""Entries between lines of a section sign: split, measured and put together as their owners do it.

The delimiter is exactly LF, U+00A7, LF. Each piece is trimmed, blank ones are dropped, and a file is the pieces
joined by the delimiter with no line end behind the last (entries sheet 2, run against both programs). A sign
inside a line, on a line with a blank beside it, on the first line or at the very end is ordinary text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

from memtui.core.text.document import decode, encode
from memtui.late import re
from memtui.late.dataclasses import dataclass

SIGN = "\u00a7"
DELIMITER = f"\n{SIGN}\n"

TRIMMED_BY_PYTHON = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""What `strip` takes away in Python (a byte-order mark stays)."""

LengthUnit = Literal["utf16", "codepoints"]
DriftReason = Literal["empty", "spacing", "too-long"]

_LF_DELIMITER = re.compile(b"\n\xc2\xa7\n")
_ANY_DELIMITER = re.compile(b"(?:\r\n|\r|\n)\xc2\xa7(?:\r\n|\r|\n)")
_LINE_END = re.compile("\r\n|\r")
_SIGN_LINE = re.compile(f"(?:^|[\n\r]){SIGN}(?:$|[\n\r])")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How an owner's program reads such a file.

    `trimmed` are the characters that it takes off both ends of a piece; `translates_line_ends`: CRLF and a
    lone CR are LF to it (Python's text mode).
    """

    trimmed: str
    translates_line_ends: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """One entry: its text as the owner reads it (never blank), and where it stands in the file.

    `start` to `end` are the bytes of the trimmed piece, `line` (from 1) is where it begins.
    """

    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Drift:
    """Why an owner says that it did not write a file: what it stumbles over and the line (from 1) it is on.

    `empty`: nothing between two delimiters, or before or behind one; `spacing`: blanks at the inner edges of an
    entry; `too-long`: the entry `piece` (from 0) is longer than the limit of the whole file.
    """

    reason: DriftReason
    line: int
    piece: int | None = None


@dataclass(frozen=True)
class SignFile:
    """A file's entries in order, duplicates included, and the first place where its form is not the owner's."""

    pieces: tuple[Piece, ...]
    misshapen: Drift | None

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The entries as stored."""
        return tuple(piece.text for piece in self.pieces)


def parse(data: bytes, dialect: Dialect) -> SignFile:
    """A file's bytes as entries. Never fails; bytes that are not UTF-8 become surrogate escapes."""
    pieces: list[Piece] = []
    spans = list(_spans(data, dialect))
    misshapen: Drift | None = None
    line, counted = 1, 0
    for number, (start, end) in enumerate(spans):
        raw = decode(data[start:end])
        kept = raw.lstrip(dialect.trimmed)
        lead = len(raw) - len(kept)
        text = kept.rstrip(dialect.trimmed)
        tail = len(kept) - len(text)
        first = start + len(encode(raw[:lead]))
        last = first + len(encode(text))
        line += data.count(b"\n", counted, first)
        counted = first
        if text:
            pieces.append(Piece(_translated(text, dialect), first, last, line))
        # blanks around the whole file are no drift
        is_outer_lead, is_outer_tail = number == 0, number == len(spans) - 1
        if misshapen is None and len(spans) > 1:
            if not text:
                misshapen = Drift("empty", line)
            elif lead and not is_outer_lead:
                misshapen = Drift("spacing", line)
            elif tail and not is_outer_tail:
                misshapen = Drift("spacing", line + data.count(b"\n", first, last) + 1)
    return SignFile(tuple(pieces), misshapen if pieces else _blank(data, dialect, misshapen))


def drift(file: SignFile, limit: int | None, unit: LengthUnit) -> Drift | None:
    """The first reason for which the owner refuses to change this file; None when it would write.

    `limit` is the limit of the whole file in `unit`: an entry of exactly that length is fine (entries sheet 5).
    """
    return file.misshapen or too_long(file, limit, unit)


def too_long(file: SignFile, limit: int | None, unit: LengthUnit) -> Drift | None:
    """The first entry that is longer than the limit of the whole file."""
    if limit is None:
        return None
    for number, piece in enumerate(file.pieces):
        if length(piece.text, unit) > limit:
            return Drift("too-long", piece.line, number)
    return None


def serialise(texts: Iterable[str]) -> bytes:
    """Entries as the owner writes them: joined by the delimiter, no line end behind the last."""
    return encode(DELIMITER.join(texts))


def unique(texts: Iterable[str]) -> tuple[str, ...]:
    """Without later exact duplicates, as owners drop them when they read."""
    return tuple(dict.fromkeys(texts))


def length(text: str, unit: LengthUnit) -> int:
    """The length of a text; a run of bytes that are not UTF-8 counts as the owner's U+FFFD."""
    if text.isascii():
        return len(text)
    readable = encode(text).decode("utf-8", "replace")
    return len(readable) if unit == "codepoints" else len(readable.encode("utf-16-le")) // 2


def total(texts: Sequence[str], unit: LengthUnit) -> int:
    """The length of a file with these entries as the owner counts it: delimiters count, duplicates do not."""
    return length(DELIMITER.join(unique(texts)), unit)


def has_sign_line(content: str) -> bool:
    """Whether a line of this content is exactly the sign, so that it reads back as more than one entry.

    At its first or last line too: with the entry before or behind it the boundary would move (entries
    sheet 2). CR counts as a line end: other programs convert it.
    """
    return SIGN in content and _SIGN_LINE.search(content) is not None


def _spans(data: bytes, dialect: Dialect) -> Iterable[tuple[int, int]]:
    start = 0
    for match in (_ANY_DELIMITER if dialect.translates_line_ends else _LF_DELIMITER).finditer(data):
        yield start, match.start()
        start = match.end()
    yield start, len(data)


def _translated(text: str, dialect: Dialect) -> str:
    return _LINE_END.sub("\n", text) if dialect.translates_line_ends and "\r" in text else text


def _blank(data: bytes, dialect: Dialect, misshapen: Drift | None) -> Drift | None:
    # a file of nothing but blanks is an empty store; one of nothing but delimiters is not
    return misshapen if decode(data).strip(dialect.trimmed) else None
