"""Looking through sessions for where a memory came from, newest first; through one for all that it wrote."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from memtui.core.search.backward import backward
from memtui.core.search.base import Cancelled
from memtui.core.search.hit_maker import records_on
from memtui.core.search.origin import Call, Origin, Trace, calls_of, changing_calls_of, is_noted, wrote
from memtui.core.search.prefilter import lines_of
from memtui.core.search.query import parse
from memtui.core.search.sessions import SessionSource
from memtui.core.sessions.base import Session
from memtui.core.sessions.listing import newest_first
from memtui.core.sessions.reader import never, opened
from memtui.core.sessions.records import parse_object
from memtui.late import re

MOST_LOOKED_AT = 40
"""Hits of a query among which one that was said is looked for."""

WORD_COUNTS = (6, 4, 3, 2)
"""How many telling words a text must hold to be the closest, from the strictest try on."""

_WRITERS = rb"memor|remember|write|edit|create|insert|append|replace|patch"
_CALL = re.compile(rb'"name"\s*:\s*"[^"]{0,80}(?i:' + _WRITERS + rb")")
_REMOVAL = rb'"command"\s*:\s*"(?:[^"\\]|\\.){0,9999}?\b(?:rm|unlink|trash)\b'
_CHANGE = re.compile(_CALL.pattern + b"|" + _REMOVAL)
_MEMORY_CALL = re.compile(rb'"name"\s*:\s*"[^"]{0,80}(?i:memor|remember)')
_FAILED = re.compile(rb'"isError"\s*:\s*true')
_RESULT_OF = re.compile(rb'"toolCallId"\s*:\s*"([^"]+)"')


def find_origin(
    trace: Trace,
    sessions: Iterable[Session],
    here: Iterable[Session],
    home: Path,
    cancelled: Cancelled = never,
) -> Origin | None:
    """Where a memory came from: the newest call that wrote it (of the session that it notes, if that has one),
    else that session, else the message that says most of it, in this project's sessions (`here`) first.

    Reads the sessions, and ends early with None once `cancelled()`. Never raises.
    """
    ordered = newest_first(sessions)
    noted = [session for session in ordered if is_noted(session, trace)]
    for session in (*noted, *(session for session in ordered if session not in noted)):
        if cancelled():
            return None
        for call in writing_calls(session, cancelled, _needles(trace)):
            if wrote(call, trace, session.cwd, home):
                return Origin("written", session, call.offset, tool=call.name)
    if noted and not cancelled():
        return Origin("noted", noted[0])
    local = newest_first(here)
    files = {session.file for session in local}
    others = [session for session in ordered if session.file not in files]
    found = (_closest(trace, group, cancelled) for group in (local, others) if group)
    return next((origin for origin in found if origin is not None), None)


def memories_written(
    traces: Sequence[Trace], session: Session, home: Path, cancelled: Cancelled = never
) -> frozenset[int]:
    """Which of the memories a session wrote, or is noted in, as positions of `traces`. Never raises."""
    found = {number for number, trace in enumerate(traces) if is_noted(session, trace)}
    for call in writing_calls(session, cancelled):
        found |= {
            number
            for number, trace in enumerate(traces)
            if number not in found and wrote(call, trace, session.cwd, home)
        }
    return frozenset(found)


def writing_calls(
    session: Session,
    cancelled: Cancelled = never,
    needles: Sequence[bytes] = (),
    *,
    removals: bool = False,
) -> Iterator[Call]:
    """The calls of a session that may have written a memory and did not fail, the last first. Never raises.

    With `needles`, calls of tools for files only where the line holds one of them. With `removals` also the
    calls that may have taken one away.
    """
    pattern, calls = (_CHANGE, changing_calls_of) if removals else (_CALL, calls_of)
    failed: set[str] = set()
    try:
        with opened(session.file) as reader:
            for lines in backward(reader, cancelled):
                data = lines.data or b""
                spans = [*lines_of(pattern, data), *lines_of(_FAILED, data)]
                for span in sorted(set(spans), reverse=True):
                    line = data[slice(*span)]
                    if _FAILED.search(line) is not None:
                        failed.update(found.decode("utf-8", "replace") for found in _RESULT_OF.findall(line))
                    if pattern.search(line) is None or not _may_be(line, needles):
                        continue
                    for found in reversed(records_on(lines, span)):
                        first = found.offset - lines.offset
                        record = found.record or parse_object(data[first : first + found.length])
                        for call in calls(record or {}, found.offset):
                            if call.id not in failed:
                                yield call
    except OSError:
        return


def _may_be(line: bytes, needles: Sequence[bytes]) -> bool:
    if not needles or _MEMORY_CALL.search(line) is not None:
        return True
    lower = line.lower()
    return any(needle in lower for needle in needles)


def _needles(trace: Trace) -> tuple[bytes, ...]:
    """What a call of a tool for files has in its line: the name of the memory's file, as JSON may write it."""
    name = trace.path.name
    written = (json.dumps(name, ensure_ascii=escaped)[1:-1] for escaped in (False, True))
    return tuple({text.encode("utf-8", "surrogateescape").lower() for text in written})


def _closest(trace: Trace, sessions: Sequence[Session], cancelled: Cancelled) -> Origin | None:
    for words in _tries(trace):
        typed = " ".join(words)
        hits = (
            hit
            for hit in SessionSource(sessions).search(parse(typed), cancelled)
            if hit.role != "session" and hit.session_row is not None
        )
        looked_at = list(islice(hits, MOST_LOOKED_AT))
        if cancelled():
            return None
        if looked_at:
            said = (hit for hit in looked_at if hit.part == "text" and hit.role in ("user", "assistant"))
            best = next(said, looked_at[0])
            assert best.session_row is not None
            return Origin("closest", best.session_row, best.offset, typed)
    return None


def _tries(trace: Trace) -> Iterator[tuple[str, ...]]:
    """Telling words that a message must hold all of, from the strictest try to the last."""
    given: set[tuple[str, ...]] = set()
    tries = [trace.words[:count] for count in WORD_COUNTS if len(trace.words) >= count]
    if len(trace.title_words) > 1:
        tries.insert(len(tries) - 1 if tries else 0, trace.title_words)
    if len(trace.words) == 1:
        tries.append(trace.words)
    for words in tries:
        if words and words not in given:
            given.add(words)
            yield words
