"""Where lines wrap at a width, and which screen row shows which piece of which line, worked out lazily.

Only lines that were looked at are wrapped; the rest is measured in slices, so that a text of 100,000 lines
opens at once. Positions are code points of the line; widths are cells.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence

from rich.cells import cell_len, split_graphemes

CHUNK = 256


def wrap(line: str, width: int, hang: int = 0) -> list[int]:
    """Where the rows of a line begin: [0] or more, never inside a character.

    A row breaks at its last blank, unless that would leave it two thirds empty. Every row but the first is
    narrower by `hang` cells.
    """
    if width <= 0:
        return [0]
    if line.isascii():
        return [0] if len(line) <= width else _wrap_ascii(line, width, hang)
    if len(line) * 2 <= width or cell_len(line) <= width:
        return [0]
    return _wrap_wide(line, width, hang)


def fitting_lead(lead: str, width: int) -> str:
    """What stands before the further rows of a line: `lead`, or nothing where it would take half of them."""
    return lead if lead and cell_len(lead) * 2 <= width else ""


def _wrap_ascii(line: str, width: int, hang: int) -> list[int]:
    starts = [0]
    start, length = 0, len(line)
    while length - start > width:
        blank = line.rfind(" ", start + width // 3, start + width + 1)
        start = blank + 1 if blank > start and line[start:blank].strip() else start + width
        if start >= length:
            break
        starts.append(start)
        if len(starts) == 2:
            width -= hang
    return starts


def _wrap_wide(line: str, width: int, hang: int) -> list[int]:
    starts = [0]
    start, length = 0, len(line)
    while start < length:
        piece = line[start : start + width * 2 + 16]
        graphemes, _ = split_graphemes(piece)
        used, end, blank = 0, 0, 0
        full = False
        for first, stop, cells in graphemes:
            if used + cells > width and first > 0:
                # The blank at which the row breaks may stand beyond the edge.
                full = True
                if piece[first] == " ":
                    blank = stop
                break
            used += cells
            end = stop
            if piece[first] == " " and piece[:first].strip():
                blank = stop
        if not full and start + end >= length:
            break
        start += blank if blank * 3 > end else max(1, end)
        if start < length:
            starts.append(start)
            if len(starts) == 2:
                width -= hang
    return starts


class RowMap:
    """Lines to screen rows at one width; `rule_at` is the line before which one extra row stands (None = none).

    `leads`, one entry a line, stand before the further rows of it. Lines and rows count from 0. `total` is
    exact for what was measured and one row a line for the rest.
    """

    def __init__(
        self,
        lines: Sequence[str],
        width: int,
        rule_at: int | None = None,
        leads: Sequence[str] | None = None,
    ) -> None:
        self.width = width
        self._leads = leads
        self.rule_at = rule_at
        self._lines = lines
        self._heights = array("L")
        self._chunk_rows = [0]

    @property
    def measured(self) -> int:
        """How many lines were measured, from the first."""
        return len(self._heights)

    @property
    def complete(self) -> bool:
        """Whether every line was measured."""
        return len(self._heights) >= len(self._lines)

    @property
    def total(self) -> int:
        """Rows altogether."""
        return self._chunk_rows[-1] + len(self._lines) - len(self._heights)

    def measure(self, lines: int) -> None:
        """Measure until at least so many lines are known."""
        wanted = min(len(self._lines), max(0, lines))
        while len(self._heights) < wanted:
            self._measure_chunk()

    def measure_rows(self, rows: int) -> None:
        """Measure until at least so many rows are known."""
        while self._chunk_rows[-1] < rows and not self.complete:
            self._measure_chunk()

    def lead_of(self, line: int) -> str:
        """What stands before the further rows of a line."""
        return fitting_lead(self._leads[line], self.width) if self._leads is not None else ""

    def wrap(self, line: int) -> list[int]:
        """Where the rows of a line begin in it."""
        return wrap(self._lines[line], self.width, cell_len(self.lead_of(line)))

    def _measure_chunk(self) -> None:
        width, rule_at = self.width, self.rule_at
        first = len(self._heights)
        heights = [
            1 if len(line) <= width and line.isascii() else len(self.wrap(number))
            for number, line in enumerate(self._lines[first : first + CHUNK], first)
        ]
        if rule_at is not None and first <= rule_at < first + len(heights):
            heights[rule_at - first] += 1
        self._heights.extend(heights)
        self._chunk_rows.append(self._chunk_rows[-1] + sum(heights))

    def row_of(self, line: int) -> int:
        """The first row of a line."""
        line = max(0, min(line, len(self._lines)))
        self.measure(line)
        chunk = min(line // CHUNK, len(self._chunk_rows) - 1)
        return self._chunk_rows[chunk] + sum(self._heights[chunk * CHUNK : line])

    def line_at(self, row: int) -> tuple[int, int] | None:
        """The line that a row shows and which of its rows that is; None beyond the end."""
        if row < 0:
            return None
        self.measure_rows(row + 1)
        if row >= self._chunk_rows[-1]:
            return None
        chunk = bisect_right(self._chunk_rows, row) - 1
        at = self._chunk_rows[chunk]
        line = chunk * CHUNK
        while at + self._heights[line] <= row:
            at += self._heights[line]
            line += 1
        return line, row - at
