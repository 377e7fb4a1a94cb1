"""The rows of the search pane: sessions when nothing is typed, else memories, then sessions with their hits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass
from memtui.ui import wording
from memtui.ui.arranging import Order, in_order, said_order
from memtui.ui.matching import Match, match
from memtui.ui.nothing import no_sessions, nothing_found
from memtui.ui.view import row_id_of
from memtui.ui.widgets.row_list import Cell, Row

if TYPE_CHECKING:
    from memtui.core.agent_actions import Running
    from memtui.core.library import Folded, HiddenBecause, Hit, Query, Session
    from memtui.ui.answering import Answer
    from memtui.ui.listed import Listed

MOST_ROWS = 300
"""Rows that are shown at most; what is beyond is counted."""

AGE_CELLS = 7
TITLE_CELLS = 24
TITLE_FROM_WIDTH = 66
PLACE_CELLS = 18
PLACE_FROM_WIDTH = 56

_HIDDEN: dict[HiddenBecause, str] = {
    "other-project": _("H shows {count} more of other projects"),
    "not-listed": _("not shown: {count} that pi does not list"),
    "unreadable": _("not shown: {count} unreadable"),
    "copy": _("not shown: {count} copies in forks"),
    "too-long": _("not searched: {count} too long"),
    "not-indexed": _("not searched yet: {count} to be indexed"),
    "tools-not-indexed": _("only what was said yet: in {count} sessions"),
}
"""What is said of those that are left out; short enough for the narrowest list."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a row leads to: a memory (by store and id, at a line), or a session with the offsets of its hits,
    rising; `offset` is the one to open at (None = the end); or a `query` to ask instead."""

    memory: tuple[str, str] | None = None
    line: int | None = None
    session: Session | None = None
    offset: int | None = None
    offsets: tuple[int, ...] = ()
    query: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What the list shows, with a title for its frame. `query` is None when nothing is searched for."""

    rows: tuple[Row, ...]
    targets: Mapping[str, Target]
    about: str
    query: Query | None
    done: bool
    nothing: str = ""
    """What stands there when there are no rows."""


_ANY = Match(0, 0, ())
"""What is not looked for matches."""


def _turns(session: Session) -> int:
    return 0 if session.counts is None else -session.counts.turns


SESSION_ORDERS: Mapping[str, Order] = {
    "": Order("l", _("last message"), _("last message first"), lambda session: 0),
    "title": Order("n", _("name"), _("by name"), lambda session: session.title.casefold()),
    "turns": Order("r", _("turns"), _("most turns first"), _turns),
    "size": Order("z", _("size"), _("largest first"), lambda session: -session.size_bytes),
}
"""The orders of sessions by id, in the order of the menu; they come with the last message first."""


def found_sessions(
    listed: Listed,
    running: Running | None = None,
    *,
    everywhere: bool,
    home: Path,
    now: datetime,
    query: str = "",
    order: str = "",
) -> Found:
    """The sessions whose title or directory matches the filter `query` ('' = all), in an order of
    `SESSION_ORDERS`; one in several files is one row. `running` are the agents, None while nobody looked."""
    sessions = listed.folded if everywhere else listed.here
    matched = [(folded, _ANY) for folded in sessions]
    if words := query.lower().split():
        matched = [
            (folded, found)
            for folded in sessions
            if (found := _match_session(folded.session, words, home)) is not None
        ]
    if order:
        matched = in_order(matched, order, SESSION_ORDERS, lambda pair: pair[0].session)
    elif words:
        matched.sort(key=lambda pair: -pair[1].rank)
    shown = matched[:MOST_ROWS]
    rows = [
        _session_row(folded, home, now, found.hits, everywhere=everywhere, running=running)
        for folded, found in shown
    ]
    targets = {_session_id(folded.session): Target(session=folded.session) for folded, _found in shown}
    scope = _("all projects") if everywhere else _("this project")
    total = len(listed.folded)
    parts = [scope, _("{shown} of {total}").format(shown=len(matched), total=total)]
    if order:
        parts.append(said_order(order, SESSION_ORDERS))
    if listed.counting:
        parts.append(_("counting …"))
    lines = _beyond(len(matched))
    if not everywhere:
        # an empty list says itself that there are others
        left_out = {
            why: count for why, count in listed.hidden.items() if shown or words or why != "other-project"
        }
        lines += _hidden_lines(left_out)
    nothing = no_sessions(not everywhere, total)
    return Found((*rows, *_notes(lines)), targets, " · ".join(parts), None, True, nothing)


def found_hits(answer: Answer, *, home: Path, now: datetime) -> Found:
    """The hits: memories as they come, then one row a session for all hits in it."""
    rows: list[Row] = []
    targets: dict[str, Target] = {}
    hits_of: dict[Path, list[Hit]] = {}
    named: list[Row] = []
    total = 0
    for hit in answer.hits:
        if hit.kind == "memory":
            total += 1
            row_id = row_id_of(hit.store, hit.id)
            rows.append(_memory_row(row_id, hit, now))
            targets[row_id] = Target(memory=(hit.store, hit.id), line=hit.line)
        else:
            hits_of.setdefault(hit.file, []).append(hit)
    for hits in hits_of.values():
        if (session := hits[0].session_row) is None:
            continue
        row_id = _session_id(session)
        # what an id names is what was meant
        above = named if any(hit.is_named for hit in hits) else rows
        offsets = tuple(sorted({offset for hit in hits for offset in (hit.offset, *hit.others)}))
        above.append(_hits_row(row_id, hits, len(offsets), now))
        total += len(offsets)
        targets[row_id] = Target(session=session, offset=_telling(hits).offset, offsets=offsets)
    rows = [*named, *rows]
    if answer.suggestion and not rows:
        said = _("did you mean {query}?").format(query=display.line(answer.suggestion))
        rows = [Row("suggestion", (Cell(said, "note"),), _("Enter"))]
        targets["suggestion"] = Target(query=answer.suggestion)
    scope = _("this project") if answer.question.here else _("all projects")
    counted = ngettext("{count} hit", "{count} hits", total).format(count=total)
    within = _("{shown} of {total} sessions").format(shown=len(hits_of), total=answer.sessions)
    parts = [scope, counted, within]
    if not answer.done:
        parts.append(_("searching …"))
    hidden = {why: count for why, count in answer.hidden.items() if rows or why != "other-project"}
    lines = _beyond(len(rows)) + _hidden_lines(hidden)
    if answer.cut:
        lines = [_("the search stopped here; a longer query finds less"), *lines]
    elif answer.beyond:
        lines = [_("there is more; a longer query finds less"), *lines]
    shown = (*rows[:MOST_ROWS], *_notes(lines))
    nothing = nothing_found(answer.question.here)
    return Found(shown, targets, " · ".join(parts), answer.query, answer.done, nothing)


def _session_id(session: Session) -> str:
    return f"session {session.file}"


def _match_session(session: Session, words: Sequence[str], home: Path) -> Match | None:
    place = display.path(session.cwd, home=home) if session.cwd else ""
    return match(words, display.line(session.title), (place.rpartition("/")[2],), place)


def _session_row(
    folded: Folded,
    home: Path,
    now: datetime,
    hits: tuple[int, ...],
    *,
    everywhere: bool,
    running: Running | None,
) -> Row:
    session = folded.session
    cells = [
        Cell(wording.age(session.updated, now), "muted", width=AGE_CELLS),
        Cell(display.line(session.title), hits=hits),
    ]
    if everywhere:
        place = display.path(session.cwd, home=home) if session.cwd else ""
        cells.append(Cell(place, "muted", width=PLACE_CELLS, from_width=PLACE_FROM_WIDTH))
    words = list(_session_words(folded, now, running))
    is_damaged = session.counts is not None and bool(session.counts.damaged)
    ink = "warn" if is_damaged or not session.pi_lists else "muted"
    return Row(_session_id(session), tuple(cells), " · ".join(words), ink, dim=not session.pi_lists)


def _session_words(folded: Folded, now: datetime, running: Running | None) -> Iterator[str]:
    """What is said of a session at the end of its row."""
    session = folded.session
    if running is not None and running.agents:
        from memtui.core.agent_actions import use_of

        if mark := use_of(session, running, now).mark:
            yield mark
    if folded.files > 1:
        yield _("{count} files").format(count=folded.files)
    if not session.pi_lists:
        yield _("pi does not list it")
    elif session.counts is None:
        yield "…"
    else:
        turns = session.counts.turns
        yield ngettext("{count} turn", "{count} turns", turns).format(count=turns)
        if session.counts.damaged:
            yield _("{count} damaged").format(count=session.counts.damaged)


def _memory_row(row_id: str, hit: Hit, now: datetime) -> Row:
    sign = "~" if hit.is_fuzzy else ""
    cells = [Cell(_("memory"), "kind", width=AGE_CELLS), Cell(sign, "note", width=2)]
    cells += _telling_cells(hit)
    tail = " · ".join(filter(None, (display.line(hit.agent), wording.age(hit.updated, now))))
    return Row(row_id, tuple(cells), tail, markable=True)


def _hits_row(row_id: str, hits: Sequence[Hit], count: int, now: datetime) -> Row:
    hit = _telling(hits)
    branch = "┆" if hit.branch == "other" else "~" if hit.is_fuzzy else ""
    cells = (
        Cell(wording.age(hit.updated, now), "muted", width=AGE_CELLS),
        Cell(branch, "note", width=2),
        *_telling_cells(hit),
    )
    counted = ngettext("{count} hit", "{count} hits", count).format(count=count)
    return Row(row_id, cells, f"{display.line(hit.agent)} · {counted}")


def _telling_cells(hit: Hit) -> list[Cell]:
    """What was found, behind the title where there is room for both; the title where nothing in it matches."""
    title, hits = display.line(hit.title), _points(hit.title_matches)
    first = hit.title_matches[0] if hit.title_matches else None
    if hit.snippet in (title, "") or (hit.title_matches and not hit.matches):
        return [Cell(title, hits=hits, keeps=first)]
    return [
        Cell(title, "muted", width=TITLE_CELLS, hits=hits, from_width=TITLE_FROM_WIDTH, keeps=first),
        Cell("", width=1, from_width=TITLE_FROM_WIDTH),
        Cell(hit.snippet, hits=_points(hit.matches), keeps=_first_match(hit.snippet, hit.matches)),
    ]


def _first_match(text: str, matches: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The first match, with the words that match right behind it; None without any."""
    if not matches:
        return None
    start, end = matches[0]
    for first, last in matches[1:]:
        if text[end:first].strip():
            break
        end = last
    return start, end


def _telling(hits: Sequence[Hit]) -> Hit:
    """What an id names, else the newest hit in what was said, else the newest."""
    if hits[0].is_named:
        return hits[0]
    return next((hit for hit in hits if hit.part == "text" and hit.role in ("user", "assistant")), hits[0])


def _points(spans: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(point for first, last in spans for point in range(first, last))


def _beyond(count: int) -> list[str]:
    return [_("… and {count} more").format(count=count - MOST_ROWS)] if count > MOST_ROWS else []


def _hidden_lines(hidden: Mapping[HiddenBecause, int]) -> list[str]:
    return [_HIDDEN[why].format(count=count) for why, count in hidden.items() if count]


def _notes(lines: Sequence[str]) -> list[Row]:
    return [
        Row(f"note {number}", (Cell("", "muted", width=1), Cell(line, "muted")), kind="note")
        for number, line in enumerate(lines)
    ]
