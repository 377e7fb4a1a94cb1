"""Files of an entries store to memories and budgets: every entry in the order of its file, duplicates too.

Rules: entries sheet 2 (splitting), 3 (counting; limits hold when something is written, never when it is read).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from memtui.core.layouts.base import Budget, Memory, MemoryState, Snapshot, Store, StoredFile
from memtui.core.layouts.entries.problems import is_blocked, problems
from memtui.core.layouts.entries.rules import Group, groups, rules_of
from memtui.core.text.document import encode
from memtui.core.text.section_sign import total
from memtui.i18n import _
from memtui.late import dataclasses

VERBS = ("edit", "delete", "rename", "type", "title", "description", "hook", "place", "regroup")
"""The verbs that `Memory.why_not` may refuse."""

ID_DIGITS = 12


def scan(store: Store, files: Iterable[StoredFile]) -> Snapshot:
    """Files to memories, budgets and the layout's own problems. Never raises."""
    by_path = {file.path: file for file in files}
    read = groups(by_path, store.profile)
    memories = tuple(memory for group in read for memory in _memories(store, group))
    return Snapshot(store, by_path, memories, _budgets(read), tuple(problems(store, read, memories)))


def memory_ids(group: Group) -> list[str]:
    """The ids of a group's entries in order: file and hash of the text, `~n` for the n-th equal one."""
    counts: dict[str, int] = {}
    ids = []
    for text in group.parsed.texts:
        wanted = f"{group.file.path}#{hashlib.sha256(encode(text)).hexdigest()[:ID_DIGITS]}"
        counts[wanted] = counts.get(wanted, 0) + 1
        ids.append(wanted if counts[wanted] == 1 else f"{wanted}~{counts[wanted]}")
    return ids


def title_of(text: str) -> str:
    """An entry's title: its first line."""
    return text.partition("\n")[0].strip()


def _memories(store: Store, group: Group) -> Iterable[Memory]:
    stored = group.stored
    if stored.kind == "missing":
        return
    if stored.kind != "file" or stored.data is None:
        yield _whole(store, group)
        return
    rules = rules_of(store.profile)
    is_read = store.loads and (rules.reads_bad_utf8 or group.bad_utf8_at is None)
    never = {
        "rename": _("an entry has no name but its first line"),
        "type": _("an entry has no type"),
        "description": _("an entry has no description, only its text"),
        "hook": _("there is no index"),
    }
    for number, (memory_id, piece) in enumerate(zip(memory_ids(group), group.parsed.pieces, strict=True)):
        why_not = never | dict.fromkeys(
            ("edit", "title", "delete", "place", "regroup"), _why_not(group, number)
        )
        yield Memory(
            id=memory_id,
            title=title_of(piece.text),
            description="",
            type="",
            group=group.file.group,
            file=stored.path,
            span=(piece.start, piece.end),
            loaded=is_read and not is_blocked(piece.text, rules),
            updated=stored.updated,
            size_bytes=piece.end - piece.start,
            why_not=_allowed(store, why_not),
        )


def _why_not(group: Group, number: int) -> str:
    if group.bad_utf8_at is not None:
        return not_utf8_reason(group)
    if number in group.hidden_in:
        return hidden_reason(group)
    return ""


def not_utf8_reason(group: Group) -> str:
    """Why nothing is written to a file that is not UTF-8."""
    return _("{file} is not UTF-8 at byte {offset}: convert it first").format(
        file=group.file.path, offset=group.bad_utf8_at
    )


def hidden_reason(group: Group) -> str:
    """Why an entry that is several ones to every other reader stays as it is."""
    return _(
        "it holds several entries that the owner reads as one, because the line ends of {file} are not LF: "
        "convert them to LF first"
    ).format(file=group.file.path)


def _allowed(store: Store, why_not: dict[str, str]) -> dict[str, str]:
    if not store.writable:
        return dict.fromkeys(VERBS, _("the store is read-only"))
    return {verb: reason for verb, reason in why_not.items() if reason}


def _whole(store: Store, group: Group) -> Memory:
    stored = group.stored
    state: MemoryState = "symlink" if stored.kind == "symlink" else "unreadable"
    if stored.kind == "symlink":
        reason = _("it is a symlink to {target}").format(target=stored.link_target)
    else:
        reason = _("it cannot be read: {error}").format(error=stored.error or stored.kind)
    why_not = dict.fromkeys(VERBS, reason)
    if stored.kind == "symlink":
        del why_not["delete"]
    return Memory(
        id=stored.path,
        title=stored.path,
        description="",
        type="",
        group=group.file.group,
        file=stored.path,
        state=state,
        loaded=False,
        updated=stored.updated,
        link_target=stored.link_target,
        why_not=_allowed(store, why_not),
    )


def _budgets(read: Iterable[Group]) -> tuple[Budget, ...]:
    found = [
        Budget("write", item.file.group, item.unit, total(item.parsed.texts, item.unit), item.limit.limit)
        for item in read
        if item.limit is not None
    ]
    fullest = max(found, key=lambda budget: budget.used / max(budget.limit, 1), default=None)
    return tuple(dataclasses.replace(item, binding=item is fullest) for item in found)
