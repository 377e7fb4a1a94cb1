"""What layouts with an index of `- [name](file) — hook` lines share: guards, one line less, a new text."""

from __future__ import annotations

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FileChange, Memory, Profile, Refusal, SetIndex, Snapshot, StoredFile
from memtui.core.layouts.whole_texts import merged_text
from memtui.core.text import document as documents
from memtui.i18n import _


def index_file(snapshot: Snapshot) -> StoredFile:
    """The index as read, or to be made. Raises RefusedError when it cannot be written."""
    name = snapshot.store.profile.index_name
    file = snapshot.files.get(name) or StoredFile(name, "missing")
    if file.kind not in ("file", "missing") or (file.kind == "file" and file.data is None):
        reason = file.error or _("it is a symlink to {target}").format(target=file.link_target)
        raise RefusedError(_("{index} cannot be written: {reason}").format(index=name, reason=reason))
    bad_at = documents.parse(file.data or b"").bad_utf8_at
    if bad_at is not None:
        raise RefusedError(
            _("{file} is not UTF-8 at byte {offset}: convert it first").format(file=name, offset=bad_at)
        )
    return file


def remove_line(snapshot: Snapshot, memory: Memory, number: int, title: str) -> Draft:
    """The index without one line (from 1) of a memory. Raises RefusedError when the line is not one of them."""
    if number not in memory.index_lines:
        message = _("line {line} of {index} does not name {memory}")
        index_name = snapshot.store.profile.index_name
        raise RefusedError(message.format(line=number, index=index_name, memory=memory.id))
    file = index_file(snapshot)
    lines = (file.data or b"").split(b"\n")
    del lines[number - 1]
    summary = _("removed an index line of {title}").format(title=title)
    return Draft((FileChange(file.path, file, b"\n".join(lines)),), summary)


def set_index(snapshot: Snapshot, wish: SetIndex) -> Draft | Refusal:
    """The index with a text that came back from an editor. Raises RefusedError."""
    file = index_file(snapshot)
    merged = merged_text(wish, file.data or b"", file.path)
    if isinstance(merged, Refusal):
        return merged
    return Draft((FileChange(file.path, file, merged),), _("edited {file}").format(file=file.path))


def require_type(kind: str, profile: Profile) -> None:
    """Raises RefusedError when the owner does not know this type."""
    if kind not in profile.types:
        raise RefusedError(
            _("{owner} does not know the type {type}: it knows {types}").format(
                owner=profile.owner, type=kind, types=", ".join(profile.types)
            )
        )
