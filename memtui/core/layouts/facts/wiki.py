"""Links that name a fact, and what they become when it bears another name or another one has its text."""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import FileChange, Memory, Snapshot
from memtui.core.layouts.facts.change import splice_file
from memtui.core.layouts.facts.names import stem_of
from memtui.core.text import document as documents
from memtui.core.text import index_lines
from memtui.core.text.document import Splice
from memtui.core.text.index_edits import set_target
from memtui.core.text.links import SUFFIX
from memtui.i18n import _


def is_shared(snapshot: Snapshot, memory: Memory) -> bool:
    """Whether another memory bears the same name too, so that a `[[link]]` may mean either."""
    stem = stem_of(memory.file).casefold()
    for other in snapshot.memories:
        if other.id == memory.id or other.state == "outside":
            continue
        block = snapshot.frontmatters.get(other.file)
        name = (block.get("name") or "") if block is not None else ""
        if stem in (stem_of(other.file).casefold(), name.casefold()):
            return True
    return False


def left_alone(memory: Memory) -> str:
    """The note for links that may mean another memory."""
    return _("another memory is called {name} too: [[links]] were left alone").format(name=stem_of(memory.file))


def wiki_splices(data: bytes, forms: Collection[str], old: str, new: str) -> list[Splice]:
    """The `[[links]]` of a text that have one of these forms (`names.wiki_forms` of the path `old`), with the
    path `new` in their place: each with or without folder and suffix, as it was."""
    if not forms or b"[[" not in data:
        return []
    moves = posixpath.dirname(old) != posixpath.dirname(new)
    document = documents.parse(data)
    splices = []
    for link in index_lines.parse(document).wiki_links:
        if link.name.casefold() in forms:
            folder = posixpath.dirname(link.name)
            if folder and moves:
                folder = posixpath.dirname(new)
            suffix = SUFFIX if link.name.endswith(SUFFIX) else ""
            start, end = link.span
            raw = data[start:end]
            padding = (raw[: len(raw) - len(raw.lstrip())], raw[len(raw.rstrip()) :])
            target = documents.encode(posixpath.join(folder, stem_of(new)) + suffix)
            splices.append(Splice(start, end, padding[0] + target + padding[1]))
    return splices


def path_splices(data: bytes, path: str, old: str, new: str) -> list[Splice]:
    """The `[links](to.md)` in the text of the file `path` that lead to `old`, leading to `new`: these are
    paths as seen from the store's root."""
    if b"](" not in data:
        return []
    folder = posixpath.dirname(path)
    target = posixpath.relpath(new, folder or ".")
    index = index_lines.parse(documents.parse(data))
    return [
        splice
        for line, position, link in index.links()
        if old in (posixpath.normpath(posixpath.join(folder, way)) for way in (link.target, link.literal))
        for splice in set_target(index, line, position, target)
    ]


def apart(splices: list[Splice], others: list[Splice]) -> list[Splice]:
    """The splices, and of the others those that touch none of them."""
    free = [s for s in others if not any(s.start < taken.end and taken.start < s.end for taken in splices)]
    return [*splices, *free]


def other_files(
    snapshot: Snapshot, old: str, new: str, forms: Collection[str], notes: list[str]
) -> list[FileChange]:
    """The other facts with their links to `old` leading to `new`; `notes` gets why one stays as it is."""
    changes = []
    for path in sorted(snapshot.frontmatters):
        other = snapshot.files[path]
        data = other.data or b""
        if path == old:
            continue
        splices = apart(path_splices(data, path, old, new), wiki_splices(data, forms, old, new))
        if splices:
            try:
                changes.append(splice_file(other, splices))
            except RefusedError as error:
                notes.append(error.message)
    return changes
