"""The notes layout: one entry a file with five fields, an index that is read from its end (pi-memory 2.x).

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
from memtui.core.layouts.notes import scan
from memtui.core.layouts.notes.text import parse_note
from memtui.core.text.links import SUFFIX

__all__ = ["NOTES"]


class _Notes:
    name = "notes"

    def wants(self, path: str, profile: Profile) -> bool:
        if path.startswith(f"{scan.SNAPSHOTS}/"):
            return path.count("/") == 2
        return (path.endswith(SUFFIX) and "/" not in path) or path == scan.LOCK_NAME

    def enters(self, folder: str, profile: Profile) -> bool:
        return folder == scan.SNAPSHOTS or (folder.startswith(f"{scan.SNAPSHOTS}/") and folder.count("/") == 1)

    def scan(self, store: Store, files: Iterable[StoredFile]) -> Snapshot:
        return scan.scan(store, files)

    def text(self, snapshot: Snapshot, memory_id: str) -> MemoryText | None:
        memory = snapshot.memory(memory_id)
        file = snapshot.files.get(memory.file) if memory is not None and memory.state == "ok" else None
        if file is None or file.data is None:
            return None
        return MemoryText(file.data, file.data[parse_note(file.data).body_start :])

    def seen(self, snapshot: Snapshot, edit: Edit) -> str:
        from memtui.core.layouts.notes import edits

        return edits.seen(snapshot, edit)

    def edit(self, snapshot: Snapshot, edit: Edit) -> Draft | Refusal:
        from memtui.core.layouts.notes import edits

        return edits.edit(snapshot, edit)

    def edit_many(self, snapshot: Snapshot, wishes: Sequence[Edit]) -> Sequence[Draft] | Refusal | None:
        from memtui.core.layouts.notes import edits

        return edits.edit_many(snapshot, wishes)

    def agent_view(self, snapshot: Snapshot) -> AgentView:
        store = snapshot.store
        if not store.loads:
            return AgentView(b"", (store.loads_not_because,) if store.loads_not_because else ())
        data = scan.index_data(snapshot.files, store.profile)
        if not data:
            return AgentView(b"")
        text, _first = scan.inject(data, store.profile)
        return AgentView(text.encode("utf-8", "replace"), store.profile.approximate)


NOTES: Layout = _Notes()
"""The layout; it has no state."""
