"""Reading a memory as prose: its sentences, its code spans, and what a sentence says of what it names. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memtui.core.checks.closer.base import Subject
from memtui.core.checks.closer.words import ELSEWHERE, GONE, NOT_YET

_FENCE = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)
_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)[.!?;](?=[\s*_)\"'’”]|$)[*_)\"'’”]*"
    r"|[。！？；]"
    r"|\n(?=[ \t]*(?:[-*+>|]|\d+[.)]|#|§|\n|$))"
)
"""Where a sentence ends: at its sign, at an empty line, before the next item of a list or a heading."""

_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?P<inside>.+?)(?<!`)\1(?!`)")
_HEADING = re.compile(r"[ \t]*(#{1,6})[ \t]+(.*)")
_INTRODUCTION = re.compile(r".*[:：][*_]*[ \t]*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with its place in the text, and what stands above it (its heading, and the line that
    introduces its list)."""

    text: str
    start: int
    above: str = ""

    def spans(self) -> Iterator[tuple[int, str]]:
        """What stands between back quotes, each with its place in the whole text."""
        for found in _SPAN.finditer(self.text):
            inside = found["inside"]
            yield self.start + found.start("inside") + len(inside) - len(inside.lstrip()), inside.strip()

    @property
    def outside(self) -> str:
        """The sentence with everything between back quotes blanked out, places unchanged."""
        if "`" not in self.text:
            return self.text
        return _SPAN.sub(lambda found: " " * len(found[0]), self.text)


def sentences(subject: Subject) -> tuple[Sentence, ...]:
    """The sentences of a memory's body; fenced blocks have none."""
    return _sentences(subject.text, subject.body_at)


# the families look at one memory after the other
@lru_cache(maxsize=4)
def _sentences(text: str, body_at: int) -> tuple[Sentence, ...]:
    return tuple(_split(without_fences(text), body_at))


def _split(text: str, body_at: int) -> Iterator[Sentence]:
    heading = introduction = ""
    for start, end in _pieces(text, body_at):
        piece = text[start:end]
        yield Sentence(piece, start, f"{heading}\n{introduction}")
        stripped = piece.strip()
        if found := _HEADING.match(stripped):
            heading, introduction = found[2], ""
        elif _INTRODUCTION.match(stripped):
            introduction = stripped
        elif not re.match(r"[-*+>]|\d+[.)]", stripped):
            introduction = ""


def _pieces(text: str, start: int) -> Iterator[tuple[int, int]]:
    for found in _END.finditer(text, start):
        if text[start : found.end()].strip():
            yield start, found.end()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)


def without_fences(text: str) -> str:
    """The text with fenced blocks blanked out, places unchanged; one that is never closed goes to the end."""
    marks = list(_FENCE.finditer(text))
    if not marks:
        return text
    parts, at, number = [], 0, 0
    while number < len(marks):
        opens = marks[number]
        closes = next((mark for mark in marks[number + 1 :] if mark[1] == opens[1]), None)
        end = len(text) if closes is None else closes.end()
        parts.append(text[at : opens.start()])
        parts.append(re.sub(r"[^\n]", " ", text[opens.start() : end]))
        at = end
        number = len(marks) if closes is None else marks.index(closes) + 1
    return "".join([*parts, text[at:]])


def fenced_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of fenced blocks, each with its place in the text."""
    if not _FENCE.search(text):
        return
    blanked, at = without_fences(text), 0
    for line in text.splitlines(keepends=True):
        if line.strip() and not blanked[at : at + len(line)].strip() and not _FENCE.match(line):
            yield at, line.rstrip("\r\n")
        at += len(line)


# What a sentence says of what it names


def claims(sentence: Sentence) -> bool:
    """Whether a sentence says plainly that what it names is there, on this machine."""
    text = sentence.outside
    return not (
        GONE.search(text)
        or GONE.search(sentence.above)
        or NOT_YET.search(text)
        or NOT_YET.search(sentence.above)
    )


def speaks_of_elsewhere(sentence: Sentence) -> bool:
    """Whether a sentence may be about another machine."""
    return bool(ELSEWHERE.search(sentence.outside) or ELSEWHERE.search(sentence.above))
