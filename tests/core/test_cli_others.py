"""`changes` and `restore`: what others changed, who did it where a transcript shows it, and the way back."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest
from cli_home import USUAL, CliHome
from session_corpus import Writer


@pytest.fixture
def cli(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    cli.fill()
    return cli


def lose(cli):
    """Another program takes alpha away and rewrites beta."""
    (cli.store / "alpha.md").unlink()
    index = USUAL["MEMORY.md"].replace("- [Alpha](alpha.md) — about alpha\n", "")
    cli.fill({"MEMORY.md": index, "beta.md": USUAL["beta.md"].replace("text", "other text")})


def test_changes_only_looks_and_compares_with_what_was_remembered(cli):
    tree = cli.tree()
    first = cli.run("changes")
    assert (first.status, cli.tree()) == (0, tree)
    assert "memtui has not looked at it before" in first.out
    cli.run("changes", "--remember")
    assert "nothing was changed by other programs since" in cli.run("changes").out
    lose(cli)
    (store,) = cli.run("changes", "--json").json["stores"]
    assert (store["id"], store["exact"]) == (cli.store_id, True)
    rows = {row["id"]: row for row in store["changes"]}
    assert {key: row["how"] for key, row in rows.items()} == {"alpha.md": "removed", "beta.md": "changed"}
    assert "-- [Alpha](alpha.md) — about alpha" in rows["alpha.md"]["diff"]
    assert "-text\n+other text\n" in rows["beta.md"]["diff"]
    assert rows["beta.md"]["file_time"] and rows["alpha.md"]["session"] is None
    plain = cli.run("changes").out
    assert "2 changes by other programs since" in plain and "by another program" in plain
    assert cli.run("changes", "--since", "whenever").status == 2


def test_restore_asks_previews_brings_back_and_undo_takes_it_back(cli):
    whole = cli.tree(cli.store)
    cli.run("changes", "--remember")
    lose(cli)
    lost = cli.tree(cli.store)
    asked = cli.run("restore", "alpha")
    assert asked.status == 2 and "brought back" in asked.err and cli.tree(cli.store) == lost
    planned = cli.run("restore", "alpha.md", "--dry-run", "--json").json["plan"]
    assert [os.path.basename(step["path"]) for step in planned] == ["alpha.md", "MEMORY.md"]
    assert cli.tree(cli.store) == lost
    done = cli.run("restore", "alpha.md", "--yes", "--json")
    assert done.status == 0 and done.json["change"]["summary"] == "brought back Alpha"
    assert cli.run("restore", "--all", "--yes").status == 0
    assert cli.tree(cli.store) == whole
    for _ in range(2):
        assert cli.run("undo").status == 0
    assert cli.tree(cli.store) == lost
    # since then others changed nothing else, and what memtui did is not theirs
    assert {row["id"] for row in cli.run("changes", "--json").json["stores"][0]["changes"]} == {
        "alpha.md",
        "beta.md",
    }
    assert cli.run("restore", "gamma.md", "--yes").status == 3
    assert cli.run("restore", "--yes").status == 2


@pytest.mark.parametrize("tool", ["memory_delete", "bash"])
def test_the_session_whose_call_did_it_is_named(cli, tool):
    cli.run("changes", "--remember")
    lose(cli)
    session = Writer(os.path.realpath(cli.project), "s-7")
    session.moment = datetime.now(UTC)
    session.user("clean up")
    removal = (
        ("bash", {"command": f"cd {cli.store} && rm -f alpha.md"})
        if tool == "bash"
        else (tool, {"name": "alpha"})
    )
    calls = [
        removal,
        ("bash", {"command": "cat alpha.md"}),
        ("write", {"path": str(cli.store / "beta.md"), "content": "x"}),
        ("write", {"path": str(cli.store / "gamma.md"), "content": "x"}),
    ]
    for number, (name, arguments) in enumerate(calls):
        call = {"type": "toolCall", "id": f"c{number}", "name": name, "arguments": arguments}
        session.message("assistant", [call])
    name = "--" + os.path.realpath(cli.project).strip("/").replace("/", "-") + "--"
    session.save(cli.home / ".pi" / "agent" / "sessions" / name / "a.jsonl")
    rows = cli.run("changes", "--json").json["stores"][0]["changes"]
    assert {row["id"]: (row["agent"], row["session"], row["tool"]) for row in rows} == {
        "alpha.md": ("pi", "s-7", tool),
        "beta.md": ("pi", "s-7", "write"),
    }
    assert f"by pi, session s-7 ({tool})" in cli.run("changes").out


def test_with_the_history_off_it_says_so(cli):
    config = cli.home / ".config" / "memtui"
    config.mkdir(parents=True)
    (config / "config.yaml").write_text("history:\n  enabled: false\n")
    answered = cli.run("changes", "--json")
    assert answered.status == 2 and answered.json["error"]["code"] == "history-off"
