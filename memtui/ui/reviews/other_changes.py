"""What other programs changed, who and when where that is known, and the way back for one or all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.ui.commands import BY_ID
from memtui.ui.reviews.other_rows import Found, Lost, found_of, with_writer
from memtui.ui.reviews.reviewing import Review
from memtui.ui.seeking import Cancelled, Errand

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.others import Since, Wanted, Writer
    from memtui.core.workspace import Outcome, Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk

PASSED = ("undo", "redo", "delete", "edit")
"""Keys that mean here what they mean everywhere, in the order of the key bar."""

TITLE_SHOWN = 40


class OtherChanges:
    """One method a command."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def changes(self) -> None:
        """What others changed since memtui ran last."""
        OthersReview(self._desk, self._changing, "last").begin()

    def changes_since(self) -> None:
        """What others changed since a time that is asked for."""

        def typed(text: str | None) -> None:
            from memtui.core.errors import UsageError
            from memtui.core.others import parse_since

            if text is None or not text.strip():
                return
            try:
                since = parse_since(text.strip(), self._desk.app.env.now())
            except UsageError as error:
                self._desk.say_error(error)
                return
            OthersReview(self._desk, self._changing, since).begin()

        label = _("since (14:02, 3d, start, last, yesterday)")
        self._desk.line_input.ask(label, typed, value="start")


class OthersReview(Review):
    """What others changed since a time; rows that were brought back are gone from it."""

    def __init__(self, desk: Desk, changing: Changing, since: Since) -> None:
        own = {
            "repair": self._ask,
            "open": self._open,
            "mark": self._mark,
            "mark_range": self._mark_range,
            "mark_all": self._mark_all,
        }
        title, meanings = (
            _("Changes by others"),
            {
                "repair": (
                    _("bring back"),
                    _("Bring it back as it was before, or all that is marked; asks, y does it"),
                ),
                "open": (_("the difference"), _("What was changed, line by line")),
                "mark_all": (_("all"), BY_ID["mark_all"].help),
            },
        )
        super().__init__(desk, title, opener="changes", own=own, passed=PASSED, meanings=meanings)
        self._changing = changing
        self._since = since
        self._found: Found | None = None

    def begin(self) -> None:
        """Open it and look; what no watcher told of yet is looked for as well."""
        if self.open():
            self._look()
            self._desk.live.look_again()

    def view_changed(self) -> None:
        """Others may have changed more, or the person did."""
        self._look()

    def change_ended(self, about: str, outcome: Outcome | None) -> None:
        """Something was brought back, or could not be."""
        self._look()

    # The rows

    def _look(self) -> None:
        view, since = self._desk.view, self._since
        if view is None:
            return
        snapshots = [store.snapshot for store in view.stores]
        names = {store.snapshot.store.id: store.name for store in view.stores}
        env, noticing = self._desk.app.env, self._desk.noticing

        def job(workspace: Workspace) -> Found:
            others = noticing.others(workspace)
            others.require_kept()
            changes = tuple(others.changes_in(snapshot, since) for snapshot in snapshots)
            return found_of(changes, names, env.now(), env.home)

        self._desk.work.do(job, self._show_found, channel="others", failed=self._failed)

    def _failed(self, error: MemtuiError) -> None:
        from memtui.core.safety import display

        if self.is_open:
            self.show((), [[(display.line(error.message), "warn")]])

    def _show_found(self, found: Found) -> None:
        if not self.is_open:
            return
        self._found = found
        self.show(found.entries, found.nothing)
        if self.screen.is_ready:
            self.screen.rows.keep_marks(self.entries)
        self.screen.show_progress(found.heading)
        self._seek_writers(found)

    def _seek_writers(self, found: Found) -> None:
        """Look in the transcripts for the calls that did it."""
        if not found.rows or self._desk.noticing.known is None:
            return
        others, sessions = self._desk.noticing.known, self._desk.searching.sessions

        def job(cancelled: Cancelled) -> Mapping[tuple[str, str], Writer]:
            return others.writers(found.changes, sessions, cancelled)

        def then(writers: Mapping[tuple[str, str], Writer]) -> None:
            if self._found is not found or not self.is_open or not writers:
                return
            entries, now = [], self._desk.app.env.now()
            for entry in found.entries:
                lost = found.rows[entry.row.id]
                writer = writers.get((lost.store.store.id, lost.change.row.id))
                entries.append(entry if writer is None else with_writer(entry, lost, writer, now))
            self.show(entries, found.nothing)

        self._desk.seeker.seek(Errand(job, then, self._desk.say_error))

    # Marks

    def _mark(self, row_id: str) -> None:
        rows = self.screen.rows
        if rows.is_ranging:
            rows.end_range()
        elif row_id in rows.markable:
            rows.marked = rows.marked ^ {row_id}
            rows.move_by(1)
        self._say_marks()

    def _mark_range(self, _row_id: str) -> None:
        rows = self.screen.rows
        if rows.is_ranging:
            rows.end_range()
        else:
            rows.begin_range()
        self._say_marks()

    def _mark_all(self, _row_id: str) -> None:
        rows = self.screen.rows
        rows.end_range()
        rows.marked = frozenset() if rows.markable <= rows.marked else rows.markable
        self._say_marks()

    def _say_marks(self) -> None:
        count = len(self.screen.rows.marked)
        said = ngettext("{count} is marked", "{count} are marked", count) if count else _("nothing is marked")
        self.say(said.format(count=count), "muted")

    # The way back

    def _open(self, row_id: str) -> None:
        lost = self._lost(row_id)
        if lost is not None:
            from memtui.core.safety import display
            from memtui.ui.screens.diff_screen import DiffScreen

            title = _("What others changed: {title}").format(title=display.line(lost.change.row.title))
            self._desk.app.push_screen(DiffScreen(title, lost.diff))

    def _lost(self, row_id: str) -> Lost | None:
        return None if self._found is None else self._found.rows.get(row_id)

    def _ask(self, row_id: str) -> None:
        """Ask whether the row, or all that are marked, are to come back; `o` shows what would change."""
        from memtui.core.safety import display

        marked = [other for other in self.entries if other in self.screen.rows.marked]
        lost = [found for other in marked or [row_id] if (found := self._lost(other)) is not None]
        if not lost:
            self.say(_("there is nothing to bring back"), "muted")
            return
        if not marked and lost[0].change.row.how == "new":
            self.say(_("nothing of it was there before: d deletes it"), "muted")
            return
        if len(lost) == 1:
            title = display.line(lost[0].change.row.title)[:TITLE_SHOWN]
            question = _("Bring “{title}” back?").format(title=title)
        else:
            question = _("Bring back all {count} that are marked?").format(count=len(lost))
        wanted, noticing = _wanted(lost), self._desk.noticing

        def job(workspace: Workspace, takes_over: Collection[Path]) -> Outcome:
            return noticing.others(workspace).restore(wanted, takes_over=takes_over)

        self._changing.propose(
            question,
            lambda workspace: noticing.others(workspace).plan_restore(wanted),
            lambda: self._changing.do(job, bar=self.screen.ask_bar, about=row_id),
            opener="x",
            hint=_("(u takes it away again)"),
            about=row_id,
        )


def _wanted(lost: Collection[Lost]) -> list[Wanted]:
    """The rows by their stores."""
    stores: dict[str, Wanted] = {}
    for item in lost:
        known = stores.get(item.store.store.id, (item.store, ()))
        stores[item.store.store.id] = (item.store, (*known[1], item.change.row.id))
    return list(stores.values())
