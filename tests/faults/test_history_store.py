"""The history on disk: what it keeps and for how long, torn and foreign records, the off switch, two of us."""

from __future__ import annotations

import dataclasses
import json
import os
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from small_store import Effect, HandPlan, do, effects_in, once, open_workspace, tree_of

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import LockedError
from memtui.core.history.journal import Journal
from memtui.core.history.objects import ObjectStore
from memtui.core.history.retention import prune
from memtui.core.history.reverted import undone_by_others
from memtui.core.layouts.base import Remove, SetField, digest
from memtui.core.writing.apply import apply


def records_dir(env: Env) -> Path:
    return env.state_dir / "history" / "changes"


def objects_of(env: Env) -> set[str]:
    return set(os.listdir(env.state_dir / "history" / "objects"))


# Objects


def test_a_torn_object_is_noticed_and_written_again(tmp_path: Path) -> None:
    store = ObjectStore(tmp_path / "objects")
    key = store.put(b"whole text")
    (tmp_path / "objects" / key).write_bytes(b"whole")
    assert store.get(key) is None
    assert store.put(b"whole text") == key
    assert store.get(key) == b"whole text"


def test_many_threads_keep_the_same_text_at_once(tmp_path: Path) -> None:
    store = ObjectStore(tmp_path / "objects")
    failures: list[OSError] = []

    def put() -> None:
        try:
            for number in range(20):
                store.put(b"text %d" % number)
        except OSError as error:
            failures.append(error)

    threads = [threading.Thread(target=put) for _number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert set(store.kept()) == {digest(b"text %d" % number) for number in range(20)}
    assert len(os.listdir(tmp_path / "objects")) == 20


def test_what_another_memtui_sweeps_away_while_it_is_kept_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = ObjectStore(tmp_path / "objects")
    replace, swept = fs.replace, []

    def swept_before(source: Path, target: Path) -> None:
        if not swept:
            swept.append(source)
            ObjectStore(tmp_path / "objects").sweep()
        replace(source, target)

    monkeypatch.setattr(fs, "replace", swept_before)
    key = store.put(b"kept by one, swept by the other")
    assert swept
    assert store.get(key) == b"kept by one, swept by the other"
    assert os.listdir(tmp_path / "objects") == [key]


# Records


def test_a_torn_line_spoils_nothing_behind_it(root: Path, env: Env, journal: Journal) -> None:
    do(open_workspace(env, root), "delete")
    path = records_dir(env) / "00000001.jsonl"
    lines = path.read_bytes().split(b"\n\n")
    path.write_bytes(lines[0] + b'\n\n{"event": "do')
    (record,) = journal.records()
    assert record.state == "open"
    workspace = open_workspace(env, root)
    assert "finished" in workspace.recover()[0]
    (record,) = journal.records()
    assert record.state == "done" and record.settled
    assert workspace.recover() == ()
    do(workspace, "undo")
    assert (root / "b.md").exists()


@pytest.mark.parametrize("tail", [b"", b'{"event": "intent", "form', b"\0\0\0\0", b"\xff\xfe"])
def test_a_record_that_is_all_torn(tail: bytes, root: Path, env: Env, journal: Journal) -> None:
    do(open_workspace(env, root), "set")
    (records_dir(env) / "00000002.jsonl").write_bytes(tail)
    workspace = open_workspace(env, root)
    assert workspace.recover() == ()
    assert [info.id for info in workspace.history()] == ["1"]
    do(workspace, "delete")
    assert [info.id for info in workspace.history()] == ["3", "1"]
    workspace.prune_history()
    assert sorted(os.listdir(records_dir(env))) == ["00000001.jsonl", "00000003.jsonl"]


def test_records_of_a_newer_memtui_are_left_alone(root: Path, env: Env) -> None:
    do(open_workspace(env, root), "set")
    first = (records_dir(env) / "00000001.jsonl").read_bytes().split(b"\n")[0]
    newer = json.dumps({**json.loads(first), "format": 2, "id": "2"}).encode() + b"\n"
    path = records_dir(env) / "00000002.jsonl"
    path.write_bytes(newer)
    workspace = open_workspace(env, root)
    before = tree_of(root)
    assert workspace.recover() == () and tree_of(root) == before
    assert [info.id for info in workspace.history()] == ["1"]
    workspace.prune_history()
    assert path.read_bytes() == newer
    do(workspace, "delete")
    assert [info.id for info in workspace.history()] == ["3", "1"]


@pytest.mark.parametrize("name", ["notes.txt", "²³.jsonl", "-1.jsonl", "9" * 40 + ".jsonl", "x.jsonl"])
def test_foreign_names_among_the_records(name: str, root: Path, env: Env) -> None:
    do(open_workspace(env, root), "set")
    (records_dir(env) / name).write_text("not ours")
    do(open_workspace(env, root), "delete")
    assert [info.id for info in open_workspace(env, root).history()] == ["2", "1"]


# Retention


def hand_change(env: Env, journal: Journal, root: Path, name: str, size_bytes: int) -> None:
    plan = HandPlan(root).write(name, None, name.encode() * (size_bytes // len(name))).plan()
    for handover in apply(plan, lambda: plan, journal, env.state_dir).handovers:
        handover.settle(0)


def test_what_is_too_old_goes(root: Path, env: Env, journal: Journal) -> None:
    hand_change(env, journal, root, "one.md", 100)
    later = Journal(env.state_dir, lambda: env.now() + timedelta(days=80))
    hand_change(env, later, root, "two.md", 100)
    now = env.now() + timedelta(days=95)
    wanted = prune(journal, now, 90, 500, dry_run=True)
    assert len(list(journal.records())) == 2 and len(objects_of(env)) == 2
    assert prune(journal, now, 90, 500) == wanted
    assert wanted.changes == 1 and wanted.size_bytes == 96
    assert [record.steps[0].path.name for record in journal.records()] == ["two.md"]
    assert objects_of(env) == {digest(b"two.md" * 16)}


def test_what_is_too_much_goes_oldest_first(root: Path, env: Env, journal: Journal) -> None:
    for name in ("one.md", "two.md", "six.md"):
        hand_change(env, journal, root, name, 600_000)
    assert prune(journal, env.now(), 90, 1).changes == 2
    assert [record.steps[0].path.name for record in journal.records()] == ["six.md"]
    assert len(objects_of(env)) == 1


def test_a_change_under_way_is_never_pruned(root: Path, env: Env, journal: Journal) -> None:
    plan = HandPlan(root).write("new.md", None, b"x\n").plan()
    change = journal.begin(plan, ())
    assert prune(journal, env.now() + timedelta(days=999), 0, 0).changes == 0
    assert len(list(journal.records())) == 1 and objects_of(env) == set(plan.blobs)
    change.close()
    prune(journal, env.now() + timedelta(days=999), 0, 0)
    assert len(list(journal.records())) == 1 and objects_of(env) == set(plan.blobs)
    open_workspace(env, root).recover()
    prune(journal, env.now() + timedelta(days=999), 0, 0)
    assert list(journal.records()) == [] and objects_of(env) == set()


def test_nothing_is_made_by_pruning_nothing(env: Env) -> None:
    assert open_workspace(env, env.home).prune_history().changes == 0
    assert not env.state_dir.exists()


# Switched off


@pytest.mark.parametrize("verb", ["add", "set", "rename", "delete"])
def test_with_the_history_off_nothing_stays(verb: str, root: Path, env: Env) -> None:
    env.config_dir.mkdir(parents=True)
    (env.config_dir / "config.yaml").write_text("history:\n  enabled: false\n")
    before = tree_of(root)
    do(open_workspace(env, root), verb)
    assert tree_of(root) != before
    assert os.listdir(records_dir(env)) == [] and objects_of(env) == set()


def test_with_the_history_off_a_crash_is_still_repaired(root: Path, env: Env) -> None:
    env.config_dir.mkdir(parents=True)
    (env.config_dir / "config.yaml").write_text("history:\n  enabled: false\n")
    before = tree_of(root)
    child = os.fork()
    if child == 0:
        with fs.observed_by(once("exchange", lambda *_about: os._exit(1))):
            do(open_workspace(env, root), "delete")
        os._exit(0)
    os.waitpid(child, 0)
    assert tree_of(root) != before
    open_workspace(env, root).recover()
    assert tree_of(root) == before
    assert os.listdir(records_dir(env)) == [] and objects_of(env) == set()


# Two at once


def test_recovery_leaves_the_change_of_a_running_memtui_alone(root: Path, env: Env) -> None:
    """The other one stands still in the middle of its change, then goes on."""
    go_read, go_write = os.pipe()
    there_read, there_write = os.pipe()
    child = os.fork()
    if child == 0:

        def wait(_effect: str, _paths: tuple[Path, ...]) -> None:
            os.write(there_write, b"x")
            os.read(go_read, 1)

        try:
            with fs.observed_by(once("exchange", wait)):
                do(open_workspace(env, root), "delete")
            os._exit(0)
        finally:
            os._exit(1)
    os.read(there_read, 1)
    before = tree_of(root)
    workspace = open_workspace(env, root)
    log: list[Effect] = []
    with effects_in(log):
        assert workspace.recover() == ()
        assert workspace.prune_history().changes == 0
    assert log == [] and tree_of(root) == before
    os.write(go_write, b"x")
    _pid, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert not (root / "b.md").exists()
    assert [info.state for info in workspace.history()] == ["done"]
    for descriptor in (go_read, go_write, there_read, there_write):
        os.close(descriptor)


def test_two_memtuis_change_one_store_by_turns(root: Path, env: Env) -> None:
    count = 12

    def work(name: str) -> None:
        workspace = open_workspace(env, root)
        for number in range(count):
            workspace.recover()
            do(workspace, "set", SetField(name, "hook", f"hook {number}"))

    children = []
    for name in ("a.md", "c.md"):
        child = os.fork()
        if child == 0:
            try:
                work(name)
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    for child in children:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    text = (root / "MEMORY.md").read_text()
    assert text.count(f"hook {count - 1}") == 2 and "- [Beta](b.md) — second" in text
    workspace = open_workspace(env, root)
    assert len(workspace.history()) == 2 * count
    for _each in range(2 * count):
        do(workspace, "undo")
    assert "first" in (root / "MEMORY.md").read_text() and "third" in (root / "MEMORY.md").read_text()


def test_the_history_is_held_by_another(
    root: Path, env: Env, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    do(open_workspace(env, root), "set")
    before = tree_of(root)
    real = fs.locked
    monkeypatch.setattr(fs, "locked", lambda path, wait_s=5.0: real(path, wait_s=0))
    with journal.locked(), pytest.raises(LockedError):
        do(open_workspace(env, root), "delete")
    assert tree_of(root) == before


# Reverted


@pytest.fixture
def judged(root: Path, env: Env, journal: Journal) -> Callable[[bytes | None], set[str]]:
    """The changes that are reported when the index reads so."""

    def judge(text: bytes | None) -> set[str]:
        return undone_by_others(journal.records(), journal.objects, {root / "MEMORY.md": text})

    return judge


def test_an_old_copy_reverts_what_was_changed_since(
    root: Path, env: Env, judged: Callable[[bytes | None], set[str]]
) -> None:
    copies = [(root / "MEMORY.md").read_bytes()]
    for edit in (SetField("a.md", "hook", "one"), SetField("a.md", "hook", "two"), Remove("b.md")):
        do(open_workspace(env, root), "set", edit)
        copies.append((root / "MEMORY.md").read_bytes())
    assert [judged(copy) for copy in copies] == [{"1", "2", "3"}, {"2", "3"}, {"3"}, set()]
    assert judged(copies[1] + b"- [New](new.md)\n") == {"2", "3"}
    assert [info.id for info in open_workspace(env, root).history() if info.reverted] == []
    (root / "MEMORY.md").write_bytes(copies[2])
    assert [info.id for info in open_workspace(env, root).history() if info.reverted] == ["3"]
    (snapshot,) = open_workspace(env, root).snapshots()
    assert "reverted" in [problem.code for problem in snapshot.problems]


def test_what_an_old_copy_reverted_is_told_after_a_later_change_too(
    root: Path, env: Env, judged: Callable[[bytes | None], set[str]]
) -> None:
    index = root / "MEMORY.md"
    do(open_workspace(env, root), "set", SetField("a.md", "hook", "one"))
    copy = index.read_bytes()
    do(open_workspace(env, root), "set", SetField("b.md", "hook", "two"))
    index.write_bytes(copy + b"- [New](new.md)\n")
    do(open_workspace(env, root), "set", SetField("a.md", "hook", "three"))
    assert judged(index.read_bytes()) == {"2"}
    do(open_workspace(env, root), "set", SetField("b.md", "hook", "four"))
    assert judged(index.read_bytes()) == set()


def test_a_newer_edit_of_the_same_line_is_no_reverted_change(
    root: Path, env: Env, judged: Callable[[bytes | None], set[str]]
) -> None:
    do(open_workspace(env, root), "set", SetField("a.md", "hook", "one"))
    text = (root / "MEMORY.md").read_bytes()
    assert judged(text.replace(b"one", b"the agent's own newer words")) == set()
    assert judged(text.replace(b"- [Beta]", b"\n- [Beta]")) == set()


def test_what_the_history_no_longer_holds_is_not_judged(
    root: Path, env: Env, journal: Journal, judged: Callable[[bytes | None], set[str]]
) -> None:
    old = (root / "MEMORY.md").read_bytes()
    do(open_workspace(env, root), "set", SetField("a.md", "hook", "one"))
    (record,) = journal.records()
    journal.objects.forget([dataclasses.asdict(step)["before"] for step in record.steps])
    assert judged(old) == set()
