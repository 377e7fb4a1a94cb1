"""What the entries layout has to know of an owner, and its files as that owner reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from memtui.core.layouts.base import Limit, Profile, StoredFile
from memtui.core.text import document as documents
from memtui.core.text import section_sign
from memtui.core.text.section_sign import Dialect, Drift, LengthUnit, SignFile
from memtui.late import re
from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    from memtui.core.safety.threats import Scanner

Work = Literal["add", "change"]


@dataclass(frozen=True, slots=True)
class EntryFile:
    """One file of a store: its group, its name, and the words of its header in front of the agent."""

    group: str
    path: str
    header: str


@dataclass(frozen=True, slots=True)
class EntryRules:
    """An owner's habits as data (`Profile.rules`).

    `drift_stops`: what it refuses on a file that it did not write. `reads_bad_utf8`: bytes that are not UTF-8
    become U+FFFD, else it fails on the file. `replaces_block_notices`: an entry that begins like a notice of a
    block is blocked too. `new_mode`: permission bits of a file that it makes.
    """

    files: tuple[EntryFile, ...]
    dialect: Dialect
    scanner: Scanner
    drift_stops: frozenset[Work]
    reads_bad_utf8: bool
    replaces_block_notices: bool
    new_mode: int = 0o644

    def file_of(self, group: str) -> EntryFile | None:
        """The file of a group, None for an unknown group."""
        return next((file for file in self.files if file.group == group), None)

    def group_of(self, path: str) -> EntryFile | None:
        """The file of this name, None when it holds no entries."""
        return next((file for file in self.files if file.path == path), None)


BLOCK_NOTICE = "[BLOCKED:"
"""How the text begins that an owner shows in place of an entry that it blocks."""

_BACKUP = re.compile(r"\.bak\.([0-9]{1,12})")
_TEMP = re.compile(r"\.mem_[^/]*\.tmp")


def rules_of(profile: Profile) -> EntryRules:
    """The rules of an owner of this layout. Raises TypeError for a profile that has none."""
    if not isinstance(profile.rules, EntryRules):
        raise TypeError(f"{profile.owner} has no rules for entries")
    return profile.rules


def limit_of(profile: Profile, group: str) -> Limit | None:
    """The limit of a group's file: its own, else one of the whole store, else None."""
    limits = [limit for limit in profile.limits if limit.scope == "write" and limit.group in (group, "")]
    return max(limits, key=lambda limit: limit.group == group, default=None)


def unit_of(limit: Limit | None) -> LengthUnit:
    """In what an owner counts here."""
    return "codepoints" if limit is not None and limit.unit == "codepoints" else "utf16"


def backup_of(path: str, rules: EntryRules) -> tuple[EntryFile, int] | None:
    """Of which file this is a backup that the owner made, and when (Unix seconds); None for other names."""
    for file in rules.files:
        match = _BACKUP.fullmatch(path.removeprefix(file.path)) if path.startswith(file.path) else None
        if match is not None:
            return file, int(match[1])
    return None


def is_temp(path: str) -> bool:
    """Whether this is the name of a file that the owner's program was writing (`.mem_0123456789ab.tmp`)."""
    return _TEMP.fullmatch(path) is not None


@dataclass(frozen=True, slots=True)
class Group:
    """One file of a store as its owner reads it: what is there, its limit, and what it stumbles over.

    `stored` has kind `missing` when there is none; `bad_utf8_at` is a byte offset or None. `hidden_in` are the
    positions of entries that hold a sign on a line of its own, which only another program's line ends keep from
    being a delimiter.
    """

    file: EntryFile
    stored: StoredFile
    parsed: SignFile
    limit: Limit | None
    drift: Drift | None
    bad_utf8_at: int | None
    hidden_in: frozenset[int]

    @property
    def is_readable(self) -> bool:
        """Whether there are bytes to work on, or a name that is free."""
        return self.stored.kind == "missing" or self.stored.data is not None

    @property
    def unit(self) -> LengthUnit:
        """In what the owner counts."""
        return unit_of(self.limit)


def group(files: Mapping[str, StoredFile], profile: Profile, file: EntryFile) -> Group:
    """A group's file, parsed by its owner's rules. Never fails."""
    rules = rules_of(profile)
    stored = files.get(file.path) or StoredFile(file.path, "missing", mode=rules.new_mode)
    data = stored.data or b""
    parsed = section_sign.parse(data, rules.dialect)
    limit = limit_of(profile, file.group)
    drift = section_sign.drift(parsed, limit.limit if limit else None, unit_of(limit))
    hidden = frozenset(number for number, text in enumerate(parsed.texts) if _hides_delimiter(text))
    return Group(file, stored, parsed, limit, drift, documents.parse(data).bad_utf8_at, hidden)


def groups(files: Mapping[str, StoredFile], profile: Profile) -> tuple[Group, ...]:
    """All groups of a store, in the owner's order."""
    return tuple(group(files, profile, file) for file in rules_of(profile).files)


_HIDDEN_DELIMITER = re.compile(f"[\n\r]{section_sign.SIGN}\r|\r{section_sign.SIGN}(?:\n|$)")


def _hides_delimiter(text: str) -> bool:
    return "\r" in text and _HIDDEN_DELIMITER.search(text) is not None
