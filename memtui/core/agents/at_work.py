"""Looks whether something works on a store in the background. Asks the disk for names and times; the only files
that are opened are lock records."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

from memtui.core import fs
from memtui.core.agents.background import Background, Seen, Sign, judge, signs_of
from memtui.core.agents.processes import is_running
from memtui.core.layouts.base import Store

RECORD_LIMIT_BYTES = 4096


def at_work(store: Store, now: datetime) -> tuple[Background, ...]:
    """What works on a store now, and what was left by something that did. memtui's own locks are none of it.

    Never raises.
    """
    host = socket.gethostname()
    found: dict[Path, Background] = {}
    for sign in signs_of(store):
        for seen in _seen(store, sign):
            item = judge(sign, seen, now, host, is_running)
            if item is not None and (item.pid, item.host) != (os.getpid(), host):
                found.setdefault(item.path, item)
    return tuple(found.values())


def places_beside(store: Store) -> tuple[tuple[Path, str], ...]:
    """The places of signs that lie outside of a store's root and may come at any time: folder and name."""
    places = []
    for sign in signs_of(store):
        path = _path(store, sign)
        if sign.place.startswith("../") and "*" not in sign.place:
            places.append((path.parent, path.name))
        elif sign.place.startswith("../") and fs.is_dir(path.parent):
            places.append((path.parent, ""))
    return tuple(places)


def _path(store: Store, sign: Sign) -> Path:
    return Path(os.path.normpath(store.root / sign.place.replace("{root}", store.root.name)))


def _seen(store: Store, sign: Sign) -> Iterator[Seen]:
    place = _path(store, sign)
    if "*" not in sign.place:
        found = _look(store, sign, place)
        return iter(()) if found is None else iter((found,))
    seen = [item for path in _matching(place) if (item := _look(store, sign, path)) is not None]
    if sign.proof == "grows":
        # one is enough to tell that something is at work
        seen = sorted(seen, key=lambda item: item.time or datetime.min.replace(tzinfo=UTC))[-1:]
    return iter(seen)


def _matching(pattern: Path) -> Iterator[Path]:
    """The paths that a pattern fits; any of its last parts may hold a star. Links are not followed."""
    parts = pattern.parts
    first = next(number for number, part in enumerate(parts) if "*" in part)
    folders = [Path(*parts[:first])]
    for part in parts[first:]:
        found = []
        for folder in folders:
            with contextlib.suppress(OSError):
                names = (entry.name for entry in fs.list_dir(folder) if entry.kind != "symlink")
                found += [folder / name for name in names if fnmatchcase(name, part)]
        folders = found
    return iter(folders)


def _look(store: Store, sign: Sign, path: Path) -> Seen | None:
    kind = fs.kind_of(path)
    if kind is None:
        return None
    data = b""
    with contextlib.suppress(OSError):
        if sign.proof == "record" and kind == "file":
            data = fs.read_file(path, limit_bytes=RECORD_LIMIT_BYTES).data
    _size, seconds = fs.size_and_time(path)
    try:
        time = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        time = None
    name = path.relative_to(store.root).as_posix() if path.is_relative_to(store.root) else path.name
    return Seen(path, name, kind, time, data)
