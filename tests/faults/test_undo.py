"""Taking changes back: after others wrote, after a restart, in any order."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from small_store import do, tree_of

from memtui.core.env import Env
from memtui.core.errors import ConflictError, MemtuiError, NothingToDoError, UnknownIdError
from memtui.core.layouts.base import Remove, Rename, SetField
from memtui.core.workspace import Workspace

# Others wrote


def test_c09_undo_after_others_wrote(root: Path, workspace: Workspace) -> None:
    do(workspace, "delete", Remove("b.md"))
    index = root / "MEMORY.md"
    index.write_text(index.read_text().replace("third", "changed by another") + "- [New](new.md) — n\n")
    body = (root / "b.md").exists()
    do(workspace, "undo")
    assert not body and "body of b" in (root / "b.md").read_text()
    assert index.read_text().splitlines()[2:] == [
        "- [Alpha](a.md) — first",
        "- [Beta](b.md) — second",
        "- [Gamma](c.md) — changed by another",
        "- [New](new.md) — n",
    ]


def test_the_very_line_was_changed_since(root: Path, workspace: Workspace) -> None:
    do(workspace, "set", SetField("b.md", "hook", "mine"))
    index = root / "MEMORY.md"
    index.write_text(index.read_text().replace("mine", "theirs"))
    before = tree_of(root)
    with pytest.raises(ConflictError) as caught:
        do(workspace, "undo")
    assert "MEMORY.md" in caught.value.message
    assert tree_of(root) == before


def test_a_deleted_name_is_in_use_again(root: Path, workspace: Workspace) -> None:
    do(workspace, "delete", Remove("b.md"))
    (root / "b.md").write_text("a new memory of the agent\n")
    before = tree_of(root)
    with pytest.raises(ConflictError):
        do(workspace, "undo")
    assert tree_of(root) == before


def test_a_rename_goes_back_with_later_edits(root: Path, workspace: Workspace) -> None:
    before = tree_of(root)
    do(workspace, "rename", Rename("b.md", "bee"))
    with open(root / "bee.md", "a") as file:
        file.write("written under the new name\n")
    do(workspace, "undo")
    text = (root / "b.md").read_text()
    assert text.endswith("written under the new name\n") and "name: b\n" in text
    assert not (root / "bee.md").exists()
    kept = {name: what for name, what in tree_of(root).items() if name != "b.md"}
    assert kept == {name: what for name, what in before.items() if name != "b.md"}
    workspace.redo()
    workspace.settle()
    assert (root / "bee.md").read_text().endswith("written under the new name\n")


# Stacks


def test_undo_and_redo_are_stacks(root: Path, workspace: Workspace) -> None:
    trees = [tree_of(root)]
    for number in range(3):
        do(workspace, "set", SetField("a.md", "hook", f"hook {number}"))
        trees.append(tree_of(root))
    for wanted in reversed(trees[:-1]):
        do(workspace, "undo")
        assert tree_of(root) == wanted
    with pytest.raises(NothingToDoError):
        workspace.undo()
    for wanted in trees[1:]:
        workspace.redo()
        workspace.settle()
        assert tree_of(root) == wanted
    with pytest.raises(NothingToDoError):
        workspace.redo()
    do(workspace, "undo")
    assert tree_of(root) == trees[-2]


def test_a_new_change_clears_redo(root: Path, workspace: Workspace) -> None:
    do(workspace, "set", SetField("a.md", "hook", "one"))
    do(workspace, "undo")
    do(workspace, "set", SetField("c.md", "hook", "two"))
    with pytest.raises(NothingToDoError):
        workspace.redo()


def test_an_older_change_by_its_id(root: Path, workspace: Workspace) -> None:
    first = do(workspace, "set", SetField("a.md", "hook", "one")).change
    do(workspace, "set", SetField("c.md", "hook", "two"))
    assert first is not None
    workspace.undo(first.id)
    workspace.settle()
    text = (root / "MEMORY.md").read_text()
    assert "- [Alpha](a.md) — first" in text and "- [Gamma](c.md) — two" in text
    with pytest.raises(NothingToDoError):
        workspace.undo(first.id)
    with pytest.raises(UnknownIdError):
        workspace.undo("99")
    with pytest.raises(UnknownIdError):
        workspace.undo("no number")
    workspace.redo()
    workspace.settle()
    assert "- [Alpha](a.md) — one" in (root / "MEMORY.md").read_text()


def test_the_file_to_undo_cannot_be_read(root: Path, workspace: Workspace) -> None:
    do(workspace, "set", SetField("a.md", "description", "one"))
    (root / "a.md").unlink()
    (root / "a.md").mkdir()
    with pytest.raises(MemtuiError) as caught:
        workspace.undo()
    assert "a.md" in caught.value.message


def test_undo_of_the_first_memory_takes_the_directory_away(env: Env, tmp_path: Path) -> None:
    """A store that memtui made itself goes again with its only memory; what others put there stays."""
    from small_store import HandPlan

    from memtui.core.history.journal import Journal
    from memtui.core.history.undo import changes_of, choose_undo, plan_undo
    from memtui.core.writing.apply import apply
    from memtui.core.writing.current import read_bytes

    store = tmp_path / "made" / "memory"
    journal = Journal(env.state_dir, env.now)

    def add_and_undo(meanwhile: Callable[[], None]) -> None:
        plan = HandPlan(store).write("a.md", None, b"x\n").write("MEMORY.md", None, b"- [A](a.md)\n").plan()
        for handover in apply(plan, lambda: plan, journal, env.state_dir).handovers:
            handover.settle(0)
        meanwhile()
        undo = plan_undo(choose_undo(changes_of(journal.records()), "", {store}), journal.objects, read_bytes)
        for handover in apply(undo, lambda: undo, journal, env.state_dir).handovers:
            handover.settle(0)

    add_and_undo(lambda: None)
    assert not (tmp_path / "made").exists()
    add_and_undo(lambda: (store / "theirs.md").write_text("theirs"))
    assert os.listdir(store) == ["theirs.md"]
