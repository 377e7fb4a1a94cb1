"""The topics of a store whose groups a person names: which there are, the last used first. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.core.layouts.base import Snapshot

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def topics_of(snapshot: Snapshot, first: str = "") -> list[str]:
    """The names of all topics that can be read, `first` before all others, else the last changed first."""
    newest: dict[str, datetime] = {}
    for memory in snapshot.memories:
        if memory.state == "ok" and memory.group:
            when = memory.updated or _LONG_AGO
            when = when if when.tzinfo is not None else when.astimezone()
            newest[memory.group] = max(when, newest.get(memory.group, _LONG_AGO))
    names = sorted(newest, key=lambda name: newest[name], reverse=True)
    return sorted(names, key=lambda name: name != first)
