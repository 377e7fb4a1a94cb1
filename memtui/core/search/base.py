"""The seam of search: what a source of hits gives, so that an index can stand in for reading everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Literal, Protocol

from memtui.core.search.query import Query, Span
from memtui.core.sessions.base import Branch, Kind, PartKind, Session
from memtui.core.sessions.resume import resume_command
from memtui.late.dataclasses import dataclass, field

Cancelled = Callable[[], bool]


Step = Literal["asking", "reading"]
"""What may take long: asking the index for more, or reading what it does not hold yet, which is the longest."""


def no_matter(step: Step) -> None:
    """Nobody wants to know."""


HitKind = Literal["memory", "session"]

HiddenBecause = Literal[
    "other-project", "not-listed", "unreadable", "copy", "too-long", "not-indexed", "tools-not-indexed"
]
"""Why something is not shown: another project's session; one that pi does not list and that names no project;
a file that cannot be read; a message that stands in another session too (a fork); a line above the cap; a
session that is not in the index yet, or only what was said in it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory, or one message of a session, that holds all words of a query and passes its filters.

    `id` is the memory's id, or the message's (`''` where it has none); `session` and `store` are the ids of
    what it lies in, one of them `''`. `file` is absolute; `offset` is where the match (memory) or the message
    (session) begins, in bytes; `line` counts from 1 and is None where it was not counted. `role` is the kind
    of entry and `part` what of it matched (`text`, `thinking`, `tool_call`, `tool_result`, `bash`, `note`).

    `snippet` is one row that has passed `display` (`display.line` does not change it), `matches` are code
    points of it. `title` is as on disk; `title_matches` are code points of `display.line(title)`. `updated` is
    the time of the message, or of the memory's file. `is_fuzzy`: it is only like the query; `is_named`: the
    query is its id, or its session's. `session_row` is the row of the session, None for a memory. `others` are
    the offsets of the session's other messages that hold the words, where those are folded under this one.
    """

    kind: HitKind
    id: str
    agent: str
    title: str
    file: Path
    snippet: str
    matches: tuple[Span, ...]
    updated: datetime | None
    session: str = ""
    store: str = ""
    line: int | None = None
    offset: int = 0
    role: Kind | Literal[""] = ""
    part: PartKind | Literal[""] = ""
    branch: Branch | Literal[""] = ""
    title_matches: tuple[Span, ...] = ()
    is_fuzzy: bool = False
    is_named: bool = False
    session_row: Session | None = None
    others: tuple[int, ...] = ()

    @property
    def resume(self) -> str:
        """The command that continues its session, '' for none; looks whether its directory is there."""
        return "" if self.session_row is None else resume_command(self.session_row)


class Source(Protocol):
    """Something that can be searched. `hidden` counts what it left out so far, by reason; `beyond` what was
    found and is not yielded, because there is too much of it. `suggestion` is another query that may be meant,
    '' for none; right once it found nothing.

    `search` yields hits as they are found, best or newest first, and ends early once `cancelled()`.
    """

    hidden: Counter[HiddenBecause]
    beyond: int
    suggestion: str

    def search(self, query: Query, cancelled: Cancelled) -> Iterator[Hit]:
        """The hits of a query. Never raises."""
        ...


@dataclass(frozen=True, slots=True)
class Results:
    """A page of hits: `total` were found, `hidden` counts what was left out by reason.

    `suggestion` is what may be meant by a query that found nothing. `is_cut`: there is more than that.
    """

    hits: tuple[Hit, ...]
    total: int
    hidden: Mapping[HiddenBecause, int] = field(default_factory=dict)
    suggestion: str = ""
    is_cut: bool = False

    @property
    def shown(self) -> int:
        """How many hits are on this page."""
        return len(self.hits)


class Search:
    """A running search: iterate it for the hits; `hidden` is right as far as it came."""

    def __init__(self, query: Query, sources: Iterable[Source], cancelled: Cancelled) -> None:
        self.query = query
        self._sources = tuple(sources)
        # no method: what is dropped while it runs must not wait for the garbage collector to close its file
        self._hits = _hits(self.query, self._sources, cancelled)

    def __iter__(self) -> Iterator[Hit]:
        return self._hits

    @property
    def hidden(self) -> Counter[HiddenBecause]:
        """What was left out so far, by reason."""
        return sum((source.hidden for source in self._sources), Counter())

    @property
    def beyond(self) -> int:
        """How much more was found than is yielded; right at the end."""
        return sum(source.beyond for source in self._sources)

    @property
    def suggestion(self) -> str:
        """What may be meant by a query that found nothing, '' for nothing better; right at the end."""
        return next((source.suggestion for source in self._sources if source.suggestion), "")

    def results(self, offset: int = 0, limit: int | None = None) -> Results:
        """Run to the end and keep one page of hits (all from `offset` on without a limit)."""
        last = None if limit is None else offset + limit
        skipped = sum(1 for _hit in islice(self._hits, offset))
        kept = tuple(islice(self._hits, None if last is None else last - offset))
        beyond = sum(1 for _hit in self._hits)
        total = skipped + len(kept) + beyond
        suggestion = "" if total else self.suggestion
        return Results(kept, total, dict(+self.hidden), suggestion, is_cut=self.beyond > 0)


def _hits(query: Query, sources: tuple[Source, ...], cancelled: Cancelled) -> Iterator[Hit]:
    if query.is_empty:
        return
    named: set[tuple[Path, int]] = set()
    for source in sources:
        if cancelled():
            return
        for hit in source.search(query, cancelled):
            # what was found by its id holds that id as a word, too
            if hit.is_named:
                named.add((hit.file, hit.offset))
            elif hit.kind == "session" and (hit.file, hit.offset) in named:
                continue
            yield hit
