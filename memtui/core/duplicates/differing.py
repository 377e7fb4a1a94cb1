"""The words in which two texts differ, as places in both: what is marked when they stand side by side."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.duplicates.words import Token, single

Span = tuple[int, int]
"""A part of a text, in characters."""


def differing(first: str, second: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """What the first text says otherwise than the second, and the reverse; () and () for equal ones.

    Words are compared as duplicates are: without case, width, accents and marks. What stands elsewhere in the
    other text counts as differing. Of a very long text only the beginning is compared.
    """
    from rapidfuzz.distance import Indel

    ours, theirs = single(first), single(second)
    mine: list[Span] = []
    others: list[Span] = []
    codes = Indel.opcodes([token.exact for token in ours], [token.exact for token in theirs])
    for code in codes:
        if code.tag != "equal":
            _add(mine, first, ours[code.src_start : code.src_end])
            _add(others, second, theirs[code.dest_start : code.dest_end])
    return tuple(mine), tuple(others)


def _add(spans: list[Span], text: str, tokens: Sequence[Token]) -> None:
    """Add the places of words in a row; what lies between those of one line is marked with them."""
    begins = len(spans)
    for token in tokens:
        if len(spans) > begins and "\n" not in text[spans[-1][1] : token.start]:
            spans[-1] = (spans[-1][0], token.end)
        else:
            spans.append((token.start, token.end))
