"""Tables of Markdown as aligned columns. Pure; a table that would be too wide is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from memtui.late import re
from memtui.ui.widgets.spans import Span

MOST_CELLS = 72
"""A wider table would wrap, and is easier to read as its source."""

GAP = "  "

_PIPE = re.compile(r"(?<!\\)\|")

NumberedLine = tuple[int, list[Span]]


def table_lines(source: Sequence[str], inline: Callable[[str, str], list[Span]]) -> list[NumberedLine] | None:
    """The lines of a table, each with the number (from 0) of its line in `source`; None when it is too wide.

    `inline(text, ink)` lays out a cell. The first line has the names of the columns, the second their sides.
    """
    names, sides, *rows = [_cells(line) for line in source]
    count = max(map(len, (names, *rows)))
    laid_out = [
        [inline(cell, "strong") for cell in names],
        *([inline(cell, "") for cell in row] for row in rows),
    ]
    widths = [max((_width(row[at]) for row in laid_out if at < len(row)), default=0) for at in range(count)]
    if sum(widths) + len(GAP) * (count - 1) > MOST_CELLS:
        return None
    sides += [""] * (count - len(sides))
    numbers = (0, *range(2, len(source)))
    lines: list[NumberedLine] = [
        (number, _row(row, widths, sides)) for number, row in zip(numbers, laid_out, strict=True)
    ]
    lines.insert(1, (1, [(GAP.join("─" * width for width in widths), "rule")]))
    return lines


def _cells(line: str) -> list[str]:
    cells = [cell.strip() for cell in _PIPE.split(line.strip())]
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return cells


def _width(spans: Sequence[Span]) -> int:
    return sum(cell_len(text) for text, _ink in spans)


def _row(cells: Sequence[list[Span]], widths: Sequence[int], sides: Sequence[str]) -> list[Span]:
    spans: list[Span] = []
    for at, (cell, width) in enumerate(zip(cells, widths, strict=False)):
        room = width - _width(cell)
        left = room if sides[at].endswith(":") else 0
        if left and sides[at].startswith(":"):
            left = room // 2
        spans += [(GAP if at else "", ""), (" " * left, ""), *cell, (" " * (room - left), "")]
    while spans and not spans[-1][0].strip():
        spans.pop()
    return spans
