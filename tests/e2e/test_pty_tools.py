"""The tool for raw terminal output tells a program's own sequences from what slipped through."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from pty_tools import Terminal, stray_controls, strip_textual

APP = """
import sys
from textual.app import App
from textual.content import Content
from textual.widgets import Static

class Shown(App):
    BINDINGS = [("q", "quit", "leave"), ("n", "notify_me", "more")]

    def compose(self):
        yield Static(Content(sys.argv[1]))

    def action_notify_me(self):
        self.query_one(Static).update(Content("second " + sys.argv[1]))

Shown().run()
"""


@pytest.mark.parametrize(
    "own",
    [
        b"\x1b[?1049h",
        b"\x1b[?25l",
        b"\x1b[1;1H",
        b"\x1b[38;2;1;2;3;48;5;7m",
        b"\x1b[?2026$p",
        b"\x1b[>1u",
        b"\x1b[<u",
    ],
)
def test_textuals_own_sequences_are_taken_out(own: bytes) -> None:
    assert strip_textual(b"a" + own + b"b") == b"ab"
    assert stray_controls(b"a" + own + b"b\r\n") == []


@pytest.mark.parametrize(
    "foreign",
    [
        b"\x1b]52;c;eA==\x07",
        b"\x1b[2J",
        b"\x1bPtmux;",
        b"\x1b]0;t",
        b"\x07",
        b"\x08",
        b"\x00",
        b"\x7f",
        b"\xc2\x9b",
    ],
)
def test_anything_else_is_reported(foreign: bytes) -> None:
    assert stray_controls(b"\x1b[1;1Ha" + foreign + b"b")


def test_a_clean_textual_program_leaves_nothing_behind(
    tmp_path: Path, child_environ: Mapping[str, str]
) -> None:
    command = [sys.executable, "-c", APP, "hello there"]
    with Terminal(command, environ=child_environ, cwd=tmp_path, columns=60, rows=10) as terminal:
        seen = terminal.wait_for("hello there")
        terminal.press("n")
        terminal.wait_for("second", after=seen)
        terminal.resize(40, 8)
        terminal.press("q")
        assert terminal.wait_for_end() == 0
    assert stray_controls(terminal.raw) == []


def test_what_a_program_lets_through_is_seen(tmp_path: Path, child_environ: Mapping[str, str]) -> None:
    command = [sys.executable, "-c", APP, "hello\x1b]52;c;eA==\x07there"]
    with Terminal(command, environ=child_environ, cwd=tmp_path) as terminal:
        terminal.wait_for("there")
        terminal.press("q")
        terminal.wait_for_end()
    assert any(b"]52;c" in found for found in stray_controls(terminal.raw))


def test_the_end_of_a_program_is_seen(tmp_path: Path, child_environ: Mapping[str, str]) -> None:
    command = [sys.executable, "-c", "import os; print(os.get_terminal_size()); raise SystemExit(3)"]
    with Terminal(command, environ=child_environ, cwd=tmp_path, columns=33, rows=7) as terminal:
        assert terminal.wait_for_end() == 3
    assert b"columns=33, lines=7" in terminal.raw
