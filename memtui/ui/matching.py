"""How well typed words match a name and what is said about it. Pure.

A word matches, best first: the whole name; its beginning; inside it; inside what is said about it; as the
letters of word beginnings (`psc` for `prefer small commits`); with letters left out inside a word (`grf` for
`Grafana`); with a typing error (`grafama`). What keeps the looser ways from matching everything:

- letters may be left out by words of three letters or more, a typing error be made in four or more, none of
  them a digit; two letters have to stand together or begin two words
- the first letter begins a word; each further one follows directly, begins a later word or stands further on
  in the word that the one before is in
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from memtui.late.dataclasses import dataclass

LEFT_OUT_FROM = 3
"""Letters that a word must have to match with letters left out inside a word."""

TYPO_FROM = 4
"""Letters that a word must have to match with a typing error."""

ALIKE = 80
"""How alike (0-100) a word with a typing error must be."""

LETTERS_SEEN = 300
"""Letters of a name in which left out letters are looked for: a file may hold a name of any length."""

EXACT, PREFIX, WORD_START, INSIDE, SAID, INITIALS, LEFT_OUT, TYPO, SAID_TYPO = range(8, -1, -1)
"""How a word matched, the best one highest."""


@dataclass(frozen=True, slots=True)
class Match:
    """How well something matched: `rank` is that of its weakest word, `score` tells equal ranks apart; `hits`
    are the code points of the name that did."""

    rank: int
    score: float
    hits: tuple[int, ...]


def match(words: Sequence[str], name: str, others: Sequence[str] = (), said: str = "") -> Match | None:
    """How words in small letters match a name, its `others` or what is `said` about it.

    None where one of them does not.
    """
    small = name.lower()
    also = [other.lower() for other in others]
    telling = said.lower()
    rank, score = EXACT, 0.0
    hits: set[int] = set()
    for word in words:
        found = _in_name(word, small)
        for other in also:
            in_other = _in_name(word, other)
            if in_other is not None and (found is None or in_other.rank > found.rank):
                found = Match(in_other.rank, in_other.score - 10, ())
        if (found is None or found.rank < SAID) and word in telling:
            found = Match(SAID, 0, ())
        if found is None:
            found = _with_typo(word, small, TYPO) or _with_typo(word, " ".join((*also, telling)), SAID_TYPO)
        if found is None:
            return None
        rank = min(rank, found.rank)
        score += found.rank * 1000 + found.score
        hits.update(found.hits)
    typed = " ".join(words)
    if typed in (small, *also):
        rank = EXACT
    elif len(words) > 1 and small.startswith(typed):
        rank = PREFIX
    # a letter whose small form is two code points would shift the places
    return Match(rank, score, tuple(sorted(hits)) if len(small) == len(name) else ())


def _in_name(word: str, name: str) -> Match | None:
    at = name.find(word)
    if at >= 0:
        begins = at
        while begins > 0 and not _begins(name, begins):
            begins = name.find(word, begins + 1)
        if begins >= 0:
            at = begins
        rank = INSIDE if begins < 0 else WORD_START if at else EXACT if len(name) == len(word) else PREFIX
        return Match(rank, -min(at, 99), tuple(range(at, at + len(word))))
    if len(word) < 2 or not _has_in_order(word, name[:LETTERS_SEEN]):
        return None
    seen = name[:LETTERS_SEEN]
    if (hits := _letters(word, seen, inside=False)) is not None:
        return Match(INITIALS, hits[0] - hits[-1], hits)
    if len(word) >= LEFT_OUT_FROM and (hits := _letters(word, seen, inside=True)) is not None:
        return Match(LEFT_OUT, hits[0] - hits[-1], hits)
    return None


def _begins(text: str, at: int) -> bool:
    return text[at].isalnum() and (at == 0 or not text[at - 1].isalnum())


def _has_in_order(word: str, text: str) -> bool:
    at = -1
    for letter in word:
        at = text.find(letter, at + 1)
        if at < 0:
            return False
    return True


def _letters(word: str, text: str, *, inside: bool) -> tuple[int, ...] | None:
    """Where the letters of a word stand, by the rule of this module; `inside` = some may be left out."""
    begins = [at for at in range(len(text)) if _begins(text, at)]
    failed: set[tuple[int, int]] = set()

    def place(number: int, after: int) -> list[int] | None:
        if number == len(word):
            return []
        if (number, after) in failed:
            return None
        for at in candidates(number, after):
            rest = place(number + 1, at)
            if rest is not None:
                return [at, *rest]
        failed.add((number, after))
        return None

    def candidates(number: int, after: int) -> list[int]:
        found = []
        if number:
            at = after + 1
            while at < len(text) and text[at].isalnum() and (at == after + 1 or inside):
                if text[at] == word[number]:
                    found.append(at)
                at += 1
        return found + [at for at in begins if at > after and text[at] == word[number] and at not in found]

    hits = place(0, -1)
    return None if hits is None else tuple(hits)


def _with_typo(word: str, text: str, rank: int) -> Match | None:
    if len(word) < TYPO_FROM or len(text) < len(word) - 1 or any(letter.isdigit() for letter in word):
        return None
    alignment = _aligner()(word, text, score_cutoff=ALIKE)
    if alignment is None:
        return None
    hits = tuple(range(alignment.dest_start, alignment.dest_end)) if rank == TYPO else ()
    return Match(rank, alignment.score, hits)


def _aligner() -> Callable[..., Any]:
    from rapidfuzz import fuzz

    return fuzz.partial_ratio_alignment
