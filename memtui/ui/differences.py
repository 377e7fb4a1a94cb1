"""Plans and changes as the lines of a diff that a screen can show. Runs on the work thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memtui.core.errors import MemtuiError
from memtui.core.safety import display
from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.workspace import FilePreview, Plan, Workspace
    from memtui.ui.outcomes import Batch


def preview_lines(previews: Iterable[FilePreview]) -> list[str]:
    """The diffs of files one after the other, a blank row between them; safe for display."""
    lines: list[str] = []
    for preview in previews:
        lines += [""] if lines else []
        lines += display.lines(preview.diff)
    return lines


def plan_lines(workspace: Workspace, verb: str, batches: Sequence[Batch]) -> list[str]:
    """What batches of edits would change, with their notes; a refusal stands in the place of its diff."""
    lines: list[str] = []
    for batch in batches:
        lines += [""] if lines else []
        try:
            plan = workspace.plan(batch.snapshot, verb, batch.edits)
        except MemtuiError as error:
            lines.append(display.line(error.message))
            continue
        lines += made_plan_lines(workspace, plan)
    return lines


def made_plan_lines(workspace: Workspace, plan: Plan) -> list[str]:
    """What a plan would change, with its notes."""
    lines = preview_lines(workspace.preview(plan)) or [_("nothing would change")]
    return lines + [_("note: {sentence}").format(sentence=display.line(note)) for note in plan.notes]
