"""The trash for whole files: a folder of files that are too large to be kept as objects, each as it was.

`<state>/history/sessions/`, 0700; a file keeps its inode, mode and times where it could simply be moved here.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from pathlib import Path

from memtui.core import fs, streams

UNFINISHED = ".part"
"""What a name ends in while its file is being copied here from another file system."""


class WholeFileTrash:
    """The files in one folder, by the names that a plan gave them."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def new_place(self, path: Path) -> Path:
        """A free name for a file that is to be taken away."""
        suffix = path.suffix if len(path.suffix.encode("utf-8", "surrogateescape")) <= 16 else ""
        return self.root / f"{secrets.token_hex(8)}{suffix}"

    def kept(self) -> dict[Path, streams.Status]:
        """Every file that is here."""
        if not fs.is_dir(self.root):
            return {}
        paths = (self.root / entry.name for entry in fs.list_dir(self.root) if entry.kind == "file")
        found = ((path, streams.status_of(path)) for path in paths)
        return {path: status for path, status in found if status is not None}

    def forget(self, places: Iterable[Path]) -> None:
        """Remove these files for good; names that are not (or no longer) here are passed over."""
        for place in places:
            if place.parent == self.root:
                fs.unlink(place, missing_ok=True)
