"""The words that were said, to find one by what is inside it, or one that was meant."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import tantivy

MOST_TERMS = 400_000
"""So many words of a field are looked at, in their order."""

MOST_INFIXES = 200
"""A fragment that more words hold says too little."""

AT_ONCE_TERMS = 2000
"""So many words are compared before other threads may run again."""

MEANT_FROM = 0.75
"""How like (0-1) a word must be to one that nobody said."""


_REMEMBERED = 64
"""Of so many words it is remembered what is like them: at each key all but the last are the same."""


class Vocabulary:
    """The words of titles and of what was said, sorted. `is_whole`: there are no others."""

    def __init__(self, terms: Sequence[str], *, is_whole: bool = True) -> None:
        self.terms = terms
        self.is_whole = is_whole
        self._held: dict[str, Sequence[str]] = {}
        self._near: dict[tuple[str, int], Sequence[str]] = {}

    @classmethod
    def of(cls, searcher: tantivy.Searcher, *, is_fresh: bool = False) -> Vocabulary:
        """Those of an index: some milliseconds for each ten thousand. A title is in the field `body`, too.

        The engine keeps words of what was taken out for a while: only what a document still holds counts.
        `is_fresh`: nothing was ever taken out, which is known sooner.
        """
        import tantivy

        still = None if is_fresh else tantivy.Query.all_query()
        found = searcher.terms_with_prefix("body", "", filter_query=still, limit=MOST_TERMS)
        is_whole = len(found) < MOST_TERMS
        if not is_whole:
            found += searcher.terms_with_prefix("title", "", filter_query=still, limit=MOST_TERMS)
        return cls(_in_order({term for term, _count in found}), is_whole=is_whole)

    def warm(self) -> None:
        """Have at hand what a first search would wait for."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        _ready = self._joined, process, OSA

    @cached_property
    def _joined(self) -> str:
        return "\n" + "\n".join(self.terms) + "\n"

    def has(self, word: str) -> bool:
        """Whether somebody said exactly this word."""
        at = bisect_left(self.terms, word)
        return at < len(self.terms) and self.terms[at] == word

    def holding(self, fragment: str) -> Sequence[str]:
        """The words that hold a fragment anywhere, `MOST_INFIXES` at most."""
        if fragment not in self._held:
            _make_room(self._held)
            self._held[fragment] = self._holding(fragment)
        return self._held[fragment]

    def _holding(self, fragment: str) -> Sequence[str]:
        joined = self._joined
        found: list[str] = []
        at = joined.find(fragment)
        while at >= 0 and len(found) < MOST_INFIXES:
            first = joined.rfind("\n", 0, at) + 1
            last = joined.find("\n", at)
            found.append(joined[first:last])
            at = joined.find(fragment, last)
        return found

    def like(self, word: str, most: int) -> Sequence[str]:
        """The words with so many typing errors at most."""
        if (word, most) not in self._near:
            _make_room(self._near)
            self._near[word, most] = self._like(word, most)
        return self._near[word, most]

    def _like(self, word: str, most: int) -> Sequence[str]:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        found: list[str] = []
        for length in range(len(word) - most, len(word) + most + 1):
            of_length = self._by_length.get(length, [])
            for first in range(0, len(of_length), AT_ONCE_TERMS):
                terms = of_length[first : first + AT_ONCE_TERMS]
                near = process.extract(word, terms, scorer=OSA.distance, score_cutoff=most, limit=None)
                found += [str(item[0]) for item in near]
        return found

    @cached_property
    def _by_length(self) -> dict[int, list[str]]:
        by_length: dict[int, list[str]] = {}
        for term in self.terms:
            by_length.setdefault(len(term), []).append(term)
        return by_length

    def meant(self, word: str) -> str:
        """The word that is most like one that nobody said; '' for none."""
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        best, likeness = "", MEANT_FROM
        for first in range(0, len(self.terms), AT_ONCE_TERMS):
            terms = self.terms[first : first + AT_ONCE_TERMS]
            found = process.extractOne(word, terms, scorer=OSA.normalized_similarity, score_cutoff=likeness)
            if found is not None and (not best or found[1] > likeness):
                best, likeness = str(found[0]), found[1]
        return best


class Vocabularies:
    """The vocabulary of what an index holds, looked for by one thread at a time; the others wait for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known = Vocabulary((), is_whole=False)
        self._state: int | None = None

    def of(self, state: int, find: Callable[[], Vocabulary | None]) -> Vocabulary:
        """That of an index in some state; where `find` gives none, the one before stands for a part of it."""
        with self._lock:
            if self._state != state:
                found = find()
                if found is not None:
                    self._known, self._state = found, state
                elif self._known.is_whole:
                    self._known, self._state = Vocabulary(self._known.terms, is_whole=False), None
            return self._known


def _in_order(terms: Iterable[str]) -> list[str]:
    """The words sorted, a letter at a time: other threads run in between."""
    by_letter: dict[str, list[str]] = {}
    for term in terms:
        by_letter.setdefault(term[:1], []).append(term)
    return [term for letter in sorted(by_letter) for term in sorted(by_letter[letter])]


def _make_room(known: dict[Any, Sequence[str]]) -> None:
    """Forget what was asked for first."""
    if len(known) >= _REMEMBERED:
        del known[next(iter(known))]
