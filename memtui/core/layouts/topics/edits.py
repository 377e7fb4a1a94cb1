"""Edits of a topics store: each gives the topic's new text, from which hook and description follow.

What is written has the shape of the owner's own program (topics sheet 3 to 6); where that program would lose
or hide a text, memtui refuses, or keeps what stands there.
"""

from __future__ import annotations

import posixpath

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
from memtui.core.layouts.index_file import remove_line, require_type, set_index
from memtui.core.layouts.mends import discard
from memtui.core.layouts.redaction import redacted
from memtui.core.layouts.topics import writing
from memtui.core.layouts.topics.change import (
    applied,
    found_section,
    index_name,
    located_section,
    require_allowed,
    require_counted,
    rewritten,
    same_memory,
    stamped,
    topic_and_line,
    united,
    with_hook,
    without_lines,
    writable,
)
from memtui.core.layouts.topics.mending import relist, reshape
from memtui.core.layouts.topics.reading import Section, parse_topic
from memtui.core.layouts.topics.scan import index_data, stem_of
from memtui.core.layouts.whole_texts import merged_text
from memtui.core.text import document as documents
from memtui.core.text.javascript import JS_BLANKS
from memtui.core.text.links import SUFFIX, one_line
from memtui.i18n import _
from memtui.late import dataclasses

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
        if isinstance(wish, Reshape):
            return reshape(snapshot, wish)
        if isinstance(wish, Relist):
            return relist(snapshot, wish)
        if isinstance(wish, Discard):
            return discard(snapshot, wish.paths)
        memory = snapshot.memory(wish.memory_id)
        if memory is None:
            return Refusal(_("{memory} is gone").format(memory=wish.memory_id), conflict=True)
        return _edit_memory(snapshot, memory, wish)
    except RefusedError as error:
        return Refusal(error.message)


def _edit_memory(
    snapshot: Snapshot,
    memory: Memory,
    wish: Remove | SetField | SetText | Rename | Place | Regroup,
) -> Draft | Refusal:
    if isinstance(wish, Remove):
        return _remove(snapshot, memory, wish.line, wish.heir)
    if isinstance(wish, Rename):
        require_allowed(memory, "rename")
        return _retitle(snapshot, memory, wish.name)
    if isinstance(wish, SetField):
        require_allowed(memory, wish.field)
        if wish.field == "title":
            return _retitle(snapshot, memory, wish.value)
        return _retype(snapshot, memory, wish.value)
    require_allowed(memory, "edit")
    if isinstance(wish, SetText):
        return _set_text(snapshot, memory, wish)
    if isinstance(wish, Regroup):
        return _regroup(snapshot, memory, wish.group)
    return _move_within(snapshot, memory, wish.position)


def seen(snapshot: Snapshot, wish: Edit) -> str:
    """A digest of what this edit is about; '' when it is about nothing that was there."""
    if isinstance(wish, Add | Discard | Redact):
        return ""
    if isinstance(wish, Relist):
        return digest(index_data(snapshot.files, index_name(snapshot)))
    if isinstance(wish, SetIndex):
        return "" if wish.base is not None else digest(index_data(snapshot.files, index_name(snapshot)))
    if isinstance(wish, Reshape):
        file = snapshot.files.get(wish.path)
        return _GONE if file is None else digest(file.data or b"")
    memory = snapshot.memory(wish.memory_id)
    if memory is None:
        return _GONE
    if isinstance(wish, SetText) and wish.base is not None:
        return ""
    file = snapshot.files.get(memory.file)
    data = b"" if file is None else file.data or documents.encode(file.link_target)
    return digest(data[slice(*memory.span)] if memory.span else data)


# A new entry


def _add(snapshot: Snapshot, wish: Add) -> Draft:
    title = wish.title
    if not title.strip():
        raise RefusedError(_("a memory needs a title"))
    kind = wish.type or snapshot.store.profile.default_type
    require_type(kind, snapshot.store.profile)
    path = _topic_path(snapshot, wish.topic or wish.group or one_line(title))
    body = wish.body or wish.description
    writing.require_title(title)
    writing.require_body(body)
    notes: tuple[str, ...] = ()
    file = snapshot.files.get(path) or StoredFile(path, "missing")
    day = writing.day_of(snapshot)
    if file.kind == "missing":
        if any(memory.file == path for memory in snapshot.memories):
            raise RefusedError(
                _("{index} names {file}, which is missing: delete that line first").format(
                    index=index_name(snapshot), file=path
                )
            )
        after = writing.new_topic(stem_of(path), title, body, kind, day)
        hook = title
    else:
        topic = writable(file)
        appended = writing.append_section(topic.data, title, body)
        after, hook = stamped(snapshot, appended, day)
        if wish.type and topic.fields.get("type") not in ("", None, wish.type):
            notes = (_("{file} keeps its type {type}").format(file=path, type=topic.fields["type"]),)
    require_counted(after, title)
    index = with_hook(snapshot, path, hook, checks_room=True)
    summary = _("added {title} to {file}").format(title=one_line(title), file=path)
    return Draft((FileChange(path, file, after), index), summary, notes)


def _topic_path(snapshot: Snapshot, name: str) -> str:
    """The path of a topic by the name that was given. Raises RefusedError for one that cannot be read back."""
    path = name if name.endswith(SUFFIX) else name + SUFFIX
    own_name = index_name(snapshot)
    why = ""
    if posixpath.normpath(path) != path or ".." in path or path.startswith("/"):
        why = _("it would not lie where it says")
    elif any(sign in path for sign in "()[]\r\n\0") or path.strip(JS_BLANKS) != path or stem_of(path) == "":
        why = _("a line of {index} could not name it").format(index=own_name)
    elif path.casefold() == own_name.casefold():
        why = _("{index} is the index itself").format(index=own_name)
    elif "/" in path and path not in snapshot.files:
        why = _("the owner finds no entries in folders")
    if why:
        raise RefusedError(_("{topic} cannot be the name of a topic: {why}").format(topic=path, why=why))
    return path


# Taking away


def _remove(snapshot: Snapshot, memory: Memory, only_line: int | None, heir: str = "") -> Draft:
    if only_line is not None:
        return remove_line(snapshot, memory, only_line, memory.group)
    require_allowed(memory, "delete")
    file = snapshot.files.get(memory.file)
    if file is None or memory.state in ("missing", "outside"):
        summary = _("removed the index line of {title}").format(title=memory.title)
        return Draft((without_lines(snapshot, memory),), summary)
    topic, section = found_section(snapshot, memory)
    if topic is None or section is None or len(topic.sections) == 1:
        notes = []
        if topic is not None and section is not None and topic.data[topic.front_end : section.start].strip():
            notes.append(_("the text above its heading goes with the file"))
        if memory.state == "symlink":
            notes.append(_("only the link went, not {target}").format(target=memory.link_target))
        changes = [without_lines(snapshot, memory, heir)] if memory.index_lines else []
        changes.append(FileChange(file.path, file, None))
        return Draft(tuple(changes), _deleted(memory, section), tuple(notes))
    after, hook = stamped(snapshot, writing.cut_section(topic, section), writing.day_of(snapshot))
    return Draft(topic_and_line(snapshot, file, after, hook), _deleted(memory, section))


def _deleted(memory: Memory, section: Section | None) -> str:
    if section is None:
        return _("deleted {file}").format(file=memory.file)
    return _("deleted {title} from {file}").format(title=memory.title, file=memory.file)


# Changing


def _retitle(snapshot: Snapshot, memory: Memory, title: str) -> Draft:
    writing.require_title(title)
    topic, section = located_section(snapshot, memory)
    start = section.start
    heading = documents.encode(f"## {title}\n")
    line_end = topic.data.find(b"\n", start) + 1 or len(topic.data)
    data = topic.data[:start] + heading + topic.data[line_end:]
    return rewritten(
        snapshot, memory, data, _("renamed {old} to {new}").format(old=memory.title, new=one_line(title))
    )


def _retype(snapshot: Snapshot, memory: Memory, kind: str) -> Draft:
    require_type(kind, snapshot.store.profile)
    file = snapshot.files[memory.file]
    topic = writable(file)
    data = writing.set_front_field(topic, "type", kind)
    others = len(topic.sections) - 1
    notes = (_("{count} more of this topic have it too").format(count=others),) if others > 0 else ()
    data = writing.set_front_field(parse_topic(data), "updated", writing.day_of(snapshot))
    summary = _("{file} is of type {type}").format(file=memory.file, type=kind)
    return Draft((FileChange(file.path, file, data),), summary, notes)


def _set_text(snapshot: Snapshot, memory: Memory, wish: SetText) -> Draft | Refusal:
    file = snapshot.files[memory.file]
    topic, section = found_section(snapshot, memory)
    if topic is None or section is None:
        merged = merged_text(wish, file.data or b"", memory.file)
        if isinstance(merged, Refusal):
            return merged
        return Draft((FileChange(file.path, file, merged),), _("edited {file}").format(file=memory.file))
    start = section.body_start if wish.part == "body" else section.start
    current = topic.data[start : section.end]
    if wish.base is not None and wish.base.rstrip(b"\n") == current.rstrip(b"\n"):
        # the blank lines behind an entry are its neighbour's: they come and go with that
        wish = dataclasses.replace(wish, base=None)
    merged = merged_text(wish, current, memory.title)
    if isinstance(merged, Refusal):
        return merged
    head = topic.data[section.start : start]
    if head and merged.strip() and not head.endswith(b"\n\n"):
        head = head.rstrip(b"\n") + b"\n\n"
    text = writing.as_section(head + merged, is_last=section is topic.sections[-1])
    writing.require_one_section(text)
    data = topic.data[: section.start] + text + topic.data[section.end :]
    return rewritten(snapshot, memory, data, _("edited {title}").format(title=memory.title))


def _regroup(snapshot: Snapshot, memory: Memory, group: str) -> Draft:
    topic, section = located_section(snapshot, memory)
    path = _topic_path(snapshot, group)
    if path == memory.file:
        raise RefusedError(_("{title} is in {topic} already").format(title=memory.title, topic=group))
    text = documents.decode(topic.data[section.body_start : section.end])
    added = _add(snapshot, Add(section.title, body=text.strip(JS_BLANKS), topic=path, type=memory.type))
    between = applied(snapshot, added)
    removed = _remove(between, same_memory(between, memory), None)
    return Draft(
        united(added.changes, removed.changes),
        _("moved {title} to {file}").format(title=memory.title, file=path),
        (*added.notes, *removed.notes),
    )


def _move_within(snapshot: Snapshot, memory: Memory, position: int) -> Draft:
    topic, section = located_section(snapshot, memory)
    if not 1 <= position <= len(topic.sections):
        raise RefusedError(_("{file} has {count} entries").format(file=memory.file, count=len(topic.sections)))
    texts = [topic.data[s.start : s.end] for s in topic.sections if s is not section]
    texts.insert(position - 1, topic.data[section.start : section.end])
    head = topic.data[: topic.sections[0].start]
    parts = [text.rstrip(b"\n") for text in texts]
    data = head + b"\n\n".join(parts) + b"\n"
    return rewritten(snapshot, memory, data, _("moved {title}").format(title=memory.title))
