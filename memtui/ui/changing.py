"""Carrying an edit out: on the work thread, with what came of it said, and conflicts asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.errors import ConflictError, MemtuiError
from memtui.i18n import _, ngettext
from memtui.ui.asking import NO, YES
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit, Snapshot
    from memtui.core.workspace import ChangeInfo, Outcome, Workspace
    from memtui.ui.conflicts import Clashed
    from memtui.ui.desk import Desk
    from memtui.ui.looking import Look
    from memtui.ui.view import Item
    from memtui.ui.widgets.spans import Span


Refused = Callable[[MemtuiError], None]
"""Hears why nothing was written."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Edits of one store, decided on while looking at `snapshot`."""

    snapshot: Snapshot
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class _AllDone:
    outcomes: tuple[Outcome, ...]
    failures: tuple[tuple[Batch, MemtuiError], ...]
    look: Look | None


class _ByAnother(MemtuiError):
    """The change that would be undone is not one of this run."""

    def __init__(self, change: ChangeInfo) -> None:
        super().__init__(change.summary)
        self.change = change


class Changing:
    """What every verb needs: is it possible, do it, and say what came of it. Lives in the UI thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._began = desk.app.env.now()
        self._own: set[str] = set()

    def undo(self) -> None:
        """Take the last change back; one that another program made since memtui began is named, and asked
        about first."""
        hint = _("ctrl+r does it again")

        def job(workspace: Workspace) -> Outcome:
            change = workspace.undo_next()
            if change.id not in self._own and change.when > self._began:
                raise _ByAnother(change)
            return workspace.undo(change.id)

        def failed(error: MemtuiError) -> None:
            if isinstance(error, _ByAnother):
                self._ask_about_anothers(error.change, hint)
            else:
                self.failed(error)

        self.do(job, failed, hint)

    def _ask_about_anothers(self, change: ChangeInfo, hint: str) -> None:
        from memtui.core.safety import display
        from memtui.ui.differences import preview_lines

        if self._desk.is_asking or len(self._desk.app.screen_stack) > 1:
            return

        def answered(key: str) -> None:
            if key == "y":
                self.do(lambda workspace: workspace.undo(change.id), hint=hint)

        def lines(workspace: Workspace) -> list[str]:
            return preview_lines(workspace.preview(workspace.plan_undo(change.id)))

        summary = display.line(change.summary)
        look = Choice("o", _("look"), look=lambda: self.show_diff(_("What would change"), lines, "o"))
        question = _("Undo “{summary}”, which was not done here?").format(summary=summary)
        self._desk.ask_bar.ask(question, (YES, look, NO), answered, opener="u", hint=f"({hint})")

    def change(
        self,
        snapshot: Snapshot,
        verb: str,
        edits: tuple[Edit, ...],
        *,
        draft: Path | None = None,
        refused: Refused | None = None,
    ) -> None:
        """Run edits on what the person saw when they began.

        A conflict is asked about; of anything else that keeps it from being made `refused` hears, if given.
        """

        def job(workspace: Workspace) -> Outcome:
            outcome = self._run(workspace, snapshot, verb, edits, in_editor=draft is not None)
            if draft is not None:
                workspace.drop_draft(draft)
            return outcome

        def failed(error: MemtuiError) -> None:
            from memtui.ui.conflicts import Clashed

            if isinstance(error, Clashed):
                self._ask_about(error, snapshot, verb, edits, draft)
            elif refused is not None:
                refused(error)
            else:
                self.failed(error, draft)

        self.do(job, failed, count=len(edits))

    def _run(
        self, workspace: Workspace, snapshot: Snapshot, verb: str, edits: tuple[Edit, ...], *, in_editor: bool
    ) -> Outcome:
        """Runs on the work thread. Raises as `Workspace.run`, Clashed in the place of ConflictError."""
        try:
            return workspace.run(snapshot, verb, edits)
        except ConflictError as error:
            from memtui.ui.conflicts import Clashed, clash_of

            clash = clash_of(workspace, snapshot, verb, edits, error, in_editor=in_editor)
            raise Clashed(error, clash) from error

    def review(
        self,
        question: str,
        verb: str,
        batches: Sequence[Batch],
        *,
        details: Sequence[Sequence[Span]] = (),
        opener: str = "",
        hint: str = "",
        about: str = "",
    ) -> None:
        """Ask whether to make these changes; `o` shows them as a diff first, `y` makes one a store.

        `question`, `details` and `hint` must be safe for display; `opener` is the key that asked, `about` the
        row that the question is about.
        """

        def lines(workspace: Workspace) -> list[str]:
            from memtui.ui.differences import plan_lines

            return plan_lines(workspace, verb, batches)

        def answered(key: str) -> None:
            if key == "y" and len(batches) == 1:
                self.change(batches[0].snapshot, verb, batches[0].edits)
            elif key == "y":
                self._change_all(verb, batches)

        look = Choice("o", _("look"), look=lambda: self.show_diff(_("What would change"), lines, "o"))
        choices = (YES, look, NO)
        bar = self._desk.ask_bar
        bar.ask(question, choices, answered, opener=opener, details=details, hint=hint, about=about)

    def show_diff(self, title: str, lines_of: Callable[[Workspace], list[str]], leave_with: str = "") -> None:
        """Show the lines of a diff over the question that stands, unless it was answered meanwhile."""
        asked = self._desk.ask_bar.round

        def show(lines: list[str]) -> None:
            from memtui.ui.screens.diff_screen import DiffScreen

            bar = self._desk.ask_bar
            if bar.asking and bar.round == asked and len(self._desk.app.screen_stack) == 1:
                self._desk.app.push_screen(DiffScreen(title, lines, leave_with=leave_with))

        self._desk.work.do(lines_of, show, channel="diff", failed=self._desk.say_error)

    def _change_all(self, verb: str, batches: Sequence[Batch]) -> None:
        """One change a store; one that fails keeps none of the others from being made."""

        def job(workspace: Workspace) -> _AllDone:
            outcomes: list[Outcome] = []
            failures: list[tuple[Batch, MemtuiError]] = []
            for batch in batches:
                try:
                    outcome = self._run(workspace, batch.snapshot, verb, batch.edits, in_editor=False)
                    self.made_here(outcome)
                    outcomes.append(outcome)
                except MemtuiError as error:
                    failures.append((batch, error))
            written = tuple(item for outcome in outcomes for item in outcome.written)
            look = self._desk.live.look(workspace, written=written)
            return _AllDone(tuple(outcomes), tuple(failures), look)

        def done(result: _AllDone) -> None:
            from memtui.ui.conflicts import Clashed

            self._desk.live.show(result.look, goes_to_new=True)
            self._say_all(result, batches)
            for batch, error in result.failures:
                if isinstance(error, Clashed):
                    self._ask_about(error, batch.snapshot, verb, batch.edits, None)
                    break

        self._desk.work.do(job, done, failed=self.failed, is_change=True)

    def _say_all(self, result: _AllDone, batches: Sequence[Batch]) -> None:
        from memtui.core.safety import display

        changes = [outcome.change for outcome in result.outcomes if outcome.change is not None]
        done = [batch for batch in batches if all(batch is not failed for failed, _error in result.failures)]
        count = sum(len(batch.edits) for batch in done)
        in_words = _count_words(changes[0].verb, count) if changes and count > 1 else ""
        said = [in_words] if in_words else [display.line(change.summary) for change in changes]
        said += [display.line(note) for outcome in result.outcomes for note in outcome.notes]
        said += [
            _("not in {store}: {reason}").format(
                store=display.line(batch.snapshot.store.id), reason=display.line(error.message)
            )
            for batch, error in result.failures
        ]
        if changes:
            said.append(_("u undoes") if len(changes) == 1 else _("u undoes, one store at a time"))
        ink = "warn" if result.failures else "good"
        self._desk.say(" · ".join(said or [_("nothing had to be changed")]), ink)

    def do(
        self,
        job: Callable[[Workspace], Outcome],
        failed: Callable[[MemtuiError], None] | None = None,
        hint: str = "",
        then: Callable[[str, str], None] | None = None,
        count: int = 1,
    ) -> None:
        """Change something, show what is there then, and say what came of it; `then` hears that too, and its
        ink. `count` memories are changed."""

        def change_and_look(workspace: Workspace) -> tuple[Outcome, Look | None]:
            outcome = job(workspace)
            self.made_here(outcome)
            return outcome, self._desk.live.look(workspace, written=outcome.written)

        def done(found: tuple[Outcome, Look | None]) -> None:
            outcome, look = found
            self._desk.live.show(look, goes_to_new=True)
            if outcome.change is not None and outcome.change.verb in ("undo", "redo"):
                # it may have been a session that was named or trashed
                self._desk.searching.again()
            self.say_outcome(outcome, hint or self._desk.hint("undo", _("u undoes")), count)
            if then is not None:
                then(*outcome_words(outcome))

        self._desk.work.do(change_and_look, done, failed=failed or self.failed, is_change=True)

    def made_here(self, outcome: Outcome) -> None:
        """Remember that this run made a change: its `u` needs no question."""
        if outcome.change is not None:
            self._own.add(outcome.change.id)

    def say_outcome(self, outcome: Outcome, hint: str, count: int = 1) -> None:
        """Say what was changed in how many memories, with its notes."""
        text, ink = outcome_words(outcome, count)
        if outcome.change is not None and outcome.change.verb == "add":
            text += " · " + _("e writes its text")
        self._desk.say(f"{text} · {hint}" if hint and outcome.change is not None else text, ink)

    def failed(self, error: MemtuiError, draft: Path | None = None) -> None:
        """Say why something was not done, with the place where a text from an editor is kept; look again."""
        from memtui.core.safety import display

        text = display.line(error.message)
        if draft is not None:
            text += " · " + _("your text is kept in {path}").format(path=display.line(str(draft)))
        self._desk.say(text, "muted" if error.exit_status == 1 else "error")
        self._desk.reload()

    def _ask_about(
        self, error: Clashed, snapshot: Snapshot, verb: str, edits: tuple[Edit, ...], draft: Path | None
    ) -> None:
        from memtui.ui.conflicts import insisting

        clash = error.clash
        if clash.is_gone:
            self.failed(ConflictError(clash.what), draft)
            return
        sides = [(_("theirs"), line) for line in clash.theirs] + [(_("yours"), line) for line in clash.yours]
        details = [[(side.ljust(8), "label"), (line, "")] for side, line in sides]

        def answered(key: str) -> None:
            if key == "y":
                self.change(clash.now, verb, insisting(edits), draft=draft)
            else:
                self.failed(error, draft)

        def look() -> None:
            self.show_diff(_("Theirs and yours"), lambda workspace: list(clash.lines), "o")

        onto = Choice("y", _("do yours on top of theirs"), is_change=True)
        choices = (onto, Choice("o", _("look at both"), look=look), Choice("n", _("leave it")))
        hint = _("(u brings theirs back)")
        about = self._row_of(snapshot, edits)
        bar = self._desk.ask_bar
        bar.ask(clash.what, choices, answered, details=details, hint=hint, about=about)
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
        """The memory under the cursor if a verb can be done on it; else why not is said, and None given."""
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
        if marked := len(self._desk.marked):
            this = _("this is about {title} only; {count} marked stay as they are")
            self._desk.say(this.format(title=item.title, count=marked), "muted")
        return item

    def snapshot_of(self, item: Item) -> Snapshot:
        """The store of a memory, as the person sees it."""
        view = self._desk.view
        assert view is not None
        return view.stores[item.store].snapshot


def outcome_words(outcome: Outcome, count: int = 1) -> tuple[str, str]:
    """What was changed in how many memories, with its notes, and the ink of that."""
    from memtui.core.safety import display

    summary = _("nothing had to be changed") if outcome.change is None else outcome.change.summary
    if outcome.change is not None and count > 1:
        summary = _count_words(outcome.change.verb, count) or summary
    words = [display.line(text) for text in (summary, *outcome.notes)]
    return " · ".join(words), "warn" if outcome.notes else "good"


def _count_words(verb: str, count: int) -> str:
    """What was done to several memories at once; '' for what is never done so."""
    if verb == "delete":
        return ngettext("deleted {count} memory", "deleted {count} memories", count).format(count=count)
    if verb == "set":
        return ngettext("changed {count} memory", "changed {count} memories", count).format(count=count)
    return ""
