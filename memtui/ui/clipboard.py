"""Putting a text where it can be pasted, and knowing where it went."""

from __future__ import annotations

import shutil
import subprocess

from memtui.core.env import Env
from memtui.i18n import _
from memtui.late.dataclasses import dataclass
from memtui.ui import wording

TERMINAL_BYTES = 70_000
"""Terminals drop longer clipboard sequences (OSC 52), xterm from about 74,000 bytes on."""

TMUX_BYTES = 10_000_000

TMUX_TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True)
class Copied:
    """Where a text went, as the start of a sentence (`copied to the tmux buffer`); `is_there` False: nowhere.

    `for_terminal` is what is still to be sent to the terminal itself, by whoever owns it.
    """

    where: str
    is_there: bool = True
    for_terminal: str | None = None


def copy(env: Env, text: str) -> Copied:
    """Give a text to tmux where memtui runs in it, else prepare it for the terminal. Runs off the UI thread."""
    data = text.encode("utf-8", "surrogateescape")
    problem = ""
    if env.get("TMUX"):
        copied = _to_tmux(env, data)
        if copied.is_there:
            return copied
        problem = copied.where
    if len(data) > TERMINAL_BYTES:
        too_long = _("too long for the terminal's clipboard ({size} of at most {most})").format(
            size=wording.size(len(data)), most=wording.size(TERMINAL_BYTES)
        )
        return Copied(" · ".join(filter(None, (too_long, problem))), is_there=False)
    sent = _("sent to the terminal, which may not take it")
    return Copied(" · ".join(filter(None, (sent, problem))), for_terminal=data.decode("utf-8", "replace"))


def _to_tmux(env: Env, data: bytes) -> Copied:
    program = shutil.which("tmux", path=env.get("PATH") or None)
    if program is None:
        return Copied(_("tmux cannot be found"), is_there=False)
    if len(data) > TMUX_BYTES:
        return Copied(_("too long for tmux"), is_there=False)
    if len(data) <= TERMINAL_BYTES and not _load(env, [program, "load-buffer", "-w", "-"], data):
        return Copied(_("copied to the tmux buffer, sent to the terminal"))
    # a tmux before 3.2 knows no -w, and a terminal would drop what is too long
    problem = _load(env, [program, "load-buffer", "-"], data)
    if not problem:
        return Copied(_("copied to the tmux buffer only"))
    return Copied(_("tmux did not take it: {problem}").format(problem=problem), is_there=False)


def _load(env: Env, words: list[str], data: bytes) -> str:
    """What went wrong, '' when nothing did."""
    from memtui.core.safety import display

    try:
        ended = subprocess.run(
            words, input=data, env=dict(env.environ), capture_output=True, timeout=TMUX_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return display.line(str(error))
    if ended.returncode == 0:
        return ""
    return display.line(ended.stderr.decode("utf-8", "replace").strip()) or str(ended.returncode)
