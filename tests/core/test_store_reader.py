"""Reading a store from the disk: what is listed, with which kind, and that nothing stops it."""

from __future__ import annotations

import os

import pytest
from facts_store import store_of

from memtui.core import fs
from memtui.core.layouts.facts.layout import FACTS
from memtui.core.layouts.reader import read_store


@pytest.fixture
def root(tmp_path):
    path = tmp_path / "memory"
    path.mkdir()
    return path


def read(root, **options):
    return {file.path: file for file in read_store(store_of(root=root), FACTS, **options)}


def test_a_missing_root_is_empty_and_stays_missing(tmp_path):
    assert read(tmp_path / "none") == {}
    assert list(tmp_path.iterdir()) == []


def test_files_are_read_with_their_mode_and_time(root):
    (root / "sub").mkdir()
    (root / "sub" / "a.md").write_bytes(b"\xffa\r\n")
    (root / "sub" / "a.md").chmod(0o600)
    os.utime(root / "sub" / "a.md", (1_700_000_000, 1_700_000_000))
    (file,) = read(root).values()
    assert (file.path, file.kind, file.data, file.mode) == ("sub/a.md", "file", b"\xffa\r\n", 0o600)
    assert file.inode and file.updated.timestamp() == 1_700_000_000


def test_dot_folders_and_other_names_are_left_out(root):
    for folder in (".git", "sub"):
        (root / folder).mkdir()
        (root / folder / "x.md").write_text("x")
    (root / "notes.txt").write_text("x")
    (root / "A.MD").write_text("x")
    assert list(read(root)) == ["sub/x.md"]


def test_f23_leftovers_are_listed_without_their_text(root):
    for name in (
        "a.md",
        "a.md~",
        ".a.md.swp",
        "MEMORY.md.bak.1767225600",
        "a.sync-conflict-20260101-101010-AB12CD3.md",
    ):
        (root / name).write_text("x")
    files = read(root)
    assert len(files) == 5
    assert [path for path, file in files.items() if file.data is not None] == ["a.md"]


def test_t12_links_are_listed_and_never_followed(root, tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.md").write_text("secret")
    (root / "leak.md").symlink_to(secret / "key.md")
    (root / "folder").symlink_to(secret)
    (root / "dangling.md").symlink_to("nowhere.md")
    files = read(root)
    assert {path: file.kind for path, file in files.items()} == dict.fromkeys(
        ("leak.md", "folder", "dangling.md"), "symlink"
    )
    assert files["leak.md"].link_target == str(secret / "key.md")
    assert all(file.data is None for file in files.values())


def test_the_root_may_be_reached_through_a_link(root, tmp_path):
    (root / "a.md").write_text("x")
    (tmp_path / "alias").symlink_to(root)
    assert list(read(tmp_path / "alias")) == ["a.md"]


def test_odd_kinds_and_large_files_say_why(root):
    (root / "MEMORY.md").mkdir()
    os.mkfifo(root / "pipe.md")
    (root / "big.md").write_bytes(b"x" * 20)
    (root / "small.md").write_bytes(b"x" * 10)
    files = read(root, limit_bytes=10)
    assert {path: file.kind for path, file in files.items()} == {
        "MEMORY.md": "dir",
        "pipe.md": "other",
        "big.md": "unreadable",
        "small.md": "file",
    }
    assert all(files[path].error for path in ("MEMORY.md", "pipe.md", "big.md"))


def test_what_cannot_be_read_hides_nothing_else(root, monkeypatch):
    for name in ("a.md", "b.md"):
        (root / name).write_text("x")
    (root / "sub").mkdir()
    read_file, list_dir = fs.read_file, fs.list_dir

    def read_or_fail(path, **options):
        if path.name == "a.md":
            raise PermissionError(13, "Permission denied", str(path))
        return read_file(path, **options)

    def list_or_fail(path):
        if path.name == "sub":
            raise PermissionError(13, "Permission denied", str(path))
        return list_dir(path)

    monkeypatch.setattr(fs, "read_file", read_or_fail)
    monkeypatch.setattr(fs, "list_dir", list_or_fail)
    files = read(root)
    assert {path: file.kind for path, file in files.items()} == {
        "a.md": "unreadable",
        "b.md": "file",
        "sub": "unreadable",
    }
    assert "denied" in files["a.md"].error and "denied" in files["sub"].error


def test_what_vanishes_meanwhile_is_left_out(root, monkeypatch):
    for name in ("a.md", "b.md"):
        (root / name).write_text("x")
    read_file = fs.read_file

    def read_late(path, **options):
        (root / "a.md").unlink(missing_ok=True)
        return read_file(path, **options)

    monkeypatch.setattr(fs, "read_file", read_late)
    assert list(read(root)) == ["b.md"]


def test_t10_names_with_controls_and_bad_bytes_are_read(root):
    names = [b"a\x1b[31m.md", b"b\nc.md", b"d\xff.md"]
    for name in names:
        (root / os.fsdecode(name)).write_bytes(name)
    files = read(root)
    assert {os.fsencode(path): file.data for path, file in files.items()} == {name: name for name in names}
