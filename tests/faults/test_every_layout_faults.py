"""Every writable layout, killed and refused by the disk: old or new after the next start, never anything else.

The layouts' plans differ in what they write and in the locks they take; the moments are a sample of all, since
each effect by itself is proven in the tests of the core.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from carry_stores import FILES
from small_store import Effect, at_moment, effects_in

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import StorageError
from memtui.core.layouts.base import Add, Edit, Remove, SetField, SetText, Snapshot, Store
from memtui.core.layouts.owners import AMASTER, CLAUDE, HERMES, YANDY, ZCODE
from memtui.core.layouts.topic_owners import YANDY_2
from memtui.core.workspace import Workspace

OWNERS = {
    "zcode": ZCODE,
    "claude": CLAUDE,
    "yandy-1": YANDY,
    "yandy-2": YANDY_2,
    "amaster": AMASTER,
    "hermes": HERMES,
}
MOMENTS = 18
"""How many moments of each deed are tried; with the verbs and owners they fall on effects of every kind."""


def adding(snapshot: Snapshot) -> Edit:
    """A new memory."""
    topic = "fresh" if snapshot.store.layout == "topics" else None
    kind = "" if snapshot.store.layout == "entries" else "user"
    return Add("Fresh", type=kind, body="a new text " * 20, topic=topic)


def setting(snapshot: Snapshot) -> Edit:
    """Another text, or another title where that touches two files."""
    memory = snapshot.memories[0]
    if snapshot.store.layout == "notes":
        return SetField(memory.id, "title", "Another name")
    return SetText(memory.id, b"another text\n", part="body")


def removing(snapshot: Snapshot) -> Edit:
    """The first memory goes."""
    return Remove(snapshot.memories[0].id)


DEEDS: dict[str, Callable[[Snapshot], Edit]] = {"add": adding, "set": setting, "delete": removing}


class Stand:
    """A home with one store, which can be made anew."""

    def __init__(self, env: Env, owner: str, tmp_path: Path) -> None:
        self.env = env
        profile = OWNERS[owner]
        root = env.home / "store"
        self.store = Store("s", root, profile, exists=True, used=True, reason="test")
        for name, text in FILES[profile.layout].items():
            root.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        self._original = tmp_path / "original"
        shutil.copytree(env.home, self._original)

    def renew(self) -> None:
        """As it was at first."""
        shutil.rmtree(self.env.home)
        shutil.copytree(self._original, self.env.home)

    def do(self, verb: str) -> None:
        """The deed, as a command does it, up to its exit."""
        workspace = Workspace(self.env)
        snapshot = workspace.scan(self.store)
        workspace.run(snapshot, verb, (DEEDS[verb](snapshot),))
        workspace.settle()

    def recover(self) -> None:
        """What the next start does, in this store too although no agent here reads it."""
        Workspace(self.env, path=self.store.root).recover()

    def files(self) -> dict[str, bytes]:
        """The memories and indexes with their bytes, and whatever else is left of a change."""
        found = {path.name: path.read_bytes() for path in self.store.root.iterdir() if path.is_file()}
        # Hermes' own lock stays for ever; what a live process could not remove goes with it
        return {
            name: data
            for name, data in found.items()
            if not name.endswith(".md.lock") and f".memtui-lock-{os.getpid()}-" not in name
        }


@pytest.fixture(params=OWNERS)
def stand(request, make_env, tmp_path) -> Stand:
    return Stand(make_env(home=tmp_path / "home", cwd=tmp_path), request.param, tmp_path)


def sampled(
    stand: Stand, verb: str, start: int
) -> tuple[list[tuple[int, Effect]], dict[str, bytes], dict[str, bytes]]:
    """Some moments of a deed, spread evenly, and the files before and after it."""
    old = stand.files()
    log: list[Effect] = []
    with effects_in(log):
        stand.do(verb)
    new = stand.files()
    assert old != new
    stride = max(2, len(log) // MOMENTS)
    # a stride of whole effects would only ever meet one of their phases
    stride += stride % 3 == 0
    return [(moment, log[moment]) for moment in range(start, len(log), stride)], old, new


@pytest.mark.parametrize("verb", DEEDS)
def test_killed(stand, verb):
    moments, old, new = sampled(stand, verb, list(DEEDS).index(verb))
    for moment, effect in moments:
        stand.renew()
        child = os.fork()
        if child == 0:
            try:
                with fs.observed_by(at_moment(moment, lambda *_about: os.kill(os.getpid(), signal.SIGKILL))):
                    stand.do(verb)
            finally:
                os._exit(0)
        _pid, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status)
        for name, data in stand.files().items():
            assert not name.endswith(".md") or data in (old.get(name), new.get(name)), effect
        stand.recover()
        assert stand.files() in (old, new), effect
        locks = [path for path in stand.store.root.iterdir() if path.name.endswith(".lock") and path.is_dir()]
        if not locks:
            # the next deed is not kept out by anything that the killed one left
            stand.do(verb) if stand.files() == old else None
            assert stand.files() == new, effect


@pytest.mark.parametrize("verb", DEEDS)
def test_the_disk_refuses(stand, verb):
    def fail(_effect: str, paths: tuple[Path, ...]) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(paths[0]))

    moments, old, new = sampled(stand, verb, list(DEEDS).index(verb))
    failed = 0
    for moment, effect in moments:
        stand.renew()
        wanted = new
        with fs.observed_by(at_moment(moment, fail)):
            try:
                stand.do(verb)
            except StorageError as error:
                failed += 1
                wanted = old
                assert "full" in error.message and str(stand.env.home) in error.message
        stand.recover()
        assert stand.files() == wanted, effect
    assert failed
