"""What a store would come to with edits made: its budgets, and the index line that they write. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from memtui.core.layouts.base import Budget, Edit, Layout, Snapshot, StoredFile
from memtui.core.operations.plan import Plan, Trash, Write
from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Forecast:
    """The budgets of a store after edits.

    `index_line` = the longest index line that is written, or else that of a memory that is edited, in UTF-16
    units against the owner's advice for one (`Profile.long_line_units`); None when there is no advice or line.
    """

    budgets: tuple[Budget, ...]
    index_line: Budget | None = None


def forecast(layout: Layout, snapshot: Snapshot, plan: Plan, edits: Iterable[Edit]) -> Forecast:
    """What a snapshot comes to when the plan that edits mean on it is carried out."""
    after = _after(layout, snapshot, plan)
    advice = snapshot.store.profile.long_line_units
    lines = list(_new_lines(snapshot, after)) or list(_lines_of(after, edits))
    longest = max(map(_units, lines), default=0)
    line = Budget("inject", "", "utf16", longest, advice) if advice is not None and longest else None
    return Forecast(after.budgets, line)


def _after(layout: Layout, snapshot: Snapshot, plan: Plan) -> Snapshot:
    files = dict(snapshot.files)
    for step in plan.steps:
        path = step.path.relative_to(plan.root).as_posix()
        if isinstance(step, Write):
            files[path] = StoredFile(path, "file", plan.blobs[step.after], step.mode)
        elif isinstance(step, Trash):
            files.pop(path, None)
    return layout.scan(snapshot.store, files.values())


def _new_lines(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Lines of the index that name a memory and were not there before."""
    if after.index is None:
        return
    known = (
        Counter(line.text for line in before.index.document.lines) if before.index is not None else Counter()
    )
    rows = after.index.document.lines
    for line in after.index.lines:
        text = rows[line.number - 1].text
        if known[text] > 0:
            known[text] -= 1
        else:
            yield text


def _lines_of(snapshot: Snapshot, edits: Iterable[Edit]) -> Iterator[str]:
    if snapshot.index is None:
        return
    rows = snapshot.index.document.lines
    for edit in edits:
        memory = snapshot.memory(getattr(edit, "memory_id", ""))
        if memory is not None:
            yield from (rows[number - 1].text for number in memory.index_lines)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
