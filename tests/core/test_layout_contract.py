"""The contract of every layout, run over `facts` and two toys that share nothing with it.

`Pair`: two files with two limits, entries between `%` lines. `Sections`: several memories a file, no index.
"""

from __future__ import annotations

import dataclasses
import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.layouts.base import (
    Add,
    AgentView,
    Budget,
    Draft,
    FileChange,
    Layout,
    Limit,
    Memory,
    MemoryText,
    Profile,
    Refusal,
    Remove,
    Rename,
    SetField,
    SetIndex,
    SetText,
    Snapshot,
    Store,
    StoredFile,
    digest,
)
from memtui.core.layouts.entries.layout import ENTRIES
from memtui.core.layouts.entry_owners import AMASTER, HERMES
from memtui.core.layouts.facts.layout import FACTS
from memtui.core.layouts.notes.layout import NOTES
from memtui.core.layouts.owners import YANDY, ZCODE
from memtui.core.layouts.topic_owners import YANDY_2
from memtui.core.layouts.topics.layout import TOPICS


class _Toy:
    """What both toys share: memories are spans of lines that start with a marker line's text."""

    name = "toy"

    def enters(self, folder, profile):
        return False

    def _spans(self, path, data):
        raise NotImplementedError

    def _new(self, edit):
        raise NotImplementedError

    def scan(self, store, files):
        by_path = {file.path: file for file in files}
        memories, counts = [], {}
        for path in sorted(by_path):
            data = by_path[path].data
            if data is None or not self.wants(path, store.profile):
                continue
            for start, end in self._spans(path, data):
                key = f"{path}#{hashlib.sha256(data[start:end]).hexdigest()[:12]}"
                counts[key] = counts.get(key, 0) + 1
                title = data[start:end].decode("utf-8", "surrogateescape").strip().partition("\n")[0]
                memory_id = key if counts[key] == 1 else f"{key}~{counts[key]}"
                memories.append(Memory(memory_id, title, "", "", path, path, span=(start, end)))
        budgets = [
            Budget(
                limit.scope,
                path,
                limit.unit,
                len(by_path[path].data or b"") if path in by_path else 0,
                limit.limit,
            )
            for path, limit in zip(self.paths, store.profile.limits, strict=False)
        ]
        return Snapshot(store, by_path, tuple(memories), tuple(budgets))

    def text(self, snapshot, memory_id):
        memory = snapshot.memory(memory_id)
        if memory is None:
            return None
        raw = snapshot.files[memory.file].data[slice(*memory.span)]
        return MemoryText(raw, raw)

    def seen(self, snapshot, edit):
        if isinstance(edit, Add | SetIndex):
            return ""
        text = self.text(snapshot, edit.memory_id)
        return digest(text.text if text else b"gone")

    def edit(self, snapshot, edit):
        if isinstance(edit, Add):
            path = edit.group or self.paths[0]
            before = snapshot.files.get(path) or StoredFile(path, "missing")
            if path not in self.paths or before.kind not in ("file", "missing"):
                return Refusal("no such group")
            return Draft((FileChange(path, before, (before.data or b"") + self._new(edit)),), "added")
        if isinstance(edit, SetIndex):
            return Refusal("there is no index")
        memory = snapshot.memory(edit.memory_id)
        if memory is None:
            return Refusal("gone", conflict=True)
        if isinstance(edit, Remove):
            new = b""
        elif isinstance(edit, SetText):
            new = edit.text
        else:
            return Refusal("not in this layout")
        before = snapshot.files[memory.file]
        start, end = memory.span
        return Draft(
            (FileChange(memory.file, before, before.data[:start] + new + before.data[end:]),), "changed"
        )

    def agent_view(self, snapshot):
        return AgentView(b"".join(snapshot.files[path].data or b"" for path in sorted(snapshot.files)))


class Pair(_Toy):
    name = "pair"
    paths = ("MEMORY.md", "USER.md")

    def wants(self, path, profile):
        return path in self.paths

    def _spans(self, path, data):
        start = 0
        while start < len(data):
            at = data.find(b"%\n", start)
            end = len(data) if at < 0 else at + 2
            yield start, end
            start = end

    def _new(self, edit):
        return edit.title.encode() + b"%\n"


class Sections(_Toy):
    name = "sections"
    paths = ("notes.md",)

    def wants(self, path, profile):
        return path.endswith(".md")

    def _spans(self, path, data):
        starts = [
            at for at in range(len(data)) if data.startswith(b"## ", at) and (at == 0 or data[at - 1] == 10)
        ]
        return zip(starts, [*starts, len(data)][1:], strict=True)

    def _new(self, edit):
        return b"## " + edit.title.encode() + b"\n" + edit.body.encode()


@dataclasses.dataclass(frozen=True)
class Subject:
    """A layout with a store and an example tree; `add` makes one more memory there."""

    layout: Layout
    profile: Profile
    files: dict[str, bytes]
    add: Add
    names: tuple[str, ...]

    @property
    def store(self):
        return Store("s", Path("/nowhere"), self.profile, exists=True, used=True, reason="test")

    def scan(self, files):
        return self.layout.scan(self.store, [StoredFile(path, "file", data) for path, data in files.items()])

    def apply(self, snapshot, draft):
        files = {path: file.data for path, file in snapshot.files.items()}
        for change in draft.changes:
            if change.after is None:
                del files[change.path]
            else:
                files[change.path] = change.after
        return files


TOY = Profile("toy", "toy", (), "", (Limit("write", "bytes", 100, "x"), Limit("write", "bytes", 50, "x")), ())
TOPIC = b"---\nname: ssh\ndescription: A; B\ntype: user\nupdated: 2026-01-02\n---\n"
NOTE = b"---\nname: %s\ndescription: %s\ntype: user\ncreated: 2026-10-01\nmodified: 2026-10-02T03:04:05.006Z\n---\n"
SUBJECTS = [
    Subject(
        FACTS,
        ZCODE,
        {
            "MEMORY.md": "# M\r\n- [A](a.md) — x\r\n\r\n- [B](sub/b.md): y\r\n- [Gone](gone.md)\r\n".encode(),
            "a.md": b"---\nname: a\ndescription: x\nmetadata: \n  type: user\n---\n\nbody\n",
            "sub/b.md": b"\xef\xbb\xbfno block\r\n[[a]]",
            "bad.md": b"\xff\xfe\x00",
        },
        Add("A new one", "what it says", "user", "body"),
        ("MEMORY.md", "a.md", "sub/b.md", "c d.md"),
    ),
    Subject(
        TOPICS,
        YANDY,
        {
            "MEMORY.md": "# M\n\n- [ssh](ssh.md) — A; B\nfree text\n- [gone](gone.md) — x\n".encode(),
            "ssh.md": TOPIC + b"\n## A\n\nalpha\n```\n## no\n```\n\n## B\n\nbeta\n",
            "old.md": b"## C\n\ngamma\n",
            "empty.md": b"no heading\n",
        },
        Add("A new one", body="what it says", type="user", topic="fresh"),
        ("MEMORY.md", "ssh.md", "old.md", "c d.md"),
    ),
    Subject(
        NOTES,
        YANDY_2,
        {
            "MEMORY.md": "# Memory Index\n\n- [A [x]](a.md) — one\n- [B](b.md) — two\nfree\n".encode(),
            "a.md": NOTE % (b"A [x]", b"one") + b"\nbody\n",
            "b.md": NOTE % (b"B", b"two"),
            "old.md": TOPIC,
        },
        Add("A new one", "what it says", "user", "body"),
        ("MEMORY.md", "a.md", "b.md", ".lock"),
    ),
    *(
        Subject(
            ENTRIES,
            profile,
            {
                "MEMORY.md": "one\nmore\n\n- see § 4\n§\ntwo 日\n§\nthree".encode(),
                "USER.md": b"me",
                "MEMORY.md.bak.1767225600": b"one",
            },
            Add("A new one", "what it says", body="body", group="user"),
            ("MEMORY.md", "USER.md", "MEMORY.md.bak.1767225600", ".mem_0123456789ab.tmp"),
        )
        for profile in (AMASTER, HERMES)
    ),
    Subject(
        Pair(),
        TOY,
        {"MEMORY.md": b"one%\ntwo%\none%\n", "USER.md": b"me%\n"},
        Add("new"),
        ("MEMORY.md", "USER.md"),
    ),
    Subject(
        Sections(),
        TOY,
        {"notes.md": b"intro\n## A\na\n## B\n", "x.md": b"## C\n"},
        Add("new"),
        ("notes.md", "x.md"),
    ),
]
every = pytest.mark.parametrize(
    "subject", SUBJECTS, ids=lambda subject: f"{subject.layout.name}-{subject.profile.owner}"
)

PARTS = (
    *(b"- [A](a.md)", b" \xe2\x80\x94 hook", b"[x](../y.md)", b"[[a]]", b"- [B](<sub/b.md>): y", b"`"),
    *(b"---\n", b"name: a\n", b"description: |\n", b"  x\n", b"metadata:\n", b"  type: user\n", b"<!--"),
    *(b"-->", b"```\n", b"## H\n", b"%\n", b"\n", b"\r\n", b"\xff", b"\x00", b"\xef\xbb\xbf"),
    *(b"\x1b]0;x\x07", b"text", b"\xe6\x97\xa5", b"\n\xc2\xa7\n", b"\r\n\xc2\xa7\r\n"),
)
HOSTILE = st.lists(st.sampled_from(PARTS), max_size=30).map(b"".join) | st.binary(max_size=60)
WORDS = st.sampled_from(
    ["x", "New Title", "日 本", "[b] `c`", "a: b # c", "two\nlines", "-", "user", "project", "a", ""]
)


@every
def test_ids_are_unique_and_found_again(subject):
    snapshot = subject.scan(subject.files)
    ids = [memory.id for memory in snapshot.memories]
    assert ids and len(set(ids)) == len(ids)
    assert all(snapshot.memory(memory_id).id == memory_id for memory_id in ids)
    assert [memory.id for memory in subject.scan(subject.files).memories] == ids


@every
def test_a_text_is_the_exact_source(subject):
    snapshot = subject.scan(subject.files)
    for memory in snapshot.memories:
        text = subject.layout.text(snapshot, memory.id)
        if text is not None:
            data = subject.files[memory.file]
            assert text.text == (data[slice(*memory.span)] if memory.span else data)
            assert text.text.endswith(text.body)
    assert subject.layout.text(snapshot, "no such id") is None


@every
def test_adding_then_removing_gives_the_same_bytes(subject):
    snapshot = subject.scan(subject.files)
    known = {memory.id for memory in snapshot.memories}
    added = subject.scan(subject.apply(snapshot, subject.layout.edit(snapshot, subject.add)))
    (fresh,) = [memory for memory in added.memories if memory.id not in known]
    assert subject.apply(added, subject.layout.edit(added, Remove(fresh.id))) == subject.files


@every
def test_removing_every_memory_ends_and_each_goes_alone(subject):
    files = subject.files
    snapshot = subject.scan(files)
    while snapshot.memories:
        first, *others = snapshot.memories
        files = subject.apply(snapshot, subject.layout.edit(snapshot, Remove(first.id)))
        texts = [subject.layout.text(snapshot, memory.id) for memory in others]
        snapshot = subject.scan(files)
        assert [subject.layout.text(snapshot, memory.id) for memory in snapshot.memories] == texts


@every
def test_what_is_gone_is_a_conflict_and_seen_says_so(subject):
    snapshot = subject.scan(subject.files)
    edit = Remove(snapshot.memories[-1].id)
    gone = subject.scan(subject.apply(snapshot, subject.layout.edit(snapshot, edit)))
    assert subject.layout.seen(snapshot, edit) != subject.layout.seen(gone, edit)
    assert subject.layout.edit(gone, edit).conflict
    assert subject.layout.seen(snapshot, subject.add) == ""


@every
def test_an_empty_store_has_no_memory_and_an_empty_view(subject):
    snapshot = subject.scan({})
    assert snapshot.memories == () and subject.layout.agent_view(snapshot).text == b""
    assert isinstance(subject.layout.edit(snapshot, subject.add), Draft)


@every
@given(data=st.data())
def test_no_bytes_make_a_scan_raise(subject, data):
    files = {name: data.draw(HOSTILE) for name in subject.names}
    snapshot = subject.scan(files)
    ids = [memory.id for memory in snapshot.memories]
    assert len(set(ids)) == len(ids)
    subject.layout.agent_view(snapshot)
    for memory_id in ids:
        text = subject.layout.text(snapshot, memory_id)
        assert text is None or text.text in files[snapshot.memory(memory_id).file]


@every
@given(data=st.data())
def test_an_edit_says_what_it_touches_and_touches_nothing_else(subject, data):
    files = {name: data.draw(HOSTILE) for name in data.draw(st.sets(st.sampled_from(subject.names)))}
    snapshot = subject.scan(files)
    ids = [memory.id for memory in snapshot.memories] or ["none"]
    target, word = data.draw(st.sampled_from(ids)), data.draw(WORDS)
    field = data.draw(st.sampled_from(["title", "description", "type", "hook"]))
    edit = data.draw(
        st.sampled_from(
            [
                Remove(target),
                SetField(target, field, word),
                SetText(target, word.encode(), "body"),
                Rename(target, word),
                Add(word, word),
                SetIndex(word.encode()),
            ]
        )
    )
    subject.layout.seen(snapshot, edit)
    result = subject.layout.edit(snapshot, edit)
    if isinstance(result, Refusal):
        assert result.reason
        return
    assert result.summary
    paths = [change.path for change in result.changes]
    assert len(set(paths)) == len(paths)
    for change in result.changes:
        assert change.before == snapshot.files.get(
            change.path, StoredFile(change.path, "missing", mode=change.before.mode)
        )
    if isinstance(edit, Remove | SetField):
        memory = snapshot.memory(target)
        assert set(paths) <= {memory.file, subject.profile.index_name or memory.file}
        for change in result.changes:
            if change.after is not None and subject.layout is FACTS:
                _assert_only_these_lines_differ(snapshot, memory, change, isinstance(edit, SetField))


def _assert_only_these_lines_differ(snapshot, memory, change, is_field):
    """In the index only the memory's lines change; in a file all behind its frontmatter stays."""
    before, after = change.before.data or b"", change.after
    if change.path == snapshot.store.profile.index_name:
        old, new = before.split(b"\n"), after.split(b"\n")
        kept = [line for number, line in enumerate(old, 1) if number not in memory.index_lines]
        if is_field:
            assert len(old) == len(new)
            new = [line for number, line in enumerate(new, 1) if number not in memory.index_lines]
            assert new == kept
        else:
            remaining = iter(new)
            assert all(line in remaining for line in kept if line)
    else:
        assert after.endswith(before[snapshot.frontmatters[memory.file].body_start :])
