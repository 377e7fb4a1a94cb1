"""A cache of rows and counts in memtui's own cache directory, which may be deleted at any time.

An entry counts only for the very file it was made from (path, inode, size, time of change). Of a file that
only grew the tally is kept, so that counting goes on where it ended.
"""

from __future__ import annotations

import contextlib
import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

from memtui.core import fs
from memtui.core.sessions.base import Counts, Session
from memtui.core.sessions.quick import title_of
from memtui.core.sessions.reader import Status
from memtui.core.sessions.tally import Tally
from memtui.core.sessions.times import moment

FORMAT = 2
_FILE = f"pi-{FORMAT}.lines"
_FIRST_LINE = b'{"format":%d}' % FORMAT
_OLDER = ("pi-1.json",)
_LIMIT_BYTES = 1 << 28
_ENTRY_ITEMS = 8
_SESSION_KEYS = [name for name in Session.__match_args__ if name not in ("file", "title", "counts")]
_COUNT_KEYS = Counts.__match_args__

Entry = list[Any]
"""Inode, size and time of a file, the values of its row, its counts (True: those of the tally), and the tally's
end, mark and counts."""


class SessionCache:
    """Rows and tallies by path; read from the disk at the first question, written by `save`.

    `directory` is memtui's cache directory; None keeps everything in memory only. On the disk an entry is a
    line, the path before its JSON, and is parsed when it is asked for.
    """

    def __init__(self, directory: Path | None) -> None:
        self._directory = directory / "sessions" if directory is not None else None
        self._entries: dict[bytes, bytes | Entry] | None = None
        self._changed = False

    def session(self, path: Path, status: Status) -> Session | None:
        """The row of exactly this file, or None. Its counts are there when it was counted."""
        try:
            entry = self._entry(path)
            if entry is None or entry[:3] != [status.inode, status.size_bytes, status.mtime_ns]:
                return None
            counts = entry[7] if entry[4] is True else entry[4]
            values = dict(zip(_SESSION_KEYS, entry[3], strict=True))
            started, updated = moment(values["started"]), moment(values["updated"])
            if updated is None:
                return None
            values |= {"started": started, "updated": updated}
            title = title_of(values["name"], values["first_text"])
            return Session(file=path, title=title, counts=_counts(counts) if counts else None, **values)
        except (TypeError, ValueError, AttributeError, KeyError, IndexError, RecursionError):
            return None

    def tally(self, path: Path) -> Tally:
        """Where counting this file can go on; whether it fits the file is for the counting to find out."""
        try:
            entry = self._entry(path)
            return Tally(entry[5], entry[6], _counts(entry[7])) if entry and entry[5] else Tally()
        except (TypeError, ValueError, IndexError, RecursionError):
            return Tally()

    def store(self, session: Session, tally: Tally | None = None) -> None:
        """Keep a row, and the tally its counts came from (else the one that is known stays)."""
        tallied: Entry = [0, 0, None]
        if tally is not None:
            tallied = [tally.end, tally.mark, _plain_counts(tally.counts)]
        else:
            with contextlib.suppress(TypeError, ValueError, IndexError, RecursionError):
                known = self._entry(session.file)
                if known and known[0] == session.inode:
                    tallied = known[5:8]
        values = [_plain(getattr(session, key)) for key in _SESSION_KEYS]
        counts = _plain_counts(session.counts) if session.counts else None
        stamp = [session.inode, session.size_bytes, session.mtime_ns]
        is_same = counts is not None and counts == tallied[2]
        self._all()[os.fsencode(session.file)] = [*stamp, values, is_same or counts, *tallied]
        self._changed = True

    def keep_only(self, paths: set[str]) -> None:
        """Forget the files that are gone."""
        entries = self._all()
        for path in entries.keys() - set(map(os.fsencode, paths)):
            del entries[path]
            self._changed = True

    def save(self) -> None:
        """Write what changed (directory 0700, file 0600). A cache that cannot be written is no error."""
        if self._directory is None or not self._changed or self._entries is None:
            return
        lines = [
            b"%s\0%s" % (path, entry if isinstance(entry, bytes) else _line(entry))
            for path, entry in self._entries.items()
            # where a name ends is to be told from where a line does
            if b"\n" not in path
        ]
        fresh = self._directory / f"{_FILE}.{_random_name()}.tmp"
        try:
            fs.make_dirs(self._directory, mode=0o700)
            fs.write_new(fresh, b"\n".join([_FIRST_LINE, *lines]) + b"\n")
            fs.replace(fresh, self._directory / _FILE)
            self._changed = False
            for name in _OLDER:
                fs.unlink(self._directory / name, missing_ok=True)
        except OSError:
            self._remove(fresh)

    @staticmethod
    def _remove(path: Path) -> None:
        try:
            fs.unlink(path, missing_ok=True)
        except OSError:
            return

    def _entry(self, path: Path) -> Entry | None:
        """What is known of a file; raises ValueError for what cannot be read."""
        entry = self._all().get(os.fsencode(path))
        if isinstance(entry, bytes):
            # not kept as parsed: most is asked for once
            parsed = json.loads(entry)
            return parsed if isinstance(parsed, list) and len(parsed) == _ENTRY_ITEMS else None
        return entry

    def _all(self) -> dict[bytes, bytes | Entry]:
        if self._entries is None:
            self._entries = self._read()
        return self._entries

    def _read(self) -> dict[bytes, bytes | Entry]:
        if self._directory is None:
            return {}
        try:
            data = fs.read_file(self._directory / _FILE, limit_bytes=_LIMIT_BYTES).data
        except (OSError, ValueError):
            return {}
        first, *lines = data.split(b"\n")
        if first != _FIRST_LINE:
            return {}
        pairs = [line.split(b"\0", 1) for line in lines]
        return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def _line(entry: Entry) -> bytes:
    return json.dumps(entry, separators=(",", ":")).encode("ascii")


def _random_name() -> str:
    return os.urandom(4).hex()


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _plain_counts(counts: Counts) -> list[Any]:
    return [_plain(getattr(counts, key)) for key in _COUNT_KEYS]


def _counts(values: list[Any]) -> Counts:
    named = dict(zip(_COUNT_KEYS, values, strict=True))
    return Counts(**named | {"last_activity": moment(named["last_activity"])})
