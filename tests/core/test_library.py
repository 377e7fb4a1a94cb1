"""The door to conversations: whose sessions they are, how one is named, and search over all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from session_corpus import Writer, put

from memtui.core.env import Env
from memtui.core.errors import StorageError, UnknownIdError, UsageError
from memtui.core.library import Library


def agent_dir(env: Env) -> Path:
    return env.home / ".pi" / "agent"


def save(env: Env, cwd: str, session_id: str, text: str = "hello", name: str = "") -> Path:
    session = Writer(cwd, session_id)
    session.user(text)
    folder = "--" + cwd.strip("/").replace("/", "-") + "--"
    return session.save(agent_dir(env) / "sessions" / folder / f"{name or session_id}.jsonl")


def test_sessions_of_other_projects_are_counted(env: Env) -> None:
    here = save(env, str(env.cwd), "mine")
    save(env, "/other", "theirs")
    put(agent_dir(env) / "sessions" / "--other--" / "junk.jsonl", b'{"type":"x"}\n')
    library = Library(env)
    sessions, hidden = library.split(library.sessions())
    assert [session.file for session in sessions] == [here]
    assert hidden == {"other-project": 1, "not-listed": 1}


def test_the_settings_of_pi_are_followed(make_env, home: Path) -> None:
    env = make_env(environ={"PI_CODING_AGENT_DIR": str(home / "pi")})
    put(home / "pi" / "settings.json", json.dumps({"sessionDir": str(home / "flat")}).encode())
    Writer(str(env.cwd), "flat-1").save(home / "flat" / "a.jsonl")
    Writer("/other", "flat-2").save(home / "flat" / "b.jsonl")
    library = Library(env)
    sessions, hidden = library.split(library.sessions())
    assert ([session.id for session in sessions], hidden) == (["flat-1"], {"other-project": 1})


def test_a_session_is_found_by_id_and_by_file(env: Env) -> None:
    path = save(env, "/a", "one")
    save(env, "/b", "two")
    library = Library(env)
    assert library.find_session("one").file == path
    assert library.find_session(str(path)).id == "one"
    with pytest.raises(UnknownIdError, match="no session three"):
        library.find_session("three")
    copy = save(env, "/b", "one", name="copy")
    with pytest.raises(UsageError, match="several files") as raised:
        library.find_session("one")
    assert str(copy) in raised.value.message and str(path) in raised.value.message


def test_search_here_leaves_out_other_projects_and_says_so(env: Env) -> None:
    save(env, str(env.cwd), "mine", "kiwi here")
    save(env, "/other", "theirs", "kiwi there")
    library = Library(env)
    sessions = list(library.sessions())
    assert library.search("kiwi", (), sessions).results().total == 2
    results = library.search("kiwi", (), sessions, here=True).results()
    assert [hit.session for hit in results.hits] == ["mine"]
    assert results.hidden == {"other-project": 1}


def test_lines_of_hits_are_counted(env: Env) -> None:
    session = Writer(str(env.cwd), "mine")
    for number in range(5):
        session.user(f"fig {number}\n")
    path = session.save(agent_dir(env) / "sessions" / "--x--" / "a.jsonl")
    library = Library(env)
    hits = library.with_lines(library.search("fig", (), library.sessions()).results().hits)
    lines = path.read_bytes().split(b"\n")
    assert [hit.line for hit in hits] == [6, 5, 4, 3, 2]
    assert all(hit.snippet.encode() in lines[hit.line - 1] for hit in hits if hit.line)
    path.unlink()
    assert {hit.line for hit in library.with_lines(hits)} == {None}


def test_a_transcript_that_is_gone_is_an_error_for_the_person(env: Env) -> None:
    path = save(env, "/a", "one")
    library = Library(env)
    assert len(library.transcript(path)) == 2
    path.unlink()
    with pytest.raises(StorageError, match="it is gone"):
        library.transcript(path)


def test_counts_are_kept_for_the_next_start(env: Env) -> None:
    session = Writer(str(env.cwd), "large")
    while len(session.data) < 100_000:
        session.user("word " * 100)
    session.save(agent_dir(env) / "sessions" / "--x--" / "a.jsonl")
    library = Library(env)
    (row,) = library.sessions()
    assert row.counts is None
    (counted,) = library.count([row])
    assert not env.cache_dir.exists()
    library.save()
    assert [session.counts for session in Library(env).sessions()] == [counted.counts]


def test_without_sessions_nothing_is_made(env: Env) -> None:
    library = Library(env)
    assert list(library.sessions()) == []
    assert library.search("x", (), ()).results().total == 0
    library.save()
    assert not agent_dir(env).exists() and not env.cache_dir.exists()
