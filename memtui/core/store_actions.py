"""What a person can do with stores as wholes: carry memories from one to another, clear up backups.

The door beside `workspace`, whose history it writes into; it belongs to the thread of its workspace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from memtui.core import fs
from memtui.core.agents.at_work import at_work
from memtui.core.agents.background import Background, caution, last_dream, tells_of_end
from memtui.core.agents.background import sentence as background_sentence
from memtui.core.errors import RefusedError, UnknownIdError, UsageError
from memtui.core.history.copies import copies_of, keep_copy
from memtui.core.layouts.base import (
    Discard,
    Place,
    Refusal,
    Regroup,
    Reshape,
    Snapshot,
    Store,
    StoreFact,
)
from memtui.core.layouts.entries import backups
from memtui.core.layouts.entries.backups import Backup
from memtui.core.layouts.entries.layout import ENTRIES
from memtui.core.layouts.table import LAYOUTS
from memtui.core.operations.carrying import Wish
from memtui.core.operations.plan import Plan
from memtui.core.operations.refusals import error_of
from memtui.core.operations.transfer import Side, Transfer, Verb, intend_transfer, plan_transfer
from memtui.core.workspace import Outcome, Workspace
from memtui.i18n import _

__all__ = ["Background", "Backup", "Discard", "Place", "Regroup", "Reshape", "StoreActions", "Wish"]
__all__ += ["background_sentence", "tells_of_end"]


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

    # What is to be known

    def at_work(self, snapshot: Snapshot) -> tuple[Background, ...]:
        """What works on a store in the background, as far as it leaves signs, and the dream that ended last.

        Never raises.
        """
        ended = last_dream(snapshot.store, snapshot.files)
        return (*at_work(snapshot.store, self._workspace.env.now()), *([ended] if ended is not None else []))

    def cautions(self, at_work: Iterable[Background]) -> tuple[str, ...]:
        """What to know before a change beside that; sentences that may hold text from disk."""
        now = self._workspace.env.now()
        return tuple(said for item in at_work if (said := caution(item, now)))

    def cautions_for(self, paths: Iterable[Path]) -> tuple[str, ...]:
        """The same for a change of these files."""
        paths, now = tuple(paths), self._workspace.env.now()
        stores = (
            store
            for store in self._workspace.locate().stores
            if any(path.is_relative_to(store.root) for path in paths)
        )
        found = (item for store in stores for item in at_work(store, now))
        return tuple(dict.fromkeys(self.cautions(found)))

    def facts(self, snapshot: Snapshot, at_work: Iterable[Background] = ()) -> tuple[StoreFact, ...]:
        """What is known of a store beside its memories and problems.

        `at_work` is what `at_work` gave of it.
        """
        now = self._workspace.env.now()
        busy = [item for item in at_work if item.state != "ended"]
        facts = [StoreFact(_("at work"), background_sentence(item, now)) for item in busy]
        return (*facts, *snapshot.facts, *self._copy_facts(snapshot))

    def keep_copies(self, snapshot: Snapshot) -> None:
        """Keep a version of the files that the owner's program replaces by itself, where it is a new one."""
        env = self._workspace.env
        for name in snapshot.store.profile.keeps if self._workspace.config.history.enabled else ():
            file = snapshot.files.get(name)
            if file is not None and file.data is not None and not file.offset:
                keep_copy(env.state_dir, snapshot.store.root / name, file.data, env.now())

    def _copy_facts(self, snapshot: Snapshot) -> list[StoreFact]:
        found = []
        for name in snapshot.store.profile.keeps:
            file = snapshot.files.get(name)
            live = None if file is None else file.data
            kept = copies_of(self._workspace.env.state_dir, snapshot.store.root / name)
            earlier = [copy for copy in kept if copy.data != live]
            if earlier:
                text = _("{name} was another one on {day}; that version is kept in {path}")
                day = earlier[0].seen.astimezone().strftime("%Y-%m-%d %H:%M")
                found.append(StoreFact(_("copy"), text.format(name=name, day=day, path=earlier[0].kept)))
        return found

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
