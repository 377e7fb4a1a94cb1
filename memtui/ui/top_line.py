"""What the top bar says, in full and ever shorter. Pure; made in the UI thread from what the view holds."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.safety import display
from memtui.i18n import _
from memtui.late.dataclasses import dataclass
from memtui.ui import wording
from memtui.ui.view import StoreView, View
from memtui.ui.widgets.spans import Span

Spans = Sequence[Span]


@dataclass(frozen=True, slots=True)
class TopLine:
    """`levels` are the parts, most important first, in full and then in ever fewer cells; `places` the place
    likewise, which is left out last where `keeps_place`."""

    levels: Sequence[Sequence[Spans]]
    places: Sequence[Spans]
    keeps_place: bool = False


def top_line(
    view: View,
    current: int,
    news: Sequence[Spans],
    watching: str,
    *,
    is_trouble: bool = False,
    group: str = "",
) -> TopLine:
    """The top bar for the store with number `current` and a memory of this `group` under the cursor.

    `news` are parts that stand behind the counts; `watching` says how changes are noticed ('' = not at all),
    which is kept longer when it `is_trouble`.
    """
    store = view.stores[current] if current < len(view.stores) else None
    budget, without_over, shortest_budget = _budgets(store, group)
    full, without_notes, shortest = _problems(view)
    levels = [
        tuple((part,) for part in level if part[0])
        for level in (
            (budget, full),
            (budget, without_notes),
            (without_over, without_notes),
            (without_over, shortest),
            (shortest_budget, shortest),
        )
    ]
    place = view.place if store is None else f"{store.name} · {_place(view, store)}"
    return TopLine(
        [(*level, *news) for level in levels],
        _places(place, watching, is_trouble),
        bool(is_trouble and watching),
    )


def _budgets(store: StoreView | None, group: str) -> tuple[Span, Span, Span]:
    """How much of the limit is used, without how much is over, and without its unit."""
    if store is not None and not store.snapshot.store.loads:
        words = (_("not injected"), "warn")
        return words, words, words
    item = None if store is None else wording.budget_of(store.snapshot.budgets, group)
    if store is None or item is None:
        return ("", ""), ("", ""), ("", "")
    ink = "good" if item.used <= item.limit else store.budget_ink if store.budget_ink != "good" else "warn"
    used = f"{item.used:,}/{item.limit:,}"
    name = f"{display.line(item.group)} " if item.group else ""
    return (wording.budget(item), ink), (f"{name}{used} {wording.unit(item)}", ink), (used, ink)


def _problems(view: View) -> tuple[Span, Span, Span]:
    """The counts of problems and notes, of problems alone, and the shortest sign of them."""
    count = view.problem_count
    ink = "warn" if count else "good"
    shortest = f"{count}!" if count else ""
    return (wording.problems(count, view.note_count), ink), (wording.problems(count), ink), (shortest, ink)


def _place(view: View, store: StoreView) -> str:
    # one that was opened by its path has nothing to do with the working directory
    return store.path if store.snapshot.store.tier == "path" else view.place


def _places(place: str, watching: str, is_trouble: bool) -> list[Spans]:
    owner, dot, path = place.rpartition(" · ")
    name = path.rsplit("/", 1)[-1] or path
    end: list[Span] = [(f" · {watching}", "warn" if is_trouble else "muted")] if watching else []
    short, alone = f"{owner}{dot}{name}", owner or name
    places: list[Spans] = [[(place, "muted"), *end], [(short, "muted"), *end]]
    if is_trouble and watching:
        return [*places, [(alone, "muted"), *end], [(watching, "warn")]]
    return [*places, [(short, "muted")], [(alone, "muted")]]
