"""Naming, taking away and archiving sessions: what is written, what is refused, and the way back."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from session_corpus import Writer, header, put

from memtui.core import streams
from memtui.core.env import Env
from memtui.core.errors import (
    ConflictError,
    NothingToDoError,
    RefusedError,
    StorageError,
    UnknownIdError,
    UsageError,
)
from memtui.core.history.journal import Journal
from memtui.core.history.retention import LARGE_KEPT_DAYS, prune
from memtui.core.library import Library
from memtui.core.session_actions import SessionActions
from memtui.core.sessions.base import Session
from memtui.core.sessions.ending import ending_of
from memtui.core.sessions.quick import look_at
from memtui.core.sessions.tally import count
from memtui.core.workspace import Workspace

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
"""The moment of the frozen clock."""

LONG_AGO = NOW - timedelta(days=2)


@pytest.fixture
def workspace(env: Env) -> Workspace:
    return Workspace(env)


@pytest.fixture
def actions(workspace: Workspace) -> SessionActions:
    return SessionActions(workspace)


@pytest.fixture
def save(env: Env) -> Callable[..., Path]:
    """Save a session into this project's directory, last changed long ago."""

    def save(data: bytes = b"", name: str = "a.jsonl", folder: Path | None = None) -> Path:
        path = put((folder or Library(env).places.own) / name, data or talk())
        os.utime(path, (LONG_AGO.timestamp(), LONG_AGO.timestamp()))
        return path

    return save


def talk(texts: int = 2, cwd: str = "/home/dev/app") -> bytes:
    session = Writer(cwd)
    for number in range(texts):
        session.user(f"text {number}")
    return bytes(session.data)


def row(path: Path) -> Session:
    return look_at(path)


def trash_of(env: Env) -> list[Path]:
    folder = env.state_dir / "history" / "sessions"
    return sorted(folder.iterdir()) if folder.exists() else []


# Names


def test_a_name_is_one_line_behind_the_last_entry(
    workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    path = save()
    inode = path.stat().st_ino
    outcome = actions.rename_session(row(path), " fix\nthe parser ")
    assert outcome.change is not None and outcome.change.summary == "named the session fix the parser"
    assert (outcome.change.paths, outcome.change.verb) == ((path,), "sessions rename")
    line = path.read_bytes().removeprefix(talk())
    assert line.count(b"\n") == 1 and b'"parentId":"00000002"' in line
    assert count(path).name == "fix the parser" and path.stat().st_ino == inode
    workspace.undo()
    assert path.read_bytes() == talk()
    workspace.redo()
    assert path.read_bytes() == talk() + line
    assert actions.rename_session(row(path), "fix the parser").change is None
    actions.rename_session(row(path), "")
    assert count(path).name == "" and path.read_bytes().startswith(talk() + line)
    workspace.undo()
    workspace.undo()
    assert path.read_bytes() == talk()
    assert {change.state for change in workspace.history()} == {"undone"}


def test_a_name_is_not_taken_back_from_under_later_lines(
    workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    path = save()
    actions.rename_session(row(path), "mine")
    with open(path, "ab") as file:
        file.write(b'{"type":"message"}\n')
    before = path.read_bytes()
    with pytest.raises(ConflictError) as caught:
        workspace.undo()
    assert "new lines behind it" in caught.value.message and path.read_bytes() == before


def test_a_name_is_not_given_again_once_the_session_went_on(
    workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    path = save()
    actions.rename_session(row(path), "mine")
    workspace.undo()
    with open(path, "ab") as file:
        file.write(b'{"type":"message"}\n')
    with pytest.raises(ConflictError) as caught:
        workspace.redo()
    assert "has grown since" in caught.value.message


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"no header\n", "no session header"),
        (header(version=2), "old version"),
        (header() + b'{"ty', "finished"),
    ],
)
def test_names_that_would_do_harm_are_refused(
    data: bytes, why: str, actions: SessionActions, save: Callable[..., Path]
) -> None:
    path = save(data)
    with pytest.raises(RefusedError) as caught:
        actions.rename_session(row(path), "x")
    assert why in caught.value.message and path.read_bytes() == data


def test_the_session_that_was_looked_at_is_gone_or_another(
    actions: SessionActions, save: Callable[..., Path]
) -> None:
    seen = row(save())
    other = save(talk(3), "other.jsonl")
    os.replace(other, seen.file)
    for act in (lambda: actions.rename_session(seen, "x"), lambda: actions.trash_session(seen)):
        with pytest.raises(ConflictError):
            act()
    seen.file.unlink()
    for act in (lambda: actions.rename_session(seen, "x"), lambda: actions.trash_session(seen)):
        with pytest.raises(UnknownIdError):
            act()


@pytest.mark.parametrize("size_bytes", [100, 70_000, 2_000_000])
def test_the_end_of_a_session_is_what_counting_all_of_it_says(size_bytes: int, home: Path) -> None:
    session = Writer()
    session.user("hi")
    session.tool("x" * size_bytes)
    data = bytes(session.data)
    for text in (data, data + b'{"torn', data[:-1], header()):
        path = put(home / "s.jsonl", text)
        ending, counts = ending_of(path), count(path)
        assert (ending.counts.leaf_id, ending.counts.pending_bytes) == (counts.leaf_id, counts.pending_bytes)
        assert (ending.size_bytes, ending.ends_with_newline) == (len(text), text.endswith(b"\n"))


# The trash


def test_s19_a_session_goes_to_the_trash_and_comes_back_as_it_was(
    env: Env, workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    path = save()
    path.chmod(0o640)
    before = path.stat()
    outcome = actions.trash_session(row(path))
    assert outcome.change is not None and outcome.change.summary == "moved the session text 0 to the trash"
    assert not path.exists()
    (kept,) = trash_of(env)
    assert kept.read_bytes() == talk() and kept.parent.stat().st_mode & 0o777 == 0o700
    assert workspace.undo().change is not None
    after = path.stat()
    assert path.read_bytes() == talk() and trash_of(env) == []
    assert (before.st_ino, before.st_mode, before.st_mtime_ns) == (
        after.st_ino,
        after.st_mode,
        after.st_mtime_ns,
    )
    workspace.redo()
    assert not path.exists() and len(trash_of(env)) == 1


def test_s19_a_session_that_may_be_in_use_needs_force(
    make_env: Callable[..., Env], save: Callable[..., Path]
) -> None:
    path = save()
    env = make_env(now=lambda: LONG_AGO + timedelta(seconds=30))
    actions, workspace = SessionActions(Workspace(env)), Workspace(env)
    with pytest.raises(RefusedError) as caught:
        actions.trash_session(row(path))
    assert caught.value.code == "live" and "30 seconds ago" in caught.value.message and path.exists()
    outcome = actions.trash_session(row(path), force=True)
    assert outcome.notes == (caught.value.message,) and not path.exists()
    workspace.undo()
    with pytest.raises(RefusedError) as caught:
        workspace.redo()
    assert caught.value.code == "live" and path.read_bytes() == talk()


@pytest.mark.skipif(sys.platform != "linux", reason="of others' processes only Linux shows the directory so")
@pytest.mark.usefixtures("real_processes")
def test_s19_the_pi_that_writes_a_session_is_named(
    make_env: Callable[..., Env], save: Callable[..., Path]
) -> None:
    env = make_env(now=lambda: datetime.now(UTC))
    wait = "import sys; print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        ["pi", "-S", "-c", wait],
        executable=sys.executable,
        cwd=env.cwd,
        env={"HOME": str(env.home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as pi:
        assert pi.stdout is not None and pi.stdout.readline() == b"\n"
        path, quiet = save(talk(cwd=str(env.cwd))), save(talk(cwd=str(env.cwd)), "b.jsonl")
        os.utime(path, (env.now().timestamp() + 600,) * 2)
        actions = SessionActions(Workspace(env))
        # a time to come is no sign of this pi, and nothing else is
        assert f"pi (process {pi.pid}) runs in its directory" in actions.in_use(row(quiet))
        os.utime(path)
        assert f"pi (process {pi.pid}) writes it" in actions.in_use(row(path))
        assert actions.in_use(row(quiet)) == ""
        with pytest.raises(RefusedError, match=f"process {pi.pid}"):
            actions.trash_session(row(path))
        pi.communicate()
    assert "seconds ago" in actions.in_use(row(path))


def test_s19_undo_puts_the_new_lines_behind_the_old(
    env: Env, workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    path = save(talk()[:-1])
    actions.trash_session(row(path))
    path.write_bytes(b'{"type":"message","id":"new"}\n{"type":"mess')
    workspace.undo()
    assert path.read_bytes() == talk() + b'{"type":"message","id":"new"}\n{"type":"mess'
    assert os.listdir(path.parent) == [path.name] and trash_of(env) == []


def test_another_session_at_its_name_is_not_mixed_in(
    env: Env, workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    path = save()
    actions.trash_session(row(path))
    save(talk(5))
    with pytest.raises(ConflictError) as caught:
        workspace.undo()
    assert "another session" in caught.value.message
    assert path.read_bytes() == talk(5) and len(trash_of(env)) == 1
    path.unlink()
    workspace.undo()
    assert path.read_bytes() == talk()


def test_its_directory_is_made_again(
    workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    path = save()
    actions.trash_session(row(path))
    path.parent.rmdir()
    workspace.undo()
    assert path.read_bytes() == talk()


def test_a_link_goes_and_what_it_leads_to_stays(
    env: Env, workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    target = put(env.home / "elsewhere" / "s.jsonl", talk(), LONG_AGO)
    link = save(name="other.jsonl").with_name("link.jsonl")
    link.symlink_to(target)
    with pytest.raises(RefusedError):
        actions.rename_session(row(link), "x")
    outcome = actions.trash_session(row(link))
    assert not link.is_symlink() and target.read_bytes() == talk() and str(target) in outcome.notes[0]
    workspace.undo()
    assert link.readlink() == target


def test_large_sessions_are_moved_and_not_read(
    env: Env, workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    path = save(talk(2000))
    with open(path, "ab") as file:
        file.truncate(1_800_000_000)
    os.utime(path, (LONG_AGO.timestamp(), LONG_AGO.timestamp()))
    session = row(path)
    tracemalloc.start()
    actions.trash_session(session)
    (planned,) = workspace.preview(workspace.plan_undo())
    workspace.undo()
    _now, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert planned.after_sha256 is None and "1,800,000,000" in planned.diff
    assert path.stat().st_size == 1_800_000_000 and peak_bytes < 2 * streams.CHUNK_BYTES


def test_undo_here_means_sessions_of_this_project_too(
    make_env: Callable[..., Env], env: Env, actions: SessionActions, save: Callable[..., Path]
) -> None:
    path = save()
    actions.trash_session(row(path))
    elsewhere = env.home / "code" / "other"
    elsewhere.mkdir()
    other = Workspace(make_env(cwd=elsewhere))
    with pytest.raises(NothingToDoError):
        other.undo()
    (change,) = Workspace(env).history()
    assert (change.store_id, change.verb) == ("pi-sessions", "sessions delete")
    other.undo(change.id)
    assert path.exists()
    there = save(name="b.jsonl", folder=path.parent.parent / "--elsewhere--")
    here = Workspace(env)
    SessionActions(here).trash_session(row(there))
    here.undo()
    assert there.exists()


# How long the trash keeps


@pytest.mark.parametrize(
    ("age_days", "keep_mb", "stays"),
    [
        (1, 500, True),
        (91, 500, False),
        (LARGE_KEPT_DAYS - 1, 0, True),
        (LARGE_KEPT_DAYS + 1, 0, False),
    ],
)
def test_the_trash_keeps_sessions_by_age_and_size(
    age_days: int, keep_mb: int, stays: bool, env: Env, workspace: Workspace, save: Callable[..., Path]
) -> None:
    SessionActions(workspace).trash_session(row(save()))
    workspace.settle()
    journal = Journal(env.state_dir, env.now)
    pruned = prune(journal, NOW + timedelta(days=age_days), 90, keep_mb, dry_run=True)
    assert len(trash_of(env)) == 1
    assert prune(journal, NOW + timedelta(days=age_days), 90, keep_mb) == pruned
    assert (len(trash_of(env)), pruned.changes) == ((1, 0) if stays else (0, 1))
    assert stays or pruned.size_bytes == len(talk())


def test_a_large_session_puts_no_other_change_out(
    env: Env, workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    actions.rename_session(row(save(name="b.jsonl")), "named")
    actions.trash_session(row(save(talk(20_000))))
    workspace.settle()
    journal = Journal(env.state_dir, env.now)
    assert prune(journal, NOW + timedelta(days=8), 90, 1).changes == 1
    assert [record.verb for record in journal.records()] == ["sessions rename"]


def test_without_a_history_nothing_stays_in_the_trash(env: Env, save: Callable[..., Path]) -> None:
    put(env.config_dir / "config.yaml", b"history:\n  enabled: false\n")
    path = save()
    workspace = Workspace(env)
    SessionActions(workspace).trash_session(row(path))
    workspace.settle()
    assert not path.exists() and trash_of(env) == []
    assert list((env.state_dir / "history" / "changes").iterdir()) == []


def test_a_session_pruned_from_the_trash_is_said_to_be_gone(
    env: Env, workspace: Workspace, actions: SessionActions, save: Callable[..., Path]
) -> None:
    actions.trash_session(row(save()))
    trash_of(env)[0].unlink()
    with pytest.raises(ConflictError) as caught:
        workspace.undo()
    assert "no longer in the trash" in caught.value.message


# Archives


def test_an_archive_copy_is_private_whole_and_never_over_anything(
    env: Env, actions: SessionActions, save: Callable[..., Path]
) -> None:
    data = talk() + b'{"type":"mess'
    path = save(data)
    folder = env.home / "archive"
    folder.mkdir()
    first, second = (actions.archive_session(row(path), str(folder)) for _copy in range(2))
    assert [first.path.name, second.path.name] == ["a.jsonl", "a-1.jsonl"]
    assert (first.size_bytes, first.left_out_bytes) == (len(talk()), len(data) - len(talk()))
    assert first.path.read_bytes() == talk() and first.path.stat().st_mode & 0o777 == 0o600
    assert first.path.stat().st_ino != path.stat().st_ino and first.path.stat().st_nlink == 1
    named = actions.archive_session(row(path), str(folder / "x.jsonl"))
    assert named.path == folder / "x.jsonl"
    with pytest.raises(UsageError) as caught:
        actions.archive_session(row(path), str(folder / "x.jsonl"))
    assert caught.value.code == "exists"
    with pytest.raises(UsageError):
        actions.archive_session(row(path), str(env.home / "none" / "x.jsonl"))
    assert sorted(os.listdir(folder)) == ["a-1.jsonl", "a.jsonl", "x.jsonl"]
    assert path.read_bytes() == data and Workspace(env).history() == ()


def test_an_archive_that_cannot_be_written_leaves_nothing(
    env: Env, actions: SessionActions, save: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save()
    folder = env.home / "archive"
    folder.mkdir()

    def fail(*_about: object, **_more: object) -> None:
        raise OSError(28, "No space left on device", str(folder))

    monkeypatch.setattr(streams, "copy_new", fail)
    with pytest.raises(StorageError) as caught:
        actions.archive_session(row(path), str(folder))
    assert "full" in caught.value.message and os.listdir(folder) == []
    with pytest.raises(UnknownIdError):
        actions.archive_session(dataclasses.replace(row(path), file=path.with_name("gone.jsonl")), str(folder))
