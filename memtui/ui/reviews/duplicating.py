"""Duplicates: what says the same in groups, side by side, to keep one or to make one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.reviews.reviewing import Review
from memtui.ui.screens.pair_screen import PairScreen
from memtui.ui.seeking import Errand

if TYPE_CHECKING:
    from memtui.core.comparison import Alike
    from memtui.core.layouts.base import Snapshot
    from memtui.core.workspace import Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.reviews.duplicate_rows import Placed
    from memtui.ui.screens.review_screen import Beside, Entry
    from memtui.ui.seeking import Cancelled

PASSED = ("delete", "merge", "mark", "edit", "undo", "redo")
"""Keys in the order of the key bar."""

Found = tuple["tuple[Alike, ...]", "tuple[Entry, ...]", "Mapping[str, Placed]"]


class Duplicating:
    """The one command of its name. Lives in the UI thread."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def duplicates(self) -> None:
        """What says the same, or nearly so, side by side."""
        DuplicateReview(self._desk, self._changing).begin()


class DuplicateReview(Review):
    """The groups on the screen. They are found anew whenever a text is another one."""

    screen_type = PairScreen

    def __init__(self, desk: Desk, changing: Changing) -> None:
        own = {"open": self._open, "mark": self._mark, "merge": self._merge}
        title, meanings = (
            _("Duplicates"),
            {
                "open": (_("open"), _("Back to the list of memories, to this one")),
                "merge": (
                    _("merge"),
                    _("Make one memory of those that are marked, else of the group; the one here stays"),
                ),
            },
        )
        super().__init__(desk, title, opener="duplicates", own=own, passed=PASSED, meanings=meanings)
        self._changing = changing
        self._placed: Mapping[str, Placed] = {}
        self._compared: Sequence[Snapshot] = ()

    def begin(self) -> None:
        """Open it and compare."""
        if self.open():
            self._compare()

    def closed(self) -> None:
        """Nobody waits for what is still being compared."""
        self._desk.seeker.cancel()
        self._desk.work.forget("review")

    def view_changed(self) -> None:
        """Compare again where a text may be another one; a closer look changes none."""
        self._compare()

    # Comparing

    def _compare(self) -> None:
        desk, view = self._desk, self._desk.view
        if view is None:
            return
        snapshots = [store.snapshot for store in view.stores]
        if _are_read_as(snapshots, self._compared):
            return
        self._compared = snapshots

        def job(cancelled: Cancelled) -> Found:
            from memtui.core.comparison import find_alike
            from memtui.ui.reviews.duplicate_rows import rows_of

            groups = find_alike(desk.app.env, snapshots, cancelled)
            return (groups, *rows_of(groups, view, desk.app.env.home))

        desk.seeker.seek(Errand(job, self._found, desk.say_error))

    def _found(self, found: Found) -> None:
        from memtui.ui.reviews.duplicate_rows import count_words

        groups, entries, self._placed = found
        if not self.is_open:
            return
        self.show(entries, [[(_("no memory says the same as another"), "good")]])
        self.screen.rows.keep_marks(self.entries)
        self.screen.show_progress([count_words(groups)] if groups else [])

    # What is beside the queue

    def _show_text(self) -> None:
        desk, row_id, screen = self._desk, self.row_id, self.screen
        assert isinstance(screen, PairScreen)
        entry, placed, view = self.entries.get(row_id), self._placed.get(row_id), desk.view
        if entry is None or placed is None or view is None:
            desk.work.forget("review")
            screen.show_pair(row_id, (), None, None)
            return

        def job(workspace: Workspace) -> tuple[Beside, Beside]:
            from memtui.ui.reviews.duplicate_rows import pair_of

            return pair_of(placed, view, workspace.env.home)

        def show(pair: tuple[Beside, Beside]) -> None:
            if self.row_id == row_id and self.entries.get(row_id) is entry:
                screen.show_pair(row_id, entry.reason, *pair)

        desk.work.do(job, show, channel="review", failed=desk.say_error)

    # What its keys do

    def _open(self, row_id: str) -> None:
        """Leave, and go to the memory."""
        desk, item = self._desk, self.item_of(row_id)
        if item is None:
            desk.say(_("an instruction file is yours to edit; memtui does not change it"), "muted")
            return
        self.screen.dismiss()
        desk.app.navigation.activate("index")
        desk.go_to_memory(item.row_id)

    def _mark(self, row_id: str) -> None:
        """Mark the memory, or take its mark away, and go down."""
        rows = self.screen.rows
        if self.item_of(row_id) is None:
            self._desk.say(_("there is no memory under the cursor"), "muted")
            return
        rows.marked = rows.marked ^ {row_id}
        rows.move_by(1)

    def _merge(self, row_id: str) -> None:
        """Make one of the marked memories; without marks, of those in the group under the cursor."""
        from memtui.ui.merging import Merging

        here, items = self.item, list(self.marked)
        if len(items) < 2 and row_id in self._placed:
            group = self._placed[row_id].group
            rows = [other for other, placed in self._placed.items() if placed.group is group]
            items = [item for item in map(self.item_of, rows) if item is not None]
        # what the cursor is on stays
        items.sort(key=lambda item: here is None or item.row_id != here.row_id)
        Merging(self._desk, self._changing).merge_these(items, opener="m")


def _are_read_as(snapshots: Sequence[Snapshot], before: Sequence[Snapshot]) -> bool:
    """Whether all files are as they were: a snapshot with more problems has the same ones."""
    if len(snapshots) != len(before):
        return False
    return all(one.files is other.files for one, other in zip(snapshots, before, strict=True))
