"""The one way to tmux: a program with arguments, never a shell, and how often it was called."""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Callable, Mapping, Sequence

from memtui.core.agents.base import Pane
from memtui.i18n import _
from memtui.late import dataclasses

TIMEOUT_S = 5.0

_FIELDS = (
    *("#{pane_id}", "#{window_id}", "#{session_name}:#{window_index}.#{pane_index}", "#{pane_pid}"),
    *("#{pane_current_command}", "#{pane_title}", "#{pane_current_path}", "#{pane_tty}", "#{pane_in_mode}"),
    *("#{pane_dead}", "#{session_attached}", "#{window_active}", "#{window_zoomed_flag}", "#{pane_active}"),
)


class TmuxError(Exception):
    """tmux did not do it; the text says why and is as tmux or the system gave it."""


RunWithInput = Callable[[Sequence[str], Mapping[str, str], bytes], bytes]
"""Runs a program with an environment and bytes for its standard input; gives the bytes that it printed. Raises
TmuxError when it failed."""


def run_with_input(words: Sequence[str], environ: Mapping[str, str], given: bytes) -> bytes:
    """Run a program to its end with something on its standard input. Raises TmuxError."""
    try:
        ended = subprocess.run(
            list(words), env=dict(environ), input=given, capture_output=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise TmuxError(_("it does not answer")) from None
    except (OSError, ValueError) as error:
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

    def panes(self) -> tuple[Pane, ...]:
        """Every pane of the server, each once, as tmux lists them. Raises TmuxError."""
        # a title or a path can hold anything, but not what was made up just now
        mark = f"<{secrets.token_hex(8)}>"
        form = mark + mark.join(_FIELDS)
        return read_panes(self.call("list-panes", "-a", "-F", form), mark, self.own_pane)


def read_panes(printed: bytes, mark: str, own: str) -> tuple[Pane, ...]:
    """The panes of a listing in which `mark` stands before every field; `own` is the id of memtui's pane.

    A pane whose window is in several sessions is listed in each: the one that somebody looks at counts. Raises
    TmuxError for what is no such listing.
    """
    texts = [field.decode("utf-8", "surrogateescape") for field in printed.split(mark.encode())[1:]]
    rows = [texts[at : at + len(_FIELDS)] for at in range(0, len(texts), len(_FIELDS))]
    try:
        listed = [_pane(*row) for row in rows]
    except (TypeError, ValueError):
        raise TmuxError(_("its list of panes cannot be read")) from None
    panes: dict[str, Pane] = {}
    for pane in listed:
        if pane.id not in panes or (pane.is_seen and not panes[pane.id].is_seen):
            panes[pane.id] = pane
    window = panes[own].window if own in panes else ""
    return tuple(
        dataclasses.replace(pane, is_shown=bool(window) and pane.window == window) for pane in panes.values()
    )


def _pane(
    pane: str,
    window: str,
    place: str,
    pid: str,
    command: str,
    title: str,
    cwd: str,
    tty: str,
    in_mode: str,
    dead: str,
    attached: str,
    current: str,
    zoomed: str,
    active: str,
) -> Pane:
    return Pane(
        *(pane, window, place, int(pid or "0"), os.path.basename(command), title, cwd),
        # the number of modes, one over another
        in_mode=in_mode not in ("", "0"),
        dead=dead == "1",
        tty=tty,
        is_seen=attached not in ("", "0") and current == "1" and (zoomed != "1" or active.strip() == "1"),
    )
