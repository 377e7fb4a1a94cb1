"""YAML scalars as text: reading what was typed, and writing values that every reader reads back the same.

Writing follows the stricter of YAML 1.1 and 1.2 (a plain `no` is a word for one and false for the other), so
a value stays plain only where both read exactly that string. Source: the YAML 1.2.2 specification and the
pi-and-zcode sheet B3 (what a 1.2 core reader takes for something else than a string).
"""

from __future__ import annotations

from typing import Literal

from memtui.late import re

Style = Literal["plain", "single", "double", "folded", "literal", "list", "map"]

DOUBLE_QUOTED = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
SINGLE_QUOTED = re.compile(r"'[^']*(?:''[^']*)*'", re.DOTALL)
BLOCK_HEADER = re.compile(r"[|>](?:[+-]?[1-9]?|[1-9][+-])(?P<comment>[ \t]+#.*|[ \t]*)")

_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\r?\n[ \t]*|.)", re.DOTALL)
_ESCAPED = dict(zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True))
_ESCAPES = {character: "\\" + name for name, character in _ESCAPED.items() if name not in "\t /_"}
# what a 1.1 reader rejects or takes for a line end, and signs that cannot be told apart on a screen
_NEEDS_ESCAPE = re.compile(r'["\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]|:[ ]|:\Z|[ ]#|[ ]\Z")
_SAFE_START = re.compile(r"[A-Za-z_(\u00a1-\ud7ff\uf900-\ufdcf\ufdf0-\ufefe\uff01-\uffef\U00010000-\U0010ffff]")
_DIGITS_THEN_WORD = re.compile(r"[0-9].*[g-np-su-wyG-NP-SU-WY]")
_IS_SPACE_START = re.compile(r"\s")
_WORDS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"])


def is_plainly_safe(value: str) -> bool:
    """Whether the bare `value` is exactly this string for a YAML 1.1 and for a YAML 1.2 reader."""
    if not value or _UNSAFE.search(value) or value.casefold() in _WORDS or _IS_SPACE_START.match(value):
        return False
    return _SAFE_START.match(value) is not None or _DIGITS_THEN_WORD.match(value) is not None


def is_flow_safe(value: str) -> bool:
    """Whether the bare `value` is also safe between `{` and `}`."""
    return is_plainly_safe(value) and not any(sign in value for sign in ",[]{}:")


def quote(value: str) -> str:
    """A value as YAML source on one line: plain where that is safe, else in double quotes."""
    return value if is_plainly_safe(value) else double_quoted(value)


def double_quoted(value: str) -> str:
    """A value in double quotes; line ends and unprintable characters become escapes."""
    return '"' + _NEEDS_ESCAPE.sub(_escape, value) + '"'


def single_quoted(value: str) -> str | None:
    """A value in single quotes, or None where it holds a character that needs an escape."""
    if _NEEDS_ESCAPE.search(value.replace('"', "").replace("\\", "")):
        return None
    return "'" + value.replace("'", "''") + "'"


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    known = _ESCAPES.get(character)
    if known is not None:
        return known
    return f"\\x{ord(character):02x}" if ord(character) < 0x100 else f"\\u{ord(character):04x}"


def text_of(raw: str, style: Style) -> str:
    """The text that typed source means to a lenient reader.

    Line ends survive only where they were meant: in a literal block, as an escape, or as a blank line within
    folded text. The last line end of a block is dropped.
    """
    if style == "double":
        return _ESCAPE.sub(_unescape, _fold(raw[1:-1], keeps_escaped=True))
    if style == "single":
        return _fold(raw[1:-1]).replace("''", "'")
    if style in ("literal", "folded"):
        return _block_text(raw, style)
    return _fold(raw) if "\n" in raw else raw


def on_one_line(text: str) -> str:
    """Text with every line end, and the blanks around it, as one blank."""
    if "\n" not in text:
        return text
    return " ".join(part for part in (line.strip(" \t\r") for line in text.split("\n")) if part)


def _unescape(match: re.Match[str]) -> str:
    name = match.group(1)
    if name[0] in "xuU" and len(name) > 1:
        number = int(name[1:], 16)
        return chr(number) if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF else "\ufffd"
    if name[0] in "\r\n":
        return ""
    return _ESCAPED.get(name, match.group())


def _fold(raw: str, *, keeps_escaped: bool = False) -> str:
    """One line end is a blank, each further one a line end; blanks around line ends go."""
    if "\n" not in raw:
        return raw
    lines = raw.split("\n")
    result = lines[0].rstrip(" \t\r")
    blank = 0
    for position, line in enumerate(lines[1:], 1):
        text = line.strip(" \t\r") if position < len(lines) - 1 else line.lstrip(" \t")
        if not text and position < len(lines) - 1:
            blank += 1
            continue
        if keeps_escaped and not blank and _ends_in_escape(result):
            result = result[:-1] + text
        else:
            result += ("\n" * blank or " ") + text
        blank = 0
    return result


def _ends_in_escape(text: str) -> bool:
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _block_text(raw: str, style: Style) -> str:
    lines = [line.rstrip("\r") for line in raw.split("\n")[1:]]
    indents = [len(line) - len(line.lstrip(" \t")) for line in lines if line.strip()]
    if not indents:
        return ""
    margin = indents[0] if indents[0] <= min(indents) else min(indents)
    cut = [line[margin:] if line.strip() else "" for line in lines]
    while cut and not cut[-1]:
        cut.pop()
    if style == "literal":
        return "\n".join(cut)
    return _fold("\n".join(cut))
