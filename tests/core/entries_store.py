"""An entries store in memory for tests: files as bytes, edits applied to them, limits of one's own."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from memtui.core.layouts.base import Draft, Edit, Refusal, Snapshot, Store, StoredFile
from memtui.core.layouts.entries.layout import ENTRIES
from memtui.core.layouts.owners import PROFILES

Content = bytes | str | StoredFile
D = "\n\u00a7\n"
"""The delimiter."""


def store_of(owner: str = "amaster", limit: int | None = None, **changes: object) -> Store:
    """A used store of this owner at a path that does not exist; `limit` in place of both its limits."""
    profile = PROFILES[owner]
    if limit is not None:
        limits = tuple(dataclasses.replace(item, limit=limit) for item in profile.limits)
        profile = dataclasses.replace(profile, limits=limits)
    store = Store("s1", Path("/nowhere/memories"), profile, exists=True, used=True, reason="test")
    return dataclasses.replace(store, **changes)  # type: ignore[arg-type]


def snap(files: Mapping[str, Content] | Content, owner: str = "amaster", **changes: object) -> Snapshot:
    """A snapshot of these files, or of MEMORY.md alone; text is encoded."""
    if not isinstance(files, Mapping):
        files = {"MEMORY.md": files}
    stored = []
    for path, content in files.items():
        if isinstance(content, StoredFile):
            stored.append(dataclasses.replace(content, path=path))
        else:
            data = content.encode() if isinstance(content, str) else content
            stored.append(StoredFile(path, "file", data))
    return ENTRIES.scan(store_of(owner, **changes), stored)


def texts(snapshot: Snapshot, group: str = "memory") -> list[str]:
    """The exact sources of a group's entries in order."""
    found = [ENTRIES.text(snapshot, item.id) for item in snapshot.memories if item.group == group]
    return [item.text.decode("utf-8", "surrogateescape") for item in found if item is not None]


def id_of(snapshot: Snapshot, title: str) -> str:
    """The id of the first memory with this title."""
    return next(memory.id for memory in snapshot.memories if memory.title == title)


def drafted(snapshot: Snapshot, edit: Edit) -> Draft:
    """The draft of an edit that must not be refused."""
    result = ENTRIES.edit(snapshot, edit)
    assert isinstance(result, Draft), result
    return result


def refused(snapshot: Snapshot, edit: Edit) -> Refusal:
    """The refusal of an edit that must be refused."""
    result = ENTRIES.edit(snapshot, edit)
    assert isinstance(result, Refusal), result
    return result


def tree(snapshot: Snapshot) -> dict[str, bytes]:
    """The bytes of all files that were read."""
    return {path: file.data for path, file in snapshot.files.items() if file.data is not None}


def applied(snapshot: Snapshot, draft: Draft) -> dict[str, bytes]:
    """The bytes of all files once a draft is carried out."""
    files = tree(snapshot)
    for change in draft.changes:
        if change.after is None:
            files.pop(change.path, None)
        else:
            files[change.path] = change.after
    return files


def after(snapshot: Snapshot, edit: Edit, path: str = "MEMORY.md") -> str:
    """The text of a file once the edit is done."""
    return applied(snapshot, drafted(snapshot, edit))[path].decode()


def codes(snapshot: Snapshot) -> list[str]:
    """The codes of the layout's own problems, in order."""
    return [problem.code for problem in snapshot.problems]
