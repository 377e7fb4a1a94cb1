"""The README tells the truth about keys, verbs and commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import key_table
import pytest

from memtui.core.locate.zcode_names import cli_root, project_dir_name, projects_root

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


def test_its_hook_and_its_cron_line_mend_what_is_safe_and_tell_of_the_rest(home: Path, child_environ) -> None:
    hook = re.findall(r"```sh\n(#!/bin/sh.*?)```", section("Commands"), re.DOTALL)[0]
    (line,) = re.findall(r"```crontab\n(?:\S+ +){5}(.*?)\n```", section("Commands"), re.DOTALL)
    project = home / "code" / "app"
    project.mkdir(parents=True, exist_ok=True)
    store = projects_root(cli_root(home / ".zcode")) / project_dir_name(str(project), "posix") / "memory"
    store.mkdir(parents=True)
    command = home / "bin" / "memtui"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memtui "$@"\n')
    command.chmod(0o755)
    environ = child_environ | {"PATH": f"{command.parent}:/usr/bin:/bin", "PWD": str(project)}

    def run(script: str) -> tuple[int, str, str]:
        done = subprocess.run(
            ["/bin/sh", "-c", script], cwd=project, env=environ, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    index = store / "MEMORY.md"
    index.write_text("- [Gone](gone.md) \u2014 it was\nas [this](lost.md) says\n")
    status, out, err = run(hook)
    assert (status, out) == (1, "") and "dead-link" in err
    assert index.read_text() == "as [this](lost.md) says\n"
    status, out, _err = run(line)
    assert status == 0 and "dead-link" in out
    index.write_text("- [Gone](gone.md) \u2014 it was\n")
    assert run(hook)[:2] == (0, "")
    assert index.read_text() == ""
