"""Reads the files of a store: the only place where a layout's files come from the disk.

Symlinks below the root are listed, never followed; the root itself may be reached through one. Whatever
cannot be read is listed with the reason, and what vanishes meanwhile is left out.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

from memtui.core import fs
from memtui.core.layouts.base import FileKind, Layout, Profile, Store, StoredFile
from memtui.core.text.leftovers import leftover_kind
from memtui.i18n import _

LIMIT_BYTES = 64 * 1024 * 1024
"""Larger files are listed without their text: no owner reads that much, and it would not fit a screen."""

ROOT = "."
"""The path under which a root that cannot be listed is reported."""


def read_store(store: Store, layout: Layout, *, limit_bytes: int = LIMIT_BYTES) -> tuple[StoredFile, ...]:
    """Every file below the store's root that the layout wants, and every leftover (without its text, unless
    the owner's rules say otherwise).

    A missing root gives an empty tuple; nothing is created and nothing raised. Directories that bear a wanted
    name, symlinks and what cannot be read have their own kinds.
    """
    files: list[StoredFile] = []
    folders = [""]
    while folders:
        folder = folders.pop()
        directory = store.root / folder if folder else store.root
        try:
            entries = fs.list_dir(directory)
        except FileNotFoundError:
            continue
        except OSError as error:
            files.append(StoredFile(folder or ROOT, "unreadable", error=_reason(error)))
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.kind == "dir" and layout.enters(path, store.profile):
                folders.append(path)
            file = _read(directory, entry, path, layout, store.profile, limit_bytes)
            if file is not None:
                files.append(file)
    return tuple(files)


def read_named(store: Store, paths: Iterable[str]) -> tuple[StoredFile, ...]:
    """These files of a store (relative paths) with their text, whoever wants them; what is gone is left out."""
    files = []
    for path in paths:
        file = _read_file(store.root / path, path, LIMIT_BYTES, None)
        if file is not None:
            files.append(file)
    return tuple(files)


def _read(
    directory: Path, entry: fs.Entry, path: str, layout: Layout, profile: Profile, limit_bytes: int
) -> StoredFile | None:
    is_wanted = layout.wants(path, profile)
    if entry.kind != "dir" and leftover_kind(entry.name) and not (profile.reads_leftovers and is_wanted):
        return StoredFile(path, entry.kind)
    full = directory / entry.name
    if any(fnmatchcase(path, pattern) for pattern in profile.lists):
        return _listed(full, path, entry.kind)
    if entry.kind == "symlink":
        return _read_link(full, path) if is_wanted or fs.is_dir(full) else None
    if not is_wanted:
        return None
    if entry.kind == "dir":
        return StoredFile(path, "dir", error=_("it is a directory"))
    if entry.kind == "other":
        return StoredFile(path, "other", error=_("it is not a regular file"))
    return _read_file(full, path, limit_bytes, profile.tail_bytes)


def _listed(full: Path, path: str, kind: FileKind) -> StoredFile:
    size, time_s = fs.size_and_time(full)
    return StoredFile(path, kind, updated=_time(int(time_s * 1e9)), size_bytes=size)


def _read_file(full: Path, path: str, limit_bytes: int, tail_bytes: int | None) -> StoredFile | None:
    try:
        if tail_bytes is not None:
            data, size, mtime_ns = fs.read_tail(full, tail_bytes)
            return StoredFile(
                path, "file", data, updated=_time(mtime_ns), offset=size - len(data), size_bytes=size
            )
        image = fs.read_file(full, limit_bytes=limit_bytes)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return _read_link(full, path)
        if error.errno == errno.EFBIG:
            reason = _("it is larger than {limit} MB").format(limit=limit_bytes // (1024 * 1024))
            return StoredFile(path, "unreadable", error=reason)
        return StoredFile(path, "unreadable", error=_reason(error))
    return StoredFile(
        path, "file", image.data, image.mode, image.inode, _time(image.mtime_ns), size_bytes=len(image.data)
    )


def _read_link(full: Path, path: str) -> StoredFile | None:
    try:
        return StoredFile(path, "symlink", link_target=fs.read_link(full))
    except FileNotFoundError:
        return None
    except OSError as error:
        return StoredFile(path, "unreadable", error=_reason(error))


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno is not None else str(error)


def _time(mtime_ns: int) -> datetime | None:
    try:
        return datetime.fromtimestamp(mtime_ns / 1e9, UTC)
    except (OverflowError, OSError, ValueError):
        return None
