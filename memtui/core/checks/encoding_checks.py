"""Problems of bytes: text that is not UTF-8, files that cannot be read, line ends an owner stumbles over."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.core.layouts.base import Problem, Snapshot, StoredFile
from memtui.i18n import _


def _texts(snapshot: Snapshot) -> Iterator[tuple[StoredFile, bytes, str | None]]:
    """The index and every file with memories: the file, its bytes, and the memory's id where it is one."""
    owners = {memory.file: memory.id for memory in snapshot.memories if memory.span is None}
    names = dict.fromkeys((snapshot.store.profile.index_name, *(memory.file for memory in snapshot.memories)))
    for name in names:
        file = snapshot.files.get(name)
        if file is not None and file.data is not None:
            yield file, file.data, owners.get(name)


def not_utf8(snapshot: Snapshot) -> Iterator[Problem]:
    """Files with a byte that is not UTF-8: agents read it as U+FFFD or refuse the file.

    Where the layout itself has said what its owner does with such a file, nothing is added.
    """
    told = {problem.file for problem in snapshot.problems if problem.code == "not-utf8"}
    for file, data, memory in _texts(snapshot):
        if data.isascii() or file.path in told:
            continue
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            message = _("not UTF-8 at byte {position}: the agent sees a replacement sign there")
            line = data.count(b"\n", 0, error.start) + 1
            yield Problem("not-utf8", "warning", message.format(position=error.start), memory, file.path, line)


def unreadable(snapshot: Snapshot) -> Iterator[Problem]:
    """Names that should be memories and cannot be read; the index is judged with the index."""
    owners = {memory.file: memory.id for memory in snapshot.memories}
    told = {snapshot.store.profile.index_name}
    if any(code == "unreadable" for code, _sentence in snapshot.store.findings):
        told.add(".")
    for file in snapshot.files.values():
        if file.path in told:
            continue
        if file.kind == "unreadable" or (file.kind in ("dir", "other") and file.path in owners):
            reason = file.error or _("it is not a regular file")
            text = _("cannot be read: {reason}").format(reason=reason)
            yield Problem("unreadable", "error", text, owners.get(file.path), file.path)


def line_ends(snapshot: Snapshot) -> Iterator[Problem]:
    """CRLF and a missing last line end, only where the owner's own reader or writer stumbles over them.

    Where the layout itself has said what its owner makes of the line ends, nothing is added.
    """
    minds = snapshot.store.profile.minds
    if not minds:
        return
    told = {problem.file for problem in snapshot.problems if problem.code == "crlf"}
    for file, data, memory in _texts(snapshot):
        if "crlf" in minds and b"\r\n" in data and file.path not in told:
            line = data.count(b"\n", 0, data.index(b"\r\n")) + 1
            text = _("line ends are CRLF: the owner's program reads them as part of the text")
            yield Problem("crlf", "note", text, memory, file.path, line)
        if "no-final-newline" in minds and data and not data.endswith(b"\n"):
            text = _("no line end at the end: what the owner's program appends is glued to the last line")
            yield Problem("no-final-newline", "note", text, memory, file.path, data.count(b"\n") + 1)


CHECKS = (unreadable, not_utf8, line_ends)
"""The checks of this family."""
