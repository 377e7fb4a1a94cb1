"""What a layout may offer beside its edits: many of one kind at once, without a new scan after each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from memtui.core.layouts.base import Draft, Edit, Refusal, Remove, SetField, Snapshot


@runtime_checkable
class EditsMany(Protocol):
    """A layout that keeps one memory a file, so that edits of different ones have only the index in common."""

    def edit_many(self, snapshot: Snapshot, wishes: Sequence[Edit]) -> Sequence[Draft] | Refusal | None:
        """One draft an edit, all made on this snapshot and fitting together; None: not for these edits."""
        ...


def plain_removals(edits: Sequence[Edit]) -> tuple[Remove, ...]:
    """The edits, where each takes another memory away and leaves no heir; else ()."""
    found = tuple(edit for edit in edits if isinstance(edit, Remove) and edit.line is None and not edit.heir)
    return found if len({edit.memory_id for edit in found}) == len(edits) else ()


def plain_types(edits: Sequence[Edit]) -> tuple[SetField, ...]:
    """The edits, where each sets the type of another memory; else ()."""
    found = tuple(edit for edit in edits if isinstance(edit, SetField) and edit.field == "type")
    return found if len({edit.memory_id for edit in found}) == len(edits) else ()


def one_by_one(
    edit: Callable[[Snapshot, Edit], Draft | Refusal], snapshot: Snapshot, edits: Sequence[Edit]
) -> Sequence[Draft] | Refusal | None:
    """The drafts of edits that have no file in common, each made on this snapshot; None without any."""
    drafts: list[Draft] = []
    for wish in edits:
        made = edit(snapshot, wish)
        if isinstance(made, Refusal):
            return made
        drafts.append(made)
    return drafts or None
