"""What others changed between two looks: files and memories, without what memtui wrote itself."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

from facts_store import snap, stored

from memtui.core.changes import ChangedFile, Changes, Written, between, expected_files, is_same
from memtui.core.layouts.facts.layout import FACTS

ROOT = Path("/nowhere/memory")
INDEX = "- [A](a.md) — one\n- [B](b.md) — two\n"
FILES = {"MEMORY.md": INDEX, "a.md": "a\n", "b.md": "b\n"}


def others(before, after, *written):
    """What is left as the change of others."""
    files = expected_files(before, after, written)
    return between(before if files is None else FACTS.scan(before.store, files), after)


def test_the_same_bytes_in_another_file_are_no_change():
    before = snap(FILES)
    saved_again = {
        path: dataclasses.replace(
            stored(path, text), inode=99, mode=0o600, updated=datetime(2030, 1, 1, tzinfo=UTC)
        )
        for path, text in FILES.items()
    }
    after = snap(saved_again)
    assert is_same(before, after)
    assert between(before, after) == Changes()


def test_a_new_file_with_its_line_is_one_new_memory_and_one_line():
    before = snap(FILES)
    after = snap({**FILES, "c.md": "c\nd\n", "MEMORY.md": INDEX + "- [C](c.md) — three\n"})
    changes = between(before, after)
    assert not is_same(before, after)
    assert changes.files == (ChangedFile("MEMORY.md", "changed", 1, 0), ChangedFile("c.md", "new", 2, 0))
    assert (changes.new, changes.changed, changes.removed) == ({"c.md"}, frozenset(), frozenset())


def test_a_line_that_moved_up_changes_no_other_memory():
    changes = between(snap(FILES), snap({"MEMORY.md": "- [B](b.md) — two\n", "b.md": "b\n"}))
    assert changes.files == (ChangedFile("MEMORY.md", "changed", 0, 1), ChangedFile("a.md", "removed", 0, 1))
    assert (changes.new, changes.changed, changes.removed) == (frozenset(), frozenset(), {"a.md"})


def test_another_hook_and_another_body_are_changes_of_their_memories():
    after = snap({**FILES, "MEMORY.md": INDEX.replace("two", "zwei"), "a.md": "a\nmore\n"})
    changes = between(snap(FILES), after)
    assert changes.changed == {"a.md", "b.md"}
    assert ChangedFile("MEMORY.md", "changed", 1, 1) in changes.files


def test_what_memtui_wrote_is_not_of_others():
    before = snap(FILES)
    index = b"- [B](b.md) \xe2\x80\x94 two\n"
    after = snap({"MEMORY.md": index, "b.md": "b\n"})
    written = (Written(ROOT / "MEMORY.md", INDEX.encode(), index), Written(ROOT / "a.md", b"a\n", None))
    assert others(before, after, *written) == Changes()


def test_what_came_between_our_write_and_the_look_is_of_others():
    before = snap(FILES)
    ours = INDEX.encode() + b"- [Ours](ours.md) \xe2\x80\x94 x\n"
    after = snap(
        {**FILES, "MEMORY.md": ours + b"- [C](c.md) \xe2\x80\x94 y\n", "ours.md": "o\n", "c.md": "c\n"}
    )
    written = (Written(ROOT / "ours.md", None, b"o\n"), Written(ROOT / "MEMORY.md", INDEX.encode(), ours))
    changes = others(before, after, *written)
    assert changes.files == (ChangedFile("MEMORY.md", "changed", 1, 0), ChangedFile("c.md", "new", 1, 0))
    assert (changes.new, changes.changed) == ({"c.md"}, frozenset())


def test_what_came_before_our_write_is_of_others_too():
    before = snap(FILES)
    theirs = INDEX.encode() + b"- [C](c.md) \xe2\x80\x94 y\n"
    both = theirs.replace(b"- [A](a.md) \xe2\x80\x94 one\n", b"")
    after = snap({"MEMORY.md": both, "b.md": "b\n", "c.md": "c\n"})
    written = (Written(ROOT / "MEMORY.md", theirs, both), Written(ROOT / "a.md", b"a\n", None))
    changes = others(before, after, *written)
    assert changes.files == (ChangedFile("MEMORY.md", "changed", 1, 0), ChangedFile("c.md", "new", 1, 0))
    assert (changes.new, changes.removed) == ({"c.md"}, frozenset())


def test_a_removed_or_restored_link_is_ours():
    link = dataclasses.replace(stored("l.md", b""), kind="symlink", data=None, link_target="../x.md")
    gone, there = snap(FILES), snap({**FILES, "l.md": link})
    assert others(there, gone, Written(ROOT / "l.md", b"../x.md", None, is_link=True)) == Changes()
    assert others(gone, there, Written(ROOT / "l.md", None, b"../x.md", is_link=True)) == Changes()


def test_what_was_written_in_another_store_says_nothing_here():
    before, after = snap(FILES), snap({**FILES, "a.md": "A\n"})
    assert expected_files(before, after, (Written(Path("/elsewhere/a.md"), b"a\n", b"A\n"),)) is None
