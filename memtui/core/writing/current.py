"""What stands at a name right now, read with the patience that truncating writers need."""

from __future__ import annotations

import os
import time
from pathlib import Path

from memtui.core import fs
from memtui.core.operations.plan import Link, Step, Trash

CALM_WAIT_S = 0.06
"""How long a file that reads empty, or cut short, is given to become whole: a truncating writer is at work."""

_PAUSE_S = 0.003


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


def expects(step: Step) -> tuple[str | None, bool]:
    """The digest that must be at a step's path before it (None = free name), and whether of a symlink."""
    if isinstance(step, Link):
        return None, True
    return step.before, isinstance(step, Trash) and step.is_symlink
