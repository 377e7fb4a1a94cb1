"""Which generation of yandy's pi-memory a directory is of, as its files tell (topics sheet 0)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from memtui.core import fs
from memtui.core.locate.yandy_names import HASHED
from memtui.late import re
from memtui.late.dataclasses import dataclass

INDEX_NAME = "MEMORY.md"
LOCK_NAME = ".lock"
HEAD_BYTES = 2_048
MOST_FILES = 24
KINDS = ("git", "local")

Generation = Literal["", "0.x", "1.x", "1.4", "2.x"]

_KEY = re.compile(rb"^([A-Za-z_]+):", re.MULTILINE)
_NOTE_KEYS = {b"name", b"created", b"modified"}


@dataclass(frozen=True, slots=True)
class Content:
    """What the files of a directory show: `0.x`, `1.x` (topics, of 1.4 too) or `2.x`, '' when none shows it.

    `is_project_memory`: they look like those of pi-project-memory, which uses the same directory names.
    """

    generation: Generation = ""
    is_project_memory: bool = False


def content_of(root: Path, most_files: int = MOST_FILES) -> Content:
    """Look at the first lines of some files of a directory. Never raises."""
    try:
        names = [entry.name for entry in fs.list_dir(root) if entry.kind == "file"]
    except OSError:
        return Content()
    generation: Generation = ""
    has_types = False
    for name in [name for name in names if name.endswith(".md") and name != INDEX_NAME][:most_files]:
        keys = _keys(root / name)
        has_types |= b"type" in keys
        if keys >= _NOTE_KEYS:
            return Content("2.x")
        if b"updated" in keys:
            is_full = bool(keys & {b"name", b"description"})
            generation = "1.x" if is_full or generation == "1.x" else "0.x"
    is_other = ".review-state.json" in names or (generation == "1.x" and not has_types)
    return Content(generation, is_other)


def holds_memory(root: Path) -> bool:
    """Whether there is anything of the owner's in a directory; an empty one counts as none."""
    try:
        return any(entry.name.endswith(".md") or entry.name == LOCK_NAME for entry in fs.list_dir(root))
    except OSError:
        return False


def is_named_like_yandys(root: Path) -> bool:
    """Whether a directory bears a name of the owner's, and holds something."""
    is_readable = root.parent.name in KINDS and bool(content_of(root, 1).generation)
    return (HASHED.fullmatch(root.name) is not None or is_readable) and holds_memory(root)


def looks_like_yandys(root: Path) -> bool:
    """Whether a directory is one of the owner's, by its name or by the frontmatter of what is in it."""
    return is_named_like_yandys(root) or content_of(root).generation in ("1.x", "2.x")


def _keys(path: Path) -> set[bytes]:
    """The keys at the top level of a file's frontmatter, which begins with its first line."""
    try:
        head = fs.read_head(path, HEAD_BYTES).replace(b"\r\n", b"\n")
    except OSError:
        return set()
    if not head.startswith(b"---\n"):
        return set()
    end = head.find(b"\n---", 3)
    return set(_KEY.findall(head[4 : end if end >= 0 else len(head)]))
