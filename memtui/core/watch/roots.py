"""What is to be watched, and at which directory of today's disk each of it can be."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from memtui.core.watch.names import is_passing
from memtui.late.dataclasses import dataclass

Identity = tuple[int, int, bool]
"""Device, inode and whether it may be listed."""


@dataclass(frozen=True, slots=True)
class Root:
    """A directory (existing or not) whose content matters: all below it, or only its direct entries.

    With `names` only these entries of it matter (a store of one file in a project's directory); such a root is
    not recursive.
    """

    path: Path
    recursive: bool = True
    names: frozenset[str] | None = None

    @property
    def goes_down(self) -> bool:
        """Whether what lies in its subdirectories matters too."""
        return self.recursive and self.names is None

    def matters(self, name: str) -> bool:
        """Whether a direct entry of that name matters."""
        return not is_passing(name) and (self.names is None or name in self.names)

    def covers(self, below: str) -> bool:
        """Whether what lies at `below`, a path relative to the root, matters."""
        parts = below.split(os.sep)
        if len(parts) > 1 and not self.goes_down:
            return False
        return self.matters(parts[0]) and not any(map(is_passing, parts[1:]))


@dataclass(frozen=True, slots=True)
class Site:
    """A root on today's disk.

    `real` is its directory without symlinks, `identity` what stands there (None = no directory), `place` the
    directory to watch: `real` itself, else its nearest existing parent, where it will come back.
    """

    root: Root
    real: str
    identity: Identity | None
    place: str
    place_identity: Identity | None

    @property
    def is_there(self) -> bool:
        """Whether the root's own directory is the one to watch."""
        return self.identity is not None

    def meaning(self, path: str) -> str | None:
        """What an event at `path` is about: a path below the root as the root is named, or None for nothing."""
        if path == self.real:
            return str(self.root.path)
        below = below_of(self.real, path)
        if below is None or not self.root.covers(below):
            return None
        return str(self.root.path / below)

    def leads_here(self, path: str) -> bool:
        """Whether `path` is the root's directory or one above it: what happens to it may move the root."""
        return path == self.real or below_of(path, self.real) is not None


def below_of(folder: str, path: str) -> str | None:
    """`path` relative to the directory `folder` that it lies below (at any depth), else None."""
    start = folder.rstrip(os.sep) + os.sep
    return path[len(start) :] if path.startswith(start) and path != start else None


def identity_of(path: str) -> Identity | None:
    """What directory stands at `path`; None for none and for one that cannot be asked."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISDIR(status.st_mode):
        return None
    return status.st_dev, status.st_ino, os.access(path, os.R_OK | os.X_OK)


def find_site(root: Root) -> Site:
    """Where a root is on the disk now; asks, never opens."""
    real = os.path.realpath(root.path)
    identity = place_identity = identity_of(real)
    place = real
    while place_identity is None and os.path.dirname(place) != place:
        place = os.path.dirname(place)
        place_identity = identity_of(place)
    return Site(root, real, identity, place, place_identity)


def places(sites: Iterable[Site]) -> dict[str, tuple[bool, Identity | None]]:
    """The directories to watch for some sites, each once: whether with all below, and what stands there.

    A directory below one that is watched with all below needs no watch of its own.
    """
    found: dict[str, tuple[bool, Identity | None]] = {}
    for site in sites:
        recursive = site.is_there and site.root.goes_down
        found[site.place] = (recursive or found.get(site.place, (False, None))[0], site.place_identity)
    deep = [path for path, (recursive, _) in found.items() if recursive]
    return {
        path: place
        for path, place in found.items()
        if not any(below_of(above, path) is not None for above in deep)
    }
