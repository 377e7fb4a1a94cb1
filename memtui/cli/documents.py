"""The JSON shapes: every name is always there, and what is not known is null."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.store_actions import Background
    from memtui.core.workspace import (
        Budget,
        ChangeInfo,
        FilePreview,
        Located,
        Memory,
        MemoryText,
        Outcome,
        Problem,
        Snapshot,
        Store,
    )

Json = dict[str, object]


def store(item: Store) -> Json:
    """One store; its reason ends with who reads it, where that is known."""
    return {
        "id": item.id,
        "owner": item.owner,
        "layout": item.layout,
        "path": str(item.root),
        "exists": item.exists,
        "used": item.used,
        "reason": reason(item),
        "tier": item.tier,
        "writable": item.writable,
        "warnings": list(item.warnings),
    }


def reason(item: Store) -> str:
    """Why this is a store here, and who reads it."""
    if not (item.used and item.read_by):
        return item.reason
    return _("{reason}; read by {programs}").format(reason=item.reason, programs=", ".join(item.read_by))


def where(located: Located, stores: Iterable[Store]) -> Json:
    """What belongs to a working directory."""
    return {
        "cwd": str(located.cwd),
        "stores": [store(item) for item in stores],
        "transcripts": [
            {"agent": root.agent, "path": str(root.path), "sessions": root.sessions}
            for root in located.transcripts
        ],
    }


def memories(snapshot: Snapshot) -> Json:
    """A store with its budgets and memories."""
    codes = codes_by_memory(snapshot)
    return {
        "store": store(snapshot.store),
        "budgets": [budget(item) for item in snapshot.budgets],
        "memories": [memory(item, codes.get(item.id, ())) for item in snapshot.memories],
    }


def budget(item: Budget) -> Json:
    """One budget; `loaded` null = all of it."""
    return {
        "scope": item.scope,
        "group": item.group,
        "unit": item.unit,
        "used": item.used,
        "limit": item.limit,
        "binding": item.binding,
        "loaded": None if item.loaded is None else list(item.loaded),
    }


def memory(item: Memory, codes: Iterable[str]) -> Json:
    """One memory with the codes of its problems; a row without a readable file knows only its line."""
    is_known = item.state == "ok"
    return {
        "id": item.id,
        "title": item.title,
        "description": item.description if is_known else None,
        "type": item.type if is_known else None,
        "group": item.group,
        "file": item.file,
        "index_lines": list(item.index_lines),
        "updated": moment(item.updated),
        "bytes": item.size_bytes if is_known else None,
        "loaded": item.loaded,
        "problems": list(codes),
    }


def shown(item: Memory, codes: Iterable[str], text: MemoryText | None) -> Json:
    """One memory with its exact source; null where there is none to show."""
    return memory(item, codes) | {
        "text": None if text is None else decode(text.text),
        "body": None if text is None else decode(text.body),
    }


def problem(item: Problem) -> Json:
    """One problem with its place."""
    return {
        "code": item.code,
        "severity": item.severity,
        "memory": item.memory,
        "file": item.file,
        "line": item.line,
        "message": item.message,
        "repairable": item.repairable,
    }


def plan(previews: Iterable[FilePreview], notes: Iterable[str]) -> Json:
    """What a change would do; a digest is null where the file is absent."""
    return {
        "plan": [
            {
                "path": str(item.path),
                "before_sha256": item.before_sha256,
                "after_sha256": item.after_sha256,
                "diff": item.diff,
            }
            for item in previews
        ],
        "notes": list(notes),
    }


def outcome(item: Outcome, later_notes: Iterable[str]) -> Json:
    """What came of a change; `change` is null when nothing had to be changed."""
    made = item.change
    return {
        "change": None
        if made is None
        else {"id": made.id, "summary": made.summary, "paths": [str(path) for path in made.paths]},
        "notes": [*item.notes, *later_notes],
    }


def change(item: ChangeInfo) -> Json:
    """One change of the history."""
    return {
        "id": item.id,
        "summary": item.summary,
        "verb": item.verb,
        "when": moment(item.when),
        "store": item.store_id,
        "paths": [str(path) for path in item.paths],
        "state": item.state,
        "reverted": item.reverted,
    }


def background(item: Background, of: Store, now: datetime) -> Json:
    """Something at work on a store in the background, or what it left; what is not known is null."""
    from memtui.core.store_actions import background_sentence

    return {
        "store": of.id,
        "owner": item.owner,
        "work": item.work,
        "state": item.state,
        "path": str(item.path),
        "since": moment(item.since),
        "last_sign": moment(item.at),
        "pid": item.pid or None,
        "host": item.host or None,
        "op": item.op or None,
        "sentence": background_sentence(item, now),
    }


def codes_by_memory(snapshot: Snapshot) -> Mapping[str, list[str]]:
    """The problem codes of every memory, each once, in the order of the problems."""
    codes: dict[str, list[str]] = {}
    for item in snapshot.problems:
        if item.memory is not None and item.code not in (found := codes.setdefault(item.memory, [])):
            found.append(item.code)
    return codes


def moment(when: datetime | None) -> str | None:
    """A point in time as ISO 8601 with its offset, to the second."""
    return None if when is None else when.isoformat(timespec="seconds")


def decode(data: bytes) -> str:
    """Text from disk; bytes that are not UTF-8 stay as surrogate escapes until they are printed."""
    return data.decode("utf-8", "surrogateescape")
