"""Backups that an owner leaves beside its entries: read, compared with the live files, and taken away."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from entries_store import D, applied, snap, store_of

from memtui.core.checks import run
from memtui.core.layouts.base import Draft, Refusal, StoredFile
from memtui.core.layouts.entries.backups import backups, diff_lines, discard, leftovers, only_in_backups
from memtui.core.layouts.entries.layout import ENTRIES
from memtui.core.layouts.owners import AMASTER, HERMES
from memtui.core.layouts.reader import read_store

FILES = {
    "MEMORY.md": f"a{D}b\nnew line",
    "USER.md": "me",
    "MEMORY.md.bak.1767225600": f"a{D}gone{D}",
    "MEMORY.md.bak.1767225700": f"gone{D}me{D}also gone\nold",
    "USER.md.bak.1767225650": "me",
    ".mem_0123456789ab.tmp": "half",
}


def test_backups_come_newest_first_with_what_is_only_in_them():
    found = backups(snap(FILES))
    assert [(item.path, item.group, item.only_here) for item in found] == [
        ("MEMORY.md.bak.1767225700", "memory", ("gone", "also gone\nold")),
        ("USER.md.bak.1767225650", "user", ()),
        ("MEMORY.md.bak.1767225600", "memory", ("gone",)),
    ]
    assert found[2].taken == datetime(2026, 1, 1, tzinfo=UTC) and found[2].entries == ("a", "gone")


def test_what_is_only_in_backups_is_named_once_with_the_newest():
    newest = "MEMORY.md.bak.1767225700"
    assert only_in_backups(snap(FILES)) == (("gone", newest), ("also gone\nold", newest))


def test_the_diff_is_by_entries():
    snapshot = snap(FILES)
    oldest = backups(snapshot)[-1]
    sign = "  \u00a7"
    assert diff_lines(snapshot, oldest) == ("  a", sign, "- gone", sign, "+ b", "+ new line")


def test_backups_are_no_memories_and_are_told_of_as_leftovers():
    snapshot = snap(FILES)
    assert len(snapshot.memories) == 3
    (leftover,) = [item for item in run(snapshot) if item.code == "leftover"]
    assert leftover.message == "3 backups, 1 temporary file"
    assert leftovers(snapshot) == tuple(sorted(set(FILES) - {"MEMORY.md", "USER.md"}))


def test_only_leftovers_can_be_taken_away():
    snapshot = snap(FILES)
    draft = discard(snapshot, leftovers(snapshot))
    assert isinstance(draft, Draft) and draft.summary == "deleted 4 leftovers"
    assert set(applied(snapshot, draft)) == {"MEMORY.md", "USER.md"}
    assert isinstance(discard(snapshot, ["MEMORY.md"]), Refusal)
    assert discard(snapshot, ["MEMORY.md.bak.1"]).conflict
    assert isinstance(discard(snap(FILES, writable=False), leftovers(snapshot)), Refusal)


def test_a_backup_that_was_not_read_is_listed_and_stays():
    name = "MEMORY.md.bak.99999999999"
    snapshot = snap({"MEMORY.md": "a", name: StoredFile(name, "unreadable", error="too large")})
    (found,) = backups(snapshot)
    assert not found.is_read and found.entries == () and found.taken.year > 5000
    refusal = discard(snapshot, [name])
    assert isinstance(refusal, Refusal) and "too large" in refusal.reason


@pytest.mark.parametrize("profile", [AMASTER, HERMES], ids=["amaster", "hermes"])
def test_what_is_wanted_of_a_directory(profile):
    wanted = [*FILES, "MEMORY.md.bak.0", "dreaming-state.json"]
    assert all(ENTRIES.wants(path, profile) for path in wanted)
    others = [
        "MEMORY.md.lock",
        "memory.md",
        "x.md",
        "sub/MEMORY.md",
        "MEMORY.md.bak.x",
        "MEMORY.md.bak.1767225600.bak",
    ]
    assert not any(ENTRIES.wants(path, profile) for path in [*others, ".mem_x"])
    assert not ENTRIES.enters("MEMORY.md.lock", profile)


def test_the_reader_reads_the_owners_backups_and_lists_other_leftovers(tmp_path):
    root = tmp_path / "memories"
    (root / "MEMORY.md.lock").mkdir(parents=True)
    for name, text in FILES.items():
        (root / name).write_text(text)
    (root / "MEMORY.md~").write_text("x")
    (root / "dreaming-state.json").write_text("{}")
    read = {file.path: file for file in read_store(store_of(root=root), ENTRIES)}
    assert set(read) == {*FILES, "MEMORY.md~", "dreaming-state.json"}
    assert read["MEMORY.md~"].data is None
    assert read["MEMORY.md.bak.1767225600"].data == FILES["MEMORY.md.bak.1767225600"].encode()
    assert len(backups(ENTRIES.scan(store_of(root=root), read.values()))) == 3
