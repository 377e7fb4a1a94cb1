"""What every edit of a facts store needs: the index or a refusal, and splices that never re-encode a file."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import FileChange, Memory, Snapshot, StoredFile
from memtui.core.layouts.facts.scan import Place, index_file, index_refusal, places
from memtui.core.text import document as documents
from memtui.core.text.document import Splice
from memtui.core.text.index_lines import Index
from memtui.i18n import _


def named_in(snapshot: Snapshot, memory: Memory) -> list[Place]:
    """Where the index names a memory. Raises RefusedError when the index is there but cannot be worked on."""
    file = index_file(snapshot.files, snapshot.store.profile)
    if file.kind not in ("missing", "dir"):
        require_index(snapshot)
    return places(snapshot.index, snapshot.files, snapshot.store.profile).get(memory.file, [])


def require_index(snapshot: Snapshot) -> tuple[Index, StoredFile]:
    """The index and its file. Raises RefusedError when it cannot be written, or is not there."""
    file = index_file(snapshot.files, snapshot.store.profile)
    reason = index_refusal(snapshot.store, file)
    if reason:
        raise RefusedError(reason)
    if snapshot.index is None:
        raise RefusedError(_("there is no {index}").format(index=file.path))
    return snapshot.index, file


def splice_file(file: StoredFile, splices: Iterable[Splice]) -> FileChange:
    """The file with the splices applied.

    Raises RefusedError when the file is not UTF-8 and the new text would mix two encodings in it.
    """
    data = file.data or b""
    items = list(splices)
    if any(item.new for item in items):
        offset = documents.parse(data).bad_utf8_at
        is_mixed = b"\x00" in data or any(not item.new.isascii() for item in items)
        if offset is not None and is_mixed:
            raise RefusedError(
                _("{file} is not UTF-8 at byte {offset}: convert it first").format(
                    file=file.path, offset=offset
                )
            )
    return FileChange(file.path, file, documents.splice(data, items))
