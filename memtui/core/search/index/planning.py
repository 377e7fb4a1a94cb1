"""A person's query as one of the engine's: which documents may match, more rather than fewer.

Whether a message really holds what was typed is looked up in its file, so a phrase need not be exact here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memtui.core.search.filters import Filters
from memtui.core.search.index import schema
from memtui.core.search.index.schema import SAID, number_between
from memtui.core.search.index.vocabulary import Vocabulary
from memtui.core.search.index.words import has_too_long, has_unspaced, words_of
from memtui.core.search.query import Query, Word
from memtui.core.sessions.base import KINDS
from memtui.late import re
from memtui.late.dataclasses import dataclass

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
    """The engine's words for one word of a query. `begins`: the last of them may go on. `has_gap`: some are not
    there, because they are too long."""

    word: Word
    terms: tuple[str, ...]
    begins: bool
    has_gap: bool = False

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
        found.append(Terms(word, terms, begins, has_too_long(word.text)))
    return found


def exact_query(
    words: Sequence[Terms],
    fields: Sequence[str],
    limits: Sequence[tantivy.Query],
    *,
    begun: Collection[str] = schema.TEXTS,
    rare: Collection[str] = (),
) -> tantivy.Query:
    """Documents with all the words as they are, the last perhaps only begun in the fields of `begun`; without
    words, all there are.

    In the fields of `rare` few have what stands in front of what is begun: it is not asked for.
    """
    import tantivy

    wanted = [
        _any_of(
            [
                _in_field(item, name, begins=item.begins and name in begun, is_rare=name in rare)
                for name in fields
            ]
        )
        for item in words
        if item.terms
    ]
    return _limited(_all_of(wanted) or tantivy.Query.all_query(), limits)


def loose_query(
    words: Sequence[Terms], fields: Sequence[str], vocabulary: Vocabulary, limits: Sequence[tantivy.Query]
) -> tantivy.Query:
    """Documents with words like those: begun, inside a word, with typing errors."""
    import tantivy

    terms = [term for item in words for term in item.terms]
    wanted = [_any_of([_loose_term(term, name, vocabulary) for name in fields]) for term in terms]
    return _limited(_all_of(wanted) or tantivy.Query.empty_query(), limits)


def limits_of(filters: Filters, sids: Sequence[int], every_sid: Collection[int]) -> list[tantivy.Query]:
    """What all documents have to fulfil: of these files among all that are indexed, of which kind, from when.

    A document without a time passes: it has its session's.
    """
    limits = []
    if len(sids) < len(every_sid):
        others = set(every_sid).difference(sids)
        limits.append(_of_files(sids) if len(sids) <= len(others) else _all_but_files(sorted(others)))
    if filters.roles:
        limits.append(_any_of([_number("kind", KINDS.index(kind)) for kind in KINDS if kind in filters.roles]))
    if filters.after or filters.before:
        first = None if filters.after is None else max(0, int(filters.after.timestamp()))
        last = None if filters.before is None else max(0, int(filters.before.timestamp()))
        limits.append(_any_of([number_between("ts", first, last), _number("ts", 0)]))
    return limits


def may_be_loose(word: Word) -> bool:
    """Whether something like it may be meant: a word, or a name of several. Anything else is meant as it is."""
    return _NAMES.fullmatch(word.text) is not None


def _in_field(item: Terms, field: str, *, begins: bool, is_rare: bool) -> tantivy.Query:
    import tantivy

    make, fields = tantivy.Query, schema.schema()
    if len(item.terms) == 1:
        found = make.term_query(fields, field, item.terms[0])
    elif item.has_gap:
        # a word between these is too long to be indexed
        every = [(tantivy.Occur.Must, make.term_query(fields, field, term)) for term in item.terms]
        found = make.boolean_query(every)
    else:
        found = make.phrase_query(fields, field, list(item.terms))
    if begins and (len(item.terms[-1]) >= PREFIX_CHARACTERS or field == "title" or len(item.terms) > 1):
        front: list[Any] = list(item.terms[:-1])
        last = item.terms[-1]
        if front:
            one = len(front) == 1
            before = (
                make.term_query(fields, field, front[0]) if one else make.phrase_query(fields, field, front)
            )
            # either way it adds the same to the score
            begun = before.and_must_match(
                make.const_score_query(before, 1.0) if is_rare else _begun(field, last)
            )
        else:
            begun = _begun(field, last)
        found = _any_of([found, begun])
    return make.boost_query(found, BOOSTS[field])


def _begun(field: str, term: str) -> tantivy.Query:
    import tantivy

    return tantivy.Query.fuzzy_term_query(schema.schema(), field, term, distance=0, prefix=True)


def _loose_term(term: str, field: str, vocabulary: Vocabulary) -> tantivy.Query:
    import tantivy

    make, fields = tantivy.Query, schema.schema()
    ways = [make.term_query(fields, field, term)]
    if not has_unspaced(term) and len(term) >= PREFIX_CHARACTERS:
        one, two = len(term) >= ONE_TYPO_CHARACTERS, len(term) >= TWO_TYPOS_CHARACTERS
        # what begins so with an error may begin so without one
        ways.append(make.fuzzy_term_query(fields, field, term, distance=int(one), prefix=True))
        said = [word for word in vocabulary.holding(term) if not word.startswith(term)]
        if two and field in SAID and vocabulary.is_whole:
            # the engine takes longer to find them, once for each field
            said += vocabulary.like(term, 2)
        elif two:
            ways.append(make.fuzzy_term_query(fields, field, term, distance=2))
        if said:
            ways.append(make.term_set_query(fields, field, said))
    return make.boost_query(_any_of(ways), BOOSTS[field])


def _limited(query: tantivy.Query, limits: Iterable[tantivy.Query]) -> tantivy.Query:
    """The documents of a query that fulfil all the limits, with the same scores."""
    import tantivy

    for limit in limits:
        query = query.and_must_match(tantivy.Query.const_score_query(limit, 0.0))
    return query


def _number(field: str, number: int) -> tantivy.Query:
    return number_between(field, number, number)


def _of_files(sids: Sequence[int]) -> tantivy.Query:
    import tantivy

    return tantivy.Query.term_set_query(schema.schema(), "sid", list(sids))


def _all_but_files(sids: Sequence[int]) -> tantivy.Query:
    import tantivy

    unwanted = (tantivy.Occur.MustNot, _of_files(sids))
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, tantivy.Query.all_query()), unwanted])


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
