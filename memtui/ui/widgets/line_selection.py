"""Selecting in a text with the mouse: what is dragged over, a word by two clicks, a line by three.

Selected text is taken from the lines, not from the rows that they wrap to.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.geometry import Offset
from textual.selection import Selection
from textual.widget import Widget

from memtui.late import re

_WORD = re.compile(r"[\w./~@%+#&=?:$-]+")
"""What a double click takes: words, paths, addresses."""

_AROUND = ".:?-"
"""Signs that end a sentence rather than a path."""


def word_at(line: str, position: int) -> tuple[int, int]:
    """From and to of the word at a code point of a line; one sign alone where no word is."""
    for found in _WORD.finditer(line):
        if found.start() <= position < found.end():
            end = found.start() + len(found[0].rstrip(_AROUND))
            return (found.start(), end) if position < end else (position, position + 1)
    return (position, position + 1) if position < len(line) else (position, position)


class LineSelection(Widget):
    """A widget of lines in which text can be selected; its strips carry the line and code point they show."""

    ALLOW_SELECT = True

    @property
    def lines(self) -> Sequence[str]:
        """The lines."""
        raise NotImplementedError

    @property
    def selected_lines(self) -> tuple[int, int] | None:
        """The first and the last line (from 1) that are selected, None where nothing is."""
        selection, count = self.text_selection, len(self.lines)
        if selection is None or not count:
            return None
        first = selection.start.y if selection.start is not None else 0
        last = selection.end.y if selection.end is not None else count - 1
        return min(first, count - 1) + 1, min(last, count - 1) + 1

    def clear_selection(self) -> bool:
        """Take a selection in this text back; whether there was one."""
        if self.text_selection is None:
            return False
        self.screen.clear_selection()
        return True

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text."""
        lines = self.lines
        last = len(lines) - 1
        if last < 0:
            return None
        first_line, first_at = (selection.start.y, selection.start.x) if selection.start else (0, 0)
        last_line, last_at = (selection.end.y, selection.end.x) if selection.end else (last, len(lines[-1]))
        first_line, last_line = min(first_line, last), min(last_line, last)
        if first_line == last_line:
            return lines[first_line][first_at:last_at], "\n"
        picked = [lines[first_line][first_at:], *lines[first_line + 1 : last_line]]
        return "\n".join([*picked, lines[last_line][:last_at]]), "\n"

    def selected_in(self, line: int) -> tuple[int, int] | None:
        """What of a line (from 0) is selected, in code points."""
        selection = self.text_selection
        span = selection.get_span(line) if selection is not None else None
        if span is None:
            return None
        return span[0], len(self.lines[line]) if span[1] == -1 else span[1]

    def on_click(self, event: events.Click) -> None:
        """Select a word or a line; whatever else a click could mean to a text is left out."""
        event.prevent_default()
        if event.chain not in (2, 3):
            return
        widget, offset = self.screen.get_widget_and_offset_at(event.screen_x, event.screen_y)
        if widget is not self or offset is None or offset.y >= len(self.lines):
            return
        line = self.lines[offset.y]
        start, end = word_at(line, offset.x) if event.chain == 2 else (0, len(line))
        if start < end:
            self.screen.selections = {self: Selection(Offset(start, offset.y), Offset(end, offset.y))}
