"""What one query asks the engine: what was said and what tools gave apart, for no document has words of both.

The best of both together are the best of each, and what was said is known in a part of the time. Most of the
time goes into words that begin with what was typed last: they are left out where the whole word alone fills a
list that none of them would get into.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from memtui.core.search.index.planning import BOOSTS, Terms, exact_query, loose_query
from memtui.core.search.index.reader import Candidates, IndexReader
from memtui.core.search.index.schema import SAID, TEXTS
from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    import tantivy

Fields = tuple[str, ...]

TOOLS: Fields = TEXTS[len(SAID) :]


FEW_DOCUMENTS = 100
"""So many are looked through sooner than the engine has found all words that begin alike."""


@dataclass(slots=True)
class _Known:
    """The best of some fields, as many as `limit`; `counted`: their total is that of the whole query."""

    found: Candidates
    limit: int
    counted: bool

    @property
    def is_all(self) -> bool:
        return len(self.found.best) < self.limit


class Asked:
    """One query: `words` in `fields` (TEXTS or TOOLS) of documents that fulfil `limits`.

    What is known already is not asked again. All raise BrokenIndexError as `IndexReader.search`.
    """

    def __init__(
        self,
        reader: IndexReader,
        words: Sequence[Terms],
        fields: Fields,
        limits: Sequence[tantivy.Query],
    ) -> None:
        self._reader, self._words, self._limits = reader, words, limits
        self._groups = (SAID, TOOLS) if fields == TEXTS else (fields,)
        self._known: dict[Fields, _Known] = {}
        self._like: dict[Fields, Candidates] = {}

    def said(self, limit: int) -> Candidates:
        """The best of what was said; its total may be too small."""
        return self._of(SAID, limit)

    def best(self, limit: int) -> Candidates:
        """The best of all; its total may be too small."""
        return _united([self._of(group, limit) for group in self._groups], limit)

    def newest(self, limit: int) -> Candidates:
        """The newest documents, for a query without words."""
        query = exact_query(self._words, TEXTS, self._limits)
        return self._reader.search(query, limit, newest_first=True)

    def total(self) -> int:
        """How many there are."""
        return sum(map(self._count, self._groups))

    def said_like(self, limit: int) -> Candidates:
        """The best of what was said that is only like the query."""
        return self._like_of(SAID, limit)

    def like(self, limit: int) -> Candidates:
        """The best of all that is only like the query; `limit` as in `said_like`."""
        return _united([self._like_of(group, limit) for group in self._groups], limit)

    def _of(self, group: Fields, limit: int) -> Candidates:
        known = self._known.get(group)
        if known is None or (known.limit < limit and not known.is_all):
            known = self._whole_words(group, limit) or self._ask(group, limit)
            self._known[group] = known
        return known.found

    def _like_of(self, group: Fields, limit: int) -> Candidates:
        if group not in self._like:
            query = loose_query(self._words, group, self._reader.vocabulary, self._limits)
            self._like[group] = self._reader.search(query, limit)
        return self._like[group]

    def _ask(self, group: Fields, limit: int) -> _Known:
        query = exact_query(self._words, group, self._limits, rare=self._rare(group))
        return _Known(self._reader.search(query, limit), limit, counted=True)

    def _rare(self, group: Fields) -> Fields:
        """The fields in which few have the parts of the last word that stand before what may go on."""
        if not self._words or not self._words[-1].begins:
            return ()
        front = self._words[-1].terms[:-1]
        return tuple(
            field
            for field in group
            if front and min(self._reader.holders(field, term) for term in front) <= FEW_DOCUMENTS
        )

    def _whole_words(self, group: Fields, limit: int) -> _Known | None:
        """The best without what only begins as the one word does; None where that may be among the best."""
        if len(self._words) != 1 or len(self._words[0].terms) != 1 or not self._words[0].begins:
            return None
        term, field = self._words[0].terms[0], group[-1]
        if self._reader.holders(field, term) < limit:
            return None
        query = exact_query(self._words, group, self._limits, begun=group[:-1])
        found = self._reader.search(query, limit)
        # whoever only begins so is worth as much as a field is
        if len(found.best) < limit or found.best[-1].score <= BOOSTS[field]:
            return None
        return _Known(found, limit, counted=False)

    def _count(self, group: Fields) -> int:
        known = self._known.get(group)
        if known is not None and (known.counted or known.is_all):
            return known.found.total
        query = exact_query(self._words, group, self._limits, rare=self._rare(group))
        return self._reader.search(query, 1).total


def _united(found: Sequence[Candidates], limit: int) -> Candidates:
    """The best of documents of which none is in two of them."""
    if len(found) == 1:
        return found[0]
    best = heapq.merge(*(item.best for item in found), key=lambda candidate: -candidate.score)
    return Candidates(list(islice(best, limit)), sum(item.total for item in found))
