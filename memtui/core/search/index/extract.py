"""What of a session's lines goes into the index: typed decoding of the lines that pi writes, else of any.

`said` gives what people and agents said, `done` what tools got and gave and what was thought. Both take the
texts of `record_texts`, so that what reading the files finds is found by the index too, up to where a text is
cut.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from memtui.core.search.copy_keys import ASIDE, copy_key, key_of
from memtui.core.search.index.schema import pack_place
from memtui.core.search.index.words import indexed
from memtui.core.search.record_texts import SEARCHED, texts
from memtui.core.sessions.base import KINDS, Kind, PartKind
from memtui.core.sessions.records import Found, parse_object
from memtui.core.sessions.times import message_time

TOOL_CHARACTERS, TOOL_HEAD, TOOL_TAIL = 2000, 1500, 500
"""A longer text of a tool is indexed with its beginning and its end only."""

LONGEST_CHARACTERS = 1 << 20
"""Of anything else so much is indexed."""

TITLES: frozenset[Kind] = frozenset({"session_info", "session"})

_KIND_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
_LEAST_MS = 100_000_000_000
_MOST_MS = 250_000_000_000_000
_SAID: frozenset[PartKind] = frozenset({"text", "note"})


Raw = bytes | memoryview
"""The bytes of a record, where they stand: most of them are not needed again."""


class NotOneRecordError(Exception):
    """The bytes of what looks like a record are not one: another one is glued to it, or it is cut."""


class Entry(NamedTuple):
    """What is indexed of one record: its numbers (schema.NUMBERS), and its texts as the engine gets them."""

    place: int
    ts: int
    kind: int
    key: int
    title: str = ""
    body: str = ""
    tool: str = ""


class _Block(msgspec.Struct, gc=False):
    type: str = ""
    text: str = ""
    thinking: str = ""
    arguments: Any = None
    redacted: bool = False


class _Message(msgspec.Struct, gc=False):
    content: str | list[_Block] = ""
    timestamp: int | None = None
    summary: str = ""
    errorMessage: str = ""


class _Line(msgspec.Struct, gc=False):
    message: _Message
    timestamp: str = ""
    id: str = ""


class _SaidBlock(msgspec.Struct, gc=False):
    type: str = ""
    text: str = ""


class _SaidMessage(msgspec.Struct, gc=False):
    content: str | list[_SaidBlock] = ""
    timestamp: int | None = None
    summary: str = ""
    errorMessage: str = ""


class _SaidLine(msgspec.Struct, gc=False):
    """`_Line` without what is never said: passing over it is faster than making something of it."""

    message: _SaidMessage
    timestamp: str = ""
    id: str = ""


_decode = msgspec.json.Decoder(_Line).decode
_decode_said = msgspec.json.Decoder(_SaidLine).decode


SAYING: frozenset[Kind] = SEARCHED - {"tool"}
"""The kinds of entries in which somebody may say something."""

DOING: frozenset[Kind] = frozenset({"tool", "assistant", "bash", "user", "custom", "unknown"})
"""The kinds in which a tool may get or give something."""


def said(found: Found, data: Raw, *, is_first: bool = False) -> Entry | None:
    """What somebody said in a record of `SAYING` (`data` are its bytes); None for nothing.

    Raises NotOneRecordError, never anything else. `is_first`: nobody typed anything before in this session,
    so a user's text is its title as well.
    """
    kind = found.kind
    if found.record is None and kind in _SPEAKING:
        try:
            line = _decode_said(data)
        except (msgspec.MsgspecError, RecursionError, ValueError):
            pass
        else:
            return _said_in(found, line, is_first=is_first)
    parts, ts, key = _read(found, data)
    body = _joined([text for part, text in parts if part in _SAID])[:LONGEST_CHARACTERS]
    tool = parts[0][1] if kind == "bash" and parts else ""
    if not body and not tool:
        return None
    title = body if kind in TITLES or (is_first and kind == "user") else ""
    return _entry(found, ts, key, title, body, tool)


def _said_in(found: Found, line: _SaidLine, *, is_first: bool) -> Entry | None:
    """`said` of a line whose message has the usual shape."""
    message = line.message
    content = message.content
    if isinstance(content, str):
        said = [content] if content else []
    else:
        said = [block.text for block in content if block.type == "text" and block.text]
    if message.summary:
        said.append(message.summary)
    if message.errorMessage:
        said.append(message.errorMessage)
    if not said:
        return None
    if len(said) == 1:
        body = said[0]
        characters = len(body)
    else:
        body = "\n".join(said)
        characters = len(body) - len(said) + 1
    if characters > LONGEST_CHARACTERS:
        body = body[:LONGEST_CHARACTERS]
    key = copy_key(line.id, line.timestamp, message.timestamp, found.kind, characters)
    body = indexed(body)
    title = body if is_first and found.kind == "user" else ""
    place = pack_place(found.offset, found.length)
    return Entry(place, _second(line), _KIND_NUMBERS[found.kind], key, title, body)


def done(found: Found, data: Raw) -> Entry | None:
    """What tools got and gave in a record of `DOING`, and what was thought; None for nothing.

    Raises NotOneRecordError, never anything else. What is said in the same record is in it once more: words
    that must all be there are looked for in one document.
    """
    if found.kind == "user" and found.record is None:
        return None
    parts, ts, key = _read(found, data)
    if all(part in _SAID for part, _text in parts):
        return None
    return _entry(found, ts, key, "", "", _joined([_cut(text) for _part, text in parts]))


def _cut(text: str) -> str:
    return text if len(text) <= TOOL_CHARACTERS else f"{text[:TOOL_HEAD]}\n{text[-TOOL_TAIL:]}"


def _joined(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else "\n".join(texts)


def _entry(found: Found, ts: int, key: int, title: str, body: str, tool: str) -> Entry:
    place = pack_place(found.offset, found.length)
    said_so = indexed(body) if body else ""
    title = said_so if title else ""
    return Entry(place, ts, _KIND_NUMBERS[found.kind], key, title, said_so, indexed(tool) if tool else "")


Parts = list[tuple[PartKind, str]]


def _read(found: Found, data: Raw) -> tuple[Parts, int, int]:
    """The texts of a record, its second, and what copies of it share."""
    kind = found.kind
    if found.record is None and kind in _TYPED and (line := _typed(data)) is not None:
        parts = _typed_texts(line.message, kind)
        characters = sum([len(text) for part, text in parts if part not in ASIDE])
        return parts, _second(line), copy_key(line.id, line.timestamp, line.message.timestamp, kind, characters)
    record = found.record or parse_object(bytes(data))
    if record is None:
        raise NotOneRecordError
    parts = [(item.part, item.text) for item in texts(record, kind)]
    when = message_time(record)
    ts = 0 if when is None else max(0, int(when.timestamp()))
    return parts, ts, key_of(record, kind, parts)


# Lines as pi writes them


_TYPED: frozenset[Kind] = frozenset({"user", "assistant", "tool"})
_SPEAKING: frozenset[Kind] = _TYPED - {"tool"}


def _typed(data: Raw) -> _Line | None:
    try:
        return _decode(data)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None


def _typed_texts(message: _Message, kind: Kind) -> Parts:
    """`record_texts.texts` of a line whose message has the usual shape."""
    content = message.content
    parts: Parts = []
    said_as: PartKind = "tool_result" if kind == "tool" else "text"
    if isinstance(content, str):
        if content:
            parts.append((said_as, content))
    else:
        for block in content:
            block_type = block.type
            if block_type == "text":
                if block.text:
                    parts.append((said_as, block.text))
            elif block_type == "toolCall":
                _add_leaves(block.arguments, parts)
            elif block_type == "thinking" and block.thinking and block.redacted is not True:
                parts.append(("thinking", block.thinking))
    if message.summary:
        parts.append(("text", message.summary))
    if message.errorMessage:
        parts.append(("note", message.errorMessage))
    return parts


def _add_leaves(value: Any, parts: Parts) -> None:
    """Every text in a tool call's arguments, in order."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if item:
                parts.append(("tool_call", item))
        elif isinstance(item, dict):
            waiting.extend(reversed(item.values()))
        elif isinstance(item, list):
            waiting.extend(reversed(item))


def _second(line: _Line | _SaidLine) -> int:
    """The second of a message, as `message_time` tells it."""
    own = line.message.timestamp
    if own is not None and _LEAST_MS <= own < _MOST_MS:
        return own // 1000
    when = message_time({"timestamp": line.timestamp, "message": {"timestamp": own}})
    return 0 if when is None else max(0, int(when.timestamp()))
