"""What tells a changed file from an unchanged one without opening it: inode, size and time of last change.

Signatures are only compared for being equal, so a clock that goes wrong cannot hide or invent a change.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from memtui.core.watch.roots import Root

Signature = tuple[int, int, int]
"""Inode, size in bytes, time of last change in nanoseconds; of a directory only the inode, then zeros."""


def signature(path: str) -> Signature | None:
    """The signature of what stands at `path` itself, None for nothing; no file is opened."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(status.st_mode):
        return status.st_ino, 0, 0
    return status.st_ino, status.st_size, status.st_mtime_ns


def sweep(root: Root, goes_on: Callable[[], bool]) -> dict[str, Signature] | None:
    """The signatures of all that matters in a root, by path as the root is named; directories are listed, no
    file is opened, symlinks below the root are not followed. None when `goes_on` said no on the way.
    """
    if root.names is not None:
        named = {path: signature(path) for path in (str(root.path / name) for name in root.names)}
        return {path: found for path, found in named.items() if found is not None}
    return sweep_below(str(root.path), root, goes_on)


def sweep_below(start: str, root: Root, goes_on: Callable[[], bool]) -> dict[str, Signature] | None:
    """As `sweep`, only of the directory `start` in the root."""
    found: dict[str, Signature] = {}
    waiting = [start]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if not goes_on():
                        return None
                    if not root.matters(entry.name) or (of := signature(entry.path)) is None:
                        continue
                    found[entry.path] = of
                    if root.goes_down and entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            continue
    return found


def is_dir(of: Signature) -> bool:
    """Whether a signature is that of a directory."""
    return of[1:] == (0, 0)


def differences(before: dict[str, Signature], after: dict[str, Signature]) -> set[str]:
    """The paths that came, went or changed between two sweeps."""
    changed = {path for path, of in after.items() if before.get(path) != of}
    return changed | (before.keys() - after.keys())
