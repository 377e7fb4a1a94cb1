"""What every changing verb shares: recovery before it, and saying what it did or would do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from memtui.cli import carried, documents, output
from memtui.cli.call import Answer, Call
from memtui.core.errors import LockedError, RefusedError
from memtui.core.safety import display
from memtui.core.workspace import Edit, FilePreview, Outcome, Plan, Snapshot
from memtui.i18n import _


def prepare(call: Call) -> None:
    """Bring what a killed memtui left behind to an end, unless nothing is to be written."""
    if not call.arguments.dry_run:
        output.note(call.workspace.recover())


MakeChange = Callable[[Collection[Path]], Outcome]
"""Makes a change; given are the owners' locks that may be taken over."""


def change(call: Call, snapshot: Snapshot, verb: str, edits: tuple[Edit, ...]) -> Answer:
    """Make these edits, or say what they would do."""
    workspace = call.workspace
    return perform(
        call,
        lambda: workspace.plan(snapshot, verb, edits),
        lambda locks: workspace.run(snapshot, verb, edits, takes_over=locks),
    )


def perform(call: Call, plan: Callable[[], Plan], make: MakeChange) -> Answer:
    """Make a change, or with `--dry-run` say what it would do; a refusal names the option that helps."""
    try:
        return answer_plan(call, plan()) if call.arguments.dry_run else answer_outcome(call, _made(call, make))
    except RefusedError as error:
        if not error.can_insist or not hasattr(call.arguments, "insist"):
            raise
        hint = _("{refusal}; --insist writes it all the same").format(refusal=error.message)
        raise RefusedError(hint, code=error.code, can_insist=True) from error


def _made(call: Call, make: MakeChange) -> Outcome:
    agreed: set[Path] = set()
    while True:
        try:
            return make(agreed)
        except LockedError as error:
            lock = error.left_behind
            if lock is None or lock in agreed:
                raise
            if not call.arguments.take_over_lock:
                hint = _("{refusal}: --take-over-lock does that").format(refusal=error.message)
                raise LockedError(hint, left_behind=lock) from error
            agreed.add(lock)


def answer_plan(call: Call, plan: Plan) -> Answer:
    """What `--dry-run` says."""
    previews = call.workspace.preview(plan)
    notes = (*plan.notes, *_cautions(call, (preview.path for preview in previews)))
    return Answer(
        document=lambda: documents.plan(previews, notes),
        lines=lambda: _plan_lines(previews, notes),
    )


def _cautions(call: Call, paths: Iterable[Path]) -> tuple[str, ...]:
    """What works in the background on the stores of these files."""
    from memtui.core.store_actions import StoreActions

    return StoreActions(call.workspace).cautions_for(paths)


def _plan_lines(previews: tuple[FilePreview, ...], notes: Iterable[str]) -> Iterator[str]:
    if not previews:
        yield _("nothing would change")
    for preview in previews:
        yield from display.lines(preview.diff)
    for sentence in notes:
        yield _("note: {sentence}").format(sentence=display.line(sentence))


def answer_outcome(call: Call, outcome: Outcome) -> Answer:
    """What a change says once it is made; waits for what late writers still hold."""
    later_notes = call.workspace.settle()
    paths = () if outcome.change is None else outcome.change.paths
    later_notes += _cautions(call, paths)
    found, line = carried.after(call, paths)
    return Answer(
        document=lambda: (
            documents.outcome(outcome, later_notes) | {"agents": list(map(carried.document_with_agent, found))}
        ),
        lines=lambda: _outcome_lines(outcome, later_notes, line),
    )


def _outcome_lines(outcome: Outcome, later_notes: tuple[str, ...], line: str) -> Iterator[str]:
    if outcome.change is None:
        yield _("nothing had to be changed")
    else:
        yield _("{summary} (change {id})").format(
            summary=display.line(outcome.change.summary), id=outcome.change.id
        )
    for sentence in (*outcome.notes, *later_notes):
        yield _("note: {sentence}").format(sentence=display.line(sentence))
    if line:
        yield line
