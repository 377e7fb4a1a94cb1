"""The whole program in a real tmux: sizes, keys, the editor, leaving and being ended."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from app_home import AppHome, fact, make_home

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

SIZES = [(120, 36), (80, 24), (45, 20), (40, 10)]
LIMIT_S = 60.0
NAMES = ("alpha", "beta", "gamma", "delta")
PROMPT = "$ back in the shell"
LEFT_ALONE = "0 0 1"
"""What `Pane.modes` gives for a terminal that no program has changed."""


class Pane:
    """One detached tmux with a server of its own, and a plain shell in it. Waiting has a limit that only a
    broken program reaches."""

    def __init__(self, home: AppHome, environ: Mapping[str, str], columns: int, rows: int) -> None:
        # the path of a socket may have about a hundred bytes
        self._socket = "t"
        self._cwd = home.home.parent
        self._environ = {**environ, "PS1": f"{PROMPT} ", "ENV": "", "SHELL": "/bin/sh"}
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(home.project), "/bin/sh")
        self.tmux("set-option", "-g", "status", "off")
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def tmux(self, *words: str) -> str:
        """One tmux command; what it prints."""
        command = ["tmux", "-f", "/dev/null", "-S", self._socket, *words]
        done = subprocess.run(
            command, cwd=self._cwd, env=self._environ, capture_output=True, text=True, check=True
        )
        return done.stdout

    def close(self) -> None:
        """End the server and all in it."""
        self.tmux("kill-server")

    @property
    def text(self) -> str:
        """What is on the screen."""
        return self.tmux("capture-pane", "-p")

    @property
    def modes(self) -> str:
        """alternate_on, mouse_any_flag and cursor_flag."""
        return self.tmux("display-message", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}").strip()

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Until something holds."""
        deadline = time.monotonic() + LIMIT_S
        while not condition():
            assert time.monotonic() < deadline, f"{what} after {LIMIT_S} s; the screen:\n{self.text}"
            time.sleep(0.02)

    def wait_for(self, *words: str) -> None:
        """Until all of the words (regular expressions) are on one line or another of the screen."""
        self.wait(lambda: all(re.search(word, self.text, re.MULTILINE) for word in words), f"no {words}")

    def keys(self, *names: str) -> None:
        """Press keys, by tmux's names."""
        self.tmux("send-keys", *names)

    def type(self, text: str) -> None:
        """Send characters in one burst, as an unbracketed paste does."""
        self.tmux("send-keys", "-l", text)

    def answer(self, key: str, question: str) -> None:
        """Press a key until the question is gone: one that comes while it is painted does not count."""
        while question in self.text:
            self.keys(key)
            time.sleep(0.1)

    def start(self, home: AppHome) -> None:
        """Start memtui in the shell, and wait for the list."""
        self.type(shlex.join(home.command))
        self.keys("Enter")
        self.wait_for("Alpha", "Beta", "all keys")

    def wait_for_shell(self) -> None:
        """Until the shell has the terminal again, as it was."""
        self.wait(lambda: self.modes == LEFT_ALONE, "the terminal is not restored")
        self.wait(lambda: self.text.rstrip().endswith(PROMPT), "the shell is not back")

    def child(self) -> int:
        """The process id of memtui: the last of the chain that begins with the pane's shell."""
        listed = subprocess.run(["ps", "-A", "-o", "ppid=,pid="], capture_output=True, text=True, check=True)
        children = dict(map(int, row.split()) for row in listed.stdout.splitlines())
        last = int(self.tmux("display-message", "-p", "#{pane_pid}"))
        while last in children:
            last = children[last]
        return last


@pytest.fixture
def app_home(tmp_path: Path) -> AppHome:
    """Four memories, each with its line."""
    index = "# Memory\n\n" + "".join(f"- [{name.title()}]({name}.md) — about {name}\n" for name in NAMES)
    return make_home(tmp_path, index, {f"{name}.md": fact(name, f"Text of {name}.") for name in NAMES})


@pytest.fixture
def open_pane(app_home: AppHome, child_environ: Mapping[str, str]) -> Iterator[Callable[..., Pane]]:
    """Opens panes with memtui running in them."""
    opened: list[Pane] = []

    def open_one(columns: int = 80, rows: int = 24, **variables: str) -> Pane:
        pane = Pane(app_home, {**child_environ, **variables}, columns, rows)
        opened.append(pane)
        pane.start(app_home)
        return pane

    yield open_one
    for pane in opened:
        pane.close()


def tree(home: AppHome) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in home.store.iterdir() if not path.name.startswith(".")}


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_first_screen_a_deletion_and_the_way_back(
    open_pane: Callable[..., Pane], app_home: AppHome, columns: int, rows: int
) -> None:
    before = tree(app_home)
    pane = open_pane(columns, rows)
    screen = pane.text.splitlines()
    assert len(screen) == rows and all(len(line) <= columns for line in screen)
    assert all(name.title() in pane.text for name in NAMES)
    pane.keys("d")
    pane.wait_for("Delete alpha.md")
    pane.wait_for("yes")
    pane.answer("y", "Delete")
    pane.wait(lambda: "alpha.md" not in tree(app_home), "alpha.md is still there")
    pane.wait(lambda: "Alpha" not in pane.text.split("Beta")[0], "Alpha is still shown")
    assert b"Alpha" not in tree(app_home)["MEMORY.md"]
    pane.keys("u")
    pane.wait(lambda: tree(app_home) == before, "nothing came back")
    pane.wait_for("Alpha")
    pane.keys("q")
    pane.wait_for_shell()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_restores_the_terminal(
    open_pane: Callable[..., Pane], app_home: AppHome, ending: signal.Signals
) -> None:
    pane = open_pane()
    assert pane.modes != LEFT_ALONE
    os.kill(pane.child(), ending)
    pane.wait(lambda: pane.modes == LEFT_ALONE, f"{ending.name} leaves the terminal as it was")
    pane.wait_for(re.escape(PROMPT))
    pane.type("echo status $?")
    pane.keys("Enter")
    pane.wait_for(f"status {128 + ending}")


def test_the_editor_edits_and_gives_the_screen_back(
    open_pane: Callable[..., Pane], app_home: AppHome, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text(f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1], 'a').write('One more line.\\n')\n")
    editor.chmod(0o755)
    before = tree(app_home)
    pane = open_pane(EDITOR=str(editor))
    pane.keys("j", "e")
    edited = before["beta.md"] + b"One more line.\n"
    pane.wait(lambda: tree(app_home)["beta.md"] == edited, "the text is not edited")
    pane.wait_for("One more line.", "all keys")
    pane.keys("u")
    pane.wait(lambda: tree(app_home) == before, "the edit was not taken back")
    pane.keys("q")
    pane.wait_for_shell()


@pytest.mark.parametrize("burst", ["dy", "dyjdyjdy", "jddyy"])
def test_text_pasted_without_brackets_deletes_nothing(
    open_pane: Callable[..., Pane], app_home: AppHome, burst: str
) -> None:
    before = tree(app_home)
    pane = open_pane()
    for _round in range(3):
        pane.type(burst)
        pane.keys("Escape")
        pane.wait(lambda: "Delete" not in pane.text, "a question still stands")
    pane.keys("g")
    pane.keys("q")
    pane.wait_for_shell()
    assert tree(app_home) == before


def test_resizing_keeps_the_memory_under_the_cursor(open_pane: Callable[..., Pane]) -> None:
    pane = open_pane(120, 36)
    pane.keys("j", "j")
    pane.wait_for("▌.*Gamma")
    for columns, rows in [*SIZES[1:], *SIZES[:1]]:
        pane.tmux("resize-window", "-x", str(columns), "-y", str(rows))
        pane.wait(
            lambda rows=rows: len(pane.text.splitlines()) == rows and "all keys" in pane.text, "not painted"
        )
        pane.wait_for("▌.*Gamma")
    pane.keys("q")
    pane.wait_for_shell()


def test_without_a_terminal_there_is_one_line(app_home: AppHome, child_environ: Mapping[str, str]) -> None:
    line = f"{shlex.join(app_home.command)} </dev/null | cat; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], cwd=app_home.project, env=dict(child_environ), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and "terminal" in done.stderr
