"""One field of a fact: only that value changes, in the file and, where the two said the same, in the index."""

from __future__ import annotations

from collections.abc import Callable

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Draft, FieldName, FileChange, Memory, Snapshot
from memtui.core.layouts.facts.add import NODE_TYPE
from memtui.core.layouts.facts.change import named_in, require_index, splice_file
from memtui.core.layouts.facts.names import stem_of
from memtui.core.layouts.facts.scan import TYPE_PATHS, Place, index_file, index_refusal, type_path
from memtui.core.layouts.index_file import require_type
from memtui.core.text import document as documents
from memtui.core.text import frontmatter as frontmatters
from memtui.core.text.document import Splice
from memtui.core.text.index_edits import set_hook, set_title
from memtui.core.text.index_lines import Index
from memtui.core.text.links import one_line
from memtui.i18n import _

IndexEdit = Callable[[Index, int, int, str], list[Splice]]


def field_value(snapshot: Snapshot, memory: Memory, field: FieldName) -> str:
    """The present value of a field, as a person sees it."""
    if field == "title":
        return memory.title
    if field == "description":
        return memory.description
    return memory.type if field == "type" else memory.hook or ""


def set_field(snapshot: Snapshot, memory: Memory, field: FieldName, value: str) -> Draft:
    """A draft that gives one field another value (design: small print of `set`).

    `title`: the link's text, and `name` only where it said the same; `description`: also the hook where it
    said the same; `type`: in the place where it stands (`metadata.type` before `type`); `hook`: the first
    index line. A file without a block gets one. Raises RefusedError.
    """
    if field in memory.why_not:
        raise RefusedError(_("{file}: {reason}").format(file=memory.file, reason=memory.why_not[field]))
    text = one_line(value)
    changes = {
        "title": _title,
        "description": _description,
        "type": _type,
        "hook": _hook,
    }[field](snapshot, memory, text)
    summary = _("set the {field} of {file}").format(field=field, file=memory.file)
    return Draft(tuple(changes), summary, _notes(snapshot, changes))


def _title(snapshot: Snapshot, memory: Memory, title: str) -> list[FileChange]:
    if not title:
        raise RefusedError(_("a memory needs a title"))
    where = named_in(snapshot, memory)
    changes = []
    block = snapshot.frontmatters.get(memory.file)
    name = block.get("name") if block is not None else None
    if block is not None and (name == memory.title or (not where and memory.state == "ok")):
        changes += _set_values(snapshot, memory, [(("name",), title)])
    same = [place for place in where if place == where[0] or place.link.title.strip() == memory.title]
    return changes + _index_change(snapshot, same, title, set_title)


def _description(snapshot: Snapshot, memory: Memory, description: str) -> list[FileChange]:
    old = one_line(memory.description)
    changes = _set_values(snapshot, memory, [(("description",), description)])
    # an index that cannot be written has hooks of its own: the file's description is still the person's
    has_index = not index_refusal(snapshot.store, index_file(snapshot.files, snapshot.store.profile))
    where = named_in(snapshot, memory) if has_index else []
    same = [place for place in where if old and one_line(place.link.hook or "") == old]
    return changes + _index_change(snapshot, same, description, set_hook)


def _type(snapshot: Snapshot, memory: Memory, kind: str) -> list[FileChange]:
    require_type(kind, snapshot.store.profile)
    block = snapshot.frontmatters[memory.file]
    path = type_path(block) or TYPE_PATHS[0]
    pairs = [(path, kind)]
    if block.state == "none":
        pairs.insert(0, (("metadata", "node_type"), NODE_TYPE))
    return _set_values(snapshot, memory, pairs)


def _hook(snapshot: Snapshot, memory: Memory, hook: str) -> list[FileChange]:
    return _index_change(snapshot, named_in(snapshot, memory)[:1], hook, set_hook)


def _set_values(
    snapshot: Snapshot, memory: Memory, pairs: list[tuple[tuple[str, ...], str]]
) -> list[FileChange]:
    file = snapshot.files[memory.file]
    block = snapshot.frontmatters[memory.file]
    document = documents.parse(file.data or b"")
    if block.state == "none":
        if pairs[0][0] != ("name",):
            pairs = [(("name",), stem_of(memory.file)), *pairs]
        return [splice_file(file, [frontmatters.insert_block(document, pairs)])]
    splices: list[Splice] = []
    for path, value in pairs:
        splices += frontmatters.set_value(document, block, path, value)
    return [splice_file(file, splices)]


def _index_change(snapshot: Snapshot, where: list[Place], text: str, change: IndexEdit) -> list[FileChange]:
    if not where:
        return []
    index, file = require_index(snapshot)
    splices: list[Splice] = []
    for place in where:
        splices += change(index, place.line, place.position, text)
    return [splice_file(file, splices)]


def _notes(snapshot: Snapshot, changes: list[FileChange]) -> tuple[str, ...]:
    notes = []
    for change in changes:
        block = snapshot.frontmatters.get(change.path)
        if block is None or change.after is None or not block.is_closed_within:
            continue
        after = frontmatters.parse(documents.parse(change.after), max_lines=block.max_lines)
        if not after.is_closed_within:
            notes.append(
                _("the block of {file} now ends below line {line}, where {owner} does not look").format(
                    file=change.path, line=block.max_lines, owner=snapshot.store.owner
                )
            )
    return tuple(notes)
