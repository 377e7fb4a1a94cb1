"""What the screen shows of the stores, as frozen data made by the work thread: rows, words, counts.

Every string here that came from disk was made safe for display, except those inside `Snapshot` and `Memory`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.layouts.base import Budget, Memory, Problem, Snapshot
from memtui.core.safety import display
from memtui.i18n import _
from memtui.ui import wording
from memtui.ui.widgets.row_list import Cell, Row
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.workspace import ChangeInfo, Workspace

KIND_CELLS = 10
KIND_FROM_WIDTH = 34

COUNTS_APART = 5
"""Kinds of problems that have a row of the status each; more of them share rows."""

NO_BREAK = "\u00a0"

STATUS_PROBLEMS = 50
"""Problems of a whole store that the status spells out."""


@dataclass(frozen=True, slots=True)
class Item:
    """A memory on the screen; `problems` are its own, worst first."""

    row_id: str
    store: int
    memory: Memory
    title: str
    file: str
    problems: tuple[Problem, ...]
    row: Row


@dataclass(frozen=True, slots=True)
class StoreView:
    """A store on the screen; `name` is its owner, made unique among the stores."""

    snapshot: Snapshot
    name: str
    path: str
    reason: str
    budget: Budget | None
    heading: Row
    cut: Row | None
    items: tuple[Item, ...]
    own_problems: tuple[Span, ...]
    told: frozenset[str]
    """The sentences of `own_problems`, without their marks."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything on the screen at one moment."""

    stores: tuple[StoreView, ...]
    items: Mapping[str, Item]
    rows: tuple[Row, ...]
    counts: tuple[tuple[str, str, int], ...]
    warnings: tuple[str, ...]
    place: str
    undoable: int
    last_change: str
    home: Path
    empty_stores: Mapping[str, int]
    """Row ids of the places of stores without a memory, where one can be added, and the stores' numbers."""

    @property
    def problem_count(self) -> int:
        """How many errors and warnings there are altogether; notes are no problems."""
        return sum(count for severity, _code, count in self.counts if severity != "note")


def row_id_of(store_id: str, memory_id: str) -> str:
    """The row of a memory, in every list: by the id of its store, whose number may change, and its own."""
    return f"memory {store_id} {memory_id}"


def build_view(workspace: Workspace, snapshots: Sequence[Snapshot]) -> View:
    """Lay out what the screen shows of the used stores, as they were read."""
    located = workspace.locate()
    home, now = workspace.env.home, workspace.env.now()
    names = _names(snapshots)
    stores = tuple(
        _store_view(number, snapshot, names[number], home, now) for number, snapshot in enumerate(snapshots)
    )
    history = workspace.history()
    undoable = [change for change in history if change.state == "done"]
    return View(
        stores=stores,
        items={item.row_id: item for store in stores for item in store.items},
        rows=all_rows(stores),
        counts=_counts(snapshots),
        warnings=tuple(wording.sentence(warning, home) for warning in located.warnings),
        place=wording.place(located.cwd, home),
        undoable=len(undoable),
        last_change=_last_change(undoable),
        home=home,
        empty_stores={_empty_id(store): number for number, store in enumerate(stores) if not store.items},
    )


def all_rows(stores: Sequence[StoreView]) -> tuple[Row, ...]:
    """The rows of all stores, each under its heading, the cut line where the agent stops to read."""
    rows: list[Row] = []
    for store in stores:
        rows.append(store.heading)
        cut = store.cut
        for item in store.items:
            if cut is not None and not item.memory.loaded and item.memory.index_lines:
                rows.append(cut)
                cut = None
            rows.append(item.row)
        if not store.items:
            cell = (
                Cell(_("cannot be read"), "error")
                if is_unreadable(store)
                else Cell(_("nothing yet; a adds"), "muted")
            )
            rows.append(Row(_empty_id(store), (Cell("", width=2), cell)))
    return tuple(rows)


def is_unreadable(store: StoreView) -> bool:
    """Whether something in the way hides what a store holds."""
    return any(item.code == "unreadable" and item.memory is None for item in store.snapshot.problems)


def _empty_id(store: StoreView) -> str:
    return f"{store.heading.id} empty"


def _names(snapshots: Sequence[Snapshot]) -> list[str]:
    owners = Counter(snapshot.store.owner for snapshot in snapshots)
    return [
        display.line(snapshot.store.owner if owners[snapshot.store.owner] == 1 else snapshot.store.id)
        for snapshot in snapshots
    ]


def _counts(snapshots: Sequence[Snapshot]) -> tuple[tuple[str, str, int], ...]:
    counted: Counter[tuple[int, str]] = Counter()
    for snapshot in snapshots:
        counted.update((wording.rank(problem), problem.code) for problem in snapshot.problems)
    ordered = sorted(counted.items(), key=lambda entry: (entry[0][0], -entry[1], entry[0][1]))
    return tuple((wording.SEVERITIES[rank], code, count) for (rank, code), count in ordered)


def _last_change(undoable: Sequence[ChangeInfo]) -> str:
    return display.line(undoable[0].summary) if undoable else ""


def _store_view(number: int, snapshot: Snapshot, name: str, home: Path, now: datetime) -> StoreView:
    store_id = snapshot.store.id
    of_memory: dict[str, list[Problem]] = {}
    for problem in snapshot.problems:
        if problem.memory is not None:
            of_memory.setdefault(problem.memory, []).append(problem)
    items = tuple(
        _item(number, store_id, memory, tuple(sorted(of_memory.get(memory.id, ()), key=wording.rank)), now)
        for memory in _in_order(snapshot.memories)
    )
    budget = _binding(snapshot.budgets)
    tail, tail_ink = "", "muted"
    if not snapshot.store.loads:
        tail, tail_ink = _("not injected"), "warn"
    elif budget is not None:
        tail, tail_ink = wording.budget(budget), "warn" if budget.used > budget.limit else "muted"
    is_cut = any(item.loaded is not None for item in snapshot.budgets if item.scope == "inject")
    cut = is_cut and snapshot.store.loads
    own = [problem for problem in snapshot.problems if problem.memory is None]
    return StoreView(
        snapshot=snapshot,
        name=name,
        path=wording.place(snapshot.store.root, home),
        reason=wording.sentence(snapshot.store.reason, home),
        budget=budget,
        heading=Row(f"store {store_id}", (Cell(name, "heading"),), tail, tail_ink, kind="heading"),
        cut=Row(f"cut {store_id}", (Cell(_("the agent loads no more than this")),), kind="rule")
        if cut
        else None,
        items=items,
        own_problems=_own_problems(own, name, home),
        told=frozenset(wording.sentence(problem.message, home) for problem in own),
    )


def _own_problems(own: Sequence[Problem], name: str, home: Path) -> tuple[Span, ...]:
    spans: list[Span] = []
    for problem in sorted(own, key=wording.rank)[:STATUS_PROBLEMS]:
        mark, ink = wording.MARKS[problem.severity]
        spans.append((f"{mark} {name}: {wording.sentence(problem.message, home)}", ink))
    if len(own) > STATUS_PROBLEMS:
        spans.append((_("… and {count} more").format(count=len(own) - STATUS_PROBLEMS), "muted"))
    return tuple(spans)


def _in_order(memories: Sequence[Memory]) -> list[Memory]:
    # As the index names them; what it does not name comes last, by its file.
    last = 1 << 30
    return sorted(memories, key=lambda m: (m.index_lines[0] if m.index_lines else last, m.file))


def _binding(budgets: Sequence[Budget]) -> Budget | None:
    inject = [budget for budget in budgets if budget.scope == "inject"]
    return next((budget for budget in inject if budget.binding), inject[0] if inject else None)


def _item(store: int, store_id: str, memory: Memory, problems: tuple[Problem, ...], now: datetime) -> Item:
    title = display.line(memory.title) or display.line(memory.file)
    mark, mark_ink, tail, tail_ink = "", "", wording.age(memory.updated, now), "muted"
    worst = next((problem for problem in problems if problem.code != "not-loaded"), None)
    if worst is not None:
        mark, mark_ink = wording.MARKS[worst.severity]
        tail, tail_ink = wording.problem_word(worst.code), mark_ink
    elif not memory.loaded:
        tail = _("not loaded")
    row_id = row_id_of(store_id, memory.id)
    cells = (
        Cell(mark, mark_ink, width=2),
        Cell(display.line(memory.type), "kind", width=KIND_CELLS, from_width=KIND_FROM_WIDTH),
        Cell(title),
    )
    row = Row(row_id, cells, tail, tail_ink, dim=not memory.loaded, markable=True)
    return Item(row_id, store, memory, title, display.line(memory.file), problems, row)


# What the status says


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


def top_parts(view: View, current: int) -> tuple[list[list[Span]], list[Span]]:
    """The parts of the top bar, most important first, and the place at its right."""
    parts: list[list[Span]] = []
    store = view.stores[current] if current < len(view.stores) else None
    if store is not None:
        if not store.snapshot.store.loads:
            parts.append([(_("not injected"), "warn")])
        elif store.budget is not None:
            over = store.budget.used > store.budget.limit
            parts.append([(wording.budget(store.budget), "warn" if over else "good")])
    count = view.problem_count
    parts.append([(wording.problems(count), "warn" if count else "good")])
    place = [(view.place if store is None else f"{store.name} · {_place(view, store)}", "muted")]
    return parts, place
