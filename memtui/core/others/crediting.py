"""Which call of a session made what a look just showed: sought while memtui watches. Pure, but for reading
sessions.

An agent that calls a tool first writes the call into its session and then lets the tool run, so the call is in
the transcript by the time that the memory changes (pi-and-zcode sheet A2: every entry is appended as it ends).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from memtui.core.changes import Changes
from memtui.core.layouts.base import Memory, Snapshot
from memtui.core.search.base import Cancelled
from memtui.core.search.origin import trace_of
from memtui.core.search.writers import Sought, Writer, find_writers
from memtui.core.sessions.base import Session
from memtui.core.sessions.reader import never

SLACK = timedelta(minutes=10)
"""How long before the look that still showed the old state a call may have been made: an agent asks for leave,
and carries out the calls of one message one after the other."""

AGAIN = timedelta(seconds=10)
"""A call that another change was put down to counts for a second one only so soon after it was made."""

Place = tuple[str, str]
"""A memory: the ids of its store and its own."""

Found = Mapping[Place, Writer]


def sought_in(
    before: Snapshot, now: Snapshot, changes: Changes, first_look: datetime | None
) -> dict[Place, Sought]:
    """What is looked for of a store that others changed between two looks, each memory by its place.

    No call from before `first_look`, when memtui began to watch, is taken for one of them.
    """
    seen_at = before.store.read_at or first_look
    if seen_at is None or first_look is None:
        return {}
    since = max(first_look, seen_at - SLACK)
    found = {}
    for memory_id in changes.new | changes.changed | changes.removed:
        was, memory = before.memory(memory_id), now.memory(memory_id)
        # a line of the index that still names it keeps a memory whose file is gone in the list
        is_gone = was is not None and _is_there(was) and (memory is None or not _is_there(memory))
        side, about = (before, was) if is_gone else (now, memory)
        if about is not None:
            found[now.store.id, memory_id] = Sought(trace_of(side, about), is_gone, since)
    return found


def _is_there(memory: Memory) -> bool:
    return memory.state != "missing"


class Credits:
    """The calls that changes were put down to so far. Belongs to one thread at a time."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._given: set[tuple[Place, Path, int]] = set()

    def find(
        self,
        sought: Mapping[Place, Sought],
        seen_at: datetime,
        sessions: Iterable[Session],
        cancelled: Cancelled = never,
    ) -> Found:
        """The calls that made these changes, which a look showed at `seen_at`, where a transcript shows them.

        Reads the sessions that were written to lately, from their ends. Never raises.
        """
        found = {}
        for place, writer in find_writers(sought, sessions, self._home, cancelled).items():
            call = (place, writer.session.file, writer.offset)
            if call not in self._given or seen_at - writer.when <= AGAIN:
                found[place] = writer
                self._given.add(call)
        return found
