"""The README tells the truth about keys, verbs and commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memtui.ui.commands import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
KEY_NAMES = {"left_square_bracket": "[", "right_square_bracket": "]", "exclamation_mark": "!", "colon": ":"}


def section(title: str) -> str:
    """The text below one heading."""
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_key_table_names_every_command_and_nothing_else() -> None:
    written = set(re.findall(r"`([^`\s]+)`", section("Keys")))
    keys = [{KEY_NAMES.get(key, key) for key in command.keys} for command in COMMANDS]
    moving = {"pageup", "pagedown"}
    missing = [
        command.id for command, names in zip(COMMANDS, keys, strict=True) if not names & (written | moving)
    ]
    assert missing == []
    assert written - set().union(*keys) <= {"y"}


def test_every_verb_it_shows_exists() -> None:
    from memtui.cli.summaries import SUMMARIES

    shown = re.findall(r"^memtui (\w+)", section("Commands"), re.MULTILINE)
    assert len(shown) >= 10
    assert set(shown) <= set(SUMMARIES)


def test_every_session_verb_is_shown() -> None:
    from memtui.cli.summaries import SESSION_SUMMARIES

    shown = re.findall(r"^memtui sessions (\w+)", section("Commands"), re.MULTILINE)
    assert set(shown) == set(SESSION_SUMMARIES)


@pytest.mark.parametrize("title", ["Try it", "Development"])
def test_its_commands_start_from_nothing_but_python(title: str) -> None:
    first = re.findall(r"```sh\n(.*?)\n```", section(title), re.DOTALL)[0]
    environment = re.match(r"python3 -m venv (\S+) && \1/bin/pip install -q .+ && \1/bin/", first)
    assert environment, first
    assert "\n" not in first
