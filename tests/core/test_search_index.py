"""The index over sessions: what it takes in, how little it reads again, and that nothing can break it for long."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_desk import Desk
from session_corpus import Writer, line

from memtui.core import fs
from memtui.core.search.index import extract, schema
from memtui.core.search.index.folder import IndexBusyError, remove_older
from memtui.core.search.index.log import FilesLog
from memtui.core.search.index.progress import Progress
from memtui.core.search.index.reader import IndexReader
from memtui.core.search.index.words import words_of
from memtui.core.search.index.writer import UPDATE, update_index
from memtui.core.search.record_texts import texts
from memtui.core.search.searching import parse, search
from memtui.core.sessions.reader import Reader, opened
from memtui.core.sessions.records import Found, scan


@pytest.fixture
def desk(home: Path) -> Desk:
    return Desk(home)


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many bytes of session files were read."""
    counted: Counter[str] = Counter()
    at = Reader.at

    def counting(self: Reader, offset: int, size_bytes: int) -> bytes:
        data = at(self, offset, size_bytes)
        counted["bytes"] += len(data)
        return data

    monkeypatch.setattr(Reader, "at", counting)
    return counted


# Keeping in step


def test_what_is_appended_is_found_before_and_after_it_is_indexed(desk: Desk) -> None:
    session = Writer()
    session.user("old quince")
    desk.save(session)
    desk.update()
    session.user("new quince")
    desk.save(session)
    assert desk.snippets("quince") == ["new quince", "old quince"]
    assert desk.indexed("quince") == 1
    desk.update()
    assert desk.indexed("quince") == 2
    assert desk.snippets("quince") == ["new quince", "old quince"]


def test_what_is_committed_is_opened_once_nobody_holds_it_up(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Writer()
    session.user("quince first")
    desk.save(session)
    desk.update()
    assert len(desk.snippets("quince")) == 1
    session.user("quince second")
    desk.save(session)
    desk.update()
    opened: list[Path] = []
    reload = IndexReader._reload
    monkeypatch.setattr(
        IndexReader,
        "_reload",
        lambda reader, folder, meta: opened.append(folder) or reload(reader, folder, meta),
    )
    with fs.locked(desk.folder / ".tantivy-meta.lock"):
        # the engine would wait for it, and no key would be answered
        assert len(desk.snippets("quince")) == 2
        assert not opened
    assert len(desk.snippets("quince")) == 2
    assert len(opened) == 1 and desk.indexed("quince") == 2


def test_q08_what_was_appended_costs_the_same_in_a_large_file(desk: Desk, bytes_read: Counter[str]) -> None:
    read = []
    for size in (1 << 16, 1 << 22):
        session = Writer()
        session.tool("filler " * (size // 7))
        desk.save(session, f"{size}.jsonl")
        desk.update()
        session.user(f"pineapple {size}")
        desk.save(session, f"{size}.jsonl")
        listed = desk.sessions
        bytes_read.clear()
        (hit,) = search(f"pineapple {size}", (), listed, index=desk.reader).results().hits
        assert hit.snippet == f"pineapple {size}"
        read.append(bytes_read["bytes"])
        files = [session.file for session in listed]
        bytes_read.clear()
        update_index(desk.cache, files)
        read.append(bytes_read["bytes"])
    assert read[0] == pytest.approx(read[2], abs=64)
    assert read[1] == pytest.approx(read[3], abs=64)
    assert max(read) < 8192


def test_nothing_is_read_when_nothing_changed(desk: Desk, bytes_read: Counter[str]) -> None:
    session = Writer()
    session.user("quince")
    path = desk.save(session)
    desk.update()
    before = {item.name: item.stat().st_mtime_ns for item in desk.folder.iterdir()}
    bytes_read.clear()
    files = [path]
    update_index(desk.cache, files)
    assert bytes_read["bytes"] == 0
    assert {item.name: item.stat().st_mtime_ns for item in desk.folder.iterdir()} == before


def test_nothing_is_opened_when_nothing_changed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        session = Writer(session_id=str(number))
        session.number = 100 * number
        session.user(f"quince {number}")
        desk.save(session, f"{number}.jsonl")
    files = [session.file for session in desk.sessions]
    update_index(desk.cache, files)
    seen: list[str] = []

    def opening(path: Path) -> object:
        seen.append(path.name)
        return opened(path)

    monkeypatch.setattr("memtui.core.search.index.writer.opened", opening)
    update_index(desk.cache, files)
    assert seen == []
    session.user("quince again")
    desk.save(session, "2.jsonl")
    update_index(desk.cache, files)
    assert set(seen) == {"2.jsonl"}


def test_a_line_that_is_still_being_written_is_indexed_once_it_is_whole(desk: Desk) -> None:
    session = Writer()
    session.user("first")
    whole = bytes(session.data)
    session.user("second medlar")
    path = desk.save(session)
    path.write_bytes(bytes(session.data)[:-20])
    desk.update()
    path.write_bytes(bytes(session.data))
    assert len(bytes(session.data)) > len(whole)
    assert desk.snippets("medlar") == ["second medlar"]
    desk.update()
    assert desk.indexed("medlar") == 1


@pytest.mark.parametrize("way", ["shorter", "same size", "longer", "another file"])
def test_a_file_that_was_rewritten_is_read_anew(desk: Desk, way: str) -> None:
    session = Writer()
    session.user("old quince")
    path = desk.save(session)
    desk.update()
    size = path.stat().st_size
    anew = Writer(session_id="s-2")
    anew.user(
        {"shorter": "pear", "same size": "new medlar", "longer": "pear " * 99, "another file": "pear"}[way]
    )
    data = bytes(anew.data)
    if way == "another file":
        other = path.with_suffix(".new")
        other.write_bytes(bytes(session.data) + data)
        os.replace(other, path)
    else:
        path.write_bytes(data)
        os.utime(path, ns=(1, 1))
    assert (path.stat().st_size == size) is (way == "same size")
    word = "medlar" if way == "same size" else "pear"
    old = 1 if way == "another file" else 0
    assert (desk.found(word).total, desk.found("quince").total) == (1, old)
    desk.update()
    assert (desk.indexed(word), desk.indexed("quince")) == (1, old)
    assert (desk.found(word).total, desk.found("quince").total) == (1, old)


@pytest.mark.parametrize("lines", [1, 200])
def test_a_rewrite_in_the_middle_is_noticed_where_the_file_grew_as_well(desk: Desk, lines: int) -> None:
    def written(fruit: str) -> Writer:
        session = Writer()
        session.user("the beginning " * 20)
        for _number in range(lines):
            session.user(f"an old {fruit}")
        session.user("the end " * 20)
        return session

    path = desk.save(written("quince"))
    desk.update()
    size = path.stat().st_size
    anew = written("medlar")
    assert len(anew.data) == size
    anew.user("and more")
    desk.save(anew)
    assert (desk.found("medlar").total, desk.found("quince").total) == (lines, 0)
    desk.update()
    assert (desk.indexed("medlar"), desk.indexed("quince")) == (lines, 0)


def test_a_file_that_is_gone_is_taken_out(desk: Desk) -> None:
    for name in ("a", "b"):
        session = Writer(session_id=name)
        session.user(f"quince {name}")
        desk.save(session, f"{name}.jsonl")
    desk.update()
    desk.sessions[0].file.unlink()
    assert desk.found("quince").total == 1
    desk.update()
    assert desk.indexed("quince") == 1
    assert len(FilesLog(desk.folder).files) == 0
    assert desk.reader.refresh() and len(desk.reader.files) == 1


@pytest.mark.parametrize("way", ["removed", "rewritten"])
def test_words_that_no_session_holds_any_more_are_not_proposed(desk: Desk, way: str) -> None:
    for name, text in (("gone", "a phantomlatticeresolver"), ("kept", "a quince")):
        session = Writer(session_id=name)
        session.number = len(name) * ord(name[0])
        session.user(text)
        desk.save(session, f"{name}.jsonl")
    # by one thread: in one part of the index, which is not gone when one of them is
    desk.update(efforts=(UPDATE, UPDATE))
    assert desk.found("phantmlaticeresolvr").suggestion == "phantomlatticeresolver"
    assert desk.reader.vocabulary.holding("lattice") == ["phantomlatticeresolver"]
    if way == "removed":
        desk.sessions[0].file.with_name("gone.jsonl").unlink()
    else:
        session = Writer(session_id="gone")
        session.user("a pear")
        desk.save(session, "gone.jsonl")
    desk.update()
    assert desk.found("phantmlaticeresolvr").suggestion == ""
    assert not desk.reader.vocabulary.holding("lattice") and desk.reader.vocabulary.has("quince")


def test_of_some_files_only_those_are_looked_at(desk: Desk) -> None:
    for name in ("a", "b"):
        session = Writer(session_id=name)
        session.user(f"quince {name}")
        desk.save(session, f"{name}.jsonl")
    desk.update()
    update_index(desk.cache, [desk.sessions[0].file], is_all=False)
    assert desk.indexed("quince") == 2


def test_what_cannot_be_read_does_not_hide_the_others(desk: Desk) -> None:
    for name in ("a", "b"):
        session = Writer(session_id=name)
        session.user(f"quince {name}")
        desk.save(session, f"{name}.jsonl")
    files = [desk.agent, desk.agent / "absent.jsonl", *[session.file for session in desk.sessions]]
    said = update_index(desk.cache, files)
    assert said.unreadable == 1 and desk.indexed("quince") == 2


# What is searchable first


def test_what_is_said_anywhere_comes_before_what_tools_gave(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.core.search.index.writer.AT_ONCE_BYTES", 0)
    monkeypatch.setattr("memtui.core.search.index.writer.FIRST_FILES", 1)
    monkeypatch.setattr("memtui.core.search.index.writer.BATCH_FILES", 1)
    for number in range(3):
        session = Writer(session_id=str(number))
        session.number = 100 * number
        session.user("quince")
        session.tool("medlar")
        desk.save(session, f"{number}.jsonl")
    stages: list[tuple[int, int]] = []

    def told(progress: Progress) -> None:
        stages.append((desk.indexed("quince"), desk.indexed("medlar")) if desk.reader.refresh() else (0, 0))

    desk.update(told=told)
    assert (desk.indexed("quince"), desk.indexed("medlar")) == (3, 3)
    assert stages == sorted(stages)
    assert not any(medlar and quince < 3 for quince, medlar in stages)
    assert (1, 0) in stages


def _sessions_of_three_lines(desk: Desk) -> None:
    for number in range(3):
        session = Writer(session_id=str(number))
        session.number = 100 * number
        session.user(f"quince {number}")
        session.tool(f"medlar {number}")
        session.assistant("sorb")
        desk.save(session, f"{number}.jsonl")


@pytest.mark.parametrize(("remembered", "looked"), [(100, 0), (2, 2), (0, 3)])
def test_lines_of_tools_are_looked_for_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, remembered: int, looked: int
) -> None:
    _sessions_of_three_lines(desk)
    monkeypatch.setattr("memtui.core.search.index.writer.AT_ONCE_BYTES", 0)
    monkeypatch.setattr("memtui.core.search.index.tool_lines.MOST_LINES", remembered)
    scanned: list[int] = []

    def scanning(data: bytes, base: int, *, closely: bool = True) -> list[Found]:
        scanned.append(base)
        return scan(data, base, closely=closely)

    monkeypatch.setattr("memtui.core.search.index.writer.scan", scanning)
    desk.update()
    assert (desk.indexed("quince"), desk.indexed("medlar"), desk.indexed("sorb")) == (3, 3, 3)
    assert len(scanned) == 3 + looked


@pytest.mark.parametrize("at_once_bytes", [0, 1 << 20])
@pytest.mark.parametrize("first", ["tool", "user", "bash"])
def test_what_is_glued_to_a_line_is_indexed_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, at_once_bytes: int, first: str
) -> None:
    monkeypatch.setattr("memtui.core.search.index.writer.AT_ONCE_BYTES", at_once_bytes)
    session = Writer()
    if first == "bash":
        session.message("bashExecution", None, command="medlar", output="sorb")
    elif first == "tool":
        session.tool("medlar")
    else:
        session.user("medlar")
    del session.data[-1:]
    session.user("quince")
    desk.save(session)
    desk.update()
    # a command that a person ran is both said and done
    assert (desk.indexed("medlar"), desk.indexed("quince")) == (1 + (first == "bash"), 1)
    assert [hit.snippet for hit in desk.found("quince").hits] == ["quince"]


def test_a_line_that_only_ends_as_a_message_hides_nothing(desk: Desk) -> None:
    session = Writer()
    session.user("quince")
    cut = bytes(session.data).splitlines()[-1].replace(b"0000001", b"0000002")[:-20] + b"}}\n"
    session.data += cut
    session.user("medlar")
    desk.save(session)
    assert desk.update().is_done
    assert (desk.indexed("quince"), desk.indexed("medlar")) == (1, 1)


def test_a_cancelled_update_leaves_whole_batches(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.core.search.index.writer.FIRST_FILES", 1)
    monkeypatch.setattr("memtui.core.search.index.writer.BATCH_FILES", 1)
    for number in range(4):
        session = Writer(session_id=str(number))
        session.number = 100 * number
        session.user("quince")
        desk.save(session, f"{number}.jsonl")
    told: list[Progress] = []
    said = desk.update(told=told.append, cancelled=lambda: bool(told) and told[-1].done_files >= 2)
    assert not said.is_done and 0 < desk.indexed("quince") < 4
    assert desk.found("quince").total == 4
    assert desk.update().is_done and desk.indexed("quince") == 4


# One index, whatever happens


class StopError(Exception):
    """The process ends here."""


def _stopping_at(number: int) -> Iterator[int]:
    count = 0

    def observer(effect: str, phase: str, paths: tuple[Path, ...]) -> None:
        nonlocal count
        count += 1
        if count == number:
            raise StopError

    with fs.observed_by(observer):
        yield number


def test_an_update_that_ends_at_any_effect_is_made_up_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.core.search.index.writer.FIRST_FILES", 1)
    monkeypatch.setattr("memtui.core.search.index.log._COMPACT_FROM_BYTES", 1)
    monkeypatch.setattr("memtui.core.search.index.log._COMPACT_FACTOR", 0)
    sessions = [Writer(session_id=str(number)) for number in range(3)]
    for number, session in enumerate(sessions):
        session.number = 10_000 * number
    stopped = 0
    for number in range(1, 200):
        for place, session in enumerate(sessions):
            session.user(f"quince {number} {place}")
            session.tool(f"medlar {number}")
            desk.save(session, f"{place}.jsonl")
        if number % 7 == 0:
            sessions[0] = Writer(session_id="0")
            sessions[0].number = 1_000_000 * number
            sessions[0].user(f"quince {number} anew")
            desk.save(sessions[0], "0.jsonl")
        try:
            for _ in _stopping_at(number):
                desk.update()
        except StopError:
            stopped += 1
        expected = search("quince", (), desk.sessions).results().total
        assert desk.found("quince").total == expected, number
        if stopped < number:
            break
    desk.update()
    assert stopped > 10
    assert desk.indexed("quince") == search("quince", (), desk.sessions).results().total
    assert desk.indexed("medlar") == search("medlar", (), desk.sessions).results().total


@pytest.mark.parametrize(
    "name", ["meta.json", "files.log", "a segment", "all", "folder", "log of another format"]
)
def test_a_damaged_index_is_built_again(desk: Desk, name: str) -> None:
    session = Writer()
    session.user("quince")
    desk.save(session)
    desk.update()
    assert desk.indexed("quince") == 1
    if name == "folder":
        for item in desk.folder.iterdir():
            item.unlink()
        desk.folder.rmdir()
    elif name == "log of another format":
        (desk.folder / "files.log").write_text('{"step":"format","format":0}\n')
    else:
        for item in desk.folder.iterdir():
            is_segment = len(item.stem) == 32
            if name in (item.name, "all") or (name == "a segment" and is_segment):
                # another file: what is mapped into memory is cut by nobody but a program that means harm
                item.unlink()
                item.write_bytes(b"garbage\n")
    fresh = IndexReader(desk.cache)
    assert search("quince", (), desk.sessions, index=fresh).results().total == 1
    session.user("quince again")
    desk.save(session)
    desk.update()
    assert desk.found("quince").total == 2
    desk.update()
    assert IndexReader(desk.cache).refresh()
    assert desk.found("quince").total == 2


def test_an_index_that_went_back_is_built_again(desk: Desk) -> None:
    session = Writer()
    session.user("quince")
    desk.save(session)
    desk.update()
    kept = {item.name: item.read_bytes() for item in desk.folder.iterdir() if item.name != "files.log"}
    session.user("quince")
    desk.save(session)
    desk.update()
    for item in desk.folder.iterdir():
        if item.name != "files.log":
            item.unlink()
    for name, data in kept.items():
        (desk.folder / name).write_bytes(data)
    desk.update()
    assert desk.indexed("quince") == 2


def test_one_writes_and_the_other_is_told(desk: Desk) -> None:
    session = Writer()
    session.user("quince")
    desk.save(session)
    desk.update()
    with fs.locked(desk.folder / "writer.lock"), pytest.raises(IndexBusyError):
        desk.update()
    assert desk.found("quince").total == 1


def test_the_folder_is_for_its_owner_alone(desk: Desk) -> None:
    session = Writer()
    session.user("quince")
    desk.save(session)
    desk.update()
    assert desk.folder.stat().st_mode & 0o777 == 0o700


def test_the_log_stays_small(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.core.search.index.log._COMPACT_FROM_BYTES", 1000)
    session = Writer()
    for number in range(20):
        session.user(f"quince {number}")
        desk.save(session)
        desk.update()
        assert desk.indexed("quince") == number + 1
    assert (desk.folder / "files.log").stat().st_size < 3000


# What is taken from a line


def test_a_line_is_read_the_same_in_the_fast_and_in_the_thorough_way() -> None:
    session = Writer()
    session.message("user", "plain text")
    session.message("user", [{"type": "text", "text": "a"}, {"type": "image", "data": "x", "mimeType": "y"}])
    call = {
        "type": "toolCall",
        "id": "1",
        "name": "n",
        "arguments": {"a": "1", "b": [{"c": "2"}, 3, "4"], "d": ""},
    }
    session.message("assistant", [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "u"}, call])
    session.message("assistant", [{"type": "thinking", "thinking": "t", "redacted": True}], errorMessage="bad")
    session.message("assistant", [{"type": "text", "text": 5}, None, "x"])
    session.message("assistant", None, summary="s")
    session.tool("given")
    _same_both_ways(bytes(session.data))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["text", "type", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)
_BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "thinking", "toolCall", "image"])},
    optional={"text": _JSON, "thinking": _JSON, "arguments": _JSON, "redacted": st.booleans() | st.none()},
)


@given(
    st.sampled_from(["user", "assistant", "toolResult"]),
    st.lists(_BLOCK, max_size=3) | _JSON,
    st.fixed_dictionaries({}, optional={"timestamp": _JSON, "summary": _JSON, "errorMessage": _JSON}),
)
@settings(max_examples=120)
def test_whatever_a_line_holds_both_ways_agree(role: str, content: object, more: dict[str, object]) -> None:
    record = {"type": "message", "id": "0000abcd", "parentId": None, "timestamp": "2026-11-01T09:00:00.000Z"}
    _same_both_ways(line({**record, "message": {"role": role, "content": content, **more}}))


def _same_both_ways(data: bytes) -> None:
    for found in scan(data, 0):
        raw = data[found.offset : found.offset + found.length]
        record = json.loads(raw.decode("utf-8", "surrogatepass"))
        typed = extract._typed(raw)
        if found.kind in ("user", "assistant", "tool") and typed is not None:
            thorough = [(item.part, item.text) for item in texts(record, found.kind)]
            assert extract._typed_texts(typed.message, found.kind) == thorough
        known = found._replace(record=record)
        for take in (extract.said, extract.done):
            assert take(found._replace(record=None), raw) == take(known, raw)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("zebrafish_quantum_cache", ["zebrafish", "quantum", "cache"]),
        ("src/a.b/c-d.ts ERR_404::x", ["src", "a", "b", "c", "d", "ts", "err", "404", "x"]),
        ("增量索引更新", list("增量索引更新")),
        ("索引abc更新", ["索", "引", "abc", "更", "新"]),
        ("Café CAFÉ Zürich", ["cafe", "cafe", "zurich"]),
        ("테스트", list("테스트")),
        ("\ud800 lone", ["lone"]),
        ("a" * 72 + " " + "b" * 73, ["a" * 72]),
    ],
)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_a_place_is_one_number_that_rises() -> None:
    places = [(0, 1), (0, 1 << 25), (1, 0), (1 << 37, 5)]
    packed = [schema.pack_place(*place) for place in places]
    assert packed == sorted(packed) and max(packed) < 1 << 64
    assert [schema.unpack_place(item) for item in packed] == places


# How it is found


def test_hits_of_a_session_fold_under_its_best_message(desk: Desk) -> None:
    long = Writer(session_id="long")
    long.user("no fruit")
    long.user("quince " + "filler " * 200)
    long.user("the quince")
    long.tool("quince")
    desk.save(long, "1.jsonl")
    short = Writer(session_id="short")
    short.user("no fruit")
    short.assistant("quince")
    desk.save(short, "2.jsonl")
    desk.update()
    hits = desk.found("quince", folds=True).hits
    assert [(hit.session, hit.snippet, len(hit.others)) for hit in hits] == [
        ("short", "quince", 0),
        ("long", "the quince", 1),
        # and again with what tools gave
        ("long", "the quince", 2),
    ]
    assert hits[2].offset not in hits[2].others
    assert desk.found("quince").total == 4


def test_a_name_counts_more_than_what_was_said(desk: Desk) -> None:
    said = Writer(session_id="said")
    said.user("hello")
    said.user("quince quince quince")
    desk.save(said, "2.jsonl")
    named = Writer(session_id="named")
    named.user("hello")
    named.entry("session_info", name="about the quince")
    desk.save(named, "1.jsonl")
    desk.update()
    assert [hit.session for hit in desk.found("quince").hits] == ["named", "said"]


def test_what_is_meant_comes_after_what_is_there(desk: Desk) -> None:
    for name, text in (("typo", "quinze tree"), ("exact", "quince tree"), ("inside", "the bigquincetree")):
        session = Writer(session_id=name)
        session.number = len(text) * len(name)
        session.user(text)
        desk.save(session, f"{name}.jsonl")
    desk.update()
    hits = desk.found("quince").hits
    assert [(hit.session, hit.is_fuzzy) for hit in hits[:1]] == [("exact", False)]
    assert {(hit.session, hit.is_fuzzy) for hit in hits[1:]} == {("inside", False), ("typo", True)}
    assert [hit.snippet[slice(*hit.matches[0])] for hit in hits if hit.session == "typo"] == ["quinze"]


# What went wrong once


@pytest.mark.parametrize("gone", [False, True])
def test_a_process_that_ends_between_what_is_said_and_what_tools_gave_loses_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, gone: bool
) -> None:
    monkeypatch.setattr("memtui.core.search.index.writer.AT_ONCE_BYTES", 0)
    for number in range(3):
        session = Writer(session_id=str(number))
        session.number = 100 * number
        session.user(f"quince {number}")
        session.tool("medlar")
        desk.save(session, f"{number}.jsonl")

    def told(progress: Progress) -> None:
        if progress.phase == "tools":
            raise StopError

    with pytest.raises(StopError):
        desk.update(told=told)
    if gone:
        desk.sessions[0].file.unlink()
    assert desk.update().is_done
    assert desk.indexed("quince") == desk.indexed("medlar") == (2 if gone else 3)
    assert desk.found("quince").total == desk.found("medlar").total == (2 if gone else 3)


def test_what_was_changed_within_a_file_of_the_same_size_is_seen(desk: Desk) -> None:
    session = Writer()
    for text in ("first " * 40, "the secret is hunter2", "last " * 40):
        session.user(text)
    path = desk.save(session)
    desk.update()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"hunter2", b"*******"))
    assert path.stat().st_size == len(data)
    assert desk.found("hunter2").total == 0
    desk.update()
    assert desk.indexed("hunter2") == 0 and desk.indexed("secret") == 1


def test_tools_are_found_below_what_is_said_everywhere(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.core.search.index.source.MOST_DOCUMENTS", 20)
    session = Writer()
    for number in range(40):
        session.user(f"quince {number}")
    session.tool("quince of a tool")
    desk.save(session)
    desk.update()
    assert [hit.snippet for hit in desk.found("quince in:tools").hits] == ["quince of a tool"]


def test_of_many_sessions_those_of_a_project_are_found(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.core.search.index.source.MOST_DOCUMENTS", 5)
    for number in range(20):
        session = Writer("/home/dev/app" if number % 4 else "/elsewhere", str(number))
        session.number = 100 * number
        session.user("quince " * (1 if number % 4 else 20))
        desk.save(session, f"{number}.jsonl")
    desk.update()
    assert desk.found("quince dir:home").total == 5
    assert {hit.session for hit in desk.found("quince dir:elsewhere").hits} == {"0", "4", "8", "12", "16"}


def test_a_listing_that_is_older_than_the_index_does_not_read_the_file_again(
    desk: Desk, bytes_read: Counter[str]
) -> None:
    session = Writer()
    session.tool("filler " * 300_000)
    desk.save(session)
    desk.update()
    listed = desk.sessions
    session.user("quince")
    desk.save(session)
    desk.update()
    bytes_read.clear()
    assert search("quince", (), listed, index=desk.reader).results().total == 1
    assert bytes_read["bytes"] < 100_000


def test_a_copy_stands_in_for_a_message_whose_file_is_gone(desk: Desk) -> None:
    for name in ("1", "2"):
        session = Writer(session_id=name)
        session.user("quince")
        desk.save(session, f"{name}.jsonl")
    desk.update()
    listed = desk.sessions
    listed[0].file.unlink()
    results = search("quince", (), listed, index=desk.reader).results()
    assert [hit.session for hit in results.hits] == [listed[1].id]
    assert results.hidden == {"unreadable": 1}


def test_another_index_in_the_same_place_is_noticed(desk: Desk) -> None:
    paths = []
    for name in ("a", "b"):
        session = Writer(session_id=name)
        session.number = ord(name)
        session.user(f"plum {name}")
        paths.append(desk.save(session, f"{name}.jsonl"))
    update_index(desk.cache, paths)
    assert desk.found("plum").total == 2
    for item in desk.folder.iterdir():
        item.unlink()
    update_index(desk.cache, paths[::-1])
    assert [hit.session for hit in desk.found('"plum b"').hits] == ["b"]
    assert [hit.session for hit in desk.found('"plum a"').hits] == ["a"]


def test_an_engine_that_panics_is_left_alone_and_the_index_made_anew(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Writer()
    session.user("quince")
    desk.save(session)
    desk.update()

    class PanicException(BaseException):
        pass

    def panics(*_words: object, **_more: object) -> None:
        raise PanicException("index out of range")

    with monkeypatch.context() as broken:
        broken.setattr(IndexReader, "_search", panics)
        assert desk.found("quince").total == 1
    assert (desk.folder / "broken").exists()
    desk.update()
    assert not (desk.folder / "broken").exists() and desk.indexed("quince") == 1


def test_headers_are_no_messages_of_a_session(desk: Desk) -> None:
    session = Writer(session_id="cafe-0001-0002")
    session.user("a cafe")
    desk.save(session)
    desk.update()
    (hit,) = desk.found("cafe", folds=True).hits
    assert hit.others == () and hit.role == "user"
    (hit,) = desk.found("cafe-0001-0002").hits
    assert hit.is_named


def test_a_branched_session_shows_its_best_message(desk: Desk) -> None:
    session = Writer()
    first = session.user("hello")
    session.user("marzipan")
    session.tool("marzipan log log log log log", parent=first)
    desk.save(session)
    desk.update()
    hit = desk.found("marzipan", folds=True).hits[-1]
    assert (hit.snippet, hit.branch, len(hit.others)) == ("marzipan", "other", 1)


def test_parts_of_words_with_other_characters_are_found(desk: Desk) -> None:
    session = Writer()
    session.user("call getUser(id) now")
    session.user('see "foo=' + "x" * 90 + "=bar end")
    desk.save(session)
    desk.update()
    assert desk.found("tUser(").total == 1
    assert desk.found('"foo=' + "x" * 90 + "=bar").total == 1
    assert desk.found("getUser)").total == 0


def test_an_id_of_an_entry_is_found_without_reading_the_files(desk: Desk, bytes_read: Counter[str]) -> None:
    session = Writer()
    session.tool("filler " * 300_000)
    entry_id = session.user("quince")
    desk.save(session)
    desk.update()
    listed = desk.sessions
    bytes_read.clear()
    hits = search(entry_id, (), listed, index=desk.reader).results().hits
    assert [(hit.id, hit.is_named) for hit in hits] == [(entry_id, True)]
    assert bytes_read["bytes"] < 1_300_000


def test_of_very_many_sessions_the_best_are_read_and_more_is_said(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.core.search.index.source.MOST_SESSIONS", 2)
    for number in range(5):
        session = Writer(session_id=str(number))
        session.number = 100 * number
        session.user("hello")
        session.user("quince " + "filler " * 20 * number)
        session.user("filler " * 9 + "quince")
        desk.save(session, f"{number}.jsonl")
    desk.update()
    search_now = search("quince", (), desk.sessions, index=desk.reader, folds=True)
    hits = {hit.session: hit for hit in search_now}
    assert list(hits) == ["0", "1"] and all(len(hit.others) == 1 for hit in hits.values())
    assert search_now.beyond == 3
    assert search("quince", (), desk.sessions, index=desk.reader).results().total == 10


def test_only_indexes_of_older_versions_are_removed(desk: Desk) -> None:
    session = Writer()
    session.user("quince")
    desk.save(session)
    desk.update()
    for name in ("index-v0-7", "index-v1-6", "index-v1-99", "index-v9-1", "index-other"):
        (desk.cache / name).mkdir()
        (desk.cache / name / "meta.json").write_text("{}")
    with fs.locked(desk.cache / "index-v0-7" / "writer.lock"):
        remove_older(desk.cache)
    kept = {item.name for item in desk.cache.iterdir()}
    assert kept == {desk.folder.name, "index-v0-7", "index-v1-99", "index-v9-1", "index-other"}


@pytest.mark.parametrize(("typed", "is_id"), [("2025-11-30", False), ("20251130", False), ("2025abcd", True)])
def test_a_day_is_no_id(typed: str, is_id: bool) -> None:
    assert bool(parse(typed).pasted_id) is is_id
