"""How a folded text may be spelled in the bytes of a JSON line: a pattern that matches every spelling of it.

A pattern may match more than it should, never less: `é` may stand as U+00E9, as `e` with U+0301, or escaped.
"""

from __future__ import annotations

import functools
import unicodedata

from memtui.core.text.fold import fold
from memtui.late import re

ACCENTED = (
    rb"[\xc3-\xc9][\x80-\xbf]|\xe1[\xb8-\xbb\xbf][\x80-\xbf]|\xe2\x84[\xaa\xab]|\xef\xac[\x80-\x86]|\xcd\xbe"
)
"""UTF-8 of every character beyond ASCII that folds to something with ASCII in it, and some more."""

ASCII_PAIRS = frozenset({"ss", "ff", "fi", "fl", "st"})
"""Two ASCII characters in a row that one character may fold to."""

_MARKS = rb"(?:\xcc[\x80-\xbf]|\xcd[\x80-\xaf]|\\u03[0-6][0-9a-fA-F])*"
_ESCAPED = rb"\\u[0-9a-fA-F]{4}"
_SHORT_ESCAPES = {'"': rb'\\"', "\\": rb"\\\\", "/": rb"\\?/", "\b": rb"\\b", "\f": rb"\\f"}

# letters beyond ASCII that may have other forms; ideographs and private use have none but their own
_VARIED = (
    *(range(0x80, 0x3400), range(0xA000, 0xAC00), range(0xF900, 0x10000)),
    range(0x2F800, 0x2FA20),
)
_VARIED_FAR = (range(0x10000, 0x20000),)


def pattern(text: str) -> re.Pattern[bytes]:
    """A pattern for a folded text without white space."""
    pieces = []
    for position, character in enumerate(text):
        if position:
            pieces.append(_MARKS)
        piece = _ascii(character) if character < "\x80" else _other(character)
        pair = text[position - 1 : position + 1] if position else ""
        pieces.append(piece + b"?" if pair and _is_one(pair) else piece)
    return re.compile(b"".join(pieces))


def has_other_forms(character: str) -> bool:
    """Whether a character of a folded text may stand in a file as anything but itself or its escape."""
    if character < "\x80":
        return True
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        return True
    return bool(_forms(code)) or unicodedata.normalize("NFD", character) != character


def _ascii(character: str) -> bytes:
    plain = _SHORT_ESCAPES.get(character) or _either_case(character)
    return b"(?:" + plain + b"|" + ACCENTED + b"|" + _ESCAPED + b")"


def _either_case(character: str) -> bytes:
    upper = character.upper()
    if upper == character:
        return re.escape(character.encode())
    return b"[" + character.encode() + upper.encode() + b"]"


def _other(character: str) -> bytes:
    forms = {character, *map(chr, _forms(ord(character)))}
    for form in tuple(forms):
        taken_apart = unicodedata.normalize("NFD", form)
        forms.add(taken_apart)
        if len(taken_apart) == 3 and "\u1100" <= taken_apart[0] <= "\u1112":
            forms.add(unicodedata.normalize("NFC", taken_apart[:2]) + taken_apart[2])
    return b"(?:" + b"|".join(map(_spelling, sorted(forms))) + b")"


def _spelling(form: str) -> bytes:
    return b"".join(b"(?:" + _raw(character) + b"|" + _escape(character) + b")" for character in form)


def _raw(character: str) -> bytes:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return re.escape(bytes([code - 0xDC00]))
    return re.escape(character.encode("utf-8", "surrogatepass"))


def _escape(character: str) -> bytes:
    code = ord(character)
    if code > 0xFFFF:
        code -= 0x10000
        return _unit(0xD800 + (code >> 10)) + _unit(0xDC00 + (code & 0x3FF))
    return _unit(code)


def _unit(code: int) -> bytes:
    digits = (f"[{digit}{digit.upper()}]" if digit.isalpha() else digit for digit in f"{code:04x}")
    return rb"\\u" + "".join(digits).encode()


def _is_one(pair: str) -> bool:
    """Whether one character may fold to these two, so that the second needs no bytes of its own."""
    if pair.isascii():
        return pair in ASCII_PAIRS
    return pair in _table(far=False)[1] or (pair >= "\U00010000" and pair in _table(far=True)[1])


def _forms(code: int) -> frozenset[int]:
    near = _table(far=False)[0].get(code, frozenset())
    return near | _table(far=True)[0].get(code, frozenset()) if code > 0xFFFF else near


@functools.cache
def _table(far: bool) -> tuple[dict[int, frozenset[int]], frozenset[str]]:
    """For a character beyond ASCII in a folded text: which others fold to it; and the pairs that are one."""
    forms: dict[int, set[int]] = {}
    pairs: set[str] = set()
    for codes in _VARIED_FAR if far else _VARIED:
        for code in codes:
            character = chr(code)
            folded = fold(character)
            if folded == character:
                continue
            for item in folded:
                if item >= "\x80":
                    forms.setdefault(ord(item), set()).add(code)
            pairs.update(folded[at : at + 2] for at in range(len(folded) - 1))
    return {code: frozenset(found) for code, found in forms.items()}, frozenset(pairs)
