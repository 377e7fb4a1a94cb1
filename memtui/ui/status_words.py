"""What the status and the top bar say of a view. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui import wording
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.layouts.base import Budget
    from memtui.ui.view import StoreView, View

COUNTS_APART = 5
"""Kinds of problems that have a row of the status each; more of them share rows."""

NO_BREAK = "\u00a0"


def count_items(view: View) -> list[list[Span]]:
    """One short item for each kind of problem, worst first: `x 1 file missing`."""
    items = []
    for severity, code, count in view.counts:
        mark, ink = wording.MARKS[severity]
        items.append([(f"{mark} {count} {wording.problem_word(code)}", ink)])
    return items


def status_lines(
    view: View, said: Sequence[Span], current: int, news: Sequence[Sequence[Span]] = ()
) -> list[list[Span]]:
    """The lines of the status pane for the store with number `current`; `news` stand near the top."""
    lines: list[list[Span]] = []
    if said:
        lines.append(list(said))
    lines += [list(line) for line in news]
    lines += _count_lines(count_items(view))
    if not view.counts:
        lines.append([(_("no problems found"), "good")])
    if view.undoable:
        text = _("{count} to undo, last: {summary}").format(count=view.undoable, summary=view.last_change)
        lines.append([(_("undo") + "     ", "label"), (text, "")])
    warnings: list[str] = []
    if current < len(view.stores):
        store = view.stores[current]
        lines.append([(_("store") + "    ", "label"), (store.path, "")])
        lines.append([(_("because") + "  ", "label"), (store.reason, "")])
        lines += [[(word.ljust(9), "label"), (sentence, "")] for word, sentence in store.facts]
        warnings += [wording.sentence(warning, view.home) for warning in store.snapshot.store.warnings]
    told = frozenset[str]().union(*(store.told for store in view.stores))
    others = [warning for warning in dict.fromkeys((*warnings, *view.warnings)) if warning not in told]
    lines += [[(warning, "warn")] for warning in others]
    lines += [[problem] for store in view.stores for problem in store.own_problems]
    return lines


def _count_lines(items: list[list[Span]]) -> list[list[Span]]:
    if len(items) <= COUNTS_APART:
        return items
    packed: list[Span] = []
    for item in items:
        packed += [(f"{NO_BREAK}· ", "muted")] if packed else []
        # A row breaks between the items, not inside one.
        packed += [(text.replace(" ", NO_BREAK), ink) for text, ink in item]
    return [packed]


def _place(view: View, store: StoreView) -> str:
    # one that was opened by its path has nothing to do with the working directory
    return store.path if store.snapshot.store.tier == "path" else view.place


def shown_budget(store: StoreView, group: str = "") -> Budget | None:
    """The budget of a store that matters for a memory of this group."""
    return wording.budget_of(store.snapshot.budgets, group) if store.snapshot.store.loads else None


def top_parts(view: View, current: int, group: str = "") -> tuple[list[list[Span]], list[Span]]:
    """The parts of the top bar, most important first, and the place at its right; `group` is that of the memory
    under the cursor."""
    parts: list[list[Span]] = []
    store = view.stores[current] if current < len(view.stores) else None
    if store is not None:
        if not store.snapshot.store.loads:
            parts.append([(_("not injected"), "warn")])
        elif (budget := shown_budget(store, group)) is not None:
            over = budget.used > budget.limit
            parts.append([(wording.budget(budget), "warn" if over else "good")])
    count = view.problem_count
    parts.append([(wording.problems(count), "warn" if count else "good")])
    place = [(view.place if store is None else f"{store.name} · {_place(view, store)}", "muted")]
    return parts, place
