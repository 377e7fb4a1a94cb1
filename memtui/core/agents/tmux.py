"""The one way to tmux: a program with arguments, never a shell, and how often it was called."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence

from memtui.i18n import _

TIMEOUT_S = 5.0


class TmuxError(Exception):
    """tmux did not do it; the text says why and is as tmux or the system gave it."""


RunProgram = Callable[[Sequence[str], Mapping[str, str]], str]
"""Runs a program with an environment and gives what it printed. Raises TmuxError when it failed."""


def run_program(words: Sequence[str], environ: Mapping[str, str]) -> str:
    """Run a program to its end; gives what it printed, without blanks around it. Raises TmuxError."""
    return run_with_input(words, environ, b"").decode("utf-8", "replace").strip()


RunWithInput = Callable[[Sequence[str], Mapping[str, str], bytes], bytes]
"""As RunProgram, with bytes for its standard input, and giving the very bytes that it printed."""


def run_with_input(words: Sequence[str], environ: Mapping[str, str], given: bytes) -> bytes:
    """Run a program to its end with something on its standard input. Raises TmuxError."""
    try:
        ended = subprocess.run(
            list(words), env=dict(environ), input=given, capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise TmuxError(str(error)) from error
    if ended.returncode:
        said = ended.stderr.decode("utf-8", "replace").strip()
        raise TmuxError(said or _("it ended with {status}").format(status=ended.returncode))
    return ended.stdout


class Tmux:
    """The tmux server that memtui runs in (`$TMUX`); every method is one call and raises TmuxError.

    `calls` counts them. Belongs to no thread; a call takes some milliseconds.
    """

    def __init__(self, environ: Mapping[str, str], run: RunWithInput = run_with_input) -> None:
        self._environ = environ
        self._run = run
        self.calls = 0

    @property
    def is_here(self) -> bool:
        """Whether memtui runs in tmux at all."""
        return bool(self._environ.get("TMUX"))

    @property
    def own_pane(self) -> str:
        """The id of the pane that memtui stands in (`$TMUX_PANE`), '' outside of tmux."""
        return self._environ.get("TMUX_PANE", "") if self.is_here else ""

    def call(self, *words: str, given: bytes = b"") -> bytes:
        """One call of tmux with these arguments; a word `;` begins a further command in the same call."""
        self.calls += 1
        # without -u tmux turns what is not ASCII into underscores where the locale says so
        return self._run(("tmux", "-u", *words), self._environ, given)
