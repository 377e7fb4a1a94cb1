"""The owners' locks: each program waits for the other, and nobody's live lock is ever touched."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from memtui.core import fs
from memtui.core.errors import LockedError
from memtui.core.layouts.base import LockRule
from memtui.core.operations.plan import OwnerLock
from memtui.core.writing.owner_locks import describe_lock, owner_locks, release_own_record

QUICK = (0.001, 0.001)


def directory_lock(root: Path, waits=QUICK) -> OwnerLock:
    return OwnerLock(root / "MEMORY.md.lock", LockRule("directory", "{file}.lock", waits, 30.0, "test"))


def record_lock(root: Path, waits=QUICK) -> OwnerLock:
    return OwnerLock(root / ".lock", LockRule("record", ".lock", waits, None, "test"))


def flock_lock(root: Path) -> OwnerLock:
    return OwnerLock(root / "MEMORY.md.lock", LockRule("flock", "{file}.lock", QUICK, None, "test"))


def record(**fields) -> bytes:
    return json.dumps(
        {"pid": 1, "hostname": socket.gethostname(), "startedAt": "2026-01-01", **fields}
    ).encode()


@pytest.fixture
def dead_pid() -> int:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


MAKERS = [directory_lock, record_lock, flock_lock]


@pytest.mark.parametrize("make", MAKERS)
def test_whoever_waits_hears_once_for_what(tmp_path, make):
    lock, heard = make(tmp_path), []
    with owner_locks([lock], waits=heard.append):
        assert heard == []
        with pytest.raises(LockedError), owner_locks([lock], waits=heard.append):
            pass
    (sentence,) = heard
    assert sentence.startswith(f"waiting for {lock.path}, held by ")


@pytest.mark.parametrize("make", MAKERS)
def test_a_lock_is_held_within_and_gone_after(tmp_path, make):
    lock = make(tmp_path)
    with owner_locks([lock]):
        assert lock.path.exists()
        with pytest.raises(LockedError) as caught, owner_locks([lock]):
            pytest.fail("two hold it")
        assert str(lock.path) in caught.value.message and caught.value.left_behind is None
    # Hermes' own file stays for ever
    assert lock.path.exists() == (lock.rule.kind == "flock")
    with owner_locks([lock]):
        pass


@pytest.mark.parametrize("make", MAKERS)
def test_a_lock_goes_when_what_was_done_under_it_fails(tmp_path, make):
    lock = make(tmp_path)
    with pytest.raises(ZeroDivisionError), owner_locks([lock]):
        raise ZeroDivisionError
    with owner_locks([lock]):
        pass


def test_several_locks_are_all_released_when_one_is_held(tmp_path):
    first, second = directory_lock(tmp_path), record_lock(tmp_path)
    second.path.write_bytes(record(pid=os.getpid()))
    with pytest.raises(LockedError), owner_locks([first, second]):
        pytest.fail("held")
    assert not first.path.exists() and second.path.read_bytes() == record(pid=os.getpid())


def test_it_waits_as_the_owner_does(tmp_path):
    lock = directory_lock(tmp_path, waits=(0.02,) * 200)
    lock.path.mkdir()
    threading.Timer(0.1, lock.path.rmdir).start()
    with owner_locks([lock]):
        assert lock.path.is_dir()


def test_a_missing_directory_needs_no_lock(tmp_path):
    with owner_locks([directory_lock(tmp_path / "none")]):
        assert not (tmp_path / "none").exists()


def test_the_directory_bears_whole_milliseconds_as_the_library_compares_them(tmp_path):
    lock = directory_lock(tmp_path)
    with owner_locks([lock]):
        found = lock.path.stat()
        assert found.st_mtime_ns % 1_000_000 == 0 == found.st_atime_ns % 1_000_000
        assert abs(found.st_mtime - time.time()) < 60


def test_a_live_lock_directory_is_not_touched_in_any_way(tmp_path):
    lock = directory_lock(tmp_path)
    lock.path.mkdir()
    # proper-lockfile's own time may lie a second ahead
    os.utime(lock.path, (time.time() + 1, time.time() + 1))
    before = lock.path.stat()
    effects = []
    with (
        fs.observed_by(lambda effect, phase, paths: effects.append((effect, phase))),
        pytest.raises(LockedError),
        owner_locks([lock]),
    ):
        pytest.fail("held")
    after = lock.path.stat()
    assert (before.st_mtime_ns, before.st_ctime_ns, before.st_ino) == (
        after.st_mtime_ns,
        after.st_ctime_ns,
        after.st_ino,
    )
    assert set(effects) == {("make_dir", "before")}


def test_c04_a_lock_left_by_a_killed_process_is_taken_over_only_when_the_person_agrees(tmp_path):
    lock = directory_lock(tmp_path)
    lock.path.mkdir()
    hour_ago = time.time() - 3600
    os.utime(lock.path, (hour_ago, hour_ago))
    with pytest.raises(LockedError) as caught, owner_locks([lock]):
        pytest.fail("taken over unasked")
    assert caught.value.left_behind == lock.path and caught.value.code == "stale-lock"
    assert time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(hour_ago)) in caught.value.message
    assert lock.path.stat().st_mtime == hour_ago
    with owner_locks([lock], takes_over=[lock.path]):
        assert lock.path.stat().st_mtime > hour_ago + 3000
    assert not lock.path.exists()


def test_a_stale_lock_with_something_in_it_is_not_emptied(tmp_path):
    lock = directory_lock(tmp_path)
    lock.path.mkdir()
    (lock.path / "x").write_text("y")
    os.utime(lock.path, (1, 1))
    with pytest.raises(Exception) as caught, owner_locks([lock], takes_over=[lock.path]):
        pytest.fail("taken over")
    assert "MEMORY.md.lock" in caught.value.message
    assert (lock.path / "x").read_text() == "y"


def test_a_file_in_the_way_is_left_alone(tmp_path):
    lock = directory_lock(tmp_path)
    lock.path.touch()
    for age in (0, 3600):
        os.utime(lock.path, (time.time() - age, time.time() - age))
        with pytest.raises(LockedError) as caught, owner_locks([lock], takes_over=[lock.path]):
            pytest.fail("held")
        assert str(lock.path) in caught.value.message
    assert lock.path.is_file()


def test_a_lock_that_was_stolen_meanwhile_is_not_removed(tmp_path):
    lock = directory_lock(tmp_path)
    with owner_locks([lock]):
        lock.path.rmdir()
        lock.path.mkdir()
        os.utime(lock.path, (5, 5))
    assert lock.path.stat().st_mtime == 5


def test_a_record_says_who_holds_it_in_the_owners_form(tmp_path):
    lock = record_lock(tmp_path)
    with owner_locks([lock], "delete"):
        fields = json.loads(lock.path.read_bytes())
        assert list(fields) == ["pid", "hostname", "startedAt", "op"]
        assert (fields["pid"], fields["hostname"]) == (os.getpid(), socket.gethostname())
        assert fields["op"] == "memtui delete" and fields["startedAt"].endswith("Z")
        assert [path.name for path in tmp_path.iterdir()] == [".lock"]
        assert f"process {os.getpid()} on" in describe_lock(lock.path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"pid":"x"}', record(hostname="elsewhere")])
def test_a_record_that_tells_nothing_of_its_holder_is_held(tmp_path, data):
    lock = record_lock(tmp_path)
    lock.path.write_bytes(data)
    os.utime(lock.path, (1, 1))
    with pytest.raises(LockedError) as caught, owner_locks([lock]):
        pytest.fail("held")
    assert caught.value.left_behind is None
    assert lock.path.read_bytes() == data


def test_an_abandoned_record_needs_the_persons_word(tmp_path, dead_pid):
    lock = record_lock(tmp_path)
    lock.path.write_bytes(record(pid=dead_pid, op="add"))
    with pytest.raises(LockedError) as caught, owner_locks([lock]):
        pytest.fail("taken over unasked")
    assert caught.value.left_behind == lock.path and f"process {dead_pid}" in caught.value.message
    with owner_locks([lock], takes_over=[lock.path]):
        assert json.loads(lock.path.read_bytes())["pid"] == os.getpid()
    assert not lock.path.exists()


def test_what_a_killed_memtui_left_is_taken_without_asking(tmp_path, dead_pid):
    lock = record_lock(tmp_path)
    lock.path.write_bytes(record(pid=dead_pid, op="memtui add"))
    with owner_locks([lock]):
        assert json.loads(lock.path.read_bytes())["pid"] == os.getpid()


def test_at_its_start_memtui_removes_only_a_record_of_its_own_dead(tmp_path, dead_pid):
    path = tmp_path / ".lock"
    for data, stays in (
        (record(pid=dead_pid, op="memtui add"), False),
        (record(pid=dead_pid, op="add"), True),
        (record(pid=os.getpid(), op="memtui add"), True),
        (b"", True),
    ):
        path.write_bytes(data)
        release_own_record(path)
        assert path.exists() == stays


def test_at_its_start_memtui_removes_what_a_dead_one_had_begun_to_write(tmp_path, dead_pid):
    names = [f".memtui-lock-{dead_pid}-1.tmp", f".memtui-lock-{os.getpid()}-1.tmp", ".lock.1.2.tmp"]
    for name in names:
        (tmp_path / name).write_bytes(b'{"pid":')
    release_own_record(tmp_path / ".lock")
    assert sorted(os.listdir(tmp_path)) == sorted(names[1:])


def test_a_record_of_somebody_else_is_not_removed_on_release(tmp_path):
    lock = record_lock(tmp_path)
    with owner_locks([lock]):
        lock.path.write_bytes(record(pid=1))
    assert lock.path.read_bytes() == record(pid=1)


# With the owner's own library


def _node_path() -> str | None:
    named = os.environ.get("PROPER_LOCKFILE", "proper-lockfile")
    if shutil.which("node") is None:
        return None
    asked = subprocess.run(
        ["node", "-p", f"require.resolve({named!r})"], capture_output=True, text=True, check=False, timeout=60
    )
    return asked.stdout.strip() or None


NODE = """
const lockfile = require(process.argv[1]), file = process.argv[2], mode = process.argv[3];
const options = { stale: 30000, retries: mode === 'hold' ? 0 : 2 };
lockfile.lock(file, options).then(async (release) => {
  console.log('held');
  if (mode === 'hold') await new Promise((done) => process.stdin.once('data', done));
  await release();
  console.log('released');
  process.exit(0);
}, (error) => { console.log(error.code); process.exit(0); });
"""


@pytest.fixture(scope="module")
def library() -> str:
    found = _node_path()
    if found is None:
        pytest.skip("node with proper-lockfile is not here (PROPER_LOCKFILE names its folder)")
    return found


def test_nodes_lock_keeps_memtui_out_and_memtuis_keeps_node_out(tmp_path, library):
    file = tmp_path / "MEMORY.md"
    file.touch()
    lock = directory_lock(tmp_path)
    words = ["node", "-e", textwrap.dedent(NODE), library, str(file)]
    holder = subprocess.Popen([*words, "hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(LockedError), owner_locks([lock]):
            pytest.fail("both hold it")
        holder.stdin.write("x\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "released\n"
    finally:
        holder.kill()
        holder.wait()
    with owner_locks([lock]):
        asked = subprocess.run([*words, "try"], capture_output=True, text=True, check=False, timeout=60)
        assert asked.stdout == "ELOCKED\n"
    asked = subprocess.run([*words, "try"], capture_output=True, text=True, check=False, timeout=60)
    assert asked.stdout == "held\nreleased\n"
