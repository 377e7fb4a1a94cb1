"""What a query asks for beside words: whose, where, of which kind, and from when."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from memtui.core.layouts.base import Memory, Store
from memtui.core.sessions.base import Kind, PartKind, Session
from memtui.core.sessions.times import from_seconds
from memtui.core.text.fold import fold
from memtui.late.dataclasses import dataclass

SearchedPlace = Literal["memory", "sessions", "tools"]
PLACES: tuple[SearchedPlace, ...] = SearchedPlace.__args__  # type: ignore[attr-defined]

ROLES: tuple[Kind, ...] = (
    *("user", "assistant", "tool", "bash", "custom", "compaction", "branch_summary", "label"),
    "session_info",
)
"""The kinds of entries that can be asked for."""

TOOL_PARTS: frozenset[PartKind] = frozenset({"tool_call", "tool_result", "bash"})


@dataclass(frozen=True, slots=True)
class Filters:
    """What has to be true of a hit. Empty = anything; of several values of one kind any is enough.

    `agents`, `stores` (ids and owners), `types` and `dirs` are folded; a `dirs` text is part of a session's
    directory or of a store's. `roles` are kinds of entries. `after` is the first moment that fits, `before`
    the first one that does not; both in UTC.
    """

    agents: frozenset[str] = frozenset()
    stores: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    places: frozenset[SearchedPlace] = frozenset()
    roles: frozenset[str] = frozenset()
    dirs: tuple[str, ...] = ()
    after: datetime | None = None
    before: datetime | None = None

    def __bool__(self) -> bool:
        return self != NO_FILTERS

    def wants_memories(self) -> bool:
        """Whether any memory can fit."""
        return not self.roles and (not self.places or "memory" in self.places)

    def wants_sessions(self) -> bool:
        """Whether anything of any session can fit."""
        return not (self.stores or self.types) and self.places != {"memory"}

    def fits_memory(self, store: Store, memory: Memory) -> bool:
        """Whether a memory of a store fits."""
        return (
            self.wants_memories()
            and _is_one_of(self.agents, store.owner)
            and _is_one_of(self.stores, store.id, store.owner)
            and _is_one_of(self.types, memory.type)
            and self._fits_dir(str(store.root))
            and self.fits_time(memory.updated)
        )

    def fits_session(self, session: Session) -> bool:
        """Whether something of a session may fit: whose it is, where it ran, how recent it is."""
        return (
            self.wants_sessions()
            and _is_one_of(self.agents, session.agent)
            and self._fits_dir(session.cwd)
            and (self.after is None or _newest(session) >= self.after)
        )

    def fits_entry(self, kind: Kind, when: datetime | None) -> bool:
        """Whether an entry of a session that fits does so too; `when` is its time."""
        return (not self.roles or kind in self.roles) and self.fits_time(when)

    def fits_part(self, part: PartKind) -> bool:
        """Whether a part of an entry is among what is searched."""
        return not self.places or "sessions" in self.places or part in TOOL_PARTS

    def fits_time(self, when: datetime | None) -> bool:
        """Whether a moment is within `after` and `before`; one that is not known is not."""
        if when is None:
            return self.after is None and self.before is None
        return (self.after is None or when >= self.after) and (self.before is None or when < self.before)

    def _fits_dir(self, directory: str) -> bool:
        if not self.dirs:
            return True
        # with the end that a person may type behind a directory's name
        folded = fold(directory) + "/" if directory else ""
        return any(text in folded for text in self.dirs)


NO_FILTERS = Filters()


def _is_one_of(wanted: frozenset[str], *names: str) -> bool:
    return not wanted or any(fold(name) in wanted for name in names)


def _newest(session: Session) -> datetime:
    """The latest that anything in a session can be from: before it is counted, its file's time may be later."""
    return max(session.updated, from_seconds(session.mtime))
