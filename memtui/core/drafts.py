"""Texts that are open in a person's editor: files in memtui's own state folder, one folder each.

A draft outlives what can go wrong after it (a conflict, a refusal, a crash), so that no typing is lost.
"""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from memtui.core import fs

FOLDER = "drafts"

_ODD = re.compile(r"[^\w.\-+@ ]|^[.\-]")


def start_draft(state_dir: Path, name: str, data: bytes) -> Path:
    """Write a text for an editor. Its file is called `name` where no editor or shell could trip over that.

    Raises OSError.
    """
    folder = state_dir / FOLDER / secrets.token_hex(4)
    fs.make_dirs(folder, mode=0o700)
    stem = name.rsplit("/", 1)[-1]
    path = folder / ("memory.md" if not stem or _ODD.search(stem) or len(stem.encode()) > 200 else stem)
    fs.write_new(path, data)
    return path


def read_draft(path: Path) -> bytes:
    """What the editor left there. Raises OSError; an editor that replaced the file by a link is refused."""
    return fs.read_file(path).data


def drop_draft(path: Path) -> None:
    """Take a draft away; what an editor left beside it (backups, swap files) stays with its folder."""
    fs.unlink(path, missing_ok=True)
    if not fs.list_dir(path.parent):
        fs.remove_dir(path.parent)
