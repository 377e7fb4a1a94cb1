"""Carrying an edit out: on the work thread, with what came of it said, and conflicts asked about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.drafts import drop_draft
from memtui.core.errors import ConflictError, MemtuiError
from memtui.i18n import _
from memtui.ui.asking import NO, YES, refusal_of
from memtui.ui.hindrances import (
    ask_insist,
    ask_once_more,
    ask_take_over,
    lock_left_behind,
    may_insist,
    standing,
)
from memtui.ui.outcomes import AllDone, Batch, all_words, outcome_words
from memtui.ui.reviews.front import row_of_edits
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit, Snapshot
    from memtui.core.workspace import Outcome, Plan, Workspace
    from memtui.ui.conflicts import Clashed
    from memtui.ui.desk import Desk
    from memtui.ui.looking import Look
    from memtui.ui.view import Item
    from memtui.ui.widgets.ask_bar import AskBar
    from memtui.ui.widgets.spans import Span


Refused = Callable[[MemtuiError], None]
"""Hears why nothing was written."""

Job = Callable[["Workspace", Collection[Path]], "Outcome"]
"""Changes something; gets the locks that the person agreed to take over."""

LEAST_NOTED = 2
"""Rows of notes about what would be done that a question has on any screen; the look shows all."""


class Changing:
    """What every verb needs: is it possible, do it, and say what came of it. Lives in the UI thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.began = desk.app.env.now()
        self.own: set[str] = set()

    def change(
        self,
        snapshot: Snapshot,
        verb: str,
        edits: tuple[Edit, ...],
        *,
        draft: Path | None = None,
        refused: Refused | None = None,
        said: str = "",
    ) -> None:
        """Run edits on what the person saw when they began.

        A conflict, a lock that was left behind and a text that its owner would block are asked about; of
        anything else that keeps it from being made `refused` hears, if given. `said` (safe) is said behind what
        was done.
        """

        def job(workspace: Workspace, takes_over: Collection[Path]) -> Outcome:
            outcome = self._run(
                workspace, snapshot, verb, edits, in_editor=draft is not None, takes_over=takes_over
            )
            if draft is not None:
                drop_draft(draft)
            return outcome

        def failed(error: MemtuiError) -> None:
            from memtui.ui.conflicts import Clashed

            def leave() -> None:
                if refused is not None:
                    refused(error)
                else:
                    self.failed(error, draft)

            if isinstance(error, Clashed):
                self._ask_about(error, snapshot, verb, edits, draft)
            else:
                self.unless_insisted(
                    error,
                    lambda: self.change(
                        snapshot, verb, standing(edits), draft=draft, refused=refused, said=said
                    ),
                    leave,
                )

        about = row_of_edits(self._desk.view, snapshot, edits)
        self.do(job, failed, count=len(edits), said=said, about=about)

    def unless_insisted(self, error: MemtuiError, again: Callable[[], None], leave: Callable[[], None]) -> None:
        """Ask where the person may insist on what was refused, and do it `again` then; else `leave` it."""
        if may_insist(error):
            ask_insist(self._desk.ask_bar, error, self._desk.app.env.home, again, leave)
        else:
            leave()

    def _run(
        self,
        workspace: Workspace,
        snapshot: Snapshot,
        verb: str,
        edits: tuple[Edit, ...],
        *,
        in_editor: bool = False,
        takes_over: Collection[Path] = (),
    ) -> Outcome:
        """Runs on the work thread. Raises as `Workspace.run`, Clashed in the place of ConflictError."""
        try:
            return workspace.run(snapshot, verb, edits, takes_over=takes_over)
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
        sharers: str = "",
    ) -> None:
        """Ask whether to make these changes; `o` shows them as a diff first, `y` makes one a store.

        `question`, `details`, `hint` and `sharers` (other projects, about which it is asked once more) must be
        safe for display; `opener` is the key that asked, `about` the row that the question is about.
        """

        def lines(workspace: Workspace) -> list[str]:
            from memtui.ui.differences import plan_lines

            return plan_lines(workspace, verb, batches)

        def do() -> None:
            if len(batches) == 1:
                self.change(batches[0].snapshot, verb, batches[0].edits)
            else:
                self._change_all(verb, batches)

        do = partial(ask_once_more, self._desk.ask_bar, sharers, do)
        self.ask_first(question, lines, do, details=details, opener=opener, hint=hint, about=about)

    def propose(
        self,
        question: str,
        plan_of: Callable[[Workspace], Plan],
        do: Callable[[], None],
        *,
        refused: Refused | None = None,
        details: Sequence[Sequence[Span]] = (),
        opener: str = "",
        hint: str = "",
        about: str = "",
    ) -> None:
        """Make a plan first, then ask with its notes whether to `do` it; `o` shows it as a diff.

        `refused` hears why there is no plan; else that is said.
        """

        def job(workspace: Workspace) -> tuple[Plan, list[str]]:
            from memtui.ui.differences import made_plan_lines

            plan = plan_of(workspace)
            return plan, made_plan_lines(workspace, plan)

        def ask(found: tuple[Plan, list[str]]) -> None:
            from memtui.core.safety import display

            plan, lines = found
            told = [row for note in plan.notes for row in self._desk.wrapped(display.line(note))]
            room = max(LEAST_NOTED, self._desk.app.size.height // 2 - len(details))
            rows: list[list[Span]] = [[(row, "warn")] for row in told[:room]]
            if len(told) > room:
                rows[-1] = [(_("… and more; o shows all"), "muted")]
            self.ask_first(
                question,
                lambda workspace: lines,
                do,
                details=[*details, *rows],
                opener=opener,
                hint=hint,
                about=about,
            )

        self._desk.work.do(job, ask, channel="propose", failed=refused or self.failed)

    def ask_first(
        self,
        question: str,
        lines_of: Callable[[Workspace], list[str]],
        do: Callable[[], None],
        *,
        details: Sequence[Sequence[Span]],
        opener: str,
        hint: str,
        about: str,
    ) -> None:
        """Ask whether to `do` something; `o` shows the lines of its diff first."""

        def answered(key: str) -> None:
            if key == "y":
                do()

        look = Choice("o", _("look"), look=lambda: self.show_diff(_("What would change"), lines_of, "o"))
        bar, rows = self._desk.ask_bar, [*details, *self._desk.live.caution_rows(about)]
        bar.ask(question, (YES, look, NO), answered, opener=opener, details=rows, hint=hint, about=about)

    def show_diff(self, title: str, lines_of: Callable[[Workspace], list[str]], leave_with: str = "") -> None:
        """Show the lines of a diff over the question that stands, unless it was answered meanwhile."""
        asked = self._desk.ask_bar.round

        def show(lines: list[str]) -> None:
            from memtui.ui.screens.diff_screen import DiffScreen

            bar = self._desk.ask_bar
            if bar.asking and bar.round == asked and self._desk.is_on_top:
                self._desk.app.push_screen(DiffScreen(title, lines, leave_with=leave_with))

        self._desk.work.do(lines_of, show, channel="diff", failed=self._desk.say_error)

    def _change_all(
        self, verb: str, batches: Sequence[Batch], takes_over: frozenset[Path] = frozenset()
    ) -> None:
        """One change a store; one that fails keeps none of the others from being made."""

        def job(workspace: Workspace) -> AllDone:
            outcomes: list[Outcome] = []
            failures: list[tuple[Batch, MemtuiError]] = []
            for batch in batches:
                try:
                    outcome = self._run(workspace, batch.snapshot, verb, batch.edits, takes_over=takes_over)
                    self.made_here(outcome)
                    outcomes.append(outcome)
                except MemtuiError as error:
                    failures.append((batch, error))
            written = tuple(item for outcome in outcomes for item in outcome.written)
            look = self._desk.live.look(workspace, written=written)
            return AllDone(tuple(outcomes), tuple(failures), look)

        def again(agreed: frozenset[Path], failures: Sequence[Batch]) -> None:
            self._change_all(verb, failures, agreed)

        def done(result: AllDone) -> None:
            from memtui.ui.conflicts import Clashed

            self._desk.live.show(result.look, goes_to_new=True)
            self._desk.say(*all_words(result, batches))
            for batch, error in result.failures:
                if isinstance(error, Clashed):
                    self._ask_about(error, batch.snapshot, verb, batch.edits, None)
                    break
                if lock_left_behind(error) is not None:
                    failures = [failed for failed, _error in result.failures]
                    self._ask_for_lock(error, partial(again, failures=failures), lambda: None, takes_over)
                    break

        self._desk.work.do(job, done, failed=self.failed, is_change=True)

    def do(
        self,
        job: Job,
        failed: Refused | None = None,
        hint: str = "",
        then: Callable[[str, str], None] | None = None,
        *,
        bar: AskBar | None = None,
        takes_over: frozenset[Path] = frozenset(),
        count: int = 1,
        said: str = "",
        about: str = "",
    ) -> None:
        """Change something, show what is there then, and say what came of it; `then` hears that too, and its
        ink. About a lock that was left behind `bar` asks (the desk's without one). `count` memories are
        changed, `about` is the row of the one that is; `said` is said behind that."""
        front = self._desk.front

        def heard(error: MemtuiError) -> None:
            if front is not None:
                front.change_ended(about, None)
            leave = partial(failed or self.failed, error)
            again = partial(self.do, job, failed, hint, then, bar=bar, count=count, said=said, about=about)
            self._ask_for_lock(error, lambda agreed: again(takes_over=agreed), leave, takes_over, bar)

        def change_and_look(workspace: Workspace) -> tuple[Outcome, Look | None]:
            outcome = job(workspace, takes_over)
            self.made_here(outcome)
            return outcome, self._desk.live.look(workspace, written=outcome.written)

        def done(found: tuple[Outcome, Look | None]) -> None:
            outcome, look = found
            self._desk.live.show(look, goes_to_new=True)
            if outcome.change is not None and outcome.change.verb in ("undo", "redo"):
                # it may have been a session that was named or trashed
                self._desk.searching.again()
            self.say_outcome(outcome, hint or self._desk.hint("undo", _("u undoes")), count, said)
            if front is not None:
                front.change_ended(about, outcome)
            if then is not None:
                then(*outcome_words(outcome))

        if front is not None:
            front.change_began(about)
        self._desk.work.do(change_and_look, done, failed=heard, is_change=True)

    def _ask_for_lock(
        self,
        error: MemtuiError,
        again: Callable[[frozenset[Path]], None],
        leave: Callable[[], None],
        takes_over: frozenset[Path],
        bar: AskBar | None = None,
    ) -> None:
        """Ask where a lock was left behind, and go on `again` with it; else `leave` it."""
        left = lock_left_behind(error)
        if left is None or left in takes_over:
            leave()
            return
        agreed = takes_over | {left}
        ask_take_over(bar or self._desk.ask_bar, error, self._desk.app.env.home, lambda: again(agreed), leave)

    def made_here(self, outcome: Outcome) -> None:
        """Remember that this run made a change: its `u` needs no question."""
        self.own |= self._desk.carrying.made(outcome)

    def say_outcome(self, outcome: Outcome, hint: str, count: int = 1, said: str = "") -> None:
        """Say what was changed in how many memories, with its notes; `said` behind it."""
        text, ink = outcome_words(outcome, count)
        if outcome.change is not None and said:
            text += f" · {said}"
        elif outcome.change is not None and outcome.change.verb == "add":
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
        about = row_of_edits(self._desk.view, snapshot, edits)
        bar = self._desk.ask_bar
        bar.ask(clash.what, choices, answered, details=details, hint=hint, about=about)
        # what the other program did may have made the question void
        self._desk.live.look_again()

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

            self._desk.say(refusal_of(self.snapshot_of(item), item, display.line(why_not)), "warn")
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
