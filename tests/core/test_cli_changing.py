"""`add`, `set`, `rename`, `delete`, `undo`, `redo`, `history`: what they write, say and refuse."""

import hashlib
import io
import json

import pytest
from cli_home import CliHome, fact


@pytest.fixture
def cli(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    cli.fill()
    return cli


def memory_bytes(cli):
    return cli.tree(cli.store)


def test_add_writes_a_fact_and_its_line(cli):
    answered = cli.run(
        "add", "--title", "Über Ports", "--description", "ssh on 2222", "--type", "user", "--body=Text"
    )
    assert answered.status == 0 and answered.err == ""
    assert answered.out.splitlines()[0] == "added über-ports.md (change 1)"
    written = (cli.store / "über-ports.md").read_text()
    assert written == fact("über-ports", "ssh on 2222", "user", "Text")
    assert (cli.store / "MEMORY.md").read_text().endswith("- [Über Ports](über-ports.md) — ssh on 2222\n")


def test_a_change_in_json(cli):
    answered = cli.run("add", "--title", "New", "--json")
    assert answered.json == {
        "change": {
            "id": "1",
            "summary": "added new.md",
            "paths": [str(cli.store / "new.md"), str(cli.store / "MEMORY.md")],
        },
        "notes": [],
        "agents": [],
    }


def test_add_makes_the_directory_of_a_project_without_one(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    assert cli.run("add", "--store", "zcode", "--title", "First").status == 0
    assert (cli.store / "MEMORY.md").read_text() == "- [First](first.md)\n"
    assert cli.run("list", "--json").json["stores"][0]["memories"][0]["id"] == "first.md"
    assert cli.run("undo").status == 0
    assert not cli.store.exists()


def test_add_needs_a_store_where_several_can_be_written(cli):
    cli.fill_claude()
    answered = cli.run("add", "--title", "New")
    assert answered.status == 2 and cli.store_id in answered.err and "claude:" in answered.err
    assert cli.run("add", "--title", "New", "--store", cli.store_id).status == 0


@pytest.mark.parametrize(
    "words",
    [
        ["add"],
        ["add", "--title", " "],
        ["add", "--title", "New", "--type", "nonsense"],
        ["add", "--title", "New", "--topic", "x.md"],
        ["add", "--title", "New", "--group", "user"],
        ["add", "--title", "New", "--body", "a", "--body-file", "b"],
        ["add", "--title", "New", "--body-file", "no-such-file"],
        ["add", "--title", "New", "--body-file", "."],
        ["add", "--title", "bad\udcff"],
        ["add", "--title", "New", "--body", "bad\udcff"],
        ["set", "alpha.md"],
        ["set", "alpha.md", "--type", "nonsense"],
        ["set", "alpha.md", "--title", ""],
        ["rename", "alpha.md", "beta"],
        ["rename", "alpha.md", "///"],
        ["delete"],
        ["delete", "alpha.md", "beta.md", "--line", "3", "--yes"],
        ["delete", "alpha.md", "--line", "x", "--yes"],
        ["delete", "alpha.md", "--line", "4", "--yes"],
        ["history", "--dry-run"],
    ],
)
def test_what_cannot_be_done_as_asked_is_2_with_one_line_and_no_change(cli, words):
    before = memory_bytes(cli)
    answered = cli.run(*words)
    assert answered.status == 2 and answered.out == ""
    assert answered.err.startswith("memtui: ") and answered.err.count("\n") == 1
    assert memory_bytes(cli) == before
    assert set(cli.run(*words, "--json").json["error"]) == {"code", "message"}


@pytest.mark.parametrize("words", [["set", "--hook", "x"], ["rename", "new"], ["delete", "--yes"], ["delete"]])
def test_an_unknown_id_is_3(cli, words):
    assert cli.run(words[0], "no.md", *words[1:]).status == 3


# Texts from elsewhere


class Stdin:
    closed = False

    def __init__(self, data):
        self.buffer = io.BytesIO(data)


def test_a_body_from_the_standard_input(cli, monkeypatch):
    monkeypatch.setattr("sys.stdin", Stdin("日本語\n\nmore\n".encode()))
    assert cli.run("set", "alpha.md", "--body-file", "-").status == 0
    assert (cli.store / "alpha.md").read_text() == fact("alpha", body="日本語\n\nmore")


def test_a_body_from_a_file_that_is_not_utf8_is_refused(cli, tmp_path):
    (tmp_path / "body").write_bytes(b"ok \xff")
    answered = cli.run("set", "alpha.md", "--body-file", str(tmp_path / "body"))
    assert answered.status == 2 and "not UTF-8 at byte 3" in answered.err


# set


def test_set_of_several_fields_is_one_change(cli):
    before = memory_bytes(cli)
    answered = cli.run(
        "set", "alpha.md", "--title", "A", "--description", "new", "--type", "user", "--body=B", "--json"
    )
    assert answered.status == 0 and answered.json["change"]["id"] == "1"
    assert (cli.store / "alpha.md").read_text() == fact("alpha", "new", "user", "B")
    assert "- [A](alpha.md) — new\n" in (cli.store / "MEMORY.md").read_text()
    assert cli.run("undo").status == 0
    assert memory_bytes(cli) == before


def test_an_explicit_hook_wins_over_the_description(cli):
    cli.run("set", "alpha.md", "--description", "long story", "--hook", "short")
    assert "- [Alpha](alpha.md) — short\n" in (cli.store / "MEMORY.md").read_text()


def test_setting_what_is_there_already_changes_nothing(cli):
    answered = cli.run("set", "alpha.md", "--type", "project", "--json")
    assert answered.status == 0 and answered.json == {"change": None, "notes": [], "agents": []}
    assert cli.run("history", "--json").json == {"changes": []}


# delete


def test_delete_without_yes_says_what_would_go(cli):
    before = memory_bytes(cli)
    answered = cli.run("delete", "alpha.md", "beta.md")
    assert answered.status == 2
    assert answered.err == (
        "memtui: this would delete alpha.md with line 3 of MEMORY.md, beta.md with line 4 of MEMORY.md; "
        "add --yes to do it\n"
    )
    assert cli.run("delete", "alpha.md", "--json").json["error"]["code"] == "needs-yes"
    assert memory_bytes(cli) == before


def test_delete_of_several_is_one_change(cli):
    before = memory_bytes(cli)
    answered = cli.run("delete", "alpha.md", "beta.md", "alpha.md", "--yes", "--json")
    assert answered.status == 0 and answered.json["change"]["id"] == "1"
    assert memory_bytes(cli) == {"MEMORY.md": b"# Memory\n\n"}
    assert cli.run("undo").status == 0
    assert memory_bytes(cli) == before


def test_delete_of_one_line_leaves_the_file(cli):
    cli.fill({"MEMORY.md": "- [Alpha](alpha.md)\n- [Again](alpha.md)\n"})
    assert cli.run("delete", "alpha.md", "--line", "1", "--yes").status == 0
    assert (cli.store / "MEMORY.md").read_text() == "- [Again](alpha.md)\n"
    assert (cli.store / "alpha.md").exists()


def test_delete_of_a_dead_line(cli):
    cli.fill({"MEMORY.md": "- [Gone](gone.md)\n- [Alpha](alpha.md)\n"})
    assert "line 1 of MEMORY.md; add" in cli.run("delete", "gone.md").err
    assert cli.run("delete", "gone.md", "--yes").status == 0
    assert (cli.store / "MEMORY.md").read_text() == "- [Alpha](alpha.md)\n"


def test_delete_across_stores_is_done_store_by_store(cli):
    root = cli.fill_claude({"MEMORY.md": "- [One](one.md)\n", "one.md": fact("one")})
    answered = cli.run("delete", "one.md", "alpha.md", "--yes")
    assert answered.status == 2 and "store by store" in answered.err
    assert (root / "one.md").exists() and (cli.store / "alpha.md").exists()


# rename


def test_rename_takes_index_and_links_along(cli):
    cli.fill({"beta.md": fact("beta", body="see [[alpha]]")})
    answered = cli.run("rename", "alpha.md", "Gamma Ray", "--json")
    assert answered.status == 0 and answered.json["change"]["summary"] == "renamed alpha.md to gamma-ray.md"
    assert "(gamma-ray.md)" in (cli.store / "MEMORY.md").read_text()
    assert "[[gamma-ray]]" in (cli.store / "beta.md").read_text()


# --dry-run


def test_dry_run_gives_digests_and_diffs(cli):
    plan = cli.run("delete", "alpha.md", "--dry-run", "--json").json
    index, body = plan["plan"]
    before = (cli.store / "MEMORY.md").read_bytes()
    assert set(plan) == {"plan", "notes"} and plan["notes"] == []
    assert index == {
        "path": str(cli.store / "MEMORY.md"),
        "before_sha256": hashlib.sha256(before).hexdigest(),
        "after_sha256": hashlib.sha256(
            before.replace(b"- [Alpha](alpha.md) \xe2\x80\x94 about alpha\n", b"")
        ).hexdigest(),
        "diff": index["diff"],
    }
    assert "\n-- [Alpha](alpha.md) — about alpha\n" in index["diff"]
    assert body["path"] == str(cli.store / "alpha.md") and body["after_sha256"] is None
    created = cli.run("add", "--title", "New", "--dry-run", "--json").json["plan"][0]
    assert created["before_sha256"] is None and created["diff"].startswith("--- /dev/null\n+++ b/new.md\n")


def test_dry_run_of_undo_redo_and_prune_changes_nothing(cli):
    cli.run("delete", "alpha.md", "--yes")
    before = cli.tree()
    plan = cli.run("undo", "--dry-run", "--json").json["plan"]
    assert [step["path"] for step in plan] == [str(cli.store / "alpha.md"), str(cli.store / "MEMORY.md")]
    assert cli.run("history", "--prune", "--dry-run", "--json").json["plan"] == []
    assert "-- [Alpha](alpha.md)" in cli.run("history", "1").out
    assert cli.run("history", "7").status == 3
    assert cli.tree() == before
    cli.run("undo")
    before = cli.tree()
    assert cli.run("redo", "--dry-run").status == 0
    assert cli.tree() == before


# undo, redo, history


def test_with_nothing_to_undo_or_redo_the_status_is_1(cli):
    for verb in ("undo", "redo"):
        answered = cli.run(verb, "--json")
        assert answered.status == 1 and answered.json["error"]["code"] == "nothing"
        assert cli.run(verb, "--dry-run").status == 1


def test_undo_and_redo_go_back_and_forth(cli):
    before = memory_bytes(cli)
    cli.run("set", "alpha.md", "--hook", "one")
    after = memory_bytes(cli)
    assert cli.run("undo").out.startswith("undid: set the hook of alpha.md")
    assert memory_bytes(cli) == before
    assert cli.run("redo").out.startswith("redid: ")
    assert memory_bytes(cli) == after
    assert cli.run("redo").status == 1


def test_undo_of_a_named_change_leaves_later_ones(cli):
    cli.run("set", "alpha.md", "--hook", "one")
    cli.run("set", "beta.md", "--hook", "two")
    assert cli.run("undo", "1").status == 0
    assert (
        (cli.store / "MEMORY.md")
        .read_text()
        .endswith("- [Alpha](alpha.md) — about alpha\n- [Beta](beta.md) — two\n")
    )
    assert cli.run("undo", "1").status == 1
    assert cli.run("undo", "99").status == 3


def test_undo_over_somebodys_newer_text_is_3_and_writes_nothing(cli):
    cli.run("set", "alpha.md", "--hook", "one")
    index = (cli.store / "MEMORY.md").read_text().replace("— one", "— theirs")
    (cli.store / "MEMORY.md").write_text(index)
    answered = cli.run("undo", "--json")
    assert answered.status == 3 and answered.json["error"]["code"] == "conflict"
    assert (cli.store / "MEMORY.md").read_text() == index


def test_undo_means_the_used_stores_or_the_one_that_is_named(cli):
    cli.fill_claude({"MEMORY.md": "- [One](one.md)\n", "one.md": fact("one")})
    cli.run("set", "one.md", "--hook", "first")
    cli.run("set", "alpha.md", "--hook", "second")
    assert "hook of one.md" in cli.run("undo", "--store", "claude").out
    assert [c["state"] for c in cli.run("history", "--json").json["changes"]] == ["done", "undone"]
    assert "hook of alpha.md" in cli.run("undo").out
    assert cli.run("undo").status == 1


def test_history_lists_the_newest_first(cli):
    cli.run("set", "alpha.md", "--hook", "one")
    cli.run("delete", "beta.md", "--yes")
    changes = cli.run("history", "--json").json["changes"]
    assert [(change["id"], change["verb"], change["state"]) for change in changes] == [
        ("2", "delete", "done"),
        ("1", "set", "done"),
    ]
    assert set(changes[0]) == {"id", "summary", "verb", "when", "store", "paths", "state", "reverted"}
    assert changes[0]["store"] == cli.store_id
    assert [line.split()[0] for line in cli.run("history").out.splitlines()] == ["2", "1"]


def test_a_change_that_another_program_wiped_out_is_reported(cli):
    old = (cli.store / "MEMORY.md").read_bytes()
    cli.run("set", "alpha.md", "--hook", "one")
    (cli.store / "MEMORY.md").write_bytes(old)
    assert cli.run("history", "--json").json["changes"][0]["reverted"] is True
    assert "wiped out" in cli.run("history").out
    codes = [problem["code"] for problem in cli.run("check", "--json").json["stores"][0]["problems"]]
    assert "reverted" in codes


def test_prune_removes_what_the_settings_do_not_keep(cli):
    cli.run("set", "alpha.md", "--hook", "one")
    settings = cli.home / ".config" / "memtui" / "config.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("history:\n  keep_mb: 0\n")
    assert cli.run("history", "--prune", "--dry-run").out.startswith("would remove 1 change, ")
    answered = cli.run("history", "--prune", "--json").json
    assert answered["pruned"]["changes"] == 1 and answered["pruned"]["bytes"] > 0
    assert cli.run("undo").status == 1


# Recovery


def test_a_change_recovers_first_and_a_look_does_not(cli, monkeypatch):
    called = []
    monkeypatch.setattr(
        "memtui.core.workspace.Workspace.recover", lambda self: called.append("recover") or ("brought back",)
    )
    for words in (
        ["list"],
        ["status"],
        ["history"],
        ["delete", "alpha.md", "--dry-run"],
        ["delete", "alpha.md"],
    ):
        cli.run(*words)
    assert called == []
    answered = cli.run("set", "alpha.md", "--hook", "x", "--json")
    assert called == ["recover"] and answered.err == "memtui: brought back\n"
    assert json.loads(answered.out)["change"]["id"] == "1"
    cli.run("undo")
    cli.run("redo")
    cli.run("add", "--title", "New")
    cli.run("rename", "alpha.md", "zeta")
    cli.run("delete", "beta.md", "--yes")
    assert len(called) == 6


def test_an_undo_is_known_by_the_change_it_is_about(cli):
    cli.run("set", "alpha.md", "--description", "new")
    undone = cli.run("undo")
    assert undone.out.splitlines()[0].endswith("(change 1)")
    assert cli.run("redo", "--json").json["change"]["id"] == "1"
    assert cli.run("undo", "1").status == 0
