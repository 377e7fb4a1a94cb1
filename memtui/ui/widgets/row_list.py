"""RowList: one list for every pane, painted line by line, so that 10,000 rows cost no more than ten."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Container, Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from memtui.ui.widgets.long_view import LongView
from memtui.ui.widgets.rows import Badge, Cell, Places, Row, RowKind, columns, places_of, rule_spans, with_badge
from memtui.ui.widgets.spans import Span, clip_spans, ink_style, segments, wrapped
from memtui.ui.widgets.strips import Strips

__all__ = ["Badge", "Cell", "Row", "RowKind", "RowList"]

CURSOR = "▌"

STICKY_FROM = 6
"""Rows that a list must have to keep one of them for the heading of the group it is scrolled into."""

_Line = tuple[Row, int, bool, bool]
"""A row, its cells, and whether the cursor and a mark are on it: all that its paint follows from."""


class RowList(LongView, can_focus=False):
    """A list with a cursor that follows its row by id; keys come from outside, through the methods."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-list--cursor",
        "row-list--bar",
        "row-list--heading",
        "row-list--dim",
    }
    DEFAULT_CSS = """
    RowList {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        scrollbar-gutter: stable;
    }
    """

    cursor: reactive[int] = reactive(-1, repaint=False)
    """Index of the row under the cursor, -1 when no row is selectable."""

    class Highlighted(Message):
        """The cursor is on another row; `row_id` is '' when there is none."""

        def __init__(self, row_list: RowList, row_id: str) -> None:
            super().__init__()
            self.row_list = row_list
            self.row_id = row_id

        @property
        def control(self) -> RowList:
            """The list."""
            return self.row_list

    class Selected(Message):
        """A row was clicked."""

        def __init__(self, row_list: RowList, row_id: str) -> None:
            super().__init__()
            self.row_list = row_list
            self.row_id = row_id

        @property
        def control(self) -> RowList:
            """The list."""
            return self.row_list

    class MarksChanged(Message):
        """Other rows are marked; `count` of them."""

        def __init__(self, row_list: RowList, count: int) -> None:
            super().__init__()
            self.row_list = row_list
            self.count = count

        @property
        def control(self) -> RowList:
            """The list."""
            return self.row_list

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: Sequence[Row] = ()
        self._places = Places()
        self._marked: frozenset[str] = frozenset()
        self._anchor = ""
        self._badges: Mapping[str, Badge] = {}
        self._empty: Sequence[Sequence[Span]] = ()
        self._announced = ""
        self._squeezed = (0, 0)
        self._strips: Strips[_Line] = Strips(512)

    # What it shows

    @property
    def rows(self) -> Sequence[Row]:
        """The rows as they were given."""
        return self._rows

    @property
    def cursor_id(self) -> str:
        """The id of the row under the cursor, '' when there is none."""
        return self._rows[self.cursor].id if 0 <= self.cursor < len(self._rows) else ""

    @property
    def badges(self) -> Mapping[str, Badge]:
        """Badges by row id; rows that are not there need no regard."""
        return self._badges

    @badges.setter
    def badges(self, badges: Mapping[str, Badge]) -> None:
        if badges != self._badges:
            self._badges = badges
            self._repaint()

    def set_rows(self, rows: Sequence[Row], *, empty: Sequence[Sequence[Span]] = ()) -> None:
        """Show other rows. The cursor stays on its id, else the nearest place, and that row where it is on the
        screen.

        While it is scrolled out of view, the row at the top stays there instead. `empty` are the lines that
        stand there while there are no rows.
        """
        kept_id, kept_index, top = self.cursor_id, self.cursor, self.scroll_offset.y
        is_in_view = top <= kept_index < top + self.size.height
        held = kept_index if is_in_view else top
        held_id = self._rows[held].id if held < len(self._rows) else ""
        before = self._lines() if self._rows and rows else ()
        self._rows = rows
        self._empty = empty
        self._places = places_of(rows)
        self.set_length(len(rows))
        target = self._places.index.get(kept_id, -1)
        if target < 0 or rows[target].kind != "row":
            target = self._nearest(max(0, kept_index))
        self.set_reactive(RowList.cursor, target)
        if self._anchor and self._anchor not in self._places.index:
            self._anchor = ""
        if height := self.size.height:
            place = target if is_in_view else self._places.index.get(held_id, -1)
            # what stands at the very top, a heading most often, stays in view as long as the cursor does
            stays = place < 0 or (top == 0 and (not is_in_view or place < height))
            wanted = top if stays else place - (held - top)
            self.scroll_to(y=max(0, min(wanted, len(rows) - height)), animate=False)
        if is_in_view or self.cursor_id != kept_id:
            self._follow()
        if not before or self.scroll_offset.y != top:
            self.refresh()
        elif changed := [
            y for y, (old, new) in enumerate(zip(before, self._lines(), strict=True)) if old != new
        ]:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))
        self._announce()

    def go_to(self, row_id: str) -> bool:
        """Put the cursor on a row; False when there is no such row to stand on."""
        index = self._places.index.get(row_id, -1)
        if index < 0 or self._rows[index].kind != "row":
            return False
        self.cursor = index
        return True

    def show_cursor(self) -> None:
        """Scroll to the cursor."""
        self._follow()

    # What is marked

    @property
    def marked(self) -> frozenset[str]:
        """Ids of the marked rows, those of the range included; some may be of rows that are not shown."""
        first, last = self._span
        return self._marked.union(row.id for row in self._rows[first:last] if row.markable)

    @marked.setter
    def marked(self, ids: Collection[str]) -> None:
        before = self.marked
        self._marked, self._anchor = frozenset(ids), ""
        if self._marked != before:
            self.refresh()
            self.post_message(self.MarksChanged(self, len(self._marked)))

    def keep_marks(self, ids: Container[str]) -> None:
        """Take the marks away from all rows but these; a range goes on."""
        kept = frozenset(row_id for row_id in self._marked if row_id in ids)
        if kept != self._marked:
            self._marked = kept
            self.refresh()
            self.post_message(self.MarksChanged(self, len(self.marked)))

    @property
    def markable(self) -> frozenset[str]:
        """Ids of all rows that can be marked."""
        return frozenset(row.id for row in self._rows if row.markable)

    @property
    def is_ranging(self) -> bool:
        """Whether moving marks."""
        return bool(self._anchor)

    def begin_range(self) -> None:
        """Mark everything from the row under the cursor to wherever it is moved, until the range ends."""
        self._anchor = self.cursor_id
        self._range_moved(self.cursor, self.cursor)

    def end_range(self, *, keeps_marks: bool = True) -> None:
        """End the range; its rows stay marked or get back what they were."""
        if self._anchor:
            self.marked = self.marked if keeps_marks else self._marked

    @property
    def _span(self) -> tuple[int, int]:
        anchor = self._places.index.get(self._anchor, -1) if self._anchor else -1
        return (min(anchor, self.cursor), max(anchor, self.cursor) + 1) if anchor >= 0 else (0, 0)

    def _range_moved(self, old: int, new: int) -> None:
        if abs(new - old) < self.size.height:
            for index in range(min(old, new), max(old, new) + 1):
                self.refresh_line(index)
        else:
            self.refresh()
        self.post_message(self.MarksChanged(self, len(self.marked)))

    @property
    def text_width(self) -> int:
        """Cells of a row, without the place that is kept for a scroll bar."""
        return self.scrollable_content_region.width

    # How it moves

    def move_by(self, rows: int) -> None:
        """Move the cursor over so many selectable rows, stopping at the ends."""
        places = self._places.selectable
        if places:
            here = bisect_left(places, self.cursor)
            self.cursor = places[max(0, min(len(places) - 1, here + rows))]

    def beside_cursor(self) -> tuple[str, ...]:
        """The ids of the rows that the next key may go to: the one below, the one above."""
        places = self._places.selectable
        here = bisect_left(places, self.cursor)
        return tuple(self._rows[places[rank]].id for rank in (here + 1, here - 1) if 0 <= rank < len(places))

    def move_pages(self, pages: float) -> None:
        """Move the cursor by pages (or parts of one) of what is visible."""
        height = max(1, self.size.height)
        target = self.cursor + round(pages * height)
        self.cursor = self._nearest(max(0, min(len(self._rows) - 1, target)), forward=pages > 0)

    def move_to_first(self) -> None:
        """Move the cursor to the first row."""
        if self._places.selectable:
            self.cursor = self._places.selectable[0]

    def move_to_last(self) -> None:
        """Move the cursor to the last row."""
        if self._places.selectable:
            self.cursor = self._places.selectable[-1]

    def watch_cursor(self, old: int, new: int) -> None:
        """Repaint the two rows that changed and bring the new one into view."""
        for index in (old, new):
            if 0 <= index < len(self._rows):
                self.refresh_line(index)
        if self._anchor:
            self._range_moved(old, new)
        self._follow()
        self._announce()

    def _nearest(self, index: int, *, forward: bool = True) -> int:
        places = self._places.selectable
        if not places:
            return -1
        rank = bisect_left(places, index)
        if rank < len(places) and (places[rank] == index or forward):
            return places[rank]
        return places[max(0, rank - 1)] if rank else places[0]

    def _follow(self, wanted_top: int | None = None) -> int:
        """Bring the cursor into view, from the first row that is wanted; gives the one that it led to."""
        height = self.size.height
        top = self.scroll_offset.y if wanted_top is None else min(wanted_top, max(0, len(self._rows) - height))
        if self.cursor < 0 or height <= 0:
            return top
        if self.cursor < top + (self._heading_over(top) >= 0):
            top = self.cursor
            top -= self._heading_over(top) >= 0
        elif self.cursor >= top + height:
            top = self.cursor - height + 1
        # A first row takes the heading above it along.
        first = self._places.selectable[0]
        if self.cursor == first and first < height:
            top = 0
        if top != self.scroll_offset.y:
            self.scroll_to(y=top, animate=False)
        return top

    def _heading_over(self, top: int) -> int:
        """The heading that stands in the first row while that row is inside its group; -1 for none."""
        headings = self._places.headings
        if len(headings) < 2 or self.size.height < STICKY_FROM:
            return -1
        rank = bisect_right(headings, top) - 1
        return headings[rank] if rank >= 0 and headings[rank] < top else -1

    def _announce(self) -> None:
        if self.cursor_id != self._announced:
            self._announced = self.cursor_id
            self.post_message(self.Highlighted(self, self._announced))

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in view."""
        self._strips.clear()
        # A list that was squeezed for a while and grows again goes back to the first row that it had.
        wanted, led_to = self._squeezed
        here = self.scroll_offset.y
        wanted = here if here != led_to else wanted
        self._squeezed = wanted, self._follow(wanted)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the row that was clicked, and say so."""
        index = self._row_at(event.y)
        if 0 <= index < len(self._rows) and self._rows[index].kind == "row":
            event.stop()
            self.cursor = index
            self.post_message(self.Selected(self, self._rows[index].id))

    def _row_at(self, y: int) -> int:
        top = self.scroll_offset.y
        heading = self._heading_over(top) if y == 0 else -1
        return top + y if heading < 0 else heading

    # How it is painted

    def notify_style_update(self) -> None:
        """Forget what was painted in the old style."""
        super().notify_style_update()
        self._strips.clear()

    def _repaint(self) -> None:
        self._strips.clear()
        self.refresh()

    def _look(self, ink: str) -> Style:
        return ink_style(self, ink)

    def _lines(self) -> list[_Line | None]:
        """What the screen rows are painted from."""
        room = self._room
        return [self._line(y, room) for y in range(self.size.height)]

    def _line(self, y: int, room: int) -> _Line | None:
        index = self._row_at(y)
        if index >= len(self._rows):
            return None
        row = self._rows[index]
        first, last = self._span
        is_marked = row.markable and (first <= index < last or row.id in self._marked)
        return row, room, index == self.cursor, is_marked

    @property
    def _room(self) -> int:
        # what stands at the right edge does not touch a scroll bar
        return self.text_width - 1 - self.show_vertical_scrollbar

    def render_line(self, y: int) -> Strip:
        """One screen row."""
        line = self._line(y, self._room)
        if line is None:
            return self._empty_line(y, self.text_width)
        strip = self._strips.get(line)
        if strip is None:
            strip = self._strips[line] = self._paint(*line)
        return strip

    def _empty_line(self, y: int, width: int) -> Strip:
        base = self.rich_style
        rows = [] if self._rows else wrapped(self._empty, width - 1)
        if y >= len(rows):
            return Strip.blank(width, base)
        spans, used = clip_spans([(" ", ""), *rows[y]], width)
        return Strip(segments(spans, base, self._look), used).adjust_cell_length(width, base)

    def _paint(self, row: Row, room: int, at_cursor: bool, is_marked: bool) -> Strip:
        width = self.text_width
        base = self._strips.base_of(self)
        if row.kind == "rule":
            fitted, used = rule_spans(row, width)
            return Strip(segments(fitted, base, self._look), used).adjust_cell_length(width, base)
        if (badge := self._badges.get(row.id)) is not None:
            row = with_badge(row, badge)
        if at_cursor:
            base = base + self.get_component_rich_style("row-list--cursor", partial=True)
        elif row.kind == "heading":
            base = base + self.get_component_rich_style("row-list--heading", partial=True)
        elif row.dim:
            base = base + self.get_component_rich_style("row-list--dim", partial=True)
        bar = self.get_component_rich_style("row-list--bar", partial=True)
        line = [Segment(CURSOR, base + bar) if at_cursor else Segment(" ", base)]
        spans, used = columns(row, room, marked=is_marked)
        look = self._bright if at_cursor else self._plain if row.dim else self._look
        line += segments(spans, base, look)
        return Strip(line, 1 + used).adjust_cell_length(width, base)

    def _plain(self, ink: str) -> Style:
        # A dimmed row keeps one colour; only what names a problem stays in its own.
        return self._look(ink) if ink in ("error", "warn", "match", "key") else Style.null()

    def _bright(self, ink: str) -> Style:
        # On the colour of the cursor those of the inks would be lost, and faintness; an underline is not.
        return Style.null() if ink in ("muted", "kind", "note") else self._look(ink).without_color
