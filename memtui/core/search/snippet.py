"""The row that shows a match: a window of the text around it, safe to display, with the matches in it."""

from __future__ import annotations

from typing import NamedTuple

from memtui.core.safety import display
from memtui.core.safety.secrets import masked
from memtui.core.search.query import Query, Span, spans
from memtui.core.text.fold import fold, place
from memtui.late import re

SNIPPET_CHARACTERS = 160
BEFORE_CHARACTERS = 48
CUT = "…"

_WINDOW = 600
_NEAR = 1400
_BLANKS = re.compile(r"\s+")
_CLOSE = 100
_TRIES = 20


class Snippet(NamedTuple):
    """One row and the code points of it that match."""

    text: str
    matches: tuple[Span, ...]


def snippet(query: Query, text: str) -> Snippet:
    """The best window of a text; its beginning where no word stands in it."""
    start = best_place(query, text)
    first = max(0, start - _WINDOW)
    # masked before it is cut: half a secret would not be known as one
    near = max(0, first - _NEAR)
    shown = masked(text[near : start + _WINDOW + _NEAR])
    before = display.line(_BLANKS.sub(" ", shown[first - near : start - near]), is_masked=True)
    after = display.line(_BLANKS.sub(" ", shown[start - near : start - near + _WINDOW]), is_masked=True)
    before_cut = bool(first) or len(before) > BEFORE_CHARACTERS
    before = before[-BEFORE_CHARACTERS:].lstrip()
    room = SNIPPET_CHARACTERS - len(before)
    after_cut = start + _WINDOW < len(text) or len(after) > room
    row = (CUT if before_cut else "") + (before + after[:room]).strip() + (CUT if after_cut else "")
    row = display.line(row)
    return Snippet(row, spans(query, row))


def best_place(query: Query, text: str) -> int:
    """Where the part of a text begins that holds most of the words close together; 0 without any."""
    folded = fold(text)
    starts: list[tuple[int, int]] = []
    for number, word in enumerate(query.words):
        for count, found in enumerate(word.places(folded)):
            if count >= _TRIES:
                break
            starts.append((found[0], number))
    if not starts:
        return 0
    starts.sort()
    best, best_count = starts[0][0], 0
    for at, _number in starts:
        count = len({number for other, number in starts if at <= other <= at + _CLOSE})
        if count > best_count:
            best, best_count = at, count
    return place(text, best)
