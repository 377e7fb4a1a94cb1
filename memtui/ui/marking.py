"""The keys that mark: `space` one, `v` a range, `*` all that is shown. Marks are what verbs then act on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext

if TYPE_CHECKING:
    from memtui.ui.desk import Desk
    from memtui.ui.widgets.row_list import RowList


class Marking:
    """One method a command; each returns at once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def mark(self) -> None:
        """Mark the memory under the cursor, or take its mark away, and go down one row; ends a range."""
        desk = self._desk
        item = desk.item
        if item is None:
            desk.say(_("there is no memory under the cursor"), "muted")
            return
        desk.item_was_chosen = True
        row_list = self._list
        if not desk.listing.end_range():
            desk.listing.mark({marked.row_id for marked in desk.marked} ^ {item.row_id})
            if row_list is not None:
                row_list.move_by(1)
        self._say_count()

    def mark_range(self) -> None:
        """Begin a range at the row under the cursor, or end it: what it covers stays marked."""
        desk = self._desk
        row_list = self._list
        if row_list is None:
            desk.say(_("a range is marked in the list"), "muted")
        elif desk.item is None:
            desk.say(_("there is no memory under the cursor"), "muted")
        else:
            desk.item_was_chosen = True
            if not desk.listing.end_range():
                row_list.begin_range()
            self._say_count()

    def mark_all(self) -> None:
        """Mark every memory that the list shows; take all marks away when they are marked already."""
        desk = self._desk
        desk.listing.end_range()
        shown = (self._list or desk.index.list).markable
        marked = {item.row_id for item in desk.marked}
        desk.listing.mark(() if shown <= marked else marked | shown)
        self._say_count()

    @property
    def _list(self) -> RowList | None:
        """The list that the cursor is in."""
        active = self._desk.app.navigation.active
        if active == "index":
            return self._desk.index.list
        return self._desk.search.list if active == "search" else None

    def _say_count(self) -> None:
        # the frame of the list says it as well, which may not be on the screen
        if self._desk.app.navigation.active != "index":
            count = len(self._desk.marked)
            said = ngettext("{count} memory is marked", "{count} memories are marked", count)
            self._desk.say(said.format(count=count), "muted")
