"""`search` and `sessions` on the command line: their JSON, their plain form, their exit statuses."""

from __future__ import annotations

import os

import pytest
from cli_home import CliHome, fact
from session_corpus import Writer, put

HIT = {
    *("kind", "id", "session", "store", "agent", "title", "file", "line", "role", "snippet", "matches"),
    *("branch", "updated", "resume"),
}
SESSION = {
    *("id", "agent", "file", "title", "cwd", "updated", "turns", "messages", "damaged", "running"),
    "pi_lists",
}


@pytest.fixture
def cli(home, capfdbinary):
    return CliHome(home, capfdbinary)


def save(cli, session, name="a.jsonl", folder="--x--"):
    return session.save(cli.home / ".pi" / "agent" / "sessions" / folder / name)


def fill(cli):
    """A memory and two sessions that say `kiwi`, one of them of another project."""
    cli.fill({"kiwi.md": fact("kiwi", body="a green fruit")})
    mine = Writer(os.path.realpath(cli.project), "mine")
    mine.user("what is a kiwi")
    mine.assistant("a bird")
    other = Writer("/elsewhere", "other")
    other.user("kiwi \x1b[31mred")
    return save(cli, mine), save(cli, other, "b.jsonl")


def test_search_says_memories_then_sessions(cli):
    path, _other = fill(cli)
    answered = cli.run("search", "kiwi", "--json")
    document = answered.json
    assert answered.status == 0
    assert set(document) == {"query", "hits", "total", "shown", "hidden", "suggestion", "cut", "index"}
    assert all(set(hit) == HIT for hit in document["hits"])
    assert [hit["kind"] for hit in document["hits"]] == ["memory", "session", "session"]
    assert (document["query"], document["total"], document["shown"], document["hidden"]) == ("kiwi", 3, 3, {})
    memory, *sessions = document["hits"]
    assert (memory["id"], memory["store"], memory["session"]) == ("kiwi.md", cli.store_id, None)
    mine = next(hit for hit in sessions if hit["session"] == "mine")
    assert (mine["role"], mine["branch"], mine["line"], mine["file"]) == ("user", "active", 2, str(path))
    (span,) = mine["matches"]
    assert mine["snippet"][span[0] : span[1]] == "kiwi"
    assert mine["resume"].endswith(f"pi --session {path}")


def test_search_here_limit_and_offset(cli):
    fill(cli)
    here = cli.run("search", "kiwi", "--here", "--json").json
    assert (here["total"], here["hidden"]) == (2, {"other-project": 1})
    page = cli.run("search", "kiwi", "--limit", "1", "--offset", "1", "--json").json
    assert (page["total"], page["shown"], page["hits"][0]["kind"]) == (3, 1, "session")
    assert cli.run("search", "kiwi", "--limit", "0", "--json").json["total"] == 3


def test_words_of_the_command_line_are_one_query(cli):
    fill(cli)
    assert cli.run("search", "green", "fruit", "--json").json["query"] == "green fruit"
    assert cli.run("search", '"fruit green"').status == 1
    assert cli.run("search", "--json", "--", "--kiwi").json["query"] == "--kiwi"


def test_nothing_found_and_nothing_asked(cli):
    fill(cli)
    answered = cli.run("search", "pomelo")
    assert (answered.status, answered.out) == (1, "nothing found\n")
    assert cli.run("search", "pomelo", "--json").json["hits"] == []
    assert cli.run("search", " ", "--json").json["error"]["code"] == "usage"
    assert cli.run("search", "x", "--limit", "-1").status == 2


def test_the_command_line_takes_filters(cli):
    fill(cli)
    memories = cli.run("search", "kiwi", "in:memory", "--json").json
    assert [hit["kind"] for hit in memories["hits"]] == ["memory"]
    assert memories["query"] == "kiwi in:memory"
    here = cli.run("search", "kiwi", "role:user", "dir:elsewhere", "--json").json
    assert [hit["session"] for hit in here["hits"]] == ["other"]
    alone = cli.run("search", "role:assistant", "--json").json
    assert [hit["snippet"] for hit in alone["hits"]] == ["a bird"]
    assert cli.run("search", "=a  green", "--json").json["total"] == 1
    assert cli.run("search", "in:nowhere").status == 1
    hidden = cli.run("search", "kiwi", "agent:claude", "--here", "--json").json["hidden"]
    assert hidden == {}


def test_days_are_counted_from_the_present_of_the_environment(cli):
    fill(cli)
    assert cli.run("search", "kiwi role:user after:2026-10-31 before:2026-11-03", "--json").json["total"] == 2
    assert cli.run("search", "kiwi role:user before:2026-10-31", "--json").json["total"] == 0


def test_the_help_names_every_filter(cli):
    from memtui.core.search.keywords import KEYWORDS

    told = cli.run("search", "--help").out
    assert all(f"  {keyword}:" in told for keyword in KEYWORDS)
    assert "=TEXT" in told and all(len(line) <= 100 for line in told.splitlines())


def test_the_plain_form_is_grouped_and_safe(cli):
    fill(cli)
    out = cli.run("search", "kiwi").out
    assert "\x1b" not in out
    lines = out.splitlines()
    assert lines[0].startswith(f"{cli.store_id}  kiwi.md")
    assert "    2: user: kiwi ␛[31mred" in lines
    page = cli.run("search", "kiwi", "--limit", "1").out
    assert page.splitlines()[-1] == "1 to 1 of 3; --limit and --offset show others"


def test_sessions_of_this_project_with_their_counts(cli):
    path, _other = fill(cli)
    answered = cli.run("sessions", "--json")
    document = answered.json
    assert answered.status == 0
    assert set(document) == {"sessions", "total", "hidden"}
    (session,) = document["sessions"]
    assert set(session) == SESSION
    assert (session["id"], session["title"], session["file"]) == ("mine", "what is a kiwi", str(path))
    assert (session["turns"], session["messages"], session["damaged"]) == (1, 2, 0)
    assert (session["pi_lists"], document["total"], document["hidden"]) == (True, 2, {"other-project": 1})


def test_all_sessions_newest_first_and_marked(cli):
    fill(cli)
    put(cli.home / ".pi" / "agent" / "sessions" / "--x--" / "junk.jsonl", b"no session\n")
    document = cli.run("sessions", "--all", "--json").json
    assert {session["id"] for session in document["sessions"]} == {"mine", "other", "junk"}
    assert [s["pi_lists"] for s in document["sessions"] if s["id"] == "junk"] == [False]
    updated = [session["updated"] for session in document["sessions"]]
    assert updated == sorted(updated, reverse=True)
    plain = cli.run("sessions", "--all").out
    assert "not listed by pi" in plain and "/elsewhere" in plain


def test_sessions_page_by_page(cli):
    fill(cli)
    every = [session["id"] for session in cli.run("sessions", "--all", "--json").json["sessions"]]
    assert len(every) == 2
    for offset, limit, shown in [(0, 1, every[:1]), (1, 5, every[1:]), (0, 0, []), (9, 1, [])]:
        words = ("sessions", "--all", "--offset", str(offset), "--limit", str(limit))
        document = cli.run(*words, "--json").json
        assert [session["id"] for session in document["sessions"]] == shown
        assert document["total"] == 2
        last = cli.run(*words).out.splitlines()[-1]
        first = offset + 1
        said = f"{first} to {offset + len(shown)} of 2; --limit" if shown else f"none of 2 from {first} on"
        assert last.startswith(said)
    assert cli.run("sessions", "--here", "--json").json == cli.run("sessions", "--json").json
    assert cli.run("sessions", "--limit", "-1").status == 2
    assert cli.run("sessions", "--here", "--all").status == 2


def test_without_sessions_the_list_is_empty_and_fine(cli):
    answered = cli.run("sessions", "--json")
    assert (answered.status, answered.json) == (0, {"sessions": [], "total": 0, "hidden": {}})
    assert cli.run("sessions").out == "no sessions of this project\n"


def test_looking_changes_nothing_but_the_cache(cli):
    fill(cli)
    before = cli.tree()
    cli.run("search", "kiwi")
    cli.run("sessions", "--all")
    after = {name: data for name, data in cli.tree().items() if not name.startswith(".cache")}
    assert after == before
