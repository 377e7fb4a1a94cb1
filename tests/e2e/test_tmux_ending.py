"""The terminal after memtui: ended by a signal, by its own mistake, paused, or gone itself. In a real tmux."""

from __future__ import annotations

import os
import re
import signal
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from app_home import AppHome
from tmux_pane import PROMPT, Pane, needs_tmux

pytestmark = needs_tmux

OpenPane = Callable[..., Pane]

SECRET = "a memory's own words \x1b]0;owned\x07"

BREAKS = f"""
import sys
from memtui.ui.navigation import Navigation

words = {SECRET!r}

def broken(navigation):
    held = words
    raise ValueError(held)

Navigation.zoom = broken
from memtui.__main__ import main
sys.exit(main())
"""
"""memtui with a mistake behind `z`."""


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_u02_a_signal_restores_the_terminal(open_pane: OpenPane, ending: signal.Signals) -> None:
    pane = open_pane()
    assert pane.is_taken
    os.kill(pane.child(), ending)
    pane.wait_for_shell()
    pane.run("echo status $?")
    pane.wait_for(f"^status {128 + ending}")


def test_u02_a_signal_before_the_first_frame_restores_the_terminal(
    open_pane: OpenPane, app_home: AppHome
) -> None:
    pane = open_pane(starts=False)
    pane.run_memtui(app_home)
    pane.wait(lambda: pane.is_taken, "memtui does not take the terminal")
    os.kill(pane.child(), signal.SIGTERM)
    pane.wait_for_shell()
    pane.run("echo status $?")
    pane.wait_for(f"^status {128 + signal.SIGTERM}")


def test_u02_a_mistake_restores_the_terminal_and_says_one_safe_line(
    open_pane: OpenPane, app_home: AppHome, tmp_path: Path
) -> None:
    script = tmp_path / "breaks.py"
    script.write_text(BREAKS)
    pane = open_pane(columns=200, starts=False)
    pane.run_memtui(app_home, script=script)
    pane.wait_for("Alpha", "Beta", "all keys")
    pane.keys("z")
    pane.wait_for_shell()
    said = [line for line in pane.text.splitlines() if line.startswith("memtui:")]
    assert len(said) == 1
    assert "ValueError at breaks.py" in said[0] and "nothing is half-written" in said[0]
    assert "own words" not in pane.text
    pane.run("echo status $?")
    pane.wait_for("^status 2")
    log = app_home.home / ".local" / "state" / "memtui" / "crash.log"
    assert "~/.local/state/memtui/crash.log" in said[0]
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    kept = log.read_bytes()
    assert b"in broken" in kept and b"\x1b" not in kept and b"\x07" not in kept


def test_u02_memtui_ends_when_its_terminal_is_gone(open_pane: OpenPane) -> None:
    pane = open_pane()
    child = pane.child()
    pane.close()
    pane.wait(
        lambda: not Path(f"/proc/{child}").exists() if Path("/proc").exists() else _is_gone(child), "lives on"
    )


def _is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def test_u04_a_pause_gives_the_shell_back_and_fg_paints_what_changed_meanwhile(
    open_pane: OpenPane, app_home: AppHome
) -> None:
    pane = open_pane()
    pane.keys("j")
    pane.wait_for("▌.*Beta")
    before = pane.text
    os.kill(pane.child(), signal.SIGTSTP)
    pane.wait_for_shell()
    pane.run("ls -d .pi; echo listed")
    pane.wait_for("^listed", re.escape(".pi"))
    (app_home.store / "beta.md").write_text((app_home.store / "beta.md").read_text() + "\nWritten meanwhile.\n")
    index = app_home.store / "MEMORY.md"
    index.write_text(index.read_text().replace("[Delta]", "[Renamed meanwhile]"))
    pane.run("fg")
    pane.wait_for("Renamed meanwhile", "Written meanwhile", "▌.*Beta", "all keys")
    assert PROMPT not in pane.text and "listed" not in pane.text
    assert len(pane.text.splitlines()) == len(before.splitlines())
    pane.keys("k")
    pane.wait_for("▌.*Alpha")
    pane.keys("q")
    pane.wait_for_shell()
