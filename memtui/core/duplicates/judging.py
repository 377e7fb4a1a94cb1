"""What two alike texts are to each other: the same, nearly the same, or only similar.

A false alarm costs more than a missed one: a person deletes what is called a duplicate. So two texts that name
different values (a port, a version, a name, a day), or of which one says `not`, are no duplicates, and nearly
so only when they are long and all but one word is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Final, Literal

from memtui.core.duplicates.vocabulary import CJK_DIRECTIONS, DIRECTIONS, ORDERS, alternatives
from memtui.core.duplicates.words import Kind, Token, Words
from memtui.late.dataclasses import dataclass

Code = Literal["duplicate", "near-duplicate"]

NEAR: Final = 70
"""How alike (0-100, shared words in times of all) two texts of some length have to be."""

NEAR_SHORT: Final = 75
"""How alike texts of fewer than `SHORT` words have to be."""

SHORT: Final = 8
TINY: Final = 3
"""A text of fewer words says too little to be compared without its title."""

CONTAINED: Final = 5
"""A text of this many words that stands whole in another is nearly a duplicate of it, however long that is."""

ONE_WORD_COUNTS_BELOW: Final = 14
"""In a shorter text one word for another is another statement."""

LONG: Final = 24
"""Texts of this many words are shown together although one value in them differs."""

_ALTERNATIVES = alternatives()
_DIRECTIONS = {*DIRECTIONS, *CJK_DIRECTIONS}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What two texts are to each other; `score` (0-100) is how alike they are."""

    code: Code
    score: int


def judge(first: Words, second: Words, first_title: Words, second_title: Words) -> Verdict | None:
    """What two texts with their titles are to each other, None when they are different things."""
    if not first.tokens or not second.tokens:
        return None
    titles_differ = _contradict(first_title, second_title, first, second)
    if first.equal_to == second.equal_to:
        if len(first.tokens) < TINY and (
            first_title.equal_to != second_title.equal_to or len(first.tokens) + len(first_title.tokens) < TINY
        ):
            return None
        if not titles_differ:
            return Verdict("duplicate", 100)
        return Verdict("near-duplicate", 99) if first.size >= LONG else None
    score = likeness(first, second)
    if titles_differ or (score < _least(first, second) and not _is_one_in_other(first, second)):
        return None
    if not _differ_in_meaning(first, second):
        return Verdict("near-duplicate", min(score, 99))
    if min(first.size, second.size) >= LONG and _changed(first, second) <= 2:
        return Verdict("near-duplicate", min(score, 99))
    return None


def likeness(first: Words, second: Words) -> int:
    """How much of two texts is shared (0-100): the words of both in times of all, wherever they stand."""
    ours, theirs = Counter(first.norms), Counter(second.norms)
    total = len(first.norms) + len(second.norms)
    return round(200 * (ours & theirs).total() / total) if total else 0


def _least(first: Words, second: Words) -> int:
    size = min(first.size, second.size)
    if size < TINY:
        return 100
    return NEAR_SHORT if size < SHORT else NEAR


def _is_one_in_other(first: Words, second: Words) -> bool:
    """Whether one says, sentence by sentence, all that the other does."""
    small, large = sorted((first, second), key=lambda words: words.size)
    return small.size >= CONTAINED and small.sentences.keys() <= large.sentences.keys()


def _changed(first: Words, second: Words) -> int:
    ours, theirs = Counter(first.norms), Counter(second.norms)
    return (ours - theirs).total() + (theirs - ours).total()


def _contradict(first: Words, second: Words, first_body: Words, second_body: Words) -> bool:
    """Whether two titles name different things, apart from what both bodies name."""
    shared = Counter(first_body.norms) & Counter(second_body.norms)
    ours = _missing_in(first.content, Counter(second.norms) | shared)
    theirs = _missing_in(second.content, Counter(first.norms) | shared)
    return _values_differ(ours, theirs, names=False) or _are_alternatives(ours, theirs)


def _differ_in_meaning(first: Words, second: Words) -> bool:
    ours, theirs = _unshared_sentences(first, second), _unshared_sentences(second, first)
    if not ours or not theirs:
        # one says all that the other does, and more
        return False
    only_ours = _missing_in(ours, Counter(token.norm for token in theirs))
    only_theirs = _missing_in(theirs, Counter(token.norm for token in ours))
    return (
        _values_differ(only_ours, only_theirs, names=True)
        or _are_alternatives(only_ours, only_theirs)
        or _negations(ours) != _negations(theirs)
        or _is_one_word_for_another(first, second, only_ours, only_theirs)
        or _is_turned_round(ours, theirs)
    )


def _unshared_sentences(words: Words, others: Words) -> list[Token]:
    return [token for key, tokens in words.sentences.items() if key not in others.sentences for token in tokens]


def _missing_in(tokens: Iterable[Token], known: Counter[str]) -> list[Token]:
    """The words that are not known, or not so often."""
    left, missing = known.copy(), []
    for token in tokens:
        if left[token.norm] > 0:
            left[token.norm] -= 1
        else:
            missing.append(token)
    return missing


def _values_differ(ours: list[Token], theirs: list[Token], *, names: bool) -> bool:
    def values(tokens: list[Token]) -> bool:
        return any(token.kind is Kind.VALUE and (names or _is_exact(token.norm)) for token in tokens)

    return values(ours) and values(theirs)


def _is_exact(norm: str) -> bool:
    return any(character.isdigit() for character in norm)


def _are_alternatives(ours: list[Token], theirs: list[Token]) -> bool:
    named: dict[int, set[int]] = {}
    for token in ours:
        if (found := _ALTERNATIVES.get(token.norm)) is not None:
            named.setdefault(found[0], set()).add(found[1])
    for token in theirs:
        found = _ALTERNATIVES.get(token.norm)
        if found is not None and found[0] in named and found[1] not in named[found[0]]:
            return True
    return False


def _negations(tokens: Iterable[Token]) -> int:
    return sum(token.kind is Kind.NEGATION for token in tokens)


def _is_one_word_for_another(first: Words, second: Words, ours: list[Token], theirs: list[Token]) -> bool:
    if min(first.size, second.size) >= ONE_WORD_COUNTS_BELOW:
        return False
    our, their = ([token for token in tokens if token.kind is not Kind.FILLER] for tokens in (ours, theirs))
    if not _is_one_word(our) or not _is_one_word(their):
        return False
    found = _ALTERNATIVES.get(our[0].norm)
    return found is None or found != _ALTERNATIVES.get(their[0].norm)


def _is_one_word(tokens: list[Token]) -> bool:
    """Whether the tokens are one word: one, or pairs of characters in a row with about four characters."""
    if len(tokens) < 2:
        return bool(tokens)
    starts = [token.start for token in tokens]
    in_row = all(later - earlier == 1 for earlier, later in pairwise(starts))
    return all(token.kind is Kind.PAIR for token in tokens) and in_row and len(tokens) <= 5


def _is_turned_round(ours: list[Token], theirs: list[Token]) -> bool:
    """Whether what stands on the two sides of a word like `before` or `not` has changed places, or what stands
    in an order that is named as one."""
    if any(token.norm in ORDERS for token in ours) and any(token.norm in ORDERS for token in theirs):
        return [token.norm for token in ours] != [token.norm for token in theirs]
    before, after = _sides(ours)
    other_before, other_after = _sides(theirs)
    return bool((before - after) & (other_after - other_before)) and bool(
        (after - before) & (other_before - other_after)
    )


def _sides(tokens: list[Token]) -> tuple[set[str], set[str]]:
    """What stands before and behind the first word of direction of each sentence."""
    before: set[str] = set()
    after: set[str] = set()
    passed: set[int] = set()
    for token in tokens:
        if token.kind is Kind.NEGATION or token.norm in _DIRECTIONS:
            passed.add(token.sentence)
        elif token.sentence in passed:
            after.add(token.norm)
        else:
            before.add(token.norm)
    return (before, after) if passed else (set(), set())
