"""An instruction file as passages: what one list item or paragraph says can be compared with a memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memtui.core.duplicates.words import plain
from memtui.late import re

MOST_PASSAGES = 2000
"""Passages of one file that are looked at."""

_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")


class Passage(NamedTuple):
    """A part of an instruction file, with its first line (from 1)."""

    line: int
    text: str


def passages(text: str) -> Iterator[Passage]:
    """The paragraphs and list items of a file, then its sections that have more than one of those."""
    lines = plain(text).split("\n")
    sections: list[Passage] = []
    count = 0
    for first, last in _sections(lines):
        blocks = list(_blocks(lines, first, last))
        for begin, end in blocks:
            count += 1
            if count > MOST_PASSAGES:
                return
            yield Passage(begin + 1, "\n".join(lines[begin:end]))
        if len(blocks) > 1:
            sections.append(Passage(blocks[0][0] + 1, "\n".join(lines[first:last])))
    yield from sections


def _sections(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The lines between headings, headings left out."""
    first, in_fence = 0, False
    for number, line in enumerate(lines):
        in_fence ^= _FENCE.match(line) is not None
        if not in_fence and _HEADING.match(line):
            yield first, number
            first = number + 1
    yield first, len(lines)


def _blocks(lines: list[str], first: int, last: int) -> Iterator[tuple[int, int]]:
    begin, in_fence = first, False
    for number in range(first, last):
        line = lines[number]
        in_fence ^= _FENCE.match(line) is not None
        if in_fence:
            continue
        if not line.strip():
            if begin < number:
                yield begin, number
            begin = number + 1
        elif _ITEM.match(line) and begin < number:
            yield begin, number
            begin = number
    if begin < last:
        yield begin, last
