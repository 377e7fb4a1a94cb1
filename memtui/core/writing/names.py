"""Moves between a temp name and a live one, none of which can lose what another program put there.

Temp names are memtui's own and unique; a live name may be replaced, appended to or taken at any moment.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from memtui.core import fs


def write_temp(path: Path, data: bytes, mode: int) -> None:
    """Write a temp file; one that could not be written whole does not stay. Raises OSError."""
    try:
        fs.write_new(path, data, mode=mode)
    except FileExistsError:
        raise
    except OSError:
        with contextlib.suppress(OSError):
            fs.unlink(path, missing_ok=True)
        raise


def exchange_names(temp: Path, path: Path) -> bool:
    """Swap a temp and a live name; False where that took two steps, because the system cannot do it in one.

    Between the two steps (a hard link, then a rename) a file that another program renames to `path` would be
    replaced unseen.
    """
    try:
        fs.exchange(temp, path)
    except fs.UnsupportedEffectError:
        aside = aside_of(temp)
        fs.link(path, aside)
        fs.replace(temp, path)
        fs.replace(aside, temp)
        return False
    return True


def tidy_aside(temp: Path, live: Path) -> None:
    """After an exchange in two steps that was cut off: give the replaced file its temp name. Raises OSError."""
    aside = aside_of(temp)
    inode = fs.inode_of(aside)
    if inode is None:
        return
    if inode == fs.inode_of(live):
        # the live name was not replaced yet: this is only its second name
        fs.unlink(aside)
    else:
        fs.replace(aside, temp)


def aside_of(temp: Path) -> Path:
    """The second name that the replaced file has for a moment where names cannot be exchanged."""
    return temp.with_name(temp.name + ".old")


def give_back(temp: Path, path: Path) -> bool:
    """Move a file that was taken away back to its name; False when another program took the name since."""
    try:
        fs.move_to_free(temp, path)
    except FileExistsError:
        return False
    return True
