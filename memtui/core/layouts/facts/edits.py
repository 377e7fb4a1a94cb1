"""Edits of a facts store: the one way in, what a person saw when they decided, and whole texts."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import (
    Add,
    Discard,
    Draft,
    Edit,
    FileChange,
    Memory,
    Redact,
    Refusal,
    Relist,
    Remove,
    Rename,
    Reshape,
    SetField,
    SetIndex,
    SetText,
    Snapshot,
    StoredFile,
    digest,
)
from memtui.core.layouts.facts.add import add
from memtui.core.layouts.facts.change import require_index
from memtui.core.layouts.facts.fields import field_value, set_field
from memtui.core.layouts.facts.relist import relist
from memtui.core.layouts.facts.removing import remove, remove_all
from memtui.core.layouts.facts.rename import rename
from memtui.core.layouts.facts.reshape import reshape
from memtui.core.layouts.facts.scan import body_start, index_file
from memtui.core.layouts.many import one_by_one, plain_removals, plain_types
from memtui.core.layouts.mends import discard
from memtui.core.layouts.redaction import redacted
from memtui.core.layouts.whole_texts import merged_text
from memtui.core.text import document as documents
from memtui.i18n import _

_GONE = digest(b"gone")


def edit(snapshot: Snapshot, wish: Edit) -> Draft | Refusal:
    """The new bytes that an edit means, or why it cannot be. Never raises on content."""
    if not snapshot.store.writable:
        return Refusal(_("{path} is read-only").format(path=snapshot.store.root))
    try:
        if isinstance(wish, Redact):
            return redacted(snapshot, wish)
        if isinstance(wish, Add):
            return add(snapshot, wish)
        if isinstance(wish, SetIndex):
            return _set_index(snapshot, wish)
        if isinstance(wish, Relist):
            return relist(snapshot, wish)
        if isinstance(wish, Reshape):
            return reshape(snapshot, wish)
        if isinstance(wish, Discard):
            return discard(snapshot, wish.paths)
        memory = snapshot.memory(wish.memory_id)
        if memory is None:
            return Refusal(_("{memory} is gone").format(memory=wish.memory_id), conflict=True)
        if isinstance(wish, Remove):
            return remove(snapshot, memory, wish)
        if isinstance(wish, SetField):
            return set_field(snapshot, memory, wish.field, wish.value)
        if isinstance(wish, SetText):
            return _set_text(snapshot, memory, wish)
        if isinstance(wish, Rename):
            return rename(snapshot, memory, wish.name)
        return Refusal(_("{owner} knows nothing like that").format(owner=snapshot.store.owner))
    except RefusedError as error:
        return Refusal(error.message)


def edit_many(snapshot: Snapshot, wishes: Sequence[Edit]) -> Sequence[Draft] | Refusal | None:
    """Removing, or giving another type to, many facts at once (`EditsMany`)."""
    if snapshot.store.writable and (removals := plain_removals(wishes)):
        known = {memory.id: memory for memory in snapshot.memories}
        gone = [wish.memory_id for wish in removals if wish.memory_id not in known]
        if gone:
            return Refusal(_("{memory} is gone").format(memory=gone[0]), conflict=True)
        try:
            return remove_all(snapshot, [known[wish.memory_id] for wish in removals])
        except RefusedError as error:
            return Refusal(error.message)
    return one_by_one(edit, snapshot, plain_types(wishes))


def seen(snapshot: Snapshot, wish: Edit) -> str:
    """A digest of what this edit is about; '' when it is about nothing that was there.

    Removing: the file's bytes and its index lines (or the one line); a field: its value; a text without a
    base: that text; a rename: that the memory is there. A text with a base is merged instead.
    """
    if isinstance(wish, Add | Discard | Redact):
        return ""
    if isinstance(wish, Relist):
        return _file_digest(index_file(snapshot.files, snapshot.store.profile))
    if isinstance(wish, SetIndex):
        return "" if wish.base is not None else _file_digest(index_file(snapshot.files, snapshot.store.profile))
    if isinstance(wish, Reshape):
        return _file_digest(snapshot.files.get(wish.path))
    memory = snapshot.memory(wish.memory_id)
    if memory is None:
        return _GONE
    file = snapshot.files.get(memory.file)
    if isinstance(wish, Remove):
        if wish.line is not None:
            return digest(_line_bytes(snapshot, wish.line))
        lines = b"\n".join(_line_bytes(snapshot, line) for line in memory.index_lines)
        return digest(_file_digest(file).encode() + b"\n" + lines)
    if isinstance(wish, SetField):
        return digest(documents.encode(field_value(snapshot, memory, wish.field)))
    if isinstance(wish, SetText):
        return "" if wish.base is not None else _file_digest(file)
    return digest(b"there")


def _file_digest(file: StoredFile | None) -> str:
    if file is None or file.kind == "missing":
        return _GONE
    if file.kind == "symlink":
        return digest(b"symlink\n" + documents.encode(file.link_target))
    return digest(file.data if file.data is not None else file.kind.encode())


def _line_bytes(snapshot: Snapshot, number: int) -> bytes:
    lines = snapshot.index.document.lines if snapshot.index else ()
    if not 1 <= number <= len(lines):
        return b""
    line = lines[number - 1]
    return line.text.encode("utf-8", "surrogateescape")


def _set_text(snapshot: Snapshot, memory: Memory, edit: SetText) -> Draft | Refusal:
    if "edit" in memory.why_not:
        raise RefusedError(_("{file}: {reason}").format(file=memory.file, reason=memory.why_not["edit"]))
    file = snapshot.files[memory.file]
    data = file.data or b""
    start = body_start(data, snapshot.frontmatters[file.path]) if edit.part == "body" else 0
    merged = merged_text(edit, data[start:], memory.file)
    if isinstance(merged, Refusal):
        return merged
    after = merged if edit.part == "text" else _with_body(snapshot, file, start, merged)
    return Draft((FileChange(file.path, file, after),), _("edited {file}").format(file=memory.file))


def _with_body(snapshot: Snapshot, file: StoredFile, start: int, body: bytes) -> bytes:
    """The file with another body: a blank line stays (or comes) before it, and a line end behind it."""
    data = file.data or b""
    block = snapshot.frontmatters[file.path]
    head = data[:start]
    eol = documents.parse(data).newline.encode()
    if body and block.close_line and start == block.body_start and not data[start:]:
        head += (b"" if head.endswith(b"\n") else eol) + eol
    if body and not body.endswith(b"\n") and (data.endswith(b"\n") or not data[start:]):
        body += eol
    return head + body


def _set_index(snapshot: Snapshot, edit: SetIndex) -> Draft | Refusal:
    file = index_file(snapshot.files, snapshot.store.profile)
    if file.kind == "missing":
        current = b""
    else:
        index, file = require_index(snapshot)
        current = index.document.raw
        if index.document.bad_utf8_at is not None:
            raise RefusedError(
                _("{file} is not UTF-8 at byte {offset}: convert it first").format(
                    file=file.path, offset=index.document.bad_utf8_at
                )
            )
    merged = merged_text(edit, current, file.path)
    if isinstance(merged, Refusal):
        return merged
    return Draft((FileChange(file.path, file, merged),), _("edited {file}").format(file=file.path))
