"""The key that mends: the first problem with a repair of the row under the cursor, its file, or its store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.asking import why_read_only

if TYPE_CHECKING:
    from memtui.core.layouts.base import Problem
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item, Notice, StoreView


def mendable(store: StoreView | None, item: Item | None, notice: Notice | None) -> Problem | None:
    """The problem that the key is about; a memory of the store comes last, and only one that has the file's."""
    if notice is not None:
        return notice.problem if notice.problem.repair is not None else None
    if store is None:
        return None
    problems = [problem for problem in store.snapshot.problems if problem.repair is not None]
    own, file = (item.memory.id, item.memory.file) if item is not None else (None, None)
    ranked = [
        *(problem for problem in problems if own is not None and problem.memory == own),
        *(problem for problem in problems if file is not None and problem.file == file),
        *(problem for problem in problems if problem.memory is None),
    ]
    return ranked[0] if ranked else None


class Mending:
    """The one command of its name."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def repair(self) -> None:
        """Ask with what is wrong; `o` shows what would change, `y` does it."""
        from memtui.ui import wording
        from memtui.ui.why_not import why_not

        desk, store = self._desk, self._desk.store
        problem = mendable(store, desk.item, desk.notice)
        if problem is None or problem.repair is None or store is None:
            desk.say(why_not(desk, "repair"), "muted")
            return
        snapshot, edits = store.snapshot, (problem.repair,)
        row = desk.item or desk.notice
        about = row.row_id if row is not None else ""
        home = desk.app.env.home
        self._changing.propose(
            _("Mend it by {repair}?").format(repair=wording.repair(problem)),
            lambda workspace: workspace.plan(snapshot, "repair", edits),
            lambda: self._changing.change(snapshot, "repair", edits),
            details=[[(row, "warn")] for row in desk.wrapped(wording.sentence(problem.message, home))],
            opener="x",
            hint=_("(u takes it back)"),
            about=about,
        )


def why_not_mend(store: StoreView | None, item: Item | None, notice: Notice | None) -> str:
    """Why there is nothing to mend here, '' when there is something."""
    if mendable(store, item, notice) is not None:
        return ""
    reason = why_read_only(store.snapshot) if store is not None else ""
    return reason or _("nothing here calls for a repair")
