"""The entries layout: two files with entries between section signs (@amaster.ai/pi-memory, Hermes)."""

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
from memtui.core.layouts.entries import edits, scan, view
from memtui.core.layouts.entries.rules import backup_of, is_temp, rules_of

__all__ = ["ENTRIES"]


class _Entries:
    name = "entries"

    def wants(self, path: str, profile: Profile) -> bool:
        rules = rules_of(profile)
        return rules.group_of(path) is not None or backup_of(path, rules) is not None or is_temp(path)

    def enters(self, folder: str, profile: Profile) -> bool:
        return False

    def scan(self, store: Store, files: Iterable[StoredFile]) -> Snapshot:
        return scan.scan(store, files)

    def text(self, snapshot: Snapshot, memory_id: str) -> MemoryText | None:
        return view.text(snapshot, memory_id)

    def seen(self, snapshot: Snapshot, edit: Edit) -> str:
        return edits.seen(snapshot, edit)

    def edit(self, snapshot: Snapshot, edit: Edit) -> Draft | Refusal:
        return edits.edit(snapshot, edit)

    def agent_view(self, snapshot: Snapshot) -> AgentView:
        return view.agent_view(snapshot)


ENTRIES: Layout = _Entries()
"""The layout; it has no state."""
