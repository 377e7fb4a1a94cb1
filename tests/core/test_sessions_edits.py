"""The command that continues a session and the line that names it."""

import dataclasses
import json
import os
import shutil
import subprocess
from datetime import UTC, datetime

import pytest
from session_corpus import Writer, header, put

from memtui.core.sessions.edits import archive_name, title_edit, title_line
from memtui.core.sessions.quick import look_at
from memtui.core.sessions.resume import quote, resume, resume_command
from memtui.core.sessions.tally import count
from memtui.core.sessions.transcript import Transcript

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
"""The moment of the frozen clock."""


def row(path):
    """The row of a session file."""
    return look_at(path)


def run_in_shell(command, home, shell):
    """Run a command in a shell with a `pi` that writes down where it ran and what it was given."""
    bin_dir = home / "bin"
    bin_dir.mkdir(exist_ok=True)
    fake = bin_dir / "pi"
    fake.write_text('#!/bin/sh\npwd; printf "%s\\n" "$@"\n')
    fake.chmod(0o755)
    environ = {"PATH": f"{bin_dir}:{os.defpath}", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([shell, "-c", command], env=environ, capture_output=True, check=True, cwd=home)
    return done.stdout.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize("name", ["it's a dir; echo x", "$(echo x)`id`", '"q" \\ &', "-n", "漢字 🎉"])
def test_s16_a_nasty_directory_is_quoted(home, name):
    directory = home / name
    directory.mkdir()
    path = Writer(str(directory)).save(home / "se ssions" / "a'b.jsonl")
    command = resume_command(row(path))
    assert run_in_shell(command, home, "/bin/sh") == f"{directory}\n--session\n{path}\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    "name", ["line\nend", "esc\x1b[31m'q'", "back\\slash\ttab", "not utf8 \udcff", "c1 \x9b"]
)
def test_control_characters_and_other_bytes_survive_quoting(home, name):
    directory = home / name
    directory.mkdir()
    session = dataclasses.replace(row(Writer("/x").save(home / "s.jsonl")), cwd=str(directory))
    command = resume_command(session)
    assert command.isprintable() or all(character >= " " for character in command)
    assert "\n" not in command
    assert run_in_shell(command, home, shutil.which("bash")).removesuffix(
        f"\n--session\n{session.file}\n"
    ) == str(directory)


def test_s16_a_directory_that_is_gone_is_said_and_not_entered(home):
    path = Writer("/nowhere/at all").save(home / "s.jsonl")
    given = resume(row(path))
    assert given.command == f"pi --session {path}"
    assert given.note == "its directory is gone: /nowhere/at all"


def test_a_file_that_pi_would_overwrite_gets_no_command(home):
    given = resume(row(put(home / "s.jsonl", b"not a session\n")))
    assert given.command == ""
    assert "no session header" in given.note


def test_a_session_without_a_directory_is_opened_where_one_is(home):
    given = resume(row(put(home / "s.jsonl", header(cwd="relative"))))
    assert given.command.startswith("pi --session ")
    assert given.note


def test_plain_words_need_no_quotes():
    assert quote("/home/dev/app") == "/home/dev/app"


def test_a_name_is_one_line_as_pi_writes_it():
    data = title_line(" two\r\nlines 漢\ud800 ", "abcd1234", "0011aabb", NOW)
    assert data == (
        b'{"type":"session_info","id":"0011aabb","parentId":"abcd1234","timestamp":"2026-11-30T12:00:00.000Z",'
        b'"name":"two lines \xe6\xbc\xa2\\ud800"}\n'
    )
    assert json.loads(title_line("", "", "x", NOW))["parentId"] is None


def test_a_name_is_appended_behind_the_last_entry(home):
    session = Writer()
    last = session.user("hi")
    path = session.save(home / "s.jsonl")
    edit = title_edit(row(path), count(path), "named", "0011aabb", NOW, True)
    assert (edit.refusal, edit.at, edit.inode) == ("", len(session.data), path.stat().st_ino)
    with open(path, "ab") as file:
        file.write(edit.data)
    assert count(path).name == "named"
    shown = Transcript(path)
    message = shown.message(len(shown) - 1)
    assert (message.parent_id, message.branch) == (last, "active")


def test_a_missing_line_end_is_put_before_the_name(home):
    session = Writer()
    session.user("hi")
    path = put(home / "s.jsonl", bytes(session.data)[:-1])
    edit = title_edit(row(path), count(path), "n", "i", NOW, False)
    assert edit.data.startswith(b"\n{")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"no header\n", "no session header"),
        (header(version=None), "old version"),
        (header(version=2), "old version"),
        (header() + b'{"type":"mess', "not finished"),
    ],
)
def test_names_are_refused_where_they_would_do_harm(home, data, why):
    path = put(home / "s.jsonl", data)
    edit = title_edit(row(path), count(path), "n", "i", NOW, data.endswith(b"\n"))
    assert why in edit.refusal
    assert edit.data == b""


def test_archive_names_are_free(home):
    assert archive_name(home / "a.jsonl", []) == "a.jsonl"
    assert archive_name(home / "a.jsonl", ["a.jsonl", "a-1.jsonl"]) == "a-2.jsonl"
