"""Limits: what each memory takes of its agent's limit, where that cuts, and without which the rest fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass
from memtui.ui import wording
from memtui.ui.metering import bar
from memtui.ui.reviews.reviewing import Review
from memtui.ui.reviews.triage_rows import problem_lines
from memtui.ui.screens.review_screen import Entry
from memtui.ui.view import row_id_of
from memtui.ui.widgets.row_list import Cell, Row
from memtui.ui.widgets.rows import RowKind

if TYPE_CHECKING:
    from memtui.core.limits import Bill, Cost
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk
    from memtui.ui.view import View
    from memtui.ui.widgets.spans import Span

KEYS = (
    "delete",
    "line",
    "undo",
    "edit",
    "open",
    "move",
    "next_store",
    "previous_store",
    "repair",
    "redo",
)
"""The keys, in the order of the key bar; most mean here what they mean everywhere."""

COST_CELLS = 7
"""Cells of the number before a row, with the blank behind it."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The rows of all bills, by row what the frame says while the cursor is on it, and the rows without which
    the others would fit."""

    entries: tuple[Entry, ...]
    heads: Mapping[str, str]
    proposed: frozenset[str]


def list_bills(workspace: Workspace, view: View) -> Listed:
    """What memories take of every limit that binds. Runs on the work thread."""
    from memtui.core.limits import bills

    snapshots = [store.snapshot for store in view.stores]
    entries: list[Entry] = []
    heads: dict[str, str] = {}
    proposed: set[str] = set()
    for bill in bills(snapshots, workspace.env.now()):
        some = _entries_of(view, bill)
        entries += some
        proposed |= {row_id_of(bill.snapshot.store.id, memory) for memory in bill.would_fit}
        heads |= dict.fromkeys((entry.row.id for entry in some), _head(view, bill))
    return Listed(tuple(entries), heads, frozenset(proposed))


def _head(view: View, bill: Bill) -> str:
    names = {store.snapshot.store.id: store.name for store in view.stores}
    used = wording.budget(bill.budget)
    return f"{names[bill.snapshot.store.id]} {used} {bar(bill.budget)}"


def _entries_of(view: View, bill: Bill) -> list[Entry]:
    """The rows of one bill: what could go, the others by cost, and below the cut what is not loaded."""
    name = f"{bill.snapshot.store.id} {bill.budget.group}"
    entries = [_line(f"bill {name}", _head(view, bill), "heading")]
    proposed = frozenset(bill.would_fit)
    rows = [(cost, _entry(view, bill, cost, proposed)) for cost in bill.costs]
    could_go = [entry for cost, entry in rows if cost.memory.id in proposed]
    others = [(cost, entry) for cost, entry in rows if cost.memory.id not in proposed]
    if could_go:
        entries += [_line(f"go {name}", _("it would fit if these went:"), "note"), *could_go]
        entries.append(_line(f"stay {name}", _("the others, by cost:"), "note"))
    entries += [entry for cost, entry in others if cost.memory.loaded]
    beyond = [entry for cost, entry in others if not cost.memory.loaded]
    if bill.budget.loaded is not None and bill.snapshot.store.loads:
        entries.append(_line(f"cut {name}", _("the agent loads no more than this"), "rule"))
    return [*entries, *beyond]


def _line(row_id: str, words: str, kind: RowKind) -> Entry:
    ink = "heading" if kind == "heading" else "muted"
    return Entry(Row(row_id, (Cell(words, ink),), kind=kind))


def _entry(view: View, bill: Bill, cost: Cost, proposed: frozenset[str]) -> Entry:
    row_id = row_id_of(bill.snapshot.store.id, cost.memory.id)
    item = view.items[row_id]
    number = Cell(f"{cost.cost:,} ".rjust(COST_CELLS), "key" if cost.memory.id in proposed else "", COST_CELLS)
    mark, title = item.row.cells[0], item.row.cells[-1]
    row = dataclasses.replace(item.row, cells=(number, mark, title), markable=False)
    reason: list[list[Span]] = [[(_takes(bill, cost), "")]]
    if cost.memory.id in proposed:
        count = len(bill.would_fit)
        text = ngettext("the rest fits without it", "the rest fits without these {count}", count)
        reason.append([(text.format(count=f"{count:,}"), "muted")])
    reason += problem_lines(item.problems, view)
    return Entry(row, reason, row_id)


def _takes(bill: Bill, cost: Cost) -> str:
    unit = wording.unit(bill.budget)
    if cost.shares:
        text = ngettext(
            "its line stands for {count} other memory too, and goes with the last of them",
            "its line stands for {count} other memories too, and goes with the last of them",
            cost.shares,
        )
        return text.format(count=cost.shares)
    share = cost.cost / bill.budget.limit if bill.budget.limit else 0
    said = _("takes {cost:,} of {limit:,} {unit} ({share})")
    part = f"{share:.0%}" if share >= 0.01 else _("under 1%")
    return said.format(cost=cost.cost, limit=bill.budget.limit, unit=unit, share=part)


class Limiting:
    """The one command of its name."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def limits(self) -> None:
        """Show what each memory takes."""
        LimitReview(self._desk).begin()


class LimitReview(Review):
    """All bills in one list; what is deleted or shortened leads to the next row."""

    def __init__(self, desk: Desk) -> None:
        own = {"open": self._open, "next_store": self._next, "previous_store": self._previous}
        meanings = {"open": (_("open"), _("Back to the list of memories, to this one"))}
        super().__init__(desk, _("Limits"), opener="limits", own=own, passed=KEYS, meanings=meanings)
        self._heads: Mapping[str, str] = {}
        self._placed: str | None = None
        """The row that the cursor was put on, until it goes anywhere else; '' from then on."""
        self._proposed: frozenset[str] = frozenset()
        self._led_to = ""
        """The proposed row that a decision led to, until the cursor goes anywhere else."""

    def begin(self) -> None:
        """Open it and count."""
        if self.open():
            self._count()

    def _count(self) -> None:
        view = self._desk.view
        if view is not None:
            self._desk.work.do(
                lambda workspace: list_bills(workspace, view),
                self._counted,
                channel="limits",
                failed=self._desk.say_error,
            )

    def _counted(self, listed: Listed) -> None:
        if not self.is_open:
            return
        self._heads, self._proposed = listed.heads, listed.proposed
        self.show(listed.entries, [[(_("no agent here has a limit on its memories"), "muted")]])
        if listed.entries and self._placed in (None, self.row_id) and not self.screen.is_asking:
            # what is found while it is opened may put others first
            self._go_to_store(self._desk.index.list.cursor_id)
            self._placed = self.row_id
        elif self._led_to and self._led_to not in listed.proposed and not self.screen.is_asking:
            # without the one before it, it need not go any more (the other of two that said the same)
            self.go_to(next(iter(self._beside(self._led_to)), ""))
        self._show_head()

    def view_changed(self) -> None:
        """Count again."""
        super().view_changed()
        self._count()

    def _cursor_moved(self) -> None:
        if self._placed is not None and self.row_id != self._placed:
            self._placed = ""
        if self.row_id != self._led_to:
            self._led_to = ""
        self._show_head()
        super()._cursor_moved()

    def _show_head(self) -> None:
        head = self._heads.get(self.row_id, "")
        self.screen.show_progress([head] if head else [])

    # Keys

    def change_began(self, about: str) -> None:
        """On to the next row while it is written: a second key must not mean what is going."""
        rows = self._beside(about)
        if about not in rows or self.row_id != about:
            return
        at = rows.index(about)
        after = [*rows[at + 1 :], *reversed(rows[:at])]
        if after:
            self._led_to = after[0] if {about, after[0]} <= self._proposed else ""
            self.go_to(after[0])

    def _beside(self, row_id: str) -> list[str]:
        """The rows that fall under the same limit."""
        head = self._heads.get(row_id, "")
        return [row for row, entry in self.entries.items() if entry.memory and self._heads.get(row) == head]

    def _open(self, row_id: str) -> None:
        entry = self.entries.get(row_id)
        if entry is not None and self.item is not None:
            self.screen.dismiss()
            self._desk.app.navigation.activate("index")
            self._desk.go_to_memory(entry.memory)

    def _next(self, row_id: str) -> None:
        self._step(1)

    def _previous(self, row_id: str) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        firsts: dict[str, str] = {}
        for row_id, entry in self.entries.items():
            if entry.memory:
                firsts.setdefault(self._heads.get(row_id, ""), row_id)
        heads = list(firsts)
        here = self._heads.get(self.row_id, "")
        if here in heads:
            self.go_to(firsts[heads[(heads.index(here) + step) % len(heads)]])

    def _go_to_store(self, row_id: str) -> None:
        """To the first row of the store that the list is in."""
        view = self._desk.view
        number = view.store_of(row_id) if view is not None else None
        rows = [row for row, entry in self.entries.items() if entry.memory]
        here = (row for row in rows if (item := self.item_of(row)) is not None and item.store == number)
        self.go_to(next(here, rows[0] if rows else ""))
