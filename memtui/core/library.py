"""The door to conversations: which sessions there are, what they say, and search over them and the memories.

Listing and counting use one cache and belong to one thread at a time; searches, transcripts and resume
commands do not touch it and may run on any thread. Nothing is read before it is asked for.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core import fs
from memtui.core.config import load_config
from memtui.core.env import Env
from memtui.core.errors import StorageError, UnknownIdError, UsageError, explain
from memtui.core.last import Last
from memtui.core.layouts.base import Memory, Snapshot
from memtui.core.locate.json_config import read_json
from memtui.core.locate.pi_agent import agent_dir
from memtui.core.search.base import Step, no_matter
from memtui.core.search.index.reader import IndexReader
from memtui.core.search.index.schema import has_engine
from memtui.core.search.index.status import IndexStatus, status_of_index
from memtui.core.search.keywords import MEANINGS
from memtui.core.search.searching import (
    HiddenBecause,
    Hit,
    Query,
    Results,
    Search,
    filter_spans,
    parse,
    search,
    spans,
)
from memtui.core.sessions.base import Branch, Counts, Kind, Message, Part, PartKind, Session
from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import (
    SessionFile,
    count_sessions,
    list_sessions,
    newest_first,
    of_project,
    session_files,
    unread_sessions,
)
from memtui.core.sessions.pi_places import SessionPlaces, pi_places
from memtui.core.sessions.quick import look_at
from memtui.core.sessions.reader import Cancelled, never, opened
from memtui.core.sessions.resume import Launch, Resume, resume
from memtui.i18n import _
from memtui.late import dataclasses
from memtui.late.names import names_of

if TYPE_CHECKING:
    from memtui.core.search.completion import Completion, Known, complete, known_from
    from memtui.core.search.index.keeper import IndexKeeper, Writing
    from memtui.core.search.index.progress import Progress
    from memtui.core.search.origin import Origin
    from memtui.core.sessions.copies import Folded, copies_of, fold_copies
    from memtui.core.sessions.transcript import Transcript
    from memtui.core.sessions.window import Growth

# what cli and ui may name of sessions and search, next to what is defined here
__all__ = ["Branch", "Cancelled", "Counts", "Folded", "Growth", "HiddenBecause", "Hit", "Kind", "Launch"]
__all__ += ["Message", "Origin", "Part", "PartKind", "Query", "Results", "Resume", "Search", "Session", "Step"]
__all__ += ["SessionFile", "SessionPlaces", "Transcript", "copies_of", "fold_copies"]
__all__ += ["MEANINGS", "Completion", "Known", "Library", "complete", "filter_spans", "known_from"]
__all__ += ["IndexKeeper", "IndexStatus", "Progress", "Writing", "newest_first", "parse", "spans"]

# what most commands have no use for
__getattr__ = names_of(
    __name__,
    {
        **dict.fromkeys(("Completion", "Known", "complete", "known_from"), "memtui.core.search.completion"),
        **dict.fromkeys(("IndexKeeper", "Writing"), "memtui.core.search.index.keeper"),
        "Progress": "memtui.core.search.index.progress",
        "Origin": "memtui.core.search.origin",
        **dict.fromkeys(("Folded", "copies_of", "fold_copies"), "memtui.core.sessions.copies"),
        "Transcript": "memtui.core.sessions.transcript",
        "Growth": "memtui.core.sessions.window",
    },
)

_CHUNK_BYTES = 1 << 20


class Library:
    """The conversations of an environment, seen from its working directory."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self._cache = SessionCache(env.cache_dir)
        self._index: IndexReader | None = None
        self._here: Last[tuple[tuple[Session, ...], Counter[HiddenBecause]]] = Last()
        self.no_index_because = ""
        if not load_config(env).search.index:
            self.no_index_because = _("config.yaml turns it off")
        elif not has_engine():
            self.no_index_because = _("its engine (tantivy and msgspec) cannot be imported here")
        else:
            self._index = IndexReader(self.index_home)

    @cached_property
    def places(self) -> SessionPlaces:
        """Where pi keeps its sessions, by its own rules."""
        directory, _warnings = agent_dir(self.env)
        return pi_places(
            directory,
            fs.real_path(self.env.cwd),
            self.env.home,
            self.env.get("PI_CODING_AGENT_SESSION_DIR"),
            read_json(directory / "settings.json").values,
            read_json(self.env.cwd / ".pi" / "settings.json").values,
        )

    # Sessions

    def sessions(self, cancelled: Cancelled = never) -> Iterator[Session]:
        """Every session of every project, this project's directory first, unsorted. Never raises.

        Unchanged files come with their counts from the cache; the others get theirs by `count`.
        """
        return list_sessions(self.places, self._cache, cancelled)

    def unread_sessions(self) -> list[Session]:
        """Every session for one search: its row is read when something of it is asked for. Never raises."""
        return list(unread_sessions(self.places, self._cache))

    def count(self, sessions: Iterable[Session], cancelled: Cancelled = never) -> Iterator[Session]:
        """Those of the sessions that had no counts, each with them as soon as it is counted. Never raises."""
        return count_sessions(sessions, self._cache, cancelled)

    def of_project(self, sessions: Iterable[Session]) -> list[Session]:
        """This project's sessions among some, newest first."""
        return newest_first(of_project(sessions, self.places))

    def split(self, sessions: Iterable[Session]) -> tuple[list[Session], Counter[HiddenBecause]]:
        """This project's sessions, newest first, and for the others how many there are, by reason."""
        sessions = list(sessions)
        here = self.of_project(sessions)
        files = {session.file for session in here}
        return here, Counter(_why_elsewhere(session) for session in sessions if session.file not in files)

    def find_session(self, named: str) -> Session:
        """The session of an id or a file's path.

        Raises UnknownIdError, or UsageError naming the files when an id is not unique.
        """
        sessions = list(self.sessions())
        found = [session for session in sessions if named in (str(session.file), session.id)]
        if len(found) == 1:
            return found[0]
        if found:
            files = ", ".join(str(session.file) for session in newest_first(found))
            raise UsageError(
                _("{id} is in several files; name one of them: {files}").format(id=named, files=files),
                code="several-sessions",
            )
        raise UnknownIdError(_("no session {id}; `memtui sessions --all` names them").format(id=named or '""'))

    def transcript(self, path: Path, at: int | None = None) -> Transcript:
        """A session's entries, opened at the end or at the offset of a hit. Raises StorageError."""
        from memtui.core.sessions.transcript import Transcript

        try:
            return Transcript(path, at)
        except OSError as error:
            raise StorageError(explain(error, path)) from error

    def look_again(self, session: Session) -> Session:
        """The row of a session as its file is now. Raises StorageError."""
        try:
            return look_at(session.file)
        except OSError as error:
            raise StorageError(explain(error, session.file)) from error

    def resume(self, session: Session) -> Resume:
        """The command that continues a session, and what to know about it."""
        return resume(session)

    def secrets_in(self, session: Session) -> Counter[str]:
        """How many different secrets of each kind, in words, a session holds; reads all of it. Never raises."""
        from memtui.core.sessions.secret_scan import secrets_in_file

        with contextlib.suppress(OSError):
            return secrets_in_file(session.file)
        return Counter()

    def save(self) -> None:
        """Keep the counts for the next start. A cache that cannot be written is left out."""
        with contextlib.suppress(OSError):
            self._cache.save()

    # Search

    def search(
        self,
        typed: str,
        snapshots: Iterable[Snapshot],
        sessions: Iterable[Session],
        *,
        here: bool = False,
        cancelled: Cancelled = never,
        folds: bool = False,
        reads_all: bool = True,
        by_index: bool = True,
        before_long: Callable[[Step], None] = no_matter,
    ) -> Search:
        """Memories of the snapshots, then messages of the sessions (`here`: this project's only), streaming;
        before both what a pasted id names.

        `folds`: a session found by the index is one hit, and again when more is known of it. `reads_all`: what
        the index does not hold yet is read, however much it is. Without `by_index` only the files are read.
        `before_long` is called where a step begins in which no hit may come for a while.
        Nothing runs before the first hit is asked for; after `cancelled()` it ends within one chunk. Never
        raises.
        """
        now, hidden = self.env.now(), None
        if here:
            filters = parse(typed, now).filters
            if filters or not isinstance(sessions, tuple):
                # what the filters leave out is not hidden: it was not asked for
                sessions, hidden = self.split(filter(filters.fits_session, sessions))
            else:
                sessions, hidden = self._here.of(sessions, None, lambda: _frozen(self.split(sessions)))
        index = self._index if by_index else None
        given = typed, snapshots, sessions, cancelled, hidden, now, index
        return search(*given, folds=folds, reads_all=reads_all, before_long=before_long)

    def warm(self) -> None:
        """Have at hand what a first search would wait for. Never raises."""
        if self._index is not None:
            self._index.warm()

    # The index

    def session_files(self) -> list[SessionFile]:
        """Every session file of every project, the one that was written to last first. Never raises."""
        return session_files(self.places)

    @cached_property
    def index_home(self) -> Path:
        """Where the index of this session directory lies: another directory has another index."""
        from hashlib import sha256

        name = sha256(os.fsencode(self.places.directory)).hexdigest()[:12]
        return self.env.cache_dir / f"search-{name}"

    def index_status(self, files: Sequence[SessionFile | Session]) -> IndexStatus:
        """What the index holds of the session files (all there are). Never raises."""
        if self._index is None:
            return IndexStatus("off", why=self.no_index_because)
        return status_of_index(self._index, files)

    def index_changes(self) -> int:
        """A number that is another one once more of the sessions is indexed, or less. Never raises."""
        if self._index is None or not self._index.refresh():
            return 0
        return self._index.changes

    def update_index(
        self,
        files: Iterable[SessionFile],
        *,
        told: Callable[[Progress], None] | None = None,
        cancelled: Cancelled = never,
    ) -> Progress:
        """Bring the index in step with the session files (all there are), in their order.

        Raises IndexBusyError when another memtui does so, UsageError when there is to be no index, and
        StorageError.
        """
        from memtui.core.search.index.folder import remove_older
        from memtui.core.search.index.writer import update_index as write_index

        if self._index is None:
            raise UsageError(_("there is no index: {why}").format(why=self.no_index_because), code="no-index")
        paths = [file.path for file in files]
        try:
            progress = write_index(self.index_home, paths, told=told, cancelled=cancelled)
        except OSError as error:
            raise StorageError(explain(error, self._index.folder)) from error
        except ValueError as error:
            # the engine's
            raise StorageError(f"{self._index.folder}: {error}") from error
        if progress.is_done:
            remove_older(self.index_home)
        return progress

    def clear_index(self) -> bool:
        """Remove the index, and those of other versions; whether there was one.

        Raises IndexBusyError and StorageError.
        """
        from memtui.core.search.index.folder import clear_index

        try:
            return clear_index(self.index_home)
        except OSError as error:
            raise StorageError(explain(error)) from error

    def keeper(self, told: Callable[[Writing], None]) -> IndexKeeper | None:
        """What keeps the index up to date, None when there is to be none."""
        from memtui.core.search.index.keeper import IndexKeeper

        return None if self._index is None else IndexKeeper(self.index_home, told)

    def origin(
        self, snapshot: Snapshot, memory: Memory, sessions: Iterable[Session], cancelled: Cancelled = never
    ) -> Origin | None:
        """Where a memory came from, None when that is nowhere, or after `cancelled()`. Never raises."""
        from memtui.core.search.origin import trace_of
        from memtui.core.search.origins import find_origin

        sessions = list(sessions)
        here = self.of_project(sessions)
        return find_origin(trace_of(snapshot, memory), sessions, here, self.env.home, cancelled)

    def noted_session(self, snapshot: Snapshot, memory: Memory) -> str:
        """The id of a session that is noted in a memory, '' for none."""
        from memtui.core.search.origin import trace_of

        return trace_of(snapshot, memory).session_id

    def memories_from(
        self, session: Session, snapshots: Iterable[Snapshot], cancelled: Cancelled = never
    ) -> tuple[tuple[str, str], ...]:
        """The memories that came from a session, each as the ids of its store and its own. Never raises."""
        from memtui.core.search.origin import trace_of
        from memtui.core.search.origins import memories_written

        known = [(snapshot, memory) for snapshot in snapshots for memory in snapshot.memories]
        traces = [trace_of(*pair) for pair in known]
        found = memories_written(traces, session, self.env.home, cancelled)
        return tuple((known[n][0].store.id, known[n][1].id) for n in sorted(found))

    def with_lines(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        """The hits with the lines of their files counted, where that can be (reads up to each hit)."""
        hits = tuple(hits)
        wanted: dict[Path, set[int]] = {}
        for hit in hits:
            if hit.kind == "session":
                wanted.setdefault(hit.file, set()).add(hit.offset)
        counted = {path: _lines_at(path, sorted(offsets)) for path, offsets in wanted.items()}
        return tuple(
            dataclasses.replace(hit, line=counted[hit.file].get(hit.offset)) if hit.kind == "session" else hit
            for hit in hits
        )


def _frozen(
    found: tuple[list[Session], Counter[HiddenBecause]],
) -> tuple[tuple[Session, ...], Counter[HiddenBecause]]:
    return tuple(found[0]), found[1]


def _why_elsewhere(session: Session) -> HiddenBecause:
    if session.cwd or session.pi_lists:
        return "other-project"
    # without a header and without counts: it was never read
    is_unread = session.version == 0 and session.counts is None and not session.first_text
    return "unreadable" if is_unread else "not-listed"


def _lines_at(path: Path, offsets: list[int]) -> dict[int, int]:
    """The line (from 1) that each of the rising offsets lies on; nothing for a file that cannot be read."""
    lines: dict[int, int] = {}
    passed = position = 0
    try:
        with opened(path) as reader:
            for offset in offsets:
                while position < offset:
                    chunk = reader.at(position, min(_CHUNK_BYTES, offset - position))
                    if not chunk:
                        return lines
                    passed += chunk.count(b"\n")
                    position += len(chunk)
                lines[offset] = passed + 1
    except OSError:
        return {}
    return lines
