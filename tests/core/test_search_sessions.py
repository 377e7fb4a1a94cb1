"""Searching sessions by reading them: what is found, where, in which order, and how little is held."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from session_corpus import START, Writer, put

from memtui.core.search import backward as backward_module
from memtui.core.search.backward import CHUNK_BYTES, backward
from memtui.core.search.index.reader import IndexReader
from memtui.core.search.index.writer import update_index
from memtui.core.search.searching import Hit, Results, search
from memtui.core.sessions import records
from memtui.core.sessions.base import Session
from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import list_sessions, newest_first
from memtui.core.sessions.pi_places import pi_places
from memtui.core.sessions.reader import Reader, never, opened
from memtui.core.sessions.transcript import Transcript


class Engine:
    """How sessions are searched: by reading them, by an index of them all, or by an index that is behind."""

    name = "files"

    def index(self, home: Path, sessions: list[Session]) -> IndexReader | None:
        if self.name == "files":
            return None
        files = [session.file for session in newest_first(sessions)]
        if self.name == "behind":
            files = files[::2]
        update_index(home / "cache", files)
        return IndexReader(home / "cache")


ENGINE = Engine()


@pytest.fixture(params=["files", "index", "behind"])
def agent(home: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """pi's agent directory, searched in each way."""
    ENGINE.name = request.param
    yield home / "agent"
    ENGINE.name = "files"


def sessions_of(agent: Path) -> list[Session]:
    return list(list_sessions(pi_places(agent, Path("/home/dev/app"), agent.parent), SessionCache(None)))


def save(agent: Path, session: Writer, name: str = "s.jsonl", folder: str = "--home-dev-app--") -> Path:
    return session.save(agent / "sessions" / folder / name)


def found(agent: Path, typed: str) -> Results:
    sessions = sessions_of(agent)
    return search(typed, (), sessions, index=ENGINE.index(agent.parent, sessions)).results()


def snippets(agent: Path, typed: str) -> list[str]:
    return [hit.snippet for hit in found(agent, typed).hits]


def marked(hit: Hit) -> list[str]:
    return [hit.snippet[first:last] for first, last in hit.matches]


# What is found


def test_a_hit_says_where_and_whose_it_is(agent: Path, home: Path) -> None:
    session = Writer(str(home), "id-1")
    session.entry("session_info", name="Port of the test host")
    entry_id = session.user("The host listens on port 2222, not on 22.")
    session.assistant("Understood.")
    path = save(agent, session)
    (hit,) = found(agent, "port 2222").hits
    assert (hit.kind, hit.id, hit.session, hit.agent) == ("session", entry_id, "id-1", "pi")
    assert (hit.role, hit.part, hit.branch) == ("user", "text", "active")
    assert (hit.file, hit.title) == (path, "Port of the test host")
    assert hit.resume == f"cd {home} && pi --session {path}"
    assert marked(hit) == ["port", "2222"]
    assert [hit.title[first:last] for first, last in hit.title_matches] == ["Port"]
    assert hit.updated == START + timedelta(seconds=14)
    shown = Transcript(path, hit.offset)
    position = shown.position_of(hit.offset)
    assert position is not None and shown.message(position).entry_id == entry_id


def test_everything_said_seen_and_run_is_found_and_nothing_else(agent: Path) -> None:
    session = Writer("/somewhere-needle", "id-needle-1")
    session.message("system", "a needle in the prompt", sections={"rules": "needle"})
    session.entry("model_change", provider="needle", modelId="needle")
    session.message("user", "1 needle as a plain text")
    call = {"type": "toolCall", "name": "needle", "arguments": {"edits": [{"new": "2 needle"}], "n": 1}}
    thought = {"type": "thinking", "thinking": "3 needle"}
    session.message("assistant", [{"type": "text", "text": "4 needle"}])
    session.message("assistant", [call])
    session.message("assistant", [thought, {"type": "thinking", "thinking": "needle", "redacted": True}])
    session.message("user", [{"type": "image", "data": "needle", "mimeType": "needle"}])
    session.tool("5 needle", "needle")
    session.message("bashExecution", None, command="6 needle", output="", exitCode=0)
    session.entry("custom", customType="needle", data={"x": "needle"})
    session.entry("custom_message", customType="c", content="7 needle", display=True)
    session.entry("branch_summary", fromId="x", summary="8 needle")
    session.entry("label", targetId="00000001", label="9 needle")
    session.message("assistant", [], errorMessage="10 needle")
    session.entry("session_info", name="11 needle")
    save(agent, session)
    assert sorted(map(int, (text.split()[0] for text in snippets(agent, "needle")))) == list(range(1, 12))
    parts = {hit.snippet.split()[0]: hit.part for hit in found(agent, "needle").hits}
    assert parts["2"] == "tool_call" and parts["3"] == "thinking"
    assert parts["5"] == "tool_result" and parts["6"] == "bash" and parts["4"] == "text"


def test_all_words_have_to_be_in_one_message_in_any_part_of_it(agent: Path) -> None:
    session = Writer()
    session.message("assistant", [{"type": "text", "text": "zebra"}, {"type": "thinking", "thinking": "finch"}])
    session.user("zebra")
    session.user("finch")
    save(agent, session)
    assert [hit.role for hit in found(agent, "finch zebra").hits] == ["assistant"]


def test_a_session_is_found_by_its_id(agent: Path) -> None:
    session = Writer("/a", "01a22d61-77aa-7bbb")
    session.user("hello")
    save(agent, session)
    (hit,) = found(agent, "01a22d61-77aa").hits
    assert (hit.role, hit.offset) == ("session", 0)
    assert found(agent, "01a22").hits == ()


@pytest.mark.parametrize("agent", ["files", "index"], indirect=True)
def test_the_newest_session_and_message_come_first(agent: Path) -> None:
    for day, name in enumerate(("old", "new", "newest")):
        session = Writer("/a", name)
        session.moment = START + timedelta(days=day)
        session.user(f"{name} kiwi one")
        session.user(f"{name} kiwi two")
        save(agent, session, f"{9 - day}.jsonl")
    expected = [f"{name} kiwi {number}" for name in ("newest", "new", "old") for number in ("two", "one")]
    assert snippets(agent, "kiwi") == expected


# Cases


def test_q01_chinese_substring(agent: Path) -> None:
    session = Writer()
    session.user("他的聊天记录记忆断裂问题还在")
    save(agent, session)
    (hit,) = found(agent, "记忆断裂").hits
    assert marked(hit) == ["记忆断裂"]
    assert found(agent, "晚").hits == ()


@pytest.mark.parametrize("typed", ["bd-q3fy", "ERR_404::x", "src/a.b/c-d.ts"])
def test_q03_identifiers_with_punctuation(agent: Path, typed: str) -> None:
    session = Writer()
    for text in (
        "see bd-q3fy now",
        "it says ERR_404::x here",
        "open src/a.b/c-d.ts first",
        "bd q3fz",
        "ERR 404 x",
    ):
        session.user(text)
    save(agent, session)
    exact, *alike = found(agent, typed).hits
    assert marked(exact) == [typed] and not exact.is_fuzzy
    assert all(hit.is_fuzzy for hit in alike)


@pytest.mark.parametrize("typed", ["테스트", "\u1110\u1166\u1109\u1173\u1110\u1173"])
def test_q04_composed_and_decomposed_text(agent: Path, typed: str) -> None:
    session = Writer()
    session.user("composed 테스트")
    session.user("decomposed \u1110\u1166\u1109\u1173\u1110\u1173")
    save(agent, session)
    assert len(found(agent, typed).hits) == 2


@pytest.mark.parametrize(
    "typed", ["[", "[/", "foo(", "*", "100%", "a_b", "\\\\", '"', "\\", "\\/", "a/b", "<b>"]
)
def test_q05_query_made_of_metacharacters(agent: Path, typed: str) -> None:
    session = Writer()
    session.user(f"before {typed} after")
    session.user("1000 percent, a-b and foo bar, nothing else")
    save(agent, session)
    (hit,) = found(agent, typed).hits
    assert marked(hit) == [typed] if typed != "\\" else set(marked(hit)) == {"\\"}


@pytest.mark.parametrize("typed", ["cafe", "ZURICH", "Café", '"café zürich"'])
def test_q07_case_and_accents_in_a_message(agent: Path, typed: str) -> None:
    session = Writer()
    session.user("We meet at Café Zürich")
    save(agent, session)
    assert len(found(agent, typed).hits) == 1


def test_q08_text_appended_since_the_listing_is_found(agent: Path) -> None:
    session = Writer()
    session.user("first")
    path = save(agent, session)
    listed = sessions_of(agent)
    session.user("pineapple-77")
    put(path, bytes(session.data))
    assert len(search("pineapple-77", (), listed).results().hits) == 1


def test_s02_records_on_one_line_are_found_each(agent: Path) -> None:
    session = Writer()
    session.user("one mango")
    session.data = session.data.removesuffix(b"\n")
    session.user("two mango")
    session.raw(b'{"type":"message","id":"zz","mess')
    session.user("three mango")
    path = save(agent, session)
    hits = found(agent, "mango").hits
    assert [hit.snippet for hit in hits] == ["three mango", "two mango", "one mango"]
    data = path.read_bytes()
    assert all(data[hit.offset :].startswith(b'{"type":"message","id":') for hit in hits)


@pytest.mark.parametrize("typed", ["before", "after", '"before after"'])
def test_s03_a_line_separator_inside_a_message(agent: Path, typed: str) -> None:
    session = Writer()
    session.user("before\u2028after")
    save(agent, session)
    (hit,) = found(agent, typed).hits
    assert hit.snippet == "before after"


def test_s05_zero_bytes_hide_nothing(agent: Path) -> None:
    session = Writer()
    session.user("one plum")
    session.raw(b"\0" * 600 + b"\n")
    session.user("two plum")
    session.raw(b"\0" * 1700)
    save(agent, session)
    assert snippets(agent, "plum") == ["two plum", "one plum"]


def test_s06_a_line_is_found_once_when_it_is_finished(agent: Path) -> None:
    session = Writer()
    session.user("old papaya")
    before = len(session.data)
    session.user("new papaya")
    whole = bytes(session.data)
    path = save(agent, session)
    put(path, whole[: before + 150])
    assert snippets(agent, "papaya") == ["old papaya"]
    assert found(agent, "papaya").hits[0].branch == "active"
    put(path, whole[:-1])
    assert snippets(agent, "papaya") == ["new papaya", "old papaya"]
    put(path, whole)
    assert snippets(agent, "papaya") == ["new papaya", "old papaya"]


def test_s13_one_session_in_two_files_counts_each_message_once(agent: Path) -> None:
    session = Writer("/a", "same")
    for number in range(3):
        session.user(f"fig {number}")
    save(agent, session, "1.jsonl")
    session.user("fig 3")
    save(agent, session, "2.jsonl")
    results = found(agent, "fig")
    assert (results.total, results.hidden) == (4, {"copy": 3})


def test_s14_branches_in_one_file(agent: Path) -> None:
    session = Writer()
    first = session.user("u1")
    answer = session.assistant("a1")
    session.user("u2a says mango")
    session.assistant("a2a")
    session.user("u2b says kiwi", parent=answer)
    session.assistant("a2b kiwi")
    save(agent, session)
    (hit,) = found(agent, "mango").hits
    assert (hit.snippet, hit.branch) == ("u2a says mango", "other")
    assert {hit.branch for hit in found(agent, "kiwi").hits} == {"active"}
    assert first


def test_s15_a_compaction_repeats_no_message(agent: Path) -> None:
    session = Writer()
    session.user("kiwi plan")
    kept = [{"role": "user", "content": [{"type": "text", "text": "kiwi plan"}]}]
    session.entry("compaction", summary="what was said", tokensBefore=9, retainedTail=kept)
    session.entry("compaction", summary="about the kiwi", tokensBefore=9, details={"retainedTail": kept})
    save(agent, session)
    assert [hit.role for hit in found(agent, "kiwi").hits] == ["compaction", "user"]
    assert snippets(agent, "plan") == ["kiwi plan"]


@pytest.mark.parametrize("agent", ["files", "index"], indirect=True)
def test_a_fork_does_not_say_everything_twice(agent: Path) -> None:
    parent = Writer("/a", "parent")
    parent.user("one lychee")
    path = save(agent, parent, "1.jsonl")
    fork = Writer("/a", "fork", parentSession=str(path))
    fork.raw(bytes(parent.data).split(b"\n", 1)[1])
    fork.moment, fork.number = parent.moment, 50
    fork.user("two lychee")
    save(agent, fork, "2.jsonl")
    results = found(agent, "lychee")
    assert [(hit.session, hit.snippet) for hit in results.hits] == [
        ("fork", "two lychee"),
        ("fork", "one lychee"),
    ]
    assert results.hidden == {"copy": 1}


def test_the_same_words_said_twice_are_two_hits(agent: Path) -> None:
    session = Writer()
    session.user("again quince")
    session.user("again quince")
    save(agent, session)
    assert found(agent, "quince").total == 2


# Bad input


def test_what_cannot_be_read_hides_nothing_else(agent: Path) -> None:
    session = Writer()
    session.user("guava")
    path = save(agent, session, "1.jsonl")
    save(agent, session, "2.jsonl").unlink()
    listed = sessions_of(agent)
    gone = dataclasses.replace(listed[0], file=path.with_name("gone.jsonl"))
    folder = dataclasses.replace(listed[0], file=path.parent)
    results = search("guava", (), [gone, folder, *listed]).results()
    assert (results.total, results.hidden) == (1, {"unreadable": 2})


@pytest.mark.parametrize("agent", ["files"], indirect=True)
def test_a_line_above_the_cap_is_left_out_and_counted(agent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (records, backward_module):
        monkeypatch.setattr(module, "LINE_CAP_BYTES", 1 << 15)
    monkeypatch.setattr(
        "memtui.core.search.sessions.backward",
        lambda reader, stop, start=0: backward(reader, stop, 4096, start=start),
    )
    session = Writer()
    first = session.user("one durian")
    session.user("two durian " + "x" * (1 << 16))
    session.assistant("three durian", parent=first)
    session.user("four durian")
    save(agent, session)
    results = found(agent, "durian")
    assert [hit.snippet for hit in results.hits] == ["four durian", "three durian", "one durian"]
    assert {hit.branch for hit in results.hits} == {"active"}
    assert results.hidden == {"too-long": 1}


def test_old_versions_and_files_without_a_header_are_searched(agent: Path) -> None:
    old = Writer("/a", "old", version=None)
    old.raw(
        json.dumps({"type": "message", "message": {"role": "user", "content": "one olive"}}).encode() + b"\n"
    )
    save(agent, old, "1.jsonl")
    headless = Writer()
    headless.user("two olive")
    put(agent / "sessions" / "--a--" / "2.jsonl", bytes(headless.data).split(b"\n", 1)[1])
    hits = {hit.snippet: hit for hit in found(agent, "olive").hits}
    assert hits["one olive"].branch == "active"
    assert hits["two olive"].resume == ""


@pytest.mark.parametrize("shape", [None, 1, [], "x", {"content": 5}, {"content": [None, {"type": "text"}]}])
def test_entries_of_any_shape_are_passed_over(agent: Path, shape: Any) -> None:
    session = Writer()
    session.entry("message", message=shape, note="medlar")
    session.entry("compaction", summary=shape, note="medlar")
    session.entry("label", label=["medlar"])
    session.user("medlar")
    save(agent, session)
    assert snippets(agent, "medlar") == ["medlar"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=20))
def test_any_query_is_answered(agent: Path, typed: str) -> None:
    session = Writer()
    session.user(f"some text {typed} and \u0000 more")
    path = save(agent, session)
    for hit in found(agent, typed).hits:
        assert hit.file == path
        assert all(0 <= first < last <= len(hit.snippet) for first, last in hit.matches)


def test_nothing_is_found_by_nothing(agent: Path) -> None:
    session = Writer()
    session.user("text")
    save(agent, session)
    assert found(agent, "").total == found(agent, "  ").total == found(agent, "\u0301").total == 0


# Reading


@given(
    st.lists(st.binary(max_size=30).map(lambda data: data.replace(b"\n", b"")), max_size=12),
    st.booleans(),
    st.integers(1, 40),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_backward_gives_every_byte_once(home: Path, lines: list[bytes], ended: bool, chunk: int) -> None:
    data = b"\n".join(lines) + (b"\n" if ended and lines else b"")
    path = put(home / "lines", data)
    with opened(path) as reader:
        given_back = list(backward(reader, never, chunk))
    assert b"".join(item.data or b"" for item in reversed(given_back)) == data
    assert [item.offset for item in given_back] == sorted((i.offset for i in given_back), reverse=True)
    assert all(data[item.offset :].startswith(item.data or b"?") for item in given_back)
    assert all(item.offset == 0 or data[item.offset - 1 : item.offset] == b"\n" for item in given_back)
    assert [item.ended for item in given_back[1:]] == [True] * (len(given_back) - 1)
    assert not given_back or given_back[0].ended == data.endswith(b"\n")


class Counted:
    """How much the reader was asked for, call by call."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sizes: list[int] = []
        real = Reader.at

        def at(reader: Reader, offset: int, size_bytes: int) -> bytes:
            data = real(reader, offset, size_bytes)
            self.sizes.append(len(data))
            return data

        monkeypatch.setattr(Reader, "at", at)


@pytest.fixture
def large(agent: Path) -> Path:
    """A session of about 12 MB with one word at its start and one at its end."""
    session = Writer()
    session.user("rambutan at the start")
    for _number in range(60):
        session.tool("x" * 200_000)
    session.user("soursop at the end")
    return save(agent, session)


def test_reading_is_bounded_and_each_byte_is_read_once(
    agent: Path, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = sessions_of(agent)
    counted = Counted(monkeypatch)
    assert search("absent", (), listed).results().total == 0
    assert max(counted.sizes) <= CHUNK_BYTES
    assert sum(counted.sizes) == large.stat().st_size


def test_a_hit_at_the_end_comes_before_the_rest_is_read(
    agent: Path, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = sessions_of(agent)
    counted = Counted(monkeypatch)
    hits = iter(search("soursop", (), listed))
    assert next(hits).snippet == "soursop at the end"
    assert sum(counted.sizes) <= 2 * CHUNK_BYTES


def test_nothing_is_read_once_it_is_cancelled(
    agent: Path, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        session = Writer("/b", f"more-{number}")
        session.user("more")
        save(agent, session, f"{number}.jsonl", "--b--")
    listed = sessions_of(agent)
    counted = Counted(monkeypatch)
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(len(counted.sizes))
        return len(counted.sizes) >= 8

    assert search("absent", (), listed, cancelled).results().total == 0
    assert len(counted.sizes) == 8


def test_a_search_that_is_dropped_closes_its_file(agent: Path, large: Path) -> None:
    before = set(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else set()
    hits: Iterator[Hit] = iter(search("x" * 50, (), sessions_of(agent)))
    next(hits)
    del hits
    after = set(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").is_dir() else set()
    assert len(after) <= len(before)


def test_a_file_that_shrinks_while_it_is_read_ends(home: Path) -> None:
    path = put(home / "s.jsonl", b"one line\n" * 1000)
    with opened(path) as reader:
        put(path, b"one line\n" * 10 + b"cut")
        given_back = list(backward(reader, never, 64))
    assert b"".join(item.data or b"" for item in reversed(given_back)) == b"one line\n" * 10 + b"cut"
    assert not given_back[0].ended


def test_pages_of_results_add_up(agent: Path) -> None:
    session = Writer()
    for number in range(25):
        session.user(f"cherry {number}")
    save(agent, session)
    listed = sessions_of(agent)
    whole = search("cherry", (), listed).results()
    pages = [search("cherry", (), listed).results(offset, 10) for offset in (0, 10, 20, 30)]
    assert [page.total for page in pages] == [25] * 4
    assert [page.shown for page in pages] == [10, 10, 5, 0]
    assert [hit for page in pages for hit in page.hits] == list(whole.hits)
