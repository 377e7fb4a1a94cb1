"""Making the hits of a session file: what they show, and the branch that each message is on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import Literal

from memtui.core.safety import display
from memtui.core.search.backward import Lines, backward
from memtui.core.search.base import Cancelled, Hit
from memtui.core.search.query import Query, Span, spans
from memtui.core.search.record_texts import Said
from memtui.core.search.snippet import Snippet, snippet
from memtui.core.sessions.base import Branch, PartKind, Session
from memtui.core.sessions.blocks import BRANCHES
from memtui.core.sessions.chain import Chain
from memtui.core.sessions.reader import Reader
from memtui.core.sessions.records import HEAD_BYTES, Found, id_text, look_at_last, oversized, scan
from memtui.core.text.fold import fold

_ORDER = ("text", "bash", "tool_call", "tool_result", "thinking", "note")


class HitMaker:
    """Makes the hits in one file; these must come from its end to its start.

    `start`: none of them stands before that offset. `is_linear`: the file has but one branch, so that they may
    come in any order.
    """

    def __init__(
        self,
        session: Session,
        reader: Reader,
        query: Query,
        cancelled: Cancelled,
        *,
        start: int = 0,
        is_linear: bool = False,
    ) -> None:
        self._session = session
        self._query = query
        self._branches = _Branches(reader, is_linear or session.version == 1, cancelled, start)

    def hit(
        self,
        lines: Lines,
        found: Found,
        part: PartKind | Literal[""],
        shown: Snippet,
        when: datetime,
        *,
        is_fuzzy: bool = False,
    ) -> Hit:
        """The hit of an entry on some lines, shown by a part of it; `when` is its time."""
        session = self._session
        return Hit(
            kind="session",
            id=id_text(found.id),
            agent=session.agent,
            title=session.title,
            file=session.file,
            snippet=shown.text,
            matches=shown.matches,
            updated=when,
            session=session.id,
            offset=found.offset,
            role=found.kind,
            part=part,
            branch="active" if found.kind == "session" else self._branches.of(lines.offset, found.offset),
            title_matches=self._title_matches,
            is_fuzzy=is_fuzzy,
            session_row=session,
        )

    @cached_property
    def _title_matches(self) -> tuple[Span, ...]:
        return spans(self._query, display.line(self._session.title))


def branch_at(session: Session, reader: Reader, offset: int, cancelled: Cancelled) -> Branch:
    """The branch that one entry of a file is on; reads the file from its end down to it."""
    return _Branches(reader, session.version == 1, cancelled, 0).of(offset, offset)


class _Branches:
    """Which branch entries are on, found by walking the file from its end as far down as hits ask for."""

    def __init__(self, reader: Reader, linear: bool, cancelled: Cancelled, start: int) -> None:
        self._reader = reader
        self._chain = Chain(linear)
        self._lines = backward(reader, cancelled, start=start)
        self._at: int | None = None
        self._known: dict[int, int] = {}

    def of(self, lines_offset: int, offset: int) -> Branch:
        """The branch of an entry of the lines at `lines_offset`; these must not rise from call to call."""
        if self._chain.linear:
            return "active"
        while self._at is None or self._at > lines_offset:
            lines = next(self._lines, None)
            if lines is None:
                return "unknown"
            self._at = lines.offset
            if lines.data is None:
                found = [oversized(self._reader.at(lines.offset, HEAD_BYTES), lines.offset, 0)]
            else:
                found = records_on(lines, (0, len(lines.data)))
            branches = self._chain.walk(found)
            self._known = {item.offset: branch for item, branch in zip(found, branches, strict=True)}
        return BRANCHES[self._known.get(offset, 0)]


def best_match(query: Query, said: Sequence[Said]) -> tuple[PartKind, Snippet] | None:
    """The part that shows most of the words, if all of them are in some part."""
    if not query.words:
        return most_telling(query, said)
    missing = set(range(len(query.words)))
    best: tuple[int, int, Said, str] | None = None
    for item in said:
        folded = fold(item.text)
        held = [number for number, word in enumerate(query.words) if word.find(folded) is not None]
        missing.difference_update(held)
        rank = (len(held), -_ORDER.index(item.part))
        if held and (best is None or rank > best[:2]):
            best = (*rank, item, folded)
    if missing or best is None:
        return None
    return best[2].part, snippet(query, best[2].text, best[3])


def most_telling(query: Query, said: Sequence[Said]) -> tuple[PartKind, Snippet] | None:
    """What shows an entry when no word does: what was said before what was run; None when there is nothing."""
    if not said:
        return None
    best = min(said, key=lambda item: _ORDER.index(item.part))
    return best.part, snippet(query, best.text)


def records_on(lines: Lines, span: tuple[int, int]) -> list[Found]:
    """The records on the lines within a span of the data; a last line that is still being written has none."""
    data = lines.data or b""
    first, last = span
    whole = last if lines.ended or last < len(data) else data.rfind(b"\n", first, last) + 1
    whole = max(whole, first)
    found = scan(data[first:whole], lines.offset + first) if whole > first else []
    if whole < last:
        found += look_at_last(data[whole:last], lines.offset + whole) or []
    return found
