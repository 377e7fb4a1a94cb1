"""A fact's own name: its file, what names it in index and texts, and its `name` where that said the same."""

from __future__ import annotations

import posixpath

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FileChange, Memory, Snapshot, StoredFile
from memtui.core.layouts.facts.change import named_in, require_index, splice_file
from memtui.core.layouts.facts.names import is_taken, kebab, stem_of, taken_names, wiki_forms
from memtui.core.text import document as documents
from memtui.core.text import frontmatter as frontmatters
from memtui.core.text import index_lines
from memtui.core.text.document import Splice
from memtui.core.text.index_edits import set_target
from memtui.core.text.links import SUFFIX
from memtui.i18n import _


def rename(snapshot: Snapshot, memory: Memory, name: str) -> Draft:
    """A draft that gives a fact another file name in the same folder.

    The new name is the kebab form of `name`; one that is taken (upper and lower case not told apart) is
    refused. `[[old]]` in other files and the index follows, unless another memory bears the old name too.
    Raises RefusedError.
    """
    if "rename" in memory.why_not:
        raise RefusedError(_("{file}: {reason}").format(file=memory.file, reason=memory.why_not["rename"]))
    old = memory.file
    folder = posixpath.dirname(old)
    stem = kebab(name.strip().removesuffix(SUFFIX))
    if not stem:
        raise RefusedError(_('"{name}" holds no letter or digit to make a file name of').format(name=name))
    new = posixpath.join(folder, stem + SUFFIX)
    summary = _("renamed {old} to {new}").format(old=old, new=new)
    if new == old:
        return Draft((), summary)
    others = [path for path in snapshot.files if path != old]
    named = [other.file for other in snapshot.memories if other.id != memory.id]
    if is_taken(stem, folder, taken_names([*others, *named], folder, snapshot.store.profile)):
        raise RefusedError(_("the name {name} is taken").format(name=new))
    file = snapshot.files[old]
    notes: list[str] = []
    is_shared = _is_shared(snapshot, memory)
    if is_shared:
        notes.append(
            _("another memory is called {name} too: [[links]] were left alone").format(name=stem_of(old))
        )
    forms = frozenset() if is_shared else wiki_forms(old)
    own = _own_splices(snapshot, file, stem) + _wiki_splices(file.data or b"", forms, stem)
    moved = splice_file(file, own)
    changes = [FileChange(new, StoredFile(new, "missing", mode=file.mode), moved.after)]
    changes += _other_files(snapshot, old, forms, stem, notes)
    changes += _index_change(snapshot, memory, new, forms, stem)
    changes.append(FileChange(old, file, None))
    return Draft(tuple(changes), summary, tuple(notes))


def _own_splices(snapshot: Snapshot, file: StoredFile, stem: str) -> list[Splice]:
    block = snapshot.frontmatters[file.path]
    if block.state in ("none", "unclosed") or block.get("name") != stem_of(file.path):
        return []
    return frontmatters.set_value(documents.parse(file.data or b""), block, ("name",), stem)


def _is_shared(snapshot: Snapshot, memory: Memory) -> bool:
    stem = stem_of(memory.file).casefold()
    for other in snapshot.memories:
        if other.id == memory.id or other.state == "outside":
            continue
        block = snapshot.frontmatters.get(other.file)
        name = (block.get("name") or "") if block is not None else ""
        if stem in (stem_of(other.file).casefold(), name.casefold()):
            return True
    return False


def _wiki_splices(data: bytes, forms: frozenset[str], stem: str) -> list[Splice]:
    if not forms or b"[[" not in data:
        return []
    document = documents.parse(data)
    splices = []
    for link in index_lines.parse(document).wiki_links:
        if link.name.casefold() in forms:
            folder = posixpath.dirname(link.name)
            suffix = SUFFIX if link.name.endswith(SUFFIX) else ""
            start, end = link.span
            raw = data[start:end]
            padding = (raw[: len(raw) - len(raw.lstrip())], raw[len(raw.rstrip()) :])
            new = documents.encode(posixpath.join(folder, stem) + suffix)
            splices.append(Splice(start, end, padding[0] + new + padding[1]))
    return splices


def _other_files(
    snapshot: Snapshot, old: str, forms: frozenset[str], stem: str, notes: list[str]
) -> list[FileChange]:
    changes = []
    for path in sorted(snapshot.frontmatters):
        other = snapshot.files[path]
        splices = _wiki_splices(other.data or b"", forms, stem) if path != old else []
        if splices:
            try:
                changes.append(splice_file(other, splices))
            except RefusedError as error:
                notes.append(error.message)
    return changes


def _index_change(
    snapshot: Snapshot, memory: Memory, new: str, forms: frozenset[str], stem: str
) -> list[FileChange]:
    where = named_in(snapshot, memory)
    if snapshot.index is None:
        return []
    index, file = require_index(snapshot)
    splices: list[Splice] = []
    for place in where:
        splices += set_target(index, place.line, place.position, new)
    splices += _wiki_splices(index.document.raw, forms, stem)
    return [splice_file(file, splices)] if splices else []
