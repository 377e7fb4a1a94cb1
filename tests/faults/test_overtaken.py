"""Another program was faster: its change is kept and ours goes on top of it, or nothing is written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from small_store import (
    Effect,
    HandPlan,
    do,
    done_effects,
    effects_in,
    once,
    open_workspace,
    tree_of,
)

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import ConflictError
from memtui.core.history.journal import Journal
from memtui.core.layouts.base import Remove, SetField, SetText
from memtui.core.operations.plan import Plan
from memtui.core.writing.apply import Applied, apply

Run = Callable[[Plan], Applied]


def test_c01_an_append_between_looking_and_deleting(root: Path, env: Env) -> None:
    workspace = open_workspace(env, root)
    (snapshot,) = workspace.snapshots()
    with open(root / "MEMORY.md", "a") as file:
        file.write("- [New](new.md) — n\n")
    log: list[Effect] = []
    with effects_in(log):
        workspace.run(snapshot, "delete", (Remove("b.md"),))
    workspace.settle()
    lines = (root / "MEMORY.md").read_text().splitlines()
    assert lines[2:] == ["- [Alpha](a.md) — first", "- [Gamma](c.md) — third", "- [New](new.md) — n"]
    touching_index = [names for names in done_effects(log) if "MEMORY.md" in names]
    assert len(touching_index) == 1 and touching_index[0][0] == "exchange"


def test_c02_the_very_line_changed_underneath(root: Path, env: Env) -> None:
    workspace = open_workspace(env, root)
    (snapshot,) = workspace.snapshots()
    changed = (root / "MEMORY.md").read_text().replace("second", "not what you saw")
    (root / "MEMORY.md").write_text(changed)
    before = tree_of(root)
    with pytest.raises(ConflictError):
        workspace.run(snapshot, "delete", (Remove("b.md"),))
    assert tree_of(root) == before
    assert workspace.history() == ()


def test_c03_same_size_and_time_but_another_text(root: Path, env: Env) -> None:
    path = root / "a.md"
    path.write_text(path.read_text() + "port 2222\n")
    workspace = open_workspace(env, root)
    (snapshot,) = workspace.snapshots()
    status = path.stat()
    path.write_text(path.read_text().replace("2222", "2200"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    workspace.run(snapshot, "set", (SetField("a.md", "description", "mine"),))
    workspace.settle()
    text = path.read_text()
    assert "description: mine\n" in text and "port 2200\n" in text


def test_c11_text_from_the_editor_while_another_program_appends(root: Path, env: Env) -> None:
    path = root / "a.md"
    base = path.read_bytes()
    workspace = open_workspace(env, root)
    (snapshot,) = workspace.snapshots()
    with open(path, "ab") as file:
        file.write(b"appended meanwhile\n")
    edited = base.replace(b"description: about a", b"description: edited")
    workspace.run(snapshot, "edit", (SetText("a.md", edited, base=base),))
    workspace.settle()
    assert path.read_bytes() == edited + b"appended meanwhile\n"


def test_text_for_a_file_that_keeps_changing_is_merged(root: Path, env: Env, journal: Journal) -> None:
    """The plan is always one version behind: after some new plans its change goes on top of what is there."""
    path = root / "c.md"
    path.write_bytes(b"one\ntwo\nthree\n")
    plan = HandPlan(root).write("c.md", b"one\ntwo\nthree\n", b"one\nTWO\nthree\n").plan()
    path.write_bytes(b"one\ntwo\nthree\nfour\n")
    applied = apply(plan, lambda: plan, journal, env.state_dir)
    assert path.read_bytes() == b"one\nTWO\nthree\nfour\n"
    assert applied.change_id is not None


def test_the_very_line_is_changed_in_the_last_moment(root: Path, env: Env) -> None:
    """After the first comparison, while memtui writes its temp file: nothing of ours is put over it."""
    index = root / "MEMORY.md"

    def agent(_effect: str, paths: tuple[Path, ...]) -> None:
        index.write_text(index.read_text().replace("second", "theirs"))

    def observer(effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        if (effect, phase) == ("write_new", "after") and paths[0].parent == root:
            agent(effect, paths)

    with fs.observed_by(observer), pytest.raises(ConflictError):
        do(open_workspace(env, root), "set", SetField("b.md", "hook", "mine"))
    assert "- [Beta](b.md) — theirs\n" in index.read_text()
    assert sorted(os.listdir(root)) == ["MEMORY.md", "a.md", "b.md", "c.md"]


def test_another_line_is_changed_in_the_last_moment(root: Path, env: Env) -> None:
    index = root / "MEMORY.md"

    def agent(_effect: str, _paths: tuple[Path, ...]) -> None:
        index.write_text(index.read_text().replace("third", "theirs"))

    with fs.observed_by(once("exchange", agent, "before")):
        do(open_workspace(env, root), "set", SetField("a.md", "hook", "mine"))
    text = index.read_text()
    assert "(a.md) — mine\n" in text and "(c.md) — theirs\n" in text


def test_a_file_that_is_deleted_meanwhile(root: Path, carry_out: Run) -> None:
    plan = HandPlan(root).write("gone.md", b"was here\n", b"new\n").plan()
    before = tree_of(root)
    with pytest.raises(ConflictError):
        carry_out(plan)
    assert tree_of(root) == before


def test_a_name_that_is_taken_meanwhile(root: Path, carry_out: Run) -> None:
    before = tree_of(root)
    with pytest.raises(ConflictError):
        carry_out(HandPlan(root).write("a.md", None, b"mine\n").plan())
    assert tree_of(root) == before


def test_a_renamed_file_takes_lines_along_that_were_added_meanwhile(
    root: Path, env: Env, journal: Journal
) -> None:
    old = (root / "b.md").read_bytes()
    plan = HandPlan(root).write("bee.md", None, old).trash("b.md", old, "bee.md").plan()

    def agent(_effect: str, _paths: tuple[Path, ...]) -> None:
        with open(root / "b.md", "ab") as file:
            file.write(b"late line\n")

    with fs.observed_by(once("move_to_free", agent)):
        applied = apply(plan, lambda: plan, journal, env.state_dir)
    for handover in applied.handovers:
        handover.settle(0)
    assert not (root / "b.md").exists()
    assert (root / "bee.md").read_bytes() == old + b"late line\n"
