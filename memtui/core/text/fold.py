"""Folding: text without case and accents in one normal form, and the way back to places in the original.

Two texts that a person takes for the same fold to the same: `Café`, `CAFE` and `cafe` + U+0301, a Hangul
syllable and its letters, か + U+3099 and が. A mark of U+0300-U+036F goes (Latin, Greek, Cyrillic accents),
but the overlays U+0334-U+0338 stay, because `≠` is not `=`; marks that make another letter stay (が is not か).
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from memtui.late import re

_ACCENTS = re.compile("[\u0300-\u0333\u0339-\u036f]+")
_ASCII = re.compile("[\x00-\x7f]+")
_SIMPLE = re.compile(
    "[\x00-\x7f\u2010-\u2027\u2030-\u205e\u2500-\u25ff\u3000-\u3029\u3041-\u3096\u30a1-\u30fa\u30fc"
    "\u3400-\u4db5\u4e00-\u9fa5\uff01-\uff3f\uff41-\uff5e]*"
)
"""Characters of which folding only makes small letters; most texts that are not ASCII hold no others."""

_PIECE, _SMALL_PIECE = 4096, 64


class Folded(NamedTuple):
    """A folded text; each of its characters came from the original's `starts[i]` up to before `ends[i]`."""

    text: str
    starts: list[int]
    ends: list[int]


def fold(text: str) -> str:
    """The text as it is compared."""
    if text.isascii() or folds_to_small(text):
        return text.lower()
    return _composed(_ACCENTS.sub("", _decomposed(text)))


def folds_to_small(text: str) -> bool:
    """Whether folding the text does no more than make small letters of it."""
    return _SIMPLE.fullmatch(text) is not None


def fold_case(text: str) -> str:
    """The text with its accents but without case, to tell an exact accent from none."""
    return text.lower() if text.isascii() else _composed(_decomposed(text))


def fold_with_places(text: str) -> Folded:
    """`fold`, with where each character came from. For rows and snippets: it takes a while per character."""
    if text.isascii():
        return Folded(text.lower(), list(range(len(text))), list(range(1, len(text) + 1)))
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    first = 0
    while first < len(text):
        plain = _ASCII.match(text, first)
        if plain is not None:
            last = plain.end() - (plain.end() < len(text) and _joins(text[plain.end()]))
            pieces.append(text[first:last].lower())
            starts += range(first, last)
            ends += range(first + 1, last + 1)
            first = last
            if first == len(text):
                break
        last = _cluster_end(text, first + 1)
        piece = fold(text[first:last])
        pieces.append(piece)
        starts += [first] * len(piece)
        ends += [last] * len(piece)
        first = last
    return Folded("".join(pieces), starts, ends)


def place(text: str, index: int) -> int:
    """Where the character at `index` of `fold(text)` begins in `text`; its length for one behind the end."""
    if text.isascii():
        return min(index, len(text))
    first = passed = 0
    for step in (_PIECE, _SMALL_PIECE):
        while first < len(text):
            last = _cluster_end(text, min(first + step, len(text)))
            size = len(fold(text[first:last]))
            if passed + size > index:
                break
            first, passed = last, passed + size
    if first == len(text):
        return first
    return first + fold_with_places(text[first:last]).starts[index - passed]


def _decomposed(text: str) -> str:
    # some characters only have a small form once they are taken apart
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", text).casefold())


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _cluster_end(text: str, at: int) -> int:
    """The first place from `at` on where cutting the text changes nothing about how its parts fold."""
    while at < len(text) and _joins(text[at]):
        at += 1
    return at


def _joins(character: str) -> bool:
    """Whether a character may become one with what stands before it: marks, and letters inside a syllable."""
    if character < "\u0300":
        return False
    if "\u1160" <= character <= "\u11ff":
        return True
    return unicodedata.category(character)[0] == "M"
