"""The command for orphaned stores: memory of projects that are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk


class Orphaned:
    """The one command of its name. Lives in the UI thread."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def orphans(self) -> None:
        """Every store that no project is known to use, with what would come of adopting it."""
        from memtui.ui.reviews.orphan_queue import OrphanQueue

        queue = OrphanQueue(self._desk, self._changing)
        if queue.open():
            queue.load()
