"""File effects: what they do, what they refuse, and that every one of them announces itself."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.core import fs, renames


@pytest.fixture
def calls() -> list[tuple[str, str]]:
    """Filled by `record` with effect and phase."""
    return []


@pytest.fixture
def record(calls: list[tuple[str, str]]) -> fs.Observer:
    """An observer that writes down what it sees."""
    return lambda effect, phase, paths: calls.append((effect, phase))


def no_exclusive_rename(monkeypatch: pytest.MonkeyPatch, number: int = errno.EINVAL) -> None:
    """A file system that refuses renameat2's flags, with this error number."""
    import ctypes

    def refuse(source: bytes, target: bytes, flags: int) -> int:
        ctypes.set_errno(number)
        return -1

    monkeypatch.setattr(renames, "_rename_function", lambda: refuse)


# Reading


def test_read_file_gives_bytes_and_identity(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\x00\xff\r\n")
    path.chmod(0o640)
    image = fs.read_file(path)
    status = path.stat()
    assert image == fs.FileImage(b"\x00\xff\r\n", 0o640, status.st_ino, status.st_dev, status.st_mtime_ns)
    (tmp_path / "empty").touch()
    assert fs.read_file(tmp_path / "empty").data == b""


def test_read_file_follows_no_symlink_at_its_end(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("x")
    (tmp_path / "link").symlink_to("target")
    with pytest.raises(OSError) as caught:
        fs.read_file(tmp_path / "link")
    assert caught.value.errno == errno.ELOOP


def test_read_file_refuses_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(OSError) as fifo:
        fs.read_file(tmp_path / "fifo")
    assert fifo.value.errno == errno.EINVAL
    with pytest.raises(IsADirectoryError):
        fs.read_file(tmp_path)
    with pytest.raises(FileNotFoundError):
        fs.read_file(tmp_path / "gone")


def test_read_file_keeps_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 100)
    assert len(fs.read_file(path, limit_bytes=100).data) == 100
    with pytest.raises(OSError) as caught:
        fs.read_file(path, limit_bytes=99)
    assert caught.value.errno == errno.EFBIG


def test_read_file_keeps_to_its_limit_when_the_file_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"")
    monkeypatch.setattr(os, "read", lambda descriptor, size: b"y" * size)
    with pytest.raises(OSError) as caught:
        fs.read_file(path, limit_bytes=1 << 20)
    assert caught.value.errno == errno.EFBIG


def test_list_dir_sorts_names_and_tells_kinds(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("")
    (tmp_path / "a").mkdir()
    (tmp_path / "c").symlink_to("nowhere")
    os.mkfifo(tmp_path / "d")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/e\xff")).write_text("")
    listed = [(entry.name, entry.kind) for entry in fs.list_dir(tmp_path)]
    assert listed == [("a", "dir"), ("b", "file"), ("c", "symlink"), ("d", "other"), ("e\udcff", "file")]
    with pytest.raises(NotADirectoryError):
        fs.list_dir(tmp_path / "b")


def test_kind_of_never_raises(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    assert fs.kind_of(tmp_path) == "dir"
    assert fs.kind_of(tmp_path / "link") == "symlink"
    assert fs.kind_of(tmp_path / "gone") is None
    assert fs.kind_of(tmp_path / "a\0b") is None
    assert fs.kind_of(tmp_path / ("n" * 300)) is None
    assert fs.is_dir(tmp_path / "link")
    assert not fs.is_dir(tmp_path / "a\0b")


# Changing


def test_make_dirs_says_which_it_made(tmp_path: Path) -> None:
    assert fs.make_dirs(tmp_path / "a" / "b", mode=0o700) == [tmp_path / "a", tmp_path / "a" / "b"]
    assert fs.make_dirs(tmp_path / "a" / "b") == []
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


def test_make_dirs_refuses_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotADirectoryError):
        fs.make_dirs(tmp_path / "file")
    with pytest.raises(NotADirectoryError):
        fs.make_dirs(tmp_path / "file" / "sub")


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_write_new_sets_exactly_the_mode(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        fs.write_new(tmp_path / "a", b"text", mode=0o664)
    finally:
        os.umask(before)
    assert (tmp_path / "a").read_bytes() == b"text"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o664


def test_write_new_never_writes_over_or_through_anything(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    for name in ("a", "link"):
        with pytest.raises(FileExistsError):
            fs.write_new(tmp_path / name, b"x")
    assert (tmp_path / "a").read_text() == "mine"
    assert not (tmp_path / "elsewhere").exists()


def test_append_says_which_inode_took_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one\n")
    assert fs.append(tmp_path / "a", b"two\n") == (tmp_path / "a").stat().st_ino
    assert (tmp_path / "a").read_bytes() == b"one\ntwo\n"
    assert fs.append(tmp_path / "new", b"x", create_mode=0o600) == fs.inode_of(tmp_path / "new")
    with pytest.raises(FileNotFoundError):
        fs.append(tmp_path / "gone", b"x")


def test_append_refuses_links_and_pipes(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    (tmp_path / "link").symlink_to("a")
    with pytest.raises(OSError) as link:
        fs.append(tmp_path / "link", b"x")
    assert link.value.errno == errno.ELOOP
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(OSError):  # nobody reads it: a blocking open would wait for ever
        fs.append(tmp_path / "fifo", b"x")
    reader = os.open(tmp_path / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(OSError) as fifo:
            fs.append(tmp_path / "fifo", b"x")
        assert fifo.value.errno == errno.EINVAL
    finally:
        os.close(reader)
    with pytest.raises(IsADirectoryError):
        fs.append(tmp_path, b"x")
    assert (tmp_path / "a").read_text() == "mine"


def test_exchange_swaps_two_files_with_their_inodes_and_modes(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("1")
    second.write_text("2")
    first.chmod(0o600)
    second.chmod(0o644)
    inodes = first.stat().st_ino, second.stat().st_ino
    fs.exchange(first, second)
    assert (first.read_text(), second.read_text()) == ("2", "1")
    assert (second.stat().st_ino, first.stat().st_ino) == inodes
    assert stat.S_IMODE(first.stat().st_mode) == 0o644


@pytest.mark.parametrize("swapped", [False, True])
def test_exchange_refuses_everything_but_two_files(tmp_path: Path, swapped: bool) -> None:
    plain = tmp_path / "plain"
    plain.write_text("x")
    (tmp_path / "link").symlink_to("plain")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    for name, number in (("link", errno.ELOOP), ("folder", errno.EISDIR), ("fifo", errno.EINVAL)):
        pair = (tmp_path / name, plain) if swapped else (plain, tmp_path / name)
        with pytest.raises(OSError) as caught:
            fs.exchange(*pair)
        assert caught.value.errno == number
    with pytest.raises(FileNotFoundError):
        fs.exchange(plain, tmp_path / "gone")
    assert plain.read_text() == "x"


def test_exchange_works_on_names_that_are_not_utf8(tmp_path: Path) -> None:
    first = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    first.write_text("1")
    (tmp_path / "b\n").write_text("2")
    fs.exchange(first, tmp_path / "b\n")
    assert first.read_text() == "2"


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EINVAL, errno.ENOTSUP])
def test_exchange_says_when_the_file_system_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("2")
    no_exclusive_rename(monkeypatch, number)
    with pytest.raises(fs.UnsupportedEffectError):
        fs.exchange(tmp_path / "a", tmp_path / "b")
    monkeypatch.setattr(renames, "_rename_function", lambda: None)
    with pytest.raises(fs.UnsupportedEffectError):
        fs.exchange(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "a").read_text() == "1"


def test_other_errors_of_exchange_are_not_taken_for_a_missing_feature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("2")
    no_exclusive_rename(monkeypatch, errno.EROFS)
    with pytest.raises(OSError) as caught:
        fs.exchange(tmp_path / "a", tmp_path / "b")
    assert caught.value.errno == errno.EROFS
    assert not isinstance(caught.value, fs.UnsupportedEffectError)


@pytest.fixture(params=["one step", "fallback"])
def mover(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, Path], None]:
    """`move_to_free` where renameat2 works, and where it does not."""
    if request.param == "fallback":
        no_exclusive_rename(monkeypatch)
    return fs.move_to_free


def test_move_to_free_moves_files_and_links(mover: Callable[[Path, Path], None], tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    (tmp_path / "link").symlink_to("nowhere")
    mover(tmp_path / "a", tmp_path / "b")
    mover(tmp_path / "link", tmp_path / "link2")
    assert sorted(os.listdir(tmp_path)) == ["b", "link2"]
    assert (tmp_path / "b").read_text() == "x"
    assert os.readlink(tmp_path / "link2") == "nowhere"


def test_move_to_free_never_replaces(mover: Callable[[Path, Path], None], tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    (tmp_path / "dangling").symlink_to("nowhere")
    for taken in ("b", "dangling"):
        with pytest.raises(FileExistsError):
            mover(tmp_path / "a", tmp_path / taken)
    with pytest.raises(FileNotFoundError):
        mover(tmp_path / "gone", tmp_path / "c")
    assert (tmp_path / "a").read_text() == "a"
    assert (tmp_path / "b").read_text() == "b"


def test_a_name_with_a_null_byte_is_not_cut_short(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    with pytest.raises(ValueError, match="null"):
        fs.move_to_free(tmp_path / "a", tmp_path / "b\0c")
    assert os.listdir(tmp_path) == ["a"]


def test_a_file_that_appears_during_the_fallback_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_exclusive_rename(monkeypatch)
    (tmp_path / "a").write_text("old")

    def rewriter(effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        if phase == "middle":
            (tmp_path / "theirs").write_text("new")
            os.replace(tmp_path / "theirs", tmp_path / "a")

    with fs.observed_by(rewriter):
        fs.move_to_free(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "a").read_text() == "new"
    assert (tmp_path / "b").read_text() == "old"


def test_small_effects(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    fs.link(tmp_path / "a", tmp_path / "b")
    with pytest.raises(FileExistsError):
        fs.link(tmp_path / "a", tmp_path / "b")
    fs.replace(tmp_path / "a", tmp_path / "c")
    fs.make_symlink("c", tmp_path / "d")
    assert fs.read_link(tmp_path / "d") == "c"
    assert fs.real_path(tmp_path / "d") == (tmp_path / "c").resolve()
    fs.set_mode(tmp_path / "c", 0o600)
    with pytest.raises(OSError) as caught:
        fs.set_mode(tmp_path / "d", 0o644)
    assert caught.value.errno == errno.ELOOP
    assert stat.S_IMODE((tmp_path / "c").stat().st_mode) == 0o600
    fs.unlink(tmp_path / "d")
    fs.unlink(tmp_path / "d", missing_ok=True)
    with pytest.raises(FileNotFoundError):
        fs.unlink(tmp_path / "d")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(OSError):
        fs.remove_dir(tmp_path / "full")
    with pytest.raises(OSError):
        fs.unlink(tmp_path / "full")
    fs.unlink(tmp_path / "full" / "x")
    fs.remove_dir(tmp_path / "full")
    assert sorted(os.listdir(tmp_path)) == ["b", "c"]


def test_fsync_dir_tolerates_file_systems_that_cannot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(number: int) -> Callable[[int], None]:
        def fsync(descriptor: int) -> None:
            raise OSError(number, os.strerror(number))

        return fsync

    monkeypatch.setattr(os, "fsync", refuse(errno.EINVAL))
    fs.fsync_dir(tmp_path)
    monkeypatch.setattr(os, "fsync", refuse(errno.EIO))
    with pytest.raises(OSError):
        fs.fsync_dir(tmp_path)


# Locks


def test_a_held_lock_is_waited_for_and_then_given_up(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with fs.locked(path):
        with pytest.raises(TimeoutError), fs.locked(path, wait_s=0):
            pass
        with pytest.raises(TimeoutError), fs.locked(path, wait_s=0.02):
            pass
    with fs.locked(path, wait_s=0):
        pass
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_lock_is_taken_as_soon_as_it_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    held, order = threading.Event(), []

    def holder() -> None:
        with fs.locked(path):
            held.set()
            release.wait()
            order.append("first")

    release = threading.Event()
    thread = threading.Thread(target=holder)
    thread.start()
    held.wait()
    release.set()
    with fs.locked(path, wait_s=60):
        order.append("second")
    thread.join()
    assert order == ["first", "second"]


def test_a_lock_is_free_after_an_error_and_refuses_links(tmp_path: Path) -> None:
    with pytest.raises(KeyError), fs.locked(tmp_path / "lock"):
        raise KeyError
    with fs.locked(tmp_path / "lock", wait_s=0):
        pass
    (tmp_path / "link").symlink_to("lock")
    with pytest.raises(OSError), fs.locked(tmp_path / "link", wait_s=0):
        pass


# The observer


def test_a_write_is_announced_before_it_is_flushed(
    tmp_path: Path, calls: list[tuple[str, str]], record: fs.Observer
) -> None:
    with fs.observed_by(record):
        fs.write_new(tmp_path / "a", b"text")
        fs.fsync_dir(tmp_path)
    assert calls == [
        ("write_new", "before"),
        ("write_new", "middle"),
        ("write_new", "after"),
        ("fsync", "before"),
        ("fsync", "after"),
        ("fsync_dir", "before"),
        ("fsync_dir", "after"),
    ]


def test_every_change_is_announced_before_and_after(
    tmp_path: Path, calls: list[tuple[str, str]], record: fs.Observer
) -> None:
    (tmp_path / "a").write_text("x")
    (tmp_path / "b").write_text("x")
    with fs.observed_by(record):
        fs.make_dirs(tmp_path / "m")
        fs.remove_dir(tmp_path / "m")
        fs.append(tmp_path / "a", b"y")
        fs.exchange(tmp_path / "a", tmp_path / "b")
        fs.move_to_free(tmp_path / "a", tmp_path / "c")
        fs.link(tmp_path / "c", tmp_path / "d")
        fs.replace(tmp_path / "c", tmp_path / "b")
        fs.make_symlink("x", tmp_path / "l")
        fs.unlink(tmp_path / "l")
        fs.set_mode(tmp_path / "b", 0o600)
    effects = ["make_dir", "remove_dir", "append", "fsync", "exchange", "move_to_free", "link", "replace"]
    effects += ["make_symlink", "unlink", "set_mode"]
    assert calls == [(effect, phase) for effect in effects for phase in ("before", "after")]
    calls.clear()
    fs.unlink(tmp_path / "b")
    assert calls == []


def test_what_the_observer_raises_happens_instead(tmp_path: Path) -> None:
    def full(effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        if phase != "after":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(paths[0]))

    (tmp_path / "a").write_text("x")
    deeds: list[Callable[[], object]] = [
        lambda: fs.write_new(tmp_path / "new", b"y"),
        lambda: fs.append(tmp_path / "a", b"y"),
        lambda: fs.unlink(tmp_path / "a"),
        lambda: fs.move_to_free(tmp_path / "a", tmp_path / "b"),
        lambda: fs.make_dirs(tmp_path / "dir"),
    ]
    for deed in deeds:
        with fs.observed_by(full), pytest.raises(OSError):
            deed()
    assert os.listdir(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text() == "x"


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data[:3])))
    fs.write_new(tmp_path / "a", b"0123456789")
    fs.append(tmp_path / "a", b"abcdefg")
    assert (tmp_path / "a").read_bytes() == b"0123456789abcdefg"
