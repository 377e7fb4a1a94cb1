"""Lines of a state file by tolerant rules: no schema of them is known (memweave sheet 4).

Nothing is folded into a current state: what an event does to the ones before it is not known either.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from memtui.late.dataclasses import dataclass

IDS = ("id", "event_id", "eventid", "ref", "key")
KINDS = ("kind", "type", "event", "op", "action", "category")
TEXTS = ("text", "content", "body", "statement", "summary", "title", "fact", "decision", "goal", "value")
STATES = ("status", "state", "archived", "active")
EVIDENCE = ("evidence", "refs", "ref", "sources", "source")
TIMES = ("ts", "time", "timestamp", "at", "created_at", "createdat", "updated_at")
WRAPPERS = ("event", "data", "payload")
LETTERS = {"g": "goal", "f": "fact", "d": "decision"}

LineState = Literal["ok", "partial", "bad"]


@dataclass(frozen=True, slots=True)
class Event:
    """One line: bytes `start` to `end` of what was read (the line end not included), its number (from 1), and
    what the rules found in it ('' = nothing). `partial` = the last line, still being written."""

    start: int
    end: int
    number: int
    state: LineState
    id: str = ""
    kind: str = ""
    text: str = ""
    status: str = ""
    evidence: str = ""
    when: str = ""


def parse_events(data: bytes, *, starts_inside: bool = False) -> list[Event]:
    """The events of a state file. Never raises.

    `starts_inside`: `data` is the end of a larger file, its first line may be cut and is left out. A file that
    is one JSON array, or one object over several lines, is taken as such.
    """
    whole = _whole(data) if not starts_inside else None
    if whole is not None:
        return [_event(0, len(data), number, item) for number, item in enumerate(whole, 1)]
    return list(_lines(data, starts_inside))


def _lines(data: bytes, starts_inside: bool) -> Iterator[Event]:
    start = 0
    number = 0
    while start < len(data):
        stop = data.find(b"\n", start)
        end = len(data) if stop < 0 else stop
        number += 1
        line = data[start:end].removesuffix(b"\r")
        if line.strip() and not (starts_inside and number == 1):
            yield _line(line, start, number, is_last=stop < 0)
        start = end + 1


def _line(line: bytes, start: int, number: int, *, is_last: bool) -> Event:
    try:
        value = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return Event(start, start + len(line), number, "partial" if is_last else "bad")
    return _event(start, start + len(line), number, value)


def _whole(data: bytes) -> list[Any] | None:
    text = data.decode("utf-8", "replace").strip()
    if not text.startswith(("[", "{")) or ("\n" not in text and text.startswith("{")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else [value]


def _event(start: int, end: int, number: int, value: Any) -> Event:
    if not isinstance(value, Mapping):
        return Event(start, end, number, "ok", text=_words(value))
    places = [_lowered(value)]
    places += [_lowered(places[0][name]) for name in WRAPPERS if isinstance(places[0].get(name), Mapping)]
    found_id = _first(places, IDS)
    text = _first(places, TEXTS) or _longest(value)
    kind = _first(places, KINDS) or _kind_of(found_id)
    return Event(
        start,
        end,
        number,
        "ok",
        id=found_id,
        kind=kind,
        text=text,
        status=_first(places, STATES),
        evidence=_first(places, EVIDENCE),
        when=_first(places, TIMES),
    )


def _lowered(value: Mapping[str, Any]) -> dict[str, Any]:
    return {str(key).lower(): item for key, item in reversed(list(value.items()))}


def _first(places: list[dict[str, Any]], names: tuple[str, ...]) -> str:
    for name in names:
        for place in places:
            value = place.get(name)
            if value is not None and not isinstance(value, Mapping):
                return _words(value)
    return ""


def _words(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _longest(value: Mapping[str, Any]) -> str:
    texts = [item for item in value.values() if isinstance(item, str)]
    for item in value.values():
        if isinstance(item, Mapping):
            texts += [inner for inner in item.values() if isinstance(inner, str)]
    return max(texts, key=len, default="")


def _kind_of(event_id: str) -> str:
    prefix = event_id.rstrip("0123456789").lower()
    return LETTERS.get(prefix, "goal" if prefix == "goal" else "")
