"""What the top bar says, in full and shorter. Pure; made in the UI thread from what the view holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memtui.i18n import _
from memtui.ui.status_words import shown_budget, top_parts
from memtui.ui.view import View
from memtui.ui.widgets.spans import Span

Spans = Sequence[Span]


@dataclass(frozen=True, slots=True)
class TopLine:
    """`parts`, most important first, and the same in fewer cells; the place, in full and ever shorter."""

    parts: Sequence[Spans]
    compact: Sequence[Spans]
    places: Sequence[Spans]


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
    parts, place = top_parts(view, current, group)
    compact = _compact(view, current, group)
    return TopLine([*parts, *news], [*compact, *news], _places(place, watching, is_trouble))


def _compact(view: View, current: int, group: str) -> list[Spans]:
    parts: list[Spans] = []
    store = view.stores[current] if current < len(view.stores) else None
    if store is not None and not store.snapshot.store.loads:
        parts.append([(_("not injected"), "warn")])
    elif store is not None and (budget := shown_budget(store, group)) is not None:
        used, limit = budget.used, budget.limit
        parts.append([(f"{used:,}/{limit:,}", "warn" if used > limit else "good")])
    if view.problem_count:
        parts.append([(f"{view.problem_count}!", "warn")])
    return parts


def _places(place: Spans, watching: str, is_trouble: bool) -> list[Spans]:
    text = "".join(piece for piece, _ink in place)
    owner, dot, path = text.rpartition(" · ")
    name = path.rsplit("/", 1)[-1] or path
    end: list[Span] = [(f" · {watching}", "warn" if is_trouble else "muted")] if watching else []
    short, alone = f"{owner}{dot}{name}", owner or name
    places: list[Spans] = [[*place, *end], [(short, "muted"), *end]]
    if is_trouble and watching:
        return [*places, [(alone, "muted"), *end], [(watching, "warn")]]
    return [*places, [(short, "muted")], [(alone, "muted")]]
