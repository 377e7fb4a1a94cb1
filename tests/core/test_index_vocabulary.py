"""The words of the index are beside it in a file, and looked for once for all who ask."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from index_desk import Desk
from session_corpus import Writer

from memtui.core.search.index import reader, writer
from memtui.core.search.index.log import FileRow, FilesLog
from memtui.core.search.index.vocabulary import Vocabularies, Vocabulary, _in_order
from memtui.core.search.index.vocabulary_file import (
    VOCABULARY_NAME,
    has_vocabulary,
    read_vocabulary,
    said_state,
    write_vocabulary,
)


def test_threads_that_ask_at_once_wait_for_one_of_them() -> None:
    vocabularies, goes_on = Vocabularies(), threading.Event()
    looked: list[int] = []
    found: list[Vocabulary] = []

    def find() -> Vocabulary:
        looked.append(1)
        assert goes_on.wait(30)
        return Vocabulary(["fig"])

    threads = [threading.Thread(target=lambda: found.append(vocabularies.of(7, find))) for _ in range(5)]
    for thread in threads:
        thread.start()
    goes_on.set()
    for thread in threads:
        thread.join(30)
    assert looked == [1] and len(found) == 5 and len(set(map(id, found))) == 1


def test_what_is_not_to_be_found_is_the_one_before() -> None:
    vocabularies, one = Vocabularies(), Vocabulary(["fig"])
    assert not vocabularies.of(1, lambda: None).terms
    assert vocabularies.of(1, lambda: one) is one
    assert vocabularies.of(2, lambda: None) is one
    assert vocabularies.of(1, lambda: Vocabulary(())) is one


def test_a_file_holds_the_words_of_one_state(tmp_path: Path) -> None:
    words = Vocabulary(["0x", "fig", "索"], is_whole=False)
    assert read_vocabulary(tmp_path, 5) is None and not has_vocabulary(tmp_path, 5)
    write_vocabulary(tmp_path, words, 5)
    again = read_vocabulary(tmp_path, 5)
    assert again is not None and list(again.terms) == list(words.terms) and not again.is_whole
    assert (
        has_vocabulary(tmp_path, 5)
        and not has_vocabulary(tmp_path, 50)
        and read_vocabulary(tmp_path, 50) is None
    )
    write_vocabulary(tmp_path, Vocabulary(["fig"]), 50)
    found = read_vocabulary(tmp_path, 50)
    assert found is not None and found.is_whole and read_vocabulary(tmp_path, 5) is None
    assert [path.name for path in tmp_path.iterdir()] == [VOCABULARY_NAME]


@pytest.mark.parametrize("data", [b"", b"words-1 5 1\n\xff", b"words-2 5 1\nfig", b"\0" * 100, b"words-1"])
def test_a_file_that_is_damaged_is_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / VOCABULARY_NAME).write_bytes(data)
    assert read_vocabulary(tmp_path, 5) is None


def test_another_state_is_one_with_more_less_or_others() -> None:
    rows = [FileRow(1, 100), FileRow(2, 200)]
    assert said_state(rows) == said_state(reversed(rows)) == said_state([FileRow(1, 100, 50), FileRow(2, 200)])
    others = [
        rows[:1],
        [*rows, FileRow(3)],
        [FileRow(1, 101), FileRow(2, 200)],
        [FileRow(3, 100), FileRow(2, 200)],
    ]
    assert len({said_state(rows), *map(said_state, others)}) == 5


def test_words_are_in_the_order_of_their_characters() -> None:
    words = ["b", "a", "索引", "ab", "0x", "索", "ñ", "abc", "ba"]
    assert _in_order(words) == sorted(words)


# With an index


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The searchers that the reader asks for their words."""
    asked: list[Any] = []
    words_of = Vocabulary.of

    def of(searcher: Any) -> Vocabulary:
        asked.append(searcher)
        return words_of(searcher)

    monkeypatch.setattr(reader, "Vocabulary", type("Asked", (Vocabulary,), {"of": staticmethod(of)}))
    return asked


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """An index of one session."""
    desk = Desk(tmp_path)
    session = Writer()
    session.user("a quince")
    session.tool("a medlar")
    desk.save(session)
    desk.update()
    return desk


def test_whoever_searches_asks_the_engine_for_no_words(desk: Desk, engine: list[Any]) -> None:
    assert desk.reader.refresh()
    assert desk.reader.vocabulary.has("quince") and not desk.reader.vocabulary.has("medlar")
    assert not engine


def test_words_are_there_before_anybody_hears_of_what_was_said(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: list[bool] = []
    done = FilesLog.done

    def noted(log: FilesLog, stamp: int, files: Any, *given: Any, **named: Any) -> None:
        there.append(has_vocabulary(desk.folder, said_state({**log.files, **files}.values())))
        done(log, stamp, files, *given, **named)

    monkeypatch.setattr(FilesLog, "done", noted)
    session = Writer(session_id="other")
    session.user("a pear")
    desk.save(session, "other.jsonl")
    desk.update()
    assert there and all(there)


@pytest.mark.parametrize("way", ["gone", "old", "damaged"])
def test_a_file_that_is_of_no_use_is_done_without_and_made_anew(
    desk: Desk, engine: list[Any], way: str
) -> None:
    path = desk.folder / VOCABULARY_NAME
    whole = path.read_bytes()
    if way == "gone":
        path.unlink()
    else:
        path.write_bytes(b"words-1 1 1\nfig" if way == "old" else b"\xff")
    assert desk.reader.refresh() and desk.reader.vocabulary.has("quince")
    assert len(engine) == 1
    desk.update()
    assert path.read_bytes() == whole


def test_what_tools_gave_makes_no_new_words(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.core.search.index.writer.AT_ONCE_BYTES", 0)
    written: list[int] = []
    write = writer.write_vocabulary
    monkeypatch.setattr(writer, "write_vocabulary", lambda *given: written.append(1) or write(*given))
    session = Writer(session_id="other")
    session.user("a pear")
    session.tool("a medlar")
    desk.save(session, "other.jsonl")
    desk.update()
    desk.update()
    assert written == [1]


def test_nothing_is_written_when_nothing_changed(desk: Desk) -> None:
    before = (desk.folder / VOCABULARY_NAME).stat().st_mtime_ns
    desk.update()
    assert (desk.folder / VOCABULARY_NAME).stat().st_mtime_ns == before
