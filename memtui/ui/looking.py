"""Looks at the stores, on the work thread: what is there, and what others changed since."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.ui import view as views
from memtui.ui.news import News, tell
from memtui.ui.view import View

if TYPE_CHECKING:
    from memtui.core.inspection import Findings
    from memtui.core.layouts.base import Snapshot
    from memtui.core.watch import Root
    from memtui.core.workspace import Workspace, Written


@dataclass(frozen=True, slots=True)
class Look:
    """What a look showed: everything as it is now, what is news of it, and what to watch from now on; `read`
    are the stores as they were read, before a closer look."""

    view: View
    news: News | None
    roots: tuple[Root, ...]
    read: tuple[Snapshot, ...]


class Looker:
    """Remembers the look before. Belongs to the work thread alone."""

    def __init__(self) -> None:
        self._before: Mapping[str, Snapshot] | None = None
        self._read: tuple[Snapshot, ...] = ()
        self._shown: tuple[Snapshot, ...] = ()

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
        news = []
        is_same = before is not None and before.keys() == now.keys()
        for number, snapshot in enumerate(snapshots):
            known = (before or {}).get(snapshot.store.id)
            if known is None:
                continue
            changes = workspace.changes_by_others(known, snapshot, written)
            if changes is not None:
                is_same = False
                news.append((number, snapshot, changes))
        if is_same and only_if_changed:
            return None
        self._read = snapshots
        view = self._view(workspace, self._with(findings))
        names = [store.name for store in view.stores]
        return Look(view, tell(news, names, workspace.env.now()), workspace.watch_roots(), snapshots)

    def look_closer(self, workspace: Workspace, findings: Findings | None) -> Look | None:
        """What was read last, with what a closer look found of it; None where that shows nothing new."""
        snapshots = self._with(findings)
        if all(new.problems == old.problems for new, old in zip(snapshots, self._shown, strict=True)):
            return None
        return Look(self._view(workspace, snapshots), None, workspace.watch_roots(), self._read)

    def _with(self, findings: Findings | None) -> tuple[Snapshot, ...]:
        if findings is None:
            return self._read
        from memtui.core.inspection import with_findings

        return tuple(with_findings(snapshot, findings) for snapshot in self._read)

    def _view(self, workspace: Workspace, snapshots: tuple[Snapshot, ...]) -> View:
        self._shown = snapshots
        return views.build_view(workspace, snapshots)

    def _keep_copies(self, workspace: Workspace, snapshots: Sequence[Snapshot]) -> None:
        if any(snapshot.store.profile.keeps for snapshot in snapshots):
            from memtui.core.store_actions import StoreActions

            for snapshot in snapshots:
                StoreActions(workspace).keep_copies(snapshot)
