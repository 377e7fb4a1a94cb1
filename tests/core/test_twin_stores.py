"""One directory that is the store of two agents: nothing in it is a duplicate of itself."""

from __future__ import annotations

import os

import pytest
from carry_stores import FILES
from cli_home import CliHome

from memtui.core.comparison import find_alike
from memtui.core.errors import RefusedError
from memtui.core.text_actions import NewText, TextActions
from memtui.core.workspace import Workspace


@pytest.fixture
def cli(home, capfdbinary):
    """ZCode's store, to which a link of Claude Code's leads."""
    cli = CliHome(home, capfdbinary)
    cli.fill(FILES["facts"])
    name = "".join(c if c.isalnum() and c.isascii() else "-" for c in os.path.realpath(cli.project))
    link = home / ".claude" / "projects" / name / "memory"
    link.parent.mkdir(parents=True)
    link.symlink_to(cli.store)
    return cli


def test_a_memory_is_not_merged_with_itself_under_another_name(cli, env):
    workspace = Workspace(env)
    one, other = workspace.snapshots()
    before = cli.tree(cli.store)
    for new in (None, NewText(b"x")):
        for named in ("ssh-port.md", "other.md"):
            with pytest.raises(RefusedError, match="are the same directory"):
                TextActions(workspace).merge([(one, "ssh-port.md"), (other, named)], new)
    with pytest.raises(RefusedError, match="are the same directory"):
        TextActions(workspace).text_to_merge([(one, "ssh-port.md"), (other, "ssh-port.md")])
    assert cli.tree(cli.store) == before


def test_a_memory_is_no_duplicate_of_itself(cli, env):
    text = FILES["facts"]["ssh-port.md"].replace("Ask Ana for the key.", "Ask Ana for the key of the gateway.")
    cli.fill({"ssh-port.md": text})
    assert find_alike(env, Workspace(env).snapshots()) == ()
    stores = cli.run("check", "--only", "duplicate,near-duplicate", "--json").json["stores"]
    assert [store["problems"] for store in stores] == [[], []]
    # another one that says the same is one still
    cli.fill({"third.md": text})
    (group,) = find_alike(env, Workspace(env).snapshots())
    assert [member.memory for member in group.members] == ["ssh-port.md", "third.md"]
    stores = cli.run("check", "--only", "duplicate", "--json").json["stores"]
    assert {item["memory"] for item in stores[0]["problems"]} == {"ssh-port.md", "third.md"}


def test_all_comes_back_at_once(cli):
    assert cli.run("changes", "--remember").status == 0
    before = cli.tree(cli.store)
    (cli.store / "ssh-port.md").unlink()
    answered = cli.run("restore", "--all", "--yes")
    assert answered.status == 0, answered.err
    assert before.items() <= cli.tree(cli.store).items()
