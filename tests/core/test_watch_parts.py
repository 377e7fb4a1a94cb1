"""The pure parts of watching: names that wake nobody, mounts, places to watch, signatures, states."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.core.watch import LIVE, Root, WatchState
from memtui.core.watch.mounts import Mount, network_type, parse_mounts, read_mounts
from memtui.core.watch.names import is_passing
from memtui.core.watch.roots import find_site, places
from memtui.core.watch.signatures import differences, sweep


def goes_on() -> bool:
    return True


@pytest.mark.parametrize(
    "name",
    [
        *(".memtui-3f2a.tmp", ".mem_0a1b2c3d4e5f.tmp", ".a.md.tmp", ".a.md.swp", ".a.md.swx", ".a.md.swo"),
        *("4913", "a.md~", ".#a.md", "#a.md#", ".a.md.kate-swp", ".goutputstream-AB12", "a.md___jb_tmp___"),
    ],
)
def test_temp_and_swap_names_wake_nobody(name: str) -> None:
    assert is_passing(name)


@pytest.mark.parametrize(
    "name",
    ["a.md", "MEMORY.md", ".lock", "2026", "a.tmp.md", "swp", "#a.md", "x.jsonl", ".hidden.md", "~a", "\udcff"],
)
def test_other_names_do(name: str) -> None:
    assert not is_passing(name)


MOUNTINFO = """\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 22 0:40 / /home rw,relatime shared:1 - ext4 /dev/vdb rw
31 30 0:41 / /home/me/with\\040blank rw,relatime shared:2 master:1 - nfs4 server:/x rw,vers=4.2
32 30 0:42 / /home/me/net rw - fuse.sshfs me@host: rw
33 32 0:43 / /home/me/net/local rw - tmpfs tmpfs rw
34 22 0:44 / /mnt/twice rw - 9p share rw
35 34 0:45 / /mnt/twice rw - ext4 /dev/vdc rw
a line that is none
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/home/me/memory", ""),
        ("/home/me/with blank/memory", "nfs4"),
        ("/home/me/with blank", "nfs4"),
        ("/home/me/net/memory", "fuse.sshfs"),
        ("/home/me/network", ""),
        ("/home/me/net/local/memory", ""),
        ("/mnt/twice/x", ""),
        ("/elsewhere", ""),
    ],
)
def test_the_mount_that_holds_a_path_decides(path: str, expected: str) -> None:
    assert network_type(path, parse_mounts(MOUNTINFO)) == expected


@pytest.mark.parametrize("kind", ["nfs", "cifs", "smb3", "fuse.sshfs", "9p", "virtiofs"])
def test_network_file_systems_are_known(kind: str) -> None:
    assert network_type("/net/memory", (Mount("/", "ext4"), Mount("/net", kind))) == kind


def test_without_a_mount_table_nothing_is_on_a_network(tmp_path: Path) -> None:
    assert read_mounts(tmp_path / "missing") == ()
    assert network_type("/x", ()) == ""


def test_a_missing_directory_is_watched_at_its_nearest_existing_parent(tmp_path: Path) -> None:
    site = find_site(Root(tmp_path / "a" / "b" / "memory"))
    assert (site.place, site.is_there) == (str(tmp_path), False)
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert find_site(site.root).place == str(tmp_path / "a" / "b")
    assert places([find_site(site.root)])[str(tmp_path / "a" / "b")][0] is False


def test_a_file_where_a_directory_was_counts_as_missing(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("a file")
    assert find_site(Root(tmp_path / "memory")).place == str(tmp_path)


def test_each_directory_is_watched_once(tmp_path: Path) -> None:
    (tmp_path / "memory" / "sub").mkdir(parents=True)
    (tmp_path / "link").symlink_to("memory")
    (tmp_path / "memory2").mkdir()
    wanted = ["memory", "link", "memory/sub", "memory2", "memory2/missing"]
    roots = [Root(tmp_path / name, recursive=name != "memory2") for name in wanted]
    roots.append(Root(tmp_path / "memory", recursive=False))
    found = places(map(find_site, roots))
    assert {path: recursive for path, (recursive, _) in found.items()} == {
        str(tmp_path / "memory"): True,
        str(tmp_path / "memory2"): False,
    }


def test_an_event_is_about_the_root_as_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    site = find_site(Root(tmp_path / "link"))
    real = str(tmp_path / "real")
    assert site.meaning(f"{real}/a.md") == str(tmp_path / "link" / "a.md")
    assert site.meaning(f"{real}/sub/a.md") == str(tmp_path / "link" / "sub" / "a.md")
    assert site.meaning(real) == str(tmp_path / "link")
    assert site.meaning(f"{real}/.memtui-1.tmp") is None
    assert site.meaning(f"{real}/old~/a.md") is None
    assert site.meaning(f"{real}2/a.md") is None


def test_a_root_may_be_about_a_few_names_only(tmp_path: Path) -> None:
    site = find_site(Root(tmp_path, names=frozenset({"CLAUDE.md"})))
    assert site.meaning(f"{site.real}/CLAUDE.md") == str(tmp_path / "CLAUDE.md")
    assert site.meaning(f"{site.real}/other.md") is None
    assert site.meaning(f"{site.real}/sub/CLAUDE.md") is None
    for name in ("CLAUDE.md", "other.md"):
        (tmp_path / name).write_text("x")
    assert sweep(site.root, goes_on).keys() == {str(tmp_path / "CLAUDE.md")}


def test_a_sweep_sees_what_came_went_and_changed(tmp_path: Path) -> None:
    root = Root(tmp_path)
    (tmp_path / "sub").mkdir()
    for name in ("same.md", "changed.md", "gone.md", "sub/deep.md"):
        (tmp_path / name).write_text("one")
    before = sweep(root, goes_on)
    (tmp_path / "changed.md").write_text("longer")
    (tmp_path / "sub" / "deep.md").write_text("longer")
    (tmp_path / "gone.md").unlink()
    (tmp_path / "new.md").write_text("new")
    (tmp_path / ".memtui-1.tmp").write_text("wakes nobody")
    after = sweep(root, goes_on)
    assert before is not None and after is not None
    changed = {os.path.relpath(path, tmp_path) for path in differences(before, after)}
    assert changed == {"changed.md", "sub/deep.md", "gone.md", "new.md"}


def test_a_sweep_can_be_broken_off(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    assert sweep(Root(tmp_path), lambda: False) is None


def test_states_say_themselves() -> None:
    assert LIVE.text == "live"
    assert WatchState("polling", "inotify limit", 2.0).text == "polling every 2 s: inotify limit"
    assert WatchState("off", "closed").text == "not watching: closed"


def test_watchdog_is_not_imported_before_the_thread_runs() -> None:
    code = (
        "import sys; from memtui.core.watch import Watcher; w = Watcher([], print)\n"
        "print([name for name in sys.modules if name.startswith('watchdog')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
