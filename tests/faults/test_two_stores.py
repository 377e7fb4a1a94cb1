"""A move between two stores, killed or refused by the disk at any moment: a text stands in one store at least,
and the next start makes both stores old or both new."""

from __future__ import annotations

import errno
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from carry_stores import files_of, fill, first, open_actions, store_of
from small_store import Effect, at_moment, effects_in

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import LockedError, StorageError
from memtui.core.workspace import Workspace
from memtui.core.writing import guard

PAIRS = (("facts", "entries"), ("entries", "facts"), ("topics", "notes"), ("notes", "topics"))
STRIDE = 3
"""Every third moment: each effect has three (before, within, after), so that no effect is left out."""


class Home:
    """A home with both stores, which can be made anew."""

    def __init__(self, make_env: Callable[..., Env], tmp_path: Path, source: str, target: str) -> None:
        self.env = make_env(home=tmp_path / "home", cwd=tmp_path)
        self.stores = self.env.home / "stores"
        self.names = (source, target)
        fill(self.stores, source, target)
        self._original = tmp_path / "original"
        shutil.copytree(self.env.home, self._original)
        self.old = self.files()
        self.log: list[Effect] = []
        with effects_in(self.log):
            self.move()
        self.new = self.files()

    def renew(self) -> None:
        """As it was before the move."""
        shutil.rmtree(self.env.home)
        shutil.copytree(self._original, self.env.home)

    def files(self) -> dict[str, bytes]:
        """All files of both stores, but for names that go with the process that made them."""
        found = files_of(self.stores, *self.names)
        return {name: data for name, data in found.items() if "/.memtui-lock-" not in name or not _lives(name)}

    def move(self) -> None:
        """Carry the first memory over, as a command does."""
        source, target = (store_of(self.stores, name) for name in self.names)
        workspace, actions = open_actions(self.env)
        snapshot = workspace.scan(source)
        actions.move(snapshot, [first(snapshot)], target)
        workspace.settle()

    def recover(self) -> None:
        """What the next start does."""
        for name in self.names:
            Workspace(self.env, path=self.stores / name).recover()

    def assert_text_is_somewhere(self, when: object) -> None:
        """The carried text stands whole in one of the stores, under a name that an agent reads."""
        texts = [data for name, data in self.files().items() if "/.memtui" not in name]
        assert any(b"2222" in data and b"Ask Ana" in data for data in texts), when


def _lives(name: str) -> bool:
    return f"-{os.getpid()}-" in name


@pytest.fixture(params=PAIRS, ids="-".join)
def moving(request, make_env, tmp_path) -> Home:
    return Home(make_env, tmp_path, *request.param)


def test_killed_at_any_effect(moving: Home) -> None:
    for moment in range(0, len(moving.log), STRIDE):
        moving.renew()
        child = os.fork()
        if child == 0:
            try:
                with fs.observed_by(at_moment(moment, lambda *_about: os.kill(os.getpid(), signal.SIGKILL))):
                    moving.move()
            finally:
                os._exit(0)
        _pid, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status)
        moving.assert_text_is_somewhere(moving.log[moment])
        moving.recover()
        now = moving.files()
        assert now in (moving.old, moving.new), moving.log[moment]
        if now == moving.new:
            workspace, _actions = open_actions(moving.env)
            workspace.undo(workspace._journal.record("1").id)
            workspace.settle()
            assert moving.files() == moving.old


def test_refused_at_any_effect(moving: Home) -> None:
    def fail(_effect: str, paths: tuple[Path, ...]) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(paths[0]))

    failed = 0
    for moment in range(1, len(moving.log), STRIDE):
        moving.renew()
        wanted = moving.new
        with fs.observed_by(at_moment(moment, fail)):
            try:
                moving.move()
            except StorageError as error:
                failed += 1
                wanted = moving.old
                assert "full" in error.message
        moving.assert_text_is_somewhere(moving.log[moment])
        moving.recover()
        assert moving.files() == wanted, moving.log[moment]
    assert failed > 5


@pytest.mark.parametrize("locked", ["facts", "entries"])
def test_another_memtui_in_either_store_keeps_it_out(make_env, tmp_path, monkeypatch, locked) -> None:
    home = Home(make_env, tmp_path, "facts", "entries")
    home.renew()
    monkeypatch.setattr(guard, "LOCK_WAIT_S", 0.05)
    with guard.store_lock(home.env.state_dir, home.stores / locked), pytest.raises(LockedError):
        home.move()
    assert home.files() == home.old


def test_two_moves_against_each_other_do_not_wait_for_ever(make_env, tmp_path) -> None:
    """Both take the locks of both stores in one order."""
    home = Home(make_env, tmp_path, "facts", "notes")
    home.renew()
    taken: list[list[str]] = []
    real = guard.store_lock

    for roots in (("facts", "notes"), ("notes", "facts"), ("facts", "facts")):
        order: list[str] = []

        def noting(state_dir: Path, root: Path, *, wait_s: float | None = None, order: list[str] = order):
            order.append(root.name)
            return real(state_dir, root, wait_s=wait_s)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(guard, "store_lock", noting)
            with guard.store_locks(home.env.state_dir, [home.stores / name for name in roots]):
                taken.append(order)
    assert taken[0] == taken[1] and taken[2] == ["facts"]
