"""What filters let pass: memories, sessions and their entries; and searches without a word."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli_home import fact
from facts_store import snap, stored
from session_corpus import START, Writer

from memtui.core.layouts.base import Snapshot
from memtui.core.search.index.reader import IndexReader
from memtui.core.search.index.writer import update_index
from memtui.core.search.searching import Hit, Results, search
from memtui.core.sessions.base import Session
from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import list_sessions
from memtui.core.sessions.pi_places import pi_places

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


# Memories


@pytest.fixture
def store() -> Snapshot:
    """Three memories that say `kiwi`, a day, a week and a year old."""
    files = {
        "new.md": fact("new", type="feedback", description="how kiwi is written"),
        "week.md": fact("week", type="project", body="kiwi of the week"),
        "old.md": fact("old", type="project", body="kiwi of old"),
    }
    ages = {"new.md": 1, "week.md": 7, "old.md": 365}
    return snap(
        {
            path: dataclasses.replace(stored(path, text), updated=NOW - timedelta(days=ages[path]))
            for path, text in files.items()
        }
    )


def memory_ids(store: Snapshot, typed: str) -> list[str]:
    return [hit.id for hit in search(typed, (store,), (), now=NOW)]


@pytest.mark.parametrize(
    ("typed", "ids"),
    [
        ("kiwi agent:ZCODE", ["new.md", "week.md", "old.md"]),
        ("kiwi agent:pi", []),
        ("kiwi store:s1 type:project", ["week.md", "old.md"]),
        ("kiwi store:zcode store:nowhere", ["new.md", "week.md", "old.md"]),
        ("kiwi store:nowhere", []),
        ("kiwi type:feedback type:user", ["new.md"]),
        ("kiwi in:memory", ["new.md", "week.md", "old.md"]),
        ("kiwi in:sessions", []),
        ("kiwi in:sessions in:memory", ["new.md", "week.md", "old.md"]),
        ("kiwi in:tools", []),
        ("kiwi role:user", []),
        ("kiwi in:memory role:user", []),
        ("kiwi dir:elsewhere", []),
        ("kiwi after:7d", ["new.md", "week.md"]),
        ("kiwi after:6d", ["new.md"]),
        ("kiwi before:7d", ["old.md"]),
        ("kiwi after:2w before:yesterday", ["week.md"]),
        ("type:project", ["week.md", "old.md"]),
        ("kiwy type:user", []),
    ],
)
def test_memories(store: Snapshot, typed: str, ids: list[str]) -> None:
    assert memory_ids(store, typed) == ids


def test_a_memory_is_found_by_the_directory_of_its_store(store: Snapshot) -> None:
    root = str(store.store.root)
    assert len(memory_ids(store, f'kiwi dir:"{root.upper()}"')) == 3
    assert len(memory_ids(store, f'kiwi dir:"{root}/"')) == 3


def test_a_filter_alone_lists_the_newest_memory_first_by_what_it_says(store: Snapshot) -> None:
    hits = list(search("agent:zcode", (store,), (), now=NOW))
    assert [hit.id for hit in hits] == ["new.md", "week.md", "old.md"]
    assert hits[0].snippet == "how kiwi is written" and hits[0].matches == ()


def test_names_that_are_alike_have_to_pass_and_an_exact_text_has_none(store: Snapshot) -> None:
    alike = snap({"grafana.md": stored("grafana.md", fact("grafana", type="user"))})
    assert memory_ids(alike, "grafnaa type:user") == ["grafana.md"]
    assert memory_ids(alike, "grafnaa type:project") == memory_ids(alike, "=grafnaa") == []
    assert memory_ids(store, "=KIWI OF  the") == ["week.md"]
    assert memory_ids(store, "=of kiwi") == []


# Sessions


INDEX: list[IndexReader] = []
"""The index that is searched, if there is one."""


@pytest.fixture(params=["files", "index"])
def sessions(home: Path, request: pytest.FixtureRequest) -> Iterator[list[Session]]:
    """Two sessions that say `mango`: an old one in ~/code/app, one of today in ~/notes."""
    agent = home / "agent"
    first = Writer("/home/dev/code/My App", "old")
    first.user("mango question")
    first.assistant("mango answer")
    call = {"type": "toolCall", "name": "bash", "arguments": {"command": "grep mango"}}
    first.message("assistant", [{"type": "text", "text": "I look for mango"}, call])
    first.tool("mango found")
    first.message("bashExecution", None, command="ls mango", output="", exitCode=0)
    first.entry("session_info", name="About mango")
    first.save(agent / "sessions" / "a" / "old.jsonl", START + timedelta(minutes=1))
    second = Writer("/home/dev/notes", "new")
    second.moment = NOW - timedelta(hours=13)
    second.user("mango of yesterday")
    second.moment = NOW - timedelta(hours=2)
    second.user("mango of today")
    second.save(agent / "sessions" / "b" / "new.jsonl", NOW - timedelta(hours=1))
    listed = list(list_sessions(pi_places(agent, Path("/x"), agent.parent), SessionCache(None)))
    if request.param == "index":
        update_index(home / "cache", [session.file for session in listed])
        INDEX.append(IndexReader(home / "cache"))
    yield listed
    INDEX.clear()


def found(sessions: list[Session], typed: str) -> Results:
    return search(typed, (), sessions, now=NOW, index=INDEX[0] if INDEX else None).results()


def said(sessions: list[Session], typed: str) -> list[str]:
    return [hit.snippet for hit in found(sessions, typed).hits]


OLD = ["About mango", "ls mango", "mango found", "I look for mango", "mango answer", "mango question"]
NEW = ["mango of today", "mango of yesterday"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("mango agent:pi", NEW + OLD),
        ("mango agent:claude", []),
        ("mango dir:NOTES", NEW),
        ('mango dir:"my app/"', OLD),
        ("mango dir:~/code", OLD),
        ("mango dir:notes dir:code", NEW + OLD),
        ("mango role:user", [*NEW, "mango question"]),
        ("mango role:assistant role:session_info", ["About mango", "I look for mango", "mango answer"]),
        ("mango role:tool", ["mango found"]),
        ("mango in:tools", ["ls mango", "mango found", "grep mango"]),
        ("mango in:tools role:assistant", ["grep mango"]),
        ("mango in:tools in:sessions", NEW + OLD),
        ("mango in:memory", []),
        ("mango in:memory in:tools", ["ls mango", "mango found", "grep mango"]),
        ("mango store:zcode", []),
        ("mango type:user", []),
        ("mango store:zcode role:user", []),
        ("mango after:today", ["mango of today"]),
        ("mango after:yesterday", NEW),
        ("mango before:today after:1d", ["mango of yesterday"]),
        ("mango before:2026-11-02", OLD),
        ("mango after:2027", []),
        ("role:user", [*NEW, "mango question"]),
        ("in:tools before:2026-11-02", ["ls mango", "mango found", "grep mango"]),
        ("=MANGO  of", NEW),
        ("=of mango", []),
    ],
)
def test_sessions(sessions: list[Session], typed: str, expected: list[str]) -> None:
    results = found(sessions, typed)
    assert [hit.snippet for hit in results.hits] == expected
    assert not results.hidden


def test_a_filter_alone_finds_everything_that_was_said_newest_first(sessions: list[Session]) -> None:
    hits = found(sessions, "agent:pi").hits
    assert [hit.snippet for hit in hits] == NEW + OLD
    assert not any(hit.matches or hit.title_matches or hit.role == "session" for hit in hits)


def test_sessions_that_are_too_old_are_not_read(sessions: list[Session]) -> None:
    gone = [dataclasses.replace(item, file=item.file.with_name("gone.jsonl")) for item in sessions]
    assert found(gone, "mango after:2026-11-20").hidden == {"unreadable": 1}
    assert found(gone, "mango dir:elsewhere").hidden == {}
    assert found(gone, "mango type:user").hidden == {}


def test_a_message_without_a_time_is_as_old_as_its_session(home: Path) -> None:
    session = Writer("/a")
    session.user("papaya")
    session.raw(
        b'{"type":"message","id":"zz","parentId":null,"message":{"role":"user","content":"papaya 2"}}\n'
    )
    session.save(home / "agent" / "sessions" / "a" / "s.jsonl", START)
    listed = list(
        list_sessions(pi_places(home / "agent", Path("/x"), home), SessionCache(None)),
    )
    assert said(listed, "papaya before:2026-11-02") == ["papaya 2", "papaya"]
    assert said(listed, "papaya after:2026-11-02") == []


def test_a_search_without_words_ends_when_it_is_cancelled(sessions: list[Session]) -> None:
    hits: list[Hit] = []
    for hit in search("agent:pi", (), sessions, lambda: len(hits) >= 3, now=NOW):
        hits.append(hit)
    assert len(hits) == 3
