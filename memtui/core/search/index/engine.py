"""What the engine does when it cannot go on: it panics, which is no exception that anybody catches."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from memtui.core import fs

BROKEN_MARK = "broken"
"""A file of this name in the index's folder: it is to be made anew."""

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
