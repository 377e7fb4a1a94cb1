"""What every layout speaks: stores, files, memories, budgets, problems, edits, and the Layout protocol.

Everything here is frozen data. A layout is pure: it takes the files of a store as they were read and gives
back a `Snapshot`, or for an edit the new bytes of the files it touches. It never reads or writes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from memtui.core.layouts.edit_kinds import (
    Add,
    Discard,
    Edit,
    FieldName,
    How,
    Place,
    Redact,
    Regroup,
    Relist,
    Remove,
    Rename,
    Reshape,
    SetField,
    SetIndex,
    SetText,
)
from memtui.late.dataclasses import dataclass, field

if TYPE_CHECKING:
    from memtui.core.text.frontmatter import Frontmatter
    from memtui.core.text.index_lines import Index

# what edits are, for whoever knows the layouts
__all__ = ["Add", "Discard", "Edit", "FieldName", "How", "Place", "Redact", "Regroup", "Relist", "Remove"]
__all__ += ["Rename", "Reshape", "SetField", "SetIndex", "SetText"]

Unit = Literal["lines", "bytes", "utf16", "codepoints"]
Scope = Literal["inject", "body", "write"]
Severity = Literal["error", "warning", "note"]
FileKind = Literal["file", "dir", "symlink", "other", "missing", "unreadable"]
MemoryState = Literal["ok", "missing", "outside", "symlink", "unreadable"]


def digest(data: bytes) -> str:
    """The identity of a text everywhere in memtui: SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


# Stores and their rules


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit of an owner, in the owner's unit; `source` names where the number comes from.

    `group` is the group of memories that it holds for, '' = the whole store.
    """

    scope: Scope
    unit: Unit
    limit: int
    source: str
    group: str = ""


LockKind = Literal["directory", "record", "flock"]


@dataclass(frozen=True, slots=True)
class LockRule:
    """How an owner's programs keep each other out while they write.

    `kind`: an empty directory whose time is refreshed (proper-lockfile), a file with a record of its holder
    that nobody takes over (pi-memory 2.x), or flock on a file that stays. `name` is the lock's path relative
    to the store's root, `{file}` in it stands for each file that is written. A lock of kind `directory` that
    is older than `stale_s` seconds was left behind. `waits_s` are the pauses between attempts, in seconds.
    """

    kind: LockKind
    name: str
    waits_s: tuple[float, ...]
    stale_s: float | None
    source: str


@dataclass(frozen=True, slots=True)
class Profile:
    """An owner's rules as data; a layout asks the profile instead of asking who the owner is.

    `index_name` is the file that the owner loads; `types` the words it knows; `stamp` the keys of the
    frontmatter that it writes itself, in order, as `a.b` paths; `frontmatter_lines` how many lines its reader
    looks at (None = no limit); `default_type` what a new memory gets when none is asked for;
    `long_line_units` the advice for one index line, in UTF-16 units.
    `strips_comments`: HTML comments at top level and frontmatter of the index do not reach the agent.
    `minds` are habits of bytes that the owner's own program stumbles over (`crlf`, `no-final-newline`).
    `reads_leftovers`: backups and half-written files that its program leaves are read too, where the layout
    wants them.
    `only_looked_at`: nothing of it is memtui's to change or to tidy up.
    `of_person`: one memory for every project.
    `keeps` are files that its program replaces by itself, and of which memtui keeps copies.
    `lists` are patterns (as of a shell) of relative paths that are known by name, size and time and never
    opened; of a larger file than `tail_bytes` only the end is read.
    `read_only` says why nothing of it can ever be changed, '' = it can. `groups` are the groups that a store's
    memories lie in, where they are always the same; `names_groups`: a person names them, each is a file of
    several memories.
    `lock` is the owner's own lock, `rules` whatever else the layout needs to know of the owner (a frozen
    dataclass that the layout defines).
    """

    owner: str
    layout: str
    agents: tuple[str, ...]
    index_name: str
    limits: tuple[Limit, ...]
    types: tuple[str, ...]
    default_type: str = "project"
    stamp: tuple[str, ...] = ("name", "description", "metadata.node_type", "metadata.type")
    frontmatter_lines: int | None = None
    strict_yaml: bool = False
    strips_comments: bool = False
    long_line_units: int | None = None
    refused_folders: frozenset[str] = frozenset()
    approximate: tuple[str, ...] = ()
    minds: frozenset[str] = frozenset()
    lock: LockRule | None = None
    rules: object = None
    read_only: str = ""
    groups: tuple[str, ...] = ()
    names_groups: bool = False
    reads_leftovers: bool = False
    only_looked_at: bool = False
    of_person: bool = False
    keeps: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    tail_bytes: int | None = None

    def is_read_in(self, agent: str) -> bool:
        """Whether what this owner keeps is read within an agent (`pi`), be it by an extension of its own."""
        names = (name.rpartition("/")[2].lower() for name in self.agents)
        return any(name == agent or name.startswith(f"{agent}-") for name in names)


@dataclass(frozen=True, slots=True)
class Store:
    """One place with memories and the rule that led to it.

    `used` = the agent in this directory reads it; `tier` names the step of the owner's own rule; `loads` is
    False where a configuration keeps the agent from seeing the index (`loads_not_because` says which).
    `shared_by` are other projects whose memory is this same directory. `findings` are problems that were seen
    while locating, as (problem code, sentence); every sentence stands in `warnings` too. `read_at` is when
    the files of a snapshot were read: the day that a layout writes where its owner stamps one; `sessions` how
    many conversations of the agent there were then for this project, None = not known.
    """

    id: str
    root: Path
    profile: Profile
    exists: bool
    used: bool
    reason: str
    tier: str = "computed"
    writable: bool = True
    read_by: tuple[str, ...] = ()
    loads: bool = True
    loads_not_because: str = ""
    warnings: tuple[str, ...] = ()
    shared_by: tuple[str, ...] = ()
    findings: tuple[tuple[str, str], ...] = ()
    read_at: datetime | None = field(default=None, compare=False)
    sessions: int | None = field(default=None, compare=False)

    @property
    def owner(self) -> str:
        """Whose format and limits apply."""
        return self.profile.owner

    @property
    def layout(self) -> str:
        """The family of the on-disk format."""
        return self.profile.layout


# Files as read


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One name below a store's root as it was read; `path` is relative, with `/`.

    `data` is None unless the kind is `file` (and what is only listed has none); `offset` is the byte of the
    file at which `data` begins, `size_bytes` the size of the whole; `link_target` is a symlink's text;
    `error` says why a file could not be read. `updated` is the file's time of last change.
    """

    path: str
    kind: FileKind
    data: bytes | None = None
    mode: int = 0o644
    inode: int = 0
    updated: datetime | None = None
    link_target: str = ""
    error: str = ""
    offset: int = 0
    size_bytes: int = 0


# What a scan gives


@dataclass(frozen=True, slots=True)
class Problem:
    """Something provable and wrong: a stable code, a place, one sentence in plain words.

    `memory` is a memory's id or None; `line` counts from 1; `message` may hold text from disk. `repair` is the
    edit that mends it, None where there is none; `is_safe`: it is proven to lose no text but a line's whose
    file is gone, and to change nothing that an agent reads but what the problem says.
    """

    code: str
    severity: Severity
    message: str
    memory: str | None = None
    file: str | None = None
    line: int | None = None
    repair: Edit | None = None
    is_safe: bool = False

    @property
    def repairable(self) -> bool:
        """Whether an edit mends it."""
        return self.repair is not None


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of a limit is used; `loaded` = first and last index line (1-based) that is loaded whole, or
    None when all is; `binding` marks the budget with the highest share among those of its scope."""

    scope: Scope
    group: str
    unit: Unit
    used: int
    limit: int
    binding: bool = False
    loaded: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """One remembered thing: what `d` deletes.

    `id` is opaque and unique in its store; `file` is relative to the store's root; `span` the byte range in
    that file (None = the whole file); `index_lines` 1-based lines of the index that name it; `hook` the text
    after the dash of the first of them. `loaded` is False where the owner loads an index and no line of this
    memory is within what it loads. `why_not[verb]` says why a verb cannot be done (`edit delete rename type
    title description hook`). Strings may hold any text from disk, surrogate escapes included.
    """

    id: str
    title: str
    description: str
    type: str
    group: str
    file: str
    state: MemoryState = "ok"
    span: tuple[int, int] | None = None
    index_lines: tuple[int, ...] = ()
    hook: str | None = None
    loaded: bool = True
    updated: datetime | None = None
    size_bytes: int = 0
    link_target: str = ""
    why_not: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoreFact:
    """Something to know about a store that is no problem: one word for what it is, and a sentence.

    Both may hold text from disk.
    """

    label: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A store as it was at one moment, whole and frozen.

    `frontmatters` (by relative path) and `index` are the parsed texts, kept so that checks need not parse
    again. A layout's scan puts into `problems` what only it can know; the checks add theirs. `facts` is what
    else it knows of the store.
    """

    store: Store
    files: Mapping[str, StoredFile]
    memories: tuple[Memory, ...]
    budgets: tuple[Budget, ...]
    problems: tuple[Problem, ...] = ()
    frontmatters: Mapping[str, Frontmatter] = field(default_factory=dict)
    index: Index | None = None
    facts: tuple[StoreFact, ...] = ()

    def memory(self, memory_id: str) -> Memory | None:
        """The memory of this id, or None."""
        return next((memory for memory in self.memories if memory.id == memory_id), None)


@dataclass(frozen=True, slots=True)
class MemoryText:
    """The exact source of one memory, and the part of it after its frontmatter or heading."""

    text: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class AgentView:
    """What the agent is given, and which statements about it are not exact."""

    text: bytes
    approximate: tuple[str, ...] = ()


# What an edit means


@dataclass(frozen=True, slots=True)
class FileChange:
    """New bytes for one file: `before` is the file as read (kind `missing` = it is to be created), `after`
    None = it goes (a symlink goes itself, never its target)."""

    path: str
    before: StoredFile
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Draft:
    """What an edit does to the files: bodies before index lines on add, lines before bodies on delete.

    `summary` is one phrase for the history (`deleted grafana-old.md`), `notes` what the person should know.
    """

    changes: tuple[FileChange, ...]
    summary: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an edit is not possible, in one sentence; `conflict` = it was overtaken by another program.

    `can_insist`: the same edit with `insists` would be done.
    """

    reason: str
    conflict: bool = False
    theirs: tuple[str, ...] = ()
    yours: tuple[str, ...] = ()
    can_insist: bool = False


class Layout(Protocol):
    """One family of on-disk formats. No I/O, never raises on content: a bad file is a memory with a problem."""

    name: str

    def wants(self, path: str, profile: Profile) -> bool:
        """Whether the file at this relative path holds memories or their index and is to be read."""
        ...

    def enters(self, folder: str, profile: Profile) -> bool:
        """Whether this relative folder is looked into."""
        ...

    def scan(self, store: Store, files: Iterable[StoredFile]) -> Snapshot:
        """Files to memories, budgets and the layout's own problems."""
        ...

    def text(self, snapshot: Snapshot, memory_id: str) -> MemoryText | None:
        """The exact source of a memory; None when there is none to show."""
        ...

    def seen(self, snapshot: Snapshot, edit: Edit) -> str:
        """A digest of what this edit is about (the lines and bytes a person decided on); '' = nothing."""
        ...

    def edit(self, snapshot: Snapshot, edit: Edit) -> Draft | Refusal:
        """The new bytes that an edit means on this snapshot."""
        ...

    def agent_view(self, snapshot: Snapshot) -> AgentView:
        """What the agent is given of this store at its start."""
        ...


LayoutTable = Mapping[str, Layout]
ProfileTable = Mapping[str, Profile]
Files = Sequence[StoredFile]
