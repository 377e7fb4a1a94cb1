"""One thing that others changed as a diff: the text of the memory, and its lines of the index."""

from __future__ import annotations

from memtui.core.changes.rows import ChangedRow
from memtui.core.layouts.base import Memory, Snapshot
from memtui.core.layouts.table import LAYOUTS
from memtui.core.operations.preview import unified
from memtui.core.others.looking import StoreChanges


def difference(changes: StoreChanges, row: ChangedRow) -> str:
    """What is different since, as a unified diff of text from disk; '' where its bytes are not kept."""
    if row.is_file:
        return unified(_file(changes.before, row.file), _file(changes.now, row.file), row.file)
    old, new = _text(changes.before, row.was), _text(changes.now, row.now)
    index = changes.store.profile.index_name
    lines = unified(_index_lines(changes.before, row.was), _index_lines(changes.now, row.now), index)
    return unified(old, new, row.file) + lines


def _file(snapshot: Snapshot, path: str) -> bytes | None:
    file = snapshot.files.get(path)
    return None if file is None else file.data


def _text(snapshot: Snapshot, memory: Memory | None) -> bytes | None:
    text = None if memory is None else LAYOUTS[snapshot.store.layout].text(snapshot, memory.id)
    return None if text is None else text.text


def _index_lines(snapshot: Snapshot, memory: Memory | None) -> bytes:
    file = snapshot.files.get(snapshot.store.profile.index_name)
    if memory is None or not memory.index_lines or file is None or file.data is None:
        return b""
    lines = file.data.split(b"\n")
    return b"".join(lines[number - 1] + b"\n" for number in memory.index_lines if number <= len(lines))
