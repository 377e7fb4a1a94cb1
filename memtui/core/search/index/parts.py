"""The sessions of a search, by what the index holds of them, and what of them is still to be read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memtui.core.last import Last
from memtui.core.search.index.log import FileRow
from memtui.core.search.index.reader import IndexReader
from memtui.core.sessions.base import Session
from memtui.core.sessions.listing import newest_first
from memtui.core.sessions.reader import opened
from memtui.late.dataclasses import dataclass, field

READ_BYTES = 48 << 20
"""While the index is being built, at most so much that is not in it is read for one query."""

NEAR_BYTES = 4 << 20
"""So much of what came since is read before the index is asked: it takes no time that anybody sees."""


@dataclass(slots=True)
class Parts:
    """`rows` of the sessions that are indexed, by path. `starts`: where what is to be read of a file begins;
    `near` are the newest of those, read first, `far` the others. `unread` counts those left out until they are
    indexed, `without_tools` those of which what tools gave is not indexed yet. `sids` are the numbers of the
    files that are indexed, `skipped` their lines above the cap.
    """

    sessions: dict[str, Session] = field(default_factory=dict)
    rows: dict[str, FileRow] = field(default_factory=dict)
    starts: dict[Path, int] = field(default_factory=dict)
    near: list[Session] = field(default_factory=list)
    far: list[Session] = field(default_factory=list)
    unread: int = 0
    without_tools: int = 0
    skipped: int = 0
    sids: list[int] = field(default_factory=list)


def parts_of(sessions: Iterable[Session], reader: IndexReader, *, reads_all: bool) -> Parts:
    """The sessions by what the index holds of them; not to be changed.

    `reads_all`: whatever is not indexed is read; else so much as takes no long time. The same tuple of sessions
    is looked at once only while nothing new is indexed: somebody types, and there are many sessions.
    """
    if not isinstance(sessions, tuple):
        return _look(sessions, reader, reads_all=reads_all)
    looked_at: Last[Parts] = reader.looked_at
    key = (reads_all, reader.changes)
    return looked_at.of(sessions, key, lambda: _look(sessions, reader, reads_all=reads_all))


def _look(sessions: Iterable[Session], reader: IndexReader, *, reads_all: bool) -> Parts:
    parts, files = Parts(), reader.files
    fresh: list[Session] = []
    for session in sessions:
        name = session.where
        parts.sessions[name] = session
        row = files.get(name)
        if row is None:
            fresh.append(session)
            continue
        is_same = session.size_bytes == row.size_bytes and session.mtime_ns == row.mtime_ns
        if not (is_same and session.inode == row.inode) and is_rewritten(session, row):
            fresh.append(session)
            continue
        parts.rows[name] = row
        parts.without_tools += row.done_to < row.said_to
        if session.size_bytes > row.said_to:
            parts.starts[session.file] = row.said_to
            fresh.append(session)
    parts.sids = [row.sid for row in parts.rows.values()]
    parts.skipped = sum(row.skipped for row in parts.rows.values())
    room, near = READ_BYTES, NEAR_BYTES
    for session in newest_first(fresh):
        start = parts.starts.setdefault(session.file, 0)
        room -= session.size_bytes - start
        near -= session.size_bytes - start
        if not reads_all and room < 0:
            parts.unread += 1
        else:
            (parts.near if near >= 0 else parts.far).append(session)
    return parts


def is_rewritten(session: Session, row: FileRow) -> bool:
    """Whether a file is no longer the one that was indexed, as far as can be told without reading all of it.

    A listing may be older than the index: a file that was shorter then has grown since.
    """
    if session.inode != row.inode:
        return True
    try:
        with opened(session.file) as file:
            now = file.status
            if now.inode != row.inode or now.size_bytes < row.said_to:
                return True
            if now.size_bytes == row.size_bytes and now.mtime_ns != row.mtime_ns:
                # written to without growing
                return True
            return file.wide_print_before(row.said_to) != row.mark
    except OSError:
        return True
