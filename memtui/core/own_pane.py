"""The door to memtui's own pane in tmux: opened beside another, and known to the next of the same window.

A pane with a memtui in it has the option `@memtui`: the id of its process (0 = the one that tmux started the
pane with) and a key that says what it shows. The process must still be there and belong to the pane, so that
nothing is left behind by one that was killed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from memtui.core.agents.tmux import Tmux, TmuxError
from memtui.core.agents.windows import Side, go_to, is_size, pane_words, said
from memtui.core.env import Env
from memtui.late import re

__all__ = ["HANDED_ON", "Side", "Tmux", "TmuxError", "directory_of", "first_beside", "go_to", "is_size"]
__all__ += ["key_of", "mark", "open_beside", "unmark"]

OPTION = "@memtui"

HANDED_ON = (
    *("HOME", "PATH", "PYTHONPATH", "TZ", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES"),
    *("VISUAL", "EDITOR", "NO_COLOR", "COLORTERM", "COLORFGBG"),
    *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"),
    *(
        "PI_CODING_AGENT_DIR",
        "PI_CODING_AGENT_SESSION_DIR",
        "PI_AGENT_HOME",
        "PI_SESSION_FILE",
        "PI_SESSION_ID",
    ),
    *("CLAUDE_CONFIG_DIR", "CLAUDE_CODE_DISABLE_AUTO_MEMORY", "CLAUDE_CODE_PROJECT_DIR_NAME"),
    *("ZCODE_DATA_BASE_DIR", "ZCODE_DESKTOP_HOME_DIR", "ZCODE_SESSION_DB", "ZCODE_SESSION_DB_PATH"),
    *("ZCODE_STORAGE_DIR", "ZCODE_WORKSPACE_IDENTITY", "HERMES_HOME"),
)
"""The variables that decide what memtui shows and how: those of tmux may be older than the shell. By name,
since others of the same agents are keys and passwords."""

_ROW = re.compile(r"(%[0-9]+) ([0-9]+) ([01]) ([0-9]{1,9}) ([0-9a-f]{16})")


def key_of(env: Env, owner: str, path: Path | None) -> str:
    """What tells memtuis that show the same from others: the home, the directory, the path and the owner."""
    parts = (env.home, env.state_dir, env.cwd, path or "", owner)
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def first_beside(tmux: Tmux, key: str) -> str:
    """The pane of this window, other than our own, in which a memtui shows the same; '' without one.

    One call of tmux. Raises TmuxError.
    """
    form = f"#{{pane_id}} #{{pane_pid}} #{{pane_dead}} #{{{OPTION}}}"
    answer = tmux.call("list-panes", "-t", tmux.own_pane, "-F", form)
    for row in said(answer).splitlines():
        found = _ROW.fullmatch(row)
        if found is None:
            continue
        pane, started, dead, process, shows = found.groups()
        if pane != tmux.own_pane and dead == "0" and shows == key and _is_in(int(process), int(started)):
            return pane
    return ""


def mark(tmux: Tmux, key: str, process: int) -> None:
    """Note on our own pane that this process shows it. Raises TmuxError, as a tmux before 3.0 does."""
    tmux.call("set-option", "-p", "-t", tmux.own_pane, OPTION, f"{process} {key}")


def unmark(tmux: Tmux) -> None:
    """Take the note away: what comes next in this pane is no memtui. Raises TmuxError."""
    tmux.call("set-option", "-p", "-u", "-t", tmux.own_pane, OPTION)


def open_beside(
    tmux: Tmux, env: Env, program: Sequence[str], key: str, side: Side, size: str
) -> tuple[str, str]:
    """Open a pane beside our own with a memtui in it; gives its id and where it is (as tmux gave it).

    It is noted at once: a second call does not wait for the first memtui to come up. Raises TmuxError.
    """
    words = pane_words(
        tmux.own_pane, side, directory_of(env), program, env.environ, size=size, handed_on=HANDED_ON
    )
    # the new pane is the one that the next command is about
    answer = tmux.call(*words, ";", "set-option", "-p", OPTION, f"0 {key}")
    pane, _blank, place = said(answer).partition(" ")
    return pane, place


def directory_of(env: Env) -> str:
    """The directory to start the other memtui in, by the person's name for it; the home where it is gone."""
    directory = env.logical_cwd or env.cwd
    return str(directory if directory.is_dir() else env.home)


def _is_in(process: int, started: int) -> bool:
    """Whether a process runs in the pane that was started with another: tmux gives each pane a session."""
    if process in (0, started):
        return True
    try:
        return os.getsid(process) == started
    except OSError:
        return False
