"""What locating gives: the candidate stores and transcript folders of one working directory, and store ids."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from memtui.core import fs
from memtui.core.layouts.base import Store
from memtui.late import re
from memtui.late.dataclasses import dataclass

_NOT_IN_AN_ID = re.compile(r"[^A-Za-z0-9._\-]")


@dataclass(frozen=True, slots=True)
class TranscriptRoot:
    """A directory with an agent's conversations that belong here; `sessions` counts them (0 when none)."""

    agent: str
    path: Path
    sessions: int


@dataclass(frozen=True, slots=True)
class Located:
    """The stores of a working directory, an owner's used ones first, and its transcript folders.

    `warnings` are sentences about settings and variables that could not be followed; those that concern one
    store stand in its own warnings too. Sentences may hold text from disk.
    """

    cwd: Path
    stores: tuple[Store, ...]
    transcripts: tuple[TranscriptRoot, ...]
    warnings: tuple[str, ...] = ()


def store_id(owner: str, memory_dir: Path, usual_root: Path) -> str:
    """An opaque id that depends on the directory alone, so that it is the same however it was reached.

    A directory `<usual_root>/<name>/memory` is `<owner>:<name>`. Any other place, and a name with characters
    outside `[A-Za-z0-9._-]`, gets `~` and 8 hex digits of the path's SHA-256 behind it.
    """
    is_memory = memory_dir.name == "memory" and memory_dir.parent.name != ""
    name = memory_dir.parent.name if is_memory else memory_dir.name
    safe = _NOT_IN_AN_ID.sub("-", name)
    if is_memory and memory_dir.parent.parent == usual_root and safe == name:
        return f"{owner}:{safe}"
    fingerprint = hashlib.sha256(os.fsencode(memory_dir)).hexdigest()[:8]
    return f"{owner}:{safe}~{fingerprint}"


def can_write(directory: Path) -> bool:
    """Whether the system would let us write in `directory`, or make it where it does not exist yet."""
    current = directory
    while fs.kind_of(current) is None and current.parent != current:
        current = current.parent
    return fs.is_dir(current) and fs.is_writable(current)
