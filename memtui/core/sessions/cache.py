"""A cache of rows and counts in memtui's own cache directory, which may be deleted at any time.

An entry counts only for the very file it was made from (path, inode, size, time of change). Of a file that
only grew the tally is kept, so that counting goes on where it ended.
"""

from __future__ import annotations

import json
import secrets
from datetime import datetime
from pathlib import Path
from typing import Any

from memtui.core import fs
from memtui.core.sessions.base import Counts, Session
from memtui.core.sessions.reader import Status
from memtui.core.sessions.tally import Tally
from memtui.core.sessions.times import moment

FORMAT = 1
_FILE = f"pi-{FORMAT}.json"
_LIMIT_BYTES = 1 << 28
_SESSION_KEYS = [name for name in Session.__match_args__ if name not in ("file", "counts")]
_COUNT_KEYS = Counts.__match_args__


class SessionCache:
    """Rows and tallies by path; read from the disk at the first question, written by `save`.

    `directory` is memtui's cache directory; None keeps everything in memory only.
    """

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory / "sessions" if directory is not None else None
        self._entries: dict[str, list[Any]] | None = None
        self._changed = False

    def session(self, path: Path, status: Status) -> Session | None:
        """The row of exactly this file, or None. Its counts are there when it was counted."""
        entry = self._all().get(str(path))
        if entry is None or entry[:3] != [status.inode, status.size_bytes, status.mtime_ns]:
            return None
        try:
            counts = _counts(entry[4]) if entry[4] else None
            values = dict(zip(_SESSION_KEYS, entry[3], strict=True))
            started, updated = moment(values["started"]), moment(values["updated"])
            if updated is None:
                return None
            values |= {"started": started, "updated": updated}
            return Session(file=path, counts=counts, **values)
        except (TypeError, ValueError, KeyError, IndexError):
            return None

    def tally(self, path: Path) -> Tally:
        """Where counting this file can go on; whether it fits the file is for the counting to find out."""
        entry = self._all().get(str(path))
        try:
            return Tally(entry[5], entry[6], _counts(entry[7])) if entry and entry[5] else Tally()
        except (TypeError, ValueError, IndexError):
            return Tally()

    def store(self, session: Session, tally: Tally | None = None) -> None:
        """Keep a row, and the tally its counts came from (else the one that is known stays)."""
        known = self._all().get(str(session.file))
        tallied = [tally.end, tally.mark, _plain_counts(tally.counts)] if tally else None
        if tallied is None:
            tallied = known[5:8] if known and known[0] == session.inode else [0, 0, None]
        values = [_plain(getattr(session, key)) for key in _SESSION_KEYS]
        counts = _plain_counts(session.counts) if session.counts else None
        stamp = [session.inode, session.size_bytes, session.mtime_ns]
        self._all()[str(session.file)] = [*stamp, values, counts, *tallied]
        self._changed = True

    def keep_only(self, paths: set[str]) -> None:
        """Forget the files that are gone."""
        entries = self._all()
        for path in entries.keys() - paths:
            del entries[path]
            self._changed = True

    def save(self) -> None:
        """Write what changed (directory 0700, file 0600). A cache that cannot be written is no error."""
        if self._directory is None or not self._changed or self._entries is None:
            return
        data = json.dumps({"format": FORMAT, "files": self._entries}, separators=(",", ":")).encode("ascii")
        fresh = self._directory / f"{_FILE}.{secrets.token_hex(4)}.tmp"
        try:
            fs.make_dirs(self._directory, mode=0o700)
            fs.write_new(fresh, data)
            fs.replace(fresh, self._directory / _FILE)
            self._changed = False
        except OSError:
            self._remove(fresh)

    @staticmethod
    def _remove(path: Path) -> None:
        try:
            fs.unlink(path, missing_ok=True)
        except OSError:
            return

    def _all(self) -> dict[str, list[Any]]:
        if self._entries is None:
            self._entries = self._read()
        return self._entries

    def _read(self) -> dict[str, list[Any]]:
        if self._directory is None:
            return {}
        try:
            stored = json.loads(fs.read_file(self._directory / _FILE, limit_bytes=_LIMIT_BYTES).data)
        except (OSError, ValueError, RecursionError):
            return {}
        files = stored.get("files") if isinstance(stored, dict) and stored.get("format") == FORMAT else None
        if not isinstance(files, dict):
            return {}
        return {path: entry for path, entry in files.items() if isinstance(entry, list) and len(entry) == 8}


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _plain_counts(counts: Counts) -> list[Any]:
    return [_plain(getattr(counts, key)) for key in _COUNT_KEYS]


def _counts(values: list[Any]) -> Counts:
    named = dict(zip(_COUNT_KEYS, values, strict=True))
    return Counts(**named | {"last_activity": moment(named["last_activity"])})
