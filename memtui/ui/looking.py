"""Looks at the stores, on the work thread: what is there, and what others changed since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.late.dataclasses import dataclass, replace
from memtui.ui import view as views
from memtui.ui.news import Event, News, meanwhile_of, tell
from memtui.ui.view import View

if TYPE_CHECKING:
    from memtui.core.inspection import Findings
    from memtui.core.layouts.base import Snapshot
    from memtui.core.others import Place, Sought
    from memtui.core.store_actions import Background
    from memtui.core.watch import Root
    from memtui.core.workspace import Workspace, Written


@dataclass(frozen=True, slots=True)
class Look:
    """What a look showed: everything as it is now, what is news of it (`event` with what that was told from),
    and what to watch from now on; `read` are the stores as they were read, before a closer look."""

    view: View
    news: News | None
    event: Event | None
    roots: tuple[Root, ...]
    read: tuple[Snapshot, ...]
    fades_after_s: float | None = None


class Looker:
    """Remembers the look before. Belongs to the work thread alone."""

    def __init__(self) -> None:
        self._before: Mapping[str, Snapshot] | None = None
        self._read: tuple[Snapshot, ...] = ()
        self._shown: tuple[Snapshot, ...] = ()
        self._first_looks: dict[str, datetime] = {}
        self._at_work: Mapping[str, tuple[Background, ...]] = {}

    def look(
        self,
        workspace: Workspace,
        findings: Findings | None = None,
        *,
        locate_again: bool = False,
        written: tuple[Written, ...] = (),
        only_if_changed: bool = False,
    ) -> Look | None:
        """Read the used stores. `written` is what memtui itself wrote since the look before; `findings` what a
        closer look found until now.

        None, with `only_if_changed`, when every byte is as it was.
        """
        if locate_again:
            workspace.locate(again=True)
        snapshots = workspace.snapshots()
        self._keep_copies(workspace, snapshots)
        before, now = self._before, {snapshot.store.id: snapshot for snapshot in snapshots}
        self._before = now
        was_at_work, self._at_work = self._at_work, self._look_behind(workspace, snapshots, before is None)
        for snapshot in snapshots:
            self._first_looks.setdefault(snapshot.store.id, snapshot.store.read_at or workspace.env.now())
        news = []
        sought: dict[Place, Sought] = {}
        is_same = before is not None and before.keys() == now.keys()
        is_same = is_same and _keys(was_at_work) == _keys(self._at_work)
        for number, snapshot in enumerate(snapshots):
            known = (before or {}).get(snapshot.store.id)
            if known is None:
                continue
            changes = workspace.changes_by_others(known, snapshot, written)
            if changes is not None:
                is_same = False
                news.append((number, snapshot, changes))
                from memtui.core.others import sought_in

                sought |= sought_in(known, snapshot, changes, self._first_looks.get(snapshot.store.id))
        if is_same and only_if_changed:
            return None
        self._read = snapshots
        view = self._view(workspace, self._with(findings))
        meanwhile = {store: meanwhile_of((*was_at_work.get(store, ()), *self._at_work[store])) for store in now}
        event = Event(news, [store.name for store in view.stores], workspace.env.now(), sought, meanwhile)
        return Look(view, tell(event), event, workspace.watch_roots(), snapshots, self._fades_after_s)

    def look_closer(self, workspace: Workspace, findings: Findings | None) -> Look | None:
        """What was read last, with what a closer look found of it; None where that shows nothing new."""
        snapshots = self._with(findings)
        if all(new.problems == old.problems for new, old in zip(snapshots, self._shown, strict=True)):
            return None
        view, roots = self._view(workspace, snapshots), workspace.watch_roots()
        return Look(view, None, None, roots, self._read, self._fades_after_s)

    @property
    def _fades_after_s(self) -> float | None:
        """After how long what is at work may have ended without any event."""
        found = [item.alive_s for items in self._at_work.values() for item in items if item.state == "running"]
        return max((seconds for seconds in found if seconds is not None), default=None)

    def _look_behind(
        self, workspace: Workspace, snapshots: Sequence[Snapshot], is_first: bool
    ) -> dict[str, tuple[Background, ...]]:
        """What works in the background, with when memtui saw it first where it does not say that itself."""
        from memtui.core.store_actions import StoreActions

        actions, now = StoreActions(workspace), workspace.env.now()
        known = {item.key: item for items in self._at_work.values() for item in items}

        def seen(item: Background) -> Background:
            before = known.get(item.key)
            if item.state != "running" or item.since is not None:
                return item
            if before is not None:
                return replace(item, since=before.since, is_later=before.is_later)
            return replace(item, since=now, is_later=is_first)

        return {each.store.id: tuple(map(seen, actions.at_work(each))) for each in snapshots}

    def _with(self, findings: Findings | None) -> tuple[Snapshot, ...]:
        if findings is None:
            return self._read
        from memtui.core.inspection import with_findings

        return tuple(with_findings(snapshot, findings) for snapshot in self._read)

    def _view(self, workspace: Workspace, snapshots: tuple[Snapshot, ...]) -> View:
        self._shown = snapshots
        return views.build_view(workspace, snapshots, self._at_work)

    def _keep_copies(self, workspace: Workspace, snapshots: Sequence[Snapshot]) -> None:
        if any(snapshot.store.profile.keeps for snapshot in snapshots):
            from memtui.core.store_actions import StoreActions

            for snapshot in snapshots:
                StoreActions(workspace).keep_copies(snapshot)


def _keys(at_work: Mapping[str, Sequence[Background]]) -> dict[str, list[tuple[object, ...]]]:
    return {store: [item.key for item in items] for store, items in at_work.items()}
