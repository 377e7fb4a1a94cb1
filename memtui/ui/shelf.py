"""The thread that lists, counts and searches conversations, so that a long search never holds up a key.

It also has the index written when there is something to write.

The newest question wins: it ends what is under way within one chunk, and what was found for an older one is
dropped. Counting goes on when nothing else is asked.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.message import Message

from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    from memtui.core.layouts.base import Snapshot
    from memtui.core.library import (
        HiddenBecause,
        Hit,
        IndexKeeper,
        IndexStatus,
        Library,
        Query,
        Session,
        SessionFile,
        Writing,
    )
    from memtui.core.watch import Root

MOST_HITS = 2000
"""A search ends with so many: more of them say nothing, a longer query does."""

FIRST_HITS = 40
"""So many are shown at once: more than a list has rows."""

LEAVE_S = 0.1
"""How long the thread may take to end what it does (seconds)."""

REST_S = 0.25
"""After these the search waits so long for the next key: finding what no row shows would hold up its paint."""

POST_EVERY_S = 0.1
"""Partial lists and results are posted at most this often."""

FILES_EVERY_S = 2.0
"""The least time between two looks at how large the session files are: while the index is written, it says
itself how far it is."""

LIST_EVERY_S = 1.0
"""The least time between two listings that were asked for by changes on the disk."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for: the text as typed, `here` = in this project's sessions only. `only` is a session
    that alone is searched."""

    generation: int
    typed: str
    snapshots: tuple[Snapshot, ...]
    here: bool
    only: Session | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """The known sessions: this project's, newest first, then all; `counting` while counts still come.

    `sizes` are all files with their sizes (bytes): what grew may hold what is searched for.
    """

    here: tuple[Session, ...]
    everywhere: tuple[Session, ...]
    hidden: Mapping[HiddenBecause, int]
    roots: tuple[Root, ...]
    counting: bool
    sizes: frozenset[tuple[Path, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found so far; `done` when nothing more will come, `cut` when there is too much to go on.

    `beyond` is how much more the index knows of; `suggestion` a query that may be meant when nothing was found.
    """

    question: Question
    query: Query
    hits: tuple[Hit, ...]
    hidden: Mapping[HiddenBecause, int]
    sessions: int
    done: bool
    cut: bool = False
    beyond: int = 0
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Indexed:
    """How the index stands, and how writing it goes."""

    status: IndexStatus
    writing: Writing | None = None


class ShelfHeard(Message):
    """Something came of listing or searching. Posted by the shelf's thread."""

    def __init__(self, what: Listed | Answer | Indexed | Exception) -> None:
        super().__init__()
        self.what = what


class Shelf:
    """Owns the library in a thread of its own. `post` hands a message to the UI and may be called from it;
    `indexes`: the index is written when there is something to write."""

    def __init__(
        self,
        make: Callable[[], Library],
        post: Callable[[Message], bool],
        *,
        indexes: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._make, self._post, self._indexes, self._clock = make, post, indexes, clock
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._question: Question | None = None
        self._list_wanted = False
        self._closing = False
        self._generation = 0
        self._sessions: dict[Path, Session] = {}
        self._everything: tuple[Session, ...] | None = None
        self._uncounted = False
        self._listed_once = False
        self._last_listed: Listed | None = None
        self._listed_at = float("-inf")
        self._keeper: IndexKeeper | None = None
        self._writing: Writing | None = None
        self._index_at: float | None = None
        self._files: list[SessionFile] = []
        self._files_at = float("-inf")
        self._last_indexed: Indexed | None = None
        self._thread = threading.Thread(target=self._run, name="memtui-shelf", daemon=True)
        self.idle = threading.Event()

    # From the UI thread

    def start(self) -> None:
        """Start the thread and list what there is."""
        self.list_again()
        self._thread.start()

    def list_again(self) -> None:
        """Look which sessions there are; changed ones are counted again."""
        with self._lock:
            self._list_wanted = True
            self.idle.clear()
        self._wake.set()

    def ask(
        self, typed: str, snapshots: Iterable[Snapshot], *, here: bool = False, only: Session | None = None
    ) -> int:
        """Search; gives the generation that its answers carry. Ends an older search."""
        with self._lock:
            self._generation += 1
            self._question = Question(self._generation, typed, tuple(snapshots), here, only)
            self.idle.clear()
        self._wake.set()
        return self._generation

    def forget(self) -> None:
        """End the search that is under way."""
        with self._lock:
            self._generation += 1
            self._question = None
        self._wake.set()

    def close(self) -> None:
        """End the thread, and the process that writes the index; whoever leaves does not wait for long.

        All that the thread writes is a cache: what is cut off costs time later.
        """
        self._closing = True
        self._wake.set()
        if self._keeper is not None:
            self._keeper.close()
        if self._thread.is_alive():
            self._thread.join(LEAVE_S)

    # In the thread

    def _run(self) -> None:
        library: Library | None = None
        while not self._closing:
            self._wake.clear()
            try:
                if library is None:
                    library = self._make()
                    self._keeper = library.keeper(self._writes) if self._indexes else None
                wait_s = self._turn(library)
            except Exception as error:
                # what goes wrong here must not end memtui, nor be kept from the person
                self._uncounted = False
                self._post(ShelfHeard(error))
                wait_s = None
            if wait_s != 0:
                with self._lock:
                    if self._question is None and not self._list_wanted:
                        self.idle.set()
                self._wake.wait(wait_s)
        if self._keeper is not None:
            self._keeper.close()
        if library is not None:
            library.save()

    def _turn(self, library: Library) -> float | None:
        with self._lock:
            question, self._question = self._question, None
            list_wanted = self._list_wanted
        if list_wanted and not self._listed_once:
            # the first listing takes a while: the index is begun beside it
            self._keep_index(library)
            self._list(library)
        elif question is None and list_wanted:
            wait_s = self._listed_at + LIST_EVERY_S - self._clock()
            if wait_s > 0 and not self._uncounted:
                return wait_s
            if wait_s <= 0:
                self._list(library)
        if question is not None:
            self._search(library, question)
        else:
            self._keep_index(library)
            if self._uncounted:
                self._count(library)
        return 0 if self._uncounted or self._question is not None else self._rest_s()

    def _rest_s(self) -> float | None:
        """How long there is nothing to do; None = until somebody asks."""
        waits = [] if self._index_at is None else [self._index_at - self._clock()]
        if self._list_wanted:
            waits.append(self._listed_at + LIST_EVERY_S - self._clock())
        return max(0.001, min(waits)) if waits else None

    def _keep_index(self, library: Library) -> None:
        """Have the index written if it is time to, and tell how it stands."""
        is_new = self._clock() - self._files_at >= FILES_EVERY_S
        is_writing = self._writing is not None and self._writing.is_running
        if is_writing and not is_new and self._last_indexed is not None:
            self._tell_index(self._last_indexed.status)
            return
        if is_new:
            self._files, self._files_at = library.session_files(), self._clock()
        files = self._files
        status = library.index_status(files)
        if self._keeper is not None:
            is_first = status.state != "ready"
            paths = [file.path for file in files]
            wait_s = self._keeper.consider(paths, status.behind_bytes, is_first=is_first)
            self._index_at = None if wait_s is None else self._clock() + wait_s
        self._tell_index(status)

    def _tell_index(self, status: IndexStatus) -> None:
        indexed = Indexed(status, self._writing)
        if indexed != self._last_indexed:
            self._last_indexed = indexed
            self._post(ShelfHeard(indexed))

    def _writes(self, writing: Writing) -> None:
        # in the keeper's own thread
        self._writing = writing
        if not self._closing:
            self._wake.set()

    def _list(self, library: Library) -> None:
        with self._lock:
            self._list_wanted = False
        self._listed_at = self._clock()
        found: dict[Path, Session] = {}
        posted_at = self._clock()
        for session in library.sessions(lambda: self._closing):
            found[session.file] = session
            if not self._listed_once and self._question is not None:
                # what is known so far is searched at once, and again when more is
                self._know(found)
                self._answer(library)
            if not self._listed_once and self._clock() - posted_at > POST_EVERY_S:
                self._know(found)
                self._say(library, counting=True)
                posted_at = self._clock()
        self._know(found)
        self._listed_once = True
        self._uncounted = any(session.counts is None for session in found.values())
        self._say(library, counting=self._uncounted)

    def _know(self, found: dict[Path, Session]) -> None:
        self._sessions, self._everything = found, None

    def _count(self, library: Library) -> None:
        def cancelled() -> bool:
            return self._closing or self._question is not None

        posted_at = self._clock()
        newest = sorted(self._sessions.values(), key=lambda session: -session.mtime_ns)
        for session in library.count(newest, cancelled):
            self._sessions[session.file] = session
            self._everything = None
            if self._clock() - posted_at > POST_EVERY_S:
                self._say(library, counting=True)
                posted_at = self._clock()
        if not cancelled():
            self._uncounted = False
            library.save()
        self._say(library, counting=self._uncounted)

    def _answer(self, library: Library) -> None:
        with self._lock:
            question, self._question = self._question, None
        if question is not None:
            self._search(library, question)

    def _say(self, library: Library, *, counting: bool) -> None:
        from memtui.core.library import newest_first
        from memtui.core.watch import Root

        here, hidden = library.split(self._sessions.values())
        everywhere = tuple(newest_first(self._sessions.values()))
        roots = (Root(library.places.directory),)
        sizes = frozenset((session.file, session.size_bytes) for session in everywhere)
        listed = Listed(tuple(here), everywhere, dict(+hidden), roots, counting, sizes)
        if listed != self._last_listed:
            self._last_listed = listed
            self._post(ShelfHeard(listed))

    def _search(self, library: Library, question: Question) -> None:
        def cancelled() -> bool:
            return self._closing or self._generation != question.generation

        if self._everything is None:
            # the same at every key: what is found out about all of them is kept beside it
            self._everything = tuple(self._sessions.values())
        sessions = self._everything if question.only is None else (question.only,)
        # what is not indexed yet is soon, unless nobody writes the index
        nobody_writes = self._keeper is None or (self._writing is not None and bool(self._writing.problem))
        search = library.search(
            question.typed,
            question.snapshots,
            sessions,
            here=question.here,
            cancelled=cancelled,
            folds=True,
            reads_all=nobody_writes,
            # of one session every place is wanted
            by_index=question.only is None,
        )
        hits: list[Any] = []
        posted_at = self._clock()

        def say(*, done: bool) -> None:
            cut, hidden = len(hits) >= MOST_HITS, dict(+search.hidden)
            suggestion = search.suggestion if done and not hits else ""
            answer = Answer(
                *(question, search.query, tuple(hits), hidden, len(sessions), done, cut, search.beyond),
                suggestion=suggestion,
            )
            self._post(ShelfHeard(answer))

        for hit in search:
            if cancelled():
                return
            if hits and hits[-1].kind != hit.kind:
                say(done=False)
            hits.append(hit)
            if len(hits) >= MOST_HITS:
                break
            if len(hits) == FIRST_HITS:
                say(done=False)
                self._rest(cancelled)
                posted_at = self._clock()
            if self._clock() - posted_at > POST_EVERY_S:
                say(done=False)
                posted_at = self._clock()
        if not cancelled():
            say(done=True)

    def _rest(self, cancelled: Callable[[], bool]) -> None:
        until, was_woken = self._clock() + REST_S, False
        while (left_s := until - self._clock()) > 0 and not cancelled():
            was_woken = self._wake.wait(left_s) or was_woken
            self._wake.clear()
        if was_woken:
            # it was about something else, which is for the turn after this one
            self._wake.set()
