"""What a person can do with texts of memories, and with the lines that name them: make one of several,
several of one, and put many index lines elsewhere.

A door beside `workspace`, whose history it writes into; it belongs to the thread of its workspace.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from memtui.core import fs
from memtui.core.errors import ConflictError, RefusedError
from memtui.core.layouts.base import Edit, Refusal, Snapshot
from memtui.core.layouts.table import LAYOUTS
from memtui.core.operations.compose import intend, make_plan
from memtui.core.operations.index_bulk import How, index_edits
from memtui.core.operations.merge import Member, Merge, NewText, intend_merge, plan_merge
from memtui.core.operations.merge_text import MergeText, merged_text, text_to_merge
from memtui.core.operations.plan import Intent, Plan
from memtui.core.operations.refusals import error_of
from memtui.core.operations.split import split_edits
from memtui.core.operations.transfer import Side
from memtui.core.text.links import one_line
from memtui.core.workspace import Outcome, Workspace
from memtui.i18n import _
from memtui.late import dataclasses

__all__ = ["How", "Memories", "MergeText", "NewText", "TextActions"]

Memories = Sequence[tuple[Snapshot, str]]
"""Memories by their ids, each with its store as the person saw it; of those to merge the first one stays."""


class TextActions:
    """The actions on texts of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    # Merging

    def text_to_merge(self, memories: Memories) -> MergeText:
        """The text in which a person makes one memory of these.

        Raises RefusedError for what cannot be merged, ConflictError for a memory that is gone.
        """
        members = _members(memories)
        _intended(memories, NewText(b""))
        (kept, *others) = [(side.layout, side.snapshot, memory) for side, memory in members]
        return text_to_merge(kept, others)

    def merged_text(self, asked: MergeText, data: bytes) -> bytes:
        """What came back from the editor as the text of the one memory. Raises RefusedError."""
        return merged_text(asked, data)

    def plan_merge(self, memories: Memories, new: NewText | None = None) -> Plan:
        """What it means that the first of these stays, with a new text or its own.

        Raises RefusedError, ConflictError.
        """
        return _planned(_intended(memories, new), _sides(memories))

    def merge(
        self, memories: Memories, new: NewText | None = None, *, takes_over: Collection[Path] = ()
    ) -> Outcome:
        """Merge them, as one change. Raises as `plan_merge` and `Workspace.run`."""
        merge = _intended(memories, new)
        # what stands there now is looked at first: the one that stays may be in no file that is written
        return self._workspace.apply(lambda: _planned(merge, self._sides_now(memories)), takes_over=takes_over)

    def _sides_now(self, memories: Memories) -> dict[str, Side]:
        stores = {snapshot.store.id: snapshot.store for snapshot, _memory_id in memories}
        return {name: _side(self._workspace.scan(store)) for name, store in stores.items()}

    # Splitting

    def plan_split(self, snapshot: Snapshot, memory_id: str) -> Plan:
        """What splitting a memory at its headings means. Raises RefusedError, ConflictError."""
        return _split_plan(snapshot, *_split(snapshot, memory_id))

    def split(self, snapshot: Snapshot, memory_id: str, *, takes_over: Collection[Path] = ()) -> Outcome:
        """Split it, as one change. Raises as `plan_split` and `Workspace.run`."""
        intent, summary = _split(snapshot, memory_id)
        looks = [snapshot]

        def replan() -> Plan:
            now = looks.pop() if looks else self._workspace.scan(snapshot.store)
            return _split_plan(now, intent, summary)

        return self._workspace.apply(replan, takes_over=takes_over)

    # Index lines

    def plan_index_lines(self, snapshot: Snapshot, memory_ids: Sequence[str], how: How) -> Plan:
        """What doing this to the index lines of these memories means. Raises RefusedError, ConflictError."""
        return self._workspace.plan(snapshot, "index", _index_edits(snapshot, memory_ids, how))

    def index_lines(
        self, snapshot: Snapshot, memory_ids: Sequence[str], how: How, *, takes_over: Collection[Path] = ()
    ) -> Outcome:
        """Do it, as one change. Raises as `plan_index_lines` and `Workspace.run`."""
        edits = _index_edits(snapshot, memory_ids, how)
        return self._workspace.run(snapshot, "index", edits, takes_over=takes_over)


def _index_edits(snapshot: Snapshot, memory_ids: Sequence[str], how: How) -> tuple[Edit, ...]:
    members = _members([(snapshot, memory_id) for memory_id in memory_ids])
    return index_edits(snapshot, [memory for _side, memory in members], how)


def _side(snapshot: Snapshot) -> Side:
    return Side(LAYOUTS[snapshot.store.layout], snapshot)


def _sides(memories: Memories) -> dict[str, Side]:
    return {snapshot.store.id: _side(snapshot) for snapshot, _memory_id in memories}


def _members(memories: Memories) -> list[Member]:
    members = []
    for snapshot, memory_id in memories:
        memory = snapshot.memory(memory_id)
        if memory is None:
            raise ConflictError(_("{memory} is gone").format(memory=memory_id))
        members.append((_side(snapshot), memory))
    return members


def _intended(memories: Memories, new: NewText | None) -> Merge:
    _require_each_directory_once(memories)
    merge = intend_merge(_members(memories), new)
    if isinstance(merge, Refusal):
        raise error_of(merge)
    return merge


def _require_each_directory_once(memories: Memories) -> None:
    """What looks like two memories may be one file: taking one away would take both. Raises RefusedError."""
    places: dict[Path, str] = {}
    for snapshot, _memory_id in memories:
        store = snapshot.store
        first = places.setdefault(fs.real_path(store.root), store.id)
        if first != store.id:
            message = _("{one} and {other} are the same directory: merge what one of them shows")
            raise RefusedError(message.format(one=first, other=store.id))


def _planned(merge: Merge, sides: dict[str, Side]) -> Plan:
    plan = plan_merge(merge, sides)
    if isinstance(plan, Refusal):
        raise error_of(plan)
    return plan


def _split(snapshot: Snapshot, memory_id: str) -> tuple[Intent, str]:
    """What splitting asks of the store, and its words for the history."""
    side, memory = _members([(snapshot, memory_id)])[0]
    edits = split_edits(side.layout, snapshot, memory)
    summary = _("split {title} into {count}").format(title=one_line(memory.title), count=len(edits))
    return intend(side.layout, snapshot, "split", edits), summary


def _split_plan(snapshot: Snapshot, intent: Intent, summary: str) -> Plan:
    plan = make_plan(LAYOUTS[snapshot.store.layout], snapshot, intent)
    if isinstance(plan, Refusal):
        raise error_of(plan)
    return dataclasses.replace(plan, summary=summary)
