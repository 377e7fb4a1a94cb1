"""One session in several files: pi numbers what is imported a second time, and people copy files."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.core.sessions.base import Session
from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Folded:
    """A session by its newest file, and the rows of its other files."""

    session: Session
    copies: tuple[Session, ...] = ()

    @property
    def files(self) -> int:
        """In how many files it is."""
        return 1 + len(self.copies)


def fold_copies(sessions: Iterable[Session]) -> list[Folded]:
    """The sessions in their order, each once, where the first of its files stands.

    Ids alone may repeat: files are one session where the whole header and the first text are the same.
    """
    groups: dict[object, list[Session]] = {}
    for session in sessions:
        groups.setdefault(_identity(session), []).append(session)
    return [_folded(group) for group in groups.values()]


def copies_of(session: Session, sessions: Iterable[Session]) -> tuple[Session, ...]:
    """The other files of a session among some."""
    identity = _identity(session)
    return tuple(
        other
        for other in sessions
        if other.id == session.id and other.file != session.file and _identity(other) == identity
    )


def _identity(session: Session) -> object:
    if not session.version or session.started is None:
        # without a header nothing says that two files are the same
        return session.file
    return session.agent, session.id, session.started, session.cwd, session.parent, session.first_text


def _folded(group: list[Session]) -> Folded:
    if len(group) == 1:
        return Folded(group[0])
    newest = max(group, key=_newness)
    return Folded(newest, tuple(session for session in group if session is not newest))


def _newness(session: Session) -> tuple[object, ...]:
    entries = 0 if session.counts is None else session.counts.entries
    return session.pi_opens, session.updated, entries, session.size_bytes
