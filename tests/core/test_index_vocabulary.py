"""The words of the index are looked up once for all who ask, and not at every step of a build."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from memtui.core.search.index.vocabulary import GROWN, Vocabularies, Vocabulary, _in_order


class Searcher:
    """Stands for what the engine gives of one commit."""

    def __init__(self, num_docs: int) -> None:
        self.num_docs = num_docs


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The searchers whose words were looked up."""
    of: list[Any] = []

    def look(searcher: Any) -> Vocabulary:
        of.append(searcher)
        return Vocabulary([str(searcher.num_docs)])

    monkeypatch.setattr(Vocabulary, "of", staticmethod(look))
    return of


def test_threads_that_ask_at_once_wait_for_one_of_them(
    made: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, goes_on = Vocabulary.of, threading.Event()

    def slowly(searcher: Any) -> Vocabulary:
        assert goes_on.wait(30)
        return looks(searcher)

    monkeypatch.setattr(Vocabulary, "of", staticmethod(slowly))
    vocabularies, searcher, found = Vocabularies(), Searcher(10), []
    threads = [
        threading.Thread(target=lambda: found.append(vocabularies.of(searcher, is_done=True)))  # type: ignore[arg-type]
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    goes_on.set()
    for thread in threads:
        thread.join(30)
    assert made == [searcher] and len(found) == 5 and len(set(map(id, found))) == 1


def test_a_whole_index_is_looked_up_at_each_commit(made: list[Any]) -> None:
    vocabularies: Any = Vocabularies()
    for searcher in (Searcher(100), Searcher(101)):
        vocabularies.of(searcher, is_done=True)
        vocabularies.of(searcher, is_done=True)
    assert [searcher.num_docs for searcher in made] == [100, 101]


def test_one_that_is_being_built_is_looked_up_as_it_grows(made: list[Any]) -> None:
    vocabularies: Any = Vocabularies()
    for number in range(100, 1000, 10):
        vocabularies.of(Searcher(number), is_done=False)
    assert [searcher.num_docs for searcher in made] == [100, 150, 230, 350, 530, 800]
    assert all(after.num_docs >= before.num_docs * GROWN for before, after in zip(made, made[1:], strict=False))
    assert vocabularies.of(Searcher(990), is_done=True).terms == ["990"]


def test_one_that_is_built_anew_is_looked_up_anew(made: list[Any]) -> None:
    vocabularies: Any = Vocabularies()
    for number in (1000, 10):
        vocabularies.of(Searcher(number), is_done=False)
    assert [searcher.num_docs for searcher in made] == [1000, 10]


def test_words_are_in_the_order_of_their_characters() -> None:
    words = ["b", "a", "索引", "ab", "0x", "索", "ñ", "abc", "ba"]
    assert _in_order(words) == sorted(words)
