"""The rows of a list as plain data, and how one of them is laid out in columns. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from rich.cells import cell_len, split_graphemes

from memtui.late.dataclasses import dataclass, field, replace
from memtui.ui.widgets.spans import ELLIPSIS, Span, clip, clip_spans, split_at

RowKind = Literal["row", "heading", "rule", "note"]

MARK = "*"
RULE = "┄"
ROOM_FOR_TEXT = 20
"""Cells that a row's own text keeps before the tail gives way."""

LOOSE_ENDS = " ·,;:-"
"""What no tail that was cut ends with."""

LEAST_TAIL = 4
"""Cells of the shortest beginning of a tail that says something (`file…`, not `not…`)."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One column of a row: safe text and its ink.

    `width` in cells fixes a column, 0 lets it take the room that is left (one such cell a row).
    `hits` are the code points (ascending) that a filter matched. A cell with `from_width` is left out of
    rows that are narrower. What stands at `keeps` (code points from and to) stays in view where the text has
    to be cut: then it is cut on the left too.
    """

    text: str
    ink: str = ""
    width: int = 0
    hits: tuple[int, ...] = ()
    from_width: int = 0
    keeps: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a list as plain data; `id` is unique among the rows.

    `tail` stands at the right edge, or the first of `tails`, shorter forms of it, that has room; else the words
    of the last form that have. Only the kind
    `row` can hold the cursor: a heading names the group of the rows below it, a rule is a line with its words
    in the middle, a note belongs to no group. `markable` rows can be marked.
    """

    id: str
    cells: tuple[Cell, ...] = ()
    tail: str = ""
    tail_ink: str = "muted"
    dim: bool = False
    kind: RowKind = "row"
    markable: bool = False
    tails: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Badge:
    """What is said about a row for a while: a sign for its first column where that is empty, and a word."""

    sign: str
    ink: str
    word: str


@dataclass(frozen=True, slots=True)
class Places:
    """Where the ids of the rows are, which rows can hold the cursor, and where the groups begin; ascending."""

    index: Mapping[str, int] = field(default_factory=dict)
    selectable: tuple[int, ...] = ()
    headings: tuple[int, ...] = ()


def places_of(rows: Sequence[Row]) -> Places:
    """Where everything is in these rows."""
    return Places(
        {row.id: index for index, row in enumerate(rows)},
        tuple(index for index, row in enumerate(rows) if row.kind == "row"),
        tuple(index for index, row in enumerate(rows) if row.kind == "heading"),
    )


def with_badge(row: Row, badge: Badge) -> Row:
    """The row with what is said about it for a while."""
    cells = row.cells
    if cells and not cells[0].text:
        cells = (replace(cells[0], text=badge.sign, ink=badge.ink), *cells[1:])
    is_age = row.tail_ink == "muted"
    tail = badge.word if is_age or not row.tail else f"{badge.word} · {row.tail}"
    return replace(row, cells=cells, tail=tail, tail_ink=badge.ink if is_age else row.tail_ink)


def columns(row: Row, width: int, *, marked: bool = False) -> tuple[list[Span], int]:
    """The spans of a row in so many cells, and the cells they take.

    The mark stands in the last cell of the first column, which has a fixed width, so that nothing moves when
    a row is marked; in a row without such a column it stands before the text.
    """
    cells = [cell for cell in row.cells if width >= cell.from_width]
    fixed = sum(cell.width for cell in cells)
    free = width - fixed
    spans: list[Span] = []
    used = 0
    if marked and not (cells and cells[0].width):
        spans, used, free = [(MARK, "key")], 1, free - 1
        marked = False
    tail = row.tail
    if tail:
        text_cells = max((cell_len(cell.text) for cell in cells if not cell.width), default=0)
        room = free - 1 - min(ROOM_FOR_TEXT, text_cells)
        forms = (tail, *row.tails)
        tail = next((form for form in forms if cell_len(form) <= room), "") or _whole_words(forms[-1], room)
        free -= cell_len(tail) + 1 if tail else 0
    for cell in cells:
        place = cell.width or max(0, free)
        has_mark, marked = marked, False
        pieces, taken = _cut(cell, place - has_mark)
        spans += pieces
        if taken < place - has_mark:
            spans.append((" " * (place - has_mark - taken), ""))
        if has_mark:
            spans.append((MARK, "key"))
        used += place
    if tail:
        gap = max(1, width - used - cell_len(tail))
        spans += [(" " * gap, ""), (tail, row.tail_ink)]
    return clip_spans(spans, max(0, width))


def _whole_words(text: str, width: int) -> str:
    """The first words of a text that have room in so many cells with a sign that more follow, else ''."""
    words = text.split(" ")
    heads = (" ".join(words[:count]).rstrip(LOOSE_ENDS) for count in range(len(words) - 1, 0, -1))
    return next((head + ELLIPSIS for head in heads if LEAST_TAIL <= cell_len(head) < width), "")


def _cut(cell: Cell, width: int) -> tuple[list[Span], int]:
    """The text of a cell in so many cells, and those it takes; the sign for what is cut has never the ink of
    a hit."""
    text, hits = cell.text, cell.hits
    if cell_len(text) <= width:
        return clip_spans(split_at(text, cell.ink, hits, "match"), width)
    if cell.keeps is not None and (left := _left_out(text, cell.keeps, width)):
        text = ELLIPSIS + text[left:]
        hits = tuple(hit - left + 1 for hit in hits if hit >= left)
    shown = clip(text, width)
    end = len(shown) - shown.endswith(ELLIPSIS)
    return clip_spans(split_at(shown, cell.ink, [hit for hit in hits if hit < end], "match"), width)


def _left_out(text: str, keeps: tuple[int, int], width: int) -> int:
    """How many code points at the start of a text are left out, so that those it `keeps` are in view in so
    many cells, with a third of the room before them; a word or a sign is never split."""
    start, end = keeps
    if cell_len(text[:end]) < width:
        return 0
    rest, kept = cell_len(text[start:]), cell_len(text[start:end])
    room = max((width - 2 - kept) // 3, width - 1 - rest)
    at = start
    for first, _stop, cells in reversed(split_graphemes(text[:start])[0]):
        room -= cells
        if room < 0:
            break
        at = first
    blank = text.find(" ", max(0, at - 1), start)
    return blank + 1 if blank >= 0 else at


def rule_spans(row: Row, width: int) -> tuple[list[Span], int]:
    """The spans of a rule in so many cells, its words in the middle, and the cells they take."""
    words = clip(" ".join(cell.text for cell in row.cells), max(0, width - 5))
    text = f" {words} " if words else ""
    left = max(0, (width - 1 - cell_len(text)) // 2)
    right = max(0, width - 1 - cell_len(text) - left)
    return clip_spans([(" ", ""), (RULE * left, "rule"), (text, "rule"), (RULE * right, "rule")], width)
