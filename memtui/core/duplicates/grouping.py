"""Which of many texts are equal or nearly so, in bounded time and memory.

Equal texts are found by their words. For the others each word is written as one character and the characters
sorted: RapidFuzz then compares two texts as bags of words in a few machine words. Texts are compared only with
those of a length that can be alike, each keeps its best few, and only these are judged.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from memtui.core.duplicates.judging import CONTAINED, NEAR, TINY, Code, judge
from memtui.core.duplicates.words import Words, without_dates
from memtui.late.dataclasses import dataclass

Cancelled = Callable[[], bool]

MOST_CANDIDATES: Final = 24
"""How many texts are judged for one text: those that are most alike."""

_SLICE = 512
"""Texts that are compared in one call: other threads wait for its end."""

_SENTENCES_LOOKED_AT = 20
"""Sentences of a text by which others that hold them all are found; they are compared whole afterwards."""

_SURROGATES = range(0xD800, 0xE000)
_LAST_CHARACTER = 0x10FFFF


class Text:
    """One text that is compared: a memory, or a passage of an instruction file (`is_fixed`: those are compared
    with memories only, never with each other)."""

    __slots__ = ("body", "is_fixed", "title")

    def __init__(self, title: str, body: str, *, is_fixed: bool = False) -> None:
        self.title = Words(without_dates(title))
        self.body = Words(body)
        self.is_fixed = is_fixed


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, by their places among those given, that are equal or nearly so; `score` is 0-100."""

    first: int
    second: int
    code: Code
    score: int


@dataclass(frozen=True, slots=True)
class Group:
    """Texts that belong together, by their places: `code` is `duplicate` where all are equal; `score` (0-100)
    is how alike the two are that are least so."""

    members: tuple[int, ...]
    code: Code
    score: int


def find_pairs(texts: Sequence[Text], cancelled: Cancelled = lambda: False) -> tuple[Pair, ...]:
    """All pairs of texts that are equal or nearly so; nothing after `cancelled()`.

    Of more than two equal texts each makes a pair with the first only.
    """
    classes: dict[tuple[str, ...], list[int]] = {}
    for place, text in enumerate(texts):
        if place % _SLICE == 0 and cancelled():
            return ()
        if text.body.equal_to:
            classes.setdefault(text.body.equal_to, []).append(place)
    pairs: list[Pair] = []
    compared: list[int] = []
    for places in classes.values():
        firsts = _equal(texts, places, pairs)
        compared += [place for place in firsts if texts[place].body.size >= TINY]
    compared_pairs = {*_candidates(texts, compared, cancelled), *_contained(texts, compared)}
    for count, (first, second) in enumerate(compared_pairs):
        if count % _SLICE == 0 and cancelled():
            return ()
        verdict = judge(texts[first].body, texts[second].body, texts[first].title, texts[second].title)
        if verdict is not None:
            pairs.append(Pair(min(first, second), max(first, second), verdict.code, verdict.score))
    return () if cancelled() else tuple(sorted(pairs, key=lambda pair: (-pair.score, pair.first, pair.second)))


def _equal(texts: Sequence[Text], places: list[int], pairs: list[Pair]) -> list[int]:
    """Pairs among texts with the same words, whose titles may tell them apart; the first of each kind."""
    firsts: list[int] = []
    places.sort(key=lambda place: texts[place].is_fixed)
    for place in places:
        text = texts[place]
        for first in firsts[:MOST_CANDIDATES]:
            if text.is_fixed and texts[first].is_fixed:
                continue
            verdict = judge(texts[first].body, text.body, texts[first].title, text.title)
            if verdict is not None:
                pairs.append(Pair(min(first, place), max(first, place), verdict.code, verdict.score))
            if verdict is not None and verdict.code == "duplicate":
                break
        else:
            firsts.append(place)
    return firsts


def _candidates(texts: Sequence[Text], places: list[int], cancelled: Cancelled) -> Iterator[tuple[int, int]]:
    """Pairs that share enough words to be judged, each once."""
    from rapidfuzz import fuzz, process

    bags = _bags(texts, places)
    order = sorted(range(len(places)), key=lambda at: (len(bags[at]), at))
    sorted_bags = [bags[at] for at in order]
    lengths = [len(bag) for bag in sorted_bags]
    for row, bag in enumerate(sorted_bags):
        if cancelled():
            return
        # of two bags with n and m words no more than 2n / (n + m) is shared
        last = bisect_left(lengths, int(len(bag) * (200 / NEAR - 1)) + 1)
        found: list[tuple[float, int]] = []
        for begin in range(row + 1, last, _SLICE):
            part = sorted_bags[begin : min(begin + _SLICE, last)]
            alike = process.extract(
                bag, part, scorer=fuzz.ratio, score_cutoff=NEAR - 0.5, limit=MOST_CANDIDATES
            )
            found += [(score, begin + at) for _bag, score, at in alike]
        found.sort(reverse=True)
        for _score, at in found[:MOST_CANDIDATES]:
            first, second = places[order[row]], places[order[at]]
            are_equal = texts[first].body.equal_to == texts[second].body.equal_to
            if not are_equal and not (texts[first].is_fixed and texts[second].is_fixed):
                yield min(first, second), max(first, second)


def _contained(texts: Sequence[Text], places: list[int]) -> Iterator[tuple[int, int]]:
    """Pairs of which one holds all sentences of the other."""
    holders: dict[tuple[str, ...], set[int]] = {}
    for place in places:
        for sentence in texts[place].body.sentences:
            holders.setdefault(sentence, set()).add(place)
    for place in places:
        text = texts[place]
        if text.body.size < CONTAINED:
            continue
        held = sorted((holders[sentence] for sentence in text.body.sentences), key=len)
        others = set.intersection(*held[:_SENTENCES_LOOKED_AT])
        for other in sorted(others - {place})[:MOST_CANDIDATES]:
            if not (text.is_fixed and texts[other].is_fixed):
                yield min(place, other), max(place, other)


def _bags(texts: Sequence[Text], places: list[int]) -> list[str]:
    """Each text as the sorted characters that stand for its words."""
    characters: dict[str, str] = {}
    bags = []
    for place in places:
        norms = texts[place].body.norms
        for norm in norms:
            if norm not in characters:
                code = 0x100 + len(characters) % (_LAST_CHARACTER - 0x1000)
                characters[norm] = chr(code if code < _SURROGATES.start else code + len(_SURROGATES))
        bags.append("".join(sorted([characters[norm] for norm in norms])))
    return bags


def group(pairs: Iterable[Pair]) -> tuple[Group, ...]:
    """Pairs as groups, the most alike first. All of a group are alike, so a text may be in two groups; every
    pair's texts are in one together with another that is alike."""
    kinds, scores = _classes(pairs)
    of_class: dict[int, set[int]] = {}
    for first, second in scores:
        of_class.setdefault(first, set()).add(second)
        of_class.setdefault(second, set()).add(first)
    groups: list[Group] = []
    placed: set[int] = set()
    for first, second in sorted(scores, key=lambda edge: (-scores[edge], edge)):
        if first in placed and second in placed:
            continue
        members = [first, second]
        for other in sorted(of_class[first] & of_class[second]):
            if other not in placed and all(other in of_class[member] for member in members):
                members.append(other)
        placed.update(members)
        score = min(_score(scores, one, two) for one in members for two in members if one < two)
        texts = sorted(place for member in members for place in kinds.get(member, [member]))
        groups.append(Group(tuple(texts), "near-duplicate", score))
    for first, places in kinds.items():
        if first not in placed and len(places) > 1:
            groups.append(Group(tuple(sorted(places)), "duplicate", 100))
    return tuple(sorted(groups, key=lambda found: (-found.score, found.members)))


def _classes(pairs: Iterable[Pair]) -> tuple[dict[int, list[int]], dict[tuple[int, int], int]]:
    """The places of equal texts by the first of them, and the scores of near pairs between such firsts."""
    pairs = list(pairs)
    first_of: dict[int, int] = {}
    for pair in pairs:
        if pair.code == "duplicate":
            root = first_of.get(pair.first, pair.first)
            first_of.setdefault(root, root)
            first_of[pair.second] = root
    kinds: dict[int, list[int]] = {}
    for place, first in first_of.items():
        kinds.setdefault(first, []).append(place)
    scores: dict[tuple[int, int], int] = {}
    for pair in pairs:
        if pair.code != "duplicate":
            ends = sorted((first_of.get(pair.first, pair.first), first_of.get(pair.second, pair.second)))
            edge = (ends[0], ends[1])
            scores[edge] = max(scores.get(edge, 0), pair.score)
    return kinds, scores


def _score(scores: dict[tuple[int, int], int], one: int, two: int) -> int:
    return scores[(one, two) if one < two else (two, one)]
