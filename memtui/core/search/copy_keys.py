"""What tells that an entry is a copy of one in another file: forks copy entries with their ids and times."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from memtui.core.sessions.base import Kind, PartKind

NO_COPY = 0
"""The key of what is never taken for a copy."""

ASIDE: frozenset[PartKind] = frozenset({"thinking", "tool_call"})
"""What is not counted among the characters of an entry, so that these are known without decoding it."""

_SPREAD = 2654435761
_HALF = 0xFFFFFFFF


def key_of(record: Mapping[str, Any], kind: Kind, parts: Iterable[tuple[PartKind, str]]) -> int:
    """`copy_key` of a decoded entry with these texts."""
    characters = sum(len(text) for part, text in parts if part not in ASIDE)
    message = record.get("message")
    own = message.get("timestamp") if isinstance(message, dict) else None
    return copy_key(record.get("id"), record.get("timestamp"), own, kind, characters)


def copy_key(entry_id: Any, when: Any, own: Any, kind: Kind, characters: int) -> int:
    """What copies share, in 64 bits: the entry's id, its time, its message's own time, how long its texts are
    (but for those of `ASIDE`).

    `NO_COPY` for an entry without id or without times, and for what is of a file and not of a conversation.
    """
    if kind == "session" or not (isinstance(entry_id, str) and entry_id) or not (when or own):
        return NO_COPY
    spread = characters * _SPREAD
    try:
        if len(entry_id) == 8 and isinstance(own, int):
            # as pi writes them: 32 bits of id, and milliseconds
            return (int(entry_id, 16) << 32 | (own ^ spread) & _HALF) or 1
    except ValueError:
        pass
    text = f"{entry_id}|{when}|{own}|{kind}".encode("utf-8", "surrogatepass")
    return (zlib.crc32(text) << 32 | (zlib.crc32(text[::-1]) ^ spread) & _HALF) or 1
