"""The entries layout: two files with entries between section signs (@amaster.ai/pi-memory, Hermes).

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
from memtui.core.layouts.entries import scan, view
from memtui.core.layouts.entries.facts import STATE_NAME, facts
from memtui.core.layouts.entries.reshape import with_repairs
from memtui.core.layouts.entries.rules import backup_of, is_temp, rules_of
from memtui.late import dataclasses

__all__ = ["ENTRIES"]


class _Entries:
    name = "entries"

    def wants(self, path: str, profile: Profile) -> bool:
        rules = rules_of(profile)
        is_own = rules.group_of(path) is not None or path == STATE_NAME
        return is_own or backup_of(path, rules) is not None or is_temp(path)

    def enters(self, folder: str, profile: Profile) -> bool:
        return False

    def scan(self, store: Store, files: Iterable[StoredFile]) -> Snapshot:
        snapshot = with_repairs(scan.scan(store, files))
        return dataclasses.replace(snapshot, facts=facts(snapshot))

    def text(self, snapshot: Snapshot, memory_id: str) -> MemoryText | None:
        return view.text(snapshot, memory_id)

    def seen(self, snapshot: Snapshot, edit: Edit) -> str:
        from memtui.core.layouts.entries import edits

        return edits.seen(snapshot, edit)

    def edit(self, snapshot: Snapshot, edit: Edit) -> Draft | Refusal:
        from memtui.core.layouts.entries import edits

        return edits.edit(snapshot, edit)

    def agent_view(self, snapshot: Snapshot) -> AgentView:
        return view.agent_view(snapshot)


ENTRIES: Layout = _Entries()
"""The layout; it has no state."""
