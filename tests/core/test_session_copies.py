"""S13: one session in two files is one row; files that only share an id are two."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli_home import CliHome

from memtui.core.library import Library, copies_of, fold_copies
from memtui.demo.session_lines import SessionLines

START = datetime(2026, 11, 20, 9, tzinfo=UTC)


def put(home: Path, name: str, data: bytes) -> Path:
    folder = home / ".pi" / "agent" / "sessions" / "--x--"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(data)
    return path


def two_files(home: Path, cwd: Path) -> tuple[Path, Path]:
    """The same three messages twice; the second file has one more."""
    lines = SessionLines(1, str(cwd), START)
    lines.user("fig one")
    lines.agent("fig two")
    lines.user("fig three")
    first = put(home, "a.jsonl", lines.data)
    lines.agent("fig four")
    second = put(home, "a-1.jsonl", lines.data)
    # what the disk says of their ages does not decide
    os.utime(second, (1_700_000_000, 1_700_000_000))
    return first, second


def test_s13_two_files_of_one_session_fold_under_the_newest(env) -> None:
    first, second = two_files(env.home, env.cwd)
    sessions = list(Library(env).sessions())
    [folded] = fold_copies(sessions)
    assert (folded.session.file, folded.files) == (second, 2)
    assert [copy.file for copy in folded.copies] == [first]
    assert [copy.file for copy in copies_of(folded.session, sessions)] == [first]
    assert folded.session.counts is not None and folded.session.counts.messages == 4


def test_s13_equal_files_fold_too(env) -> None:
    first, second = two_files(env.home, env.cwd)
    second.write_bytes(first.read_bytes())
    assert [folded.files for folded in fold_copies(Library(env).sessions())] == [2]


@pytest.mark.parametrize("change", ["start", "cwd", "text", "no header"])
def test_files_that_only_share_an_id_stay_apart(env, change: str) -> None:
    for number, name in enumerate(("a.jsonl", "b.jsonl")):
        start = START + timedelta(days=number if change == "start" else 0)
        cwd = f"/other{number}" if change == "cwd" else str(env.cwd)
        lines = SessionLines(1, cwd, start)
        lines.user(f"fig {number}" if change == "text" else "fig")
        data = lines.data.partition(b"\n")[2] if change == "no header" else lines.data
        put(env.home, name, data)
    assert [folded.files for folded in fold_copies(Library(env).sessions())] == [1, 1]


def test_s13_the_command_line_names_both_files_and_counts_each_message_once(home, capfdbinary) -> None:
    cli = CliHome(home, capfdbinary)
    cli.fill()
    files = two_files(cli.home, cli.project)
    listed = json.loads(cli.run("sessions", "--json").out)
    assert {session["file"] for session in listed["sessions"]} == set(map(str, files))
    assert len({session["id"] for session in listed["sessions"]}) == 1
    found = json.loads(cli.run("search", "fig", "--json").out)
    assert found["total"] == 4 and found["hidden"] == {"copy": 3}
