"""The status: a pane with everything, and a strip that names only what is not zero."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.containers import Vertical
from textual.content import Content

from memtui.i18n import _
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.source_style import InkSpan, State
from memtui.ui.widgets.span_lines import SpanLines
from memtui.ui.widgets.spans import Span
from memtui.ui.widgets.wrapping import wrap

SEPARATOR = " · "

NARROW = 60
"""Below so many cells the counts have one row."""

MOST_ROWS = 6
"""Rows that the counts take at most."""

MOST_SAID_ROWS = 4
"""Rows that something new takes at most."""


class StatusPane(Vertical):
    """Lines about the store under the cursor, what is wrong, what can be undone; wrapped, not cut."""

    def on_mount(self) -> None:
        """Name the pane."""
        self.border_title = Content(_("4 Status"))

    async def complete(self) -> None:
        """Mount the lines: the first frame shows an empty pane sooner without them."""
        await self.mount(LineView(id="status-lines"))

    @property
    def text(self) -> LineView:
        """The lines themselves."""
        return self.query_one(LineView)

    def show(self, lines: Sequence[Sequence[Span]]) -> None:
        """Show lines of spans."""
        inks: dict[str, list[InkSpan]] = {}
        texts = []
        for line in lines:
            text, spans = "", []
            for piece, ink in line:
                if ink:
                    spans.append((len(text), len(text) + len(piece), ink))
                text += piece
            texts.append(text)
            inks[text] = spans

        def inker(text: str, state: State) -> list[InkSpan]:
            return inks.get(text, [])

        self.text.show(texts, inker=inker, keep_place=True)


class StatusStrip(SpanLines):
    """Counts packed into as many rows as they need, then the last thing that happened."""

    DEFAULT_CSS = """
    StatusStrip {
        height: auto;
    }
    """

    _is_news = False

    def show_items(
        self, items: Sequence[Sequence[Span]], said: Sequence[Span], *, is_news: bool = False
    ) -> None:
        """`items` are packed into rows and never cut where they fit alone; `said` is a row of its own, which
        a short screen shows alone while it is news."""
        lines = [*(list(item) for item in items), list(said)]
        if lines != self._shown or is_news != self._is_news:
            self._shown, self._is_news = lines, is_news
            self.refresh(layout=True)

    def laid_out(self, width: int) -> Sequence[Sequence[Span]]:
        """The rows at a width."""
        if not self._shown:
            return []
        *items, said = self._shown
        rows = self._packed(items, width)
        said_rows = self._said_rows(said, width)
        if self.screen.has_class("-short"):
            return said_rows if self._is_news or not rows else rows[:1]
        return [*rows[: 1 if width < NARROW else MOST_ROWS], *said_rows]

    def _said_rows(self, said: Sequence[Span], width: int) -> list[list[Span]]:
        text = "".join(piece for piece, _ink in said)
        ink = said[0][1] if said else ""
        starts = wrap(text, max(1, width - 1))[:MOST_SAID_ROWS] if self._is_news else [0]
        ends = [*starts[1:], len(text)]
        return [
            [(" ", ""), (text[start:end].rstrip(" "), ink)] for start, end in zip(starts, ends, strict=True)
        ]

    def _packed(self, items: Sequence[Sequence[Span]], width: int) -> list[list[Span]]:
        rows: list[list[Span]] = []
        used = width
        for item in items:
            cells = sum(cell_len(text) for text, _ink in item)
            if not rows or used + len(SEPARATOR) + cells > width:
                rows.append([(" ", ""), *item])
                used = 1 + cells
            else:
                rows[-1] += [(SEPARATOR, "muted"), *item]
                used += len(SEPARATOR) + cells
        return rows
