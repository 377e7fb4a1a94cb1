"""A tree of files as data, and putting it on the disk with fixed times."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from memtui.core import fs
from memtui.late.dataclasses import dataclass

DIRECTORY_AGE_H = 1.0


@dataclass(frozen=True, slots=True)
class Item:
    """One name below the demo's home: a file's bytes, a symlink's target text, or (neither) a directory.

    `path` is relative, with `/`, and may hold surrogate escapes. `age_h` is how long ago it was last changed,
    in hours. An `odd` name may be one that the file system refuses; it is then left out.
    """

    path: str
    data: bytes | None = None
    age_h: float = 24.0
    link_target: str = ""
    odd: bool = False


def text(path: str, content: str, age_h: float = 24.0) -> Item:
    """A UTF-8 file."""
    return Item(path, content.encode(), age_h)


def below(folder: str, items: Iterable[Item]) -> list[Item]:
    """The same items, inside a folder."""
    return [Item(f"{folder}/{item.path}", item.data, item.age_h, item.link_target, item.odd) for item in items]


def put(home: Path, items: Iterable[Item], now: datetime) -> None:
    """Write every item below `home` (which must exist) and set all times. Raises OSError."""
    written: list[tuple[Path, float]] = []
    folders: dict[Path, None] = {home: None}
    for item in items:
        path = home / item.path
        for folder in fs.make_dirs(path.parent):
            folders[folder] = None
        with contextlib.suppress(OSError) if item.odd else contextlib.nullcontext():
            _put_one(path, item)
            written.append((path, item.age_h))
    # innermost first: a name's time is not changed by setting that of its parent
    written += [(folder, DIRECTORY_AGE_H) for folder in sorted(folders, key=lambda f: -len(f.parts))]
    for path, age_h in written:
        moment = now - timedelta(hours=age_h)
        fs.set_times(path, int(moment.timestamp()) * 1_000_000_000)


def _put_one(path: Path, item: Item) -> None:
    if item.link_target:
        fs.make_symlink(item.link_target, path)
    elif item.data is None:
        fs.make_dirs(path)
    else:
        fs.write_new(path, item.data, mode=0o644)
