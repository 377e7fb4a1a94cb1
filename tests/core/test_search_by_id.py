"""A pasted id leads to its session or entry before anything that only holds the same words."""

from __future__ import annotations

from pathlib import Path

import pytest
from session_corpus import START, Writer

from memtui.core.search.by_id import find_entry
from memtui.core.search.searching import Hit, search
from memtui.core.sessions.base import Session
from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import list_sessions
from memtui.core.sessions.pi_places import pi_places
from memtui.core.sessions.reader import never

FIRST = "01a22d61-77aa-7bbb-8ccc-0123456789ab"
SECOND = "01a22d62-77aa-7bbb-8ccc-0123456789ab"


@pytest.fixture
def agent(home: Path) -> Path:
    return home / "agent"


def save(agent: Path, session: Writer, name: str) -> Path:
    return session.save(agent / "sessions" / "a" / name)


def sessions_of(agent: Path) -> list[Session]:
    return list(list_sessions(pi_places(agent, Path("/x"), agent.parent), SessionCache(None)))


def found(agent: Path, typed: str) -> list[Hit]:
    return list(search(typed, (), sessions_of(agent)))


@pytest.fixture
def two(agent: Path) -> Path:
    """A session, and a newer one that speaks of the first one's ids."""
    session = Writer("/a", FIRST)
    session.user("first papaya", entry_id="deadbeef")
    session.assistant("answer", entry_id="deadbee0")
    save(agent, session, "1.jsonl")
    later = Writer("/a", SECOND)
    later.moment = START.replace(day=9)
    later.user(f"what was {FIRST} about, and deadbeef in it?", entry_id="0badcafe")
    save(agent, later, "2.jsonl")
    return agent


@pytest.mark.parametrize("typed", [FIRST, FIRST.upper(), f" {FIRST}\n"])
def test_a_session_comes_before_what_speaks_of_it(two: Path, typed: str) -> None:
    hits = found(two, typed)
    assert [(hit.session, hit.role, hit.is_named) for hit in hits] == [
        (FIRST, "session", True),
        (SECOND, "user", False),
    ]
    assert (hits[0].id, hits[0].offset, hits[0].snippet) == (FIRST, 0, FIRST)
    assert hits[0].matches == ((0, len(FIRST)),)


def test_the_start_of_an_id_names_every_session_that_has_it(two: Path) -> None:
    assert [hit.session for hit in found(two, "01a22d61") if hit.is_named] == [FIRST]
    assert [hit.session for hit in find_entry(sessions_of(two), "01a22d6", never)] == [SECOND, FIRST]
    assert not any(hit.is_named for hit in found(two, "01a22d6"))


def test_an_entry_is_found_by_its_own_id_and_not_by_another_ones(two: Path) -> None:
    entry, mention = found(two, "deadbeef")
    assert (entry.id, entry.role, entry.snippet, entry.is_named) == ("deadbeef", "user", "first papaya", True)
    assert (entry.session, entry.branch, entry.part) == (FIRST, "active", "text")
    assert entry.file.read_bytes()[entry.offset :].startswith(b'{"type":"message","id":"deadbeef"')
    assert (mention.id, mention.is_named) == ("0badcafe", False)
    assert [hit.id for hit in found(two, "DEADBEE0")] == ["deadbee0"]
    assert found(two, "deadbee1") == []


def test_an_entry_that_says_nothing_is_found_too(agent: Path) -> None:
    session = Writer("/a")
    session.entry("model_change", entry_id="abcdef01", provider="x", modelId="y")
    save(agent, session, "1.jsonl")
    (hit,) = found(agent, "abcdef01")
    assert (hit.role, hit.snippet, hit.part) == ("model_change", "", "")


def test_a_copy_in_a_fork_is_found_beside_the_original(agent: Path) -> None:
    parent = Writer("/a", "parent")
    parent.user("one lychee", entry_id="deadbeef")
    path = save(agent, parent, "1.jsonl")
    fork = Writer("/a", "fork", parentSession=str(path))
    fork.raw(bytes(parent.data).split(b"\n", 1)[1])
    fork.moment = START.replace(day=9)
    fork.user("two")
    save(agent, fork, "2.jsonl")
    assert [hit.session for hit in found(agent, "deadbeef")] == ["fork", "parent"]


def test_a_header_behind_something_else_and_files_that_are_gone(agent: Path) -> None:
    session = Writer("/a", FIRST)
    session.user("x", entry_id="deadbeef")
    session.data = bytearray(b"\n" + bytes(session.data))
    path = save(agent, session, "1.jsonl")
    listed = sessions_of(agent)
    (hit,) = find_entry(listed, FIRST, never)
    assert hit.offset == 1
    assert list(find_entry(listed, "deadbeef", lambda: True)) == []
    path.unlink()
    assert list(find_entry(listed, FIRST, never)) == list(find_entry(listed, "deadbeef", never)) == []
    results = search("deadbeef", (), listed).results()
    assert results.hidden == {"unreadable": 1}
