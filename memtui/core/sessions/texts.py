"""The few texts of a session that a list shows: its name and what a person typed first."""

from __future__ import annotations

from typing import Any

from memtui.late import re

FIRST_TEXT_CHARACTERS = 300

_LINE_ENDS = re.compile(r"[\r\n]+")
_USER_TEXT = re.compile(
    rb'"message":\{"role":"user","content":(?:"|\[\{"type":"text","text":")((?:[^"\\\n]|\\[^u\n]|\\u[0-9a-fA-F]{4})+)'
)


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or its text blocks joined by blanks, as pi's listing does."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text")
    return " ".join(text for text in texts if isinstance(text, str))


def first_line_of_user(entry: dict[str, Any]) -> str:
    """What a person typed in a message entry, as one row of at most `FIRST_TEXT_CHARACTERS`; '' for no text."""
    message = entry.get("message")
    return as_row(text_of(message.get("content"))) if isinstance(message, dict) else ""


def first_text_in(head: bytes) -> str:
    """What a person typed, from a head that ends within that line; '' when it does not show it."""
    match = _USER_TEXT.search(head)
    if match is None:
        return ""
    from memtui.core.sessions.records import parse

    try:
        return as_row(str(parse(b'"' + match[1] + b'"')))
    except (ValueError, RecursionError):
        return ""


def as_row(text: str) -> str:
    """A text as one row: line ends and blanks run together, cut at `FIRST_TEXT_CHARACTERS`."""
    return " ".join(text[: 4 * FIRST_TEXT_CHARACTERS].split())[:FIRST_TEXT_CHARACTERS]


def session_name(entry: dict[str, Any]) -> str:
    """The name that a `session_info` entry gives, '' when it clears it (pi-and-zcode sheet A2)."""
    name = entry.get("name")
    return normal_name(name) if isinstance(name, str) else ""


def normal_name(name: str) -> str:
    """A name as pi 1.6.0 stores it: runs of line ends are one blank, nothing around it."""
    return _LINE_ENDS.sub(" ", name).strip()
