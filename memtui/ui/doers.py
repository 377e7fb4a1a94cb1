"""Who does which command: each command of the table is one method, and every method has one home."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from memtui.ui.adding import Adding
from memtui.ui.agents.typing_keys import TypingKeys
from memtui.ui.changing import Changing
from memtui.ui.commands import COMMANDS
from memtui.ui.copying import Copying
from memtui.ui.editing import Editing
from memtui.ui.history import History
from memtui.ui.line_bulk import LineBulk
from memtui.ui.line_edits import LineEdits
from memtui.ui.marking import Marking
from memtui.ui.mending import Mending
from memtui.ui.merging import Merging
from memtui.ui.moving import Moving
from memtui.ui.origins import Origins
from memtui.ui.resuming import Resuming
from memtui.ui.revealing import Revealing
from memtui.ui.reviews.duplicating import Duplicating
from memtui.ui.reviews.limiting import Limiting
from memtui.ui.reviews.orphaned import Orphaned
from memtui.ui.reviews.other_changes import OtherChanges
from memtui.ui.reviews.triaging import Triaging
from memtui.ui.session_verbs import SessionVerbs
from memtui.ui.showing import Showing
from memtui.ui.sorting import Sorting
from memtui.ui.theming import Theming
from memtui.ui.undoing import Undoing
from memtui.ui.verbs import Verbs
from memtui.ui.where import Where

if TYPE_CHECKING:
    from memtui.ui.desk import Desk


def doers_of(desk: Desk) -> tuple[object, ...]:
    """Everything that has commands as its methods."""
    changing, copying = Changing(desk), Copying(desk)
    return (
        desk.app.navigation,
        Verbs(desk, changing),
        Undoing(desk, changing),
        Editing(desk, changing),
        LineEdits(desk, changing),
        Adding(desk, changing),
        Moving(desk, changing),
        Merging(desk, changing),
        LineBulk(desk, changing),
        Mending(desk, changing),
        History(desk, changing),
        Triaging(desk, changing),
        Limiting(desk),
        Duplicating(desk, changing),
        OtherChanges(desk, changing),
        Where(desk),
        Orphaned(desk, changing),
        SessionVerbs(desk, changing),
        copying,
        Origins(desk),
        Resuming(desk, copying),
        TypingKeys(desk),
        Showing(desk),
        Revealing(desk),
        Marking(desk),
        Sorting(desk),
        Theming(desk),
    )


def methods_of(doers: tuple[object, ...]) -> Mapping[str, Callable[[], object]]:
    """The method of each command. Raises LookupError for one that nobody does, or two do."""
    methods = {}
    for command in COMMANDS:
        found = [getattr(doer, command.id) for doer in doers if hasattr(doer, command.id)]
        if len(found) != 1:
            raise LookupError(f"{len(found)} do {command.id}")
        methods[command.id] = found[0]
    return methods
