"""Listing sessions: rows at once, counts streaming in behind them, unchanged files not even opened."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from memtui.core import fs
from memtui.core.errors import explain
from memtui.core.sessions.base import Session
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
    """A session file as the directory tells of it."""

    path: Path
    size_bytes: int
    mtime_ns: int


def list_sessions(
    places: SessionPlaces, cache: SessionCache, cancelled: Cancelled = never
) -> Iterator[Session]:
    """A row for every session file of every project, this project's directory first, then the newest files.

    Never raises.

    Files that have not changed since they were last seen come from the cache, with their counts. Rows of
    files that cannot be read say why. When the listing ran to its end the cache forgets files that are gone.
    """
    seen: set[str] = set()
    for place, status in _in_order(places):
        if cancelled():
            return
        seen.add(str(place.path))
        session = look_once(place, cache, status)
        if session is not None:
            yield session
    cache.keep_only(seen)


def session_files(places: SessionPlaces) -> list[SessionFile]:
    """Every session file with its size, the one that was written to last first; none of them is opened."""
    found = []
    for place in session_places(places):
        try:
            status = status_of(place.path)
        except OSError:
            continue
        found.append(SessionFile(place.path, status.size_bytes, status.mtime_ns))
    return sorted(found, key=lambda file: -file.mtime_ns)


def _in_order(places: SessionPlaces) -> list[tuple[Place, Status | None]]:
    """This project's own first, then the newest; each with what was seen of it (None: it cannot be seen)."""
    found: list[tuple[Place, Status | None]] = []
    for place in session_places(places):
        try:
            found.append((place, status_of(place.path)))
        except OSError:
            found.append((place, None))

    def order(item: tuple[Place, Status | None]) -> tuple[bool, int]:
        place, status = item
        if place.path.parent == places.own:
            return False, 0
        return True, 0 if status is None else -status.mtime_ns

    return sorted(found, key=order)


def look_once(place: Place, cache: SessionCache, seen: Status | None = None) -> Session | None:
    """One file's row from the cache or from its head and tail; None when it has just vanished.

    `seen` is what a look at the file gave just before: one that has changed since is read as it is now.
    """
    status = _NOTHING
    try:
        status = status_of(place.path) if seen is None else seen
        session = cache.session(place.path, status)
        if session is None:
            session = look_at(place.path)
            if fs.kind_of(place.path) == "symlink":
                session = dataclasses.replace(session, is_link=True)
            cache.store(session)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and fs.kind_of(place.path) is None:
            return None
        # not kept: a permission can be given back without the file's time changing
        return unreadable(place.path, status, explain(error, place.path))
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
