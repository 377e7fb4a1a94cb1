"""A person's query as one of the engine's: which documents may match, more rather than fewer.

Whether a message really holds what was typed is looked up in its file, so a phrase need not be exact here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.core.search.index import schema
from memtui.core.search.index.vocabulary import Vocabulary
from memtui.core.search.index.words import has_unspaced, words_of
from memtui.core.search.query import Query, Word

if TYPE_CHECKING:
    import tantivy

BOOSTS = {"title": 5.0, "body": 3.0, "tool": 1.0}
"""How much more a word weighs in each field."""

PREFIX_CHARACTERS = 3
"""From so many characters on the last word may be the beginning of one."""

ONE_TYPO_CHARACTERS, TWO_TYPOS_CHARACTERS = 4, 8
"""From so many characters on a word may have one typing error, or two."""


_NAMES = re.compile(r"[^\W_](?:[\w\s./:-]*[^\W_])?")


@dataclass(frozen=True, slots=True)
class Terms:
    """The engine's words for one word of a query. `begins`: the last of them may go on."""

    word: Word
    terms: tuple[str, ...]
    begins: bool

    @property
    def is_whole(self) -> bool:
        """Whether any document with these words surely holds the word as it was typed."""
        return self.terms == (self.word.text,)


def terms_of(query: Query) -> list[Terms]:
    """The engine's words for each word of a query; none for a word without letters and digits."""
    found = []
    for number, word in enumerate(query.words):
        terms = tuple(words_of(word.text))
        is_last = number == len(query.words) - 1 and not query.typed[-1:].isspace()
        begins = bool(terms) and is_last and word.text.endswith(terms[-1]) and not has_unspaced(terms[-1])
        found.append(Terms(word, terms, begins))
    return found


def exact_query(words: Sequence[Terms], fields: Iterable[str]) -> tantivy.Query | None:
    """Documents with all the words as they are, the last perhaps only begun; None when no word can be found."""
    fields = tuple(fields)
    return _all_of([_any_of([_in_field(item, name) for name in fields]) for item in words if item.terms])


def loose_query(words: Sequence[Terms], fields: Iterable[str], vocabulary: Vocabulary) -> tantivy.Query | None:
    """Documents with words like those: begun, inside a word, with typing errors."""
    fields = tuple(fields)
    every = []
    if not any(may_be_loose(item.word) for item in words):
        return None
    for item in words:
        for term in item.terms:
            alike = [_loose_term(term, name, vocabulary) for name in fields]
            every.append(_any_of(alike))
    return _all_of(every)


def may_be_loose(word: Word) -> bool:
    """Whether something like it may be meant: a word, or a name of several. Anything else is meant as it is."""
    return _NAMES.fullmatch(word.text) is not None


def _in_field(item: Terms, field: str) -> tantivy.Query:
    import tantivy

    make, fields = tantivy.Query, schema.schema()
    if len(item.terms) == 1:
        found = make.term_query(fields, field, item.terms[0])
    else:
        found = make.phrase_query(fields, field, list(item.terms))
    if item.begins and (len(item.terms[-1]) >= PREFIX_CHARACTERS or field == "title" or len(item.terms) > 1):
        begun = make.fuzzy_term_query(fields, field, item.terms[-1], distance=0, prefix=True)
        if len(item.terms) > 2:
            begun = make.phrase_query(fields, field, list(item.terms[:-1])).and_must_match(begun)
        elif len(item.terms) == 2:
            begun = make.term_query(fields, field, item.terms[0]).and_must_match(begun)
        found = _any_of([found, begun])
    return make.boost_query(found, BOOSTS[field])


def _loose_term(term: str, field: str, vocabulary: Vocabulary) -> tantivy.Query:
    import tantivy

    make, fields = tantivy.Query, schema.schema()
    ways = [make.term_query(fields, field, term)]
    if not has_unspaced(term) and len(term) >= PREFIX_CHARACTERS:
        ways.append(make.fuzzy_term_query(fields, field, term, distance=0, prefix=True))
        if inside := vocabulary.holding(term):
            ways.append(make.term_set_query(fields, field, inside))
        typos = (len(term) >= ONE_TYPO_CHARACTERS) + (len(term) >= TWO_TYPOS_CHARACTERS)
        for distance in range(1, typos + 1):
            ways.append(make.fuzzy_term_query(fields, field, term, distance=distance, prefix=distance == 1))
    return make.boost_query(_any_of(ways), BOOSTS[field])


def everything() -> tantivy.Query:
    """All documents."""
    import tantivy

    return tantivy.Query.all_query()


def limited(query: tantivy.Query, limits: Iterable[tantivy.Query]) -> tantivy.Query:
    """The documents of a query that fulfil all the limits, with the same scores."""
    import tantivy

    for limit in limits:
        query = query.and_must_match(tantivy.Query.const_score_query(limit, 0.0))
    return query


def number_between(field: str, first: int | None, last: int | None) -> tantivy.Query:
    """Documents whose number lies in a range (both ends included; None = open)."""
    import tantivy

    return tantivy.Query.range_query(schema.schema(), field, tantivy.FieldType.Unsigned, first, last)


def one_of_files(sids: Sequence[int]) -> tantivy.Query:
    """Documents of some files."""
    import tantivy

    return tantivy.Query.term_set_query(schema.schema(), "sid", list(sids))


def one_of(field: str, numbers: Iterable[int]) -> tantivy.Query:
    """Documents with one of the numbers."""
    return _any_of([number_between(field, number, number) for number in numbers])


def _any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    import tantivy

    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.disjunction_max_query(list(queries))


def _all_of(queries: Sequence[tantivy.Query]) -> tantivy.Query | None:
    import tantivy

    if not queries:
        return None
    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in queries])
