"""`memtui index`: building, looking and clearing; and what searches say with and without it."""

from __future__ import annotations

import pytest
from cli_home import CliHome
from session_corpus import Writer

from memtui.core import fs


@pytest.fixture
def cli(home, capfdbinary) -> CliHome:
    made = CliHome(home, capfdbinary)
    for number in range(3):
        session = Writer(str(made.project), f"s-{number}")
        session.number = 100 * number
        session.user(f"quince number {number} of the configuration")
        session.save(home / ".pi" / "agent" / "sessions" / "--x--" / f"{number}.jsonl")
    return made


def test_the_index_is_built_looked_at_and_cleared(cli):
    before = cli.run("index", "--json").json["index"]
    assert (before["state"], before["sessions"], before["indexed"], before["folder"]) == ("none", 3, 0, None)
    built = cli.run("index", "build", "--json")
    assert built.status == 0
    index = built.json["index"]
    assert (index["state"], index["sessions"], index["indexed"], index["behind_bytes"]) == ("ready", 3, 3, 0)
    assert (
        index["folder"].startswith(str(cli.home / ".cache" / "memtui" / "search-")) and index["size_bytes"] > 0
    )
    assert cli.run("index", "status", "--json").json["index"] == index
    assert "3 of 3 sessions are indexed" in cli.run("index").out
    assert cli.run("index", "clear", "--json").json == {"cleared": True}
    assert cli.run("index", "clear", "--json").json == {"cleared": False}
    assert not list((cli.home / ".cache" / "memtui").glob("search-*/index-*"))
    assert "no index yet" in cli.run("index").out


def test_a_search_finds_the_same_with_and_without_it(cli):
    without = cli.run("search", "quince", "--json").json
    cli.run("index", "build")
    with_it = cli.run("search", "quince", "--json").json
    assert without.pop("index")["state"] == "none" and with_it.pop("index")["state"] == "ready"
    assert without == with_it and with_it["total"] == 3


def test_what_may_be_meant_is_said(cli):
    cli.run("index", "build")
    answered = cli.run("search", "qunicenumber")
    assert answered.status == 1 and answered.out.startswith("nothing found")
    answered = cli.run("search", "quince", "cnfgurtion")
    assert (answered.status, answered.out) == (1, "nothing found; did you mean quince configuration?\n")
    assert cli.run("search", "cnfgurtion", "--json").json["suggestion"] == "configuration"


def test_it_is_off_by_configuration_and_searches_say_so(cli):
    cli.run("index", "build")
    config = cli.home / ".config" / "memtui" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("search:\n  index: false\n")
    answered = cli.run("search", "quince")
    assert answered.status == 0 and answered.out.count("quince number") >= 3
    assert "there is no index: config.yaml turns it off" in answered.err
    refused = cli.run("index", "build")
    assert refused.status == 2 and "config.yaml turns it off" in refused.err
    assert cli.run("index", "--json").json["index"]["state"] == "off"


def test_it_is_off_where_its_engine_is_not_there(cli, monkeypatch):
    monkeypatch.setattr("memtui.core.library.has_engine", lambda: False)
    answered = cli.run("search", "quince")
    assert answered.status == 0 and "cannot be imported" in answered.err


def test_another_writer_is_named(cli):
    cli.run("index", "build")
    folder = next((cli.home / ".cache" / "memtui").glob("search-*/index-*"))
    with fs.locked(folder / "writer.lock"):
        for words in (("index", "build"), ("index", "clear")):
            refused = cli.run(*words)
            assert refused.status == 3 and "another memtui is writing the index" in refused.err
    assert cli.run("search", "quince", "--json").json["total"] == 3


def test_a_cache_that_cannot_be_written_is_said(cli):
    (cli.home / ".cache").write_text("a file")
    refused = cli.run("index", "build")
    assert refused.status == 2 and ".cache" in refused.err and "Traceback" not in refused.err
    assert cli.run("search", "quince", "--json").json["total"] == 3
