"""Edits of an entries store: adding, changing, removing, reordering, and moving between its files.

The owner rewrites a file whole; so does every edit here, and gives exactly the bytes that it would write.
Where the owner would lose text without a word, or refuse for a reason that a person can mend, the edit is
refused and names the repair (entries sheet 2, 4, 5).
"""

from __future__ import annotations

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
    Reshape,
    SetField,
    SetIndex,
    SetText,
    Snapshot,
    digest,
)
from memtui.core.layouts.entries import change
from memtui.core.layouts.entries.backups import discard
from memtui.core.layouts.entries.reshape import reshape
from memtui.core.layouts.entries.rules import Group, rules_of
from memtui.core.layouts.entries.scan import memory_ids, title_of
from memtui.core.layouts.redaction import redacted
from memtui.core.layouts.whole_texts import merged_text
from memtui.core.text import document as documents
from memtui.core.text import section_sign
from memtui.i18n import _
from memtui.late import dataclasses, re

_GONE = digest(b"gone")
_NUMBERED = re.compile(r"(.+#[0-9a-f]+)~[0-9]+")


def edit(snapshot: Snapshot, wish: Edit) -> Draft | Refusal:
    """The new bytes that an edit means, or why it cannot be. Never raises on content."""
    if not snapshot.store.writable:
        return Refusal(_("{path} is read-only").format(path=snapshot.store.root))
    try:
        if isinstance(wish, Redact):
            return redacted(snapshot, wish)
        if isinstance(wish, Add):
            return _add(snapshot, wish)
        if isinstance(wish, Reshape):
            return reshape(snapshot, wish)
        if isinstance(wish, Discard):
            return discard(snapshot, wish.paths)
        if isinstance(wish, SetIndex | Relist):
            raise RefusedError(_("{owner} has no index").format(owner=snapshot.store.owner))
        memory = _find(snapshot, wish.memory_id)
        if memory is None:
            return Refusal(_("{memory} is gone").format(memory=wish.memory_id), conflict=True)
        if isinstance(wish, Remove):
            return _remove(snapshot, memory)
        if isinstance(wish, SetText):
            return _set_text(snapshot, memory, wish)
        if isinstance(wish, SetField):
            return _set_field(snapshot, memory, wish)
        if isinstance(wish, Place):
            return _place(snapshot, memory, wish.position)
        if isinstance(wish, Regroup):
            return _regroup(snapshot, memory, wish.group)
        raise RefusedError(memory.why_not.get("rename") or _("an entry has no name but its first line"))
    except RefusedError as error:
        return change.refusal(error)


def seen(snapshot: Snapshot, wish: Edit) -> str:
    """A digest of what this edit is about: the text of its entry, or the whole file; '' = nothing that was
    there."""
    if isinstance(wish, Add | SetIndex | Relist | Redact):
        return ""
    if isinstance(wish, Reshape):
        return _file_digest(snapshot, wish.path)
    if isinstance(wish, Discard):
        return digest("\n".join(_file_digest(snapshot, path) for path in wish.paths).encode())
    memory = snapshot.memory(wish.memory_id)
    if memory is None:
        return _GONE
    if memory.span is None:
        return digest(documents.encode(memory.link_target) or memory.state.encode())
    data = snapshot.files[memory.file].data or b""
    return digest(data[slice(*memory.span)])


def _file_digest(snapshot: Snapshot, path: str) -> str:
    file = snapshot.files.get(path)
    return _GONE if file is None else digest(file.data if file.data is not None else file.kind.encode())


def _find(snapshot: Snapshot, memory_id: str) -> Memory | None:
    """The memory of this id; of equal texts of which one has just gone, the last that is left."""
    memory = snapshot.memory(memory_id)
    match = _NUMBERED.fullmatch(memory_id)
    if memory is not None or match is None:
        return memory
    equal = [item for item in snapshot.memories if item.id == match[1] or item.id.startswith(match[1] + "~")]
    return equal[-1] if equal else None


def _add(snapshot: Snapshot, wish: Add) -> Draft:
    rules = rules_of(snapshot.store.profile)
    owner = snapshot.store.owner
    if wish.type:
        raise RefusedError(_("{owner} knows no types").format(owner=owner))
    if wish.topic:
        raise RefusedError(_("{owner} has no topic files").format(owner=owner))
    if wish.hook:
        raise RefusedError(_("{owner} has no index").format(owner=owner))
    target = change.group_named(snapshot, wish.group)
    change.require_readable(target)
    change.require_undrifted(target, rules, "add")
    # an entry is one text: title, description and body are its lines
    title = "" if _begins_with(wish.body, wish.title) else wish.title
    parts = [title, wish.description, wish.body]
    content = change.require_content("\n".join(part for part in parts if part), rules, wish.insists)
    if content in target.parsed.texts:
        text = _("{title} is in {file} already")
        return Draft((), text.format(title=title_of(content), file=target.file.path))
    stay, gone = change.without_duplicates(target.parsed.texts)
    texts = [*(target.parsed.texts[number] for number in stay), content]
    change.require_room(target, texts)
    notes = change.duplicate_notes(gone, target.file.path) + change.blocked_notes(content, rules)
    return Draft(
        (change.written(target, rules, texts),), _("added {title}").format(title=title_of(content)), notes
    )


def _begins_with(body: str, title: str) -> bool:
    """Whether a text says its title itself: an entry has no other place for one."""
    said, named = " ".join(body.split()), " ".join(title.split())
    return bool(named) and said.startswith(named) and not said[len(named) :][:1].isalnum()


def _remove(snapshot: Snapshot, memory: Memory) -> Draft:
    if memory.state == "symlink":
        note = _("only the link went, not {target}").format(target=memory.link_target)
        gone = FileChange(memory.file, snapshot.files[memory.file], None)
        return Draft((gone,), _("deleted {file}").format(file=memory.file), (note,))
    target, number = _place_of(snapshot, memory, "delete")
    stay, dropped = change.without_duplicates(target.parsed.texts, number)
    texts = [target.parsed.texts[other] for other in stay if other != number]
    written = _written(snapshot, target, texts)
    notes = change.duplicate_notes(dropped, target.file.path)
    return Draft((written,), _("deleted {title}").format(title=memory.title), notes)


def _set_text(snapshot: Snapshot, memory: Memory, wish: SetText) -> Draft | Refusal:
    target, number = _place_of(snapshot, memory, "edit")
    data = target.stored.data or b""
    merged = merged_text(wish, data[slice(*(memory.span or (0, 0)))], memory.file)
    if isinstance(merged, Refusal):
        return merged
    return _replace(snapshot, target, number, documents.decode(merged), wish.insists)


def _set_field(snapshot: Snapshot, memory: Memory, wish: SetField) -> Draft:
    if wish.field != "title":
        raise RefusedError(_reason(memory, wish.field))
    target, number = _place_of(snapshot, memory, "title")
    first, line_end, rest = target.parsed.texts[number].partition("\n")
    line_end = "\r\n" if first.endswith("\r") else line_end
    title = wish.value.strip(rules_of(snapshot.store.profile).dialect.trimmed)
    if not title or "\n" in title or "\r" in title:
        raise RefusedError(_("the first line of an entry is one line of text"))
    return _replace(snapshot, target, number, title + line_end + rest, wish.insists)


def _replace(snapshot: Snapshot, target: Group, number: int, text: str, insists: bool) -> Draft:
    rules = rules_of(snapshot.store.profile)
    before = target.parsed.texts[number]
    summary = _("edited {title}").format(title=title_of(before))
    if change.as_stored(text, rules) == before:
        return Draft((), summary)
    content = change.require_content(text, rules, insists)
    stay, dropped = change.without_duplicates(target.parsed.texts, number)
    texts = [content if other == number else target.parsed.texts[other] for other in stay]
    written = _written(snapshot, target, texts)
    change.require_room(target, texts)
    notes = change.duplicate_notes(dropped, target.file.path) + change.blocked_notes(content, rules)
    if texts.count(content) > 1:
        notes += (_("another entry has the same text: the owner shows one of them"),)
    return Draft((written,), summary, notes)


def _place(snapshot: Snapshot, memory: Memory, position: int) -> Draft:
    target, number = _place_of(snapshot, memory, "place")
    stay, dropped = change.without_duplicates(target.parsed.texts, number)
    others = [target.parsed.texts[other] for other in stay if other != number]
    at = min(max(position, 1), len(others) + 1) - 1
    texts = [*others[:at], target.parsed.texts[number], *others[at:]]
    summary = _("placed {title} at {position}").format(title=memory.title, position=at + 1)
    if texts == list(target.parsed.texts):
        return Draft((), summary)
    notes = change.duplicate_notes(dropped, target.file.path)
    return Draft((_written(snapshot, target, texts),), summary, notes)


def _regroup(snapshot: Snapshot, memory: Memory, name: str) -> Draft:
    rules = rules_of(snapshot.store.profile)
    source, number = _place_of(snapshot, memory, "regroup")
    target = change.group_named(snapshot, name)
    if target.file == source.file:
        raise RefusedError(
            _("{title} is in {group} already").format(title=memory.title, group=target.file.group)
        )
    change.require_readable(target)
    change.require_undrifted(target, rules, "add")
    moved = source.parsed.texts[number]
    left, left_gone = change.without_duplicates(source.parsed.texts, number)
    notes = change.duplicate_notes(left_gone, source.file.path)
    changes = []
    if moved in target.parsed.texts:
        notes += (_("{file} has the same text already").format(file=target.file.path),)
    else:
        stay, gone = change.without_duplicates(target.parsed.texts)
        texts = [*(target.parsed.texts[other] for other in stay), moved]
        change.require_room(target, texts)
        notes += change.duplicate_notes(gone, target.file.path)
        changes.append(change.written(target, rules, texts))
    rest = [source.parsed.texts[other] for other in left if other != number]
    # the text stands in the new file before it goes from the old one
    changes.append(_written(snapshot, source, rest))
    summary = _("moved {title} to {group}").format(title=memory.title, group=target.file.group)
    return Draft(tuple(changes), summary, notes)


def _place_of(snapshot: Snapshot, memory: Memory, verb: str) -> tuple[Group, int]:
    """The group of a memory and its position there. Raises RefusedError where the verb cannot be done."""
    if verb in memory.why_not:
        raise RefusedError(_reason(memory, verb))
    target = change.group_of(snapshot, memory.file)
    change.require_readable(target)
    return target, memory_ids(target).index(memory.id)


def _reason(memory: Memory, verb: str) -> str:
    reason = memory.why_not.get(verb) or _("it cannot be done")
    return _("{file}: {reason}").format(file=memory.file, reason=reason)


def _written(snapshot: Snapshot, target: Group, texts: list[str]) -> FileChange:
    """The changed file, if its owner would change it, or if this very edit takes away what it stumbles over."""
    rules = rules_of(snapshot.store.profile)
    written = change.written(target, rules, texts)
    drift = target.drift
    if drift is not None and drift.reason == "too-long":
        after = section_sign.parse(written.after or b"", rules.dialect)
        drift = section_sign.too_long(after, target.limit.limit if target.limit else None, target.unit)
    change.require_undrifted(dataclasses.replace(target, drift=drift), rules, "change")
    return written
