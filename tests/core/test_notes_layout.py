"""The notes layout: what pi-memory 2.x reads and writes, one entry a file."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.checks import run as run_checks
from memtui.core.layouts.base import Add, Draft, Refusal, Remove, Rename, SetField, SetText, Store, StoredFile
from memtui.core.layouts.notes.layout import NOTES
from memtui.core.layouts.notes.text import described, file_name, format_note, parse_note
from memtui.core.layouts.reader import read_store
from memtui.core.layouts.topic_owners import YANDY_2

NOW = datetime(2026, 10, 4, 9, 30, 1, 234_000, tzinfo=UTC)


def note(name="A", description="one", type="user", body="text"):
    return format_note(
        {
            "name": name,
            "description": description,
            "type": type,
            "created": "2026-10-01",
            "modified": "2026-10-02T00:00:00.000Z",
        },
        body,
    )


def snap(files, **changes):
    made = Store("s", Path("/none"), YANDY_2, exists=True, used=True, reason="", read_at=NOW)
    found = [
        file
        if isinstance(file, StoredFile)
        else StoredFile(path, "file", file if isinstance(file, bytes) else file.encode())
        for path, file in files.items()
    ]
    return NOTES.scan(dataclasses.replace(made, **changes), found)


def after(snapshot, edit):
    result = NOTES.edit(snapshot, edit)
    assert isinstance(result, Draft), result
    files = {path: file.data for path, file in snapshot.files.items()}
    for change in result.changes:
        files[change.path] = change.after
    return {path: data.decode() for path, data in files.items() if data is not None}


def refused(snapshot, edit):
    result = NOTES.edit(snapshot, edit)
    assert isinstance(result, Refusal), result
    return result.reason


FILES = {"MEMORY.md": "# Memory Index\n\n- [A](a.md) — one\n", "a.md": note()}


def test_a_new_note_has_five_fields_and_the_last_line_of_the_index():
    files = after(snap(FILES), Add("SSH port", body="- Port 2222 on staging. Ask Ana.\n\nmore\n"))
    assert files["SSH-port.md"] == (
        "---\nname: SSH port\ndescription: Port 2222 on staging.\ntype: feedback\ncreated: 2026-10-04\n"
        "modified: 2026-10-04T09:30:01.234Z\n---\n\n- Port 2222 on staging. Ask Ana.\n\nmore\n"
    )
    assert files["MEMORY.md"] == FILES["MEMORY.md"] + "- [SSH port](SSH-port.md) — Port 2222 on staging.\n"
    assert after(snap({}), Add("x"))["x.md"].endswith(
        "description: x\ntype: feedback\ncreated: 2026-10-04\nmodified: 2026-10-04T09:30:01.234Z\n---\n"
    )


def test_an_existing_name_is_refused_where_the_owner_writes_over_it():
    assert "write over it" in refused(snap(FILES), Add("A"))


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("SSH port", "SSH-port.md"),
        (' a/b\\c:d*e?f"g<h>i|j\x01k ', "a_b_c_d_e_f_g_h_i_j_k.md"),
        ("..hidden. ", "hidden.md"),
        ("a \t b", "a-_-b.md"),
        ("日本", "日本.md"),
        ("x" * 120, "x" * 100 + ".md"),
        ("é" * 60, "é" * 50 + ".md"),
        ("memory", "memory-2.md"),
        ("A", "A-2.md"),
        ("con", "_con.md"),
    ],
)
def test_a_file_is_named_as_the_owner_names_it(name, file):
    assert file_name(name, ["MEMORY.md", "a.md"]) == file


def test_a_name_of_nothing_but_signs_gets_a_digest():
    assert file_name("...", []).startswith("entry-") and len(file_name("...", [])) == len("entry-12345678.md")


def test_a_description_is_the_first_sentence_or_the_name():
    assert described("## Why? Because.\n", "n", 200) == "Why?"
    assert described("\n\n1. one two\n", "n", 200) == "one two"
    assert described("", "n", 200) == "n"
    assert described("x" * 300, "n", 200) == "x" * 199 + "…"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"no frontmatter", "does not begin"),
        (b"---\nname: a\ndescription: d\ntype: user\nupdated: 2026-01-01\n---\n\n## A\n", "created, modified"),
        (note(type="fact"), "type"),
        (note().replace(b"description: one\n", b""), "description"),
        (b"---\r\nname: a\r\n---\r\n", "does not begin"),
    ],
)
def test_what_the_owner_does_not_see_is_told(text, words):
    snapshot = snap({"MEMORY.md": "- [A](a.md) — one\n", "a.md": text})
    (problem,) = [problem for problem in snapshot.problems if problem.code == "shadowed"]
    assert words in problem.message and problem.memory == "a.md"
    assert "a.md" not in after(snapshot, Remove("a.md"))


def test_fields_change_surgically_with_the_time_of_the_change():
    odd = note().replace(b"type: user", b"extra: kept\ntype:   user")
    snapshot = snap({**FILES, "a.md": odd})
    files = after(snapshot, SetField("a.md", "description", "two"))
    assert files["a.md"] == odd.decode().replace("one", "two").replace(
        "2026-10-02T00:00:00.000Z", "2026-10-04T09:30:01.234Z"
    )
    assert files["MEMORY.md"].endswith("- [A](a.md) — two\n")
    assert "type: project\n" in after(snapshot, SetField("a.md", "type", "project"))["a.md"]
    assert "fact" in refused(snapshot, SetField("a.md", "type", "fact"))
    assert "follows" in refused(snapshot, SetField("a.md", "hook", "x"))
    assert "one line" in refused(snapshot, SetField("a.md", "description", "a\nb"))


def test_another_name_is_another_file_and_another_line():
    files = after(snap(FILES), Rename("a.md", "New [x] name"))
    assert "a.md" not in files and files["New-[x]-name.md"].startswith("---\nname: New [x] name\n")
    assert files["MEMORY.md"] == "# Memory Index\n\n- [New [x] name](New-[x]-name.md) — one\n"
    # and is read back
    assert snap(files).memories[0].index_lines == (3,)
    assert "](" in refused(snap(FILES), Rename("a.md", "a](b"))
    both = snap({**FILES, "b.md": note("B")})
    assert "already" in refused(both, SetField("a.md", "title", "B"))


def test_a_body_is_trimmed_and_a_text_that_would_vanish_refused():
    files = after(snap(FILES), SetText("a.md", b"\n\nnew body \n\n", "body"))
    assert files["a.md"].endswith("---\n\nnew body\n") and "modified: 2026-10-04" in files["a.md"]
    text = NOTES.text(snap(FILES), "a.md")
    assert "would not see" in refused(snap(FILES), SetText("a.md", b"nothing\n", base=text.text))
    renamed = after(
        snap(FILES),
        SetText("a.md", text.text.replace(b"description: one", b"description: two"), base=text.text),
    )
    assert renamed["MEMORY.md"].endswith("— two\n")


def test_deleting_takes_file_and_line_and_leaves_the_rest():
    assert after(snap(FILES), Remove("a.md")) == {"MEMORY.md": "# Memory Index\n\n"}
    crlf = {**FILES, "MEMORY.md": "# H\r\n- [A](a.md) — one\r\n- [B](b.md) — x\r\n"}
    assert after(snap(crlf), Remove("a.md"))["MEMORY.md"] == "# H\r\n- [B](b.md) — x\r\n"


def test_the_index_is_injected_from_its_end():
    lines = "".join(f"- [n{n}](n{n}.md) — h\n" for n in range(60))
    files = {f"n{n}.md": note(f"n{n}") for n in range(60)}
    snapshot = snap({"MEMORY.md": lines, **files})
    assert [memory.loaded for memory in snapshot.memories] == [False] * 10 + [True] * 50
    assert snapshot.budgets[0].loaded == (11, 60)
    view = NOTES.agent_view(snapshot).text.decode()
    assert view.startswith("[truncated: memory index exceeds injection limit; older entries omitted]\n- [n10]")
    assert view.endswith("- [n59](n59.md) — h\n")
    none = dataclasses.replace(
        YANDY_2, limits=tuple(dataclasses.replace(limit, limit=0) for limit in YANDY_2.limits)
    )
    hidden = NOTES.scan(
        Store("s", Path("/none"), none, True, True, ""), [StoredFile("MEMORY.md", "file", lines.encode())]
    )
    assert NOTES.agent_view(hidden).text == b"" and not any(memory.loaded for memory in hidden.memories)


def test_an_old_lock_is_told_with_its_holder_and_a_fresh_one_is_not():
    record = b'{"pid":12,"hostname":"h","startedAt":"x","op":"add"}'
    for age, told in ((5, False), (3600, True)):
        lock = StoredFile(".lock", "file", record, updated=NOW - timedelta(seconds=age))
        problems = [
            problem for problem in run_checks(snap({**FILES, ".lock": lock})) if problem.code == "stale-lock"
        ]
        assert bool(problems) == told
    assert "process 12 on h (add)" in problems[0].message and "2026-10-04 08:30 UTC" in problems[0].message
    odd = StoredFile(".lock", "file", b"", updated=NOW - timedelta(hours=1))
    assert any(problem.code == "stale-lock" for problem in snap({".lock": odd}).problems)


@given(st.binary(max_size=80))
def test_any_bytes_are_read(data):
    parsed = parse_note(data)
    assert 0 <= parsed.body_start <= len(data)
    parse_note(b"---\n" + data)


def test_the_owners_own_copies_are_counted_and_never_opened_nor_memories(tmp_path):
    for moment in ("2026-10-01T00-00-00.000Z-write", "2026-10-02T00-00-00.000Z-write"):
        (tmp_path / ".backups" / moment).mkdir(parents=True)
        (tmp_path / ".backups" / moment / "a.md").write_bytes(note())
    (tmp_path / "a.md").write_bytes(note())
    (tmp_path / "MEMORY.md").write_text("- [A](a.md) \u2014 one\n")
    made = Store("s", tmp_path, YANDY_2, exists=True, used=True, reason="", read_at=NOW)
    files = read_store(made, NOTES)
    assert all(file.data is None for file in files if file.path.startswith(".backups/"))
    snapshot = NOTES.scan(made, files)
    assert [memory.file for memory in snapshot.memories] == ["a.md"]
    (fact,) = snapshot.facts
    assert "2 copies" in fact.sentence and "2026-10-02T00-00-00.000Z-write" in fact.sentence
