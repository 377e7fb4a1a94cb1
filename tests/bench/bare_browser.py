"""The least that a Textual app with a list and a live preview can be: two Line API widgets, and no more.

`python bare_browser.py DIRECTORY` lists its Markdown files and shows the one under the cursor. What the key
bench compares memtui with.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.geometry import Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

CURSOR = Style(reverse=True)


class Lines(ScrollView):
    """Lines of text; a reverse bar on one of them where `cursor` says so."""

    can_focus = False
    cursor = reactive(-1, repaint=False)

    def __init__(self, lines: list[str], cursor: int = -1) -> None:
        super().__init__()
        self.lines = lines
        self.set_reactive(Lines.cursor, cursor)
        self.virtual_size = Size(0, len(lines))

    def show(self, lines: list[str]) -> None:
        """Show other lines."""
        self.lines = lines
        self.virtual_size = Size(0, len(lines))
        self.scroll_to(y=0, animate=False)
        self.refresh()

    def watch_cursor(self, old: int, new: int) -> None:
        """Repaint two lines, and follow."""
        top, height = self.scroll_offset.y, self.size.height
        for line in (old, new):
            self.refresh_line(line)
        if not top <= new < top + height:
            self.scroll_to(y=new if new < top else new - height + 1, animate=False)

    def render_line(self, y: int) -> Strip:
        """One row."""
        width = self.size.width
        line = self.scroll_offset.y + y
        text = self.lines[line][:width] if line < len(self.lines) else ""
        style = CURSOR if line == self.cursor else self.rich_style
        return Strip([Segment(text, style)], len(text)).adjust_cell_length(width, style)


class Browser(App[None]):
    """A list and a preview."""

    CSS = "Lines { width: 1fr; height: 1fr; border: round gray; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "move(1)"),
        Binding("k", "move(-1)"),
        Binding("pagedown", "move(30)"),
        Binding("g", "move(-9999999)"),
        Binding("G", "move(9999999)"),
        Binding("q", "quit"),
    ]

    def __init__(self, paths: list[Path]) -> None:
        super().__init__()
        self.paths = paths
        self.names = Lines([f"  project  {path.stem}" for path in paths], 0)
        self.text = Lines(paths[0].read_text().split("\n"))

    def compose(self) -> ComposeResult:
        """The list and the text."""
        with Horizontal():
            yield self.names
            yield self.text

    def action_move(self, rows: int) -> None:
        """Move the cursor, and show that file."""
        self.names.cursor = max(0, min(len(self.paths) - 1, self.names.cursor + rows))
        self.text.show(self.paths[self.names.cursor].read_text().split("\n"))


if __name__ == "__main__":
    Browser(sorted(path for path in Path(sys.argv[1]).glob("*.md") if path.name != "MEMORY.md")).run()
