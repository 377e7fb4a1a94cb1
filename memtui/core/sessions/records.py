"""The records on the lines of a session file, found by their bytes; only odd lines are decoded.

A line is what stands between two bytes 0x0A and nothing else (U+2028 and U+0085 are text). pi skips a line
that does not parse (pi-and-zcode sheet A2); here the whole records on such a line are recovered: several
glued together, or one behind a cut one, behind NUL bytes or behind a byte-order mark.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import Any, NamedTuple, NoReturn

from memtui.core.sessions.base import Kind
from memtui.core.sessions.plain_lines import MARK
from memtui.late import re

LINE_CAP_BYTES = 32 << 20
"""A longer line is not decoded: it becomes a label with its size."""

HEAD_BYTES = 4096
"""Enough of a line to hold type, id and parent as pi writes them."""

ROLE_KINDS: dict[str, Kind] = {
    "user": "user",
    "assistant": "assistant",
    "toolResult": "tool",
    "bashExecution": "bash",
    "system": "system",
    "custom": "custom",
    "hookMessage": "custom",
    "branchSummary": "branch_summary",
    "compactionSummary": "compaction",
}
DECODED: frozenset[Kind] = frozenset({"user", "assistant", "tool"})
"""The kinds of which a session mostly is: whoever reads their texts decodes them anyway."""

TYPE_KINDS: dict[str, Kind] = {
    "session": "session",
    "compaction": "compaction",
    "branch_summary": "branch_summary",
    "custom": "custom",
    "custom_message": "custom",
    "label": "label",
    "session_info": "session_info",
    "model_change": "model_change",
    "thinking_level_change": "thinking_level_change",
    "usage": "usage",
    "context_edit": "context_edit",
}

_ID = rb'"([^"\\\n]{1,64})"'
_MESSAGE_HEAD = re.compile(
    rb'\{"type":"message",(?:"id":' + _ID + rb',"parentId":(?:null|' + _ID + rb"),)?"
    rb'"timestamp":"([^"\\\n]{0,40})","message":\{"role":"(\w+)"'
)
_ANY_HEAD = re.compile(
    rb'\s*\{"type":"(\w+)"(?:,"id":' + _ID + rb')?(?:,"parentId":(?:null|' + _ID + rb"))?"
    rb'(?:,"timestamp":"[^"\\\n]{0,40}")?(?:,"message":\{"role":"(\w+)")?'
)
_ENTRY_START = re.compile(
    rb'\{\s*"type"\s*:\s*"(?:message|' + b"|".join(name.encode() for name in TYPE_KINDS) + rb')"'
)
_BLANK = b" \t\r"
_LEFTOVER_BLANK = b" \t\r\xef\xbb\xbf"
_RECOVERY_TRIES = 32
_ROLES = {role.encode(): kind for role, kind in ROLE_KINDS.items()}


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


class Found(NamedTuple):
    """One record, or one unreadable stretch, of a line.

    `line` and `offset` are file offsets of the line's and the record's start. `whole`: the record is the
    whole line, so pi parses it (also a line that is JSON but no object). `damage` is 1 on exactly one item of
    a line that pi cannot read. `record` is the decoded object where it had to be decoded.
    """

    line: int
    offset: int
    length: int
    kind: Kind
    is_message: bool = False
    id: bytes | None = None
    parent: bytes | None = None
    whole: bool = True
    damage: int = 0
    record: dict[str, Any] | None = None


def parse(data: bytes) -> Any:
    """A JSON text as JavaScript reads it, bytes that are not UTF-8 kept as surrogate escapes.

    Raises ValueError (also for NaN and Infinity) and RecursionError.
    """
    return _DECODER.decode(data.decode("utf-8", "surrogateescape"))


def parse_object(data: bytes) -> dict[str, Any] | None:
    """`parse`, None for anything but an object and for what does not parse."""
    try:
        value = parse(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def scan(data: bytes, base: int, *, closely: bool = True) -> list[Found]:
    """The records on whole lines; `data` starts with a line at the file offset `base` and ends with a line.

    A message line as pi writes it is known by its first and last bytes and not decoded; a NUL byte, or a
    second message mark on a line, makes it be looked at closely. Not `closely`: nothing looks for such marks
    on lines of the kinds `DECODED`, since who decodes one notices and may `look` then.
    """
    suspicious = b"\0" in data
    found, heads = _walk(data, base, suspicious)
    if suspicious:
        return found
    if not closely:
        return _with_glued(found, data, base)
    if data.count(MARK) != heads:
        found, _heads = _walk(data, base, True)
    return found


def _with_glued(found: list[Found], data: bytes, base: int) -> list[Found]:
    """With what is glued to records that nobody decodes."""
    decoded = DECODED
    if all(item.record is not None or item.kind in decoded for item in found):
        return found
    whole: list[Found] = []
    for item in found:
        first = item.offset - base
        last = first + item.length
        is_undecoded = item.record is None and item.kind not in decoded and item.is_message
        if is_undecoded and data.count(MARK, first, last) > 1:
            whole += look(data[first:last], item.offset)
        else:
            whole.append(item)
    return whole


def _walk(data: bytes, base: int, suspicious: bool) -> tuple[list[Found], int]:
    found: list[Found] = []
    heads, position, size = 0, 0, len(data)
    find, match, append = data.find, _MESSAGE_HEAD.match, found.append
    new, roles = tuple.__new__, _ROLES
    while position < size:
        end = find(b"\n", position)
        if end < 0:
            end = size
        head = match(data, position)
        heads += data.startswith(MARK, position)
        close = suspicious and (data.count(MARK, position, end) > 1 or find(b"\0", position, end) >= 0)
        if head is not None and not close and data.endswith((b"}}", b"}}\r"), position, end):
            entry_id, parent, role = head.group(1, 2, 4)
            start, kind = base + position, roles.get(role, "unknown")
            append(new(Found, (start, start, end - position, kind, True, entry_id, parent, True, 0, None)))
        elif end > position:
            found += look(data[position:end], base + position)
        position = end + 1
    return found, heads


def look(line: bytes, start: int) -> list[Found]:
    """The records of one line (without its line end) by decoding it; empty for a blank line."""
    if not line.strip(_BLANK):
        return []
    if len(line) > LINE_CAP_BYTES:
        return [oversized(line[:HEAD_BYTES], start, len(line))]
    try:
        value = parse(line)
    except (ValueError, RecursionError):
        return _recover(line, start)
    if not isinstance(value, dict):
        return [Found(start, start, len(line), "damaged", damage=1)]
    return [_from_record(value, start, start, len(line), True)]


def look_at_last(line: bytes, start: int) -> list[Found] | None:
    """The records of a last line that has no line end yet; None while it is still being written."""
    if not line.strip(b"\0" + _BLANK):
        return [Found(start, start, len(line), "damaged", whole=False, damage=1)] if b"\0" in line else []
    found = look(line, start)
    return None if any(item.kind == "damaged" for item in found) else found


def oversized(head: bytes, start: int, length: int) -> Found:
    """A line too long to decode, known by its first bytes alone."""
    match = _ANY_HEAD.match(head)
    if match is None:
        return Found(start, start, length, "oversized")
    kind, is_message = _kind(match[1].decode(), (match[4] or b"").decode())
    return Found(start, start, length, kind, is_message, match[2], match[3])


def is_first_record_of_pi(found: Found) -> bool:
    """Whether pi takes this for the header when it is the first line that parses."""
    return found.whole and found.kind == "session" and isinstance((found.record or {}).get("id"), str)


def id_bytes(value: Any) -> bytes | None:
    """An id as the index keeps it; None for anything that is no id."""
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) and value else None


def id_text(value: bytes | None) -> str:
    """The text of an id as the index keeps it."""
    if value is None:
        return ""
    try:
        return value.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return value.decode("utf-8", "surrogateescape")


def _from_record(record: dict[str, Any], line: int, offset: int, length: int, whole: bool) -> Found:
    message = record.get("message")
    kind, is_message = _kind(record.get("type"), message.get("role") if isinstance(message, dict) else "")
    parent = id_bytes(record.get("parentId"))
    return Found(line, offset, length, kind, is_message, id_bytes(record.get("id")), parent, whole, 0, record)


def _kind(type_name: Any, role: Any) -> tuple[Kind, bool]:
    if type_name == "message":
        return (ROLE_KINDS.get(role, "unknown") if isinstance(role, str) else "unknown"), True
    return (TYPE_KINDS.get(type_name, "unknown") if isinstance(type_name, str) else "unknown"), False


def _recover(line: bytes, start: int) -> list[Found]:
    """The whole records on a line that does not parse, and what is left of it.

    Spans are measured on a Latin-1 reading, where a character is a byte; structure is the same in both.
    """
    text = line.decode("latin-1")
    found: list[Found] = []
    done = 0
    for match in islice(_ENTRY_START.finditer(line), _RECOVERY_TRIES):
        if match.start() < done:
            continue
        try:
            end = _DECODER.raw_decode(text, match.start())[1]
        except (ValueError, RecursionError):
            continue
        record = parse_object(line[match.start() : end])
        if record is None:
            continue
        found += _leftover(line, done, match.start(), start)
        found.append(_from_record(record, start, start + match.start(), end - match.start(), False))
        done = end
    found += _leftover(line, done, len(line), start)
    return [found[0]._replace(damage=1), *found[1:]] if found else []


def _leftover(line: bytes, first: int, last: int, start: int) -> list[Found]:
    if not line[first:last].strip(_LEFTOVER_BLANK):
        return []
    return [Found(start, start + first, last - first, "damaged", whole=False)]
