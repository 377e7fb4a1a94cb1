"""What a person can do with memory that was left behind: see whose it was, and take it into this project.

A door beside `workspace`, whose history it writes into; it belongs to the thread of its workspace.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from pathlib import Path

from memtui.core.errors import RefusedError, UnknownIdError, UsageError
from memtui.core.layouts.base import Refusal, Snapshot, Store
from memtui.core.layouts.table import LAYOUTS
from memtui.core.locate.claude import NAME_LENGTH
from memtui.core.locate.orphans import Orphan, find_orphans
from memtui.core.operations.adoption import Adopted, plan_adoption, sort_out
from memtui.core.operations.carrying import Wish
from memtui.core.operations.plan import Plan
from memtui.core.operations.refusals import error_of
from memtui.core.operations.transfer import Side
from memtui.core.workspace import Outcome, Workspace
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

__all__ = ["Adopted", "Adoption", "LeftBehind", "Offer", "Orphan", "Wish"]


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """A store that no project is known to use, and what is in it."""

    orphan: Orphan
    snapshot: Snapshot

    @property
    def store(self) -> Store:
        """The store itself."""
        return self.orphan.store

    @property
    def count(self) -> int:
        """How many memories it holds; lines of its index that lead nowhere are none."""
        return sum(memory.state == "ok" for memory in self.snapshot.memories)

    @property
    def size_bytes(self) -> int:
        """What its memories come to."""
        return sum(memory.size_bytes for memory in self.snapshot.memories)

    @property
    def updated(self) -> datetime | None:
        """When one of its memories was last changed, as far as that is known."""
        return max((memory.updated for memory in self.snapshot.memories if memory.updated), default=None)


@dataclass(frozen=True, slots=True)
class Offer:
    """What adopting a store would do here: the target and what becomes of each memory, or `why_not` (then the
    target is None)."""

    one: LeftBehind
    target: Store | None
    fates: tuple[Adopted, ...] = ()
    why_not: str = ""

    @property
    def comes(self) -> int:
        """How many memories would be copied."""
        return sum(adopted.comes for adopted in self.fates)


def _never() -> bool:
    return False


class Adoption:
    """What was left behind on this machine, seen from one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def left_behind(self, cancelled: Callable[[], bool] = _never) -> tuple[LeftBehind, ...]:
        """Every store of a project that is gone, then those whose project is not known; empty ones left out.

        Reads the heads of conversations and the stores that it gives; after `cancelled()` it ends early.
        Nothing is created.
        """
        workspace = self._workspace
        here = [store.root for store in workspace.locate().stores if store.used]
        found = []
        for orphan in find_orphans(workspace.env, here, cancelled):
            if cancelled():
                break
            snapshot = workspace.scan(orphan.store)
            if any(memory.state == "ok" for memory in snapshot.memories):
                found.append(LeftBehind(orphan, snapshot))
        return tuple(found)

    def choose(self, named: str, found: Sequence[LeftBehind]) -> LeftBehind:
        """The one of this id, of this directory, or of a project that was at this path.

        Raises UnknownIdError, or UsageError naming the ids where several fit.
        """
        path = os.path.normpath(self._workspace.env.cwd / named) if named else ""
        fits = [one for one in found if one.store.id == named]
        fits = fits or [one for one in found if str(one.store.root) == path or path in one.orphan.projects]
        fits = fits or [one for one in found if one.store.owner == named]
        if len(fits) == 1:
            return fits[0]
        if fits:
            ids = ", ".join(one.store.id for one in fits)
            raise UsageError(
                _("{name} is several stores; name one: {ids}").format(name=named, ids=ids),
                code="several-stores",
            )
        raise UnknownIdError(
            _("no orphaned store {name}; `memtui adopt` lists them").format(name=named or '""')
        )

    def target(self, one: LeftBehind, named: str = "") -> Store:
        """Where it would be taken into: the named store, else this project's of the same owner, else of the
        same layout. Raises UsageError where there is none, and as `Workspace.choose_store`."""
        if named:
            return self._workspace.choose_store(named)
        stores = self._workspace.locate().stores
        used = [store for store in stores if store.used]
        of_owner = [store for store in used if store.owner == one.store.owner]
        # its owner makes a directory when it first writes; whose name it cuts, memtui cannot name
        places = [
            store
            for store in stores
            if store.owner == one.store.owner
            and store.writable
            and not store.exists
            and store.tier == "none"
            and len(store.root.parent.name) < NAME_LENGTH
        ]
        alike = [store for store in used if store.writable and store.layout == one.store.layout]
        fits = of_owner or places[:1] or alike
        if not fits:
            raise UsageError(
                _("no store of {owner} can be written here; name another one with --to").format(
                    owner=one.store.owner
                ),
                code="no-store",
            )
        return fits[0]

    def offers(self, cancelled: Callable[[], bool] = _never) -> tuple[Offer, ...]:
        """Everything that was left behind, in the order of `left_behind`, with what adopting it would do."""
        seen: dict[str, Snapshot] = {}
        found = []
        for one in self.left_behind(cancelled):
            if cancelled():
                break
            try:
                target = self.target(one)
            except UsageError as error:
                found.append(Offer(one, None, why_not=error.message))
                continue
            if target.id not in seen:
                seen[target.id] = self._workspace.scan(target)
            fates = sort_out(_side(one.snapshot), _side(seen[target.id]))
            found.append(Offer(one, target, fates))
        return tuple(found)

    def sort_out(self, one: LeftBehind, target: Store) -> tuple[Adopted, ...]:
        """What would become of each of its memories. Reads the target."""
        return sort_out(_side(one.snapshot), _side(self._workspace.scan(target)))

    def plan(self, one: LeftBehind, target: Store, wish: Wish | None = None) -> Plan:
        """What adopting means: copies in the target, where nothing is written over. Raises RefusedError."""
        return self._plan(one, self._workspace.scan(target), wish)

    def adopt(
        self, one: LeftBehind, target: Store, wish: Wish | None = None, *, takes_over: Collection[Path] = ()
    ) -> Outcome:
        """Copy what the person looked at into the target, as one change. The old store stays as it is.

        Raises as `Workspace.run`.
        """
        return self._workspace.apply(
            lambda: self._plan(one, self._workspace.scan(target), wish), takes_over=takes_over
        )

    def _plan(self, one: LeftBehind, target: Snapshot, wish: Wish | None) -> Plan:
        if not target.store.writable:
            raise RefusedError(_("{root} cannot be written").format(root=target.store.root), code="read-only")
        project = Path(one.orphan.projects[0]).name if one.orphan.projects else one.store.id
        plan = plan_adoption(_side(one.snapshot), _side(target), project, wish)
        if isinstance(plan, Refusal):
            raise error_of(plan)
        return plan


def _side(snapshot: Snapshot) -> Side:
    return Side(LAYOUTS[snapshot.store.layout], snapshot)
