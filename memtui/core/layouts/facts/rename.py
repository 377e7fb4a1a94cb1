"""A fact's own name: its file, what names it in index and texts, and its `name` where that said the same."""

from __future__ import annotations

import posixpath

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FileChange, Memory, Snapshot, StoredFile
from memtui.core.layouts.facts.change import named_in, require_index, splice_file
from memtui.core.layouts.facts.names import is_taken, kebab, stem_of, taken_names, wiki_forms
from memtui.core.layouts.facts.wiki import is_shared, left_alone, other_files, wiki_splices
from memtui.core.text import document as documents
from memtui.core.text import frontmatter as frontmatters
from memtui.core.text.document import Splice
from memtui.core.text.index_edits import set_target
from memtui.core.text.links import SUFFIX
from memtui.i18n import _


def rename(snapshot: Snapshot, memory: Memory, name: str) -> Draft:
    """A draft that gives a fact another file name in the same folder.

    The new name is the kebab form of `name`; one that is taken (upper and lower case not told apart) is
    refused. Links in other files and the index follow, `[[old]]` unless another memory bears the old name too.
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
    shared = is_shared(snapshot, memory)
    if shared:
        notes.append(left_alone(memory))
    forms = frozenset() if shared else wiki_forms(old)
    own = _own_splices(snapshot, file, stem) + wiki_splices(file.data or b"", forms, old, new)
    moved = splice_file(file, own)
    changes = [FileChange(new, StoredFile(new, "missing", mode=file.mode), moved.after)]
    changes += other_files(snapshot, old, new, forms, notes)
    changes += _index_change(snapshot, memory, new, forms)
    changes.append(FileChange(old, file, None))
    return Draft(tuple(changes), summary, tuple(notes))


def _own_splices(snapshot: Snapshot, file: StoredFile, stem: str) -> list[Splice]:
    block = snapshot.frontmatters[file.path]
    if block.state in ("none", "unclosed") or block.get("name") != stem_of(file.path):
        return []
    return frontmatters.set_value(documents.parse(file.data or b""), block, ("name",), stem)


def _index_change(snapshot: Snapshot, memory: Memory, new: str, forms: frozenset[str]) -> list[FileChange]:
    where = named_in(snapshot, memory)
    if snapshot.index is None:
        return []
    index, file = require_index(snapshot)
    splices: list[Splice] = []
    for place in where:
        splices += set_target(index, place.line, place.position, new)
    splices += wiki_splices(index.document.raw, forms, memory.file, new)
    return [splice_file(file, splices)] if splices else []
