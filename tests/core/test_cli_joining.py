"""`merge` and `split` on the command line."""

from __future__ import annotations

import pytest
from carry_stores import FILES
from cli_home import CliHome


@pytest.fixture
def cli(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    cli.fill(FILES["facts"])
    cli.entries = home / ".hermes" / "memories"
    cli.fill(FILES["entries"], cli.entries)
    return cli


def test_keep_needs_a_yes_and_is_one_change(cli):
    before = cli.tree(cli.store)
    asked = cli.run("merge", "ssh-port", "other.md", "--keep")
    assert asked.status == 2 and cli.tree(cli.store) == before
    assert "keep SSH port and delete other.md with line 4 of MEMORY.md; add --yes" in asked.err
    answered = cli.run("merge", "ssh-port", "other.md", "--keep", "--yes", "--json").json
    assert answered["change"]["summary"] == "kept SSH port in the place of Other"
    assert sorted(cli.tree(cli.store)) == ["MEMORY.md", "ssh-port.md"]
    assert cli.run("undo").status == 0 and cli.tree(cli.store) == before


def test_a_new_body_goes_into_the_one_that_is_named_and_a_dry_run_writes_nothing(cli, tmp_path):
    (tmp_path / "body").write_text("both\n")
    words = ["merge", "ssh-port.md", "--into", "other.md", "--body-file", str(tmp_path / "body")]
    before = cli.tree(cli.store)
    planned = cli.run(*words, "--dry-run", "--json").json
    names = [item["path"].rpartition("/")[2] for item in planned["plan"]]
    assert names == ["other.md", "MEMORY.md", "ssh-port.md"] and cli.tree(cli.store) == before
    assert planned["notes"] == ["type user of SSH port is not kept"]
    assert cli.run(*words, "--yes").status == 0
    assert (cli.store / "other.md").read_text() == "---\nname: other\ndescription: other\n---\n\nboth\n"
    assert not (cli.store / "ssh-port.md").exists()


def test_memories_of_two_stores_and_a_split(cli):
    before = cli.tree(cli.store), cli.tree(cli.entries)
    (listed,) = cli.run("list", "--store", "hermes", "--json").json["stores"]
    entry = listed["memories"][0]["id"]
    assert cli.run("merge", "other.md", entry, "--body", "both", "--yes").status == 0
    assert (cli.entries / "MEMORY.md").read_text() == "other" and "both" in (cli.store / "other.md").read_text()
    assert cli.run("undo").status == 0
    after = cli.tree(cli.store), cli.tree(cli.entries)
    assert after[0] == before[0] and after[1] | before[1] == after[1]
    assert cli.run("split", "ssh-port.md").out.startswith("split SSH port into 2 (change ")
    assert (cli.store / "why.md").exists()


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["merge", "ssh-port.md", "other.md"], 2),
        (["merge", "ssh-port.md", "other.md", "--keep", "--body", "x"], 2),
        (["merge", "ssh-port.md", "--keep", "--yes"], 2),
        (["merge", "ssh-port.md", "ssh-port", "--keep", "--yes"], 2),
        (["merge", "ssh-port.md", "no.md", "--keep", "--yes"], 3),
        (["split", "other.md"], 2),
        (["split", "no.md"], 3),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(cli, words, status):
    before = cli.tree(cli.store), cli.tree(cli.entries)
    answered = cli.run(*words)
    assert answered.status == status and answered.out == "" and answered.err.startswith("memtui: ")
    assert (cli.tree(cli.store), cli.tree(cli.entries)) == before
