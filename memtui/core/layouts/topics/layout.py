"""The topics layout: many `## entries` a file, and an index with one line for each file (yandy's pi-memory).

What changes files is loaded when something is changed: a list starts without it.
"""

from __future__ import annotations

from collections.abc import Iterable

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
from memtui.core.layouts.topics import injection, scan
from memtui.core.layouts.topics.dream import META_NAME
from memtui.core.text.links import SUFFIX

__all__ = ["TOPICS"]

SESSIONS = "sessions"
TASKS = "tasks"


class _Topics:
    name = "topics"

    def wants(self, path: str, profile: Profile) -> bool:
        return path.endswith(SUFFIX) or path == META_NAME

    def enters(self, folder: str, profile: Profile) -> bool:
        # memweave keeps its tasks in a directory that may have the same name
        is_task = folder.startswith(f"{TASKS}/")
        return not folder.rpartition("/")[2].startswith(".") and folder != SESSIONS and not is_task

    def scan(self, store: Store, files: Iterable[StoredFile]) -> Snapshot:
        return scan.scan(store, files)

    def text(self, snapshot: Snapshot, memory_id: str) -> MemoryText | None:
        memory = snapshot.memory(memory_id)
        if memory is None or memory.state != "ok":
            return None
        place = scan.place_of(snapshot, memory)
        if place.topic is None:
            return None
        data, section = place.topic.data, place.section
        if section is None:
            return MemoryText(data, data[place.topic.front_end :])
        return MemoryText(data[section.start : section.end], data[section.body_start : section.end])

    def seen(self, snapshot: Snapshot, edit: Edit) -> str:
        from memtui.core.layouts.topics import edits

        return edits.seen(snapshot, edit)

    def edit(self, snapshot: Snapshot, edit: Edit) -> Draft | Refusal:
        from memtui.core.layouts.topics import edits

        return edits.edit(snapshot, edit)

    def agent_view(self, snapshot: Snapshot) -> AgentView:
        profile, store = snapshot.store.profile, snapshot.store
        if not store.loads:
            return AgentView(b"", (store.loads_not_because,) if store.loads_not_because else ())
        data = scan.index_data(snapshot.files, profile.index_name)
        if not data:
            return AgentView(b"")
        taken = injection.inject(data, profile)
        return AgentView((injection.HEADER + taken.text).encode("utf-8", "replace"), profile.approximate)


TOPICS: Layout = _Topics()
"""The layout; it has no state."""
