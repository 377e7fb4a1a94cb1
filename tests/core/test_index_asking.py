"""What a query asks the engine: as little as can be, and nothing is lost by that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from index_desk import Desk
from rapidfuzz.distance import OSA
from session_corpus import Writer

from memtui.core.search.index.asking import TOOLS, Asked
from memtui.core.search.index.planning import exact_query, terms_of
from memtui.core.search.index.reader import Candidates, IndexReader
from memtui.core.search.index.schema import SAID, TEXTS
from memtui.core.search.index.vocabulary import Vocabulary
from memtui.core.search.index.vocabulary_file import VOCABULARY_NAME
from memtui.core.search.query import parse

LIMIT = 12


@pytest.fixture
def desk(home: Path) -> Desk:
    """Words that are said alone, that begin others, and that tools give as well; each more often than `LIMIT`."""
    desk = Desk(home)
    for number in range(5):
        session = Writer(session_id=str(number))
        session.number = 1000 * number
        session.user("a plan of planets" if number % 2 else "planning all")
        for turn in range(6):
            session.assistant("some more: the plan " + "and plan " * turn + "filler " * (turn + number))
            session.assistant("some planning planes " + "filler " * turn)
            session.tool("plan " * turn + "the planet_x of src/plan.py " + "filler " * number)
        desk.save(session, f"{number}.jsonl")
    desk.update()
    assert desk.reader.refresh()
    return desk


@pytest.fixture
def queries(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the engine is asked, in its own words."""
    asked: list[str] = []
    search = IndexReader.search

    def noting(self: IndexReader, query: object, limit: int, **more: object) -> Candidates:
        asked.append(repr(query))
        return search(self, query, limit, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(IndexReader, "search", noting)
    return asked


@pytest.mark.parametrize("fields", [TEXTS, TOOLS])
@pytest.mark.parametrize(
    "typed",
    ["plan", "the", "pla", "plan ", "the plan", "fill", "nothing", "planet_x", "planet_", "of all", "x"],
)
def test_the_best_are_those_of_one_query_for_all(desk: Desk, typed: str, fields: tuple[str, ...]) -> None:
    words = terms_of(parse(typed))
    whole = desk.reader.search(exact_query(words, fields, ()), 1000)
    for limit in (1, LIMIT, 1000):
        asked = Asked(desk.reader, words, fields, ())
        asked.said(limit)
        best = asked.best(limit).best
        assert [item.score for item in best] == [item.score for item in whole.best[:limit]]
        assert set(best) <= set(whole.best) and len(set(best)) == len(best)
        assert asked.total() == whole.total


@pytest.mark.parametrize(
    ("typed", "group", "looks"),
    [
        # many said so: none that only begins so gets into the list
        ("plan", SAID, False),
        ("plan", TOOLS, False),
        # most say so: that tells less than a beginning
        ("some", SAID, True),
        ("pla", SAID, True),
        ("planet", SAID, True),
        ("planet", TOOLS, True),
    ],
)
def test_what_only_begins_so_is_looked_for_where_it_may_be_among_the_best(
    desk: Desk, queries: list[str], typed: str, group: tuple[str, ...], looks: bool
) -> None:
    asked = Asked(desk.reader, terms_of(parse(typed)), group, ())
    asked.best(LIMIT)
    assert _begins(queries[-1], group[-1]) is looks


@pytest.mark.parametrize(("few", "looks"), [(100, False), (5, True)])
def test_of_few_documents_it_is_not_asked_how_a_name_goes_on(
    desk: Desk, queries: list[str], monkeypatch: pytest.MonkeyPatch, few: int, looks: bool
) -> None:
    monkeypatch.setattr("memtui.core.search.index.asking.FEW_DOCUMENTS", few)
    found = {
        typed: {hit.snippet for hit in desk.found(typed).hits} for typed in ("planet_", "planet_x", "plan.p")
    }
    assert any(_begins(query, "tool") for query in queries) is looks
    assert all(found.values()) and all("planet_x" in snippet for snippet in found["planet_x"])
    # the words are there, and not as they were typed
    assert not [hit for hit in desk.found("the_plan").hits if not hit.is_fuzzy]


def _begins(query: str, field: str) -> bool:
    number = TEXTS.index(field)
    return f"FuzzyTermQuery {{ term: Term(field={number}," in query


def test_what_is_known_is_not_asked_again(desk: Desk, queries: list[str]) -> None:
    asked = Asked(desk.reader, terms_of(parse("planes")), TEXTS, ())
    for limit in (1000, 1000, 2000):
        asked.said(limit)
        asked.best(limit)
        asked.total()
    assert len(queries) == 2
    asked.said_like(LIMIT)
    asked.like(LIMIT)
    assert len(queries) == 4


# What is like a word


WORDS = st.lists(st.text("abc", min_size=1, max_size=9), max_size=30)


@given(WORDS, st.text("abc", min_size=1, max_size=9))
def test_words_with_two_errors_at_most(words: Sequence[str], word: str) -> None:
    known = Vocabulary(sorted(set(words)))
    meant = {other for other in words if OSA.distance(word, other) <= 2}
    assert set(known.like(word, 2)) == meant
    assert known.like(word, 2) is known.like(word, 2)
    assert set(known.holding(word)) == {other for other in words if word in other}


def test_words_that_are_like_one_are_found_whatever_is_known_of_the_words(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def like(typed: str) -> set[int]:
        asked = Asked(desk.reader, terms_of(parse(typed)), SAID, ())
        return {item.place for item in asked.like(1000).best}

    whole = like("plannngs")
    assert whole and desk.reader.vocabulary.is_whole
    monkeypatch.setattr("memtui.core.search.index.vocabulary.MOST_TERMS", 2)
    (desk.folder / VOCABULARY_NAME).unlink()
    other = IndexReader(desk.cache)
    assert other.refresh() and not other.vocabulary.is_whole
    desk.reader = other
    assert like("plannngs") == whole
