"""What the engine does when it cannot go on: it panics, which is no exception that anybody catches."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from memtui.core import fs

BROKEN_MARK = "broken"
"""A file of this name in the index's folder: it is to be made anew."""

_SEGMENTS_LOCK = ".tantivy-meta.lock"
"""Held while the engine opens or removes files of an index: whoever finds it held waits for a tenth of a second
with all threads of the process."""

_PANIC = "PanicException"


class BrokenIndexError(Exception):
    """The engine cannot read what the index's files hold."""


@contextlib.contextmanager
def panics_as(kind: type[Exception]) -> Iterator[None]:
    """Raise `kind` in place of a panic of the engine within the block."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != _PANIC:
            raise
        raise kind(str(error)) from None


def mark_broken(folder: Path) -> None:
    """Have the index made anew by who writes it next; without a word where that cannot be noted."""
    with contextlib.suppress(OSError):
        fs.write_new(folder / BROKEN_MARK, b"")


def is_opening_held_up(folder: Path) -> bool:
    """Whether another process keeps the engine from opening what was committed; not for long. Never raises."""
    try:
        with fs.locked(folder / _SEGMENTS_LOCK, wait_s=0):
            return False
    except TimeoutError:
        return True
    except OSError:
        return False
