"""A new fact, byte for byte as the owner's own program writes it, and its index line."""

from __future__ import annotations

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Add, Draft, FileChange, Snapshot, StoredFile
from memtui.core.layouts.facts.change import splice_file
from memtui.core.layouts.facts.names import free_stem, is_cut, taken_names
from memtui.core.layouts.facts.scan import index_file, index_refusal
from memtui.core.layouts.index_file import require_type
from memtui.core.text import document as documents
from memtui.core.text import frontmatter as frontmatters
from memtui.core.text import index_lines
from memtui.core.text.index_edits import add_line
from memtui.core.text.links import SUFFIX, one_line
from memtui.i18n import _

NODE_TYPE = "memory"
"""The value of `metadata.node_type` in every fact (pi-and-zcode sheet B3)."""


def add(snapshot: Snapshot, edit: Add) -> Draft:
    """The file and the index line of a new memory; the index is made when there is none.

    The file's name is the title's kebab form, also its `name`; the link's text is the title as typed; the
    hook is the description unless another was given. Raises RefusedError.
    """
    profile = snapshot.store.profile
    title = one_line(edit.title)
    if not title:
        raise RefusedError(_("a memory needs a title"))
    if edit.topic or edit.group:
        raise RefusedError(_("this store keeps one fact a file: it has no topic files and no groups"))
    kind = edit.type or profile.default_type
    require_type(kind, profile)
    own_file = index_file(snapshot.files, profile)
    reason = index_refusal(snapshot.store, own_file)
    if reason:
        raise RefusedError(reason)
    named = [memory.file for memory in snapshot.memories]
    stem = free_stem(title, "", taken_names([*snapshot.files, *named], "", profile))
    description = one_line(edit.description)
    path = stem + SUFFIX
    values = {
        "name": stem,
        "description": description,
        "metadata.node_type": NODE_TYPE,
        "metadata.type": kind,
    }
    pairs = [(tuple(key.split(".")), values[key]) for key in profile.stamp if key in values]
    text = frontmatters.format_block(pairs, "\n") + _body(edit.body)
    hook = description if edit.hook is None else one_line(edit.hook)
    index = snapshot.index or index_lines.parse_bytes(b"")
    line = splice_file(own_file, [add_line(index, title, path, hook)])
    body = FileChange(path, StoredFile(path, "missing"), documents.encode(text))
    notes = (_("the title is too long for a file name, which holds only its start"),) if is_cut(title) else ()
    return Draft((body, line), _("added {file}").format(file=path), notes)


def _body(body: str) -> str:
    text = body.lstrip("\r\n")
    if not text.strip():
        return ""
    return "\n" + text + ("" if text.endswith("\n") else "\n")
