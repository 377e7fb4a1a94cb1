"""Intents, steps and plans: what was asked, and exactly what it means on today's bytes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from memtui.core.layouts.base import Edit, LockRule
from memtui.late.dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Intent:
    """What a person asked of one store: edits in order, and for each a digest of what they saw.

    An empty digest in `seen` means the edit is not about anything that was there before.
    """

    verb: str
    store_id: str
    edits: tuple[Edit, ...]
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Write:
    """Give a file new bytes: `before` is the digest of what must be there (None = the name must be free),
    `after` the digest of what will be; `mode` the permission bits of the result."""

    path: Path
    before: str | None
    after: str
    mode: int


@dataclass(frozen=True, slots=True)
class Trash:
    """Take a name away, keeping its bytes in the history.

    `before` is the digest of its bytes, or of a symlink's target text when `is_symlink` (then only the link
    goes). `successor` is the name under which the text lives on (a rename), where late writes are handed to.
    """

    path: Path
    before: str
    mode: int
    is_symlink: bool = False
    successor: Path | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """Make a symlink again (only ever to undo a Trash of one); `after` is the digest of its target text."""

    path: Path
    after: str


@dataclass(frozen=True, slots=True)
class Append:
    """Add bytes (digest `data`) at the end of a file, which must be this `inode` with exactly `at` bytes.

    The file's last byte is a line end, or `data` begins with one.
    """

    path: Path
    inode: int
    at: int
    data: str


@dataclass(frozen=True, slots=True)
class Cut:
    """Take bytes (digest `data`) off the end of a file again (only ever to undo an Append).

    The file must be this `inode` and hold them at offset `at`, with nothing behind them.
    """

    path: Path
    inode: int
    at: int
    data: str


@dataclass(frozen=True, slots=True)
class Stash:
    """Take a whole file away, whatever its size: it moves to the free name `place` in memtui's trash.

    It must be this `inode` with `size_bytes` bytes, or more where it `may_grow` (a program is writing to it,
    and the person knows).
    """

    path: Path
    inode: int
    size_bytes: int
    place: Path
    may_grow: bool = False


@dataclass(frozen=True, slots=True)
class Unstash:
    """Bring a file back from the trash (only ever to undo a Stash), with the lines behind its own that a
    program wrote to a new file of its name meanwhile.

    `size_bytes` are those of the file in the trash; `inode` is its number where it is to lie (0 = not known
    before it was copied there from another file system).
    """

    path: Path
    inode: int
    size_bytes: int
    place: Path


WholeFile = Append | Cut | Stash | Unstash
"""Steps on files that may be too large to hold in memory: known by inode and size, not by a digest."""

Step = Write | Trash | Link | WholeFile


@dataclass(frozen=True, slots=True)
class OwnerLock:
    """An owner's lock to hold while the steps are done; `rule` says how it is taken, `path` where it is."""

    path: Path
    rule: LockRule


@dataclass(frozen=True, slots=True)
class Plan:
    """The exact steps of an intent, in order, with the bytes they name.

    `root` is the store's directory: every step's path lies below it, or below one of `other_roots` where a
    change is about several stores. `blobs` maps digests to bytes for every
    digest that the steps name (what a Stash takes away is in none: the file itself is kept). `locks` are the
    owner's locks to hold, in order (none for `facts`). `summary` is a phrase for the history; `notes` is
    what the person should know. An empty `steps` changes nothing.
    """

    store_id: str
    root: Path
    steps: tuple[Step, ...]
    blobs: Mapping[str, bytes]
    summary: str
    verb: str = ""
    locks: tuple[OwnerLock, ...] = ()
    notes: tuple[str, ...] = ()
    undoes: str | None = None
    redoes: str | None = None
    creates_root: bool = field(default=False)
    other_roots: tuple[Path, ...] = ()

    @property
    def roots(self) -> tuple[Path, ...]:
        """The directories of all stores that the plan is about."""
        return (self.root, *self.other_roots)


def paths_below(root: Path, plan: Plan) -> list[str]:
    """The files of one store that a plan is about, relative to its root."""
    return [str(step.path.relative_to(root)) for step in plan.steps if step.path.is_relative_to(root)]
