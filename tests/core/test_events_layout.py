"""memweave's store, read by tolerant rules. Every fixture here is invented: no real sample is known."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core import fs
from memtui.core.checks import run as run_checks
from memtui.core.layouts.base import Add, Refusal, Remove, SetField, SetText, Store, StoredFile
from memtui.core.layouts.events.layout import EVENTS
from memtui.core.layouts.events.parsing import parse_events
from memtui.core.layouts.events.profile import MEMWEAVE
from memtui.core.layouts.reader import read_store

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
STATE = "key1/tasks/task_1/state.json"
LINES = (
    b'{"id":"F1","text":"staging uses 2222","evidence":["T20"],"status":"active","ts":1761991200000}\n'
    b'{"event":{"id":"D2","decision":"small commits"}}\r\n'
    b'{"odd":"the longest of all strings","x":1}\n'
    b"not json\n"
    b'{"id":"F1","text":"staging uses 22"}\n'
    b'{"id":"F9","te'
)


def store(root=Path("/none"), **changes):
    return dataclasses.replace(
        Store("s", root, MEMWEAVE, True, True, "", writable=False, read_at=NOW), **changes
    )


def snap(files):
    return EVENTS.scan(
        store(), [f if isinstance(f, StoredFile) else StoredFile(p, "file", f) for p, f in files.items()]
    )


def test_events_stand_in_the_order_of_the_file_and_nothing_is_folded():
    memories = snap({STATE: LINES}).memories
    assert [memory.title for memory in memories] == [
        "staging uses 2222",
        "small commits",
        "the longest of all strings",
        "line 4: not JSON",
        "staging uses 22",
        "being written …",
    ]
    assert [memory.type for memory in memories] == ["fact", "decision", "", "", "fact", ""]
    assert memories[0].description == 'F1 · active · ["T20"]' and "again" in memories[4].description
    assert memories[0].updated == datetime(2025, 11, 1, 10, tzinfo=UTC)
    assert {memory.group for memory in memories} == {"key1/task_1"}
    assert EVENTS.text(snap({STATE: LINES}), memories[3].id).text == b"not json"


def test_only_a_middle_line_that_is_no_json_is_a_note():
    problems = run_checks(snap({STATE: LINES}))
    assert [(p.code, p.severity, p.line) for p in problems] == [("unreadable", "note", 4)]


def test_a_file_that_is_one_array_is_read_as_one():
    data = json.dumps([{"id": "G", "goal": "ship"}, {"id": "F1", "fact": "x"}], indent=1).encode()
    assert [(m.type, m.title) for m in snap({STATE: data}).memories] == [("goal", "ship"), ("fact", "x")]


def test_nothing_can_be_changed_and_each_key_says_why():
    snapshot = snap({STATE: LINES, "rule.md": b"# Rule\n"})
    memory = snapshot.memories[0]
    for edit in (Remove(memory.id), SetField(memory.id, "title", "x"), SetText(memory.id, b""), Add("x")):
        result = EVENTS.edit(snapshot, edit)
        assert isinstance(result, Refusal) and "read-only" in result.reason
    assert all("read-only" in m.why_not[verb] for m in snapshot.memories for verb in ("edit", "delete", "type"))


@pytest.mark.parametrize(
    ("data", "severity"), [(b"{", "error"), (b"[]", "warning"), (b"{}", None), (b'{"a":1}', None)]
)
def test_a_config_that_stops_the_agent_is_an_error(data, severity):
    found = [
        problem.severity for problem in run_checks(snap({"config.json": data})) if problem.code == "bad-config"
    ]
    assert found == ([severity] if severity else [])


def test_blobs_and_setup_are_names_and_sizes_and_only_the_end_of_a_long_file_is_read(tmp_path):
    (tmp_path / "blobs").mkdir()
    (tmp_path / "blobs" / "ab.bin").write_bytes(b"x" * 1000)
    task = tmp_path / "key1" / "tasks" / "task_1"
    task.mkdir(parents=True)
    line = b'{"id":"F%07d","text":"' + b"y" * 970 + b'"}\n'
    (task / "state.json").write_bytes(b"".join(line % n for n in range(10_000)))
    (task / "state.md").write_bytes(b"# S\n")
    (tmp_path / "583f97f48ef4").mkdir()
    (tmp_path / "583f97f48ef4" / "MEMORY.md").write_bytes(b"- [x](x.md)\n")
    (tmp_path / "x.lock").mkdir()
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    effects = []
    with fs.observed_by(lambda *effect: effects.append(effect)):
        files = {file.path: file for file in read_store(store(tmp_path), EVENTS)}
    assert effects == []
    assert set(files) == {"blobs/ab.bin", STATE, "key1/tasks/task_1/state.md", "x.lock"}
    assert files["blobs/ab.bin"].data is None and files["blobs/ab.bin"].size_bytes == 1000
    state = files[STATE]
    assert len(state.data) == 5_000_000 and state.offset + len(state.data) == state.size_bytes == 10_000 * len(
        line % 0
    )
    snapshot = EVENTS.scan(store(tmp_path), files.values())
    events = [memory for memory in snapshot.memories if memory.span]
    assert all(memory.title == "y" * 970 for memory in events) and len(events) == 5_000_000 // len(line % 0)
    assert [p.code for p in snapshot.problems if p.file == STATE] == ["over-limit"]


def test_an_old_lock_is_a_note_with_its_age_and_no_leftover():
    lock = StoredFile("key1/tasks/task_1/.lock", "file", updated=NOW - timedelta(minutes=90))
    problems = run_checks(snap({lock.path: lock}))
    assert [(p.code, p.severity) for p in problems] == [("stale-lock", "note")] and "90 minutes" in problems[
        0
    ].message


def test_an_empty_tasks_directory_is_nothing(tmp_path):
    (tmp_path / "key1" / "tasks").mkdir(parents=True)
    assert read_store(store(tmp_path), EVENTS) == ()


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_read(data, inside):
    for event in parse_events(data, starts_inside=inside):
        assert 0 <= event.start <= event.end <= len(data)
