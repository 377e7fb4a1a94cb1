"""The keys of a sheet, in the lower edge of its frame."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

BETWEEN = " · "

CORNERS = 6
"""Cells of an edge that its corners and what parts them from the words take."""


def edge_keys(keys: Sequence[tuple[str, str]], width: int, *, always: int = 1) -> Content:
    """Pairs of key and label, most used first, in an edge of so many cells: only whole ones, and the last
    `always` of them in any case."""
    named = [f"{key} {label}" for key, label in keys]
    last = BETWEEN.join(named[-always:])
    room = width - CORNERS - cell_len(last)
    shown = []
    for words in named[:-always]:
        room -= cell_len(words) + len(BETWEEN)
        if room < 0:
            break
        shown.append(words)
    return Content(BETWEEN.join([*shown, last]))
