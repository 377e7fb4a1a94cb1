"""What the history knows to be wrong with a store: changes of ours that others wiped out, and memories that are
there again though they were deleted from here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from memtui.core.history.came_back import CameBack, came_back
from memtui.core.history.journal import Journal
from memtui.core.history.reverted import reverted_in
from memtui.core.layouts.base import Problem, Severity, Snapshot
from memtui.i18n import _

REVERTED_TOLD_DAYS = 7
"""A reverted change is a problem for so long: nothing but another change ends it, and by then it was read or is
of no interest. The history goes on to show it."""


def history_problems(
    snapshot: Snapshot, journal: Journal, read: Callable[[Path], bytes | None], now: datetime
) -> tuple[Problem, ...]:
    """The problems `came-back` and `reverted` of a store. `read` as for `reverted_in`."""
    back = came_back(snapshot, journal.records(), journal.objects)
    told = {item.change_id for item in back}
    problems = [_came_back(item) for item in back]
    for change_id, summary in reverted_in(
        snapshot.store.root, journal.records(), journal.objects, read
    ).items():
        record = journal.record(change_id)
        is_old = record is not None and record.when < now - timedelta(days=REVERTED_TOLD_DAYS)
        if change_id not in told and not is_old:
            text = _("another program wrote an older copy back over your change {id} ({summary})")
            problems.append(Problem("reverted", "warning", text.format(id=change_id, summary=summary)))
    return tuple(problems)


def _came_back(item: CameBack) -> Problem:
    """In plain words; the time of a file is when it was written last, and all that can be known of when."""
    if item.how == "named":
        text = _("you deleted a memory of this name on {day} (change {id}); another program wrote one anew")
        severity: Severity = "note"
    else:
        text = _("you deleted this on {day} (change {id}); another program wrote it again")
        severity = "warning"
    said = text.format(day=f"{item.deleted.astimezone():%Y-%m-%d %H:%M}", id=item.change_id)
    if item.since is not None:
        at = f"{item.since.astimezone():%Y-%m-%d %H:%M}"
        said = _("{sentence}; its file is of {time}").format(sentence=said, time=at)
    return Problem("came-back", severity, said, item.memory.id, item.memory.file)
