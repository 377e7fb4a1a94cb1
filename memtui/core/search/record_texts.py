"""What of a session's entry can be found: the texts a person or an agent said, saw or ran.

Not searched: the system prompt, images, ids, settings, and the messages that a compaction keeps a second time
beside its summary (pi-and-zcode sheet A2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from memtui.core.sessions.base import Kind, PartKind
from memtui.core.sessions.texts import session_name

SEARCHED: frozenset[Kind] = frozenset(
    {
        *("user", "assistant", "tool", "bash", "custom", "compaction", "branch_summary", "label"),
        *("session_info", "session", "unknown"),
    }
)
"""The kinds of entries that have such texts."""

ID_CHARACTERS = 8
"""A session is found by its id from this many typed characters on."""

Json = Mapping[str, Any]


class Said(NamedTuple):
    """One text of an entry."""

    part: PartKind
    text: str


def texts(record: Json, kind: Kind) -> Iterator[Said]:
    """The texts of a decoded entry, in order. Never raises, whatever its shape."""
    message = record.get("message")
    if record.get("type") == "message":
        if isinstance(message, dict) and kind != "system":
            yield from _of_message(message, kind)
        return
    match kind:
        case "compaction" | "branch_summary":
            yield from _string("text", record.get("summary"))
        case "custom":
            if record.get("type") == "custom_message":
                yield from _blocks(record.get("content"), "text")
        case "label":
            yield from _string("note", record.get("label"))
        case "session_info":
            yield from _string("note", session_name(dict(record)))
        case "session":
            yield from _string("note", record.get("id"))


def _of_message(message: Json, kind: Kind) -> Iterator[Said]:
    if kind == "bash":
        yield from _string("bash", message.get("command"))
        yield from _string("bash", message.get("output"))
    else:
        yield from _blocks(message.get("content"), "tool_result" if kind == "tool" else "text")
    yield from _string("text", message.get("summary"))
    yield from _string("note", message.get("errorMessage"))


def _blocks(content: Any, part: PartKind) -> Iterator[Said]:
    if not isinstance(content, list):
        yield from _string(part, content)
        return
    for block in content:
        if not isinstance(block, dict):
            continue
        match block.get("type"):
            case "text":
                yield from _string(part, block.get("text"))
            case "thinking":
                if block.get("redacted") is not True:
                    yield from _string("thinking", block.get("thinking"))
            case "toolCall":
                yield from _leaves(block.get("arguments"))


def _leaves(value: Any) -> Iterator[Said]:
    """Every text in a tool call's arguments, in order; JSON that was decoded is never too deep to walk."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield from _string("tool_call", item)
        elif isinstance(item, dict):
            waiting.extend(reversed(item.values()))
        elif isinstance(item, list):
            waiting.extend(reversed(item))


def _string(part: PartKind, text: Any) -> Iterator[Said]:
    if isinstance(text, str) and text:
        yield Said(part, text)
