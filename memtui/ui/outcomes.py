"""Edits that belong together, and what came of them, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.i18n import _

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


def outcome_words(outcome: Outcome) -> tuple[str, str]:
    """What was changed, with its notes, and the ink of that."""
    from memtui.core.safety import display

    summary = _("nothing had to be changed") if outcome.change is None else outcome.change.summary
    words = [display.line(text) for text in (summary, *outcome.notes)]
    return " · ".join(words), "warn" if outcome.notes else "good"


def all_words(result: AllDone) -> tuple[str, str]:
    """What was changed in each store and what was not, and the ink of that."""
    from memtui.core.safety import display

    changes = [outcome.change for outcome in result.outcomes if outcome.change is not None]
    said = [display.line(change.summary) for change in changes]
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
