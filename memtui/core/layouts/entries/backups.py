"""The backups that an owner makes at every refused change and never deletes: what is in them, and only there.

Name and cause: entries sheet 5 (`MEMORY.md.bak.<unix seconds>`, one at every try), 6 (`.mem_*.tmp`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from memtui.core.layouts.base import Draft, FileChange, Refusal, Snapshot
from memtui.core.layouts.entries.rules import backup_of, groups, is_temp, rules_of
from memtui.core.text import section_sign
from memtui.core.text.leftovers import leftover_kind
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup: its name, whose it is, when it was made (as its name says; None when that is no date).

    `is_read` is False where its text could not be read; then it has no entries. `only_here` are the entries
    that no file of the store holds now, in order.
    """

    path: str
    group: str
    file: str
    taken: datetime | None
    entries: tuple[str, ...]
    only_here: tuple[str, ...]
    is_read: bool = True


def backups(snapshot: Snapshot) -> tuple[Backup, ...]:
    """All backups among the files of a store, the newest first."""
    profile = snapshot.store.profile
    rules = rules_of(profile)
    live = {text for group in groups(snapshot.files, profile) for text in group.parsed.texts}
    found = []
    for path, stored in snapshot.files.items():
        known = backup_of(path, rules)
        if known is None:
            continue
        file, seconds = known
        entries = section_sign.unique(section_sign.parse(stored.data or b"", rules.dialect).texts)
        only_here = tuple(text for text in entries if text not in live)
        is_read = stored.data is not None
        taken = Backup(path, file.group, file.path, _moment(seconds), entries, only_here, is_read)
        found.append((seconds, path, taken))
    return tuple(item for _seconds, _path, item in sorted(found, key=lambda row: row[:2], reverse=True))


def only_in_backups(snapshot: Snapshot) -> tuple[tuple[str, str], ...]:
    """The entries that are in a backup and in no live file: each once, with its newest backup's name."""
    found: dict[str, str] = {}
    for backup in backups(snapshot):
        for text in backup.only_here:
            found.setdefault(text, backup.path)
    return tuple((text, path) for text, path in found.items())


def diff_lines(snapshot: Snapshot, backup: Backup) -> tuple[str, ...]:
    """The lines between a backup and its live file, entry by entry: `-` only in the backup, `+` only live,
    two blanks in both. A line of an entry is a line here; entries are parted by a line of the sign."""
    profile = snapshot.store.profile
    live = next(group for group in groups(snapshot.files, profile) if group.file.path == backup.file)
    now = section_sign.unique(live.parsed.texts)
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, backup.entries, now, autojunk=False)
    rows: list[tuple[str, str]] = []
    for tag, low, high, new_low, new_high in matcher.get_opcodes():
        if tag == "equal":
            rows += [("  ", text) for text in now[new_low:new_high]]
            continue
        rows += [("- ", text) for text in backup.entries[low:high]]
        rows += [("+ ", text) for text in now[new_low:new_high]]
    lines: list[str] = []
    for position, (mark, text) in enumerate(rows):
        if position:
            lines.append("  " + section_sign.SIGN)
        lines += [mark + line for line in text.split("\n")]
    return tuple(lines)


def leftovers(snapshot: Snapshot) -> tuple[str, ...]:
    """The names of all backups and half-written files that the owner's program left, sorted."""
    rules = rules_of(snapshot.store.profile)
    return tuple(sorted(path for path in snapshot.files if backup_of(path, rules) or is_temp(path)))


def discard(snapshot: Snapshot, paths: Iterable[str]) -> Draft | Refusal:
    """Take backups and half-written files away; the plan that carries it out keeps their bytes for an undo."""
    known = set(leftovers(snapshot))
    changes = []
    if not snapshot.store.writable:
        return Refusal(_("{path} is read-only").format(path=snapshot.store.root))
    for path in dict.fromkeys(paths):
        stored = snapshot.files.get(path)
        is_leftover = leftover_kind(path.rpartition("/")[2]) in ("backup", "conflict", "temp")
        if stored is None or not (path in known or is_leftover):
            return Refusal(_("{file} is no backup of this store").format(file=path), conflict=stored is None)
        if stored.kind != "file" or stored.data is None:
            reason = stored.error or stored.kind
            return Refusal(_("{file} cannot be read: {reason}").format(file=path, reason=reason))
        changes.append(FileChange(path, stored, None))
    text = ngettext("deleted {count} leftover", "deleted {count} leftovers", len(changes))
    return Draft(tuple(changes), text.format(count=len(changes)))


def _moment(seconds: int) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None
