"""A program that still holds a replaced file: what it writes there reaches the live file, or the history."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from small_store import open_workspace

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.layouts.base import Edit, Remove, Rename, SetField
from memtui.core.workspace import Workspace
from memtui.core.writing import holders


@pytest.fixture(params=["leases", "no leases", "every lease refused"])
def any_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without the system's knowledge of who holds a file open."""
    if request.param != "leases":
        answer = None if request.param == "no leases" else True
        monkeypatch.setattr(holders, "has_writers", lambda path: answer)


def run(workspace: Workspace, edit: Edit) -> None:
    (store,) = workspace.used_stores()
    workspace.run(workspace.scan(store), "test", (edit,))


def temps_in(root: Path) -> list[str]:
    return [name for name in os.listdir(root) if name.startswith(".memtui-")]


def history_holds(env: Env, text: bytes) -> bool:
    return any(path.read_bytes() == text for path in (env.state_dir / "history" / "objects").iterdir())


@pytest.mark.usefixtures("any_system")
def test_a_late_line_moves_to_the_live_file(root: Path, env: Env, workspace: Workspace) -> None:
    text = (root / "MEMORY.md").read_bytes()
    with open(root / "MEMORY.md", "ab", buffering=0) as held:
        run(workspace, SetField("a.md", "hook", "mine"))
        held.write(b"- [Late](late.md) \xe2\x80\x94 n\n")
        assert workspace.tend() == ()
        lines = (root / "MEMORY.md").read_text().splitlines()
        assert lines[2] == "- [Alpha](a.md) — mine" and lines[-1] == "- [Late](late.md) — n"
        held.write(b"half a li")
        workspace.tend()
        assert not (root / "MEMORY.md").read_text().endswith("half a li")
        held.write(b"ne\n")
    workspace.settle(0)
    assert (root / "MEMORY.md").read_text().splitlines() == [*lines, "half a line"]
    assert temps_in(root) == []
    assert history_holds(env, text + "- [Late](late.md) — n\nhalf a line\n".encode())


def test_nobody_holds_it_so_it_goes_at_once(root: Path, workspace: Workspace) -> None:
    run(workspace, SetField("a.md", "hook", "mine"))
    assert workspace.is_waiting and temps_in(root)
    workspace.tend()
    assert not workspace.is_waiting and not temps_in(root)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs a system that knows who holds a file")
def test_held_beyond_the_end_it_stays_for_the_next_start(root: Path, env: Env, workspace: Workspace) -> None:
    with open(root / "MEMORY.md", "ab", buffering=0) as held:
        run(workspace, SetField("a.md", "hook", "mine"))
        workspace.settle(0)
        assert len(temps_in(root)) == 1
        assert open_workspace(env, root).recover() == ()
        assert len(temps_in(root)) == 1
        held.write(b"much later\n")
    assert open_workspace(env, root).recover() == ()
    assert temps_in(root) == []
    assert (root / "MEMORY.md").read_text().count("much later\n") == 1
    assert open_workspace(env, root).recover() == ()


@pytest.mark.usefixtures("any_system")
def test_a_late_rewrite_is_merged(root: Path, workspace: Workspace) -> None:
    text = (root / "MEMORY.md").read_bytes()
    with open(root / "MEMORY.md", "r+b", buffering=0) as held:
        run(workspace, Remove("b.md"))
        held.truncate(0)
        workspace.tend()
        assert b"Alpha" in (root / "MEMORY.md").read_bytes()
        held.write(text.replace(b"third", b"theirs") + b"- [New](new.md)\n")
    workspace.settle(0)
    lines = (root / "MEMORY.md").read_text().splitlines()
    assert lines[2:] == ["- [Alpha](a.md) — first", "- [Gamma](c.md) — theirs", "- [New](new.md)"]
    assert temps_in(root) == []


@pytest.mark.usefixtures("any_system")
def test_a_late_deletion_of_the_last_line_counts(root: Path, workspace: Workspace) -> None:
    text = (root / "MEMORY.md").read_bytes()
    with open(root / "MEMORY.md", "r+b", buffering=0) as held:
        run(workspace, SetField("a.md", "hook", "mine"))
        held.truncate(text.index(b"- [Gamma]"))
    workspace.settle(0)
    lines = (root / "MEMORY.md").read_text().splitlines()
    assert lines[2:] == ["- [Alpha](a.md) — mine", "- [Beta](b.md) — second"]


@pytest.mark.usefixtures("any_system")
@pytest.mark.parametrize("left", [b"", b"# Mem"])
def test_a_writer_that_died_in_the_middle_takes_nothing_along(
    left: bytes, root: Path, env: Env, workspace: Workspace
) -> None:
    with open(root / "MEMORY.md", "r+b", buffering=0) as held:
        run(workspace, SetField("a.md", "hook", "mine"))
        held.truncate(len(left))
    workspace.settle(0)
    assert len((root / "MEMORY.md").read_text().splitlines()) == 5
    assert history_holds(env, left)


@pytest.mark.usefixtures("any_system")
def test_a_clash_is_said_and_kept(root: Path, env: Env, workspace: Workspace) -> None:
    theirs = (root / "MEMORY.md").read_bytes().replace(b"first", b"theirs")
    with open(root / "MEMORY.md", "r+b", buffering=0) as held:
        run(workspace, SetField("a.md", "hook", "mine"))
        held.truncate(0)
        held.write(theirs)
    (note,) = workspace.settle(0)
    assert "MEMORY.md" in note and "history" in note
    assert "- [Alpha](a.md) — mine" in (root / "MEMORY.md").read_text()
    assert history_holds(env, theirs)


@pytest.mark.usefixtures("any_system")
def test_late_lines_of_a_renamed_file_follow_it(root: Path, workspace: Workspace) -> None:
    with open(root / "b.md", "ab", buffering=0) as held:
        run(workspace, Rename("b.md", "bee"))
        held.write(b"late\n")
    workspace.settle(0)
    assert (root / "bee.md").read_text().endswith("late\n") and not (root / "b.md").exists()


@pytest.mark.usefixtures("any_system")
def test_late_lines_of_a_deleted_file_are_kept(root: Path, env: Env, workspace: Workspace) -> None:
    text = (root / "b.md").read_bytes()
    with open(root / "b.md", "ab", buffering=0) as held:
        run(workspace, Remove("b.md"))
        held.write(b"late\n")
    (note,) = workspace.settle(0)
    assert "history" in note
    assert not (root / "b.md").exists() and history_holds(env, text + b"late\n")


def test_late_lines_handed_over_before_a_crash_are_not_doubled(root: Path, env: Env) -> None:
    """Killed between the append to the live file and the note about it, while the writer goes on."""

    def die(effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        if effect == "append" and phase == "after" and paths[0].name == "MEMORY.md":
            os._exit(0)

    with open(root / "MEMORY.md", "ab", buffering=0) as held:
        child = os.fork()
        if child == 0:
            workspace = open_workspace(env, root)
            run(workspace, SetField("a.md", "hook", "mine"))
            held.write(b"late 1\nlate 2\n")
            with fs.observed_by(die):
                workspace.tend()
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        held.write(b"late 3\n")
    open_workspace(env, root).recover()
    assert (root / "MEMORY.md").read_text().splitlines()[5:] == ["late 1", "late 2", "late 3"]


def test_a_disk_error_while_settling_loses_nothing(root: Path, env: Env, workspace: Workspace) -> None:
    with open(root / "MEMORY.md", "ab", buffering=0) as held:
        run(workspace, SetField("a.md", "hook", "mine"))
        held.write(b"late\n")

    def broken(effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        if effect == "append":
            raise OSError(28, os.strerror(28), str(paths[0]))

    with fs.observed_by(broken):
        notes = workspace.settle(0)
    assert len(notes) == 1 and "full" in notes[0]
    assert len(temps_in(root)) == 1
    open_workspace(env, root).recover()
    assert (root / "MEMORY.md").read_text().endswith("late\n") and temps_in(root) == []


def test_has_writers(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    if holders.has_writers(path) is None:
        pytest.skip("this system does not say")
    assert holders.has_writers(path) is False
    with open(path):
        assert holders.has_writers(path) is False and not holders.is_open(path)
    with open(path, "a"):
        assert holders.has_writers(path) is True and holders.is_open(path)
    assert holders.has_writers(tmp_path / "gone") is None


def test_being_asked_about_a_file_does_not_kill(tmp_path: Path) -> None:
    """Another process opens the file for writing again and again, which breaks the lease at bad moments."""
    path = tmp_path / "file"
    path.write_text("x")
    child = os.fork()
    if child == 0:
        for _many in range(3000):
            os.close(os.open(path, os.O_WRONLY))
        os._exit(0)
    answers: set[bool | None] = set()
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        answers.add(holders.has_writers(path))
    assert answers <= {True, False, None}
