"""Counting the lines that look as pi writes them, by their bytes alone: most of every session."""

from __future__ import annotations

from memtui.late import re
from memtui.late.dataclasses import dataclass, field

MARK = b'{"type":"message","id":'

_ID = rb'"[^"\\\n]{1,64}"'
_HEAD = re.compile(
    rb'\{"type":"message","id":' + _ID + rb',"parentId":(?:null|' + _ID + rb'),"timestamp":"[^"\\\n]{0,40}"'
    rb',"message":\{"role":"'
)
_USUAL_HEAD = len(
    '{"type":"message","id":"0123abcd","parentId":"0123abcd","timestamp":"2026-11-30T16:54:08.286Z"'
)
"""Length of a head up to `,"message"` with ids of 8 characters."""

_ROLE = b',"message":{"role":"'
_ROLE_BYTES = len(_ROLE)
_STAMP = b'"timestamp":'
_STAMP_BYTES = len(_STAMP)
_DIGITS = 13
_U, _BRACE = b"u}"
_SPOKEN = b"ua"
"""Of the roles that pi writes, only `user` and `assistant` begin with these letters."""


@dataclass(slots=True)
class Plain:
    """The plain message lines of a piece: how many, how many are a person's, the newest time in them.

    `newest` are the 13 digits of epoch milliseconds, b'' for none. `last` is the span of the last one within
    the piece; `odd` the spans of the lines that have to be looked at.
    """

    messages: int = 0
    turns: int = 0
    newest: bytes = b""
    last: tuple[int, int] | None = None
    odd: list[tuple[int, int]] = field(default_factory=list)


def read_plain(data: bytes) -> Plain | None:
    """Count whole lines; None when some line may hold more than it seems (NUL bytes, records glued together).

    A line counts as a message by its head and its two closing braces. Its own time is the last `timestamp`
    key when only those two braces close behind it; where they do not, the line is odd.
    """
    if b"\0" in data:
        return None
    plain = Plain()
    heads = messages = turns = position = 0
    newest, size, last, odd = b"", len(data), None, plain.odd
    find, rfind, startswith, endswith, match = (
        data.find,
        data.rfind,
        data.startswith,
        data.endswith,
        _HEAD.match,
    )
    while position < size:
        start, end = position, find(b"\n", position)
        if end < 0:
            end = size
        position, at = end + 1, start + _USUAL_HEAD
        if startswith(_ROLE, at) and startswith(MARK, start):
            heads += 1
        elif startswith(MARK, start):
            heads += 1
            head = match(data, start)
            at = head.end() - _ROLE_BYTES if head is not None else end
        else:
            at = end
        at += _ROLE_BYTES
        if at >= end:
            if start < end:
                odd.append((start, end))
            continue
        role = data[at]
        if role in _SPOKEN:
            stamp_at = rfind(_STAMP, at, end) + _STAMP_BYTES
            stamp = data[stamp_at : stamp_at + _DIGITS]
            if (
                stamp_at < at
                or find(b"}", stamp_at, end) != end - 2
                or data[end - 1] != _BRACE
                or not stamp.isdigit()
                or data[stamp_at + _DIGITS] not in b",}"
            ):
                odd.append((start, end))
                continue
            if stamp > newest:
                newest = stamp
            if role == _U and startswith(b'user"', at):
                turns += 1
        elif not endswith(b"}}", start, end):
            odd.append((start, end))
            continue
        messages += 1
        last = (start, end)
    if data.count(MARK) != heads:
        return None
    plain.messages, plain.turns, plain.newest, plain.last = messages, turns, newest, last
    return plain
