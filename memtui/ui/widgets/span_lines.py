"""Lines of spans that do not scroll: the title bar, the status lines, the facts above a text, the key bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from memtui.ui.widgets.spans import ELLIPSIS, Span, clip, clip_spans, ink_style, segments
from memtui.ui.widgets.wrapping import wrap

GAP = "  "

WORTH_READING = 8
"""Cells of a part of the top bar below which it is left out instead of cut."""


class SpanLines(Widget, can_focus=False):
    """Lines of safe spans, each cut on the right; as high as there are lines unless a style says else."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    SpanLines {
        height: auto;
        width: 1fr;
    }
    """

    def __init__(
        self, lines: Sequence[Sequence[Span]] = (), *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._shown: list[list[Span]] = [list(line) for line in lines]

    @property
    def text(self) -> str:
        """What stands there, uncut."""
        return "\n".join("".join(text for text, _ink in line) for line in self._shown)

    def show(self, lines: Sequence[Sequence[Span]]) -> None:
        """Show other lines."""
        new = [list(line) for line in lines]
        if new == self._shown:
            return
        width = self.size.width
        before = len(self.laid_out(width))
        self._shown = new
        self.refresh(layout=len(self.laid_out(width)) != before)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The widest line."""
        return max((sum(cell_len(text) for text, _ in line) for line in self._shown), default=0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """So many rows as there are at this width."""
        return len(self.laid_out(width))

    def _look(self, ink: str) -> Style:
        return ink_style(self, ink)

    def laid_out(self, width: int) -> Sequence[Sequence[Span]]:
        """The rows at a width, before they are cut."""
        return self._shown

    def line_spans(self, y: int, width: int) -> tuple[list[Span], int]:
        """The spans of a row that fit, and their cells."""
        return clip_spans(self.laid_out(width)[y], width)

    def render_line(self, y: int) -> Strip:
        """One row."""
        width, base = self.size.width, self.rich_style
        if y >= len(self.laid_out(width)):
            return Strip.blank(width, base)
        spans, used = self.line_spans(y, width)
        return Strip(segments(spans, base, self._look), used).adjust_cell_length(width, base)

    def render(self) -> str:
        """Never asked for: rows are painted one by one."""
        return ""


class FactLines(SpanLines):
    """Lines of a label and a text; the text is wrapped beside its label, over so many rows at most.

    It has the class `-empty` while there is none. In fewer than `NARROW_BELOW` cells it shows the `narrow`
    lines where it has some, plain text in one row each.
    """

    ROWS_EACH = 3
    NARROW_BELOW = 60

    def __init__(
        self, lines: Sequence[Sequence[Span]] = (), *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(lines, id=id, classes=classes)
        self._narrow: list[list[Span]] | None = None
        self.set_class(not self._shown, "-empty")

    def show(self, lines: Sequence[Sequence[Span]], *, narrow: Sequence[Sequence[Span]] | None = None) -> None:
        """Show other lines, and others again where they are narrow."""
        new = [list(line) for line in lines]
        new_narrow = None if narrow is None else [list(line) for line in narrow]
        if (new, new_narrow) == (self._shown, self._narrow):
            return
        width = self.size.width
        before = len(self.laid_out(width))
        self._shown, self._narrow = new, new_narrow
        self.refresh(layout=len(self.laid_out(width)) != before)
        self.set_class(not new, "-empty")

    def laid_out(self, width: int) -> Sequence[Sequence[Span]]:
        """The rows at a width."""
        narrow = self._narrow if 0 < width < self.NARROW_BELOW else None
        rows: list[list[Span]] = []
        for line in self._shown if narrow is None else narrow:
            if not line:
                rows.append([])
                continue
            *labels, (text, ink) = line
            indent = sum(cell_len(label) for label, _ink in labels)
            room = max(8, width - indent)
            starts = wrap(text, room)[: self.ROWS_EACH if narrow is None or ink else 1]
            ends = [*starts[1:], len(text)]
            for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
                beside: list[Span] = list(labels) if number == 0 else [(" " * indent, "")]
                rows.append([*beside, (clip(text[start:end].rstrip(" "), room), ink)])
        height = self.size.height
        if 0 < height < len(rows):
            # there is more than the pane has rows for
            *before, (last, ink) = rows[height - 1] or [("", "")]
            room = max(1, width - _cells(before))
            is_cut = last.endswith(ELLIPSIS)
            rows[height - 1] = [*before, (last if is_cut else _with_ellipsis(last, room), ink)]
        return rows


def _with_ellipsis(text: str, room: int) -> str:
    """The text with the sign for what is cut right behind it."""
    return text + ELLIPSIS if cell_len(text) < room else clip(text + "  ", room)


class TopBar(SpanLines):
    """One row: what matters most at the left, the place at the right, which gives way first."""

    DEFAULT_CSS = """
    TopBar {
        height: 1;
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__([[]], id=id, classes=classes)
        self._levels: Sequence[Sequence[Sequence[Span]]] = [[]]
        self._places: Sequence[Sequence[Span]] = []
        self._keeps_place = False
        self._last: list[Sequence[Span]] = []

    def show_parts(
        self,
        levels: Sequence[Sequence[Sequence[Span]]],
        places: Sequence[Sequence[Span]],
        *,
        keeps_place: bool = False,
    ) -> None:
        """`levels` are the parts, most important first, in full and then in ever fewer cells; `places` the
        place that stands at the right edge, likewise. Where `keeps_place` the parts give way before it."""
        self._levels, self._places, self._keeps_place = levels or [[]], places, keeps_place
        shown = [*self._levels[0], *places[:1]]
        self._shown = [[span for part in shown for span in [*part, (GAP, "")]]]
        self.refresh()

    def show_last(self, part: Sequence[Span]) -> None:
        """Show one more part behind the others, or none."""
        self._last = [part] if part else []
        self.refresh()

    def _ways(self) -> Iterator[tuple[Sequence[Sequence[Span]], Sequence[Span]]]:
        """What the row may be, the best first. The parts in full give way before the place loses more than
        its beginning; the last word of them goes after the place."""
        for number, level in enumerate(self._levels):
            is_full = number == 0 and len(self._levels) > 1
            for place in self._places[:2] if is_full else self._places:
                yield level, place
            if not self._keeps_place and not is_full:
                yield level, ()
        yield self._levels[-1], ()

    def line_spans(self, y: int, width: int) -> tuple[list[Span], int]:
        """The row: of parts and place the first way that fits; where none does the last parts go."""
        for parts, place in self._ways():
            row = _joined([*parts, *self._last])
            used, cells = _cells(row), _cells(place)
            if used + (len(GAP) + cells if cells else -1) < width:
                gap = width - 1 - used - cells if cells else 0
                return [*row, (" " * gap, ""), *place], used + gap + cells
        return _cut_parts([*self._levels[-1], *self._last], width)


def _joined(parts: Sequence[Sequence[Span]]) -> list[Span]:
    row: list[Span] = [(" ", "")]
    for number, part in enumerate(parts):
        row += [(GAP, ""), *part] if number else part
    return row


def _cut_parts(parts: Sequence[Sequence[Span]], width: int) -> tuple[list[Span], int]:
    """The parts that have room whole; the first one that has none is cut where enough of it is left to read."""
    row: list[Span] = []
    for count in range(1, len(parts) + 1):
        longer = _joined(parts[:count])
        if _cells(longer) > width:
            is_readable = width - _cells(row) - len(GAP) >= WORTH_READING
            return clip_spans(longer if is_readable or not row else row, width)
        row = longer
    return row, _cells(row)


def _cells(spans: Sequence[Span]) -> int:
    return sum(cell_len(text) for text, _ink in spans)


class KeyBar(SpanLines):
    """One row of keys and what they do; only whole ones are shown, and the last ones always are."""

    DEFAULT_CSS = """
    KeyBar {
        height: 1;
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__([[]], id=id, classes=classes)
        self._keys: list[tuple[str, str]] = []
        self._always = 1

    def show_keys(self, keys: Sequence[tuple[str, str]], *, always: int = 1) -> None:
        """Pairs of key and label, most used first; the last `always` stand even where the others do not fit."""
        self._always = always
        if list(keys) != self._keys:
            self._keys = list(keys)
            self._shown = [[(f"{key} {label}{GAP}", "") for key, label in keys]]
            self.refresh()

    def line_spans(self, y: int, width: int) -> tuple[list[Span], int]:
        """The keys that fit."""
        if not self._keys:
            return [], 0
        last = self._keys[-self._always :]
        room = width - 1 + len(GAP) - sum(_key_cells(item) + len(GAP) for item in last)
        shown = []
        for item in self._keys[: -self._always]:
            room -= _key_cells(item) + len(GAP)
            if room < 0:
                break
            shown.append(item)
        spans: list[Span] = [(" ", "")]
        for key, label in (*shown, *last):
            spans += [(key, "key"), (f" {label}{GAP}", "muted")]
        spans[-1] = (f" {last[-1][1]}", "muted")
        return clip_spans(spans, width)


def _key_cells(item: tuple[str, str]) -> int:
    return cell_len(item[0]) + 1 + cell_len(item[1])
