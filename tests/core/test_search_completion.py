"""What a query may go on with, while it is typed."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from cli_home import fact
from facts_store import snap, stored
from hypothesis import given
from hypothesis import strategies as st
from session_corpus import START, Writer

from memtui.core.safety import display
from memtui.core.search.completion import Known, complete, known_from
from memtui.core.search.query import parse
from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import list_sessions
from memtui.core.sessions.pi_places import pi_places

KNOWN = Known(
    agents=("pi", "zcode", "claude"),
    stores=(("zcode:app-1c3f", "zcode"), ("zcode:web-9f2c", "zcode"), ("claude:app", "claude")),
    types=("feedback", "project", "user"),
    dirs=(
        "/home/dev/code/app",
        "/home/dev/My Notes",
        "/srv/app",
        "/home/dev/code/web\x1b[31m",
        "/home/developer",
    ),
    home="/home/dev",
)


def offered(typed: str, cursor: int | None = None) -> list[str]:
    """The queries that are offered, whole."""
    cursor = len(typed) if cursor is None else cursor
    found = complete(typed, cursor, lambda: KNOWN)
    return [typed[: item.start] + item.text + typed[item.end :] for item in found]


def test_keywords_by_their_beginnings() -> None:
    assert offered("ag") == ["agent:"]
    assert offered("a") == ["agent:", "after:"]
    assert offered("port AG") == ["port agent:"]
    assert offered("port ag here", 7) == ["port agent: here"]
    assert [item.about for item in complete("ag", 2, lambda: KNOWN)] == ["whose session or memory"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("agent:", ["agent:pi", "agent:zcode", "agent:claude"]),
        ("x AGENT:P", ["x agent:pi"]),
        ("in:", ["in:memory", "in:sessions", "in:tools"]),
        ("in:memory", []),
        ("role:b", ["role:bash", "role:branch_summary"]),
        ("store:z", ["store:zcode", "store:zcode:app-1c3f", "store:zcode:web-9f2c"]),
        ("store:zcode", ["store:zcode:app-1c3f", "store:zcode:web-9f2c"]),
        ("type:", ["type:feedback", "type:project", "type:user"]),
        ("after:", [f"after:{text}" for text in ("today", "yesterday", "1d", "1w", "1m", "1y", "6h")]),
        ("before:y", ["before:yesterday"]),
        (
            "dir:",
            ["dir:~/code/app", 'dir:"My Notes"', "dir:/srv/app", "dir:developer"],
        ),
        ("dir:ap", ["dir:~/code/app", "dir:/srv/app"]),
        ("dir:~/C", ["dir:~/code/app"]),
        ("dir:/s", ["dir:/srv/app"]),
        ('dir:"my n', ['dir:"My Notes"']),
        ('agent:"p', ['agent:"pi"']),
    ],
)
def test_values_that_exist(typed: str, expected: list[str]) -> None:
    assert offered(typed) == expected


@pytest.mark.parametrize(
    "typed",
    ["", "ag ", "xag", '"ag', '"x ag', '"ag"', "=ag", "= role:", "foo:", "foo:a", 'dir:"my notes"', "agent:x"],
)
def test_nothing_is_offered(typed: str) -> None:
    assert offered(typed) == []


def test_nothing_is_offered_in_the_middle_of_a_word_or_behind_the_text() -> None:
    assert offered("agent", 2) == []
    assert offered("ag", 0) == offered("ag", 9) == offered("ag", -1) == []


def test_what_is_offered_is_understood_and_safe() -> None:
    for typed in ("agent:", "store:", "type:", "in:", "role:", "dir:", "after:", "before:"):
        for item in complete(typed, len(typed), lambda: KNOWN):
            query = parse(item.text)
            assert query.filters and not query.words, item
            assert display.line(item.label) == item.label and display.line(item.about) == item.about


def test_a_path_that_is_told_beside_a_name_is_safe() -> None:
    known = Known(dirs=("/srv/\x1b[31m/app",))
    assert [(item.label, item.about) for item in complete("dir:", 4, lambda: known)] == [
        ("app", "/srv/␛[31m/app")
    ]
    assert complete("dir:/", 5, lambda: known) == ()


def test_the_values_come_from_what_there_is(home: Path) -> None:
    for number, cwd in enumerate(("/home/dev/old", "/home/dev/new", "/home/dev/old2", "/home/dev/new")):
        session = Writer(cwd, f"s{number}")
        session.moment = START.replace(day=1 + number)
        session.user("x")
        session.save(home / "agent" / "sessions" / "a" / f"{number}.jsonl")
    sessions = list_sessions(pi_places(home / "agent", Path("/x"), home), SessionCache(None))
    snapshot = snap(
        {"a.md": stored("a.md", fact("a", type="user")), "b.md": stored("b.md", fact("b", type=""))}
    )
    snapshot = dataclasses.replace(snapshot, store=dataclasses.replace(snapshot.store, id="zcode:a"))
    known = known_from((snapshot,), sessions, Path("/home/dev"))
    assert known.agents == ("pi", "zcode")
    assert known.stores == (("zcode:a", "zcode"),)
    assert known.dirs == ("/home/dev/new", "/home/dev/old2", "/home/dev/old")
    assert "user" in known.types and "" not in known.types


@given(st.one_of(st.text(), st.text(alphabet='agentdir:"= \t~/y')), st.integers(-1, 40))
def test_any_text_and_any_place(typed: str, cursor: int) -> None:
    for item in complete(typed, cursor, lambda: KNOWN):
        assert 0 <= item.start < item.end == cursor
        assert not any(character.isspace() for character in typed[item.start : item.end]) or '"' in typed
