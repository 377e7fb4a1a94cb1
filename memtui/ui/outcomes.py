"""Edits that belong together, and what came of them, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.layouts.base import Edit, Snapshot
    from memtui.core.workspace import Outcome
    from memtui.ui.looking import Look


@dataclass(frozen=True, slots=True)
class Batch:
    """Edits of one store, decided on while looking at `snapshot`."""

    snapshot: Snapshot
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class AllDone:
    """What came of several batches, and what a look showed after them."""

    outcomes: tuple[Outcome, ...]
    failures: tuple[tuple[Batch, MemtuiError], ...]
    look: Look | None


def outcome_words(outcome: Outcome, count: int = 1) -> tuple[str, str]:
    """What was changed in how many memories, with its notes, and the ink of that."""
    from memtui.core.safety import display

    summary = _("nothing had to be changed") if outcome.change is None else outcome.change.summary
    if outcome.change is not None and count > 1:
        summary = _count_words(outcome.change.verb, count) or summary
    words = [display.line(text) for text in (summary, *outcome.notes)]
    return " · ".join(words), "warn" if outcome.notes else "good"


def all_words(result: AllDone, batches: Sequence[Batch]) -> tuple[str, str]:
    """What was changed in each store and what was not, and the ink of that."""
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
    return " · ".join(said or [_("nothing had to be changed")]), ink


def _count_words(verb: str, count: int) -> str:
    """What was done to several memories at once; '' for what is never done so."""
    if verb == "delete":
        return ngettext("deleted {count} memory", "deleted {count} memories", count).format(count=count)
    if verb == "set":
        return ngettext("changed {count} memory", "changed {count} memories", count).format(count=count)
    return ""
