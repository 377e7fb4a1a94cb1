"""The index's folder: opened whole or made anew, so that nothing in it can be wrong for long.

It is a cache. Whatever does not fit together (deleted, damaged, of another program, rolled back) is removed and
built again from the sessions.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core import fs
from memtui.core.errors import MemtuiError
from memtui.core.search.index import schema
from memtui.core.search.index.engine import BROKEN_MARK, BrokenIndexError, panics_as
from memtui.core.search.index.log import FilesLog
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    import tantivy

LOCK_NAME = "writer.lock"


class IndexBusyError(MemtuiError):
    """Another memtui is writing the index."""

    exit_status = 3

    def __init__(self, folder: Path) -> None:
        super().__init__(
            _("another memtui is writing the index in {folder}").format(folder=folder), code="index-busy"
        )


@contextlib.contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the lock of an index's folder; raises IndexBusyError when another process does, and OSError."""
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(fs.locked(folder / LOCK_NAME, wait_s=0))
        except TimeoutError:
            raise IndexBusyError(folder) from None
        yield


@dataclass(frozen=True, slots=True)
class Opened:
    """An index that fits its log. `was_made`: there was none, or none that could be used."""

    index: tantivy.Index
    log: FilesLog
    was_made: bool


def open_for_writing(folder: Path) -> Opened:
    """The index to write to; the lock must be held. Raises OSError and ValueError when none can be made."""
    # a damaged index may make the engine raise anything
    with contextlib.suppress(Exception), panics_as(BrokenIndexError):
        if fs.kind_of(folder / BROKEN_MARK) is not None:
            raise BrokenIndexError
        log = FilesLog(folder)
        log.refresh()
        log.repair_end()
        index = schema.open_index(folder)
        stamp = committed_stamp(folder)
        # the engine's commit may be one ahead of what is noted, if that was announced
        if stamp == log.stamp or (stamp > log.stamp and log.begun):
            return Opened(index, log, False)
    empty(folder)
    index = schema.open_index(folder, create=True)
    log = FilesLog(folder)
    log.create()
    return Opened(index, log, True)


def committed_stamp(folder: Path) -> int:
    """The engine's number of its last commit. Raises OSError and ValueError."""
    meta = json.loads(fs.read_file(folder / schema.META_NAME).data)
    return int(meta["opstamp"])


def empty(folder: Path) -> None:
    """Remove all that is in an index's folder but the lock. Raises OSError."""
    for entry in fs.list_dir(folder):
        if entry.kind in ("file", "symlink") and entry.name != LOCK_NAME:
            fs.unlink(folder / entry.name, missing_ok=True)


def clear_index(cache_dir: Path) -> bool:
    """Remove the index, and those of older versions; whether there was one.

    Raises IndexBusyError and OSError.
    """
    folder = schema.index_dir(cache_dir)
    remove_older(cache_dir)
    if not fs.is_dir(folder):
        return False
    with only_writer(folder):
        remove(folder)
    return True


def remove_older(cache_dir: Path) -> None:
    """Remove the indexes of older versions; what cannot be removed, or is being written, stays."""
    with contextlib.suppress(OSError):
        for entry in fs.list_dir(cache_dir):
            if entry.kind == "dir" and schema.is_older_index(entry.name):
                folder = cache_dir / entry.name
                with contextlib.suppress(OSError), fs.locked(folder / LOCK_NAME, wait_s=0):
                    remove(folder)


def remove(folder: Path) -> None:
    """Remove an index with its folder. Raises OSError."""
    empty(folder)
    fs.unlink(folder / LOCK_NAME, missing_ok=True)
    fs.remove_dir(folder)
