"""Which rows the list shows and in which order: the filter and the orders. Pure, for the work thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from memtui.core.safety import display
from memtui.i18n import _
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass
from memtui.ui import wording
from memtui.ui.matching import Match, match
from memtui.ui.view import Item, StoreView, View, all_rows
from memtui.ui.widgets.row_list import Row

T = TypeVar("T")

REVERSED = "-"
"""Before an order's id: the other way round."""


@dataclass(frozen=True, slots=True)
class Order:
    """One way to sort: the `letter` of the menu, what the frame says, and the key of an item."""

    letter: str
    label: str
    said: str
    key: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What the person wants to see: a filter ('' = none) and an order ('' = as the index names them); `only`
    these rows, where it names any.

    An order is an id of `ORDERS`, with `REVERSED` before it for the other way round.
    """

    query: str = ""
    order: str = ""
    only: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Arranged:
    """The rows that match, how many memories those are, and the best of them ('' without a filter)."""

    arrangement: Arrangement
    rows: tuple[Row, ...]
    count: int
    best: str


def _age(item: Item) -> float:
    # what has no time is older than everything else
    updated = item.memory.updated
    return float("inf") if updated is None else -updated.timestamp()


def _problems(item: Item) -> tuple[int, int]:
    ranks = [wording.rank(problem) for problem in item.problems]
    return min(ranks, default=len(wording.SEVERITIES)), -len(ranks)


ORDERS: Mapping[str, Order] = {
    "": Order("i", _("index order"), _("index order"), lambda item: 0),
    "name": Order("n", _("name"), _("by name"), lambda item: item.title.casefold()),
    "age": Order("a", _("age"), _("newest first"), _age),
    "size": Order("z", _("size"), _("largest first"), lambda item: -item.memory.size_bytes),
    "type": Order(
        "t", _("type"), _("by type"), lambda item: (item.memory.type or item.memory.group).casefold()
    ),
    "problems": Order("p", _("problems"), _("worst first"), _problems),
}
"""The orders of memories by id, in the order of the menu. Equal ones stay as the index names them."""


def known_order(order: str, orders: Mapping[str, Order]) -> str:
    """The order if there is such a one, else the first: it may have been saved by another version."""
    return order if order.removeprefix(REVERSED) in orders else ""


def said_order(order: str, orders: Mapping[str, Order]) -> str:
    """What the frame says of an order; '' for the usual one."""
    if not order:
        return ""
    said = orders[order.removeprefix(REVERSED)].said
    return _("{order}, reversed").format(order=said) if order.startswith(REVERSED) else said


def in_order(
    items: Sequence[T],
    order: str,
    orders: Mapping[str, Order],
    what: Callable[[T], Any] = lambda item: item,
) -> list[T]:
    """The items sorted by `what` of each; the other way round turns everything over, equal ones too."""
    key = orders[order.removeprefix(REVERSED)].key
    found = sorted(items, key=lambda item: key(what(item)))
    return found[::-1] if order.startswith(REVERSED) else found


def arrange(view: View, arrangement: Arrangement) -> Arranged:
    """The rows under the headings of their stores. Runs on the work thread.

    A filter in index order shows better matches first; the cut of the index is drawn only where everything
    stands in its order.
    """
    words, order, only = arrangement.query.lower().split(), arrangement.order, arrangement.only
    if not words and not order and not only:
        return Arranged(arrangement, view.rows, len(view.items), "")
    stores: list[StoreView] = []
    best: tuple[tuple[int, float], str] = ((-1, 0.0), "")
    count = 0
    for store in view.stores:
        items: list[Item] = [item for item in store.items if not only or item.row_id in only]
        if words:
            matched = [(item, found) for item in items if (found := match_item(item, words)) is not None]
            for item, found in matched:
                if (found.rank, found.score) > best[0]:
                    best = (found.rank, found.score), item.row_id
            if not order:
                matched.sort(key=lambda pair: -pair[1].rank)
            items = [_with_hits(item, found.hits) for item, found in matched]
        if order:
            items = in_order(items, order, ORDERS)
        count += len(items)
        if items or not (words or only):
            notices = () if words or only else store.notices
            stores.append(dataclasses.replace(store, items=tuple(items), cut=None, notices=notices))
    return Arranged(arrangement, all_rows(stores), count, best[1])


def match_item(item: Item, words: Sequence[str]) -> Match | None:
    """How the words match a memory: its title, its file's name, else its description and type."""
    file = item.file.removesuffix(".md")
    memory = item.memory
    said = " ".join(map(display.line, (memory.description, memory.type, memory.group)))
    return match(words, item.title, (file, file.rpartition("/")[2]) if "/" in file else (file,), said)


def _with_hits(item: Item, hits: tuple[int, ...]) -> Item:
    cells = (*item.row.cells[:-1], dataclasses.replace(item.row.cells[-1], hits=hits))
    return dataclasses.replace(item, row=dataclasses.replace(item.row, cells=cells))
