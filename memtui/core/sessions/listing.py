"""Listing sessions: rows at once, counts streaming in behind them, unchanged files not even opened."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from errno import ENOENT
from functools import partial
from pathlib import Path

from memtui.core import fs
from memtui.core.errors import explain
from memtui.core.sessions.base import Session, unread
from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.pi_places import Place, SessionPlaces, session_places
from memtui.core.sessions.quick import look_at, unreadable, with_counts
from memtui.core.sessions.reader import Cancelled, Status, never, opened, status_of
from memtui.core.sessions.tally import count_from
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

_NOTHING = Status(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class SessionFile:
    """A session file as the directory tells of it; `where` is its path as text."""

    where: str
    size_bytes: int
    mtime_ns: int

    @property
    def path(self) -> Path:
        """Its path."""
        return Path(self.where)


def list_sessions(
    places: SessionPlaces, cache: SessionCache, cancelled: Cancelled = never
) -> Iterator[Session]:
    """A row for every session file of every project, this project's directory first, then the newest files.

    Never raises.

    Files that have not changed since they were last seen come from the cache, with their counts. Rows of
    files that cannot be read say why. When the listing ran to its end the cache forgets files that are gone.
    """
    seen: set[str] = set()
    for place in _in_order(places):
        if cancelled():
            return
        seen.add(place.where)
        session = look_once(place, cache)
        if session is not None:
            yield session
    cache.keep_only(seen)


def unread_sessions(places: SessionPlaces, cache: SessionCache) -> Iterator[Session]:
    """As `list_sessions`, but that a row is read when something of it is asked for: a search needs few of them.

    In no order; what the cache holds of files that are gone stays there.
    """
    for place in session_places(places):
        if place.seen is not None:
            read = partial(_read_late, place, place.seen, cache)
            yield unread(place.where, place.seen.size_bytes, place.seen.inode, place.seen.mtime_ns, read)
        elif (session := look_once(place, cache)) is not None:
            yield session


def _read_late(place: Place, seen: Status, cache: SessionCache) -> Session:
    gone = FileNotFoundError(ENOENT, os.strerror(ENOENT))
    return look_once(place, cache) or unreadable(place.path, seen, explain(gone, place.path))


def session_files(places: SessionPlaces) -> list[SessionFile]:
    """Every session file with its size, the one that was written to last first; none of them is opened."""
    found = [
        SessionFile(place.where, place.seen.size_bytes, place.seen.mtime_ns)
        for place in session_places(places)
        if place.seen is not None
    ]
    return sorted(found, key=lambda file: -file.mtime_ns)


def _in_order(places: SessionPlaces) -> list[Place]:
    """This project's own first, then the newest."""
    own = str(places.own / "_")[:-1]
    first: list[Place] = []
    others: list[Place] = []
    for place in session_places(places):
        is_own = place.where.startswith(own) and os.sep not in place.where[len(own) :]
        (first if is_own else others).append(place)
    return first + sorted(others, key=lambda place: 0 if place.seen is None else -place.seen.mtime_ns)


def look_once(place: Place, cache: SessionCache) -> Session | None:
    """One file's row from the cache or from its head and tail; None when it has just vanished.

    One that has changed since its directory was looked at is read as it is now.
    """
    path, status = place.path, _NOTHING
    try:
        status = status_of(path) if place.seen is None else place.seen
        session = cache.session(path, status)
        if session is None:
            session = look_at(path)
            if fs.kind_of(path) == "symlink":
                session = dataclasses.replace(session, is_link=True)
            cache.store(session)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and fs.kind_of(path) is None:
            return None
        # not kept: a permission can be given back without the file's time changing
        return unreadable(path, status, explain(error, path))
    if session.pi_opens and session.hidden_because != place.hidden_because:
        lists = not place.hidden_because
        return dataclasses.replace(session, pi_lists=lists, hidden_because=place.hidden_because)
    return session


def count_sessions(
    sessions: Iterable[Session], cache: SessionCache, cancelled: Cancelled = never
) -> Iterator[Session]:
    """The sessions that have no counts yet, each with them as soon as it is counted; stops when cancelled.

    Files that cannot be read any more are left out.
    """
    for session in sessions:
        if session.counts is not None:
            continue
        if cancelled():
            return
        try:
            with opened(session.file) as reader:
                counted = count_from(reader, cache.tally(session.file), cancelled)
                status = reader.status
        except OSError:
            continue
        if counted is None:
            return
        counts, tally = counted
        session = dataclasses.replace(
            session, size_bytes=status.size_bytes, inode=status.inode, mtime_ns=status.mtime_ns
        )
        session = with_counts(session, counts)
        cache.store(session, tally)
        yield session


def of_project(sessions: Iterable[Session], places: SessionPlaces) -> list[Session]:
    """The sessions of this project: by the header's cwd, never by the name of the directory they lie in.

    Without a cwd in the header the project's own directory decides.
    """
    names = {str(places.cwd), str(fs.real_path(places.cwd))}
    return [session for session in sessions if _is_of(session, places, names)]


def _is_of(session: Session, places: SessionPlaces, names: set[str]) -> bool:
    if session.cwd:
        return session.cwd in names or os.path.normpath(session.cwd) in names
    return not places.flat and session.file.parent == places.own


def newest_first(sessions: Iterable[Session]) -> list[Session]:
    """By last message time, as pi does; equal times by path."""
    return sorted(sessions, key=_order)


def _order(session: Session) -> tuple[float, str]:
    return -session.updated.timestamp(), str(session.file)
