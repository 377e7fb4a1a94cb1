"""Secrets on the command line: never shown unasked, redacted in place, purged from all that memtui keeps."""

from __future__ import annotations

import io
import json
import os
import sys
import time

import made_secrets as made
import pytest
from cli_home import CliHome, fact
from session_corpus import Writer

from memtui.core import fs

KEPT = (".config/memtui", ".local/state/memtui", ".cache/memtui")
SECRETS = (made.GITHUB, made.AWS, made.PASSWORD, made.BEARER, made.KEY_BODY.split("\n")[1])
BODY = f"password={made.PASSWORD}\nAuthorization: Bearer {made.BEARER}\n{made.KEY}\nsk-learn, {made.HEX}\n"


@pytest.fixture
def cli(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    cli.fill(
        {
            "MEMORY.md": f"- [Deploy {made.AWS}](deploy.md) — the token is {made.GITHUB}\n- [B](b.md) — see vault\n",
            "deploy.md": fact("deploy", f"the token is {made.GITHUB}", body=BODY),
            "b.md": fact("b", "see vault", body="password: see vault"),
        }
    )
    return cli


@pytest.fixture
def session(cli):
    """A session of the project that begins with a secret, last changed an hour ago."""
    writer = Writer(os.path.realpath(cli.project), "s-1")
    writer.user(f"deploy with {made.GITHUB} please")
    writer.assistant(f"done, kiwi, {made.GITHUB}")
    name = "--" + os.path.realpath(cli.project).strip("/").replace("/", "-") + "--"
    path = writer.save(cli.home / ".pi" / "agent" / "sessions" / name / "a.jsonl")
    hour_ago = time.time() - 3600
    os.utime(path, (hour_ago, hour_ago))
    return path


def held(cli, *texts):
    """The files of memtui's own folders that hold one of the texts, or have it in their name."""
    found = {f"{root}/{name}": data for root in KEPT for name, data in cli.tree(cli.home / root).items()}
    return [
        name
        for name, data in found.items()
        if any(
            text in name or text.encode() in data or json.dumps(text)[1:-1].encode() in data for text in texts
        )
    ]


def test_t14_no_command_shows_a_secret_unless_it_is_told_to(cli, session):
    assert cli.run("set", "deploy", "--body", BODY + "more\n").status == 0
    commands = [
        *(["list"], ["show", "deploy"], ["show", "--agent-view"], ["check"], ["status"], ["history"]),
        *(["search", "kiwi"], ["search", "token"], ["search", made.GITHUB[8:24]], ["sessions"]),
        *(["set", "deploy", "--body", "x\n", "--dry-run"], ["delete", "deploy"], ["undo", "--dry-run"]),
        *(["set", "deploy", "--title", f"T {made.AWS}", "--dry-run"], ["history", "1"]),
    ]
    for command in commands:
        for form in ((), ("--json",)):
            answered = cli.run(*command, *form)
            shown = answered.out + answered.err
            assert not any(secret in shown for secret in SECRETS), command
            assert made.HEX in shown or command[0] != "show" or "--agent-view" in command
    assert cli.run("show", "deploy", "--reveal").out.count(made.GITHUB) == 3
    assert made.BEARER in cli.run("--reveal", "show", "deploy", "--json").json["memory"]["text"]
    assert made.GITHUB in cli.run("sessions", "--json", "--reveal").json["sessions"][0]["title"]
    (hit,) = (hit for hit in cli.run("search", "kiwi", "--json").json["hits"] if hit["kind"] == "session")
    (span,) = hit["matches"]
    assert hit["snippet"][slice(*span)] == "kiwi" and "ghp_•••" in hit["snippet"]


def test_t14_check_names_what_and_where(cli):
    problems = [
        item for item in cli.run("check", "--json").json["stores"][0]["problems"] if item["code"] == "secret"
    ]
    assert [(item["file"], item["line"], item["severity"]) for item in problems] == [
        ("MEMORY.md", 1, "error"),
        ("MEMORY.md", 1, "error"),
        ("deploy.md", 3, "error"),
        ("deploy.md", 12, "error"),
        ("deploy.md", 9, "warning"),
        ("deploy.md", 10, "warning"),
    ]
    assert {item["memory"] for item in problems} == {"deploy.md"}


def test_redact_the_index_alone(cli):
    before = cli.tree(cli.store)
    assert cli.run("redact", "MEMORY.md", "--yes").status == 0
    after = cli.tree(cli.store)
    assert made.AWS.encode() not in after["MEMORY.md"] and made.GITHUB.encode() not in after["MEMORY.md"]
    assert {name: data for name, data in after.items() if name != "MEMORY.md"} == {
        name: data for name, data in before.items() if name != "MEMORY.md"
    }


def test_redact_asks_shows_nothing_and_can_be_undone(cli):
    before = cli.tree(cli.store)
    asked = cli.run("redact", "deploy")
    assert asked.status == 2 and "5 secrets" in asked.err
    planned = cli.run("redact", "deploy", "--dry-run")
    assert planned.status == 0 and "+password=[redacted]" in planned.out
    assert not any(secret in asked.err + planned.out for secret in SECRETS)
    assert cli.tree(cli.store) == before
    assert cli.run("redact", "deploy", "--yes").status == 0
    after = cli.tree(cli.store)
    text = after["deploy.md"].decode()
    assert not any(secret in text + after["MEMORY.md"].decode() for secret in SECRETS)
    assert (
        made.HEX in text and "the token is [redacted]" in text and "PRIVATE KEY-----\n[redacted]\n---" in text
    )
    assert after["MEMORY.md"].startswith(
        b"- [Deploy (redacted)](deploy.md) \xe2\x80\x94 the token is [redacted]\n"
    )
    assert cli.run("check", "--json").json["stores"][0]["problems"] == []
    assert cli.run("redact", "deploy", "--yes").status == 2
    assert "no secret" in cli.run("redact", "MEMORY.md", "--yes").err
    assert cli.run("redact", "nothing.md", "--yes").status == 3
    objects = cli.home / ".local/state/memtui/history/objects"
    assert {path.stat().st_mode & 0o777 for path in objects.iterdir()} == {0o600}
    assert cli.run("undo").status == 0
    assert cli.tree(cli.store) == before


def test_purge_leaves_the_text_in_no_file_of_memtui(cli, session):
    state = cli.home / ".local/state/memtui"
    assert cli.run("set", "b", "--body", f"{made.GITHUB}\n").status == 0
    assert cli.run("set", "b", "--title", f"x {made.GITHUB}").status == 0
    assert cli.run("delete", "b", "--yes").status == 0
    assert cli.run("set", "deploy", "--type", "user").status == 0
    assert cli.run("sessions").status == 0
    assert cli.run("index", "build").status == 0
    assert cli.run("sessions", "delete", "s-1", "--yes").status == 0
    for name in (f"drafts/aa/{made.GITHUB}.md", "drafts/bb/b.md", "drafts/bb/.b.md.swp", "copies/cc/1-rule.md"):
        (state / name).parent.mkdir(parents=True, exist_ok=True)
        (state / name).write_text(f"a {made.GITHUB} b")
    (state / "crash.log").write_text(f"ValueError: {made.GITHUB}")
    (state / "remembered.json").write_text(json.dumps({"used": {"undo": 2}, "places": {"x": made.GITHUB}}))
    assert len(held(cli, made.GITHUB)) > 10
    before = cli.tree()
    asked, looked = cli.run("purge", made.GITHUB), cli.run("purge", made.GITHUB, "--dry-run")
    assert asked.status == 2 and looked.status == 0 and cli.tree() == before
    (cli.store / "deploy.md~").write_text(made.GITHUB)
    before = cli.tree()
    (index,) = (cli.home / ".cache/memtui").glob("search-*/*")
    with fs.locked(index / "writer.lock"):
        assert cli.run("purge", made.GITHUB, "--yes").status == 3 and cli.tree() == before
    done = cli.run("purge", made.GITHUB, "--yes", "--json")
    assert not index.exists()
    assert done.status == 0 and held(cli, made.GITHUB) == []
    document = done.json
    assert (
        document["purged"]["index"] and document["purged"]["sessions"] == 1 and document["purged"]["texts"] >= 4
    )
    # what it cannot reach is named, and the text nowhere
    assert [os.path.basename(path) for path in document["left"]["memories"]] == [
        "MEMORY.md",
        "deploy.md",
        "deploy.md~",
    ]
    assert made.GITHUB not in asked.err + looked.out + looked.err + done.out
    # the rest is as it was: records stay readable, what was remembered too
    changes = cli.run("history", "--json").json["changes"]
    assert len(changes) == 5 and "[purged]" in json.dumps(changes)
    assert "its text was purged" in cli.run("history", changes[-1]["id"]).out
    undone = cli.run("undo", changes[-1]["id"])
    assert undone.status == 3 and "purged" in undone.err
    assert cli.run("undo", changes[1]["id"]).status == 3
    assert json.loads((state / "remembered.json").read_text())["used"] == {"undo": 2}
    assert cli.run("purge", made.GITHUB, "--yes").status == 0


def test_purge_the_secrets_of_a_memory_after_they_were_redacted(cli, session, monkeypatch):
    assert cli.run("changes").status == 0
    assert cli.run("redact", "deploy", "--yes").status == 0
    assert held(cli, *SECRETS)
    answered = cli.run("purge", "--secret-of", "deploy", "--yes", "--json")
    assert answered.status == 0 and held(cli, *SECRETS) == []
    assert answered.json["left"] == {"memories": [], "sessions": [str(session)], "settings": []}
    assert "delete or edit them" in " ".join(answered.json["notes"])
    assert cli.run("changes").status == 0 and held(cli, *SECRETS) == []
    assert cli.run("purge", "--secret-of", "b", "--yes").status == 2
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{made.PASSWORD}\n".encode())))
    assert "keeps nothing" in cli.run("purge", "--stdin", "--yes").out
    assert cli.run("purge", "abc", "--yes").status == 2


def test_repair_takes_the_same_secrets_out_and_leaves_those_it_is_not_asked_for(cli):
    before = cli.tree(cli.store)
    assert cli.run("repair", "--safe", "--yes").status == 0
    assert cli.tree(cli.store) == before
    answered = cli.run("repair", "deploy.md", "--only", "secret", "--yes")
    assert answered.status == 0, answered.err
    after = cli.tree(cli.store)
    assert not any(secret.encode() in after["MEMORY.md"] + after["deploy.md"] for secret in SECRETS)
    assert cli.run("undo").status == 0 and cli.tree(cli.store) == before


def test_sessions_that_hold_secrets_are_named_with_the_kinds(cli, session):
    harmless = Writer(os.path.realpath(cli.project), "s-2")
    harmless.user(f"look at commit {made.HEX}, the password is in the vault")
    harmless.save(session.with_name("b.jsonl"))
    hidden = Writer(os.path.realpath(cli.project), "s-3")
    hidden.user(f'config:\n{made.NPM}\n{{"password": "{made.PASSWORD}"}}\n{made.KEY}\n密码：{made.PASSWORD}')
    hidden.save(session.with_name("c.jsonl"))
    found = {
        item["id"]: item["secrets"] for item in cli.run("sessions", "--secrets", "--json").json["sessions"]
    }
    assert found == {
        "s-1": {"a GitHub token": 1},
        "s-3": {"an npm token": 1, "a password": 1, "a private key": 1},
    }
    answered = cli.run("sessions", "--secrets")
    assert "1x a GitHub token" in answered.out and "s-2" not in answered.out
    assert not any(secret in answered.out for secret in (made.GITHUB, made.NPM, made.PASSWORD))


@pytest.mark.parametrize("word", ["when", "2026", "memory", "lock"])
def test_purging_a_common_word_takes_away_no_more_than_the_texts_that_hold_it(cli, word):
    assert cli.run("set", "b", "--title", f"a {word} b").status == 0
    assert cli.run("set", "b", "--type", "user").status == 0
    (only,) = {change["summary"] for change in cli.run("history", "--json").json["changes"][:1]}
    assert cli.run("purge", word, "--yes").status == 0
    changes = cli.run("history", "--json").json["changes"]
    assert changes[0]["summary"] == only and len(changes) == 2
    state = cli.home / ".local/state/memtui"
    assert (state / "history/lock").exists()
    # a second time there is nothing left to take out of a record
    assert cli.run("purge", word, "--yes", "--json").json["purged"]["rewritten"] == []


def test_purging_digits_leaves_digests_and_what_they_name(cli):
    assert cli.run("set", "b", "--type", "user").status == 0
    objects = cli.home / ".local/state/memtui/history/objects"
    before = sorted(objects.iterdir())
    assert cli.run("purge", before[0].name[10:16], "--yes").status == 0
    assert sorted(objects.iterdir()) == before
    assert cli.run("undo").status == 0
