"""Texts that are open in a person's editor: files in memtui's own state folder, one folder each.

A draft outlives what can go wrong after it (a conflict, a refusal, a crash), so that no typing is lost.
"""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path

from memtui.core import fs
from memtui.core.errors import StorageError, explain
from memtui.i18n import _
from memtui.late import re

FOLDER = "drafts"

_TOLD = ".told-"

_ODD = re.compile(r"[^\w.\-+@ ]|^[.\-]")


def start_draft(state_dir: Path, name: str, data: bytes) -> Path:
    """Write a text for an editor. Its file is called `name` where no editor or shell could trip over that.

    Raises StorageError.
    """
    folder = state_dir / FOLDER / secrets.token_hex(4)
    stem = name.rsplit("/", 1)[-1]
    path = folder / ("memory.md" if not stem or _ODD.search(stem) or len(stem.encode()) > 200 else stem)
    try:
        fs.make_dirs(folder, mode=0o700)
        fs.write_new(path, data)
    except OSError as error:
        raise StorageError(_("no draft can be written: {reason}").format(reason=explain(error))) from error
    return path


def read_draft(path: Path) -> bytes:
    """What the editor left there. Raises StorageError, also where an editor put a link in its place."""
    try:
        return fs.read_file(path).data
    except OSError as error:
        reason = explain(error, path)
        raise StorageError(_("the editor left no text behind: {reason}").format(reason=reason)) from error


def drop_draft(path: Path) -> None:
    """Take a draft away; what an editor left beside it (backups, swap files) stays with its folder, and a
    draft that cannot be taken away stays where it is."""
    with contextlib.suppress(OSError):
        fs.unlink(path, missing_ok=True)
        if not fs.list_dir(path.parent):
            fs.remove_dir(path.parent)


def left_drafts(state_dir: Path) -> tuple[Path, ...]:
    """Texts that nobody took away: of an editor that still runs, an edit that was refused, or a crash."""
    folder = state_dir / FOLDER
    found: list[Path] = []
    with contextlib.suppress(OSError):
        for entry in fs.list_dir(folder) if fs.is_dir(folder) else ():
            if entry.kind == "dir":
                texts = fs.list_dir(folder / entry.name)
                found += [folder / entry.name / text.name for text in texts if _is_text(text.name)]
    return tuple(sorted(found))


def untold_drafts(state_dir: Path) -> tuple[Path, ...]:
    """Those of `left_drafts` that this gives for the first time; each is given once. Never raises."""
    folder = state_dir / FOLDER
    found: list[Path] = []
    left = left_drafts(state_dir)
    for path in left:
        with contextlib.suppress(OSError):
            mark = folder / f"{_TOLD}{path.parent.name}"
            if fs.kind_of(mark) is None:
                fs.write_new(mark, b"")
                found.append(path)
    with contextlib.suppress(OSError):
        names = {f"{_TOLD}{path.parent.name}" for path in left}
        for entry in fs.list_dir(folder) if fs.is_dir(folder) else ():
            if entry.name.startswith(_TOLD) and entry.name not in names:
                fs.unlink(folder / entry.name, missing_ok=True)
    return tuple(found)


def _is_text(name: str) -> bool:
    """Not the backup or swap file that an editor leaves beside its text."""
    return not name.startswith(".") and not name.endswith("~")
