"""What stands at a name right now, read with the patience that truncating writers need."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

from memtui.core import fs, streams
from memtui.core.operations.plan import Link, Trash, Write

CALM_WAIT_S = 0.06
"""How long a file that reads empty, or cut short, is given to become whole: a truncating writer is at work."""

DIGEST_LIMIT_BYTES = 64 << 20
"""Files above this size are not read whole for the digest of a preview."""

_PAUSE_S = 0.003


class Overtaken(Exception):
    """Another program changed a file so that this step no longer means what was asked; `path` names it."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self.path = path


class Stuck(Exception):
    """Taking a step back would lose another program's text: left for the person to decide.

    `stands`: the step is in effect and stays so; what is left to do of it is done at the next start.
    """

    def __init__(self, *, stands: bool = False) -> None:
        super().__init__()
        self.stands = stands


def read_bytes(path: Path) -> bytes | None:
    """The bytes of the regular file at `path`, None when nothing is there. Raises OSError for the rest."""
    image = read_image(path)
    return None if image is None else image.data


def read_image(path: Path) -> fs.FileImage | None:
    """The regular file at `path`, None when nothing is there. Raises OSError for the rest."""
    try:
        return fs.read_file(path)
    except FileNotFoundError:
        return None


def read_calm(path: Path, known: bytes) -> fs.FileImage | None:
    """As `read_image`, but read again for some milliseconds while it looks as if a writer were in the middle.

    It looks so when the file is empty, or ends within a line, which its `known` bytes do not.
    """
    image = read_image(path)
    deadline = time.monotonic() + CALM_WAIT_S
    while image is not None and _looks_torn(image.data, known) and time.monotonic() < deadline:
        time.sleep(_PAUSE_S)
        image = read_image(path)
    return image


def _looks_torn(data: bytes, known: bytes) -> bool:
    return data != known and (not data or (known.endswith(b"\n") and not data.endswith(b"\n")))


def read_identity(path: Path, *, is_symlink: bool) -> bytes | None:
    """What a step compares: a file's bytes or a symlink's target text; None when nothing is there."""
    if not is_symlink:
        return read_bytes(path)
    try:
        return os.fsencode(fs.read_link(path))
    except FileNotFoundError:
        return None


def expects(step: Write | Trash | Link) -> tuple[str | None, bool]:
    """The digest that must be at a step's path before it (None = free name), and whether of a symlink."""
    if isinstance(step, Link):
        return None, True
    return step.before, isinstance(step, Trash) and step.is_symlink


def file_digest(path: Path, size_bytes: int, more: bytes) -> str | None:
    """SHA-256 of the first bytes of a file with `more` behind them; None for too large or unreadable files."""
    if size_bytes > DIGEST_LIMIT_BYTES:
        return None
    found = hashlib.sha256()
    try:
        with streams.held(path, writable=False) as file:
            for piece in file.pieces(0, size_bytes):
                found.update(piece)
    except OSError:
        return None
    found.update(more)
    return found.hexdigest()
