"""One search of the shelf's thread, told in few answers: first what the list has room for, then all of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    from memtui.core.layouts.base import Snapshot
    from memtui.core.library import HiddenBecause, Hit, Query, Search, Session, Step

MOST_HITS = 2000
"""A search ends with so many: more of them say nothing, a longer query does."""

FIRST_HITS = 40
"""So many are told at once where nobody knows how many rows the list has."""

BELOW = 2
"""As many more than the list has rows: that there are more is seen by its scroll bar."""

REST_S = 0.25
"""After the first ones, and before it reads files, the search waits so long for the next key: it would hold up
its paint."""

PAINT_S = 0.015
"""Where few were found and the next step may take long, these are painted first: beside a thread that computes
a paint takes three times as long."""

POST_EVERY_S, POST_QUICK_EVERY_S = 0.1, 0.3
"""Partial results are posted at most this often; less often where all of them are there soon."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched for: the text as typed, `here` = in this project's sessions only. `only` is a session
    that alone is searched. So many `rows` are wanted first; those of what is asked `again` stand there already.
    """

    generation: int
    typed: str
    snapshots: tuple[Snapshot, ...]
    here: bool
    only: Session | None = None
    rows: int = 0
    again: bool = False


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


class Answering:
    """Answers a question among so many `sessions`. `post` takes the answers, `rest` waits so many seconds for
    the next question; both are called in the thread that searches. `is_quick`: no hit is long in coming."""

    def __init__(
        self,
        question: Question,
        sessions: int,
        post: Callable[[Answer], object],
        rest: Callable[[float], None],
        clock: Callable[[], float] = time.monotonic,
        *,
        is_quick: bool = False,
    ) -> None:
        self._question, self._sessions = question, sessions
        self._post, self._rest, self._clock, self._is_quick = post, rest, clock, is_quick
        self._hits: list[Hit] = []
        self._told = 0
        self._first = question.rows + BELOW if question.rows else FIRST_HITS
        self._search: Search | None = None

    def pause(self, step: Step) -> None:
        """What comes next may take long: what was found before it is told, and reading waits for a pause."""
        is_news = self._told < len(self._hits) < self._first and not self._question.again
        if is_news:
            self._say(done=False)
        if step == "reading":
            self._rest(REST_S)
        elif is_news:
            self._rest(PAINT_S)

    def run(self, search: Search, cancelled: Callable[[], bool]) -> None:
        """Search, and tell what is found; ends within one step after `cancelled()`."""
        self._search = search
        try:
            self._run(search, cancelled)
        finally:
            # else each would wait with all its hits for the garbage collector: they know each other
            self._search = None

    def _run(self, search: Search, cancelled: Callable[[], bool]) -> None:
        hits, posted_at = self._hits, self._clock()
        every_s = POST_QUICK_EVERY_S if self._is_quick else POST_EVERY_S
        for hit in search:
            if cancelled():
                return
            if hits and hits[-1].kind != hit.kind and not self._is_quick:
                self._say(done=False)
            hits.append(hit)
            if len(hits) >= MOST_HITS:
                break
            if len(hits) == self._first:
                self._say(done=False)
                self._rest(REST_S)
                posted_at = self._clock()
            if self._clock() - posted_at > every_s:
                self._say(done=False)
                posted_at = self._clock()
        if not cancelled():
            self._say(done=True)

    def _say(self, *, done: bool) -> None:
        search, hits = self._search, tuple(self._hits)
        assert search is not None
        self._told = len(hits)
        cut, hidden = len(hits) >= MOST_HITS, dict(+search.hidden)
        suggestion = search.suggestion if done and not hits else ""
        self._post(
            Answer(
                *(self._question, search.query, hits, hidden, self._sessions, done, cut, search.beyond),
                suggestion=suggestion,
            )
        )
