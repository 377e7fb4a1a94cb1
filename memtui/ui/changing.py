"""Carrying an edit out: on the work thread, with what came of it said, and conflicts asked about."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.errors import ConflictError, MemtuiError
from memtui.i18n import _
from memtui.ui.asking import most_telling
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit, Snapshot
    from memtui.core.workspace import Outcome, Workspace
    from memtui.ui.desk import Desk
    from memtui.ui.looking import Look
    from memtui.ui.view import Item


class Changing:
    """What every verb needs: is it possible, do it, and say what came of it. Lives in the UI thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def change(
        self,
        snapshot: Snapshot,
        verb: str,
        edits: tuple[Edit, ...],
        *,
        draft: Path | None = None,
        look_again: bool = False,
    ) -> None:
        """Run edits on what the person saw when they began, or on what is there now with `look_again`."""

        def job(workspace: Workspace) -> Outcome:
            seen = workspace.scan(snapshot.store) if look_again else snapshot
            outcome = workspace.run(seen, verb, edits)
            if draft is not None:
                workspace.drop_draft(draft)
            return outcome

        def failed(error: MemtuiError) -> None:
            if isinstance(error, ConflictError):
                self._conflict(error, snapshot, verb, edits, draft)
            else:
                self.failed(error, draft)

        self.do(job, failed)

    def do(
        self,
        job: Callable[[Workspace], Outcome],
        failed: Callable[[MemtuiError], None] | None = None,
        hint: str = "",
    ) -> None:
        def change_and_look(workspace: Workspace) -> tuple[Outcome, Look | None]:
            outcome = job(workspace)
            return outcome, self._desk.live.look(workspace, written=outcome.written)

        def done(found: tuple[Outcome, Look | None]) -> None:
            outcome, look = found
            self._desk.live.show(look, goes_to_new=True)
            if outcome.change is not None and outcome.change.verb in ("undo", "redo"):
                # it may have been a session that was named or trashed
                self._desk.searching.again()
            self.say_outcome(outcome, hint or _("u undoes"))

        self._desk.work.do(change_and_look, done, failed=failed or self.failed, is_change=True)

    def say_outcome(self, outcome: Outcome, hint: str) -> None:
        """Say what was changed, with its notes."""
        from memtui.core.safety import display

        summary = (
            _("nothing had to be changed") if outcome.change is None else display.line(outcome.change.summary)
        )
        notes = [display.line(note) for note in outcome.notes]
        hints = [] if outcome.change is None else [hint]
        self._desk.say(" · ".join([summary, *notes, *hints]), "warn" if notes else "good")

    def failed(self, error: MemtuiError, draft: Path | None = None) -> None:
        from memtui.core.safety import display

        text = display.line(error.message)
        if draft is not None:
            text += " · " + _("your text is kept in {path}").format(path=display.line(str(draft)))
        self._desk.say(text, "muted" if error.exit_status == 1 else "error")
        self._desk.reload()

    def _conflict(
        self, error: ConflictError, snapshot: Snapshot, verb: str, edits: tuple[Edit, ...], draft: Path | None
    ) -> None:
        from memtui.core.layouts.base import SetIndex, SetText
        from memtui.core.safety import display

        sides = [(_("theirs"), line) for line in most_telling(error.theirs)]
        sides += [(_("yours"), line) for line in most_telling(error.yours)]
        details = [[(side.ljust(8), "label"), (display.line(line), "")] for side, line in sides]
        # What stands there now goes into the history before it is replaced.
        insisting = tuple(
            dataclasses.replace(edit, insists=True) if isinstance(edit, SetText | SetIndex) else edit
            for edit in edits
        )

        def answered(key: str) -> None:
            if key == "y":
                self.change(snapshot, verb, insisting, draft=draft, look_again=True)
            else:
                self.failed(error, draft)

        onto = Choice("y", _("yours on top of theirs"), is_change=True)
        choices = (onto, Choice("h", _("leave it")))
        about = getattr(edits[0], "memory_id", "")
        told = _("{file} or its index line was changed by another program meanwhile").format(file=about)
        what = display.line(told if about and not details else error.message)
        question = _("{what}; nothing was written").format(what=what)
        hint = _("(u brings theirs back)")
        about = self._row_of(snapshot, edits)
        self._desk.ask_bar.ask(question, choices, answered, details=details, hint=hint, about=about)
        # what the other program did may have made the question void
        self._desk.live.look_again()

    def _row_of(self, snapshot: Snapshot, edits: tuple[Edit, ...]) -> str:
        view = self._desk.view
        ids = {getattr(edit, "memory_id", None) for edit in edits}
        rows = (
            item.row_id
            for item in (view.items.values() if view is not None else ())
            if item.memory.id in ids and self.snapshot_of(item).store.id == snapshot.store.id
        )
        return next(rows, "")

    # What may be done

    def changeable(self, verb: str) -> Item | None:
        item = self._desk.item
        if item is None:
            self._desk.say(_("there is no memory under the cursor"), "muted")
            return None
        why_not = item.memory.why_not.get(verb)
        if why_not:
            from memtui.core.safety import display

            why = _("{file}: {reason}").format(file=item.file, reason=display.line(why_not))
            self._desk.say(why, "warn")
            return None
        return item

    def snapshot_of(self, item: Item) -> Snapshot:
        view = self._desk.view
        assert view is not None
        return view.stores[item.store].snapshot
