"""What the screen shows of the stores, as frozen data made by the work thread: rows, words, counts.

Every string here that came from disk was made safe for display, except those inside `Snapshot` and `Memory`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from memtui.core.layouts.base import Budget, Memory, Problem, Snapshot, StoreFact
from memtui.core.safety import display
from memtui.core.store_actions import StoreActions
from memtui.i18n import _
from memtui.late.dataclasses import dataclass, replace
from memtui.ui import wording
from memtui.ui.widgets.row_list import Cell, Row

if TYPE_CHECKING:
    from memtui.core.store_actions import Background
    from memtui.core.workspace import ChangeInfo, Workspace

KIND_CELLS = 10
KIND_FROM_WIDTH = 44
"""Cells of a row from which a title beside the type still has room to be read."""

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

    @property
    def name(self) -> str:
        """What sentences call it: its file, or its title where its file may hold others."""
        return self.file if self.memory.span is None else self.title


@dataclass(frozen=True, slots=True)
class Notice:
    """A problem of a store's file that has a row of its own above the memories, because no memory's has it."""

    row_id: str
    store: int
    problem: Problem
    row: Row


@dataclass(frozen=True, slots=True)
class OwnProblem:
    """A problem of a whole store, as a sentence; `severity` is '' for the line that says how many more."""

    severity: str
    sentence: str


@dataclass(frozen=True, slots=True)
class StoreView:
    """A store on the screen; `name` is its owner, made unique among the stores.

    `facts` are words and sentences about it that are no problems, its budgets first; `cautions` what to know
    before a change because something works on it in the background; all safe.
    """

    snapshot: Snapshot
    name: str
    path: str
    reason: str
    heading: Row
    cut: Row | None
    items: tuple[Item, ...]
    notices: tuple[Notice, ...]
    facts: tuple[tuple[str, str], ...]
    cautions: tuple[str, ...]
    own_problems: tuple[OwnProblem, ...]
    budget_ink: str
    """How the use of the limit looks: `good`, or as the problem that it is."""


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
    notices: Mapping[str, Notice]

    @property
    def severities(self) -> Mapping[str, int]:
        """How many problems there are of each severity that occurs."""
        counted: Counter[str] = Counter()
        for severity, _code, count in self.counts:
            counted[severity] += count
        return counted

    @property
    def note_count(self) -> int:
        """How many notes there are altogether."""
        return self.severities.get("note", 0)

    @property
    def problem_count(self) -> int:
        """How many errors and warnings there are altogether; notes are no problems."""
        return sum(self.severities.values()) - self.note_count

    def store_of(self, row_id: str) -> int | None:
        """The number of the store that a row belongs to, None where it is not known."""
        found = self.items.get(row_id) or self.notices.get(row_id)
        return self.empty_stores.get(row_id) if found is None else found.store


def row_id_of(store_id: str, memory_id: str) -> str:
    """The row of a memory, in every list: by the id of its store, whose number may change, and its own."""
    return f"memory {store_id} {memory_id}"


def build_view(
    workspace: Workspace,
    snapshots: Sequence[Snapshot],
    at_work: Mapping[str, Sequence[Background]] = MappingProxyType({}),
) -> View:
    """Lay out what the screen shows of the used stores, as they were read; `at_work` on them, by their ids."""
    located = workspace.locate()
    home, now = workspace.env.home, workspace.env.now()
    names = _names(snapshots)
    actions = StoreActions(workspace)
    busy = [at_work.get(snapshot.store.id, ()) for snapshot in snapshots]
    stores = tuple(
        replace(
            _store_view(number, snapshot, names[number], home, now, actions.facts(snapshot, busy[number])),
            cautions=tuple(wording.sentence(said, home) for said in actions.cautions(busy[number])),
        )
        for number, snapshot in enumerate(snapshots)
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
        notices={notice.row_id: notice for store in stores for notice in store.notices},
    )


def all_rows(stores: Sequence[StoreView]) -> tuple[Row, ...]:
    """The rows of all stores, each under its heading, the cut line where the agent stops to read."""
    rows: list[Row] = []
    for store in stores:
        rows.append(store.heading)
        rows += [notice.row for notice in store.notices]
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


def _store_view(
    number: int,
    snapshot: Snapshot,
    name: str,
    home: Path,
    now: datetime,
    known: Sequence[StoreFact],
) -> StoreView:
    store_id = snapshot.store.id
    of_memory: dict[str, list[Problem]] = {}
    for problem in snapshot.problems:
        if problem.memory is not None:
            of_memory.setdefault(problem.memory, []).append(problem)
    items = tuple(
        _item(number, store_id, memory, tuple(sorted(of_memory.get(memory.id, ()), key=wording.rank)), now)
        for memory in _in_order(snapshot.memories)
    )
    budget = wording.budget_of(snapshot.budgets)
    own = [problem for problem in snapshot.problems if problem.memory is None]
    budget_ink = _budget_ink(budget, own)
    tails, tail_ink = _tails(snapshot, budget, budget_ink)
    facts = [(_("budget"), words) for words in wording.group_budgets(snapshot.budgets)[:1]]
    facts += [(display.line(fact.label), wording.sentence(fact.sentence, home)) for fact in known]
    is_cut = any(item.loaded is not None for item in snapshot.budgets if item.scope == "inject")
    cut = is_cut and snapshot.store.loads
    return StoreView(
        snapshot=snapshot,
        name=name,
        path=wording.place(snapshot.store.root, home),
        reason=wording.sentence(snapshot.store.reason, home),
        heading=Row(
            f"store {store_id}", (Cell(name, "heading"),), tails[0], tail_ink, kind="heading", tails=tails[1:]
        ),
        cut=Row(f"cut {store_id}", (Cell(_("the agent loads no more than this")),), kind="rule")
        if cut
        else None,
        items=items,
        notices=_notices(number, snapshot, home),
        facts=tuple(facts),
        cautions=(),
        own_problems=_own_problems(own, home),
        budget_ink=budget_ink,
    )


def _tails(snapshot: Snapshot, budget: Budget | None, budget_ink: str) -> tuple[tuple[str, ...], str]:
    """What stands behind a store's name, in full and ever shorter, and its ink."""
    store = snapshot.store
    if not store.loads:
        return (_("not injected"),), "warn"
    if store.profile.read_only:
        # the heading names the owner already
        reason = display.line(store.profile.read_only).removeprefix(f"{display.line(store.owner)}: ")
        return (reason, _("read-only")), "warn"
    if not store.writable:
        return (_("read-only"),), "warn"
    grouped = wording.group_budgets(snapshot.budgets)
    if budget is None:
        return grouped or ("",), "muted"
    over = any(item.used > item.limit for item in (snapshot.budgets if budget.group else (budget,)))
    ink = budget_ink if budget_ink != "good" else "warn"
    forms = grouped if budget.group else (wording.budget(budget),)
    return forms, ink if over else "muted"


def _notices(number: int, snapshot: Snapshot, home: Path) -> tuple[Notice, ...]:
    """Rows for the problems that belong to a file but to no memory, and that something is to be done about."""
    found = []
    for problem in snapshot.problems:
        if not _has_own_row(snapshot, problem):
            continue
        mark, ink = wording.MARKS[problem.severity]
        row_id = f"problem {snapshot.store.id} {problem.code} {problem.file or ''}"
        cells = (Cell(mark, ink, width=2), Cell(wording.sentence(problem.message, home), ink))
        row = Row(row_id, cells, wording.problem_word(problem.code), ink)
        found.append(Notice(row_id, number, problem, row))
    return tuple({notice.row_id: notice for notice in found}.values())


def _has_own_row(snapshot: Snapshot, problem: Problem) -> bool:
    if problem.memory is not None:
        return False
    # what is wrong with the index is told in the status, and its memories show it
    file = snapshot.files.get(problem.file or "")
    is_index = problem.file == snapshot.store.profile.index_name
    is_bad_file = problem.severity == "error" and file is not None and file.data is not None and not is_index
    return problem.repair is not None or is_bad_file


def _own_problems(own: Sequence[Problem], home: Path) -> tuple[OwnProblem, ...]:
    told = [
        OwnProblem(problem.severity, wording.sentence(problem.message, home))
        for problem in sorted(own, key=wording.rank)[:STATUS_PROBLEMS]
    ]
    if len(own) > STATUS_PROBLEMS:
        told.append(OwnProblem("", _("… and {count} more").format(count=len(own) - STATUS_PROBLEMS)))
    return tuple(told)


def _budget_ink(budget: Budget | None, own: Sequence[Problem]) -> str:
    if budget is None or budget.used <= budget.limit:
        return "good"
    over = [problem for problem in own if problem.code == "over-limit"]
    return wording.MARKS[min(over, key=wording.rank).severity][1] if over else "warn"


def _in_order(memories: Sequence[Memory]) -> list[Memory]:
    # As the index names them; what it does not name comes last, as its layout orders it.
    last = 1 << 30
    return sorted(memories, key=lambda memory: memory.index_lines[0] if memory.index_lines else last)


def _item(store: int, store_id: str, memory: Memory, problems: tuple[Problem, ...], now: datetime) -> Item:
    # signs for what acts on a terminal tell memories apart less well than their files do
    title = "" if display.hidden_characters(memory.title) else display.line(memory.title)
    title = title or display.line(memory.file)
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
        Cell(display.line(memory.type or memory.group), "kind", width=KIND_CELLS, from_width=KIND_FROM_WIDTH),
        Cell(title),
    )
    row = Row(row_id, cells, tail, tail_ink, dim=not memory.loaded, markable=True)
    return Item(row_id, store, memory, title, display.line(memory.file), problems, row)
