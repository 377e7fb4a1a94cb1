"""What a session file says of memory: read from its end, no more of it than is allowed, branches and all."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from session_corpus import START, Writer, grown

from memtui.core.agents.conversation import CHUNK_BYTES, HEAD_BYTES, read_conversation
from memtui.core.agents.loaded import Conversation
from memtui.core.sessions.reader import Reader

CHECKSUM_BYTES = 256
MEMORY_TYPE = "zcode-memory/injected"


def give(session: Writer, text: str = "h") -> None:
    """What pi-zcode-memory leaves at a message, in the order in which pi 1.6 writes it."""
    session.entry("custom", customType=MEMORY_TYPE, data={"indexHash": text})
    session.message("system", "", sections={"memory_index": "<memory_index>\n</memory_index>"})
    session.user("hello")
    session.entry("custom_message", customType="zcode-memory", content="the index", display=False)
    session.assistant("yes")


def read(session: Writer, tmp_path: Path) -> Conversation:
    return read_conversation(session.save(tmp_path / "s.jsonl")).said


def test_what_a_session_was_given_read_and_shown(tmp_path: Path) -> None:
    session = Writer(parentSession="/elsewhere.jsonl")
    session.entry("model_change", provider="p", modelId="m")
    give(session, "one")
    session.tool("text of a memory", "memory_read")
    session.tool("a listing", "bash")
    content = "<relevant_memories>\n## ports.md\nPort 1\n\n## Ways of work\nFast\n</relevant_memories>"
    session.entry("custom_message", customType="memory-auto-surfacing", content=content, display=False)
    session.user("more")
    found = read(session, tmp_path)
    assert [(mark.kind, mark.text, mark.names) for mark in found.marks] == [
        ("shown", "memory-auto-surfacing", ("ports.md", "Ways of work")),
        ("read", "memory_read", ()),
        ("section", "memory_index", ()),
        ("given", "one", ()),
    ]
    assert found.is_fork and not found.is_cut and not found.has_branches
    assert found.began == START and found.first is not None and found.first > START
    assert found.asked is not None and found.spoke is not None and found.asked < found.spoke


def kept_from(session: Writer, first_kept: str) -> None:
    session.entry("compaction", summary="s", firstKeptEntryId=first_kept, tokensBefore=9)
    session.user("and then")


@pytest.mark.parametrize(
    ("kept", "is_lost"), [("model", False), ("turn", False), ("later", True), ("self", True)]
)
def test_a_compaction_takes_away_what_it_does_not_keep(tmp_path: Path, kept: str, is_lost: bool) -> None:
    session = Writer()
    session.entry("model_change", entry_id="model", provider="p", modelId="m")
    session.entry("custom", customType=MEMORY_TYPE, data={"indexHash": "h"})
    # the index comes behind the message that it was given with: whoever keeps that keeps it too
    session.user("hello", entry_id="turn")
    session.entry("custom_message", customType="zcode-memory", content="the index", display=False)
    session.assistant("yes")
    session.user("later", entry_id="later")
    session.assistant("yes")
    session.entry("compaction", entry_id="self", summary="s", firstKeptEntryId=kept, tokensBefore=9)
    session.user("and then")
    [given] = [mark for mark in read(session, tmp_path).marks if mark.kind == "given"]
    assert given.is_lost == is_lost


def test_other_branches_are_told_apart(tmp_path: Path) -> None:
    session = Writer()
    fork = session.user("first")
    give(session, "there")
    session.entry("compaction", summary="s", firstKeptEntryId=fork, tokensBefore=9)
    session.user("here instead", parent=fork)
    found = read(session, tmp_path)
    assert found.has_branches
    assert [(mark.kind, mark.on_branch) for mark in found.marks if mark.kind != "section"] == [
        ("compaction", False),
        ("given", False),
    ]


def test_no_more_of_a_large_session_is_read_than_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = grown(random.Random(7), 3 << 20)
    give(session)
    rest = grown(random.Random(8), 2 << 20)
    session.raw(bytes(rest.data[rest.data.index(b"\n") + 1 :]))
    # a line that is longer than any piece
    session.parent = f"{rest.number:08x}"
    session.user("x" * (2 * CHUNK_BYTES))
    file = session.save(tmp_path / "large.jsonl")
    total, read_at = 0, Reader.at

    def counted(self: Reader, offset: int, size_bytes: int) -> bytes:
        nonlocal total
        data = read_at(self, offset, size_bytes)
        total += len(data)
        return data

    monkeypatch.setattr(Reader, "at", counted)
    for most in (CHUNK_BYTES, 4 * CHUNK_BYTES):
        total = 0
        found = read_conversation(file, most_bytes=most).said
        assert found.is_cut and total <= most + HEAD_BYTES + CHECKSUM_BYTES
    assert found.spoke is not None and found.began is not None
    total = 0
    assert not read_conversation(file).said.is_cut
    assert total <= file.stat().st_size + HEAD_BYTES + CHECKSUM_BYTES


def test_a_session_seen_before_its_first_entry_is_read_like_any_other(tmp_path: Path) -> None:
    session = Writer(parentSession="/elsewhere.jsonl")
    file = session.save(tmp_path / "s.jsonl")
    before = read_conversation(file)
    give(session, "one")
    after = read_conversation(session.save(file), before)
    assert before.said.first is None and after.said.first is not None
    assert after.said == read_conversation(file).said


def test_of_a_session_that_grew_only_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = grown(random.Random(9), 2 << 20)
    give(session, "one")
    file = session.save(tmp_path / "s.jsonl")
    reading, sizes, read_at = read_conversation(file), [0], Reader.at

    def counted(self: Reader, offset: int, size_bytes: int) -> bytes:
        data = read_at(self, offset, size_bytes)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(Reader, "at", counted)

    def grow(act: Callable[[], object], torn: int = 0) -> int:
        """Bytes that were read for it; what is said is what all of it says."""
        nonlocal reading
        act()
        file.write_bytes(bytes(session.data[: len(session.data) - torn]))
        sizes.clear()
        reading = read_conversation(file, reading)
        took = sum(sizes)
        assert reading.said == read_conversation(file).said
        return took

    little = 4096
    assert grow(lambda: session.user("more")) < little
    assert grow(lambda: session.tool("of a memory", "memory_read"), torn=30) < little
    assert grow(lambda: session.assistant("yes")) < little
    assert grow(lambda: give(session, "two")) < little
    assert grow(lambda: None) < little
    # it went back, it was compacted, it is another file: all of it is read again
    first = session.user("first")
    grow(lambda: session.user("again", parent=first))
    assert grow(lambda: session.user("again", parent=first)) > little
    assert grow(lambda: kept_from(session, first)) > little
    session.data[20:30] = b"x" * 10
    assert grow(lambda: session.user("after all")) > little


@pytest.mark.parametrize("data", [b"", b"\n\n", b"no json\n", b'{"type":"session"}', b"\0" * 100])
def test_damaged_sessions_say_nothing(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(data)
    assert read_conversation(file).said == Conversation()


@pytest.mark.parametrize("kind", [[], {}, 7, None])
def test_entries_of_odd_types_are_passed_over(tmp_path: Path, kind: object) -> None:
    session = Writer()
    give(session, "one")
    for entry in ("custom", "custom_message"):
        session.entry(entry, customType=kind, data=kind, content=kind)
    assert [mark.text for mark in read(session, tmp_path).marks] == ["memory_index", "one"]
