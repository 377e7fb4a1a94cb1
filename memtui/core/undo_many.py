"""Taking several changes back in one go, the newest first, each with the checks of every undo."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.errors import MemtuiError, NothingToDoError, UnknownIdError
from memtui.core.workspace import Outcome, Workspace
from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ManyUndone:
    """What came of it: what was taken back, and what no longer applies with the reason."""

    outcomes: tuple[Outcome, ...]
    failures: tuple[tuple[str, MemtuiError], ...]


def undo_many(workspace: Workspace, change_ids: Sequence[str]) -> ManyUndone:
    """Take these changes (oldest first) back, the newest first; what is undone already, or forgotten, is passed
    over. One that no longer applies keeps none of the others from being undone."""
    outcomes: list[Outcome] = []
    failures: list[tuple[str, MemtuiError]] = []
    for change_id in reversed(change_ids):
        try:
            outcomes.append(workspace.undo(change_id))
        except (NothingToDoError, UnknownIdError):
            continue
        except MemtuiError as error:
            failures.append((change_id, error))
    return ManyUndone(tuple(outcomes), tuple(failures))
