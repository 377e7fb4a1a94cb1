"""A new fact, byte for byte as the owner's own program writes it, and its index line."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Add, Draft, FileChange, Snapshot, StoredFile
from memtui.core.layouts.facts.change import splice_file
from memtui.core.layouts.facts.names import (
    free_path,
    free_stem,
    is_behind_symlink,
    is_cut,
    stem_of,
    taken_names,
)
from memtui.core.layouts.facts.scan import index_file, index_refusal
from memtui.core.layouts.index_file import require_type
from memtui.core.text import document as documents
from memtui.core.text import frontmatter as frontmatters
from memtui.core.text import index_lines
from memtui.core.text.index_edits import add_lines, rows_in_style
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
    if edit.original is not None:
        return _add_originals(snapshot, (edit, *edit.also))
    kind = edit.type or profile.default_type
    require_type(kind, profile)
    stem = free_stem(title, "", taken_names(_known_paths(snapshot), "", profile))
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
    body = FileChange(path, StoredFile(path, "missing"), documents.encode(text))
    notes = (_("the title is too long for a file name, which holds only its start"),) if is_cut(title) else ()
    return Draft((body, _index_with(snapshot, [(edit, path)])), _("added {file}").format(file=path), notes)


def _add_originals(snapshot: Snapshot, edits: Sequence[Add]) -> Draft:
    """The files as they were in another store; where a name is taken, under another one, which the file's own
    `name` follows where that said the same."""
    taken: dict[str, set[str]] = {}
    bodies: list[FileChange] = []
    notes: list[str] = []
    for edit in edits:
        original = edit.original
        if original is None:
            raise RefusedError(_("{title} has no file that could be taken over").format(title=edit.title))
        path, data = original.path, original.data
        if is_behind_symlink(path, snapshot.files):
            path = posixpath.basename(path)
        folder = posixpath.dirname(path)
        if folder not in taken:
            known = [*_known_paths(snapshot), *(body.path for body in bodies)]
            taken[folder] = taken_names(known, folder, snapshot.store.profile)
        free = free_path(path, taken[folder])
        taken[folder] |= taken_names([free], folder, snapshot.store.profile)
        if free != path:
            data = _renamed(data, stem_of(path), stem_of(free))
            text = _("{file} is another memory here: this one is called {new}")
            notes.append(text.format(file=path, new=free))
        bodies.append(FileChange(free, StoredFile(free, "missing", mode=original.mode), data))
    index = _index_with(snapshot, [(edit, body.path) for edit, body in zip(edits, bodies, strict=True)])
    return Draft((*bodies, index), _("added {file}").format(file=bodies[0].path), tuple(notes))


def _renamed(data: bytes, old: str, new: str) -> bytes:
    document = documents.parse(data)
    block = frontmatters.parse(document)
    if block.state in ("none", "unclosed") or block.get("name") != old:
        return data
    return documents.splice(data, frontmatters.set_value(document, block, ("name",), new))


def _known_paths(snapshot: Snapshot) -> list[str]:
    return [*snapshot.files, *(memory.file for memory in snapshot.memories)]


def _index_with(snapshot: Snapshot, added: Sequence[tuple[Add, str]]) -> FileChange:
    """The index with lines for new files. Raises RefusedError where it cannot be written."""
    own_file = index_file(snapshot.files, snapshot.store.profile)
    reason = index_refusal(snapshot.store, own_file)
    if reason:
        raise RefusedError(reason)
    index = snapshot.index or index_lines.parse_bytes(b"")
    links = [
        (one_line(edit.title), path, one_line(edit.description if edit.hook is None else edit.hook))
        for edit, path in added
    ]
    return splice_file(own_file, [add_lines(index, rows_in_style(index, links))])


def _body(body: str) -> str:
    text = body.lstrip("\r\n")
    if not text.strip():
        return ""
    return "\n" + text + ("" if text.endswith("\n") else "\n")
