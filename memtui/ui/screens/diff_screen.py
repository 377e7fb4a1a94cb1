"""A screen with a unified diff: what would be changed, or what was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtui.ui.screens.text_screen import TextScreen
from memtui.ui.widgets.spans import Span

INKS = {"+": "good", "-": "error", "@": "heading", "\\": "muted"}
"""The ink of a line by its first character; the sign itself says the same without colour."""


class DiffScreen(TextScreen):
    """The lines of one or several unified diffs, with the keys of every sheet; safe for display."""

    def __init__(self, title: str, lines: Sequence[str], *, leave_with: str = "") -> None:
        super().__init__(title, list(diff_spans(lines)), leave_with=leave_with)


def diff_spans(lines: Sequence[str]) -> Iterator[list[Span]]:
    """Diff lines with their inks: added, removed, the names of the files, and where in them."""
    in_names = False
    for place, line in enumerate(lines):
        following = lines[place + 1] if place + 1 < len(lines) else ""
        begins = line.startswith("--- ") and following.startswith("+++ ")
        ink = "heading" if begins or (in_names and line.startswith("+++ ")) else INKS.get(line[:1], "")
        in_names = begins
        yield [(line, ink)]
