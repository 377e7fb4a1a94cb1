"""Files of a notes store to memories: one a file, in the order of the index."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from memtui.core.layouts.base import (
    Budget,
    Memory,
    MemoryState,
    Problem,
    Profile,
    Snapshot,
    Store,
    StoredFile,
    StoreFact,
)
from memtui.core.layouts.dash_index import Entry, parse_entries
from memtui.core.layouts.notes.out_of_step import out_of_step
from memtui.core.layouts.notes.rules import rules_of
from memtui.core.layouts.notes.text import Note, parse_note
from memtui.core.text import index_lines
from memtui.core.text.links import SUFFIX, is_outside
from memtui.i18n import _, ngettext

VERBS = ("edit", "delete", "rename", "type", "title", "description", "hook")
LOCK_NAME = ".lock"
SNAPSHOTS = ".backups"
"""Where the owner copies what it is about to change, one folder a write (topics sheet 9.3)."""

OLD_LOCK_S = 60
"""The owner holds its lock for milliseconds; one that is older was most likely left behind."""

MARKER = "[truncated: memory index exceeds injection limit; older entries omitted]"


def index_data(files: Mapping[str, StoredFile], profile: Profile) -> bytes:
    """The index's bytes; empty when there is none that can be read."""
    file = files.get(profile.index_name)
    return b"" if file is None or file.data is None else file.data


def inject(data: bytes, profile: Profile) -> tuple[str, int]:
    """The end of the index that the owner injects, and the first line (from 1) that is there whole.

    The newest lines are the last ones (2.3; topics sheet 9.2). No line is there: 0.
    """
    text = data.decode("utf-8", "replace")
    lines = (text.removesuffix("\n")).split("\n") if text else []
    limits = {limit.unit: limit.limit for limit in profile.limits if limit.scope == "inject"}
    most_lines, most_bytes = limits.get("lines", len(lines)), limits.get("bytes")
    first = max(0, len(lines) - most_lines)
    if most_bytes is not None:
        while first < len(lines) and len("\n".join(lines[first:]).encode()) > most_bytes:
            first += 1
    kept = "\n".join(lines[first:])
    if first == 0:
        return text, 1
    if not kept:
        return "", 0
    return f"{MARKER}\n{kept}" + ("\n" if text.endswith("\n") else ""), first + 1


def scan(store: Store, files: Iterable[StoredFile]) -> Snapshot:
    """Files to memories, budgets and the problems of this layout. Never raises."""
    by_path = {file.path: file for file in files}
    profile = store.profile
    data = index_data(by_path, profile)
    entries = parse_entries(data, "lazy")
    _text, first = inject(data, profile)
    named: dict[str, list[Entry]] = {}
    for entry in entries:
        named.setdefault(entry.file, []).append(entry)
    own = (path for path in by_path if path.endswith(SUFFIX) and "/" not in path and path != profile.index_name)
    paths = [*named, *sorted(own)]
    memories: list[Memory] = []
    problems: list[Problem] = []
    for path in dict.fromkeys(paths):
        memory, note = _memory(store, path, by_path.get(path), named.get(path, []), first)
        if memory is None:
            continue
        memories.append(memory)
        if note is not None and note.hidden_because:
            message = _("the owner does not see this file: {why}").format(why=note.hidden_because)
            problems.append(Problem("shadowed", "warning", message, memory.id, path))
    problems += out_of_step(store, memories, named)
    index = by_path.get(profile.index_name)
    return Snapshot(
        store=store,
        files=by_path,
        memories=tuple(memories),
        budgets=_budgets(data, entries, profile, first),
        problems=(*problems, *_lock_problems(store, by_path)),
        index=index_lines.parse_bytes(data) if index is not None and index.data is not None else None,
        facts=_snapshot_facts(by_path),
    )


def _snapshot_facts(files: Mapping[str, StoredFile]) -> tuple[StoreFact, ...]:
    """The owner's own copies from before its last writes, counted, with the newest."""
    folders = sorted({path.split("/")[1] for path in files if path.startswith(f"{SNAPSHOTS}/")})
    if not folders:
        return ()
    text = ngettext(
        "{count} copy of the owner's own from before its writes, in {folder}; the newest is {newest}",
        "{count} copies of the owner's own from before its writes, in {folder}; the newest is {newest}",
        len(folders),
    )
    sentence = text.format(count=len(folders), folder=SNAPSHOTS, newest=folders[-1])
    return (StoreFact(_("backups"), sentence),)


def _memory(
    store: Store, path: str, file: StoredFile | None, named: list[Entry], first: int
) -> tuple[Memory | None, Note | None]:
    state: MemoryState = "ok"
    note: Note | None = None
    reason = ""
    if is_outside(path):
        state, reason = "outside", _("it lies outside the memory directory")
    elif file is None or file.kind in ("missing", "dir"):
        if not named:
            return None, None
        state, reason = "missing", _("the file is missing")
    elif file.kind == "symlink":
        state, reason = "symlink", _("it is a symlink to {target}").format(target=file.link_target)
    elif file.data is None:
        state, reason = "unreadable", _("it cannot be read: {error}").format(error=file.error or file.kind)
    else:
        note = parse_note(file.data)
    why_not = (
        dict.fromkeys(("edit", "rename", "type", "title", "description", "hook"), reason) if reason else {}
    )
    if state == "unreadable":
        why_not["delete"] = reason
    fields = note.fields if note is not None else {}
    if note is not None:
        why_not["hook"] = _("it follows the description")
        if note.hidden_because:
            why_not |= dict.fromkeys(("rename", "type", "title", "description"), note.hidden_because)
        if not _is_utf8(note.data):
            why_not |= dict.fromkeys(VERBS[:1] + VERBS[2:], _("it is not UTF-8: convert it first"))
    if not store.writable:
        why_not = dict.fromkeys(VERBS, _("the store is read-only"))
    memory = Memory(
        id=path,
        title=fields.get("name", "") or (named[0].name if named else "") or path.removesuffix(SUFFIX),
        description=fields.get("description", ""),
        type=fields.get("type", ""),
        group="",
        file=path,
        state=state,
        index_lines=tuple(entry.number for entry in named),
        hook=named[0].hook if named else None,
        loaded=store.loads and bool(first) and any(entry.number >= first for entry in named),
        updated=_moment(fields.get("modified", "")) or (file.updated if file is not None else None),
        size_bytes=len(file.data) if file is not None and file.data is not None else 0,
        link_target=file.link_target if file is not None else "",
        why_not=why_not,
    )
    return memory, note


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _moment(text: str) -> datetime | None:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _budgets(data: bytes, entries: list[Entry], profile: Profile, first: int) -> tuple[Budget, ...]:
    text = data.decode("utf-8", "replace")
    count = text.count("\n") + (not text.endswith("\n") if text else 0)
    used = {"lines": count, "bytes": len(text.encode())}
    loaded = None if first == 1 else ((first, count) if first else (0, 0))
    found = [
        Budget("inject", "", limit.unit, used[limit.unit], limit.limit, loaded=loaded)
        for limit in profile.limits
        if limit.scope == "inject" and limit.unit in used
    ]
    if found:
        binding = max(found, key=lambda budget: budget.used / budget.limit if budget.limit else 0)
        found = [Budget(b.scope, b.group, b.unit, b.used, b.limit, b is binding, b.loaded) for b in found]
    return tuple(found)


def _lock_problems(store: Store, files: Mapping[str, StoredFile]) -> list[Problem]:
    file = files.get(LOCK_NAME)
    if file is None or file.updated is None or store.read_at is None:
        return []
    age_s = (store.read_at - file.updated).total_seconds()
    if age_s < OLD_LOCK_S:
        return []
    holder = _("an unknown program")
    try:
        record = json.loads(file.data or b"")
        holder = _("process {pid} on {host} ({op})").format(
            pid=record["pid"], host=record["hostname"], op=record.get("op", "?")
        )
    except (ValueError, TypeError, LookupError):
        pass
    message = _("{lock} is held by {holder} since {since}; while it is there the owner writes nothing")
    since = file.updated.strftime("%Y-%m-%d %H:%M UTC")
    return [
        Problem(
            "stale-lock", "warning", message.format(lock=LOCK_NAME, holder=holder, since=since), file=LOCK_NAME
        )
    ]


def room_note(data: bytes, profile: Profile) -> str:
    """What the owner warns of when its index holds more than it should; '' while there is room."""
    rules = rules_of(profile)
    lines = [line for line in data.split(b"\n") if line.strip()]
    if len(lines) <= rules.write_lines and len(data) <= rules.write_bytes:
        return ""
    message = _(
        "{index} has {lines:,} of {most:,} lines and {size:,} of {bytes:,} bytes: the owner warns of it"
    )
    return message.format(
        index=profile.index_name,
        lines=len(lines),
        most=rules.write_lines,
        size=len(data),
        bytes=rules.write_bytes,
    )
