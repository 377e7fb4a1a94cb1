"""Edits of a notes store, as pi-memory 2.x writes them: the note, then its line of the index."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.errors import RefusedError
from memtui.core.layouts.base import (
    Add,
    Discard,
    Draft,
    Edit,
    FileChange,
    Memory,
    Place,
    Redact,
    Refusal,
    Regroup,
    Relist,
    Remove,
    Rename,
    Reshape,
    SetField,
    SetIndex,
    SetText,
    Snapshot,
    StoredFile,
    digest,
)
from memtui.core.layouts.dash_index import remove_entries, set_entry
from memtui.core.layouts.index_file import index_file, remove_line, require_type, set_index
from memtui.core.layouts.many import one_by_one, plain_removals, plain_types
from memtui.core.layouts.mends import BY_BYTES, discard, draft_of
from memtui.core.layouts.notes.mending import relist
from memtui.core.layouts.notes.rules import rules_of
from memtui.core.layouts.notes.scan import index_data, room_note
from memtui.core.layouts.notes.text import (
    described,
    file_name,
    format_note,
    moment,
    parse_note,
    require_line,
    require_name,
    with_body,
    with_fields,
)
from memtui.core.layouts.redaction import redacted
from memtui.core.layouts.whole_texts import merged_text
from memtui.core.text import document as documents
from memtui.core.text.javascript import JS_BLANKS
from memtui.i18n import _

_GONE = digest(b"gone")


def edit(snapshot: Snapshot, wish: Edit) -> Draft | Refusal:
    """The new bytes that an edit means, or why it cannot be. Never raises on content."""
    if not snapshot.store.writable:
        return Refusal(_("{path} is read-only").format(path=snapshot.store.root))
    try:
        if isinstance(wish, Redact):
            return redacted(snapshot, wish)
        if isinstance(wish, Add):
            return _add(snapshot, wish)
        if isinstance(wish, SetIndex):
            return set_index(snapshot, wish)
        if isinstance(wish, Relist):
            return relist(snapshot, wish)
        if isinstance(wish, Reshape):
            return draft_of(snapshot, wish.path, wish.how, BY_BYTES.get(wish.how))
        if isinstance(wish, Discard):
            return discard(snapshot, wish.paths)
        if isinstance(wish, Place | Regroup):
            return Refusal(_("{owner} knows nothing like that").format(owner=snapshot.store.owner))
        memory = snapshot.memory(wish.memory_id)
        if memory is None:
            return Refusal(_("{memory} is gone").format(memory=wish.memory_id), conflict=True)
        if isinstance(wish, Remove):
            return _remove(snapshot, memory, wish)
        verb = "rename" if isinstance(wish, Rename) else wish.field if isinstance(wish, SetField) else "edit"
        if verb in memory.why_not:
            return Refusal(_("{file}: {reason}").format(file=memory.file, reason=memory.why_not[verb]))
        if isinstance(wish, SetText):
            return _set_text(snapshot, memory, wish)
        if isinstance(wish, Rename):
            return _set_name(snapshot, memory, wish.name)
        if wish.field == "title":
            return _set_name(snapshot, memory, wish.value)
        return _set_field(snapshot, memory, wish.field, wish.value)
    except RefusedError as error:
        return Refusal(error.message)


def seen(snapshot: Snapshot, wish: Edit) -> str:
    """A digest of what this edit is about; '' when it is about nothing that was there."""
    if isinstance(wish, Add | Discard | Redact):
        return ""
    if isinstance(wish, Reshape):
        file = snapshot.files.get(wish.path)
        return _GONE if file is None else digest(file.data or b"")
    if isinstance(wish, Relist):
        return digest(index_data(snapshot.files, snapshot.store.profile))
    if isinstance(wish, SetIndex):
        data = index_data(snapshot.files, snapshot.store.profile)
        return "" if wish.base is not None else digest(data)
    memory = snapshot.memory(wish.memory_id)
    if memory is None:
        return _GONE
    if isinstance(wish, SetText) and wish.base is not None:
        return ""
    file = snapshot.files.get(memory.file)
    data = b"" if file is None else file.data or documents.encode(file.link_target)
    return digest(data + b"\n" + (memory.hook or "").encode("utf-8", "surrogateescape"))


def _add(snapshot: Snapshot, wish: Add) -> Draft:
    profile = snapshot.store.profile
    if wish.topic or wish.group:
        raise RefusedError(_("this store keeps one note a file: it has no topic files and no groups"))
    name = wish.title.strip(JS_BLANKS)
    if wish.original is not None:
        return _add_originals(snapshot, (wish, *wish.also))
    require_name(name)
    kind = wish.type or profile.default_type
    require_type(kind, profile)
    if any(memory.title == name and memory.state == "ok" for memory in snapshot.memories):
        raise RefusedError(
            _("there is a memory {name} already; the owner would write over it").format(name=name)
        )
    body = wish.body.strip(JS_BLANKS)
    description = wish.description.strip(JS_BLANKS)
    require_line(description, _("a description"))
    description = description or described(body, name, rules_of(profile).description_units)
    day, now = moment(snapshot.store.read_at)
    path = file_name(name, [*snapshot.files, *(m.file for m in snapshot.memories), profile.index_name])
    fields = {"name": name, "description": description, "type": kind, "created": day, "modified": now}
    note = FileChange(path, StoredFile(path, "missing"), format_note(fields, body))
    file = index_file(snapshot)
    after = set_entry(file.data or b"", name, path, description, "lazy")
    warning = room_note(after, profile)
    notes = (warning,) if warning else ()
    return Draft((note, FileChange(file.path, file, after)), _("added {file}").format(file=path), notes)


def _add_originals(snapshot: Snapshot, wishes: Sequence[Add]) -> Draft:
    """The notes as they were in another store; under another name where theirs is taken, for the owner knows
    a note by its name."""
    profile = snapshot.store.profile
    known = {memory.title for memory in snapshot.memories if memory.state == "ok"}
    taken = [*snapshot.files, *(memory.file for memory in snapshot.memories), profile.index_name]
    folded = {path.casefold() for path in taken}
    index = index_file(snapshot)
    data = index.data or b""
    changes: list[FileChange] = []
    notes: list[str] = []
    for wish in wishes:
        if wish.original is None:
            raise RefusedError(_("{title} has no file that could be taken over").format(title=wish.title))
        name = wish.title.strip(JS_BLANKS)
        require_name(name)
        path, text = wish.original.path, wish.original.data
        free, number = name, 1
        while free in known:
            number += 1
            free = f"{name}-{number}"
        if free != name:
            text = with_fields(parse_note(text), {"name": free})
            sentence = _("{name} is another memory here: this one is called {new}")
            notes.append(sentence.format(name=name, new=free))
        if free != name or "/" in path or path.casefold() in folded:
            path = file_name(free, taken)
        known.add(free)
        taken.append(path)
        folded.add(path.casefold())
        changes.append(FileChange(path, StoredFile(path, "missing", mode=wish.original.mode), text))
        data = set_entry(data, free, path, wish.description.strip(JS_BLANKS), "lazy")
    warning = room_note(data, profile)
    notes += [warning] if warning else []
    summary = _("added {file}").format(file=changes[0].path)
    return Draft((*changes, FileChange(index.path, index, data)), summary, tuple(notes))


def _remove(snapshot: Snapshot, memory: Memory, wish: Remove) -> Draft:
    if wish.line is not None:
        return remove_line(snapshot, memory, wish.line, memory.title)
    if "delete" in memory.why_not:
        raise RefusedError(_("{file}: {reason}").format(file=memory.file, reason=memory.why_not["delete"]))
    changes = []
    if memory.index_lines:
        file = index_file(snapshot)
        changes.append(FileChange(file.path, file, _without_lines(snapshot, memory, file, wish.heir)))
    target = snapshot.files.get(memory.file)
    if target is None or memory.state in ("missing", "outside"):
        return Draft(tuple(changes), _("removed the index line of {title}").format(title=memory.title))
    notes: tuple[str, ...] = ()
    if memory.state == "symlink":
        notes = (_("only the link went, not {target}").format(target=memory.link_target),)
    changes.append(FileChange(target.path, target, None))
    return Draft(tuple(changes), _("deleted {file}").format(file=memory.file), notes)


def edit_many(snapshot: Snapshot, wishes: Sequence[Edit]) -> Sequence[Draft] | Refusal | None:
    """Removing, or giving another type to, many notes at once (`EditsMany`)."""
    drafts = one_by_one(edit, snapshot, plain_removals(wishes))
    if drafts is None or isinstance(drafts, Refusal):
        return drafts or one_by_one(edit, snapshot, plain_types(wishes))
    index_name = snapshot.store.profile.index_name
    if all(change.path != index_name for draft in drafts for change in draft.changes):
        return drafts
    # each draft has an index without its own note: together they have one without all of them
    file = index_file(snapshot)
    data = file.data or b""
    for wish in plain_removals(wishes):
        memory = snapshot.memory(wish.memory_id)
        data = data if memory is None else remove_entries(data, memory.file, "lazy")
    last = FileChange(index_name, file, data)
    return [*drafts[:-1], Draft((*drafts[-1].changes, last), drafts[-1].summary, drafts[-1].notes)]


def _without_lines(snapshot: Snapshot, memory: Memory, file: StoredFile, heir_id: str) -> bytes:
    """The index without the lines of a memory; the first becomes that of an heir that has none."""
    data, heir = file.data or b"", snapshot.memory(heir_id) if heir_id else None
    if heir is not None and not heir.index_lines and heir.state == "ok":
        names = (heir.title, heir.file, heir.description)
        data = set_entry(data, *names, "lazy", renames=memory.file)
    return remove_entries(data, memory.file, "lazy")


def _set_name(snapshot: Snapshot, memory: Memory, name: str) -> Draft:
    name = name.strip(JS_BLANKS)
    require_name(name)
    if any(other.title == name and other.id != memory.id for other in snapshot.memories):
        raise RefusedError(_("there is a memory {name} already").format(name=name))
    file = snapshot.files[memory.file]
    taken = {*snapshot.files, *(m.file for m in snapshot.memories), snapshot.store.profile.index_name}
    path = file_name(name, taken - {memory.file})
    _day, now = moment(snapshot.store.read_at)
    after = with_fields(parse_note(file.data or b""), {"name": name, "modified": now})
    summary = _("renamed {old} to {new}").format(old=memory.title, new=name)
    changes = []
    if path == memory.file:
        changes.append(FileChange(path, file, after))
    else:
        changes.append(FileChange(path, StoredFile(path, "missing", mode=file.mode), after))
        changes.append(FileChange(memory.file, file, None))
    changes += _line(snapshot, memory, name, path, memory.description)
    return Draft(tuple(changes), summary)


def _set_field(snapshot: Snapshot, memory: Memory, field: str, value: str) -> Draft:
    value = value.strip(JS_BLANKS)
    require_line(value, field)
    if field == "type":
        require_type(value, snapshot.store.profile)
    file = snapshot.files[memory.file]
    note = parse_note(file.data or b"")
    _day, now = moment(snapshot.store.read_at)
    if field == "description" and not value:
        value = described(note.body, memory.title, rules_of(snapshot.store.profile).description_units)
    after = with_fields(note, {field: value, "modified": now})
    changes = [FileChange(file.path, file, after)]
    if field == "description":
        changes += _line(snapshot, memory, memory.title, memory.file, value)
    return Draft(tuple(changes), _("{field} of {file}").format(field=field, file=memory.file))


def _set_text(snapshot: Snapshot, memory: Memory, wish: SetText) -> Draft | Refusal:
    file = snapshot.files[memory.file]
    data = file.data or b""
    note = parse_note(data)
    is_body = wish.part == "body"
    merged = merged_text(wish, data[note.body_start :] if is_body else data, memory.file)
    if isinstance(merged, Refusal):
        return merged
    after = with_body(note, merged) if is_body else merged
    changed = parse_note(after)
    if changed.hidden_because and not note.hidden_because:
        raise RefusedError(_("the owner would not see it any more: {why}").format(why=changed.hidden_because))
    _day, now = moment(snapshot.store.read_at)
    if changed.fields.get("modified") == note.fields.get("modified") and not changed.hidden_because:
        after = with_fields(changed, {"modified": now})
    changes = [FileChange(file.path, file, after)]
    name, description = (changed.fields.get(key, "") for key in ("name", "description"))
    if memory.index_lines and name and (name, description) != (memory.title, memory.hook):
        changes += _line(snapshot, memory, name, memory.file, description)
    return Draft(tuple(changes), _("edited {file}").format(file=memory.file))


def _line(snapshot: Snapshot, memory: Memory, name: str, path: str, hook: str) -> list[FileChange]:
    """The index with another line for a memory, where it has one."""
    if not memory.index_lines:
        return []
    file = index_file(snapshot)
    after = set_entry(file.data or b"", name, path, hook, "lazy", renames=memory.file)
    return [FileChange(file.path, file, after)]
