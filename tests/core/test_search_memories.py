"""Searching memories: what is found, what comes first, and where it says it is."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest
from cli_home import fact
from facts_store import snap, stored
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.layouts.base import Snapshot
from memtui.core.safety import display
from memtui.core.search.searching import Hit, search

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def memories(files: Mapping[str, str], *, days_old: Mapping[str, int] | None = None) -> Snapshot:
    ages = days_old or {}
    return snap(
        {
            path: dataclasses.replace(stored(path, text), updated=NOW - timedelta(days=ages.get(path, 1)))
            for path, text in files.items()
        }
    )


def hits(snapshot: Snapshot, typed: str) -> list[Hit]:
    return list(search(typed, (snapshot,), ()))


def ids(snapshot: Snapshot, typed: str) -> list[str]:
    return [hit.id for hit in hits(snapshot, typed)]


def test_a_hit_says_where_it_is() -> None:
    text = fact("port", body="One line.\n\nThe staging host uses port 2222.")
    snapshot = memories({"port.md": text})
    (hit,) = hits(snapshot, "staging 2222")
    assert (hit.kind, hit.id, hit.store, hit.agent) == ("memory", "port.md", "s1", "zcode")
    assert hit.file == snapshot.store.root / "port.md"
    lines = text.split("\n")
    assert hit.line is not None and "staging host" in lines[hit.line - 1]
    assert text.encode()[hit.offset :].startswith(b"staging")
    assert [hit.snippet[first:last] for first, last in hit.matches] == ["staging", "2222"]
    assert (hit.updated, hit.session, hit.branch, hit.resume) == (NOW - timedelta(days=1), "", "", "")


def test_words_may_stand_in_name_description_hook_and_body() -> None:
    snapshot = memories(
        {
            "MEMORY.md": "- [Deploy notes](deploy.md) — uses heron\n",
            "deploy.md": fact("deploy", description="about finch", body="and ibis"),
        }
    )
    assert ids(snapshot, "deploy heron finch ibis") == ["deploy.md"]
    assert ids(snapshot, "deploy heron finch osprey") == []


def test_a_row_without_a_file_is_found_by_its_line() -> None:
    snapshot = memories({"MEMORY.md": "- [Old thing](gone.md) — was about puffins\n"})
    assert ids(snapshot, "puffins") == ["gone.md"]


def test_what_the_owner_stamped_is_not_what_was_remembered() -> None:
    snapshot = memories({"a.md": fact("a", type="feedback")})
    assert ids(snapshot, "feedback") == ids(snapshot, "node_type") == []


def test_q01_chinese_substring_of_a_description() -> None:
    snapshot = memories({"restart.md": fact("restart", description="半夜重启")})
    assert ids(snapshot, "半夜") == ["restart.md"]
    assert ids(snapshot, "晚") == []


@pytest.mark.parametrize("typed", ["테스트", "\u1110\u1166\u1109\u1173\u1110\u1173"])
def test_q04_composed_and_decomposed_names(typed: str) -> None:
    nfc, nfd = "테스트.md", "\u1110\u1166\u1109\u1173\u1110\u1173.md"
    snapshot = memories({nfc: fact("a"), nfd: fact("b")})
    assert sorted(ids(snapshot, typed)) == sorted([nfc, nfd])


@pytest.mark.parametrize("typed", ["[", "[/", "foo(", "*", "100%", "a_b", "\\\\", '"'])
def test_q05_metacharacters_are_literal(typed: str) -> None:
    snapshot = memories(
        {"with.md": fact("x", body=f"before {typed} after"), "without.md": fact("y", body="1000 a-b foo bar")}
    )
    assert ids(snapshot, typed) == ["with.md"]


def test_q06_exact_beats_scattered_letters() -> None:
    body = fact("n", body="says auth in its text")
    snapshot = memories(
        {
            "a-useful-thing-here.md": fact("a-useful-thing-here"),
            "body-new.md": body,
            "body-old.md": body,
            "auth.md": fact("auth"),
            "oauth-flow.md": fact("oauth-flow"),
        },
        days_old={"body-new.md": 2, "body-old.md": 30, "auth.md": 400, "oauth-flow.md": 1},
    )
    assert ids(snapshot, "auth") == ["auth.md", "oauth-flow.md", "body-new.md", "body-old.md"]


@pytest.mark.parametrize("typed", ["cafe", "ZURICH", "Café"])
def test_q07_case_and_accents(typed: str) -> None:
    snapshot = memories(
        {"plain.md": fact("x", body="Cafe Zurich"), "accents.md": fact("y", body="Café Zürich")}
    )
    expected = ["accents.md", "plain.md"] if typed == "Café" else ["plain.md", "accents.md"]
    assert ids(snapshot, typed) == expected


def test_a_typing_error_in_a_name_is_forgiven_and_marked() -> None:
    snapshot = memories({"grafana-old.md": fact("grafana-old"), "other.md": fact("other", body="text")})
    (hit,) = hits(snapshot, "grafnaa")
    assert (hit.id, hit.is_fuzzy) == ("grafana-old.md", True)
    assert all(0 <= first < last <= len(hit.title) for first, last in hit.title_matches)
    assert not hits(snapshot, "grafana")[0].is_fuzzy


def test_names_that_are_only_alike_come_last_and_not_beside_many_exact_ones() -> None:
    few = {"deploy.md": fact("deploy"), "deplay.md": fact("deplay")}
    assert ids(memories(few), "deploy") == ["deploy.md", "deplay.md"]
    many = {f"deploy-{number}.md": fact(f"deploy-{number}") for number in range(5)}
    assert "deplay.md" not in ids(memories(few | many), "deploy")


def test_no_memory_is_looked_at_once_it_is_cancelled() -> None:
    snapshot = memories({f"kiwi-{number}.md": fact(f"kiwi-{number}") for number in range(50)})
    asked = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 10

    assert search("kiwi", (snapshot,), (), cancelled).results().total == 0
    assert len(asked) == 12


def test_hostile_names_are_shown_safely() -> None:
    snapshot = memories({"MEMORY.md": "- [a\x1b[31m\u202ekiwi](x.md) — hook\n", "x.md": fact("x")})
    (hit,) = hits(snapshot, "kiwi")
    shown = display.line(hit.title)
    assert [shown[first:last] for first, last in hit.title_matches] == ["kiwi"]
    assert display.line(hit.snippet) == hit.snippet


@given(st.text(max_size=30), st.text(max_size=60))
def test_any_query_on_any_text(typed: str, body: str) -> None:
    body = body.encode("utf-8", "replace").decode()
    snapshot = memories({"a.md": fact("a", body=body + typed.encode("utf-8", "replace").decode())})
    for hit in hits(snapshot, typed):
        assert all(0 <= first < last <= len(hit.snippet) for first, last in hit.matches)


def test_the_fuzzy_matcher_is_only_imported_when_it_is_needed() -> None:
    code = (
        "import sys; from memtui.core.library import Library, parse\n"
        "from memtui.core.search.searching import search\n"
        "list(search('x', (), ())); assert not {'rapidfuzz', 'textual'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
