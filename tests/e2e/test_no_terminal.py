"""Where no app can be: one line that says so and what to do, and not one sequence for a terminal."""

from __future__ import annotations

import shlex
import signal
import subprocess
from collections.abc import Mapping

import pytest
from app_home import AppHome
from pty_tools import Terminal


def test_u08_without_a_terminal_there_is_one_line(app_home: AppHome, child_environ: Mapping[str, str]) -> None:
    line = f"{shlex.join(app_home.command)} </dev/null | cat; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=app_home.project, env=dict(child_environ), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and "terminal" in done.stderr and "memtui list" in done.stderr


@pytest.mark.parametrize(
    ("start", "says"),
    [
        ("{memtui} </dev/null", "stdin is not a terminal"),
        ("{memtui} | cat; exit ${{PIPESTATUS[0]}}", "stdout is not a terminal"),
        ("TERM=dumb {memtui}", "TERM is dumb"),
        ("{memtui} 2>said; status=$?; cat said; exit $status", "stderr is not a terminal"),
    ],
)
def test_u08_on_half_a_terminal_there_is_one_line(
    app_home: AppHome, child_environ: Mapping[str, str], start: str, says: str
) -> None:
    command = ["bash", "-c", start.format(memtui=shlex.join(app_home.command))]
    with Terminal(command, environ=child_environ, cwd=app_home.project) as terminal:
        assert terminal.wait_for_end() == 2
    said = terminal.raw.decode()
    assert said.startswith(f"memtui: {says}") and "memtui list" in said
    assert said.count("\n") == 1 and "\x1b" not in said


def test_a_terminal_that_vanishes_without_a_word_ends_memtui(
    app_home: AppHome, child_environ: Mapping[str, str]
) -> None:
    with Terminal(app_home.command, environ=child_environ, cwd=app_home.project) as terminal:
        terminal.wait_for("1 Memories")
        terminal.wait_until_quiet(1.0)
        # Python itself says 120 where its last words on standard output cannot be said
        assert terminal.vanish() in (128 + signal.SIGHUP, 120)
