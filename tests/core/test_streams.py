"""Effects on large files: appended, cut and copied in pieces, alone with the file where the system can."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from memtui.core import fs, streams

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has leases")


def test_status_tells_files_from_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert streams.status_of(path) is None
    path.write_bytes(b"abc")
    status = streams.status_of(path)
    assert status is not None and (status.size_bytes, status.inode) == (3, path.stat().st_ino)
    (tmp_path / "link").symlink_to(path)
    for name, number in (("link", errno.ELOOP), (".", errno.EISDIR)):
        with pytest.raises(OSError) as caught:
            streams.status_of(tmp_path / name)
        assert caught.value.errno == number


def test_append_says_where_the_bytes_landed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\n")
    with streams.held(path) as file:
        with open(path, "ab") as other:
            other.write(b"theirs\n")
        assert file.append(b"two\n") == len(b"one\ntheirs\n")
        assert file.read(4, 100) == b"theirs\ntwo\n"
    assert path.read_bytes() == b"one\ntheirs\ntwo\n"


def test_links_pipes_and_directories_are_not_opened(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "link").symlink_to("a")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "."):
        for writable in (True, False):
            with pytest.raises(OSError), streams.held(tmp_path / name, writable=writable):
                pass


def test_line_starts_are_found_across_chunks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "CHUNK_BYTES", 4)
    path = tmp_path / "a"
    path.write_bytes(b"one\nrather long\ntail")
    with streams.held(path, writable=False) as file:
        assert [file.line_start(offset) for offset in (0, 2, 4, 15, 16, 20)] == [0, 0, 4, 4, 16, 16]
        assert b"".join(file.pieces(2, 9)) == b"e\nrathe"
        with pytest.raises(OSError) as caught:
            list(file.pieces(0, 21))
        assert "shorter" in str(caught.value)


def test_copies_are_new_whole_and_of_bounded_memory(tmp_path: Path) -> None:
    source, target = tmp_path / "a", tmp_path / "b"
    with open(source, "wb") as file:
        file.truncate(60_000_000)
        file.write(b"end")
    with streams.held(source, writable=False) as held:
        tracemalloc.start()
        streams.copy_new(held, target, 50_000_000, mode=0o640)
        _now, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        with pytest.raises(FileExistsError):
            streams.copy_new(held, target, 1)
    assert target.stat().st_size == 50_000_000 and target.stat().st_mode & 0o777 == 0o640
    assert peak_bytes < 4 * streams.CHUNK_BYTES


def test_every_effect_is_announced(tmp_path: Path) -> None:
    path, copy = tmp_path / "a", tmp_path / "b"
    path.write_bytes(b"one\n")
    seen: list[tuple[str, str, Path]] = []
    with (
        fs.observed_by(lambda effect, phase, paths: seen.append((effect, phase, paths[0]))),
        streams.held(path) as file,
    ):
        file.append(b"two\n")
        file.cut(4)
        file.flush()
        streams.copy_new(file, copy, 4)
    assert [(effect, phase) for effect, phase, where in seen if where == path] == [
        (effect, phase) for effect in ("append", "cut", "fsync") for phase in ("before", "after")
    ]
    assert [effect for effect, phase, where in seen if where == copy and phase == "middle"] == ["copy_new"]


@linux_only
def test_alone_means_that_others_wait(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one\n")
    writer = [sys.executable, "-S", "-c", f"print(flush=True); open({str(path)!r}, 'ab').write(b'theirs\\n')"]
    with streams.held(path) as file:
        assert file.be_alone() is True
        child = subprocess.Popen(writer, stdout=subprocess.PIPE)
        assert child.stdout is not None and child.stdout.readline() == b"\n"
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.2)
        file.append(b"ours\n")
        file.let_in()
        assert child.wait(20) == 0
        child.stdout.close()
    assert path.read_bytes() == b"one\nours\ntheirs\n"


@linux_only
def test_not_alone_while_another_has_it_open(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"")
    with streams.held(path) as file, open(path, "ab"):
        assert file.be_alone(0.01) is False
