"""The disk refuses at any moment: a change is made whole or not at all, and it is said where and why."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from small_store import DEEDS, Effect, at_moment, do, effects_in, make_store, open_workspace, tree_of

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import StorageError
from memtui.core.layouts.base import SetField

REASONS = {errno.ENOSPC: "full", errno.EIO: "input/output", errno.EACCES: "permission"}


@pytest.fixture
def base(make_env: Callable[..., Env], tmp_path: Path) -> Callable[[str], tuple[Env, Path, Callable[[], Path]]]:
    """An environment, and a function that makes its store anew as it was before the deed."""

    def build(verb: str) -> tuple[Env, Path, Callable[[], Path]]:
        env = make_env(home=tmp_path / "home", cwd=tmp_path)
        env.home.mkdir()
        root = make_store(env.home)
        workspace = open_workspace(env, root)
        do(workspace, "set", SetField("c.md", "description", "earlier change"))
        if verb == "undo":
            do(workspace, "delete")
        original = tmp_path / "original"
        shutil.copytree(env.home, original)

        def renew() -> Path:
            shutil.rmtree(env.home)
            shutil.copytree(original, env.home)
            return root

        return env, root, renew

    return build


def failing(number: int) -> Callable[[str, tuple[Path, ...]], None]:
    """Raise this error, as the system does it."""

    def fail(_effect: str, paths: tuple[Path, ...]) -> None:
        raise OSError(number, os.strerror(number), str(paths[0]))

    return fail


def from_moment(number: int, fails: Callable[[str, fs.Phase], bool], code: int) -> fs.Observer:
    """An observer under which, from a moment on, every effect of a kind fails: a disk that stays full, say."""
    seen = 0

    def observer(effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        nonlocal seen
        seen += 1
        if seen > number and fails(effect, phase):
            raise OSError(code, os.strerror(code), str(paths[0]))

    return observer


def effects_of(env: Env, root: Path, verb: str) -> list[Effect]:
    log: list[Effect] = []
    with effects_in(log):
        do(open_workspace(env, root), verb)
    return log


def moments(log: list[Effect], fails: Callable[[str, fs.Phase], bool]) -> list[int]:
    """Those moments of a log at which an effect of a kind would be the first to fail."""
    return [number for number, (effect, phase, _paths) in enumerate(log) if fails(effect, phase)]


@pytest.mark.parametrize("verb", DEEDS)
def test_one_effect_fails(verb: str, base: Callable[[str], tuple[Env, Path, Callable[[], Path]]]) -> None:
    env, root, renew = base(verb)
    old = tree_of(root)
    log = effects_of(env, root, verb)
    new = tree_of(root)
    failed = 0
    for moment in range(len(log)):
        renew()
        workspace = open_workspace(env, root)
        code = list(REASONS)[moment % len(REASONS)]
        try:
            with fs.observed_by(at_moment(moment, failing(code))):
                do(workspace, verb)
        except StorageError as error:
            failed += 1
            assert REASONS[code] in error.message, error.message
            assert str(env.home) in error.message, error.message
            assert ".memtui-" not in error.message
            wanted = old
        else:
            wanted = new
        workspace.recover()
        assert tree_of(root) == wanted, log[moment]
        (store,) = workspace.used_stores()
        assert len(workspace.scan(store).memories) == sum(name.endswith(".md") for name in wanted) - 1
    assert failed > len(log) // 2


@pytest.mark.parametrize("verb", DEEDS)
def test_the_disk_stays_full(verb: str, base: Callable[[str], tuple[Env, Path, Callable[[], Path]]]) -> None:
    """Nothing can be written from some moment on, also in the middle of a file; names still can be moved."""
    env, root, renew = base(verb)
    old = tree_of(root)
    log = effects_of(env, root, verb)
    new = tree_of(root)

    def writes(effect: str, phase: fs.Phase) -> bool:
        return effect in ("write_new", "append", "make_dir") and phase in ("before", "middle")

    for moment in moments(log, writes):
        renew()
        workspace = open_workspace(env, root)
        with fs.observed_by(from_moment(moment, writes, errno.ENOSPC)):
            try:
                do(workspace, verb)
            except StorageError as error:
                assert "full" in error.message
                assert tree_of(root) == old, log[moment]
            else:
                assert tree_of(root) == new, log[moment]
        open_workspace(env, root).recover()
        assert tree_of(root) in (old, new)
        do(open_workspace(env, root), "set", SetField("a.md", "description", "works again"))


@pytest.mark.parametrize("verb", DEEDS)
def test_the_disk_dies_and_comes_back(
    verb: str, base: Callable[[str], tuple[Env, Path, Callable[[], Path]]]
) -> None:
    """Nothing at all works from some moment on: not even taking back. The next start repairs it."""
    env, root, renew = base(verb)
    old = tree_of(root)
    log = effects_of(env, root, verb)
    new = tree_of(root)
    interrupted = 0
    for moment in moments(log, lambda _effect, phase: phase != "after"):
        renew()
        workspace = open_workspace(env, root)
        outcome = new
        code = errno.EIO if moment % 2 else errno.EROFS
        with fs.observed_by(from_moment(moment, lambda _effect, phase: phase != "after", code)):
            try:
                do(workspace, verb)
            except StorageError as error:
                interrupted += "next start" in error.message
                outcome = old
        for path, what in tree_of(root).items():
            assert not path.endswith(".md") or what in (old.get(path), new.get(path))
        open_workspace(env, root).recover()
        now = tree_of(root)
        assert now == outcome or (outcome == old and now == new), log[moment]
    assert interrupted > 0


def test_c07_directory_not_writable(base: Callable[[str], tuple[Env, Path, Callable[[], Path]]]) -> None:
    env, root, _renew = base("delete")
    old = tree_of(root)

    def read_only(effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        if any(root in path.parents for path in paths):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(paths[0]))

    workspace = open_workspace(env, root)
    (store,) = workspace.used_stores()
    before = workspace.scan(store).memories
    with fs.observed_by(read_only), pytest.raises(StorageError) as caught:
        do(workspace, "delete")
    assert str(root) in caught.value.message and "permission denied" in caught.value.message
    assert tree_of(root) == old
    assert workspace.scan(store).memories == before
    assert workspace.history()[0].summary == "set the description of c.md"


@pytest.mark.parametrize("folder", ["history", "history/objects", "history/changes", "locks"])
def test_memtuis_own_folder_cannot_be_written(
    folder: str, base: Callable[[str], tuple[Env, Path, Callable[[], Path]]]
) -> None:
    env, root, _renew = base("set")
    old = tree_of(root)
    shutil.rmtree(env.state_dir)
    place = env.state_dir / folder
    place.parent.mkdir(parents=True)
    place.write_text("a file where memtui wants a directory")
    with pytest.raises(StorageError) as caught:
        do(open_workspace(env, root), "set")
    assert str(env.state_dir) in caught.value.message
    assert tree_of(root) == old


def test_looking_works_without_a_readable_history(
    base: Callable[[str], tuple[Env, Path, Callable[[], Path]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    env, root, _renew = base("set")
    real = fs.list_dir

    def refuse(path: Path) -> list[fs.Entry]:
        if env.state_dir in path.parents:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(path)

    monkeypatch.setattr(fs, "list_dir", refuse)
    workspace = open_workspace(env, root)
    (snapshot,) = workspace.snapshots()
    assert len(snapshot.memories) == 3
    assert workspace.history() == () and workspace.recover() == ()
