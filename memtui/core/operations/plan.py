"""Intents, steps and plans: what was asked, and exactly what it means on today's bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memtui.core.layouts.base import Edit


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


Step = Write | Trash | Link


@dataclass(frozen=True, slots=True)
class Plan:
    """The exact steps of an intent, in order, with the bytes they name.

    `root` is the store's directory: every step's path lies below it. `blobs` maps digests to bytes for every
    digest that the steps name. `locks` are the owner's lock files to hold (none for `facts`). `summary` is
    a phrase for the history; `notes` is what the person should know. An empty `steps` changes nothing.
    """

    store_id: str
    root: Path
    steps: tuple[Step, ...]
    blobs: Mapping[str, bytes]
    summary: str
    verb: str = ""
    locks: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    undoes: str | None = None
    redoes: str | None = None
    creates_root: bool = field(default=False)
