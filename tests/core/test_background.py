"""What works on a store in the background: read from the signs that it leaves, and from nothing else."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from carry_stores import open_actions, store_of

from memtui.core.agents.at_work import at_work, places_beside
from memtui.core.agents.background import ENDED, SIGNS, Background, caution, last_dream, sentence
from memtui.core.env import Env
from memtui.core.layouts.base import Store, StoredFile
from memtui.core.layouts.events.profile import MEMWEAVE
from memtui.core.layouts.owners import PROFILES

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NOBODY = 2**22 + 1
"""No process has so high an id."""
HERE = socket.gethostname()


def age(path: Path, seconds: float) -> None:
    os.utime(path, ((NOW - timedelta(seconds=seconds)).timestamp(),) * 2)


def touch(path: Path, seconds: float, data: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data)
    age(path, seconds)


def lock(path: Path, seconds: float) -> None:
    path.mkdir(parents=True)
    age(path, seconds)


def record(pid: int, op: str = "replace", host: str = HERE) -> str:
    started = (NOW - timedelta(minutes=2)).isoformat()
    return json.dumps({"pid": pid, "hostname": host, "startedAt": started, "op": op})


Make = Callable[[Path], object]

CASES: list[tuple[str, Make, list[tuple[str, str]], str]] = [
    (
        "entries",
        lambda root: lock(root.with_name("entries.lock"), 12),
        [("dream", "running")],
        "a dream of amaster is running (entries.lock, last sign of life 11:59:48)",
    ),
    (
        "entries",
        lambda root: lock(root.with_name("entries.lock"), 31),
        [("dream", "left")],
        "a dream of amaster left entries.lock behind; last sign of life 11:59",
    ),
    # up to a second ahead: the holder rounds to the next whole one
    ("entries", lambda root: lock(root.with_name("entries.lock"), -1), [("dream", "running")], "a dream of"),
    ("entries", lambda root: touch(root.with_name("entries.lock"), 5), [], ""),
    ("entries", lambda root: lock(root / "MEMORY.md.lock", 1), [("write", "running")], "amaster is writing ("),
    (
        "entries",
        lambda root: lock(root / "USER.md.lock", 90),
        [("write", "left")],
        "amaster left USER.md.lock behind; last sign of life 11:58",
    ),
    (
        "notes",
        lambda root: touch(root / ".lock", 3, record(os.getppid())),
        [("write", "running")],
        f"yandy is writing since 11:58, process {os.getppid()} on {HERE} (replace) (.lock)",
    ),
    ("notes", lambda root: touch(root / ".lock", 3, record(os.getppid(), "dream")), [("dream", "running")], ""),
    (
        "notes",
        lambda root: touch(root / ".lock", 3, record(NOBODY)),
        [("write", "left")],
        f"yandy left .lock behind since 11:58, process {NOBODY} on {HERE} (replace); last sign of life 11:59",
    ),
    (
        "notes",
        lambda root: touch(root / ".lock", 3, record(NOBODY, host="elsewhere")),
        [("write", "unknown")],
        f".lock of yandy is there since 11:58, process {NOBODY} on elsewhere (replace): a program is at work, or",
    ),
    (
        "notes",
        lambda root: touch(root / ".lock", 3),
        [("write", "unknown")],
        ".lock of yandy is there since 11",
    ),
    ("notes", lambda root: touch(root / ".lock", 3, '{"pid":true}'), [("write", "unknown")], ""),
    ("notes", lambda root: touch(root / ".lock", 3, record(10**30)), [("write", "left")], ""),
    # of another machine that has the same number by chance
    (
        "notes",
        lambda root: touch(root / ".lock", 3, record(os.getpid(), host="it")),
        [("write", "unknown")],
        "",
    ),
    # memtui's own
    ("notes", lambda root: touch(root / ".lock", 3, record(os.getpid(), "memtui delete")), [], ""),
    (
        "topics",
        lambda root: [touch(root / "sessions" / f"{n}.jsonl", n) for n in (30, 60, 9_000)],
        [("agent", "running")],
        "an agent of yandy is at work in the background: dream, extraction or surfacing (sessions/30.jsonl, last "
        "sign of life 11:59:30)",
    ),
    (
        "topics",
        lambda root: touch(root.with_name("sessions") / "a.jsonl", 30),
        [("agent", "running")],
        "an agent of yandy is at work in the background on this project or another: dream, ",
    ),
    ("topics", lambda root: touch(root / "sessions" / "a.jsonl", 130), [], ""),
    ("topics", lambda root: touch(root / "sessions" / "a.jsonl", -9_000), [], ""),
    ("topics", lambda root: touch(root / "sessions" / "a.txt", 3), [], ""),
    (
        "facts",
        lambda root: touch(root.parents[1] / ".legacy-import.lock", 60),
        [("import", "unknown")],
        "zcode brings memories over since 11:59, or was stopped in that (.legacy-import.lock)",
    ),
]


@pytest.mark.parametrize(("layout", "make", "found", "said"), CASES)
def test_signs_tell_what_is_at_work(
    layout: str, make: Make, found: list[tuple[str, str]], said: str, tmp_path: Path
) -> None:
    store = store_of(tmp_path / "a" / "b", layout)
    store.root.mkdir(parents=True)
    assert at_work(store, NOW) == ()
    make(store.root)
    items = at_work(store, NOW)
    assert [(item.work, item.state) for item in items] == found
    assert not items or sentence(items[0], NOW).startswith(said)
    # what takes a lock like memtui is waited for; what only left something does nothing any more
    fears = [work for work, state in found if state == "running" and work in ("dream", "agent")]
    assert len([item for item in items if caution(item, NOW).endswith("it may write over this")]) == len(fears)


def test_memweaves_locks_and_links_are_told_and_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    store = Store("m", root, MEMWEAVE, exists=True, used=True, reason="test")
    touch(root / "app" / "tasks" / "task_1" / "state.lock", 30)
    touch(root / "index.lock", 30)
    os.symlink(root / "app", root / "other")
    assert [(item.name, item.state) for item in at_work(store, NOW)] == [
        ("index.lock", "unknown"),
        ("app/tasks/task_1/state.lock", "unknown"),
    ]


def test_a_dream_that_has_ended_is_known_by_what_its_owner_notes(tmp_path: Path) -> None:
    def last(layout: str, name: str, data: bytes) -> Background | None:
        return last_dream(store_of(tmp_path, layout), {name: StoredFile(name, "file", data)})

    ended = last("topics", ".dream-meta.json", b'{"lastDreamAt":"2026-11-30T11:02:00.000Z"}')
    assert ended is not None and sentence(ended, NOW) == "the last dream of yandy ended 11:02"
    assert caution(ended, NOW) == ""
    assert last("entries", "dreaming-state.json", b'{"lastConsolidatedAt":"2026-11-29T11:02:00Z"}') is not None
    for data in (b"", b"[]", b'{"lastDreamAt":null}', b'{"lastDreamAt":"soon"}', b"[" * 100_000):
        assert last("topics", ".dream-meta.json", data) is None
    # at the ends of the calendar there is no such time in some zones
    for data in (b'{"lastDreamAt":"0001-01-01T00:00:00Z"}', b'{"lastDreamAt":"9999-12-31T23:59:59Z"}'):
        assert last("topics", ".dream-meta.json", data) is None
    assert last("facts", ".dream-meta.json", b'{"lastDreamAt":"2026-11-30T11:02:00.000Z"}') is None


def test_the_table_names_known_owners_and_its_sources() -> None:
    assert {sign.owner for sign in SIGNS} <= {*PROFILES, "memweave"}
    assert {note.owner for note in ENDED} <= set(PROFILES)
    assert all(item.source for item in (*SIGNS, *ENDED))
    assert all((sign.alive_s is None) == (sign.proof in ("stands", "record")) for sign in SIGNS)


def test_signs_beside_a_store_are_watched_by_name(make_env: Callable[..., Env], tmp_path: Path) -> None:
    assert places_beside(store_of(tmp_path, "entries")) == ((tmp_path, "entries.lock"),)
    assert places_beside(store_of(tmp_path, "topics")) == ()
    (tmp_path / "sessions").mkdir()
    assert places_beside(store_of(tmp_path, "topics")) == ((tmp_path / "sessions", ""),)


def test_facts_and_cautions_tell_of_it(make_env: Callable[..., Env], tmp_path: Path) -> None:
    workspace, actions = open_actions(make_env())
    store = store_of(tmp_path, "entries")
    store.root.mkdir()
    (store.root / "MEMORY.md").write_text("alpha")
    snapshot = workspace.scan(store)
    assert actions.facts(snapshot, actions.at_work(snapshot)) == ()
    lock(tmp_path / "entries.lock", 10)
    busy = actions.at_work(snapshot)
    assert [(fact.label, fact.sentence.partition(" (")[0]) for fact in actions.facts(snapshot, busy)] == [
        ("at work", "a dream of amaster is running")
    ]
    assert len(actions.cautions(busy)) == 1
