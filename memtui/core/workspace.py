"""The one door: everything the command line and the app may ask of the core.

It locates stores, takes snapshots, runs intents through plan and apply, and keeps the history. It is not
thread-safe: one thread calls it, in order. Nothing here reads the disk before it is asked to.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from pathlib import Path

from memtui.core.changes import Changes, Written, between, expected_files, is_same
from memtui.core.checks import run as run_checks
from memtui.core.env import Env
from memtui.core.errors import (
    RefusedError,
)
from memtui.core.history.differences import change_previews
from memtui.core.history.info import ChangeInfo, change_info
from memtui.core.history.retention import Pruned, prune
from memtui.core.history.reverted import reverted_in
from memtui.core.history.undo import (
    Change,
    change_of_id,
    changes_of,
    choose_redo,
    choose_undo,
    plan_redo,
    plan_undo,
)
from memtui.core.layouts.base import (
    Add,
    AgentView,
    Budget,
    Edit,
    FieldName,
    Memory,
    MemoryText,
    Problem,
    Refusal,
    Remove,
    Rename,
    SetField,
    SetText,
    Snapshot,
    Store,
)
from memtui.core.layouts.owners import PROFILES
from memtui.core.locate import Located
from memtui.core.operations.compose import in_order, intend, make_plan, owner_locks
from memtui.core.operations.forecast import Forecast, forecast
from memtui.core.operations.plan import Intent, Plan, paths_below
from memtui.core.operations.preview import FilePreview, preview
from memtui.core.operations.refusals import error_of
from memtui.core.operations.session_plans import refuse_in_use
from memtui.core.stores import Stores
from memtui.core.writing.apply import Applied, Replan, apply
from memtui.core.writing.current import file_digest, read_bytes
from memtui.core.writing.handover import HandOver
from memtui.core.writing.owner_locks import Waits, release_own_record
from memtui.core.writing.recovery import recover
from memtui.i18n import _
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

# what cli and ui may name of the core, next to what is defined here
__all__ = ["Add", "AgentView", "Budget", "Edit", "FieldName", "Memory", "MemoryText", "Problem"]
__all__ += [
    "FilePreview",
    "Forecast",
    "Located",
    "Plan",
    "Remove",
    "Rename",
    "SetField",
    "SetText",
    "Snapshot",
    "Store",
]
__all__ += ["Changes", "Written"]
__all__ += ["APP_SETTLE_S", "COMMAND_SETTLE_S", "OWNERS", "ChangeInfo", "Outcome", "Pruned", "Workspace"]

COMMAND_SETTLE_S = 0.1
"""How long a command looks at replaced files before it exits (design, Write 4)."""

APP_SETTLE_S = 1.0
"""How long the app looks at them, in the background."""

OWNERS = tuple(PROFILES)
"""The owners memtui knows, by name."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an action: the change (None = nothing had to be changed), notes for the person, and what
    was written, for `Workspace.changes_by_others`."""

    change: ChangeInfo | None
    notes: tuple[str, ...] = ()
    written: tuple[Written, ...] = ()


@dataclass
class _Waiting:
    handover: HandOver
    since_s: float


class Workspace(Stores):
    """The memory of one working directory (or of one memory directory opened by its path)."""

    def __init__(self, env: Env, *, owner: str = "", path: Path | None = None) -> None:
        super().__init__(env, owner=owner, path=path)
        self._waiting: list[_Waiting] = []
        self._changed_roots: set[Path] = set()
        self.waits: Waits | None = None
        """Hears what a change waits for, in a sentence that may hold text from disk."""

    # Looking

    def problems(self, snapshot: Snapshot) -> tuple[Problem, ...]:
        """What is wrong with a store, with the repairs."""
        return run_checks(snapshot) + self.problems_of_history(snapshot)

    def changes_by_others(
        self, before: Snapshot, after: Snapshot, written: tuple[Written, ...] = ()
    ) -> Changes | None:
        """What other programs changed in a store between two looks, apart from what memtui wrote meanwhile.

        None when nothing at all is different, its own changes included.
        """
        if is_same(before, after):
            return None
        files = expected_files(before, after, written)
        return between(before if files is None else self._layout(before).scan(before.store, files), after)

    # Changing

    def plan(self, snapshot: Snapshot, verb: str, edits: tuple[Edit, ...]) -> Plan:
        """What edits mean on a snapshot. Raises RefusedError or ConflictError; writes nothing."""
        return self._plan(snapshot, intend(self._layout(snapshot), snapshot, verb, edits))

    def forecast(self, snapshot: Snapshot, edits: tuple[Edit, ...]) -> Forecast:
        """What a snapshot would come to with these edits; reads nothing. Raises as `plan`."""
        return forecast(self._layout(snapshot), snapshot, self.plan(snapshot, "", edits), edits)

    def preview(self, plan: Plan) -> tuple[FilePreview, ...]:
        """A plan as one diff a file."""
        return preview(plan, file_digest)

    def run(
        self, snapshot: Snapshot, verb: str, edits: tuple[Edit, ...], *, takes_over: Collection[Path] = ()
    ) -> Outcome:
        """Plan and apply edits that a person decided on while looking at `snapshot`.

        `takes_over` are owners' locks that were left behind (LockedError names them), as the person agreed.
        Raises ConflictError, RefusedError, LockedError or StorageError; then nothing was written.
        """
        store = snapshot.store
        if not store.writable:
            raise RefusedError(_("{root} cannot be written").format(root=store.root), code="read-only")
        intent = intend(self._layout(snapshot), snapshot, verb, edits)
        return self._apply(
            self._plan(snapshot, intent), lambda: self._plan(self.read(store), intent), takes_over
        )

    def plan_undo(self, change_id: str = "", store_name: str = "") -> Plan:
        """The plan that takes a change back (the last one made here or in that store, without an id)."""
        change = choose_undo(self._changes(), change_id, self._roots(store_name))
        return plan_undo(change, self._journal.objects, read_bytes)

    def undo_next(self, store_name: str = "") -> ChangeInfo:
        """The change that `undo` takes back without an id. Raises NothingToDoError."""
        return change_info(choose_undo(self._changes(), "", self._roots(store_name)), reverted=False)

    def undo(self, change_id: str = "", store_name: str = "", *, takes_over: Collection[Path] = ()) -> Outcome:
        """Take a change back. Raises NothingToDoError, UnknownIdError, and as `run`."""
        change = choose_undo(self._changes(), change_id, self._roots(store_name))
        return self.apply(
            lambda: self._locked(plan_undo(change, self._journal.objects, read_bytes)), takes_over=takes_over
        )

    def plan_redo(self, store_name: str = "") -> Plan:
        """The plan that makes the change undone last again."""
        change = choose_redo(self._changes(), self._roots(store_name))
        return self._plan_redo(change)

    def redo(self, store_name: str = "", *, change_id: str = "", takes_over: Collection[Path] = ()) -> Outcome:
        """Make that change, or the one undone last, again. Raises as `undo`, and RefusedError for a session
        in use."""
        change = choose_redo(self._changes(), self._roots(store_name), change_id)
        return self.apply(lambda: self._plan_redo(change), takes_over=takes_over)

    def apply(self, replan: Replan, *, takes_over: Collection[Path] = ()) -> Outcome:
        """Carry out a plan that is made anew as often as the files change. Raises as `run`."""
        return self._apply(replan(), replan, takes_over)

    def place_in_trash(self, path: Path) -> Path:
        """A free name in memtui's trash for a whole file."""
        return self._journal.trash.new_place(path)

    # History

    def history(self, limit: int = 50, store_name: str = "") -> tuple[ChangeInfo, ...]:
        """The changes made in the used stores or in that one, newest first."""
        roots = self._roots(store_name)
        changes = [change for change in self._changes() if not roots.isdisjoint(change.record.roots)][:limit]
        reverted = {change_id for root in roots for change_id in self._reverted(root)}
        return tuple(change_info(change, change.record.id in reverted) for change in changes)

    def change_diff(self, change_id: str) -> tuple[FilePreview, ...]:
        """What a past change did, as one diff a file. Raises UnknownIdError."""
        return change_previews(change_of_id(self._changes(), change_id), self._journal.objects)

    def prune_history(self, *, dry_run: bool = False) -> Pruned:
        """Remove what the configuration no longer keeps, or say what would go. Raises OSError."""
        keep = self.config.history
        return prune(self._journal, self.env.now(), keep.keep_days, keep.keep_mb, dry_run=dry_run)

    def recover(self) -> tuple[str, ...]:
        """Bring what a killed memtui left half-done to an end; at the app's start and before a change."""
        notes = recover(self._journal, self.env.state_dir)
        for store in self.used_stores():
            if store.profile.lock is not None and store.profile.lock.kind == "record":
                release_own_record(store.root / store.profile.lock.name)
        return notes

    def tend(self) -> tuple[str, ...]:
        """One look at files that late writers may still hold; the app calls it every few milliseconds.

        Notes for the person; `is_waiting` says whether to come back.
        """
        notes: list[str] = []
        for waiting in list(self._waiting):
            waiting.handover.look()
            notes += waiting.handover.take_notes()
            if waiting.handover.is_empty or time.monotonic() - waiting.since_s >= APP_SETTLE_S:
                self._waiting.remove(waiting)
                notes += waiting.handover.settle(0)
        return tuple(notes)

    @property
    def is_waiting(self) -> bool:
        """Whether replaced files are still looked at."""
        return bool(self._waiting)

    def settle(self, seconds: float = COMMAND_SETTLE_S) -> tuple[str, ...]:
        """Look at replaced files for `seconds`, then let them go (a command, before it exits)."""
        waiting, self._waiting = self._waiting, []
        return tuple(note for item in waiting for note in item.handover.settle(seconds))

    def close(self) -> tuple[str, ...]:
        """A last look at replaced files; call it before leaving."""
        return self.settle(0)

    # Inside

    def _plan(self, snapshot: Snapshot, intent: Intent) -> Plan:
        plan = make_plan(self._layout(snapshot), snapshot, intent)
        if isinstance(plan, Refusal):
            raise error_of(plan)
        return plan

    def _apply(self, plan: Plan, replan: Replan, takes_over: Collection[Path] = ()) -> Outcome:
        state_dir = self.env.state_dir
        applied = apply(plan, replan, self._journal, state_dir, takes_over=takes_over, waits=self.waits)
        self._changed_roots.update(plan.roots)
        self._waiting += [_Waiting(handover, time.monotonic()) for handover in applied.handovers]
        return Outcome(self._changed(applied), applied.notes, applied.written)

    def _changed(self, applied: Applied) -> ChangeInfo | None:
        record = None if applied.change_id is None else self._journal.record(applied.change_id)
        if record is None:
            return None
        # an undo has no number of its own that a person could name: it is known by the change it is about
        known = dataclasses.replace(record, id=record.target or record.id)
        return change_info(Change(known, known, "done"), applied.reverted)

    def _changes(self) -> list[Change]:
        return changes_of(self._journal.records())

    def _plan_redo(self, change: Change) -> Plan:
        plan = plan_redo(change, self._journal.objects, read_bytes)
        refuse_in_use(plan, self.env)
        return self._locked(plan)

    def _locked(self, plan: Plan) -> Plan:
        """A plan of the history, which knows no owners, with the locks of the stores it is about."""
        stores = [store for store in self.locate().stores if store.root in plan.roots]
        locks = [lock for store in stores for lock in owner_locks(store, paths_below(store.root, plan))]
        return dataclasses.replace(plan, locks=in_order(locks))

    def _roots(self, store_name: str = "") -> frozenset[Path]:
        """Whose changes are undone here: used stores, this project's sessions, what was changed from here."""
        if store_name:
            return frozenset({self.choose_store(store_name).root})
        sessions = {root.path for root in self.locate().transcripts if root.agent == "pi"}
        return frozenset({store.root for store in self.used_stores()} | sessions | self._changed_roots)

    def _reverted(self, root: Path) -> dict[str, str]:
        return reverted_in(root, self._journal.records(), self._journal.objects, read_bytes)
