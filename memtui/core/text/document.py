"""Lossless text: bytes in, lines to look at, splices out; what is not spliced keeps every byte.

Lines end at LF or CRLF only (a lone CR, U+2028 or U+0085 is text, as every owner reads it). Text is decoded
as UTF-8 with surrogate escapes, so that encoding it again gives the same bytes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from memtui.late.dataclasses import dataclass

BOM = b"\xef\xbb\xbf"
Newline = Literal["\n", "\r\n"]


class Line(NamedTuple):
    """One line: `number` from 1, byte offsets `start` to `end` without its line end `eol`, and its text."""

    number: int
    start: int
    end: int
    eol: bytes
    text: str


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace the bytes from `start` to `end` (byte offsets in the original) by `new`."""

    start: int
    end: int
    new: bytes


@dataclass(frozen=True)
class Document:
    """A file's bytes with their lines (split when they are asked for); a byte-order mark belongs to no line.

    `bad_utf8_at` is the byte offset of the first byte that is not UTF-8, or None.
    """

    raw: bytes
    bad_utf8_at: int | None

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All lines."""
        return tuple(self.lines_until(len(self.raw)))

    def lines_until(self, offset: int) -> list[Line]:
        """The lines that begin before this byte offset: most readers need a file's first few only."""
        raw = self.raw
        lines: list[Line] = []
        start = len(BOM) if self.has_bom else 0
        while start < offset:
            at = raw.find(b"\n", start)
            if at < 0:
                end, eol, following = len(raw), b"", len(raw)
            elif at > start and raw[at - 1] == 0x0D:
                end, eol, following = at - 1, b"\r\n", at + 1
            else:
                end, eol, following = at, b"\n", at + 1
            lines.append(Line(len(lines) + 1, start, end, eol, decode(raw[start:end])))
            start = following
        return lines

    @property
    def has_bom(self) -> bool:
        """Whether the bytes start with a UTF-8 byte-order mark."""
        return self.raw.startswith(BOM)

    @property
    def newline(self) -> Newline:
        """The line end that most lines use; LF when there is none or a draw."""
        crlf = sum(1 for line in self.lines if line.eol == b"\r\n")
        lf = sum(1 for line in self.lines if line.eol == b"\n")
        return "\r\n" if crlf > lf else "\n"

    @property
    def mixes_newlines(self) -> bool:
        """Whether both LF and CRLF occur."""
        return {b"\n", b"\r\n"} <= {line.eol for line in self.lines}

    @property
    def ends_with_newline(self) -> bool:
        """Whether the last line has a line end (true for an empty document)."""
        return not self.lines or bool(self.lines[-1].eol)

    @property
    def text(self) -> str:
        """All text without the byte-order mark, line ends as they are, surrogate escapes for bad bytes."""
        return decode(self.raw[len(BOM) :] if self.has_bom else self.raw)


def parse(raw: bytes) -> Document:
    """Bytes as a document. Never fails."""
    bad_at = None
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        bad_at = error.start
    return Document(raw, bad_at)


def decode(raw: bytes) -> str:
    """UTF-8 to text; bytes that are not UTF-8 become surrogate escapes."""
    return raw.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Text to UTF-8; surrogate escapes become the bytes they came from."""
    return text.encode("utf-8", "surrogateescape")


def splice(raw: bytes, splices: Iterable[Splice]) -> bytes:
    """Apply splices (which must not overlap) and leave every other byte alone. Raises ValueError on overlap."""
    parts = []
    position = 0
    for item in sorted(splices, key=lambda item: (item.start, item.end)):
        if item.start < position:
            raise ValueError("splices overlap")
        parts.append(raw[position : item.start])
        parts.append(item.new)
        position = item.end
    parts.append(raw[position:])
    return b"".join(parts)


def remove_lines(document: Document, numbers: Iterable[int]) -> list[Splice]:
    """Take whole lines out, each with its own line end and nothing else."""
    wanted = set(numbers)
    return [
        Splice(line.start, line.end + len(line.eol), b"") for line in document.lines if line.number in wanted
    ]


def insert_lines(document: Document, after: int, texts: Sequence[str]) -> Splice:
    """New lines behind line number `after` (0 = at the start), in the document's own line end.

    Behind a last line without a line end, that line gets one and the new last line has none, so the
    document ends as it ended before.
    """
    eol = document.newline
    if after <= 0 or not document.lines:
        at = len(BOM) if document.has_bom else 0
        return Splice(at, at, encode("".join(text + eol for text in texts)))
    line = document.lines[min(after, len(document.lines)) - 1]
    if not line.eol:
        return Splice(line.end, line.end, encode("".join(eol + text for text in texts)))
    at = line.end + len(line.eol)
    return Splice(at, at, encode("".join(text + eol for text in texts)))
