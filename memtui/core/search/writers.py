"""Which session's call changed a memory lately: only what a transcript shows, nothing is guessed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from memtui.core.search.base import Cancelled
from memtui.core.search.origin import Trace, wrote
from memtui.core.search.origins import writing_calls
from memtui.core.sessions.base import Session
from memtui.core.sessions.listing import newest_first
from memtui.core.sessions.reader import never
from memtui.late.dataclasses import dataclass

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Writer:
    """The call that did it: its session, the entry in it, what the tool is called, and when it was made."""

    session: Session
    offset: int
    tool: str
    when: datetime


@dataclass(frozen=True, slots=True)
class Sought:
    """A memory whose change is looked for: what it is known by, whether it was taken away, and since when."""

    trace: Trace
    is_gone: bool
    since: datetime


def find_writers(
    sought: Mapping[Key, Sought], sessions: Iterable[Session], home: Path, cancelled: Cancelled = never
) -> dict[Key, Writer]:
    """The newest call that changed each of these memories since its time, where a call shows it.

    Reads what the sessions say from their end back to that time; ends early after `cancelled()`. Never raises.
    """
    found: dict[Key, Writer] = {}
    if not sought:
        return found
    first = min(item.since for item in sought.values())
    recent = [session for session in sessions if session.mtime_ns / 1e9 >= first.timestamp()]
    for session in newest_first(recent):
        for call in writing_calls(session, cancelled, removals=True):
            if call.when is None:
                continue
            if call.when < first:
                break
            for key, item in sought.items():
                known = found.get(key)
                is_new = known is None or known.when < call.when
                fits = is_new and call.when >= item.since and call.removes == item.is_gone
                if fits and wrote(call, item.trace, session.cwd, home):
                    found[key] = Writer(session, call.offset, call.name, call.when)
        if cancelled():
            break
    return found
