"""Sessions written by the real pi, against what pi's own listing says about them."""

import json
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from memtui.core.sessions.cache import SessionCache
from memtui.core.sessions.listing import count_sessions, list_sessions, newest_first
from memtui.core.sessions.pi_places import pi_places
from memtui.core.sessions.tally import count
from memtui.core.sessions.transcript import Transcript

DATA = Path(__file__).parent / "data" / "pi_sessions"
MANIFEST = json.loads((DATA / "manifest.json").read_text("utf-8"))
MADE = [made for made in MANIFEST["made"] if "leaf" in made]
DAMAGED = {name: (messages, first) for name, messages, first in MANIFEST["made"][-1]["listed"]}
IN_PROJECTS = [made for made in MADE if made["file"].split("/")[1].startswith("--")]
REAL_LEAFS = {"tui_real_before_delete.jsonl": "3ccd1503"}


def listed(tmp_path, directory="."):
    """Every session of a copy of the golden data, counted, by file name."""
    root = tmp_path / "agent" / "sessions"
    shutil.copytree(DATA / directory, root)
    cache = SessionCache(None)
    places = pi_places(tmp_path / "agent", Path("/home/dev/proj-alpha"), tmp_path)
    sessions = {session.file: session for session in list_sessions(places, cache)}
    for session in count_sessions(list(sessions.values()), cache):
        sessions[session.file] = session
    return sessions.values()


def test_all_golden_sessions_are_there():
    assert len(MANIFEST["listing"]) == 8
    assert len(MADE) == 10
    assert set(DAMAGED) == {"torn.jsonl", "no-newline.jsonl", "junk-first.jsonl", "crlf.jsonl"}


def test_names_counts_and_titles_are_those_of_pi(tmp_path):
    sessions = {session.file.name: session for session in listed(tmp_path)}
    for row in MANIFEST["listing"]:
        session = sessions[row["file"]]
        assert session.pi_lists
        assert session.hidden_because == ""
        assert (session.id, session.cwd, session.name) == (row["id"], row["cwd"], row.get("name", ""))
        assert session.counts.messages == row["messageCount"]
        assert session.first_text.startswith(" ".join(row["firstMessage"].split()))
        assert session.updated == datetime.fromisoformat(row["modified"])
        assert Path(session.parent).name == row.get("parent", "")


def test_order_is_that_of_pi(tmp_path):
    sessions = newest_first(listed(tmp_path))
    for directory in {row["dir"] for row in MANIFEST["listing"]}:
        ours = [session.file.name for session in sessions if session.file.parent.name == directory]
        assert ours == [row["file"] for row in MANIFEST["listing"] if row["dir"] == directory]


@pytest.mark.parametrize("made", IN_PROJECTS, ids=[made["label"] for made in IN_PROJECTS])
def test_leaf_and_entries_are_those_of_pi(made):
    path = DATA.parent / made["file"]
    counts = count(path)
    assert counts.leaf_id == made["leaf"]
    assert counts.entries == made["entries"]
    assert counts.name == made.get("name", "")
    assert counts.damaged == 0
    assert Transcript(path).leaf_id == made["leaf"]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_old_versions_read_as_their_migrated_copies_do(version):
    made = next(made for made in MADE if made["label"] == f"legacy-{version}")
    old, new = DATA.parent / made["file"], DATA.parent / made["migrated"]
    before, after = count(old), count(new)
    assert after.leaf_id == made["leaf"]
    assert (before.messages, before.turns, before.entries) == (after.messages, after.turns, after.entries)
    assert before.last_activity == after.last_activity
    assert said(old) == said(new)


def said(path):
    """What a transcript shows of the active branch: kind and texts of every entry."""
    transcript = Transcript(path)
    messages = transcript.messages(0, len(transcript))
    return [
        (message.kind, [part.text for part in message.parts])
        for message in messages
        if message.branch == "active" and message.kind != "session"
    ]


def test_damaged_sessions_that_pi_lists_are_counted_as_pi_does(tmp_path):
    sessions = {session.file.name: session for session in listed(tmp_path)}
    for name, (messages, first) in DAMAGED.items():
        assert sessions[name].pi_lists, name
        assert sessions[name].counts.messages == messages
        assert sessions[name].first_text.startswith(first.strip())


@pytest.mark.parametrize(
    ("name", "why"),
    [("bom.jsonl", "byte-order mark"), ("not-a-session.jsonl", "no session header"), ("empty.jsonl", "empty")],
)
def test_sessions_that_pi_leaves_out_are_marked(tmp_path, name, why):
    session = next(session for session in listed(tmp_path) if session.file.name == name)
    assert not session.pi_lists
    assert not session.pi_opens
    assert why in session.hidden_because


def test_what_can_be_read_of_a_file_that_pi_leaves_out_is_shown():
    transcript = Transcript(DATA / "damaged" / "bom.jsonl")
    assert transcript.message(0).kind == "session"
    assert any("Please list" in message.text for message in transcript.messages(0, len(transcript)))


def test_sessions_of_the_real_program_read_whole():
    files = sorted((DATA / "tui").glob("*.jsonl"))
    assert len(files) == 5
    for path in files:
        counts, transcript = count(path), Transcript(path)
        assert counts.damaged == 0
        assert transcript.leaf_id == counts.leaf_id == REAL_LEAFS.get(path.name, counts.leaf_id)
        messages = transcript.messages(0, len(transcript))
        assert {message.branch for message in messages} == {"active"}
        assert sum(message.role != "" for message in messages) == counts.messages


def test_branches_labels_and_parts_of_the_golden_sessions():
    branching = Transcript(DATA.parent / next(m["file"] for m in MADE if m["label"] == "branching"))
    messages = branching.messages(0, len(branching))
    active = [message.entry_id for message in messages if message.branch == "active"]
    assert active[1:] == ["84b56c6b", "9debf334", "38c1c343"]
    assert all(message.label == "" for message in messages)
    images = Transcript(DATA.parent / next(m["file"] for m in MADE if m["label"] == "images"))
    parts = [part for message in images.messages(0, len(images)) for part in message.parts]
    assert [(part.name, part.size_bytes) for part in parts if part.kind == "image"] == [("image/png", 70)] * 2
    assert [part.name for part in parts if part.kind == "bash"] == ["git status --short", "cat secret"]
    assert any(part.kind == "note" and part.text == "not sent to the model" for part in parts)
