"""Remembering what the stores looked like, and telling what others changed while memtui was away.

Lives in the UI thread; the work is done on the work thread in small pieces, behind whatever a key asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.layouts.base import Snapshot
    from memtui.core.others import Noter, Others, StoreChanges
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk
    from memtui.ui.news import Fresh, News
    from memtui.ui.view import View

PIECE_S = 0.03
"""The work thread is kept for so long at a time."""

PRUNE_BYTES = 50 << 20
"""After so much was kept in one run, what the settings no longer keep is removed."""


class Noticing:
    """What this run of memtui notes."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._others: Others | None = None
        self._noter: Noter | None = None
        self._is_first = True
        self._taken_in: Sequence[Snapshot] | None = None
        self._waits = False
        self._is_off = False

    def others(self, workspace: Workspace) -> Others:
        """Changes by others as this run sees them. For jobs: runs on the work thread."""
        if self._others is None:
            from memtui.core.others import Others

            self._others = Others(workspace, Others.new_run())
        return self._others

    @property
    def known(self) -> Others | None:
        """The same, once it is there; only what may run on any thread."""
        return self._others

    def looked(self, view: View, snapshots: Sequence[Snapshot]) -> None:
        """Take in what a look read; after the first one, tell what others did since the run before."""
        if snapshots is self._taken_in or self._is_off:
            return
        self._taken_in = snapshots
        is_first, self._is_first = self._is_first, False

        def job(workspace: Workspace) -> News | None:
            news = self._while_away(workspace, snapshots, view) if is_first else None
            self._noter_of(workspace).looked(snapshots)
            return news

        def then(news: News | None) -> None:
            if news is not None:
                self._desk.live.tell(news)
            self._go_on()

        self._desk.work.do(job, then, failed=self._failed)

    def end(self) -> None:
        """The run ends: what waits is noted. Nobody hears of it any more."""

        def job(workspace: Workspace) -> None:
            if self._noter is not None and not self._is_off:
                self._noter.end(workspace.env.now())

        self._desk.work.do(job, lambda result: None)

    # Inside

    def _noter_of(self, workspace: Workspace) -> Noter:
        if self._noter is None:
            from memtui.core.others import Noter

            self._noter = Noter(self.others(workspace))
        return self._noter

    def _go_on(self) -> None:
        def job(workspace: Workspace) -> tuple[bool, bool]:
            noter = self._noter_of(workspace)
            is_done = noter.go_on(PIECE_S)
            if noter.kept_bytes > PRUNE_BYTES:
                noter.kept_bytes = 0
                workspace.prune_history()
            return is_done, noter.is_waiting

        def then(state: tuple[bool, bool]) -> None:
            is_done, is_waiting = state
            if not is_done:
                self._go_on()
            elif is_waiting and not self._waits:
                from memtui.core.others import Noter

                self._waits = True
                self._desk.app.set_timer(Noter.GAP.total_seconds(), self._settle)

        self._desk.work.do(job, then, channel="noticing", failed=self._failed)

    def _settle(self) -> None:
        self._waits = False

        def job(workspace: Workspace) -> None:
            self._noter_of(workspace).settle()

        self._desk.work.do(job, lambda result: None, failed=self._failed)

    def _failed(self, error: MemtuiError) -> None:
        """Say once that nothing can be remembered, and try no more."""
        if not self._is_off:
            self._is_off = True
            self._desk.say_error(error)

    def _while_away(self, workspace: Workspace, snapshots: Sequence[Snapshot], view: View) -> News | None:
        others = self.others(workspace)
        if not others.is_kept:
            return None
        found = [others.changes_in(snapshot) for snapshot in snapshots]
        return away_news(found, [store.name for store in view.stores])


def away_news(found: Sequence[StoreChanges], names: Sequence[str]) -> News | None:
    """What others changed in these stores since memtui ran last, as news; None where they changed nothing."""
    from memtui.ui.news import News
    from memtui.ui.view import row_id_of

    told = [(item, name) for item, name in zip(found, names, strict=True) if item.rows]
    if not told:
        return None
    rows: dict[str, Fresh] = {}
    removed = 0
    phrases = []
    for item, name in told:
        said = counted(item)
        phrases.append(f"{name}: {said}" if len(names) > 1 else said)
        for change in item.rows:
            row = change.row
            removed += row.how == "removed"
            if row.now is not None and row.how != "removed":
                rows[row_id_of(item.store.id, row.now.id)] = "new" if row.how == "new" else "changed"
    phrases[-1] += " " + _("(while you were away)")
    return News("", tuple(phrases), rows, removed)


def counted(item: StoreChanges) -> str:
    """How much others changed in a store, and since when (`5 removed, 2 changed since 14:02`)."""
    counts = {how: sum(change.row.how == how for change in item.rows) for how in ("removed", "changed", "new")}
    words = {
        "removed": ngettext("{count} removed", "{count} removed", counts["removed"]),
        "changed": ngettext("{count} changed", "{count} changed", counts["changed"]),
        "new": ngettext("{count} new", "{count} new", counts["new"]),
    }
    what = ", ".join(words[how].format(count=count) for how, count in counts.items() if count)
    if item.since is None:
        return what
    when, now = item.since.astimezone(), item.now.store.read_at
    is_today = now is not None and now.astimezone().date() == when.date()
    return _("{what} since {time}").format(
        what=what, time=f"{when:%H:%M}" if is_today else f"{when:%Y-%m-%d %H:%M}"
    )
