"""What is imported before the first frame is out: Textual, what paints the frame, and little else."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from pty_tools import Terminal

from memtui.demo import build_demo

LATER = (
    *("yaml", "rapidfuzz", "watchdog", "difflib", "subprocess", "tempfile", "hashlib"),
    *("memtui.core.workspace", "memtui.core.layouts", "memtui.core.checks", "memtui.core.locate"),
    *("memtui.core.operations", "memtui.core.writing", "memtui.core.history", "memtui.core.text"),
    *("memtui.core.safety", "memtui.core.fs", "memtui.core.watch", "memtui.core.sessions"),
    *(
        "memtui.ui.view",
        "memtui.ui.filtering",
        "memtui.ui.offers",
        "memtui.ui.why_not",
        "memtui.ui.sheets",
        "memtui.ui.editor",
    ),
    *("memtui.cli.call", "memtui.cli.verbs", "memtui.demo"),
)
"""What only work or a key needs, with everything below it."""

EXTRA_LIMIT = 15
"""Modules, next to memtui's own, that a bare Textual app does not import (argparse, queue, …)."""

BARE = """
import sys
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.widgets import Static
with open(sys.argv[1], "w") as report:
    report.write("\\n".join(sys.modules))
"""

WATCHED = """
import sys
from textual.drivers.linux_driver import LinuxDriver

report_path = sys.argv.pop(1)
write = LinuxDriver.write

def write_and_note(driver, data):
    if "1 Memories" in data and LinuxDriver.write is not write:
        LinuxDriver.write = write
        with open(report_path, "w") as report:
            report.write("\\n".join(sys.modules))
    write(driver, data)

LinuxDriver.write = write_and_note
from memtui.__main__ import main
sys.exit(main())
"""


@pytest.fixture
def imported(tmp_path: Path, child_environ: Mapping[str, str]) -> tuple[set[str], set[str]]:
    """The modules that are there at memtui's first frame, and those of a bare app."""
    demo = build_demo(tmp_path / "demo")
    reports = tmp_path / "memtui.txt", tmp_path / "bare.txt"
    command = [sys.executable, "-c", WATCHED, str(reports[0]), "--home", str(demo.home)]
    with Terminal(command, environ=child_environ, cwd=demo.project) as terminal:
        terminal.wait_for("user-role")
        terminal.press("q")
        assert terminal.wait_for_end() == 0
    with Terminal(
        [sys.executable, "-c", BARE, str(reports[1])], environ=child_environ, cwd=demo.project
    ) as terminal:
        assert terminal.wait_for_end() == 0
    memtui, bare = (set(report.read_text().split()) for report in reports)
    return memtui, bare


def test_the_first_frame_waits_for_no_import_that_it_does_not_show(imported: tuple[set[str], set[str]]) -> None:
    memtui, bare = imported
    assert "memtui.ui.app" in memtui
    early = [
        name for name in memtui - bare if any(name == later or name.startswith(f"{later}.") for later in LATER)
    ]
    assert early == []


def test_little_more_is_imported_than_for_a_bare_app(imported: tuple[set[str], set[str]]) -> None:
    memtui, bare = imported
    extra = sorted(name for name in memtui - bare if name.split(".")[0] != "memtui")
    assert len(extra) <= EXTRA_LIMIT, extra
