"""The filter of the list: every word of the query must be in a memory's words, give or take a typing error."""

from __future__ import annotations

import dataclasses

from memtui.core.safety import display
from memtui.ui.view import Item, StoreView, View, all_rows
from memtui.ui.widgets.row_list import Row

ALIKE = 80
"""How alike (0-100) a word of four letters or more must be."""

EXACT_UP_TO = 3
"""A shorter word has to be there as it is."""


@dataclasses.dataclass(frozen=True, slots=True)
class Filtered:
    """The rows that match, how many memories those are, and the best of them."""

    query: str
    rows: tuple[Row, ...]
    count: int
    best: str


def filter_view(view: View, query: str) -> Filtered:
    """The rows that match a query, in their order, under their headings. Runs on the work thread."""
    words = query.lower().split()
    if not words:
        return Filtered(query, view.rows, len(view.items), "")
    stores = []
    best, best_score, count = "", -1.0, 0
    for store in view.stores:
        items = []
        for item in store.items:
            score, hits = match(item, words)
            if score < 0:
                continue
            items.append(_with_hits(item, hits))
            count += 1
            if score > best_score:
                best, best_score = item.row_id, score
        if items:
            stores.append(dataclasses.replace(store, items=tuple(items)))
    return Filtered(query, all_rows(_keep(stores)), count, best)


def match(item: Item, words: list[str]) -> tuple[float, tuple[int, ...]]:
    """How well an item matches (-1 = not), and the code points of its title that did."""
    title = item.title.lower()
    other = " ".join((item.file, display.line(item.memory.description), display.line(item.memory.type))).lower()
    total = 0.0
    hits: set[int] = set()
    for word in words:
        at = title.find(word)
        if at >= 0:
            total += 200 - min(at, 50)
            hits.update(range(at, at + len(word)))
            continue
        if word in other:
            total += 120
            continue
        score, first, last = _alike(word, title)
        if score >= ALIKE:
            total += score
            hits.update(range(first, last))
            continue
        score, _first, _last = _alike(word, other)
        if score < ALIKE:
            return -1.0, ()
        total += score - 20
    # A letter whose small form is two code points would shift the places.
    return total, tuple(sorted(hits)) if len(title) == len(item.title) else ()


def _alike(word: str, text: str) -> tuple[float, int, int]:
    if len(word) <= EXACT_UP_TO or len(text) < len(word) - 1:
        return 0.0, 0, 0
    from rapidfuzz import fuzz

    found = fuzz.partial_ratio_alignment(word, text, score_cutoff=ALIKE)
    return (0.0, 0, 0) if found is None else (found.score, found.dest_start, found.dest_end)


def _with_hits(item: Item, hits: tuple[int, ...]) -> Item:
    cells = (*item.row.cells[:-1], dataclasses.replace(item.row.cells[-1], hits=hits))
    return dataclasses.replace(item, row=dataclasses.replace(item.row, cells=cells))


def _keep(stores: list[StoreView]) -> list[StoreView]:
    # The cut stands between neighbours that a filter may have taken away.
    return [dataclasses.replace(store, cut=None) for store in stores]
