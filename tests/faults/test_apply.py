"""What `apply` does with a plan: steps, modes, links, paths, locks, and the order of becoming durable."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from small_store import (
    Effect,
    HandPlan,
    at_moment,
    do,
    done_effects,
    effects_in,
    open_workspace,
    tree_of,
)

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import LockedError, RefusedError, StorageError
from memtui.core.history.journal import Journal
from memtui.core.layouts.base import Remove, SetField
from memtui.core.operations.plan import Plan
from memtui.core.writing import guard
from memtui.core.writing.apply import Applied

Run = Callable[[Plan], Applied]


# Steps


def test_c14_modes_survive(root: Path, env: Env, carry_out: Run) -> None:
    texts = {name: (root / name).read_bytes() for name in ("a.md", "MEMORY.md")}
    steps = HandPlan(root)
    for name, text in texts.items():
        steps.write(name, text, text + b"more\n", 0o644)
    carry_out(steps.plan())
    assert {name: tree_of(root)[name][1] for name in texts} == {"a.md": 0o600, "MEMORY.md": 0o640}
    assert (root / "a.md").read_bytes() == texts["a.md"] + b"more\n"
    modes = {kind: mode for kind, mode, _data in tree_of(env.state_dir).values()}
    for kind, mode, _data in tree_of(env.state_dir).values():
        assert mode == {"dir": 0o700, "file": 0o600}[kind]
    assert set(modes) == {"dir", "file"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only a superuser can meet the files of others")
def test_a_superuser_leaves_a_file_to_its_owner(root: Path, carry_out: Run) -> None:
    text = (root / "a.md").read_bytes()
    os.chown(root / "a.md", 12345, 54321)
    carry_out(HandPlan(root).write("a.md", text, b"new\n").plan())
    status = (root / "a.md").stat()
    assert (status.st_uid, status.st_gid) == (12345, 54321)
    assert (root / "a.md").read_bytes() == b"new\n"


def test_a_new_file_has_the_planned_mode_whatever_the_umask(root: Path, carry_out: Run) -> None:
    previous = os.umask(0o077)
    try:
        carry_out(HandPlan(root).write("new.md", None, b"new\n", 0o644).plan())
    finally:
        os.umask(previous)
    assert tree_of(root)["new.md"] == ("file", 0o644, b"new\n")


def test_a_file_goes_and_stays_in_the_history(root: Path, journal: Journal, carry_out: Run) -> None:
    text = (root / "b.md").read_bytes()
    plan = HandPlan(root).trash("b.md", text).plan()
    applied = carry_out(plan)
    assert "b.md" not in tree_of(root)
    assert applied.change_id is not None
    record = journal.record(applied.change_id)
    assert record is not None and record.state == "done" and record.settled
    assert journal.objects.get(next(iter(plan.blobs))) == text


def test_only_the_link_goes_never_what_it_leads_to(root: Path, tmp_path: Path, carry_out: Run) -> None:
    outside = tmp_path / "dotfiles.md"
    outside.write_text("mine\n")
    (root / "link.md").symlink_to(outside)
    carry_out(HandPlan(root).trash("link.md", os.fsencode(outside), link=True).plan())
    assert not (root / "link.md").is_symlink() and outside.read_text() == "mine\n"
    carry_out(HandPlan(root).link("link.md", os.fsencode(outside)).plan())
    assert os.readlink(root / "link.md") == str(outside)


def test_nothing_to_do_writes_nothing(root: Path, env: Env, carry_out: Run) -> None:
    before = tree_of(env.home)
    assert carry_out(HandPlan(root).plan()).change_id is None
    assert tree_of(env.home) == before


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has no such names")
def test_names_that_are_not_utf8(root: Path, journal: Journal, carry_out: Run) -> None:
    name = os.fsdecode(b"caf\xe9.md")
    carry_out(HandPlan(root).write(name, None, b"one\n").plan())
    carry_out(HandPlan(root).write(name, b"one\n", b"two\n").plan())
    assert (root / name).read_bytes() == b"two\n"
    (last, first) = journal.records()
    assert last.steps[0].path == first.steps[0].path == root / name


def test_missing_directories_are_made(root: Path, carry_out: Run) -> None:
    carry_out(HandPlan(root).write("deep/er/new.md", None, b"x\n").plan())
    assert (root / "deep/er/new.md").read_bytes() == b"x\n"


def test_directories_made_in_vain_go_again(root: Path, carry_out: Run) -> None:
    before = tree_of(root)
    plan = HandPlan(root).write("deep/er/new.md", None, b"x\n").write("a.md", b"other text", b"y").plan()
    (root / "a.md").write_bytes(b"other text")
    before = tree_of(root)

    def full(effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        if effect == "exchange":
            raise OSError(errno.ENOSPC, "full", str(paths[0]))

    with fs.observed_by(full), pytest.raises(StorageError):
        carry_out(plan)
    assert tree_of(root) == before


# Links and paths


def test_c13_an_index_that_is_a_link(root: Path, tmp_path: Path, carry_out: Run) -> None:
    target = tmp_path / "dotfiles" / "MEMORY.md"
    target.parent.mkdir()
    os.rename(root / "MEMORY.md", target)
    (root / "MEMORY.md").symlink_to("../dotfiles/MEMORY.md")
    text = target.read_bytes()
    with pytest.raises(RefusedError) as caught:
        carry_out(HandPlan(root).write("MEMORY.md", text, b"shorter\n").plan())
    assert str(target) in caught.value.message
    assert os.readlink(root / "MEMORY.md") == "../dotfiles/MEMORY.md"
    assert target.read_bytes() == text


def test_c13_deleting_an_entry_of_a_linked_index(root: Path, tmp_path: Path, env: Env) -> None:
    target = tmp_path / "dotfiles.md"
    os.rename(root / "MEMORY.md", target)
    (root / "MEMORY.md").symlink_to(target)
    before = tree_of(tmp_path)
    with pytest.raises(RefusedError) as caught:
        do(open_workspace(env, root), "delete", Remove("b.md"))
    assert "MEMORY.md" in caught.value.message
    assert tree_of(tmp_path) == before


@pytest.mark.parametrize("name", ["sub/x.md", "../x.md", "sub/../../x.md", "."])
def test_paths_that_lead_out_of_the_store(name: str, root: Path, tmp_path: Path, carry_out: Run) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "sub").symlink_to(outside)
    before = tree_of(tmp_path)
    with pytest.raises(RefusedError):
        carry_out(HandPlan(root).write(name, None, b"x").plan())
    assert tree_of(tmp_path) == before


def test_a_path_of_another_place(root: Path, tmp_path: Path, carry_out: Run) -> None:
    plan = HandPlan(tmp_path).write("x.md", None, b"x").plan()
    with pytest.raises(RefusedError):
        carry_out(Plan("hand", root, plan.steps, plan.blobs, "by hand"))


def test_a_store_that_is_reached_through_a_link(
    root: Path, tmp_path: Path, env: Env, carry_out: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alias").symlink_to(root)
    carry_out(HandPlan(tmp_path / "alias").write("new.md", None, b"x\n").plan())
    assert (root / "new.md").read_bytes() == b"x\n"
    monkeypatch.setattr(guard, "LOCK_WAIT_S", 0.0)
    with guard.store_lock(env.state_dir, root), pytest.raises(LockedError):
        carry_out(HandPlan(tmp_path / "alias").write("other.md", None, b"x\n").plan())


@pytest.mark.parametrize("what", ["directory", "pipe"])
def test_something_else_stands_at_the_name(what: str, root: Path, carry_out: Run) -> None:
    path = root / "odd.md"
    path.mkdir() if what == "directory" else os.mkfifo(path)
    with pytest.raises(StorageError) as caught:
        carry_out(HandPlan(root).write("odd.md", b"old", b"new").plan())
    assert str(path) in caught.value.message
    assert [name for name in os.listdir(root) if name.startswith(".")] == []


# Locks and interruptions


def test_another_memtui_at_work(root: Path, env: Env, carry_out: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LOCK_WAIT_S", 0.0)
    before = tree_of(root)
    with guard.store_lock(env.state_dir, root), pytest.raises(LockedError) as caught:
        carry_out(HandPlan(root).write("new.md", None, b"x").plan())
    assert str(root) in caught.value.message
    assert tree_of(root) == before


def test_interrupted_from_the_keyboard_everything_is_old(root: Path, env: Env) -> None:
    before = tree_of(root)
    log: list[Effect] = []
    for _twice in range(2):
        # the second time all texts are in the history, as they will be from then on
        log.clear()
        with effects_in(log):
            do(open_workspace(env, root), "rename")
        do(open_workspace(env, root), "undo")

    def interrupt(_effect: str, _paths: tuple[Path, ...]) -> None:
        raise KeyboardInterrupt

    finished = max(number for number, (effect, phase, _paths) in enumerate(log) if effect == "fsync")
    for moment in range(finished):
        with fs.observed_by(at_moment(moment, interrupt)), pytest.raises(KeyboardInterrupt):
            do(open_workspace(env, root), "rename")
        open_workspace(env, root).recover()
        assert tree_of(root) == before, log[moment]


# File systems that can do less


@pytest.mark.usefixtures("plain_renames_only")
@pytest.mark.parametrize("verb", ["add", "set", "rename", "delete"])
def test_where_names_cannot_be_exchanged(verb: str, root: Path, env: Env) -> None:
    before = tree_of(root)
    outcome = do(open_workspace(env, root), verb)
    assert tree_of(root) != before
    assert len([note for note in outcome.notes if "cannot exchange" in note]) == 1
    assert [name for name in os.listdir(root) if name.startswith(".")] == []
    do(open_workspace(env, root), "undo")
    assert tree_of(root) == before


# Durability


def test_the_order_in_which_bytes_become_durable(root: Path, env: Env) -> None:
    log: list[Effect] = []
    with effects_in(log):
        do(open_workspace(env, root), "rename")
    done = [(effect, paths) for effect, phase, paths in log if phase == "after"]
    store = [number for number, (_effect, paths) in enumerate(done) if root in (paths[0].parent, paths[0])]
    record = env.state_dir / "history" / "changes" / "00000001.jsonl"
    assert all(root not in paths[0].parents for _effect, paths in done[: store[0]])

    def position(effect: str, path: Path, start: int = 0) -> int:
        return next(number for number in range(start, len(done)) if done[number] == (effect, (path,)))

    # before anything happens in the store: every text, its name, the intent and its name
    written = [paths[0] for effect, paths in done[: store[0]] if effect == "write_new"]
    assert len(written) > 3 and record in written
    for path in written:
        assert position("fsync", path) < store[0]
    objects = record.parent.parent / "objects"
    last_object = max(
        number for number, (effect, _paths) in enumerate(done) if effect == "replace" and number < store[0]
    )
    assert last_object < position("fsync_dir", objects, last_object) < position("write_new", record)
    assert (
        position("fsync", record) < position("fsync_dir", record.parent, position("fsync", record)) < store[0]
    )

    # in the store: a temp is flushed before it gets its name, and the name before anything that follows
    finished = position("append", record)
    for number, (effect, paths) in enumerate(done[:finished]):
        if effect in ("exchange", "move_to_free"):
            assert position("fsync", paths[0]) < number
        if effect in ("exchange", "move_to_free") or (effect == "replace" and number > store[0]):
            assert done[number + 1] == ("fsync_dir", (root,))
    assert done[finished + 1] == ("fsync", (record,))

    # what was replaced goes last
    removed = [number for number, (effect, paths) in enumerate(done) if effect == "unlink"]
    assert removed and min(removed) > finished + 1


def test_a_set_costs_few_flushes(root: Path, env: Env) -> None:
    do(open_workspace(env, root), "set", SetField("a.md", "title", "first"))
    log: list[Effect] = []
    with effects_in(log):
        do(open_workspace(env, root), "set", SetField("b.md", "description", "words"))
    assert sum(names[0].startswith("fsync") for names in done_effects(log)) < 12
