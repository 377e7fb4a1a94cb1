"""What became of a line that was sent: by pi's screen, and by what its session's file got."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from pi_screens import screens

from memtui.core.agents.conditions import belongs_to_us
from memtui.core.agents.proof import after_enter, before_enter
from memtui.core.agents.slash_commands import REFUSALS, commands

EMPTY = screens()["fullscreen: empty"][1]
WORKING = replace(EMPTY, rows=("", f" Warning: {REFUSALS[0]}", *EMPTY.rows[2:]))
COMMANDS = {command.id: command for command in commands()}
NAME = COMMANDS["name"].with_argument("a name")


def message(role: str, content: object) -> dict[str, object]:
    return {"type": "message", "id": "m", "message": {"role": role, "content": content}}


@pytest.mark.parametrize(
    ("command", "added", "words", "is_done"),
    [
        (COMMANDS["memory-reload"], [], "pi took it", True),
        (COMMANDS["memory-reload"], ["torn", [1], {"message": 1}], "pi took it", True),
        (COMMANDS["memory-reload"], [message("user", "something else")], "pi took it", True),
        (COMMANDS["memory-reload"], [message("user", "/memory reload")], "to the model", True),
        (
            COMMANDS["memory-reload"],
            [message("user", [{"type": "text", "text": "/memory reload"}])],
            "to the model",
            True,
        ),
        (COMMANDS["memory-reload"], [message("toolResult", "/memory reload")], "pi took it", True),
        (COMMANDS["dream"], [], "pi asks in its pane", True),
        (NAME, [{"type": "session_info", "name": "a name"}], "is called a name", True),
        (NAME, [{"type": "session_info", "name": "another"}], "pi took it", True),
        (COMMANDS["reload"], [], "pi took it", True),
    ],
    ids=str,
)
def test_what_a_session_tells(
    command: object, added: list[object], words: str, is_done: bool, tmp_path: Path
) -> None:
    session = tmp_path / "s.jsonl"
    # what was there before does not count
    session.write_text(json.dumps(message("user", "/memory reload")) + "\n")
    before = before_enter(EMPTY, session)
    with session.open("a") as file:
        file.writelines((item if isinstance(item, str) else json.dumps(item)) + "\n" for item in added)
    told = after_enter(EMPTY, command.text, command, before)  # type: ignore[attr-defined]
    assert words in told.said
    assert (told.is_seen, told.is_done) == (True, is_done)


def test_a_refusal_counts_once_and_a_pi_that_ended_is_not_seen(tmp_path: Path) -> None:
    reload = COMMANDS["reload"]
    nothing = before_enter(EMPTY, tmp_path / "no file")
    assert nothing.size == 0
    refused = after_enter(WORKING, "/reload", reload, nothing)
    assert (refused.is_seen, refused.is_done) == (True, False)
    # one that was there before says nothing of this line
    assert after_enter(WORKING, "/reload", reload, before_enter(WORKING, None)).is_done
    ended = after_enter(replace(EMPTY, command="bash"), "/reload", reload, nothing)
    assert not ended.is_seen


def test_whose_a_process_is(tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    assert belongs_to_us(7, tmp_path) is True
    assert belongs_to_us(0) is belongs_to_us(8, tmp_path) is None
    os_uid, os.getuid = os.getuid, lambda: -5
    try:
        assert belongs_to_us(7, tmp_path) is False
    finally:
        os.getuid = os_uid
