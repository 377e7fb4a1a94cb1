"""What an owner loads of an index: what it takes out first, where it cuts, and how much of a limit is used.

The steps are those of ZCode's index reader (pi-and-zcode sheet B2): frontmatter and top-level comments go, the
rest is trimmed, then cut to a number of lines, then at the last line end within the size limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.core.layouts.base import Budget, Profile, Unit
from memtui.core.layouts.binding import with_binding
from memtui.core.text import frontmatter as frontmatters
from memtui.core.text.document import Document
from memtui.core.text.index_lines import Index
from memtui.core.text.javascript import JS_BLANKS
from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Injected:
    """An index as the owner takes it.

    `text` is all of it after what the owner strips; `cut_text` what is left within the limits. `loaded` =
    first and last line of the file (1-based) that is loaded whole, (0, 0) when none is, None when all is.
    """

    text: str
    cut_text: str
    loaded: tuple[int, int] | None

    @property
    def is_cut(self) -> bool:
        """Whether something does not fit."""
        return self.loaded is not None

    def loads(self, line: int) -> bool:
        """Whether a line of the file is loaded whole."""
        return self.loaded is None or self.loaded[0] <= line <= self.loaded[1]


def size(text: str, unit: Unit) -> int:
    """The size of a text: lines (a line end at the end starts no new one), UTF-8 bytes, UTF-16 units or code
    points."""
    if unit == "lines":
        return text.count("\n") + (not text.endswith("\n") if text else 0)
    if unit == "codepoints":
        return len(text)
    if unit == "bytes":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def injected(index: Index, profile: Profile) -> Injected:
    """What an owner takes of an index. Bytes that are not UTF-8 count as U+FFFD, as its decoder sees them."""
    pieces = _pieces(index, profile)
    if profile.strips_comments:
        pieces = _trimmed(pieces)
    text = "".join(piece for _, piece in pieces)
    rows = _rows(pieces)
    whole = len(rows)
    for limit in profile.limits:
        if limit.scope == "inject":
            whole = min(whole, _whole_rows(rows, limit.unit, limit.limit))
    if whole == len(rows):
        return Injected(text, text, None)
    if not whole:
        cut_text = rows[0][1]
        for limit in profile.limits:
            if limit.scope == "inject" and limit.unit != "lines":
                cut_text = _cut(cut_text, limit.unit, limit.limit)
        return Injected(text, cut_text, (0, 0))
    numbers = [number for row_numbers, _ in rows[:whole] for number in row_numbers]
    return Injected(text, "\n".join(row for _, row in rows[:whole]), (min(numbers), max(numbers)))


def _pieces(index: Index, profile: Profile) -> list[tuple[int, str]]:
    """The kept text of each line with its line end, by line number."""
    document = index.document
    gone = _stripped_spans(index) if profile.strips_comments else []
    pieces = []
    position = 0
    for line in document.lines:
        end = line.end + len(line.eol)
        while position < len(gone) and gone[position][1] <= line.start:
            position += 1
        if position == len(gone) or gone[position][0] >= end:
            pieces.append((line.number, _text(document, line.start, end)))
            continue
        kept = "".join(_text(document, start, stop) for start, stop in _kept(line.start, end, gone[position:]))
        is_blank = not kept.strip() and gone[position][0] < line.end
        if kept and not (is_blank and line.text.strip()):
            pieces.append((line.number, kept))
    return pieces


def _stripped_spans(index: Index) -> list[tuple[int, int]]:
    block = frontmatters.parse(index.document)
    start = block.body_start if block.state == "ok" else 0
    spans = [(0, start)] if start else []
    return spans + [span for span in index.comments if span[0] >= start]


def _kept(start: int, end: int, gone: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    for low, high in gone:
        if low >= end:
            break
        if low > start:
            yield start, low
        start = max(start, high)
    if start < end:
        yield start, end


def _text(document: Document, start: int, end: int) -> str:
    return document.raw[start:end].decode("utf-8", "replace")


def _trimmed(pieces: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    kept = list(pieces)
    while kept and not kept[-1][1].strip(JS_BLANKS):
        kept.pop()
    first = 0
    while first < len(kept) and not kept[first][1].strip(JS_BLANKS):
        first += 1
    kept = kept[first:]
    if kept:
        kept[-1] = (kept[-1][0], kept[-1][1].rstrip(JS_BLANKS))
        kept[0] = (kept[0][0], kept[0][1].lstrip(JS_BLANKS))
    return kept


def _rows(pieces: Sequence[tuple[int, str]]) -> list[tuple[list[int], str]]:
    """The lines of the injected text without line ends, each with the lines of the file in it."""
    rows: list[tuple[list[int], str]] = []
    is_open = False
    for number, piece in pieces:
        if is_open:
            numbers, before = rows[-1]
            rows[-1] = ([*numbers, number], before + piece.removesuffix("\n"))
        else:
            rows.append(([number], piece.removesuffix("\n")))
        is_open = not piece.endswith("\n")
    return rows


def _whole_rows(rows: Sequence[tuple[list[int], str]], unit: Unit, limit: int) -> int:
    if unit == "lines":
        return min(limit, len(rows))
    used = 0
    for position, (_, row) in enumerate(rows):
        used += size(row, unit) + (position > 0)
        if used > limit:
            return position
    return len(rows)


def _cut(text: str, unit: Unit, limit: int) -> str:
    used = 0
    for position, char in enumerate(text):
        used += size(char, unit)
        if used > limit:
            return text[:position]
    return text


def budgets(profile: Profile, taken: Injected | None, bodies: Iterable[bytes]) -> tuple[Budget, ...]:
    """How much of each limit is used: of the index for `inject`, of the largest memory for `body`.

    The one with the highest share of its scope is `binding`. Limits of scope `write` have no place here.
    """
    largest_lines, largest_bytes = 0, 0
    if any(limit.scope == "body" for limit in profile.limits):
        for body in bodies:
            largest_lines = max(largest_lines, body.count(b"\n") + (not body.endswith(b"\n") if body else 0))
            largest_bytes = max(largest_bytes, len(body))
    found = []
    for limit in profile.limits:
        if limit.scope == "inject":
            used = size(taken.text, limit.unit) if taken else 0
            loaded = taken.loaded if taken else None
            found.append(Budget("inject", "", limit.unit, used, limit.limit, loaded=loaded))
        elif limit.scope == "body" and limit.unit in ("lines", "bytes"):
            used = largest_lines if limit.unit == "lines" else largest_bytes
            found.append(Budget("body", "", limit.unit, used, limit.limit))
    return with_binding(found)
