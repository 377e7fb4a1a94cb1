"""The words of the index are beside it in a file, and looked for once for all who ask."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest
from index_desk import Desk
from session_corpus import Writer

from memtui.core import fs
from memtui.core.search.index import reader, writer
from memtui.core.search.index.folder import clear_index
from memtui.core.search.index.log import FileRow, FilesLog
from memtui.core.search.index.reader import IndexReader
from memtui.core.search.index.vocabulary import Vocabularies, Vocabulary, _in_order
from memtui.core.search.index.vocabulary_file import (
    VOCABULARY_NAME,
    has_vocabulary,
    keep_vocabulary,
    kept_vocabulary,
    said_state,
)
from memtui.core.search.index.writer import update_index


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


def test_what_is_not_to_be_found_is_a_part_of_the_one_before() -> None:
    vocabularies, one = Vocabularies(), Vocabulary(["fig"])
    assert not vocabularies.of(1, lambda: None).terms
    assert vocabularies.of(1, lambda: one) is one
    assert vocabularies.of(1, lambda: Vocabulary(())) is one
    part = vocabularies.of(2, lambda: None)
    assert part.terms == ["fig"] and not part.is_whole
    assert vocabularies.of(1, lambda: one) is one


@pytest.mark.parametrize("words", [Vocabulary(["0x", "fig", "索"], is_whole=False), Vocabulary(())])
def test_a_file_holds_the_words_of_one_state(tmp_path: Path, words: Vocabulary) -> None:
    assert kept_vocabulary(tmp_path) is None and not has_vocabulary(tmp_path, 5)
    keep_vocabulary(tmp_path, words, 5)
    kept = kept_vocabulary(tmp_path)
    assert kept is not None and kept.state == 5
    assert list(kept.vocabulary.terms) == list(words.terms) and kept.vocabulary.is_whole == words.is_whole
    assert has_vocabulary(tmp_path, 5) and not has_vocabulary(tmp_path, 50)
    keep_vocabulary(tmp_path, Vocabulary(["pear"]), 50)
    kept = kept_vocabulary(tmp_path)
    assert kept is not None and kept.state == 50 and kept.vocabulary.terms == ["pear"]
    assert [path.name for path in tmp_path.iterdir()] == [VOCABULARY_NAME]


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"",
            b"words-1 5 1 4\n\xff\xff\xff\xff",
            b"words-2 5 1 3\nfig",
            b"\0" * 100,
            b"words-1",
            b"words-1 5 1\nfig",
        ),
        *(b"words-1 5 1 3\nfi", b"words-1 5 1 3\nfigs", b"words-1 x 1 3\nfig"),
    ],
)
def test_a_file_that_is_damaged_is_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / VOCABULARY_NAME).write_bytes(data)
    assert kept_vocabulary(tmp_path) is None


@pytest.mark.parametrize("effect", ["write_new", "replace"])
def test_where_it_cannot_be_written_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, effect: str
) -> None:
    keep_vocabulary(tmp_path, Vocabulary(["fig"]), 5)
    done = getattr(fs, effect)

    def fail(*given: Any, **named: Any) -> None:
        if effect == "write_new":
            done(*given, **named)
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(fs, effect, fail)
    keep_vocabulary(tmp_path, Vocabulary(["pear"]), 6)
    assert has_vocabulary(tmp_path, 5)
    assert [path.name for path in tmp_path.iterdir()] == [VOCABULARY_NAME]


def test_another_state_is_one_with_more_less_or_others() -> None:
    rows = [FileRow(1, 100), FileRow(2, 200)]
    assert said_state(rows) == said_state(reversed(rows)) == said_state([FileRow(1, 100, 50), FileRow(2, 200)])
    others = [
        rows[:1],
        [*rows, FileRow(3)],
        [FileRow(1, 101), FileRow(2, 200)],
        [FileRow(3, 100), FileRow(2, 200)],
        [FileRow(1, 100, mark=1), FileRow(2, 200)],
    ]
    assert len({said_state(rows), *map(said_state, others)}) == 6


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
        path.write_bytes(b"words-1 1 1 3\nfig" if way == "old" else whole[:-1])
    assert desk.reader.refresh() and desk.reader.vocabulary.has("quince")
    assert len(engine) == 1
    desk.update()
    assert path.read_bytes() == whole


def test_what_tools_gave_makes_no_new_words(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.core.search.index.writer.AT_ONCE_BYTES", 0)
    written: list[int] = []
    keep = writer.keep_vocabulary
    monkeypatch.setattr(writer, "keep_vocabulary", lambda *given: written.append(1) or keep(*given))
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


def test_an_index_that_cannot_keep_its_words_is_as_whole(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*given: Any, **named: Any) -> None:
        raise RuntimeError("whatever the engine raises")

    monkeypatch.setattr(writer.Vocabulary, "of", fail)
    session = Writer(session_id="other")
    session.user("a pear")
    desk.save(session, "other.jsonl")
    assert desk.update().is_done and desk.indexed("pear") == 1


def test_while_it_is_built_the_words_of_the_first_files_have_to_do(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    clear_index(desk.cache)
    monkeypatch.setattr(writer, "FIRST_FILES", 1)
    monkeypatch.setattr(writer, "BATCH_FILES", 1)
    for number in range(3):
        session = Writer(session_id=f"s-{number}")
        session.user(f"fruit{number}")
        os.utime(desk.save(session, f"{number}.jsonl"), (1_800_000_000 - number, 1_800_000_000 - number))
    known: list[list[str]] = []
    done = FilesLog.done

    def noted(log: FilesLog, *given: Any, **named: Any) -> None:
        done(log, *given, **named)
        assert desk.reader.refresh()
        words = desk.reader.vocabulary
        known.append([f"fruit{number}" for number in range(3) if words.has(f"fruit{number}")])

    monkeypatch.setattr(FilesLog, "done", noted)
    paths = [
        desk.folder.parent.parent / "agent" / "sessions" / "--home-dev-app--" / f"{n}.jsonl" for n in range(3)
    ]
    assert update_index(desk.cache, paths).is_done
    assert known[:3] == [["fruit0"], ["fruit0"], ["fruit0", "fruit1", "fruit2"]]
    assert desk.reader.vocabulary.is_whole


def test_what_is_committed_and_not_noted_yet_is_not_opened(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.reader.refresh()
    opened: list[bool] = []
    reload, done = IndexReader._reload, FilesLog.done
    monkeypatch.setattr(IndexReader, "_reload", lambda *given: opened.append(True) or reload(*given))

    def noted(log: FilesLog, *given: Any, **named: Any) -> None:
        # the engine may still remove files, and who opens some would wait for that
        assert desk.reader.refresh() and not opened
        done(log, *given, **named)
        assert desk.reader.refresh() and opened == [True]

    monkeypatch.setattr(FilesLog, "done", noted)
    session = Writer(session_id="other")
    session.user("a pear")
    desk.save(session, "other.jsonl")
    desk.update()
    assert desk.indexed("pear") == 1


def test_what_was_only_merged_is_opened(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.reader.refresh()
    opened: list[bool] = []
    reload = IndexReader._reload
    monkeypatch.setattr(IndexReader, "_reload", lambda *given: opened.append(True) or reload(*given))
    meta = desk.folder / "meta.json"
    os.utime(meta, (1_800_000_000, 1_800_000_000))
    assert desk.reader.refresh() and desk.reader.refresh()
    assert opened == [True]
