"""The person's own editor: which one it is, and running it while the app steps aside."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

from textual.app import App, SuspendNotSupported

from memtui.core.env import Env
from memtui.core.errors import UsageError
from memtui.i18n import _
from memtui.ui.ending import deaf_beside_another

FALLBACKS = ("vi", "nano")

TAKES_LINE = frozenset(
    {"vi", "vim", "nvim", "view", "nano", "emacs", "emacsclient", "micro", "kak", "joe", "mg"}
)
"""Editors that understand `+N` before a file."""


def editor_command(env: Env, configured: str) -> list[str]:
    """The editor as a list of arguments: the configured one, else `$VISUAL`, `$EDITOR`, vi, nano.

    Raises UsageError when there is none, or when the one that is named cannot be found or read.
    """
    named = configured or env.get("VISUAL") or env.get("EDITOR")
    search = env.get("PATH") or None
    if not named.strip():
        found = next((name for name in FALLBACKS if shutil.which(name, path=search)), None)
        if found is None:
            raise UsageError(_("no editor: set $VISUAL or $EDITOR, vi and nano are not installed"))
        return [found]
    try:
        words = shlex.split(named)
    except ValueError as error:
        raise UsageError(
            _("the editor {named!r} cannot be read: {error}").format(named=named, error=error)
        ) from None
    if not words or shutil.which(words[0], path=search) is None:
        raise UsageError(_("the editor {named!r} cannot be found; set $VISUAL or $EDITOR").format(named=named))
    return words


def run_editor(app: App[int], words: list[str], path: Path, line: int = 1) -> str:
    """Run an editor on a file until it ends; gives what went wrong, '' when nothing did.

    Nothing may be raised while the app is suspended: it would never come back.
    """
    at_line = [f"+{line}"] if line > 1 and Path(words[0]).name in TAKES_LINE else []
    problem = ""
    try:
        with deaf_beside_another(), app.suspend():
            try:
                ended = subprocess.run([*words, *at_line, str(path)], check=False)
            except (OSError, ValueError) as error:
                problem = _("the editor could not be started: {error}").format(error=error)
            else:
                if ended.returncode:
                    problem = _("the editor ended with {status}").format(status=ended.returncode)
            _forget_input()
    except SuspendNotSupported:
        problem = _("an editor cannot be opened in this terminal")
    return problem


def _forget_input() -> None:
    """Drop what was typed for the editor and came too late."""
    import contextlib
    import termios

    # without a terminal there is nothing to drop
    with contextlib.suppress(termios.error, OSError):
        termios.tcflush(0, termios.TCIFLUSH)
