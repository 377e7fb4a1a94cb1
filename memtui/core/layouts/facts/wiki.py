"""`[[links]]` that name a fact, and what they become when it bears another name or another one has its text."""

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


def other_files(
    snapshot: Snapshot, old: str, new: str, forms: Collection[str], notes: list[str]
) -> list[FileChange]:
    """The other facts with their `[[links]]` to `old` naming `new`; `notes` gets why one stays as it is."""
    changes = []
    for path in sorted(snapshot.frontmatters):
        other = snapshot.files[path]
        splices = wiki_splices(other.data or b"", forms, old, new) if path != old else []
        if splices:
            try:
                changes.append(splice_file(other, splices))
            except RefusedError as error:
                notes.append(error.message)
    return changes
