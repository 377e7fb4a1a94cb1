"""Taking changes back that a killed memtui had made, or had only begun."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from small_store import at_moment, do, once, open_workspace, tree_of

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import ConflictError
from memtui.core.layouts.base import Remove, SetText
from memtui.core.workspace import Workspace


def in_child(act: Callable[[], None]) -> None:
    """Do it in a process that is killed with SIGKILL afterwards, or before by itself."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    _pid, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)


def kill(_effect: str, _paths: tuple[Path, ...]) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_c10_undo_after_a_crash(env: Env, root: Path) -> None:
    before = tree_of(root)

    def delete_three() -> None:
        workspace = open_workspace(env, root)
        for name in ("a.md", "b.md", "c.md"):
            (store,) = workspace.used_stores()
            workspace.run(workspace.scan(store), "delete", (Remove(name),))

    in_child(delete_three)
    workspace = open_workspace(env, root)
    workspace.recover()
    assert set(tree_of(root)) == {"MEMORY.md"}
    for _three_times in range(3):
        do(workspace, "undo")
    assert tree_of(root) == before
    assert env.state_dir not in (root, *root.parents) and root not in env.state_dir.parents


def test_c06_killed_again_and_again_in_the_middle_of_a_save(env: Env, root: Path) -> None:
    path = root / "a.md"
    head = path.read_bytes()
    path.write_bytes(head + b"0" * 1_000_000)
    chance = random.Random(6)

    def save_in_a_loop() -> None:
        workspace = open_workspace(env, root)
        workspace.recover()
        with fs.observed_by(at_moment(chance.randrange(60), kill)):
            for digit in b"123456789" * 9:
                do(workspace, "edit", SetText("a.md", head + bytes([digit]) * 1_000_000))

    for _fifty_times in range(50):
        chance.random()
        in_child(save_in_a_loop)
        data = path.read_bytes()
        assert data.startswith(head) and len(data) == len(head) + 1_000_000
        assert len(set(data[len(head) :])) == 1
        left = [name for name in os.listdir(root) if name not in ("MEMORY.md", "a.md", "b.md", "c.md")]
        assert all(name.startswith(".") and not name.endswith(".md") for name in left)
    open_workspace(env, root).recover()
    assert sorted(os.listdir(root)) == ["MEMORY.md", "a.md", "b.md", "c.md"]


@pytest.fixture
def interrupted(env: Env, root: Path) -> str:
    """A deletion that was killed after its index line went, and whose index another program changed since."""

    def killed() -> None:
        with fs.observed_by(once("exchange", kill)):
            do(open_workspace(env, root), "delete", Remove("b.md"))

    in_child(killed)
    with open(root / "MEMORY.md", "a") as file:
        file.write("- [New](new.md) — n\n")
    return "1"


def test_an_interrupted_change_is_left_for_undo(env: Env, root: Path, interrupted: str) -> None:
    workspace = open_workspace(env, root)
    (note,) = workspace.recover()
    assert f"undo {interrupted}" in note
    assert [info.state for info in workspace.history()] == ["interrupted"]
    assert not [name for name in os.listdir(root) if name.startswith(".")]
    workspace.undo(interrupted)
    workspace.settle()
    assert (root / "MEMORY.md").read_text().splitlines()[2:] == [
        "- [Alpha](a.md) — first",
        "- [Beta](b.md) — second",
        "- [Gamma](c.md) — third",
        "- [New](new.md) — n",
    ]
    assert open_workspace(env, root).recover() == ()
    assert [info.state for info in workspace.history()] == ["undone"]
    workspace.redo()
    workspace.settle()
    assert "Beta" not in (root / "MEMORY.md").read_text() and open_workspace(env, root).recover() == ()


def test_an_interrupted_undo_has_an_id_to_name(env: Env, root: Path, workspace: Workspace) -> None:
    do(workspace, "delete", Remove("b.md"))

    def killed() -> None:
        with fs.observed_by(once("move_to_free", kill)):
            do(open_workspace(env, root), "undo")

    in_child(killed)
    with open(root / "b.md", "a") as file:
        file.write("a line of the agent\n")
    (note,) = workspace.recover()
    assert "undo 2" in note
    assert [(info.id, info.state) for info in workspace.history()] == [("2", "interrupted"), ("1", "done")]
    with pytest.raises(ConflictError):
        workspace.undo("2")
    text = (root / "b.md").read_text()
    (root / "b.md").write_text(text.removesuffix("a line of the agent\n"))
    workspace.undo("2")
    workspace.settle()
    assert not (root / "b.md").exists()
    assert open_workspace(env, root).recover() == ()
    assert [(info.id, info.state) for info in workspace.history()] == [("1", "done")]
    do(workspace, "undo")
    assert (root / "b.md").read_text() == text.removesuffix("a line of the agent\n")


def test_an_interrupted_change_of_which_nothing_is_left(env: Env, root: Path) -> None:
    def killed() -> None:
        with fs.observed_by(once("write_new", kill, "before")):
            pass
        with fs.observed_by(lambda effect, phase, paths: kill(effect, paths) if effect == "exchange" else None):
            do(open_workspace(env, root), "delete", Remove("b.md"))

    in_child(killed)
    with open(root / "MEMORY.md", "a") as file:
        file.write("- [New](new.md) — n\n")
    before = tree_of(root)
    workspace = open_workspace(env, root)
    assert len(workspace.recover()) == 1
    assert workspace.history() == ()
    assert {name: what for name, what in before.items() if name.endswith(".md")} == tree_of(root)
