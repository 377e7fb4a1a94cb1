"""LineView: a text of any length, painted row by row, wrapped to the width, with its lines known by number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import FIFOCache
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer

from memtui.late import re
from memtui.ui.widgets import source_style
from memtui.ui.widgets.line_selection import LineSelection
from memtui.ui.widgets.long_view import LongView
from memtui.ui.widgets.source_style import InkSpan
from memtui.ui.widgets.spans import clip, ink_style, row_pieces
from memtui.ui.widgets.strips import Strips
from memtui.ui.widgets.wrapping import RowMap

Inker = Callable[[str, source_style.State], list[InkSpan]]

SLICE = 1024
"""Lines that are measured at a time while nobody waits for them."""

RULE = "┄"

_PLAIN = Style.null()

_SIGN = re.compile(r"[\u2400-\u2421]+|<U\+[0-9A-F]{4,6}>|<\+\d+>|\\x[89a-f][0-9a-f]")


def signs_in(line: str) -> list[InkSpan]:
    """The signs in a safe line that stand for what cannot be shown as it is, as muted spans."""
    if line.isascii() and "<" not in line and "\\x" not in line:
        return []
    return [(found.start(), found.end(), "muted") for found in _SIGN.finditer(line)]


class LineView(LineSelection, LongView, can_focus=False):
    """A text by its lines; keys come from outside, through the methods. Line numbers count from 1.

    Lines must be safe for display: no control characters, no line ends.
    """

    DEFAULT_CSS = """
    LineView {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    """

    class NearEdge(Message):
        """The first or last rows are near, where more lines may be put on."""

        def __init__(self, line_view: LineView, at_top: bool) -> None:
            super().__init__()
            self.line_view = line_view
            self.at_top = at_top

        @property
        def control(self) -> LineView:
            """The view."""
            return self.line_view

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: Sequence[str] = ()
        self._inks: Sequence[Sequence[InkSpan]] | None = None
        self._leads: Sequence[str] | None = None
        self._matches: Mapping[int, Sequence[tuple[int, int]]] = {}
        self._match: tuple[int, int] | None = None
        self._pointed: int | None = None
        self._rows = RowMap((), 0)
        self._states: list[source_style.State] = []
        self._inker: Inker | None = None
        self._rule_at: int | None = None
        self._rule_text = ""
        self._wraps: FIFOCache[int, list[int]] = FIFOCache(1024)
        self._strips: Strips[int] = Strips(512)
        self._measuring: Timer | None = None
        self._anchor = 0
        self._anchor_row = 0
        self._stays_at_end = False
        self._sought: tuple[int, int | None, int] | None = None

    # What it shows

    @property
    def lines(self) -> Sequence[str]:
        """The lines as they were given."""
        return self._lines

    @property
    def top_line(self) -> int:
        """The number of the line at the top of the screen."""
        found = self._rows.line_at(self.scroll_offset.y) if self._rows.width else None
        return found[0] + 1 if found else self._anchor + 1

    @property
    def place(self) -> tuple[int, int]:
        """The line at the top of the screen, and how many of its rows are above."""
        found = self._rows.line_at(self.scroll_offset.y) if self._rows.width else None
        return (found[0] + 1, found[1]) if found else (self._anchor + 1, self._anchor_row)

    @property
    def is_at_end(self) -> bool:
        """Whether the last row is on the screen."""
        return self._rows.complete and self.scroll_offset.y >= self._rows.total - self.size.height

    def show(
        self,
        lines: Sequence[str],
        *,
        inker: Inker | None = source_style.ink_spans,
        inks: Sequence[Sequence[InkSpan]] | None = None,
        leads: Sequence[str] | None = None,
        place: tuple[int, int] | None = None,
        rule_after: int | None = None,
        rule_text: str = "",
        keep_place: bool = False,
    ) -> None:
        """Show a text from its first line (or from where the last one stood, with `keep_place`).

        `rule_after`: a rule with `rule_text` stands after this line, where more lines follow. `inker` None
        leaves the text plain; `inks`, one entry a line, stand in for it. `leads`, one entry a line, stand
        before the further rows of a line that wraps. `place`: the line to begin at, and how many of its rows
        are above. A selection in another text is given up.
        """
        line, self._anchor_row = place or (self.place if keep_place else (1, 0))
        self._anchor = max(0, min(line - 1, len(lines) - 1))
        self._inks, self._leads = inks, leads
        self._matches, self._match, self._pointed = {}, None, None
        if self.is_mounted and self.text_selection is not None and lines != self._lines:
            self.clear_selection()
        self._stays_at_end, self._sought = False, None
        self._lines = lines
        self._inker = inker
        self._states = []
        self._rule_at = rule_after if rule_after is not None and 0 <= rule_after < len(lines) else None
        self._rule_text = rule_text
        self._wrap_anew()

    def goto_line(self, number: int) -> None:
        """Bring a line into view: at the top, or as near to it as the end allows."""
        self._stays_at_end = False
        line = max(0, min(len(self._lines) - 1, number - 1))
        self._anchor, self._anchor_row = line, 0
        if not self._rows.width:
            return
        row = self._rows.row_of(line)
        self._rows.measure_rows(row + self.size.height)
        self.set_length(self._rows.total)
        self.scroll_to(y=row, animate=False, force=True, immediate=True)
        self._sought = number, None, self.scroll_offset.y

    def reveal(self, number: int, position: int = 0) -> None:
        """Bring a code point of a line into view: where it is when it is there, else a third from the top."""
        line = max(0, min(len(self._lines) - 1, number - 1))
        if not self._rows.width:
            self.goto_line(number)
            return
        row = self._rows.row_of(line) + bisect_right(self._rows.wrap(line), position) - 1
        row += self._rule_at is not None and line == self._rule_at
        top, height = self.scroll_offset.y, self.size.height
        if not top <= row < top + height:
            self._stays_at_end = False
            self._scroll_to_row(row - height // 3)
        self._sought = number, position, self.scroll_offset.y

    def set_matches(
        self, matches: Mapping[int, Sequence[tuple[int, int]]], current: tuple[int, int] | None = None
    ) -> None:
        """Show these code points of lines (by number) as found, and the one that begins at `current` (a line
        and a code point) as the one that is looked at."""
        if matches != self._matches or current != self._match:
            self._matches, self._match = matches, current
            self._strips.clear()
            self.refresh()

    @property
    def pointed(self) -> int | None:
        """The number of the line that is pointed at."""
        return self._pointed

    @pointed.setter
    def pointed(self, number: int | None) -> None:
        if number != self._pointed:
            self._pointed = number
            self._strips.clear()
            self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Say when an edge comes near."""
        super().watch_scroll_y(old_value, new_value)
        if new_value < old_value:
            self._stays_at_end = False
        height = self.size.height
        if not height or round(old_value) == round(new_value):
            return
        if new_value < old_value and new_value < height:
            self.post_message(self.NearEdge(self, True))
        elif new_value > old_value and new_value > self._rows.total - 2 * height:
            self.post_message(self.NearEdge(self, False))

    @property
    def text_width(self) -> int:
        """Cells of a row, without the place that is kept for a scroll bar and the free cell before it."""
        return max(0, self.scrollable_content_region.width - 1)

    # How it moves

    def move_by(self, rows: int) -> None:
        """Scroll by screen rows."""
        self._scroll_to_row(self.scroll_offset.y + rows)

    def move_pages(self, pages: float) -> None:
        """Scroll by pages, with one row that stays for the eye."""
        step = max(1, round(abs(pages) * max(1, self.size.height - 1)))
        self._scroll_to_row(self.scroll_offset.y + (step if pages > 0 else -step))

    def move_to_first(self) -> None:
        """Scroll to the first line."""
        self._scroll_to_row(0)

    def move_to_last(self) -> None:
        """Scroll to the last line, and stay there when the size changes."""
        self._rows.measure(len(self._lines))
        self.set_length(self._rows.total)
        self._scroll_to_row(self._rows.total)
        self._stays_at_end = True

    def _scroll_to_row(self, row: int) -> None:
        if self._rows.width:
            self._rows.measure_rows(row + 2 * self.size.height)
            self.set_length(self._rows.total)
        self.scroll_to(y=max(0, row), animate=False, force=True, immediate=True)

    # Width and height

    def on_resize(self, event: events.Resize) -> None:
        """Wrap again where the width changed; the line at the top stays there, or the end."""
        stays_at_end = self._stays_at_end
        if self.text_width != self._rows.width:
            if self._rows.width:
                self._anchor, self._anchor_row = self.top_line - 1, 0
            self._wrap_anew()
        if stays_at_end:
            self.move_to_last()
        elif self._sought is not None and self._sought[2] == self.scroll_offset.y:
            # what stands above the text was laid out later, and nobody has moved since
            number, position, _y = self._sought
            if position is None:
                self.goto_line(number)
            else:
                self.reveal(number, position)

    def on_unmount(self) -> None:
        """Stop measuring."""
        self._stop_measuring()

    def _wrap_anew(self) -> None:
        self._stop_measuring()
        self._wraps.clear()
        self._strips.clear()
        width = self.text_width if self.is_mounted else 0
        self._rows = RowMap(self._lines, width, self._rule_at, self._leads)
        if not width:
            return
        row = self._rows.row_of(self._anchor) + self._anchor_row
        self._rows.measure_rows(row + 2 * self.size.height)
        self.set_length(self._rows.total)
        self.scroll_to(y=row, animate=False, force=True, immediate=True)
        self.refresh()
        if not self._rows.complete:
            self._measuring = self.set_interval(0.02, self._measure_slice)

    def _measure_slice(self) -> None:
        self._rows.measure(self._rows.measured + SLICE)
        if self._rows.complete:
            self._stop_measuring()
            self.set_length(self._rows.total)

    def _stop_measuring(self) -> None:
        if self._measuring is not None:
            self._measuring.stop()
            self._measuring = None

    # How it is painted

    def notify_style_update(self) -> None:
        """Forget what was painted in the old style."""
        super().notify_style_update()
        self._strips.clear()

    def selection_updated(self, selection: Selection | None) -> None:
        """Paint the selection."""
        self._strips.clear()
        self.refresh()

    def _look(self, ink: str) -> Style:
        return ink_style(self, ink)

    def render_line(self, y: int) -> Strip:
        """One screen row."""
        row, width = self.scroll_offset.y + y, self.text_width
        strip = self._strips.get(row)
        if strip is None or strip.cell_length != width + 1:
            painted = self._paint(row, width).adjust_cell_length(width + 1, self._strips.base_of(self))
            strip = self._strips[row] = painted
        return strip

    def _paint(self, row: int, width: int) -> Strip:
        base = self._strips.base_of(self)
        found = self._rows.line_at(row) if self._rows.width else None
        if found is None:
            return Strip.blank(width, base)
        line, part = found
        if line == self._rule_at:
            if part == 0:
                return self._paint_rule(width, base)
            part -= 1
        text = self._lines[line]
        starts = self._wraps.get(line)
        if starts is None:
            starts = self._wraps[line] = self._rows.wrap(line)
        start = starts[part]
        stop = starts[part + 1] if part + 1 < len(starts) else len(text)
        strip = Strip(self._pieces(line, start, stop, base)).apply_offsets(start, line)
        lead = self._rows.lead_of(line) if part else ""
        if lead:
            # it belongs to the place where the row begins, and is no text that could be selected
            style = base + self._look("muted") + Style.from_meta({"offset": (start, line)})
            strip = Strip([*(Segment(char, style) for char in lead), *strip])
        return strip.adjust_cell_length(width, base)

    def _paint_rule(self, width: int, base: Style) -> Strip:
        style = base + self._look("rule")
        words = f" {clip(self._rule_text, width - 6)} " if self._rule_text else ""
        left = max(0, (width - cell_len(words)) // 2)
        right = max(0, width - cell_len(words) - left)
        return Strip([Segment(RULE * left + words + RULE * right, style)]).adjust_cell_length(width, base)

    def _pieces(self, line: int, start: int, stop: int, base: Style) -> list[Segment]:
        inks: Sequence[InkSpan] = ()
        if self._inks is not None:
            inks = self._inks[line]
        elif self._inker:
            inks = self._inker(self._lines[line], self._state(line))
        found = self._matches.get(line + 1, ())
        looked_at = self._match[1] if self._match is not None and self._match[0] == line + 1 else -1
        marks = [(first, last, "found" if first == looked_at else "match") for first, last in found]
        inks = [*marks, *signs_in(self._lines[line]), *inks]
        if line + 1 == self._pointed:
            base = base + self._look("pointer")
        selected = self.selected_in(line)
        selection = _PLAIN if selected is None else self.screen.get_component_rich_style("screen--selection")
        return row_pieces(self._lines[line], start, stop, inks, base, self._look, selected, selection)

    def _state(self, line: int) -> source_style.State:
        states = self._states
        if not states:
            states.append(source_style.INITIAL)
        while len(states) <= line:
            states.append(source_style.next_state(self._lines[len(states) - 1], states[-1]))
        return states[line]
