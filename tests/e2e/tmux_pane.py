"""A real tmux for tests: memtui in a shell of its own, keys, and what is on the screen."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from app_home import MEMTUI, AppHome

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

LIMIT_S = 30.0
PROMPT = "$ back in the shell"
LEFT_ALONE = "0 0 1"
"""What `Pane.modes` gives for a terminal that no program has changed."""


class Pane:
    """One detached tmux with a server of its own, and a plain shell in it. Waiting has a limit that only a
    broken program reaches."""

    def __init__(
        self, home: AppHome, environ: Mapping[str, str], columns: int, rows: int, *, name: str = "t"
    ) -> None:
        # the path of a socket may have about a hundred bytes; programs in the pane find a relative one only
        # from here
        whole = str(home.home.parent / name)
        self.is_found_from_inside = len(whole) < 100
        self.socket = whole if self.is_found_from_inside else name
        self._is_closed = False
        self._cwd = home.home.parent
        self._environ = {**environ, "PS1": f"{PROMPT} ", "ENV": "", "SHELL": "/bin/sh"}
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(home.project), "/bin/sh")
        self.tmux("set-option", "-g", "status", "off")
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))
        # what is typed before would stand above the prompt, which then is no sign of a program's end
        self.wait_for_prompt()

    def tmux(self, *words: str) -> str:
        """One tmux command; what it prints."""
        command = ["tmux", "-f", "/dev/null", "-S", self.socket, *words]
        done = subprocess.run(
            command, cwd=self._cwd, env=self._environ, capture_output=True, text=True, check=True
        )
        return done.stdout

    def close(self) -> None:
        """End the server and all in it."""
        if not self._is_closed:
            self._is_closed = True
            self.tmux("kill-server")

    @property
    def text(self) -> str:
        """What is on the screen."""
        return self.tmux("capture-pane", "-p")

    @property
    def is_taken(self) -> bool:
        """Whether a program has the whole screen."""
        return self.modes.startswith("1")

    @property
    def modes(self) -> str:
        """alternate_on, mouse_any_flag and cursor_flag."""
        return self.tmux("display-message", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}").strip()

    @property
    def _last_text(self) -> str:
        return "(the terminal is gone)" if self._is_closed else self.text

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Until something holds."""
        deadline = time.monotonic() + LIMIT_S
        while not condition():
            assert time.monotonic() < deadline, f"{what} after {LIMIT_S} s; the screen:\n{self._last_text}"
            time.sleep(0.02)

    def wait_for(self, *words: str) -> None:
        """Until all of the words (regular expressions) are on one line or another of the screen."""
        self.wait(lambda: all(re.search(word, self.text, re.MULTILINE) for word in words), f"no {words}")

    def resize(self, columns: int, rows: int) -> None:
        """Change the size, and wait until that has arrived."""
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))
        self.wait(lambda: len(self.text.splitlines()) == rows, "not resized")

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

    def run(self, line: str) -> None:
        """Give the shell a line."""
        self.type(line)
        self.keys("Enter")

    def run_memtui(self, home: AppHome, *, script: Path | None = None) -> None:
        """Start memtui in the shell, or a script in its place."""
        program = MEMTUI if script is None else [sys.executable, str(script)]
        self.run(shlex.join([*program, "--home", str(home.home)]))

    def start(self, home: AppHome) -> None:
        """Start memtui in the shell, and wait for the list."""
        self.run_memtui(home)
        self.wait_for("Alpha", "Beta", "all keys")

    def wait_for_shell(self) -> None:
        """Until the shell has the terminal again, as it was."""
        self.wait(lambda: self.modes == LEFT_ALONE, "the terminal is not restored")
        self.wait_for_prompt()

    def wait_for_prompt(self) -> None:
        """Until the shell waits for a line."""
        self.wait(lambda: self.text.rstrip().endswith(PROMPT), "the shell is not back")

    def child(self) -> int:
        """The process id of memtui: the leader of what has the terminal in its foreground.

        What memtui starts for a moment (tmux, an editor) belongs to the same group and leads none.
        """
        shell = int(self.tmux("display-message", "-p", "#{pane_pid}"))
        command = ["ps", "-o", "tpgid=", "-p", str(shell)]
        leader = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        assert leader != shell, "nothing runs in the shell"
        return leader
