"""The least that a Textual app can be that shows another list of forty rows at each letter: what the bench of the
search pane's keys compares memtui with. It searches nothing."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Input


class Rows(ScrollView):
    """Forty rows."""

    can_focus = False
    rows: ClassVar[list[str]] = []

    def show(self, rows: list[str]) -> None:
        """Show others."""
        self.rows = rows
        self.virtual_size = Size(0, len(rows))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One of them."""
        width, line = self.size.width, self.scroll_offset.y + y
        text = self.rows[line][:width] if line < len(self.rows) else ""
        return Strip([Segment(text, self.rich_style)], len(text)).adjust_cell_length(width, self.rich_style)


class Search(App[None]):
    """A line to type in above a list."""

    CSS = "Rows { height: 1fr; }"

    def compose(self) -> ComposeResult:
        """The line and the list."""
        yield Input(placeholder="3 Search", compact=True)
        yield Rows()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show forty rows that were not there."""
        rows = [f"  4d  a session about {event.value!r}, its row {number}" for number in range(40)]
        self.query_one(Rows).show(rows)


if __name__ == "__main__":
    Search().run()
