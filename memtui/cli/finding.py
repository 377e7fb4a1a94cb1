"""Finding the memory that an argument names."""

from __future__ import annotations

from memtui.cli.call import Call
from memtui.core.errors import UnknownIdError
from memtui.core.safety import display
from memtui.core.workspace import Memory, Snapshot


def find(call: Call, memory_id: str) -> tuple[Snapshot, Memory]:
    """A memory by its id, or by what a plain `list` shows of an id with control characters.

    Raises UnknownIdError and UsageError.
    """
    try:
        return call.workspace.find_memory(memory_id, call.store)
    except UnknownIdError:
        found = [
            (snapshot, memory)
            for snapshot in call.workspace.snapshots(call.store)
            for memory in snapshot.memories
            if display.line(memory.id) == memory_id
        ]
        if len(found) != 1:
            raise
        return found[0]
