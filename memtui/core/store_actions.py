"""What a person can do with stores as wholes: carry memories from one to another, mend files, clear up backups.

The door beside `workspace`, whose history it writes into; it belongs to the thread of its workspace.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from memtui.core import fs
from memtui.core.errors import RefusedError, UnknownIdError, UsageError
from memtui.core.layouts.base import Discard, Place, Refusal, Regroup, Reshape, Snapshot, Store
from memtui.core.layouts.entries import ENTRIES, backups, reshape
from memtui.core.layouts.entries.backups import Backup
from memtui.core.layouts.entries.reshape import Way
from memtui.core.layouts.table import LAYOUTS
from memtui.core.layouts.topics import TOPICS
from memtui.core.operations.carrying import Wish
from memtui.core.operations.plan import Plan
from memtui.core.operations.refusals import error_of
from memtui.core.operations.transfer import Side, Transfer, Verb, intend_transfer, plan_transfer
from memtui.core.workspace import Outcome, Workspace
from memtui.i18n import _

__all__ = ["Backup", "Discard", "Place", "Regroup", "Reshape", "StoreActions", "Way", "Wish"]


class StoreActions:
    """The actions on stores of one workspace. Snapshots are what the person looked at."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    # Moving and copying

    def targets(self, snapshot: Snapshot) -> tuple[Store, ...]:
        """The stores that memories of this one can be carried to: used first, then others that exist."""
        stores = self._workspace.locate().stores
        fit = [
            store
            for store in stores
            if store.writable and (store.used or store.exists) and not _is_same(store, snapshot.store)
        ]
        return tuple(sorted(fit, key=lambda store: not store.used))

    def plan_move(
        self,
        snapshot: Snapshot,
        memory_ids: Sequence[str],
        target: Store,
        *,
        copy: bool = False,
        wish: Wish | None = None,
    ) -> Plan:
        """What carrying these memories to another store means; its notes say what does not go with them.

        Raises RefusedError, ConflictError (one of them is gone), UsageError (the same store).
        """
        there = self._workspace.scan(target)
        return _plan(self._intend(snapshot, memory_ids, there, copy, wish), snapshot, there)

    def move(
        self,
        snapshot: Snapshot,
        memory_ids: Sequence[str],
        target: Store,
        *,
        copy: bool = False,
        wish: Wish | None = None,
        takes_over: Collection[Path] = (),
    ) -> Outcome:
        """Carry memories to another store, as one change of both. Raises as `plan_move` and `Workspace.run`."""
        there = self._workspace.scan(target)
        transfer = self._intend(snapshot, memory_ids, there, copy, wish)
        looks = [(snapshot, there)]

        def replan() -> Plan:
            # the first plan is made on what the person saw, those after it on what stands there by then
            scan = self._workspace.scan
            here, now = looks.pop() if looks else (scan(snapshot.store), scan(target))
            return _plan(transfer, here, now)

        return self._workspace.apply(replan, takes_over=takes_over)

    def _intend(
        self, snapshot: Snapshot, memory_ids: Sequence[str], target: Snapshot, copy: bool, wish: Wish | None
    ) -> Transfer:
        store = target.store
        if _is_same(snapshot.store, store):
            raise UsageError(_("{store} is where they are already").format(store=store.id), code="same-store")
        if not store.writable:
            raise RefusedError(_("{root} cannot be written").format(root=store.root), code="read-only")
        verb: Verb = "copy" if copy else "move"
        transfer = intend_transfer(_side(snapshot), memory_ids, _side(target), verb, wish)
        if isinstance(transfer, Refusal):
            raise error_of(transfer)
        return transfer

    # Mending

    def ways(self, snapshot: Snapshot, path: str) -> tuple[Way, ...]:
        """The ways (`Reshape.how`) in which a file of a store can be mended now, in the order to do them."""
        if snapshot.store.layout == ENTRIES.name:
            return reshape.offered(snapshot, path)
        file = snapshot.files.get(path)
        is_crlf = file is not None and file.data is not None and b"\r\n" in file.data
        return ("lf",) if is_crlf and snapshot.store.layout == TOPICS.name else ()

    # Backups that the owner makes and never deletes

    def backups(self, snapshot: Snapshot) -> tuple[Backup, ...]:
        """The backups beside the files of a store, newest first; none where its owner makes none."""
        return backups.backups(snapshot) if snapshot.store.layout == ENTRIES.name else ()

    def backup_diff(self, snapshot: Snapshot, path: str) -> tuple[str, ...]:
        """A backup against its live file: `- ` only in the backup, `+ ` only live, two blanks in both.

        Text from disk. Raises UnknownIdError.
        """
        found = next((backup for backup in self.backups(snapshot) if backup.path == path), None)
        if found is None:
            raise UnknownIdError(_("{file} is no backup of this store").format(file=path))
        return backups.diff_lines(snapshot, found)

    def leftovers(self, snapshot: Snapshot) -> tuple[str, ...]:
        """The names of all backups and half-written files that the owner's program left (for `Discard`)."""
        return backups.leftovers(snapshot) if snapshot.store.layout == ENTRIES.name else ()


def _side(snapshot: Snapshot) -> Side:
    return Side(LAYOUTS[snapshot.store.layout], snapshot)


def _plan(transfer: Transfer, source: Snapshot, target: Snapshot) -> Plan:
    plan = plan_transfer(transfer, _side(source), _side(target))
    if isinstance(plan, Refusal):
        raise error_of(plan)
    return plan


def _is_same(store: Store, other: Store) -> bool:
    return fs.real_path(store.root) == fs.real_path(other.root)
