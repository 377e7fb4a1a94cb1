"""The topics layout: entries as people see them, what the owner sees, and edits that avoid its traps."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.checks import run as run_checks
from memtui.core.layouts.base import (
    Add,
    Draft,
    Place,
    Refusal,
    Regroup,
    Remove,
    Rename,
    Reshape,
    SetField,
    SetText,
    Store,
    StoredFile,
)
from memtui.core.layouts.dash_index import set_entry
from memtui.core.layouts.topic_owners import YANDY, YANDY_03, YANDY_134
from memtui.core.layouts.topics.injection import MARKER, inject
from memtui.core.layouts.topics.layout import TOPICS
from memtui.core.layouts.topics.reading import owner_titles, parse_topic

FRONT = "---\nname: {name}\ndescription: {titles}\ntype: {type}\nupdated: 2026-01-02\n---\n"


def topic(name="ssh", type="feedback", **sections):
    head = FRONT.format(name=name, titles="; ".join(sections), type=type)
    return head + "".join(f"\n## {title}\n\n{body}\n" for title, body in sections.items())


def store(profile=YANDY, **changes):
    now = datetime(2026, 7, 13, 9, tzinfo=UTC)
    made = Store("s", Path("/none"), profile, exists=True, used=True, reason="", read_at=now)
    return dataclasses.replace(made, **changes)


def snap(files, profile=YANDY, **changes):
    found = [
        file
        if isinstance(file, StoredFile)
        else StoredFile(path, "file", file if isinstance(file, bytes) else file.encode())
        for path, file in files.items()
    ]
    return TOPICS.scan(store(profile, **changes), found)


def find(snapshot, title):
    return next(memory for memory in snapshot.memories if memory.title == title)


def after(snapshot, edit):
    result = TOPICS.edit(snapshot, edit)
    assert isinstance(result, Draft), result
    files = {path: file.data for path, file in snapshot.files.items()}
    for change in result.changes:
        files[change.path] = change.after
    return {path: data.decode() for path, data in files.items() if data is not None}


def refused(snapshot, edit):
    result = TOPICS.edit(snapshot, edit)
    assert isinstance(result, Refusal), result
    return result.reason


INDEX = "- [ssh](ssh.md) — A; B\n"
PAIR = {"MEMORY.md": INDEX, "ssh.md": topic(A="alpha", B="beta")}


def test_each_heading_is_a_memory_with_its_topics_type_day_and_line():
    a, b = snap(PAIR).memories
    assert (a.title, b.title, a.type, a.group, a.index_lines, a.hook) == (
        *("A", "B", "feedback", "ssh", (1,), "A; B"),
    )
    assert a.updated == datetime(2026, 1, 2, tzinfo=UTC) and a.id.startswith("ssh.md#") and a.id != b.id


def test_f21_a_section_goes_with_its_whole_fence_and_the_last_takes_file_and_line():
    fenced = "port 2222\n\n```\n## not a heading\n```"
    files = {
        "MEMORY.md": "- [d](debugging.md) — SSH; MySQL\n",
        "debugging.md": topic("d", SSH=fenced, MySQL="30s"),
    }
    snapshot = snap(files)
    assert [memory.title for memory in snapshot.memories] == ["SSH", "MySQL"]
    told = [problem for problem in snapshot.problems if problem.code == "shadowed"]
    assert [problem.line for problem in told] == [13] and "line 13" in told[0].message
    first = after(snapshot, Remove(find(snapshot, "SSH").id))
    assert "```" not in first["debugging.md"] and first["debugging.md"].endswith("---\n\n## MySQL\n\n30s\n")
    assert first["debugging.md"].startswith("---\nname: d\n")
    again = snap(first)
    assert list(after(again, Remove(find(again, "MySQL").id))) == ["MEMORY.md"]
    assert after(again, Remove(find(again, "MySQL").id))["MEMORY.md"] == "\n"


def test_a_rule_in_a_body_hides_entries_from_the_owner_and_is_told():
    files = {"MEMORY.md": "- [t](t.md) — One\n", "t.md": topic("t", One="before\n---\nafter", Two="x")}
    snapshot = snap(files)
    assert [memory.title for memory in snapshot.memories] == ["One", "Two"]
    assert owner_titles(files["t.md"].encode()) == ["One"]
    hidden = [problem for problem in snapshot.problems if problem.code == "shadowed"]
    assert hidden[0].memory == find(snapshot, "Two").id and hidden[0].severity == "warning"
    # the entry can go although the owner cannot find it
    assert "Two" not in after(snapshot, Remove(hidden[0].memory))["t.md"]


def test_an_open_fence_hides_nothing_from_people():
    assert [s.title for s in parse_topic(b"## A\n\n```\n\n## B\nx\n").sections] == ["A", "B"]


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (Add("T", body="x\n---\ny", topic="t"), "---"),
        (Add("T", body="## inner", topic="t"), "entry of its own"),
        (Add("T", body="a\r\nb", topic="t"), "carriage returns"),
        (Add("two\nlines", topic="t"), "one line"),
        (Add(" ", topic="t"), "title"),
        (Add("T", topic="a(b)"), "a(b).md"),
        (Add("T", topic="a]b"), "a]b.md"),
        (Add("T", topic="memory"), "index itself"),
        (Add("T", topic="../x"), "../x.md"),
        (Add("T", topic="sub/x"), "folders"),
        (Add("T", type="fact", topic="t"), "fact"),
        (Add("T", topic="gone"), "gone.md, which is missing"),
    ],
)
def test_what_the_owner_could_not_read_back_is_refused_with_the_reason(edit, words):
    assert words in refused(snap({**PAIR, "MEMORY.md": INDEX + "- [gone](gone.md) — x\n"}), edit)


def test_a_full_index_takes_no_more_but_lets_go():
    rules = dataclasses.replace(YANDY.rules, write_lines=1)
    snapshot = snap(PAIR, dataclasses.replace(YANDY, rules=rules))
    assert "1 lines" in refused(snapshot, Add("T", topic="new"))
    assert "## A" not in after(snapshot, Remove(find(snapshot, "A").id))["ssh.md"]


def test_renaming_an_entry_changes_heading_hook_description_and_day():
    snapshot = snap(PAIR)
    for edit in (Rename(find(snapshot, "A").id, "New"), SetField(find(snapshot, "A").id, "title", "New")):
        files = after(snapshot, edit)
        assert files["MEMORY.md"] == "- [ssh](ssh.md) — New; B\n"
        assert files["ssh.md"] == PAIR["ssh.md"].replace("## A", "## New").replace(
            "description: A; B\n", "description: New; B\n"
        ).replace("2026-01-02", "2026-07-13")


def test_a_type_is_the_topics_and_says_whom_else_it_concerns():
    snapshot = snap(PAIR)
    result = TOPICS.edit(snapshot, SetField(find(snapshot, "A").id, "type", "user"))
    assert "1 more" in result.notes[0]
    assert "type: user\nupdated: 2026-07-13\n" in result.changes[0].after.decode()
    assert find(snapshot, "A").why_not["hook"] and find(snapshot, "A").why_not["description"]


def test_an_entry_moves_to_another_topic_in_one_step():
    files = {**PAIR, "db.md": topic("db", C="gamma"), "MEMORY.md": INDEX + "- [db](db.md) — C\n"}
    snapshot = snap(files)
    moved = after(snapshot, Regroup(find(snapshot, "A").id, "db"))
    assert moved["MEMORY.md"] == "- [ssh](ssh.md) — B\n- [db](db.md) — C; A\n"
    assert moved["db.md"].endswith("## C\n\ngamma\n\n## A\n\nalpha\n") and "## A" not in moved["ssh.md"]
    fresh = after(snapshot, Regroup(find(snapshot, "C").id, "new"))
    assert "db.md" not in fresh and fresh["MEMORY.md"].endswith("- [new](new.md) — C\n")


def test_an_entry_takes_another_place_in_its_topic():
    snapshot = snap({**PAIR, "ssh.md": topic(A="alpha", B="beta", C="gamma")})
    files = after(snapshot, Place(find(snapshot, "C").id, 1))
    assert files["ssh.md"].endswith("---\n\n## C\n\ngamma\n\n## A\n\nalpha\n\n## B\n\nbeta\n")
    assert files["MEMORY.md"] == "- [ssh](ssh.md) — C; A; B\n"


def test_a_text_from_the_editor_is_one_entry_or_refused():
    snapshot = snap(PAIR)
    a = find(snapshot, "A").id
    text = TOPICS.text(snapshot, a)
    assert text.text == b"## A\n\nalpha\n\n" and text.body == b"alpha\n\n"
    assert "## A2\n\nnew\n\n## B" in after(snapshot, SetText(a, b"## A2\n\nnew", base=text.text))["ssh.md"]
    assert "## A\n\nnew\n\n## B" in after(snapshot, SetText(a, b"new\n", "body"))["ssh.md"]
    for bad in (b"no heading", b"## A\n\nx\n## C\n", b"## A\n---\n", b"## A\n```\n## C\n```\n"):
        assert refused(snapshot, SetText(a, bad))
    theirs = snap({**PAIR, "ssh.md": topic(A="changed", B="beta")})
    clash = TOPICS.edit(theirs, SetText(find(theirs, "A").id, b"## A\n\nmine\n", base=text.text))
    assert clash.conflict


def test_crlf_is_refused_until_it_is_converted():
    crlf = {**PAIR, "ssh.md": PAIR["ssh.md"].replace("\n", "\r\n")}
    snapshot = snap(crlf)
    assert [memory.title for memory in snapshot.memories] == ["A", "B"]
    assert owner_titles(crlf["ssh.md"].encode()) == []
    assert "CRLF" in refused(snapshot, Remove(find(snapshot, "A").id))
    assert "CRLF" in refused(snapshot, Add("N", topic="ssh"))
    assert any(problem.code == "crlf" for problem in run_checks(snapshot))
    assert after(snapshot, Reshape("ssh.md", "lf"))["ssh.md"] == PAIR["ssh.md"]


def test_bytes_that_are_not_utf8_are_not_written_over():
    snapshot = snap({**PAIR, "ssh.md": PAIR["ssh.md"].encode() + b"\xff\n"})
    assert "UTF-8 at byte" in refused(snapshot, Remove(find(snapshot, "A").id))


def test_links_missing_files_and_folders_are_told_and_left():
    outside = StoredFile("leak.md", "symlink", link_target="/etc/hostname")
    index = INDEX + "- [gone](gone.md) — x\n- [up](../up.md) — y\n- [leak](leak.md) — z\n"
    snapshot = snap({**PAIR, "MEMORY.md": index, "leak.md": outside})
    states = {memory.file: memory.state for memory in snapshot.memories}
    assert states == {"ssh.md": "ok", "gone.md": "missing", "../up.md": "outside", "leak.md": "symlink"}
    assert TOPICS.text(snapshot, "leak.md") is None
    for file in ("gone.md", "../up.md"):
        assert file not in after(snapshot, Remove(file))["MEMORY.md"]
    assert {"dead-link", "outside", "symlink"} <= {problem.code for problem in run_checks(snapshot)}


def test_the_index_is_cut_as_the_owner_cuts_it():
    full = "".join(f"- [t{n}](t{n}.md) — h\n" for n in range(200)).encode()
    taken = inject(full, YANDY)
    assert taken.is_marked and taken.last_line is None and taken.text.endswith(f"h\n{MARKER}")
    notes = [problem for problem in snap({"MEMORY.md": full}).problems if problem.code == "over-limit"]
    assert [problem.severity for problem in notes] == ["note"]
    taken = inject(full, YANDY_134)
    assert taken.last_line == 20 and taken.text.count("\n") == 20
    assert inject(full[:-1], YANDY).text == full[:-1].decode()
    few = dataclasses.replace(YANDY, limits=(dataclasses.replace(YANDY.limits[1], limit=7),))
    assert inject("- [ä](ä.md)".encode(), few).text == f"- [ä](\n{MARKER}"
    # half of a pair that still fits is written as a replacement sign
    assert inject("aaaa😀".encode(), few).text == f"aaaa\ufffd\n{MARKER}"
    view = TOPICS.agent_view(snap(PAIR))
    assert view.text.decode() == "# Memory Index\n" + INDEX


def test_what_is_not_loaded_is_dimmed():
    lines = "".join(f"- [t{n}](t{n}.md) — h\n" for n in range(30))
    files = {f"t{n}.md": topic(f"t{n}", A="x") for n in range(30)}
    snapshot = snap({"MEMORY.md": lines, **files}, YANDY_134)
    assert [memory.loaded for memory in snapshot.memories] == [True] * 20 + [False] * 10
    assert snapshot.budgets[0].loaded == (1, 20)
    hidden = snap(PAIR, loads=False, loads_not_because="off")
    assert not any(memory.loaded for memory in hidden.memories) and TOPICS.agent_view(hidden).text == b""


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("a.md", "## A\n\nx\n", "frontmatter"),
        ("a.md", "---\nname: a\ndescription: d\nupdated: 2026-01-01\n---\n## A\n", "type"),
        ("a.md", FRONT.format(name="a", titles="A", type="fact") + "## A\n", "does not know"),
        ("sub/a.md", topic("a", A="x"), "folder"),
        ("a.md", topic("a", A="x" * 5000), "4,096"),
    ],
)
def test_topics_that_never_surface_say_why(path, text, words):
    told = [problem.message for problem in snap({path: text}).problems if problem.file == path]
    assert any(words in message for message in told), told


def test_the_oldest_generation_is_one_line_an_entry_and_read_only():
    files = {
        "MEMORY.md": "- [A](t.md)\n- [B](t.md)\n",
        "t.md": "---\nupdated: 2026-01-02\n---\n\n## A\n\nx\n\n## B\n\ny\n",
    }
    snapshot = snap(files, YANDY_03, writable=False)
    assert [memory.index_lines for memory in snapshot.memories] == [(1,), (2,)]
    assert "read-only" in refused(snapshot, Remove(snapshot.memories[0].id))
    assert all(memory.why_not["delete"] for memory in snapshot.memories)


def test_a_topic_without_entries_is_one_memory():
    snapshot = snap({"MEMORY.md": "- [n](n.md) — x\n", "n.md": "just text\n"})
    (memory,) = snapshot.memories
    assert memory.id == "n.md" and TOPICS.text(snapshot, "n.md").text == b"just text\n"
    assert after(snapshot, Remove("n.md")) == {"MEMORY.md": "\n"}


@given(st.lists(st.sampled_from(["- [a](a.md) — x", "# H", "", "text", "- [b](b.md) - y"]), max_size=8))
def test_setting_a_line_touches_no_other(lines):
    data = "\n".join(lines).encode()
    changed = set_entry(data, "a", "a.md", "new").decode().split("\n")
    kept = [line for line in changed if line != "- [a](a.md) — new" and line]
    assert kept == [
        line for i, line in enumerate(lines) if line and (line != "- [a](a.md) — x" or line in lines[:i])
    ]
