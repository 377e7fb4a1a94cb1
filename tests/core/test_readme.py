"""The README tells the truth about keys, verbs and commands."""

from __future__ import annotations

import re
from pathlib import Path

import key_table
import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text below one heading."""
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_key_table_is_the_one_that_is_made_from_the_commands() -> None:
    assert section("Keys") == key_table.section(), "run tests/core/key_table.py"


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
