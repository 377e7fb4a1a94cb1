"""What a person typed, as words that must all be there. Every character is itself: there are no operators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from memtui.core.search.fold import fold, fold_case, fold_with_places

LONGEST = 1000
"""More characters of a query are not looked at."""

MOST_WORDS = 32

_WORDS = re.compile(r'"([^"]*[^"\s][^"]*)"|(\S+)')

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a phrase: `text` folded, `exact` with its accents; `parts` are what white space separates.

    A phrase matches across any white space.
    """

    text: str
    exact: str
    parts: tuple[str, ...]
    _pattern: re.Pattern[str] | None = field(default=None, compare=False, repr=False)
    _exact_pattern: re.Pattern[str] | None = field(default=None, compare=False, repr=False)

    def find(self, folded: str, start: int = 0) -> Span | None:
        """The first place of this word in a folded text, as code points of it."""
        if self._pattern is None:
            at = folded.find(self.text, start)
            return None if at < 0 else (at, at + len(self.text))
        found = self._pattern.search(folded, start)
        return None if found is None else found.span()

    def places(self, folded: str) -> Iterator[Span]:
        """Every place of this word, none inside another."""
        found = self.find(folded)
        while found is not None:
            yield found
            found = self.find(folded, found[1])

    def is_exact_in(self, text: str) -> bool:
        """Whether a text (not folded) holds the word with just these accents."""
        cased = fold_case(text)
        if self._exact_pattern is None:
            return self.exact in cased
        return self._exact_pattern.search(cased) is not None


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query: all `words` must be found. Without any it finds nothing."""

    typed: str
    words: tuple[Word, ...] = ()


def parse(typed: str) -> Query:
    """Words between blanks, and phrases between two `"`; a quote without its second is itself. Never raises."""
    words: dict[str, Word] = {}
    for match in _WORDS.finditer(typed[:LONGEST]):
        phrase, plain = match.groups()
        parts = (plain if phrase is None else phrase).split()
        folded = tuple(filter(None, map(fold, parts)))
        if not folded or len(words) >= MOST_WORDS:
            continue
        exact = tuple(map(fold_case, parts))
        word = Word(" ".join(folded), " ".join(exact), folded, _spaced(folded), _spaced(exact))
        words.setdefault(word.text, word)
    return Query(typed, tuple(words.values()))


def _spaced(parts: tuple[str, ...]) -> re.Pattern[str] | None:
    return re.compile(r"\s+".join(map(re.escape, parts))) if len(parts) > 1 else None


def spans(query: Query, text: str, limit: int = 200) -> tuple[Span, ...]:
    """Where the words of a query stand in a text: code points of it, in order, none overlapping."""
    folded = fold_with_places(text)
    found: list[Span] = []
    for word in query.words:
        for first, last in word.places(folded.text):
            found.append((folded.starts[first], folded.ends[last - 1]))
            if len(found) >= limit:
                break
    united: list[Span] = []
    for first, last in sorted(found):
        if united and first < united[-1][1]:
            united[-1] = (united[-1][0], max(last, united[-1][1]))
        else:
            united.append((first, last))
    return tuple(united)
