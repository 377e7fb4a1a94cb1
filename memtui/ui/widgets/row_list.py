"""RowList: one list for every pane, painted line by line, so that 10,000 rows cost no more than ten."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memtui.ui.widgets.spans import Span, clip, clip_spans, ink_style, segments, split_at, wrapped

RowKind = Literal["row", "heading", "rule"]

CURSOR = "▌"
MARK = "*"
RULE = "┄"
ROOM_FOR_TEXT = 10
"""Cells that a row's own text keeps before the tail gives way."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One column of a row: safe text and its ink.

    `width` in cells fixes a column, 0 lets it take the room that is left (one such cell a row).
    `hits` are the code points (ascending) that a filter matched. A cell with `from_width` is left out of
    rows that are narrower.
    """

    text: str
    ink: str = ""
    width: int = 0
    hits: tuple[int, ...] = ()
    from_width: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a list as plain data; `id` is unique among the rows.

    `tail` stands at the right edge. Headings and rules (a line with its words in the middle) are not
    selectable.
    """

    id: str
    cells: tuple[Cell, ...] = ()
    tail: str = ""
    tail_ink: str = "muted"
    dim: bool = False
    kind: RowKind = "row"


@dataclass(frozen=True, slots=True)
class Badge:
    """What is said about a row for a while: a sign for its first column where that is empty, and a word."""

    sign: str
    ink: str
    word: str


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the ids of the rows are, and which rows can hold the cursor."""

    index: Mapping[str, int] = field(default_factory=dict)
    selectable: tuple[int, ...] = ()


class RowList(ScrollView, can_focus=False):
    """A list with a cursor that follows its row by id; keys come from outside, through the methods."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-list--cursor",
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

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: Sequence[Row] = ()
        self._places = _Places()
        self._marked: frozenset[str] = frozenset()
        self._badges: Mapping[str, Badge] = {}
        self._empty: Sequence[Sequence[Span]] = ()
        self._announced = ""
        self._strips: LRUCache[tuple[int, int, bool], Strip] = LRUCache(512)

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
    def marked(self) -> frozenset[str]:
        """Ids that are shown with a mark."""
        return self._marked

    @marked.setter
    def marked(self, ids: Collection[str]) -> None:
        self._marked = frozenset(ids)
        self._repaint()

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
        """Show other rows. The cursor stays on its id, else on the nearest place; the scroll is kept.

        `empty` are the lines that stand there while there are no rows.
        """
        kept_id, kept_index, offset = self.cursor_id, self.cursor, self.scroll_offset.y
        self._rows = rows
        self._empty = empty
        self._places = _Places(
            {row.id: index for index, row in enumerate(rows)},
            tuple(index for index, row in enumerate(rows) if row.kind == "row"),
        )
        self._strips.clear()
        self.virtual_size = Size(0, len(rows))
        target = self._places.index.get(kept_id, -1)
        if target < 0 or rows[target].kind != "row":
            target = self._nearest(max(0, kept_index))
        self.set_reactive(RowList.cursor, target)
        if self.size.height:
            self.scroll_to(y=min(offset, max(0, len(rows) - self.size.height)), animate=False)
        self._follow()
        self.refresh()
        self._announce()

    def go_to(self, row_id: str) -> bool:
        """Put the cursor on a row; False when there is no such row to stand on."""
        index = self._places.index.get(row_id, -1)
        if index < 0 or self._rows[index].kind != "row":
            return False
        self.cursor = index
        return True

    @property
    def text_width(self) -> int:
        """Cells of a row, without the place that is kept for a scroll bar."""
        return self.scrollable_content_region.width

    # How it moves

    def move_by(self, rows: int) -> None:
        """Move the cursor over so many selectable rows, stopping at the ends."""
        places = self._places.selectable
        if places:
            here = self._rank(self.cursor)
            self.cursor = places[max(0, min(len(places) - 1, here + rows))]

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
        self._follow()
        self._announce()

    def _rank(self, index: int) -> int:
        places = self._places.selectable
        low, high = 0, len(places)
        while low < high:
            middle = (low + high) // 2
            if places[middle] < index:
                low = middle + 1
            else:
                high = middle
        return low

    def _nearest(self, index: int, *, forward: bool = True) -> int:
        places = self._places.selectable
        if not places:
            return -1
        rank = self._rank(index)
        if rank < len(places) and (places[rank] == index or forward):
            return places[rank]
        return places[max(0, rank - 1)] if rank else places[0]

    def _follow(self) -> None:
        height = self.size.height
        if self.cursor < 0 or height <= 0:
            return
        top = self.scroll_offset.y
        if self.cursor < top or self.cursor >= top + height:
            top = self.cursor if self.cursor < top else self.cursor - height + 1
        # A first row takes the heading above it along.
        first = self._places.selectable[0]
        if self.cursor == first and first < height:
            top = 0
        if top != self.scroll_offset.y:
            self.scroll_to(y=top, animate=False)

    def _announce(self) -> None:
        if self.cursor_id != self._announced:
            self._announced = self.cursor_id
            self.post_message(self.Highlighted(self, self._announced))

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in view."""
        self._strips.clear()
        self._follow()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the row that was clicked, and say so."""
        index = self.scroll_offset.y + event.y
        if 0 <= index < len(self._rows) and self._rows[index].kind == "row":
            event.stop()
            self.cursor = index
            self.post_message(self.Selected(self, self._rows[index].id))

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

    def render_line(self, y: int) -> Strip:
        """One screen row."""
        width = self.text_width
        index = self.scroll_offset.y + y
        if index >= len(self._rows):
            return self._empty_line(y, width)
        key = (index, width, index == self.cursor)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = self._paint(self._rows[index], width, index == self.cursor)
        return strip

    def _empty_line(self, y: int, width: int) -> Strip:
        base = self.rich_style
        rows = [] if self._rows else wrapped(self._empty, width - 1)
        if y >= len(rows):
            return Strip.blank(width, base)
        spans, used = clip_spans([(" ", ""), *rows[y]], width)
        return Strip(segments(spans, base, self._look), used).adjust_cell_length(width, base)

    def _paint(self, row: Row, width: int, at_cursor: bool) -> Strip:
        base = self.rich_style
        if row.kind == "rule":
            return self._paint_rule(row, width, base)
        if (badge := self._badges.get(row.id)) is not None:
            row = _with_badge(row, badge)
        if at_cursor:
            base = base + self.get_component_rich_style("row-list--cursor", partial=True)
        elif row.kind == "heading":
            base = base + self.get_component_rich_style("row-list--heading", partial=True)
        elif row.dim:
            base = base + self.get_component_rich_style("row-list--dim", partial=True)
        gutter = CURSOR if at_cursor else " "
        if self._marked:
            gutter += MARK if row.id in self._marked else " "
        line = [Segment(gutter, base)]
        inner = width - len(gutter)
        spans, used = self._columns(row, inner)
        look = self._bright if at_cursor else self._plain if row.dim else self._look
        line += segments(spans, base, look)
        strip = Strip(line, len(gutter) + used)
        return strip.adjust_cell_length(width, base)

    def _plain(self, ink: str) -> Style:
        # A dimmed row keeps one colour; only what names a problem stays in its own.
        return self._look(ink) if ink in ("error", "warn", "match") else Style.null()

    def _bright(self, ink: str) -> Style:
        # What is faint elsewhere would be lost on the colour of the cursor.
        return Style.null() if ink in ("muted", "kind", "note") else self._look(ink)

    def _columns(self, row: Row, width: int) -> tuple[list[Span], int]:
        cells = [cell for cell in row.cells if width >= cell.from_width]
        fixed = sum(cell.width for cell in cells)
        free = width - fixed
        tail = row.tail
        if tail:
            room = free - min(ROOM_FOR_TEXT, max((cell_len(c.text) for c in cells if not c.width), default=0))
            tail = clip(tail, room - 1)
            free -= cell_len(tail) + 1 if tail else 0
        spans: list[Span] = []
        used = 0
        for cell in cells:
            place = cell.width or max(0, free)
            pieces, taken = clip_spans(split_at(cell.text, cell.ink, cell.hits, "match"), place)
            spans += pieces
            if taken < place:
                spans.append((" " * (place - taken), ""))
            used += place
        if tail:
            gap = max(1, width - used - cell_len(tail))
            spans += [(" " * gap, ""), (tail, row.tail_ink)]
        return clip_spans(spans, max(0, width))

    def _paint_rule(self, row: Row, width: int, base: Style) -> Strip:
        words = clip(" ".join(cell.text for cell in row.cells), max(0, width - 5))
        text = f" {words} " if words else ""
        left = max(0, (width - 1 - cell_len(text)) // 2)
        right = max(0, width - 1 - cell_len(text) - left)
        spans = [(" ", ""), (RULE * left, "rule"), (text, "rule"), (RULE * right, "rule")]
        fitted, used = clip_spans(spans, width)
        return Strip(segments(fitted, base, self._look), used).adjust_cell_length(width, base)


def _with_badge(row: Row, badge: Badge) -> Row:
    cells = row.cells
    if cells and not cells[0].text:
        cells = (replace(cells[0], text=badge.sign, ink=badge.ink), *cells[1:])
    is_age = row.tail_ink == "muted"
    tail = badge.word if is_age or not row.tail else f"{badge.word} · {row.tail}"
    return replace(row, cells=cells, tail=tail, tail_ink=badge.ink if is_age else row.tail_ink)
