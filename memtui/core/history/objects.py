"""The content-addressed store of every byte that memtui read before a change, replaced or took away.

One flat directory of 0700 with files of 0600, named by the SHA-256 of their bytes. An object gets its name only
when it is whole and flushed, so that what bears a name can be relied on, also when two memtuis keep the same
text at once. (Flat, because then one flush of one directory makes any number of new objects durable.)
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterable
from pathlib import Path

from memtui.core import fs
from memtui.core.layouts.base import digest
from memtui.late import re
from memtui.late.dataclasses import dataclass

_NAME = re.compile(r"[0-9a-f]{64}")
_UNFINISHED = ".new"
_TRIES = 5
"""So often an object is written whose unfinished file another memtui swept away meanwhile."""


@dataclass(frozen=True, slots=True)
class KeptObject:
    """The size of an object and the moment it was written (seconds since the epoch)."""

    size_bytes: int
    written_s: float


class ObjectStore:
    """Bytes by digest in one directory."""

    PURGED_NAME = "purged"
    """The file that notes which were purged."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, data: bytes) -> str:
        """Keep `data` durably and return its digest. Raises OSError."""
        key = digest(data)
        self.put_all({key: data})
        return key

    def put_all(self, blobs: dict[str, bytes]) -> None:
        """Keep bytes (by their digest) durably. Raises OSError; what was kept before it stays."""
        missing = {key: data for key, data in blobs.items() if self._read(key) != data}
        if not missing:
            return
        make_private_dir(self._root)
        for key, data in missing.items():
            for more in reversed(range(_TRIES)):
                try:
                    self._put(key, data)
                    break
                except FileNotFoundError:
                    if not more:
                        raise
        fs.fsync_dir(self._root)

    def _put(self, key: str, data: bytes) -> None:
        unfinished = self._root / f"{key}.{secrets.token_hex(4)}{_UNFINISHED}"
        try:
            fs.write_new(unfinished, data, mode=0o600)
            fs.replace(unfinished, self._root / key)
        except OSError:
            with contextlib.suppress(OSError):
                fs.unlink(unfinished, missing_ok=True)
            raise

    def get(self, key: str) -> bytes | None:
        """The bytes of this digest, or None when they are not (or no longer, or not whole) here."""
        data = self._read(key)
        return data if data is not None and digest(data) == key else None

    def kept(self) -> dict[str, KeptObject]:
        """Every object that is kept, by its digest."""
        found = {}
        for name in self._names():
            if _NAME.fullmatch(name):
                size_bytes, written_s = fs.size_and_time(self._root / name)
                found[name] = KeptObject(size_bytes, written_s)
        return found

    def forget(self, keys: Iterable[str]) -> None:
        """Remove these objects; those that are not here are passed over."""
        for key in keys:
            fs.unlink(self._root / key, missing_ok=True)

    def purge(self, keys: Iterable[str]) -> None:
        """Remove these objects for good, and note durably that they were purged. Raises OSError."""
        lines = "".join(f"{key}\n" for key in keys)
        if not lines:
            return
        fs.append(self._root / self.PURGED_NAME, lines.encode("ascii"), create_mode=0o600)
        self.forget(lines.split())
        fs.fsync_dir(self._root)

    def was_purged(self, key: str) -> bool:
        """Whether a text that is not here any more was purged, and did not just grow too old."""
        try:
            return key.encode("ascii") in fs.read_file(self._root / self.PURGED_NAME).data.split()
        except OSError:
            return False

    def sweep(self) -> None:
        """Remove what a crash left unfinished. Another memtui that is keeping some of it writes it again."""
        self.forget(name for name in self._names() if name.endswith(_UNFINISHED))

    def _names(self) -> list[str]:
        if not fs.is_dir(self._root):
            return []
        return [entry.name for entry in fs.list_dir(self._root) if entry.kind == "file"]

    def _read(self, key: str) -> bytes | None:
        try:
            return fs.read_file(self._root / key).data
        except OSError:
            return None


def make_private_dir(path: Path) -> None:
    """Make a directory of 0700 with its missing parents, durably. Raises OSError."""
    for made in fs.make_dirs(path, mode=0o700):
        fs.fsync_dir(made.parent)
