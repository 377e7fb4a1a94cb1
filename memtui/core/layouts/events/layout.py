"""The events layout: memweave's store, which memtui only ever reads (memweave sheet)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from memtui.core.layouts.base import (
    AgentView,
    Draft,
    Edit,
    Layout,
    Memory,
    MemoryState,
    MemoryText,
    Problem,
    Profile,
    Refusal,
    Snapshot,
    Store,
    StoredFile,
    digest,
)
from memtui.core.layouts.events.parsing import Event, parse_events
from memtui.core.layouts.events.profile import READ_ONLY, TAIL_BYTES
from memtui.i18n import _
from memtui.late import re

__all__ = ["EVENTS"]

VERBS = ("edit", "delete", "rename", "type", "title", "description", "hook")
OWN_TEXTS = ("rule.md", "config.json", "index.json")
STATE_NAME, PICTURE_NAME = "state.json", "state.md"
ID_DIGITS = 12

_HASHED = re.compile(r"[0-9a-f]{12}")
"""A directory of yandy's pi-memory."""


class _Events:
    name = "events"

    def wants(self, path: str, profile: Profile) -> bool:
        parts = path.split("/")
        if len(parts) == 1:
            return path in OWN_TEXTS or path.endswith("lock")
        if parts[0] in ("blobs", "setup"):
            return True
        is_task = len(parts) == 4 and parts[1] == "tasks"
        return is_task and (parts[3] in (STATE_NAME, PICTURE_NAME) or parts[3].endswith("lock"))

    def enters(self, folder: str, profile: Profile) -> bool:
        parts = folder.split("/")
        if len(parts) == 1:
            return parts[0] not in ("git", "local", "sessions") and not parts[0].startswith(".")
        return parts[0] in ("blobs", "setup") or (parts[1] == "tasks" and len(parts) <= 3)

    def scan(self, store: Store, files: Iterable[StoredFile]) -> Snapshot:
        by_path = {file.path: file for file in files if self._is_own(file, store.profile)}
        memories: list[Memory] = []
        problems: list[Problem] = []
        ids: set[str] = set()
        for path in sorted(by_path, key=_place):
            _add_file(by_path[path], memories, problems, ids)
        problems += _lock_problems(store, by_path)
        return Snapshot(store, by_path, tuple(memories), (), tuple(problems))

    def _is_own(self, file: StoredFile, profile: Profile) -> bool:
        """Whether a file is memweave's: other programs keep theirs beside it, and what they leave behind."""
        is_linked_project = file.kind == "symlink" and "/" not in file.path and self.enters(file.path, profile)
        return self.wants(file.path, profile) or (is_linked_project and not _HASHED.fullmatch(file.path))

    def text(self, snapshot: Snapshot, memory_id: str) -> MemoryText | None:
        memory = snapshot.memory(memory_id)
        file = snapshot.files.get(memory.file) if memory is not None else None
        if memory is None or file is None or file.data is None:
            return None
        data = file.data[slice(*memory.span)] if memory.span else file.data
        return MemoryText(data, data)

    def seen(self, snapshot: Snapshot, edit: Edit) -> str:
        memory_id = getattr(edit, "memory_id", None)
        if memory_id is None:
            return ""
        text = self.text(snapshot, memory_id)
        return digest(text.text if text is not None else b"gone")

    def edit(self, snapshot: Snapshot, edit: Edit) -> Draft | Refusal:
        return Refusal(READ_ONLY)

    def agent_view(self, snapshot: Snapshot) -> AgentView:
        return AgentView(b"", snapshot.store.profile.approximate)


EVENTS: Layout = _Events()
"""The layout; it has no state."""


def _place(path: str) -> tuple[int, str]:
    parts = path.split("/")
    if len(parts) == 4:
        return 0, f"{parts[0]}/{parts[2]}/{0 if parts[3] == STATE_NAME else 1}"
    return (1 if path in OWN_TEXTS else 2), path


def _add_file(file: StoredFile, memories: list[Memory], problems: list[Problem], ids: set[str]) -> None:
    parts = file.path.split("/")
    group = f"{parts[0]}/{parts[2]}" if len(parts) == 4 else parts[0] if len(parts) > 1 else "memweave"
    if file.data is None:
        if file.kind == "dir":
            return
        state: MemoryState = "symlink" if file.kind == "symlink" else "unreadable" if file.error else "ok"
        memories.append(_memory(file, group, file.path, parts[-1], "", ids, state=state))
        return
    if parts[-1] != STATE_NAME:
        kind = _("text")
        memories.append(_memory(file, group, file.path, _title(file.path, parts[-1]), kind, ids))
        if file.path == "config.json":
            problems += _config_problems(file)
        return
    events = parse_events(file.data, starts_inside=bool(file.offset))
    if file.offset:
        message = _("{size:,} bytes: only the last {limit:,} are shown")
        text = message.format(size=file.size_bytes, limit=TAIL_BYTES)
        problems.append(Problem("over-limit", "note", text, None, file.path))
    if not events:
        memories.append(_memory(file, group, file.path, _("no events yet"), "", ids))
    seen: set[str] = set()
    for event in events:
        memory = _event_memory(file, group, event, ids, again=bool(event.id) and event.id in seen)
        seen.add(event.id)
        memories.append(memory)
        if event.state == "bad":
            message = _("line {number}: not JSON").format(number=event.number)
            problems.append(Problem("unreadable", "note", message, memory.id, file.path, event.number))


def _title(path: str, name: str) -> str:
    if name == PICTURE_NAME:
        return _("state.md (the agent's own rendering)")
    return path


def _event_memory(file: StoredFile, group: str, event: Event, ids: set[str], *, again: bool) -> Memory:
    data = file.data or b""
    text = hashlib.sha256(data[event.start : event.end]).hexdigest()[:ID_DIGITS]
    title = event.text
    if event.state == "bad":
        title = _("line {number}: not JSON").format(number=event.number)
    elif event.state == "partial":
        title = _("being written …")
    about = [event.id, _("again") if again else "", event.status, event.evidence]
    return _memory(
        file,
        group,
        f"{file.path}#{text}",
        title or _("line {number}").format(number=event.number),
        event.kind,
        ids,
        description=" · ".join(part for part in about if part),
        span=(event.start, event.end),
        updated=_when(event.when),
    )


def _memory(
    file: StoredFile,
    group: str,
    wanted: str,
    title: str,
    kind: str,
    ids: set[str],
    *,
    description: str = "",
    span: tuple[int, int] | None = None,
    updated: datetime | None = None,
    state: MemoryState = "ok",
) -> Memory:
    number, found = 1, wanted
    while found in ids:
        number += 1
        found = f"{wanted}~{number}"
    ids.add(found)
    size = span[1] - span[0] if span else file.size_bytes or len(file.data or b"")
    return Memory(
        id=found,
        title=title,
        description=description,
        type=kind,
        group=group,
        file=file.path,
        state=state,
        span=span,
        updated=updated or file.updated,
        size_bytes=size,
        link_target=file.link_target,
        why_not=dict.fromkeys(VERBS, READ_ONLY),
    )


def _when(text: str) -> datetime | None:
    try:
        number = float(text)
    except ValueError:
        try:
            when = datetime.fromisoformat(text)
        except ValueError:
            return None
        return when if when.tzinfo else when.replace(tzinfo=UTC)
    try:
        return datetime.fromtimestamp(number / 1000 if number > 1e11 else number, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _config_problems(file: StoredFile) -> list[Problem]:
    try:
        value = json.loads((file.data or b"").decode("utf-8"))
    except (ValueError, RecursionError) as error:
        message = _("config.json is not valid ({reason}): memweave cancels every request of the agent")
        return [Problem("bad-config", "error", message.format(reason=str(error)), file.path, file.path)]
    if not isinstance(value, dict):
        message = _("config.json is not an object: memweave most likely cancels every request of the agent")
        return [Problem("bad-config", "warning", message, file.path, file.path)]
    return []


def _lock_problems(store: Store, files: Mapping[str, StoredFile]) -> list[Problem]:
    found = []
    for path, file in files.items():
        if not path.endswith("lock") or file.updated is None or store.read_at is None:
            continue
        minutes = int((store.read_at - file.updated).total_seconds() // 60)
        if minutes >= 1:
            message = _("{lock} is {minutes:,} minutes old; memweave never takes a lock over by itself")
            found.append(Problem("stale-lock", "note", message.format(lock=path, minutes=minutes), path, path))
    return found
