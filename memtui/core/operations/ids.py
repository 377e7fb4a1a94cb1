"""Which memory of a file of several an edit means when those before it are done: ids made of texts may change.

Of equal texts each has a number, a text may take blank lines from its neighbour, and an owner that drops
duplicates makes one memory of several.
"""

from __future__ import annotations

from collections.abc import Mapping

from memtui.core.layouts.base import (
    Add,
    Edit,
    Memory,
    Place,
    Regroup,
    Remove,
    Rename,
    SetField,
    SetText,
    Snapshot,
)
from memtui.late import dataclasses

_ABOUT_ONE = (Remove, SetField, SetText, Rename, Place, Regroup)


class Ids:
    """What the memories of a snapshot are called while edits are made one after the other."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._now = {memory.id: memory.id for memory in snapshot.memories if memory.span is not None}

    def of_now(self, edit: Edit) -> Edit | None:
        """The edit with the id of now; None for taking away one that has become one with others that stay."""
        if not isinstance(edit, _ABOUT_ONE):
            return edit
        now = self._now.get(edit.memory_id)
        if now is None:
            return edit
        if isinstance(edit, Remove) and edit.line is None:
            del self._now[edit.memory_id]
            if now in self._now.values():
                return None
            edit = dataclasses.replace(edit, heir=self._now.get(edit.heir, edit.heir))
        return dataclasses.replace(edit, memory_id=now)

    def follow(self, edit: Edit, before: Snapshot, after: Snapshot) -> None:
        """An edit, in the ids of `before`, has made `after` of it."""
        if isinstance(edit, Add | Remove | SetField | SetText):
            moved = _moved(edit, before, after)
            self._now = {first: moved.get(now, now) for first, now in self._now.items()}


def _moved(edit: Edit, before: Snapshot, after: Snapshot) -> Mapping[str, str]:
    """The ids that are another now."""
    old, new = _by_file(before), _by_file(after)
    gone = edit.memory_id if isinstance(edit, Remove) else ""
    moved: dict[str, str] = {}
    for path, memories in old.items():
        stay = [memory for memory in memories if memory.id != gone]
        there = new.get(path, [])
        count = len(stay) + isinstance(edit, Add)
        if len(there) in (count, len(stay)):
            # everything keeps its order, and a new one stands at the end
            moved |= {was.id: now.id for was, now in zip(stay, there, strict=False)}
        else:
            left = {_text(after, memory): memory.id for memory in reversed(there)}
            moved |= {was.id: left[text] for was in stay if (text := _text(before, was)) in left}
            unmatched = {memory.id for memory in there} - set(moved.values())
            if isinstance(edit, SetField | SetText) and len(unmatched) == 1:
                moved[edit.memory_id] = unmatched.pop()
    return moved


def _by_file(snapshot: Snapshot) -> Mapping[str, list[Memory]]:
    found: dict[str, list[Memory]] = {}
    for memory in snapshot.memories:
        if memory.span is not None:
            found.setdefault(memory.file, []).append(memory)
    return found


def _text(snapshot: Snapshot, memory: Memory) -> bytes:
    data = snapshot.files[memory.file].data or b""
    return data[slice(*(memory.span or (0, 0)))].strip()
