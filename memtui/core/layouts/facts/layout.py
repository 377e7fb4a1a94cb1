"""The facts layout: one fact a `.md` file, and an index with one line for each (ZCode, Claude Code).

What changes files is loaded when something is changed: a list starts without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memtui.core.layouts.base import (
    AgentView,
    Draft,
    Edit,
    Layout,
    MemoryText,
    Profile,
    Refusal,
    Snapshot,
    Store,
    StoredFile,
)
from memtui.core.layouts.facts import scan, view
from memtui.core.text.links import SUFFIX

__all__ = ["FACTS"]


class _Facts:
    name = "facts"

    def wants(self, path: str, profile: Profile) -> bool:
        return path.endswith(SUFFIX)

    def enters(self, folder: str, profile: Profile) -> bool:
        return not folder.rpartition("/")[2].startswith(".")

    def scan(self, store: Store, files: Iterable[StoredFile]) -> Snapshot:
        return scan.scan(store, files)

    def text(self, snapshot: Snapshot, memory_id: str) -> MemoryText | None:
        return view.text(snapshot, memory_id)

    def seen(self, snapshot: Snapshot, edit: Edit) -> str:
        from memtui.core.layouts.facts import edits

        return edits.seen(snapshot, edit)

    def edit(self, snapshot: Snapshot, edit: Edit) -> Draft | Refusal:
        from memtui.core.layouts.facts import edits

        return edits.edit(snapshot, edit)

    def edit_many(self, snapshot: Snapshot, wishes: Sequence[Edit]) -> Sequence[Draft] | Refusal | None:
        from memtui.core.layouts.facts import edits

        return edits.edit_many(snapshot, wishes)

    def agent_view(self, snapshot: Snapshot) -> AgentView:
        return view.agent_view(snapshot)


FACTS: Layout = _Facts()
"""The layout; it has no state."""
