"""A session's change killed at any moment, or refused by the disk: no line is lost, it is old or new."""

from __future__ import annotations

import errno
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from small_session import (
    MEANWHILE,
    OLD,
    VERBS,
    act,
    every_line,
    lines_of,
    make_session,
    prepare,
    sessions_dir,
    trash_of,
    two_file_systems,
)
from small_store import Effect, Tree, at_moment, effects_in, tree_of

from memtui.core import fs, session_actions
from memtui.core.env import Env
from memtui.core.errors import MemtuiError, StorageError
from memtui.core.history.journal import Journal
from memtui.core.operations.plan import Append
from memtui.core.workspace import Workspace

__all__ = ["two_file_systems"]

pytestmark = pytest.mark.usefixtures("same_ids")

State = tuple[Tree, list[bytes]]


class Scene:
    """A home in which one thing is done again and again, each time from the same start."""

    def __init__(self, env: Env, verb: str, tmp_path: Path) -> None:
        self.env, self.verb = env, verb
        env.cwd.mkdir(parents=True)
        self.path = prepare(env, verb)
        self._original = tmp_path / "original"
        shutil.copytree(env.home, self._original)
        self.old = self.state
        self.log: list[Effect] = []
        with effects_in(self.log):
            act(env, self._word)
        self.new = self.state
        self.lines = lines_of(OLD) if verb.endswith("rename") else every_line(env)

    @property
    def _word(self) -> str:
        return self.verb.split()[0]

    @property
    def state(self) -> State:
        return tree_of(sessions_dir(self.env)), trash_of(self.env)

    def renew(self) -> None:
        shutil.rmtree(self.env.home)
        shutil.copytree(self._original, self.env.home)

    def run(self) -> None:
        act(self.env, self._word)

    def run_killed(self, moment: int, *, recover: bool = False) -> bool:
        child = os.fork()
        if child == 0:
            try:
                with fs.observed_by(at_moment(moment, lambda *_about: os.kill(os.getpid(), signal.SIGKILL))):
                    Workspace(self.env).recover() if recover else self.run()
            finally:
                os._exit(0)
        _pid, status = os.waitpid(child, 0)
        return os.WIFSIGNALED(status)

    def check_nothing_is_lost(self) -> None:
        assert self.lines <= every_line(self.env)

    def check_nothing_is_left_to_do(self) -> None:
        log: list[Effect] = []
        with effects_in(log):
            assert Workspace(self.env).recover() == ()
        assert log == []

    def check_the_way_back(self) -> None:
        """Done once more, or taken back, it is as it should be."""
        if self.state == self.old:
            self.run()
            assert self.state == self.new
        elif self._word == "undo":
            act(self.env, "redo")
        else:
            act(self.env, "undo")
            assert self.state[0] == self.old[0]
        self.check_nothing_is_lost()


@pytest.fixture
def same_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry gets the same id whenever it is made."""
    monkeypatch.setattr(session_actions, "new_entry_id", lambda: "0badcafe")


@pytest.fixture
def scene(make_env: Callable[..., Env], tmp_path: Path, verb: str, same_ids: None) -> Scene:
    home = tmp_path / "home"
    return Scene(make_env(home=home, cwd=home / "code" / "app"), verb, tmp_path)


each_verb = pytest.mark.parametrize("verb", VERBS)


def kill_everywhere(scene: Scene, stride: int = 1, *, also_recovery: bool = False) -> None:
    assert scene.old != scene.new and len(scene.log) > 15
    for moment in range(0, len(scene.log), stride):
        scene.renew()
        assert scene.run_killed(moment), scene.log[moment]
        scene.check_nothing_is_lost()
        again = 0
        while also_recovery and scene.run_killed(again, recover=True):
            scene.check_nothing_is_lost()
            again += 1
        Workspace(scene.env).recover()
        assert scene.state in (scene.old, scene.new), scene.log[moment]
        scene.check_nothing_is_left_to_do()
        scene.check_the_way_back()


@each_verb
def test_killed_at_every_moment(scene: Scene) -> None:
    kill_everywhere(scene)


@pytest.mark.usefixtures("two_file_systems")
@each_verb
def test_killed_where_the_trash_is_on_another_file_system(scene: Scene) -> None:
    kill_everywhere(scene)


@pytest.mark.usefixtures("plain_renames_only")
@pytest.mark.parametrize("verb", ["undo a delete beside pi"])
def test_killed_where_names_cannot_be_exchanged(scene: Scene) -> None:
    kill_everywhere(scene)


@pytest.mark.parametrize("verb", ["delete", "undo a delete beside pi"])
def test_recovery_killed_as_well(scene: Scene) -> None:
    kill_everywhere(scene, stride=5, also_recovery=True)


# The disk refuses


@each_verb
def test_one_effect_fails(scene: Scene) -> None:
    fail_everywhere(scene)


@pytest.mark.usefixtures("two_file_systems")
@each_verb
def test_one_effect_fails_with_the_trash_on_another_file_system(scene: Scene) -> None:
    fail_everywhere(scene)


def fail_everywhere(scene: Scene) -> None:
    failed = 0
    for moment in range(len(scene.log)):
        scene.renew()
        code = (errno.ENOSPC, errno.EIO, errno.EACCES)[moment % 3]

        def fail(_effect: str, paths: tuple[Path, ...], code: int = code) -> None:
            raise OSError(code, os.strerror(code), str(paths[0]))

        wanted = [scene.new]
        try:
            with fs.observed_by(at_moment(moment, fail)):
                scene.run()
        except StorageError as error:
            failed += 1
            # what cannot be taken back without loss stands, and says so
            wanted = [scene.new] if "it stands" in error.message else [scene.old]
            assert ".memtui-" not in error.message
        Workspace(scene.env).recover()
        assert scene.state in wanted, scene.log[moment]
        scene.check_nothing_is_lost()
    assert failed > len(scene.log) // 3


@each_verb
def test_the_disk_dies_and_comes_back(scene: Scene) -> None:
    for moment in range(len(scene.log)):
        scene.renew()
        seen = 0

        def fail(effect: str, phase: fs.Phase, paths: tuple[Path, ...], moment: int = moment) -> None:
            nonlocal seen
            seen += 1
            if seen > moment and phase != "after":
                raise OSError(errno.EIO, os.strerror(errno.EIO), str(paths[0]))

        with fs.observed_by(fail):
            try:
                scene.run()
            except MemtuiError:
                scene.check_nothing_is_lost()
        Workspace(scene.env).recover()
        assert scene.state in (scene.old, scene.new), scene.log[moment]
        scene.check_nothing_is_left_to_do()
        scene.check_nothing_is_lost()


# A part of a line


@pytest.fixture
def appended(env: Env) -> tuple[Path, bytes, Callable[[bytes], None]]:
    """A session with a name whose record says that it was interrupted, its line, and a way to set the file."""
    path = make_session(env)
    act(env, "rename")
    line = path.read_bytes().removeprefix(OLD)
    record = next(env.state_dir.glob("history/changes/*1.jsonl"))
    intent = record.read_bytes().split(b"\n")[0] + b"\n"

    def interrupt(data: bytes) -> None:
        record.write_bytes(intent)
        with open(path, "r+b") as file:
            file.truncate()
            file.write(data)
            file.truncate(len(data))

    return path, line, interrupt


def test_an_append_cut_short_anywhere_is_taken_back_or_finished(
    env: Env, appended: tuple[Path, bytes, Callable[[bytes], None]]
) -> None:
    path, line, interrupt = appended
    for length in range(len(line) + 1):
        interrupt(OLD + line[:length])
        (note,) = Workspace(env).recover()
        is_whole = length == len(line)
        assert path.read_bytes() == (OLD + line if is_whole else OLD)
        assert ("finished" in note) == is_whole
        assert next(Journal(env.state_dir, env.now).records()).state == ("done" if is_whole else "rolled-back")


def test_what_another_program_wrote_behind_is_never_cut(
    env: Env, appended: tuple[Path, bytes, Callable[[bytes], None]]
) -> None:
    path, line, interrupt = appended
    for length in range(len(line) + 1):
        interrupt(OLD + line[:length] + MEANWHILE)
        Workspace(env).recover()
        assert path.read_bytes() == OLD + line[:length] + MEANWHILE
        assert not any(name.startswith(".memtui-") for name in os.listdir(path.parent))


def test_a_record_says_what_it_did_to_a_whole_file(env: Env) -> None:
    path = make_session(env)
    act(env, "rename")
    (record,) = Journal(env.state_dir, env.now).records()
    (step,) = record.steps
    assert isinstance(step, Append)
    assert (step.path, step.at, step.inode) == (path, len(OLD), path.stat().st_ino)
    assert (record.state, record.settled, record.root) == ("done", True, path.parent)
