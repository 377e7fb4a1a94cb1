"""Taking the last change back: one that was not made here is asked about first."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.errors import MemtuiError
from memtui.i18n import _
from memtui.ui.asking import NO, YES
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.workspace import ChangeInfo, Outcome, Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk


class _ByAnother(MemtuiError):
    """The change that would be undone is not one of this run."""

    def __init__(self, change: ChangeInfo) -> None:
        super().__init__(change.summary)
        self.change = change


class Undoing:
    """One method a command; each returns at once."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def undo(self) -> None:
        """Take the last change back; one that another program made since memtui began is named, and asked
        about first."""
        hint = _("ctrl+r does it again")

        def job(workspace: Workspace, takes_over: Collection[Path]) -> Outcome:
            change = workspace.undo_next()
            if change.id not in self._changing.own and change.when > self._changing.began:
                raise _ByAnother(change)
            return workspace.undo(change.id, takes_over=takes_over)

        def failed(error: MemtuiError) -> None:
            if isinstance(error, _ByAnother):
                self._ask_about_anothers(error.change, hint)
            else:
                self._changing.failed(error)

        self._changing.do(job, failed, hint)

    def _ask_about_anothers(self, change: ChangeInfo, hint: str) -> None:
        from memtui.core.safety import display
        from memtui.ui.differences import preview_lines

        if self._desk.is_asking or not self._desk.is_on_top:
            return

        def answered(key: str) -> None:
            if key == "y":
                self._changing.do(
                    lambda workspace, takes_over: workspace.undo(change.id, takes_over=takes_over), hint=hint
                )

        def lines(workspace: Workspace) -> list[str]:
            return preview_lines(workspace.preview(workspace.plan_undo(change.id)))

        summary = display.line(change.summary)
        look = Choice("o", _("look"), look=lambda: self._changing.show_diff(_("What would change"), lines, "o"))
        question = _("Undo “{summary}”, which was not done here?").format(summary=summary)
        self._desk.ask_bar.ask(question, (YES, look, NO), answered, opener="u", hint=f"({hint})")
