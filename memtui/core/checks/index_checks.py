"""Problems between the index and the files: what the agent is told about that is not there, and the reverse.

Cases: public reports of dead lines, orphans, doubled lines and links that leave the directory; the manual
index of ZCode (pi-and-zcode sheet B2) is what makes them common.
"""

from __future__ import annotations

from collections.abc import Iterator

from memtui.core.layouts.base import Memory, Problem, Severity, Snapshot
from memtui.i18n import _


def no_index(snapshot: Snapshot) -> Iterator[Problem]:
    """Memories, but no index that the agent could load."""
    name = snapshot.store.profile.index_name
    if not name or not snapshot.store.exists:
        return
    file = snapshot.files.get(name)
    if file is not None and file.kind != "missing":
        if file.kind == "symlink":
            message = _("{index} is a symlink to {target}: memtui does not follow it and does not change it")
            text = message.format(index=name, target=file.link_target)
            yield Problem("symlink", "warning", text, file=name)
        elif file.data is None:
            message = _("{index} cannot be read ({reason}): the agent loads nothing")
            reason = file.error or _("it is not a regular file")
            yield Problem("unreadable", "error", message.format(index=name, reason=reason), file=name)
    elif snapshot.memories:
        message = _("no {index}: the agent loads nothing")
        yield Problem("no-index", "error", message.format(index=name), file=name)


def lines(snapshot: Snapshot) -> Iterator[Problem]:
    """Index lines that lead nowhere, leave the directory, name a file twice or lie beyond the cut."""
    name = snapshot.store.profile.index_name
    for memory in snapshot.memories:
        if memory.state == "missing":
            message = _("file missing: {index} names {file}, which the agent cannot read")
            yield from _for_lines(snapshot, "dead-link", "error", memory, message)
        elif memory.state == "outside":
            message = _("outside the memory directory: memtui neither opens nor changes {file}")
            yield from _for_lines(snapshot, "outside", "warning", memory, message)
        elif memory.index_lines and not memory.loaded and snapshot.store.loads:
            message = _("not loaded: this line is beyond what the agent loads of {index}")
            yield from _for_lines(snapshot, "not-loaded", "warning", memory, message)
        if len(memory.index_lines) > 1 and memory.state != "outside":
            numbers = ", ".join(str(number) for number in memory.index_lines)
            message = _("lines {numbers} of {index} point to one file, {file}")
            text = message.format(numbers=numbers, index=name, file=memory.file)
            for number in memory.index_lines:
                yield Problem("duplicate-line", "warning", text, memory.id, name, number)


def _for_lines(
    snapshot: Snapshot, code: str, severity: Severity, memory: Memory, message: str
) -> Iterator[Problem]:
    name = snapshot.store.profile.index_name
    text = message.format(index=name, file=memory.file)
    for number in memory.index_lines or (None,):
        yield Problem(code, severity, text, memory.id, name, number)


def files(snapshot: Snapshot) -> Iterator[Problem]:
    """Files that no index line names, and links instead of files."""
    index = snapshot.files.get(snapshot.store.profile.index_name)
    has_index = index is not None and index.data is not None
    for memory in snapshot.memories:
        if memory.state == "symlink":
            message = _("a symlink to {target}: its text is elsewhere, memtui only ever removes the link")
            text = message.format(target=memory.link_target)
            yield Problem("symlink", "warning", text, memory.id, memory.file)
        elif memory.state in ("ok", "unreadable") and has_index and not memory.index_lines:
            yield Problem(
                "orphan", "warning", _("not in index: the agent is not told of it"), memory.id, memory.file
            )


def long_lines(snapshot: Snapshot) -> Iterator[Problem]:
    """Index lines longer than the owner advises, in UTF-16 units as it counts."""
    limit = snapshot.store.profile.long_line_units
    if limit is None or snapshot.index is None:
        return
    owners = {number: memory.id for memory in snapshot.memories for number in memory.index_lines}
    rows = snapshot.index.document.lines
    for line in snapshot.index.lines:
        text = rows[line.number - 1].text
        length = len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
        if length > limit:
            message = _("this line has {length:,} UTF-16 units, the owner advises at most {limit:,}")
            yield Problem(
                "long-line",
                "note",
                message.format(length=length, limit=limit),
                owners.get(line.number),
                snapshot.store.profile.index_name,
                line.number,
            )


CHECKS = (no_index, lines, files, long_lines)
"""The checks of this family."""
