"""A facts store in memory for tests: files as bytes, edits applied to them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

from memtui.core.layouts.base import Draft, Edit, Refusal, Snapshot, Store, StoredFile
from memtui.core.layouts.facts.layout import FACTS
from memtui.core.layouts.owners import PROFILES

Content = bytes | str | StoredFile


def store_of(owner: str = "zcode", **changes: object) -> Store:
    """A used store of this owner at a path that does not exist."""
    store = Store("s1", Path("/nowhere/memory"), PROFILES[owner], exists=True, used=True, reason="test")
    return dataclasses.replace(store, **changes)  # type: ignore[arg-type]


def snap(files: Mapping[str, Content], owner: str = "zcode", **changes: object) -> Snapshot:
    """A snapshot of these files; text is encoded, a StoredFile stands for itself."""
    return FACTS.scan(store_of(owner, **changes), [stored(path, content) for path, content in files.items()])


def stored(path: str, content: Content) -> StoredFile:
    """One file as the reader would give it."""
    if isinstance(content, StoredFile):
        return dataclasses.replace(content, path=path)
    return StoredFile(path, "file", content.encode() if isinstance(content, str) else content)


def drafted(snapshot: Snapshot, edit: Edit) -> Draft:
    """The draft of an edit that must not be refused."""
    result = FACTS.edit(snapshot, edit)
    assert isinstance(result, Draft), result
    return result


def refused(snapshot: Snapshot, edit: Edit) -> Refusal:
    """The refusal of an edit that must be refused."""
    result = FACTS.edit(snapshot, edit)
    assert isinstance(result, Refusal), result
    return result


def tree(snapshot: Snapshot) -> dict[str, bytes]:
    """The bytes of all files that were read."""
    return {path: file.data for path, file in snapshot.files.items() if file.data is not None}


def after(snapshot: Snapshot, edit: Edit) -> dict[str, bytes]:
    """The bytes of all files once the edit is done."""
    files = tree(snapshot)
    for change in drafted(snapshot, edit).changes:
        assert change.before == snapshot.files.get(change.path, change.before)
        if change.after is None:
            files.pop(change.path, None)
        else:
            files[change.path] = change.after
    return files


def again(snapshot: Snapshot, edit: Edit) -> Snapshot:
    """The snapshot once the edit is done."""
    return FACTS.scan(snapshot.store, [stored(path, data) for path, data in after(snapshot, edit).items()])
