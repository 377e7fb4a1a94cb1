"""What every changing verb shares: recovery before it, and saying what it did or would do."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.cli import documents, output
from memtui.cli.call import Answer, Call
from memtui.core.safety import display
from memtui.core.workspace import FilePreview, Outcome, Plan
from memtui.i18n import _


def prepare(call: Call) -> None:
    """Bring what a killed memtui left behind to an end, unless nothing is to be written."""
    if not call.arguments.dry_run:
        output.note(call.workspace.recover())


def answer_plan(call: Call, plan: Plan) -> Answer:
    """What `--dry-run` says."""
    previews = call.workspace.preview(plan)
    return Answer(
        document=lambda: documents.plan(previews, plan.notes),
        lines=lambda: _plan_lines(previews, plan),
    )


def _plan_lines(previews: tuple[FilePreview, ...], plan: Plan) -> Iterator[str]:
    if not previews:
        yield _("nothing would change")
    for preview in previews:
        yield from display.lines(preview.diff)
    for sentence in plan.notes:
        yield _("note: {sentence}").format(sentence=display.line(sentence))


def answer_outcome(call: Call, outcome: Outcome) -> Answer:
    """What a change says once it is made; waits for what late writers still hold."""
    later_notes = call.workspace.settle()
    return Answer(
        document=lambda: documents.outcome(outcome, later_notes),
        lines=lambda: _outcome_lines(outcome, later_notes),
    )


def _outcome_lines(outcome: Outcome, later_notes: tuple[str, ...]) -> Iterator[str]:
    if outcome.change is None:
        yield _("nothing had to be changed")
    else:
        yield _("{summary} (change {id})").format(
            summary=display.line(outcome.change.summary), id=outcome.change.id
        )
    for sentence in (*outcome.notes, *later_notes):
        yield _("note: {sentence}").format(sentence=display.line(sentence))
