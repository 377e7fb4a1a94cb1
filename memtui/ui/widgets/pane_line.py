"""PaneLine: which panes there are and which one is shown, where only one of them has room."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events

from memtui.i18n import _
from memtui.ui.widgets.span_lines import SpanLines
from memtui.ui.widgets.spans import Span, clip_spans

LABELS = {"index": _("memories"), "topic": _("text"), "search": _("search"), "status": _("status")}
"""What each pane is called here, in the order of their keys."""


def pane_items(active: str, width: int) -> list[tuple[str, str]]:
    """The panes as (name, words); the active one stands in brackets. Where `width` cells are too few for all
    words, only the active one has its word."""
    names = list(LABELS)
    for words_of in (names, [active], []):
        items = []
        for number, name in enumerate(names, 1):
            words = f"{number} {LABELS[name]}" if name in words_of else str(number)
            items.append((name, f"[{words}]" if name == active else f" {words} "))
        if sum(cell_len(words) for _name, words in items) <= width:
            break
    return items


class PaneLine(SpanLines):
    """One row: the panes with their keys, a click goes there; how to leave the zoom stands at the right."""

    DEFAULT_CSS = """
    PaneLine {
        height: 1;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__([[]], id=id)
        self._active = "index"
        self._end = ""

    def show_active(self, pane: str, end: str = "") -> None:
        """Show which pane is active, and `end` at the right where it has room."""
        if (pane, end) != (self._active, self._end):
            self._active, self._end = pane, end
            self.refresh()

    @property
    def text(self) -> str:
        """What stands there, uncut."""
        return "".join(words for _name, words in pane_items(self._active, 1000)) + self._end

    def line_spans(self, y: int, width: int) -> tuple[list[Span], int]:
        """The row."""
        spans: list[Span] = [
            (words, "key" if name == self._active else "muted")
            for name, words in pane_items(self._active, width)
        ]
        used = sum(cell_len(words) for words, _ink in spans)
        gap = width - used - cell_len(self._end) - 1
        if self._end and gap > 0:
            spans += [(" " * gap, ""), (self._end, "muted")]
        return clip_spans(spans, width)

    def pane_at(self, x: int, width: int) -> str:
        """The name of the pane at a cell, '' where there is none."""
        end = 0
        for name, words in pane_items(self._active, width):
            end += cell_len(words)
            if x < end:
                return name
        return ""

    async def on_click(self, event: events.Click) -> None:
        """Go to the pane that was clicked."""
        event.stop()
        if name := self.pane_at(event.x, self.size.width):
            await self.run_action(f"app.do('pane_{name}')")

    def laid_out(self, width: int) -> Sequence[Sequence[Span]]:
        """One row."""
        return [[]]
