"""The keys of a sheet, in the lower edge of its frame."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

BETWEEN = " · "

CORNERS = 6
"""Cells of an edge that its corners and what parts them from the words take."""


def edge_keys(keys: Sequence[tuple[str, str]], width: int) -> Content:
    """Pairs of key and label, most used first, in an edge of so many cells: only whole ones, and the last one
    always."""
    *most, last = [f"{key} {label}" for key, label in keys]
    room = width - CORNERS - cell_len(last)
    shown = []
    for words in most:
        room -= cell_len(words) + len(BETWEEN)
        if room < 0:
            break
        shown.append(words)
    return Content(BETWEEN.join([*shown, last]))
