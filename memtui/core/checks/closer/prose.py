"""Reading a memory as prose: its sentences, its code spans, and what a sentence says of what it names. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from memtui.core.checks.closer.base import Subject
from memtui.core.checks.closer.words import ELSEWHERE, GONE, NOT_YET
from memtui.late import re
from memtui.late.dataclasses import dataclass

_FENCE = re.compile(r"^[ \t]*(```|~~~)", re.MULTILINE)
_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)[.!?;](?=[\s*_)\"'’”]|$)[*_)\"'’”]*"
    r"|[。！？；]"
    r"|\n(?=[ \t]*(?:[-*+>|]|\d+[.)]|#|§|\n|$))"
)
"""Where a sentence ends: at its sign, at an empty line, before the next item of a list or a heading."""

_SPAN = re.compile(r"(?<!`)(`+)(?!`)(?P<inside>.+?)(?<!`)\1(?!`)")
_BLANKED = re.compile(r"[^\n]")
_DESCRIPTION = re.compile(r"^description:[ \t]*(?P<text>\S.*)$", re.MULTILINE)
_HEADING = re.compile(r"[ \t]*(#{1,6})[ \t]+(.*)")
_INTRODUCTION = re.compile(r".*[:：][*_]*[ \t]*$")


MOST_CHARACTERS = 200_000
"""So much of one memory is read as prose."""

LONGEST_SENTENCE = 2_000
"""Characters; a search in more of them could hold up all other threads."""


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
    """The sentences of a memory's description and body; fenced blocks have none.

    Of a very long text the beginning is read, and what has no end for a long while is no sentence.
    """
    return _sentences(subject.text[:MOST_CHARACTERS], subject.body_at)


# the families look at one memory after the other
@lru_cache(maxsize=4)
def _sentences(text: str, body_at: int) -> tuple[Sentence, ...]:
    return tuple(_split(without_fences(text), body_at))


def _split(text: str, body_at: int) -> Iterator[Sentence]:
    if described := _DESCRIPTION.search(text, 0, body_at):
        yield Sentence(described["text"], described.start("text"))
    heading = introduction = ""
    for start, end in _pieces(text, body_at):
        if end - start > LONGEST_SENTENCE:
            continue
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
    parts, at, opened = [], 0, None
    for mark in _FENCE.finditer(text):
        if opened is None:
            parts.append(text[at : mark.start()])
            at, opened = mark.start(), mark[1]
        elif mark[1] == opened:
            parts.append(_BLANKED.sub(" ", text[at : mark.end()]))
            at, opened = mark.end(), None
    rest = text[at:]
    return "".join([*parts, rest if opened is None else _BLANKED.sub(" ", rest)])


def fenced_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of fenced blocks, each with its place in the text."""
    if not _FENCE.search(text):
        return
    text = text[:MOST_CHARACTERS]
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
