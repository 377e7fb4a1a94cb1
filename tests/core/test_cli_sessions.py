"""`sessions rename`, `delete` and `archive` on the command line."""

from __future__ import annotations

import os
import time

import pytest
from cli_home import CliHome
from session_corpus import Writer

from memtui.core.sessions.tally import count


@pytest.fixture
def cli(home, capfdbinary):
    return CliHome(home, capfdbinary)


@pytest.fixture
def path(cli):
    """A session of the project, last changed an hour ago."""
    session = Writer(os.path.realpath(cli.project), "s-1")
    session.user("what is a kiwi")
    name = "--" + os.path.realpath(cli.project).strip("/").replace("/", "-") + "--"
    path = session.save(cli.home / ".pi" / "agent" / "sessions" / name / "a.jsonl")
    hour_ago = time.time() - 3600
    os.utime(path, (hour_ago, hour_ago))
    return path


def test_rename_names_and_undo_takes_it_back(cli, path):
    before = path.read_bytes()
    planned = cli.run("sessions", "rename", "s-1", "Kiwi facts", "--dry-run", "--json").json
    assert path.read_bytes() == before
    (step,) = planned["plan"]
    assert set(step) == {"path", "before_sha256", "after_sha256", "diff"} and step["path"] == str(path)
    assert step["before_sha256"] != step["after_sha256"] and '"name":"Kiwi facts"' in step["diff"]
    answered = cli.run("--json", "sessions", "rename", "s-1", "Kiwi facts")
    assert answered.status == 0
    assert answered.json["change"]["summary"] == "named the session Kiwi facts"
    assert answered.json["change"]["paths"] == [str(path)]
    assert cli.run("sessions", "--json").json["sessions"][0]["title"] == "Kiwi facts"
    assert cli.run("history", "--json").json["changes"][0]["verb"] == "sessions rename"
    assert "undid: named the session" in cli.run("undo").out and path.read_bytes() == before
    assert cli.run("redo").status == 0 and count(path).name == "Kiwi facts"


def test_delete_needs_yes_and_undo_brings_it_back(cli, path):
    before = path.read_bytes()
    answered = cli.run("sessions", "delete", "s-1")
    assert answered.status == 2 and "--yes" in answered.err and "what is a kiwi" in answered.err
    assert cli.run("sessions", "delete", "s-1", "--json").json["error"]["code"] == "needs-yes"
    (step,) = cli.run("sessions", "delete", "s-1", "--dry-run", "--json").json["plan"]
    assert (step["path"], step["after_sha256"]) == (str(path), None) and step["before_sha256"]
    assert path.read_bytes() == before
    assert cli.run("sessions", "delete", "s-1", "--yes", "--json").json["change"]["paths"] == [str(path)]
    assert not path.exists() and cli.run("sessions", "--json").json["sessions"] == []
    assert cli.run("undo").status == 0 and path.read_bytes() == before


def test_s19_deleting_a_session_in_use_names_the_consequence(cli, path):
    os.utime(path)
    answered = cli.run("sessions", "delete", "s-1", "--yes")
    assert answered.status == 2 and path.exists()
    assert "no header" in answered.err and "--live" in answered.err
    assert cli.run("sessions", "delete", "s-1", "--yes", "--json").json["error"]["code"] == "live"
    assert "no header" in cli.run("sessions", "delete", "s-1", "--live").err and path.exists()
    planned = cli.run("sessions", "delete", "s-1", "--dry-run", "--json").json
    assert "no header" in planned["notes"][0]
    answered = cli.run("sessions", "delete", "s-1", "--yes", "--live", "--json")
    assert answered.status == 0 and not path.exists()
    assert "no header" in answered.json["notes"][0]


def test_archive_copies(cli, path):
    folder = cli.home / "kept"
    folder.mkdir()
    planned = cli.run("sessions", "archive", "s-1", str(folder), "--dry-run", "--json").json
    assert planned["plan"][0]["path"] == str(folder / "a.jsonl") and not os.listdir(folder)
    answered = cli.run("sessions", "archive", "s-1", str(folder), "--json")
    assert answered.json == {
        "archive": {"path": str(folder / "a.jsonl"), "bytes": path.stat().st_size},
        "notes": [],
    }
    assert (folder / "a.jsonl").read_bytes() == path.read_bytes()
    assert "a-1.jsonl" in cli.run("sessions", "archive", str(path), str(folder)).out
    taken = cli.run("sessions", "archive", "s-1", str(folder / "a.jsonl"))
    assert taken.status == 2 and "nothing is written over it" in taken.err
    assert cli.run("sessions", "archive", "s-1", "nowhere/x").status == 2


def test_a_relative_archive_is_below_the_working_directory(cli, path):
    assert cli.run("sessions", "archive", "s-1", "copy.jsonl").status == 0
    assert (cli.project / "copy.jsonl").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "verb", [("rename", "gone", "x"), ("delete", "gone", "--yes"), ("archive", "gone", ".")]
)
def test_a_session_that_is_not_there_is_status_3(cli, path, verb):
    answered = cli.run("sessions", *verb, "--json")
    assert answered.status == 3 and answered.json["error"]["code"] == "unknown-id"


def test_a_refused_name_says_why(cli, path):
    path.write_bytes(b"not a session\n")
    answered = cli.run("sessions", "rename", str(path), "x")
    assert answered.status == 2 and "no session header" in answered.err
    assert path.read_bytes() == b"not a session\n"


def test_options_stand_anywhere_and_an_id_may_look_like_a_verb(cli, path):
    assert cli.run("--dry-run", "sessions", "--json", "rename", "s-1", "x").json["plan"]
    assert cli.run("sessions", "rename", "delete", "x").status == 3
    assert cli.run("sessions", "nonsense").status == 2
    assert cli.run("sessions", "--", "rename").status == 2


@pytest.mark.parametrize("verb", ["rename", "delete", "archive"])
def test_help_of_every_session_verb(cli, verb):
    answered = cli.run_bare("sessions", verb, "--help")
    assert answered.status == 0 and answered.out.startswith(f"usage: memtui sessions {verb}")
    for option in ("--home", "--json", "--dry-run"):
        assert option in answered.out
    assert verb in cli.run_bare("sessions", "--help").out
