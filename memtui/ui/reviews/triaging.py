"""Triage: every memory that calls for a decision, the most suspicious first, one key each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memtui.core.errors import MemtuiError, NothingToDoError
from memtui.core.kept import TriageState, run_key
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass, replace
from memtui.ui.asking import NO, YES
from memtui.ui.listing import new_row
from memtui.ui.reviews.reviewing import Review
from memtui.ui.reviews.triage_memory import Decision, TriageMemory
from memtui.ui.reviews.triage_rows import (
    RUN_ROW,
    count_words,
    decided_row,
    entries_of,
    kind_word,
    nothing_left,
    run_entry,
    total,
)

if TYPE_CHECKING:
    from memtui.core.triage import Suspect
    from memtui.core.undo_many import ManyUndone
    from memtui.core.workspace import Outcome, Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.looking import Look
    from memtui.ui.screens.review_screen import Entry
    from memtui.ui.view import Item, View
    from memtui.ui.widgets.spans import Span

PASSED = ("delete", "edit", "undo", "type", "line", "move", "repair", "redo", "reveal")
"""Keys that mean here what they mean everywhere, in the order of the key bar."""

KINDS_OF_VERBS = {"delete": "deleted", "move": "moved", "copy": ""}
"""What the verb of a change makes of a row; '' = nothing was decided, all others = changed."""


@dataclass(frozen=True, slots=True)
class Queue:
    """The queue as it was found: its rows, why each is there, what was saved, and the day on which the next
    memory comes back ('' = none does)."""

    entries: tuple[Entry, ...]
    suspects: Mapping[str, Suspect]
    state: TriageState
    key: str
    due: str


def find_queue(workspace: Workspace, view: View, state: TriageState | None) -> Queue:
    """Look for what calls for a decision in what the screen shows; `state` None = as it was saved. Runs on the
    work thread."""
    from memtui.core.kept import load_triage
    from memtui.core.triage import next_due, queue

    state = state or load_triage(workspace.env)
    now, again_days = workspace.env.now(), workspace.config.triage.again_days
    snapshots = [store.snapshot for store in view.stores]
    suspects = queue(snapshots, state.keeps, now, again_days)
    entries = entries_of(view, suspects, now)
    store_ids = [snapshot.store.id for snapshot in snapshots]
    due = next_due(state.keeps, store_ids, again_days)
    day = "" if due is None else due.astimezone().strftime("%Y-%m-%d")
    by_row = {entry.row.id: suspect for entry, suspect in zip(entries, suspects, strict=True)}
    return Queue(entries, by_row, state, run_key(store_ids), day)


class Triaging:
    """The one command of its name."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def triage(self) -> None:
        """Go through the memories, the most suspicious first."""
        TriageReview(self._desk, self._changing).begin()


class TriageReview(Review):
    """One run. What was decided stays in the queue with a word, so that it can be thought over."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        super().__init__(
            desk,
            _("Triage"),
            opener="triage",
            own={"open": self._keep, "undo": self._undo},
            passed=PASSED,
            meanings={
                "open": (_("keep"), _("Keep it as it is, and go on to the next")),
                "undo": (_("undo"), _("Take the last decision back; at the end of the list all of this run")),
            },
        )
        self._changing = changing
        self._memory = TriageMemory(desk)
        self._queue: Queue | None = None
        self._undone: list[Decision] = []
        self._pending: dict[str, View | None] = {}

    def begin(self) -> None:
        """Open it and look for what calls for a decision."""
        if self.open():
            self._look()

    def closed(self) -> None:
        """Left: a run in which nothing is left has ended."""
        if self._memory.counts:
            self._memory.save(ended=not self._undecided())

    # The queue

    def _look(self) -> None:
        view = self._desk.view
        state = self._memory.state if self._queue is not None else None
        if view is not None:
            self._desk.work.do(
                lambda workspace: find_queue(workspace, view, state),
                self._found,
                channel="triage",
                failed=self._desk.say_error,
            )

    def _found(self, queue: Queue) -> None:
        if not self.is_open:
            return
        if self._queue is None:
            self._memory.begin(queue.state, queue.key, is_empty=not queue.entries)
        self._queue = queue
        found = {entry.row.id: entry for entry in queue.entries}
        known = {row_id: entry for row_id, entry in self.entries.items() if row_id != RUN_ROW}
        rows = list(known)
        # up to the cursor all stays where it is: no key must mean a row that came under it
        passed = rows[: rows.index(self.row_id) + 1] if self.row_id in known else rows
        order = dict.fromkeys((*passed, *found, *rows))
        entries = [found.get(row_id) or known[row_id] for row_id in order]
        if entries or self._memory.counts:
            entries.append(self._run_entry(len(found)))
        self.entries = {entry.row.id: entry for entry in entries}
        self._show_state()

    def _nothing(self) -> list[list[Span]]:
        view = self._desk.view
        if view is None or not view.items:
            return [[(_("there is no memory to go through yet"), "muted")]]
        return nothing_left(self._due)

    @property
    def _due(self) -> str:
        return self._queue.due if self._queue is not None else ""

    def _run_entry(self, left: int) -> Entry:
        done = [(decision.kind, decision.title) for decision in self._memory.log if decision.title]
        return run_entry(self._memory.counts, left, self._due, done)

    def _undecided(self) -> list[str]:
        """The rows that call for a decision still, in their order."""
        decided = {decision.row_id for decision in self._memory.log} | self._pending.keys()
        return [row_id for row_id in self.entries if row_id not in decided and self.item_of(row_id) is not None]

    def _show_state(self) -> None:
        """Bring the words of the rows and the progress in step."""
        if not self.screen.is_ready:
            return
        words = {decision.row_id: kind_word(decision.kind) for decision in self._memory.log}
        words |= dict.fromkeys(self._pending, _("being written"))
        gone = (row_id for row_id in self.entries if row_id not in words and self.item_of(row_id) is None)
        words |= {row_id: kind_word("") for row_id in gone if row_id != RUN_ROW}
        rows = [
            decided_row(entry.row, words[row_id]) if row_id in words else entry.row
            for row_id, entry in self.entries.items()
        ]
        self.screen.show_rows(rows, self._nothing())
        counts = self._memory.counts
        done = total(counts) + len(self._pending)
        part = _("{done} of {all}").format(done=f"{done:,}", all=f"{done + len(self._undecided()):,}")
        self.screen.show_progress([part, *count_words(counts)] if self.entries else [])

    def _move_on(self, row_id: str) -> None:
        """To the next row after this one that calls for a decision, else to the end."""
        left = set(self._undecided())
        rows = list(self.entries)
        at = rows.index(row_id) if row_id in self.entries else 0
        self.go_to(next((other for other in (*rows[at:], *rows[:at]) if other in left), RUN_ROW))

    def _cursor_moved(self) -> None:
        if self.row_id == RUN_ROW:
            self.entries = {**self.entries, RUN_ROW: self._run_entry(len(self._undecided()))}
        super()._cursor_moved()

    # Deciding

    def _keep(self, row_id: str) -> None:
        item, view = self.item, self._desk.view
        if row_id == RUN_ROW:
            self.screen.dismiss()
            return
        if row_id in self._undecided() and item is not None and view is not None:
            from memtui.core.triage import keep_of

            snapshot = view.stores[item.store].snapshot
            kept = keep_of(snapshot, item.memory, item.problems, self._desk.app.env.now())
            memory = (snapshot.store.id, item.memory.id)
            self._memory.decided(Decision(row_id, "kept", item.title, keeps=memory), kept)
            self._show_state()
        self._move_on(row_id)

    def change_began(self, about: str) -> None:
        """A decision was made: go on to the next while it is written."""
        if about in self.entries:
            self._pending[about] = self._desk.view
            self._show_state()
            self._move_on(about)

    def change_ended(self, about: str, outcome: Outcome | None) -> None:
        """Note what became of it; what was not done is to be decided still."""
        if about not in self._pending:
            self._note_redo(outcome)
            return
        before = self._pending.pop(about)
        change = outcome.change if outcome is not None else None
        kind = KINDS_OF_VERBS.get(change.verb, "changed") if change is not None else ""
        if change is None or not kind:
            if self.row_id == RUN_ROW:
                self.go_to(about)
        else:
            self._decided(about, kind, change.id, before)
        self._show_state()
        if not self._pending:
            self._look()

    def _decided(self, row_id: str, kind: str, change_id: str, before: View | None) -> None:
        """Note a change; what the memory is now was looked at, and counts as kept."""
        from memtui.core.triage import keep_of

        view = self._desk.view
        known = before.items.get(row_id) if before is not None else None
        decision = Decision(row_id, kind, known.title if known is not None else "", change_id)
        item = self._after(row_id, before) if kind != "deleted" else None
        if item is None or view is None:
            self._memory.decided(decision)
            return
        self._point(row_id, item.row_id)
        snapshot = view.stores[item.store].snapshot
        # a closer look at the new text is to come; what it finds again was on the screen
        seen = (*item.problems, *(known.problems if known is not None else ()))
        kept = keep_of(snapshot, item.memory, seen, self._desk.app.env.now())
        keeps = (snapshot.store.id, item.memory.id)
        self._memory.decided(Decision(row_id, kind, decision.title, change_id, keeps), kept)

    def _point(self, row_id: str, memory: str) -> None:
        """Let a row be about this memory."""
        if (entry := self.entries.get(row_id)) is not None:
            self.entries = {**self.entries, row_id: replace(entry, memory=memory)}

    def _after(self, row_id: str, before: View | None) -> Item | None:
        """The memory of a row after a change of it: its id may be another one."""
        view = self._desk.view
        if view is None or before is None:
            return None
        return view.items.get(row_id) or view.items.get(new_row(before, view, row_id))

    def view_changed(self) -> None:
        """Look again, unless a decision is being noted: that looks itself."""
        super().view_changed()
        if not self._pending:
            self._look()

    # Taking back

    def _undo(self, row_id: str) -> None:
        """The last decision, or where the cursor is on the run all of it."""
        if self._pending:
            self.say(_("a change is still being written"), "muted")
        elif row_id == RUN_ROW:
            self._ask_undo_run()
        elif not self._memory.log:
            self._desk.app.action_do("undo")
        elif change_id := self._memory.log[-1].change:
            self._undo_change(change_id)
        else:
            title = self._memory.log[-1].title
            self._take_back()
            self.say(_("“{title}” is to be decided again").format(title=title), "good")

    def _undo_change(self, change_id: str) -> None:
        def failed(error: MemtuiError) -> None:
            if isinstance(error, NothingToDoError):
                # somebody took it back already
                self._take_back()
            self._changing.failed(error)

        self._changing.do(
            lambda workspace, takes_over: workspace.undo(change_id, takes_over=takes_over),
            failed,
            hint=_("ctrl+r does it again"),
            then=lambda _text, _ink: self._take_back(),
        )

    def _take_back(self) -> None:
        decision = self._memory.taken_back()
        if decision.change:
            self._undone.append(decision)
        self._point(decision.row_id, decision.row_id)
        self._show_state()
        self.go_to(decision.row_id)
        self._look()

    def _note_redo(self, outcome: Outcome | None) -> None:
        change = outcome.change if outcome is not None else None
        if change is not None and change.verb == "redo" and self._undone:
            self._memory.decided(self._undone.pop())
            self._show_state()

    def _ask_undo_run(self) -> None:
        counts, changes = self._memory.counts, self._memory.changes
        if not counts:
            self.say(_("nothing was decided in this run yet"), "muted")
            return

        def answered(key: str) -> None:
            if key == "y":
                self._undo_run(changes)

        what = ", ".join(count_words(counts))
        question = _("Take all of this run back: {what}?").format(what=what)
        self.screen.ask_bar.ask(question, (YES, NO), answered, opener="u", hint=_("(newest first)"))

    def _undo_run(self, changes: tuple[str, ...]) -> None:
        def job(workspace: Workspace) -> tuple[ManyUndone, Look | None]:
            from memtui.core.undo_many import undo_many

            undone = undo_many(workspace, changes)
            for outcome in undone.outcomes:
                self._changing.made_here(outcome)
            written = tuple(item for outcome in undone.outcomes for item in outcome.written)
            return undone, self._desk.live.look(workspace, written=written)

        def done(found: tuple[ManyUndone, Look | None]) -> None:
            undone, look = found
            self._memory.forget_run()
            self._undone.clear()
            self._desk.live.show(look)
            self._desk.say(*_undone_words(undone))
            self._show_state()
            self.go_to(next(iter(self._undecided()), RUN_ROW))

        self._desk.work.do(job, done, failed=self._changing.failed, is_change=True)


def _undone_words(undone: ManyUndone) -> tuple[str, str]:
    """What was taken back and what no longer applies, and the ink of that."""
    from memtui.core.safety import display

    count, failures = len(undone.outcomes), undone.failures
    said = [ngettext("took {count} change back", "took {count} changes back", count).format(count=f"{count:,}")]
    if failures:
        text = _("not this one: {reason}") if len(failures) == 1 else _("not {count} others: {reason}")
        said.append(text.format(count=len(failures), reason=display.line(failures[0][1].message)))
    said += [display.line(note) for outcome in undone.outcomes for note in outcome.notes]
    return " · ".join(said), "warn" if failures else "good"
