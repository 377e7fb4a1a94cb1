"""The row that shows a match: a window of the text around it, safe to display, with the matches in it."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import NamedTuple

from memtui.core.safety import display
from memtui.core.safety.secrets import masked
from memtui.core.search.query import Query, Span, spans
from memtui.core.text.fold import fold, place

SNIPPET_CHARACTERS = 160
BEFORE_CHARACTERS = 48
CUT = "…"

_WINDOW = 600
_NEAR = 1400
_CLOSE = 100
_TRIES = 20


class Snippet(NamedTuple):
    """One row and the code points of it that match."""

    text: str
    matches: tuple[Span, ...]


def snippet(query: Query, text: str, folded: str | None = None) -> Snippet:
    """The best window of a text (`folded` is its `fold`); its beginning where no word stands in it."""
    start = best_place(query, text, folded)
    first = max(0, start - _WINDOW)
    # masked before it is cut: half a secret would not be known as one
    near = max(0, first - _NEAR)
    shown = masked(text[near : start + _WINDOW + _NEAR])
    before = display.line(_in_one_row(shown[first - near : start - near]), is_masked=True)
    after = display.line(_in_one_row(shown[start - near : start - near + _WINDOW]), is_masked=True)
    before_cut = bool(first) or len(before) > BEFORE_CHARACTERS
    before = before[-BEFORE_CHARACTERS:].lstrip()
    room = SNIPPET_CHARACTERS - len(before)
    after_cut = start + _WINDOW < len(text) or len(after) > room
    inner = (before + after[:room]).strip()
    row = masked((CUT if before_cut else "") + inner + (CUT if after_cut else ""))
    if not inner.isascii():
        # joined, it may be other characters
        row = display.line(row, is_masked=True)
    return Snippet(row, spans(query, row))


def _in_one_row(text: str) -> str:
    """The text with one blank in the place of each run of white space."""
    words = " ".join(text.split())
    if not words:
        return text and " "
    return (" " if text[0].isspace() else "") + words + (" " if text[-1].isspace() else "")


def best_place(query: Query, text: str, folded: str | None = None) -> int:
    """Where the part of a text begins that holds most of the words close together; 0 without any."""
    folded = fold(text) if folded is None else folded
    if len(query.words) == 1:
        found = query.words[0].find(folded)
        return 0 if found is None else place(text, found[0])
    starts = sorted(
        (at, number)
        for number, word in enumerate(query.words)
        for at, _end in islice(word.places(folded), _TRIES)
    )
    if not starts:
        return 0
    best, best_count, last = starts[0][0], 0, 0
    most = len({number for _at, number in starts})
    # how often each word begins between a place and where what is close to it ends
    close: Counter[int] = Counter()
    for at, number in starts:
        while last < len(starts) and starts[last][0] <= at + _CLOSE:
            close[starts[last][1]] += 1
            last += 1
        if len(close) > best_count:
            best, best_count = at, len(close)
            if best_count == most:
                break
        close[number] -= 1
        if not close[number]:
            del close[number]
    return place(text, best)
