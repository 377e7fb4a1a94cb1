"""The thread that lists, counts and searches conversations, so that a long search never holds up a key.

It also has the index written when there is something to write.

The newest question wins: it ends what is under way within one chunk, and what was found for an older one is
dropped. Counting goes on when nothing else is asked.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from memtui.late.dataclasses import dataclass
from memtui.ui.answering import Answer, Answering, Question
from memtui.ui.listed import Listed, Pace, listed
from memtui.ui.relay import Relay

if TYPE_CHECKING:
    from memtui.core.layouts.base import Snapshot
    from memtui.core.library import IndexKeeper, IndexStatus, Library, Session, SessionFile, Writing

LEAVE_S = 0.1
"""How long the thread may take to end what it does (seconds)."""

FILES_EVERY_S = 2.0
"""The least time between two looks at how large the session files are: while the index is written, it says
itself how far it is."""

QUIET_S = 1.0
"""So long after a question it is not looked how large the session files are: the next one would wait for it."""

LIST_EVERY_S = 1.0
"""The least time between two listings that were asked for by changes on the disk."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """How the index stands, and how writing it goes; `changes` is another number once it holds more."""

    status: IndexStatus
    writing: Writing | None = None
    changes: int = 0


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
        self._listed_at = self._asked_at = float("-inf")
        self._keeper: IndexKeeper | None = None
        self._writing: Writing | None = None
        self._index_at: float | None = None
        self._files: list[SessionFile] = []
        self._files_at = float("-inf")
        self._last_indexed: Indexed | None = None
        self._library: Library | None = None
        self._warms = False
        self._relay = Relay(self._run, "memtui-shelf", self._lock)
        self.idle = threading.Event()

    # From the UI thread

    def start(self) -> None:
        """Start the thread and list what there is."""
        self.list_again()
        self._relay.start()

    def list_again(self) -> None:
        """Look which sessions there are; changed ones are counted again."""
        with self._lock:
            self._list_wanted = True
            self.idle.clear()
        self._wake.set()

    def ask(
        self,
        typed: str,
        snapshots: Iterable[Snapshot],
        *,
        here: bool = False,
        only: Session | None = None,
        rows: int = 0,
        again: bool = False,
        waits: bool = False,
    ) -> int:
        """Search; gives the generation that its answers carry. Ends an older search. One that `waits` begins
        when somebody says so (`begin`)."""
        with self._lock:
            self._generation += 1
            self._question = Question(self._generation, typed, tuple(snapshots), here, only, rows, again)
            self.idle.clear()
        if not waits:
            self.begin()
        return self._generation

    def begin(self) -> None:
        """Look at what was asked for last.

        A thread that is within a step of an older search is left to itself, and ends with that step.
        """
        with self._lock:
            if self._question is not None and not self._closing:
                self._relay.pass_on()
        self._wake.set()

    def warm(self) -> None:
        """Somebody is about to ask: have at hand what a first search would wait for."""
        self._warms = True
        self._wake.set()

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
        self._relay.end(LEAVE_S)

    # In the thread

    def _run(self) -> None:
        while not self._closing and not self._relay.is_left:
            self._wake.clear()
            try:
                if self._library is None:
                    self._library = self._make()
                    self._keeper = self._library.keeper(self._writes) if self._indexes else None
                wait_s = self._turn(self._library)
            except Exception as error:
                if self._relay.is_left:
                    return
                # what goes wrong here must not end memtui, nor be kept from the person
                self._uncounted = False
                self._post(ShelfHeard(error))
                wait_s = None
            if wait_s != 0 and not self._relay.is_left:
                with self._lock:
                    if self._question is None and not self._list_wanted:
                        self.idle.set()
                self._wake.wait(wait_s)
        if self._relay.is_left:
            return
        if self._keeper is not None:
            self._keeper.close()
        if self._library is not None:
            self._library.save()

    def _turn(self, library: Library) -> float | None:
        with self._lock:
            if self._relay.is_left:
                return 0
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
        if question is not None or self._warms:
            with self._relay.step():
                if question is not None:
                    self._search(library, question)
                else:
                    self._warms = False
                    library.warm()
            self._asked_at = self._clock()
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
        now = self._clock()
        is_new = now - self._files_at >= FILES_EVERY_S
        is_writing = self._writing is not None and self._writing.is_running
        quiet_from = self._asked_at + QUIET_S
        if self._last_indexed is not None and (now < quiet_from or (is_writing and not is_new)):
            if now < quiet_from:
                self._index_at = quiet_from
            self._tell_index(library, self._last_indexed.status)
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
        self._tell_index(library, status)

    def _tell_index(self, library: Library, status: IndexStatus) -> None:
        indexed = Indexed(status, self._writing, library.index_changes())
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
        pace = Pace(self._clock)
        for session in library.sessions(lambda: self._closing):
            found[session.file] = session
            if not self._listed_once and self._question is not None:
                # what is known so far is searched at once, and again when more is
                self._know(found)
                self._answer(library)
            if not self._listed_once and pace.is_due:
                self._know(found)
                with pace.making():
                    self._say(library, counting=True)
        self._know(found)
        self._listed_once = True
        self._uncounted = any(session.counts is None for session in found.values())
        self._say(library, counting=self._uncounted)

    def _know(self, found: dict[Path, Session]) -> None:
        self._sessions, self._everything = found, None

    def _count(self, library: Library) -> None:
        def cancelled() -> bool:
            return self._closing or self._question is not None

        pace = Pace(self._clock)
        newest = sorted(self._sessions.values(), key=lambda session: -session.mtime_ns)
        for session in library.count(newest, cancelled):
            self._sessions[session.file] = session
            self._everything = None
            if pace.is_due:
                with pace.making():
                    self._say(library, counting=True)
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
        found = listed(library, self._sessions.values(), counting=counting)
        if found != self._last_listed:
            self._last_listed = found
            self._post(ShelfHeard(found))

    def _search(self, library: Library, question: Question) -> None:
        def cancelled() -> bool:
            return self._closing or self._generation != question.generation

        if self._everything is None:
            # the same at every key: what is found out about all of them is kept beside it
            self._everything = tuple(self._sessions.values())
        sessions = self._everything if question.only is None else (question.only,)
        # what is not indexed yet is soon, unless nobody writes the index
        nobody_writes = self._keeper is None or (self._writing is not None and bool(self._writing.problem))
        is_ready = self._last_indexed is not None and self._last_indexed.status.state == "ready"
        answering = Answering(
            question,
            len(sessions),
            lambda answer: self._post(ShelfHeard(answer)),
            lambda seconds: self._rest(seconds, cancelled),
            self._clock,
            is_quick=is_ready and question.only is None,
        )
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
            before_long=answering.pause,
        )
        answering.run(search, cancelled)

    def _rest(self, seconds: float, cancelled: Callable[[], bool]) -> None:
        until, was_woken = self._clock() + seconds, False
        with self._relay.step(is_long=False):
            while (left_s := until - self._clock()) > 0 and not cancelled():
                was_woken = self._wake.wait(left_s) or was_woken
                self._wake.clear()
            if was_woken:
                # it was about something else, which is for the turn after this one
                self._wake.set()
