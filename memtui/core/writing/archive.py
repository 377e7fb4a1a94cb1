"""A copy of a session for a person to keep: whole lines, never over anything, no second name of the file."""

from __future__ import annotations

import contextlib
import secrets
from pathlib import Path

from memtui.core import fs, streams
from memtui.core.sessions.edits import archive_name
from memtui.core.text.leftovers import OWN_TEMP_PREFIX
from memtui.late.dataclasses import dataclass

_TRIES = 100


@dataclass(frozen=True, slots=True)
class Archived:
    """A copy and its size; `left_out_bytes` are those of a last line that had no end yet."""

    path: Path
    size_bytes: int
    left_out_bytes: int = 0


def archive(source: Path, folder: Path, name: str = "") -> Archived:
    """Copy what stands in a session file at this moment, up to its last line end (mode 0600, flushed).

    The copy is called `name`, or without one as the source, with a number where that is taken. Raises OSError;
    FileExistsError when `name` is taken.
    """
    temp = folder / f"{OWN_TEMP_PREFIX}archive-{secrets.token_hex(4)}.tmp"
    with streams.held(fs.real_path(source), writable=False) as file:
        size_bytes = file.status.size_bytes
        end = file.line_start(size_bytes)
        try:
            streams.copy_new(file, temp, end)
            path = _name_it(temp, source, folder, name)
        except OSError:
            with contextlib.suppress(OSError):
                fs.unlink(temp, missing_ok=True)
            raise
    fs.fsync_dir(folder)
    return Archived(path, end, size_bytes - end)


def archive_path(source: Path, folder: Path, name: str = "") -> Path:
    """What a copy would be called now. Raises OSError."""
    return folder / (name or archive_name(source, (entry.name for entry in fs.list_dir(folder))))


def _name_it(temp: Path, source: Path, folder: Path, name: str) -> Path:
    for _try in range(_TRIES):
        path = archive_path(source, folder, name)
        try:
            fs.move_to_free(temp, path)
            return path
        except FileExistsError:
            if name:
                raise
    raise FileExistsError(str(folder))
