"""Lines of spans that do not scroll: the title bar, the status lines, the facts above a text, the key bar."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from memtui.ui.widgets.spans import Span, clip_spans, ink_style, segments
from memtui.ui.widgets.wrapping import wrap

GAP = "  "


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
    """Lines of a label and a text; the text is wrapped beside its label, over so many rows at most."""

    ROWS_EACH = 3

    def laid_out(self, width: int) -> Sequence[Sequence[Span]]:
        """The rows at a width."""
        rows: list[list[Span]] = []
        for line in self._shown:
            if not line:
                rows.append([])
                continue
            *labels, (text, ink) = line
            indent = sum(cell_len(label) for label, _ink in labels)
            starts = wrap(text, max(8, width - indent))[: self.ROWS_EACH]
            ends = [*starts[1:], len(text)]
            for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
                beside: list[Span] = list(labels) if number == 0 else [(" " * indent, "")]
                rows.append([*beside, (text[start:end].rstrip(" "), ink)])
        return rows


class TopBar(SpanLines):
    """One row: what matters most at the left, the place at the right, which gives way first."""

    DEFAULT_CSS = """
    TopBar {
        height: 1;
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__([[]], id=id, classes=classes)
        self._parts: list[list[Span]] = []
        self._place: list[Span] = []
        self._short_place: list[Span] = []

    def show_parts(
        self, parts: Sequence[Sequence[Span]], place: Sequence[Span], short_place: Sequence[Span] = ()
    ) -> None:
        """`parts`, most important first, and the place that stands at the right edge where there is room;
        `short_place` stands in for it where there is less."""
        self._parts = [list(part) for part in parts]
        self._place = list(place)
        self._short_place = list(short_place)
        self._shown = [[span for part in [*self._parts, self._place] for span in [*part, (GAP, "")]]]
        self.refresh()

    def line_spans(self, y: int, width: int) -> tuple[list[Span], int]:
        """The row with the place pushed to the right edge."""
        left: list[Span] = [(" ", "")]
        for part in self._parts:
            left += [*part, (GAP, "")]
        spans, used = clip_spans(left, width)
        room = width - used - 1
        full = sum(cell_len(text) for text, _ in self._place)
        place = self._place if full <= room or not self._short_place else self._short_place
        place, cells = clip_spans(place, max(0, room))
        if cells < min(8, sum(cell_len(text) for text, _ in self._place)):
            return spans, used
        return [*spans, (" " * (room - cells), ""), *place], used + room


class KeyBar(SpanLines):
    """One row of keys and what they do; only whole ones are shown, and the last one always is."""

    DEFAULT_CSS = """
    KeyBar {
        height: 1;
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__([[]], id=id, classes=classes)
        self._keys: list[tuple[str, str]] = []

    def show_keys(self, keys: Sequence[tuple[str, str]]) -> None:
        """Pairs of key and label, most used first; the last stands even where the others do not fit."""
        if list(keys) != self._keys:
            self._keys = list(keys)
            self._shown = [[(f"{key} {label}{GAP}", "") for key, label in keys]]
            self.refresh()

    def line_spans(self, y: int, width: int) -> tuple[list[Span], int]:
        """The keys that fit."""
        if not self._keys:
            return [], 0
        *most, last = self._keys
        room = width - 1 - _key_cells(last)
        shown = []
        for item in most:
            room -= _key_cells(item) + len(GAP)
            if room < 0:
                break
            shown.append(item)
        spans: list[Span] = [(" ", "")]
        for key, label in shown:
            spans += [(key, "key"), (f" {label}{GAP}", "muted")]
        spans += [(last[0], "key"), (f" {last[1]}", "muted")]
        return clip_spans(spans, width)


def _key_cells(item: tuple[str, str]) -> int:
    return cell_len(item[0]) + 1 + cell_len(item[1])
