"""Copies of files that an owner's program replaces by itself, in memtui's own state folder.

memweave writes its `rule.md` anew at every upgrade (memweave sheet 1): what a person had put into it is in no
history of theirs.
"""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from pathlib import Path

from memtui.core import fs
from memtui.core.layouts.base import digest
from memtui.late.dataclasses import dataclass

FOLDER = "copies"
MOST = 20
"""So many versions of one file are kept, the newest ones."""

_TIME = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class Copy:
    """One version of a file as it was seen: `kept` is where it is, `seen` when it was seen first."""

    kept: Path
    seen: datetime
    data: bytes


def copies_of(state_dir: Path, path: Path) -> tuple[Copy, ...]:
    """The versions of a file that were kept, newest first. Never raises."""
    folder = _folder(state_dir, path)
    found: list[Copy] = []
    with contextlib.suppress(OSError):
        for entry in fs.list_dir(folder) if fs.is_dir(folder) else ():
            with contextlib.suppress(ValueError, OSError):
                seen = datetime.strptime(entry.name.partition("-")[0], _TIME).replace(tzinfo=UTC)
                found.append(Copy(folder / entry.name, seen, fs.read_file(folder / entry.name).data))
    return tuple(sorted(found, key=lambda copy: (copy.seen, copy.kept.name), reverse=True))


def keep_copy(state_dir: Path, path: Path, data: bytes, now: datetime) -> bool:
    """Keep a version of a file, unless it is the newest that is kept; whether it was kept. Never raises."""
    known = copies_of(state_dir, path)
    if known and known[0].data == data:
        return False
    folder = _folder(state_dir, path)
    name = f"{now.astimezone(UTC).strftime(_TIME)}-{digest(data)[:8]}-{path.name}"
    try:
        fs.make_dirs(folder, mode=0o700)
        fs.write_new(folder / name, data, mode=0o600)
        for old in known[MOST - 1 :]:
            fs.unlink(old.kept, missing_ok=True)
    except OSError:
        return False
    return True


def _folder(state_dir: Path, path: Path) -> Path:
    return state_dir / FOLDER / digest(bytes(path))[:16]
