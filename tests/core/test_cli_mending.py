"""`repair`: one memory or file, some codes only, or all that is proven safe; asked, shown, done and undone."""

from __future__ import annotations

import pytest
from cli_home import USUAL, CliHome, fact

SICK = USUAL | {
    "MEMORY.md": USUAL["MEMORY.md"] + "- [Gone](gone.md) — was\n- [Beta](beta.md) — another word\n",
    "colon.md": fact("colon", "one: two"),
}


@pytest.fixture
def cli(home, capfdbinary):
    cli = CliHome(home, capfdbinary)
    cli.fill(SICK)
    return cli


def files(cli):
    return {path.name: path.read_bytes().decode() for path in cli.store.iterdir() if path.name[0] != "."}


def test_all_that_is_safe_is_told_shown_done_in_one_change_and_undone(cli):
    claude = cli.fill_claude({"MEMORY.md": "- [Old](old.md) — was\n"})
    asked = cli.run("repair", "--safe")
    assert asked.status == 2 and "dead-link 2, orphan 1, strict-yaml 1" in asked.err and "--yes" in asked.err
    shown = cli.run("repair", "--safe", "--dry-run", "--json").json["plan"]
    assert sorted(item["path"].rpartition("/")[2] for item in shown) == ["MEMORY.md", "MEMORY.md", "colon.md"]
    assert files(cli) == SICK
    done = cli.run("repair", "--safe", "--yes", "--json")
    assert done.status == 0 and done.json["change"]["summary"] == "mended 4 problems"
    assert files(cli)["MEMORY.md"].endswith(
        "- [Beta](beta.md) — another word\n- [colon](colon.md) — one: two\n"
    )
    assert (claude / "MEMORY.md").read_text() == ""
    again = cli.run("repair", "--safe", "--yes", "--json")
    assert again.status == 0 and again.json["change"] is None
    assert cli.run("undo").status == 0
    assert files(cli) == SICK and (claude / "MEMORY.md").read_text() == "- [Old](old.md) — was\n"


@pytest.mark.parametrize(
    ("words", "status", "gone"),
    [
        (["beta", "--yes"], 0, "- [Beta](beta.md) — another word\n"),
        (["beta.md", "--only", "duplicate-line", "--yes"], 0, "- [Beta](beta.md) — another word\n"),
        (["MEMORY.md", "--only", "dead-link", "--yes"], 0, "- [Gone](gone.md) — was\n"),
        (["gone.md", "--yes"], 0, "- [Gone](gone.md) — was\n"),
        (["--safe", "--only", "dead-link,orphan", "--only", "drift", "--dry-run"], 0, ""),
        (["beta.md"], 2, ""),
        (["beta.md", "--only", "orphan", "--yes"], 2, ""),
        (["beta.md", "--only", "wrong", "--yes"], 2, ""),
        (["alpha.md", "--yes"], 2, ""),
        (["nobody.md", "--yes"], 3, ""),
        (["beta.md", "--safe"], 2, ""),
        (["--yes"], 2, ""),
    ],
)
def test_one_memory_or_file_is_mended_where_something_is_wrong_with_it(cli, words, status, gone):
    repairable = {
        problem["code"]: problem["repairable"]
        for store in cli.run("check", "--json").json["stores"]
        for problem in store["problems"]
    }
    assert all(repairable.values()) and repairable.keys() >= {
        "dead-link",
        "orphan",
        "duplicate-line",
        "strict-yaml",
    }
    assert cli.run("repair", *words).status == status
    assert files(cli) == SICK | {"MEMORY.md": SICK["MEMORY.md"].replace(gone, "")}
