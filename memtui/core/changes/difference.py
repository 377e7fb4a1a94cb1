"""What others changed in a store between two looks at it: files, memories, and which of it was our own doing.

Pure: two snapshots in, the difference out. Only content counts; a file that was saved again with the same
bytes (another inode, another time) is no change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from memtui.core.layouts.base import Memory, Snapshot, StoredFile
from memtui.core.text.merge import merge
from memtui.late.dataclasses import dataclass, replace

How = Literal["new", "changed", "removed"]


@dataclass(frozen=True, slots=True)
class Written:
    """What memtui itself meant to do to a file: its bytes before and after (None = no such file).

    `is_link`: the name is that of a symlink, which has no bytes of its own.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    is_link: bool = False


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One file of a store; `added` and `gone` count its lines, wherever they stand (a moved one is neither)."""

    path: str
    how: How
    added: int = 0
    gone: int = 0


@dataclass(frozen=True, slots=True)
class Changes:
    """Files by path, and the ids of the memories that came, went, or say something else than before."""

    files: tuple[ChangedFile, ...] = ()
    new: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


def is_same(before: Snapshot, after: Snapshot) -> bool:
    """Whether a look showed nothing but what was known: the same store, names and bytes."""
    return before.store == after.store and _contents(before.files) == _contents(after.files)


def between(before: Snapshot, after: Snapshot) -> Changes:
    """What is different in `after`."""
    old, new = before.files, after.files
    files = []
    for path in sorted(old.keys() | new.keys()):
        how = _how(old.get(path), new.get(path))
        if how is not None:
            added, gone = _lines(_data(old.get(path)), _data(new.get(path)))
            files.append(ChangedFile(path, how, added, gone))
    touched = {item.path for item in files}
    known = {memory.id: memory for memory in before.memories}
    now = {memory.id: memory for memory in after.memories}
    changed = {
        memory_id
        for memory_id in known.keys() & now.keys()
        if (now[memory_id].span is None and now[memory_id].file in touched)
        or _says(known[memory_id]) != _says(now[memory_id])
    }
    return Changes(
        tuple(files),
        frozenset(now.keys() - known.keys()),
        frozenset(changed),
        frozenset(known.keys() - now.keys()),
    )


def expected_files(
    before: Snapshot, after: Snapshot, written: Iterable[Written]
) -> tuple[StoredFile, ...] | None:
    """The files that `after` would have if nobody but memtui had changed anything; None when it changed none.

    Where another program had changed a file between the look and our change, ours is put on what was looked
    at, so that only theirs is left as a difference.
    """
    files = dict(before.files)
    root = before.store.root
    mine = False
    for item in written:
        if not item.path.is_relative_to(root):
            continue
        mine = True
        name = item.path.relative_to(root).as_posix()
        seen, now = files.get(name), after.files.get(name)
        if item.after is None and not item.is_link:
            files.pop(name, None)
        elif item.is_link or item.after is None:
            if now is None:
                files.pop(name, None)
            else:
                files[name] = now
        else:
            known = now or seen or StoredFile(name, "file")
            files[name] = replace(
                known, kind="file", data=_on_what_was_seen(seen, item), link_target="", error=""
            )
    return tuple(files.values()) if mine else None


def _on_what_was_seen(seen: StoredFile | None, item: Written) -> bytes:
    assert item.after is not None
    data = _data(seen)
    if data is None or item.before is None or data == item.before:
        return item.after
    merged = merge(item.before, data, item.after)
    return item.after if merged.clash else merged.data


def _contents(files: Mapping[str, StoredFile]) -> dict[str, tuple[object, ...]]:
    return {path: _content(file) for path, file in files.items()}


def _content(file: StoredFile) -> tuple[object, ...]:
    return file.kind, file.data, file.link_target, file.error


def _how(before: StoredFile | None, after: StoredFile | None) -> How | None:
    was, there = _is_there(before), _is_there(after)
    if was != there:
        return "new" if there else "removed"
    if before is None or after is None or _content(before) == _content(after):
        return None
    return "changed"


def _is_there(file: StoredFile | None) -> bool:
    return file is not None and file.kind != "missing"


def _data(file: StoredFile | None) -> bytes | None:
    return None if file is None else file.data


def _lines(before: bytes | None, after: bytes | None) -> tuple[int, int]:
    old, new = Counter((before or b"").splitlines()), Counter((after or b"").splitlines())
    return (new - old).total(), (old - new).total()


def _says(memory: Memory) -> tuple[object, ...]:
    return memory.title, memory.description, memory.type, memory.hook, memory.state
