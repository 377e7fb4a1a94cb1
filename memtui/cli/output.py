"""The only place where the command line prints: plain lines, one JSON document, notes and complaints."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TextIO

from memtui.i18n import _
from memtui.late import re

_LONE_SURROGATE = "[\ud800-\udfff]"
# what JSON lets stand but a terminal obeys or a reader does not see: DEL, C1, bidirectional and line separators
_ACTING = "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"


EXACT_KEYS = frozenset({"id", "memory", "session", "store", "file", "path", "folder", "cwd", "resume"})
"""Names in a document whose texts are handles that another command takes: they are given as they are."""


class UnwritableError(Exception):
    """stdout takes nothing (a full disk); that has been said on stderr."""


def print_lines(lines: Iterable[str]) -> None:
    """Plain lines on stdout; text from disk in them has passed `display` already."""
    text = "".join(f"{line}\n" for line in lines)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    _put(sys.stdout, text.encode(encoding, "replace"))


def print_json(document: object) -> None:
    """One JSON document in UTF-8 on stdout, secrets masked; bytes that are not UTF-8 became U+FFFD."""
    import json

    from memtui.core.safety import secrets

    document = secrets.masked_values(document, EXACT_KEYS)
    text = json.dumps(document, ensure_ascii=False, indent=2)
    text = re.sub(_ACTING, _escaped, re.sub(_LONE_SURROGATE, "\ufffd", text))
    _put(sys.stdout, text.encode("utf-8") + b"\n")


def note(sentences: Iterable[str]) -> None:
    """Sentences for the person on stderr, one a line; they may hold text from disk."""
    for sentence in sentences:
        _say(f"memtui: {_safe(sentence)}\n")


def complain(code: str, message: str, details: Iterable[str] = (), *, as_json: bool) -> None:
    """An error: one line on stderr and its details below it, or the JSON form on stdout."""
    if as_json:
        print_json({"error": {"code": code, "message": message}})
        return
    note([message])
    for detail in details:
        _say(f"  {_safe(detail)}\n")


def _safe(sentence: str) -> str:
    # imported here: the app's first frame says nothing
    from memtui.core.safety import display

    return display.line(sentence)


def _say(text: str) -> None:
    if sys.stderr is not None:
        _put(sys.stderr, text.encode(getattr(sys.stderr, "encoding", None) or "utf-8", "replace"))


def _put(stream: TextIO | None, data: bytes) -> None:
    if stream is None or stream.closed:
        return
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except BrokenPipeError:
        # the reader has seen enough
        _abandon(stream)
    except OSError as error:
        _abandon(stream)
        if stream is sys.stdout:
            reason = error.strerror or str(error)
            note([_("the answer could not be written ({reason})").format(reason=reason)])
            raise UnwritableError from error


def _abandon(stream: TextIO) -> None:
    """Mark a stream as closed: else the interpreter complains when it flushes it at its end."""
    raw = getattr(stream.buffer, "raw", None)
    if raw is not None:
        raw.close()


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code > 0xFFFF:
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
    return f"\\u{code:04x}"
