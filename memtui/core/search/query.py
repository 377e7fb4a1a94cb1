"""What a person typed: words that must all be there, and filters (`agent:pi`). There are no other operators.

Every character of what is no filter is itself. `=` in front makes one literal text of all that follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from memtui.core.search.filters import NO_FILTERS, Filters
from memtui.core.search.keywords import Collected, term_at
from memtui.core.search.record_texts import ID_CHARACTERS
from memtui.core.text.fold import fold, fold_case, fold_with_places, folds_to_small
from memtui.late import re
from memtui.late.dataclasses import dataclass, field

LONGEST = 1000
"""More characters of a query are not looked at."""

MOST_WORDS = 32

EXACT_SIGN = "="

_WORD = re.compile(r'"([^"]*[^"\s][^"]*)"|(\S+)')
_DAY = re.compile(r"(?:19|20)\d\d-?[01]\d-?[0-3]\d")
"""A day, which is not meant as an id."""

_ID = re.compile(r"[0-9a-f][0-9a-f-]{,63}")

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
    """A parsed query: all `words` must be found in what passes the `filters`. Without any of both it is empty.

    `is_exact`: the one word is the whole text as it was typed behind `=`. `pasted_id` is the query, in small
    letters, when it is one token that looks like the id of a session or an entry, else `''`.
    """

    typed: str
    words: tuple[Word, ...] = ()
    filters: Filters = NO_FILTERS
    is_exact: bool = False
    pasted_id: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked for, so that nothing is found."""
        return not self.words and not self.filters


def parse(typed: str, now: datetime | None = None) -> Query:
    """Words between blanks, phrases between two `"`, and filters. Never raises.

    A quote without its second is itself, and so is what only looks like a filter. `now` (aware; the present
    moment by default) is what `today` and `3d` are seen from, and its time zone that of typed days.
    """
    text = typed[:LONGEST]
    if text.startswith(EXACT_SIGN) and (exact := text.removeprefix(EXACT_SIGN).split()):
        word = _word(exact)
        return Query(typed, () if word is None else (word,), is_exact=True)
    collected = Collected(now)
    words: dict[str, Word] = {}
    for item in _items(text, collected):
        if isinstance(item, Word) and len(words) < MOST_WORDS:
            words.setdefault(item.text, item)
    return Query(typed, tuple(words.values()), collected.filters(), pasted_id=_pasted_id(text))


def filter_spans(typed: str) -> tuple[Span, ...]:
    """Where the filters of a query stand in it: code points."""
    text = typed[:LONGEST]
    if text.startswith(EXACT_SIGN) and text.strip() != EXACT_SIGN:
        return ()
    return tuple(item for item in _items(text, Collected(None)) if not isinstance(item, Word))


def _items(text: str, collected: Collected) -> Iterator[Word | Span]:
    """The words of a query, and where the filters stand that were `collected`."""
    at, end = _behind_blanks(text, 0), -1
    while at < len(text):
        term = term_at(text, at) if at > end else None
        if term is not None and collected.take(term.keyword, term.value):
            end = term.end
            yield at, end
        elif match := _WORD.match(text, at):
            phrase, plain = match.groups()
            end = match.end()
            word = _word((plain if phrase is None else phrase).split())
            if word is not None:
                yield word
        at = _behind_blanks(text, end)


def _behind_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _word(parts: list[str]) -> Word | None:
    """A word of its parts; None when nothing is left of them."""
    folded = tuple(filter(None, map(fold, parts)))
    if not folded:
        return None
    exact = tuple(map(fold_case, parts))
    return Word(" ".join(folded), " ".join(exact), folded, _spaced(folded), _spaced(exact))


def _pasted_id(text: str) -> str:
    token = text.strip().lower()
    is_id = _ID.fullmatch(token) is not None and len(token.replace("-", "")) >= ID_CHARACTERS
    is_id = is_id and _DAY.fullmatch(token) is None
    return token if is_id else ""


def _spaced(parts: tuple[str, ...]) -> re.Pattern[str] | None:
    return re.compile(r"\s+".join(map(re.escape, parts))) if len(parts) > 1 else None


def spans(query: Query, text: str, limit: int = 200) -> tuple[Span, ...]:
    """Where the words of a query stand in a text: code points of it, in order, none overlapping."""
    found: list[Span] = []
    folded = None if text.isascii() or folds_to_small(text) else fold_with_places(text)
    small = text.lower() if folded is None else folded.text
    for word in query.words:
        for first, last in word.places(small):
            found.append((first, last) if folded is None else (folded.starts[first], folded.ends[last - 1]))
            if len(found) >= limit:
                break
    united: list[Span] = []
    for first, last in sorted(found):
        if united and first < united[-1][1]:
            united[-1] = (united[-1][0], max(last, united[-1][1]))
        else:
            united.append((first, last))
    return tuple(united)
