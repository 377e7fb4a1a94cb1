"""Killed at any moment: every file is old or new, the next start makes the tree old or new, nothing leaks.

Children are forked from this process, so that a thousand of them take seconds; each kills itself with SIGKILL
at one moment (before, in the middle of, or after its n-th effect). Flushing is switched off: a killed process
leaves what it wrote to the system. The order of flushes is a test of its own.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from small_store import DEEDS, Effect, Tree, at_moment, do, effects_in, make_store, open_workspace, tree_of

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.layouts.base import SetField


def prepare(env: Env, verb: str) -> Path:
    """A home whose store has seen one change (and for `undo` a second one)."""
    root = make_store(env.home)
    workspace = open_workspace(env, root)
    do(workspace, "set", SetField("c.md", "description", "earlier change"))
    if verb == "undo":
        do(workspace, "delete")
    return root


def run_killed(env: Env, root: Path, verb: str, moment: int) -> bool:
    """Do it (or recover) in a child that dies at that moment; whether it came to die."""
    child = os.fork()
    if child == 0:
        try:
            with fs.observed_by(at_moment(moment, lambda *_about: os.kill(os.getpid(), signal.SIGKILL))):
                workspace = open_workspace(env, root)
                workspace.recover() if verb == "recover" else do(workspace, verb)
        finally:
            os._exit(0)
    _pid, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def fresh_copy(env: Env, original: Path) -> Path:
    shutil.rmtree(env.home)
    shutil.copytree(original, env.home, symlinks=True)
    return env.home / "memory"


@pytest.mark.parametrize("verb", DEEDS)
def test_killed_at_every_moment(verb: str, make_env: Callable[..., Env], tmp_path: Path) -> None:
    kill_at_every_moment(verb, make_env, tmp_path)


@pytest.mark.usefixtures("plain_renames_only")
@pytest.mark.parametrize("verb", ["set", "rename"])
def test_killed_where_names_cannot_be_exchanged(
    verb: str, make_env: Callable[..., Env], tmp_path: Path
) -> None:
    kill_at_every_moment(verb, make_env, tmp_path)


def test_recovery_killed_as_well(make_env: Callable[..., Env], tmp_path: Path) -> None:
    kill_at_every_moment("rename", make_env, tmp_path, stride=9, also_recovery=True)


def kill_at_every_moment(
    verb: str, make_env: Callable[..., Env], tmp_path: Path, stride: int = 1, *, also_recovery: bool = False
) -> None:
    env = make_env(home=tmp_path / "home", cwd=tmp_path)
    env.home.mkdir()
    first = tree_of(make_store(tmp_path / "first"))
    root = prepare(env, verb)
    original = tmp_path / "original"
    shutil.copytree(env.home, original)
    old = tree_of(root)
    log: list[Effect] = []
    with effects_in(log):
        do(open_workspace(env, root), verb)
    new = tree_of(root)
    assert old != new and len(log) > 20
    for moment in range(0, len(log), stride):
        root = fresh_copy(env, original)
        assert run_killed(env, root, verb, moment), log[moment]
        check_whole_files(tree_of(root), old, new)
        again = 0
        while also_recovery and run_killed(env, root, "recover", again):
            check_whole_files(tree_of(root), old, new)
            again += 1
        workspace = open_workspace(env, root)
        workspace.recover()
        now = tree_of(root)
        assert now in (old, new), log[moment]
        check_nothing_is_left_to_do(env, root)
        check_undo(env, root, verb, now, old, new, first)
        check_nothing_leaks(env, root)


def check_whole_files(now: Tree, old: Tree, new: Tree) -> None:
    for name in set(now) | set(old) | set(new):
        if name.endswith(".md"):
            assert now.get(name) in (old.get(name), new.get(name)), name


def check_nothing_is_left_to_do(env: Env, root: Path) -> None:
    log: list[Effect] = []
    with effects_in(log):
        assert open_workspace(env, root).recover() == ()
    assert log == []


def check_undo(env: Env, root: Path, verb: str, now: Tree, old: Tree, new: Tree, first: Tree) -> None:
    workspace = open_workspace(env, root)
    if now == old:
        workspace.undo()
        wanted = new if verb == "undo" else first
    else:
        workspace.redo() if verb == "undo" else workspace.undo()
        wanted = old
    workspace.settle()
    assert tree_of(root) == wanted


def check_nothing_leaks(env: Env, root: Path) -> None:
    open_workspace(env, root).prune_history()
    history = env.state_dir / "history"
    assert all(len(name) == 64 for name in os.listdir(history / "objects"))
    assert all((history / "changes" / name).read_bytes() for name in os.listdir(history / "changes"))
