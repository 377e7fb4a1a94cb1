"""A program in a window or pane of the tmux that memtui runs in. What tmux is handed is only ever arguments.

The words are those of tmux's own command, without `tmux`: `Tmux.call` takes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from memtui.core.agents.tmux import Tmux
from memtui.late import re

NAME_CHARACTERS = 30

HANDED_ON = ("HOME", "PATH", "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR")
"""Variables that a program in the window gets as memtui has them: those of tmux may be older than the shell."""

GO_THERE = 'cd -- "$1" && shift && exec "$@"'
"""A script that never changes: tmux would expand `#(…)` in a directory given by its own option, and run it."""

PLACE = "#{pane_id} #{session_name}:#{window_index}"
"""What tmux prints of a new window: the id of its pane, and where it is."""

Side = Literal["right", "below"]
"""Where a new pane lies beside another: what tmux calls -h and -v."""

_SIDES: Mapping[str, str] = {"right": "-h", "below": "-v"}
_SIZE = re.compile(r"[1-9][0-9]{0,4}|(?:[1-9]|[1-9][0-9])%")
_PANE_ID = re.compile(r"%[0-9]+")


def window_words(title: str, directory: str, words: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """The command that opens a window called `title` (safe for display) with a program in a directory.

    tmux prints the id of its pane and where the window is (`session:number`), with a blank between.
    """
    program = _program(directory, words, environ, HANDED_ON)
    return ["new-window", "-P", "-F", PLACE, "-n", window_name(title), *program]


def pane_words(
    beside: str,
    side: Side,
    directory: str,
    words: Sequence[str],
    environ: Mapping[str, str],
    *,
    size: str = "",
    handed_on: Iterable[str] = HANDED_ON,
) -> list[str]:
    """The command that opens a pane beside another (an id), with a program in a directory.

    `size` as in `is_size`, '' = half of it. tmux prints the id of the new pane and where it is, with a blank
    between.
    """
    wanted = ["-l", size] if size else []
    place = "#{pane_id} #{session_name}:#{window_index}.#{pane_index}"
    program = _program(directory, words, environ, handed_on)
    return ["split-window", _SIDES[side], *wanted, "-t", beside, "-P", "-F", place, *program]


def is_size(text: str) -> bool:
    """Whether this is a size that tmux takes for a pane: cells, or a percentage under 100."""
    return _SIZE.fullmatch(text) is not None


def window_name(title: str) -> str:
    """A title as the name of a window: short, and without the sign that begins a format of tmux's."""
    return title.replace("#", "")[:NAME_CHARACTERS].strip() or "pi"


def go_to(tmux: Tmux, pane_id: str) -> None:
    """Bring the person's terminal to a pane, in whichever session of the server it is. Raises TmuxError.

    Where no terminal shows the server, the pane is chosen all the same.
    """
    if _PANE_ID.fullmatch(pane_id) is None:
        # it stands in a command that tmux reads
        raise ValueError(pane_id)
    # the first fails when the pane is gone, and then the others are not done
    chosen = ("select-window", "-t", pane_id, ";", "select-pane", "-t", pane_id)
    tmux.call(*chosen, ";", "if-shell", "-F", "#{client_name}", f"switch-client -t {pane_id}")


def said(answer: bytes) -> str:
    """What tmux printed, as text without blanks around it."""
    return answer.decode("utf-8", "replace").strip()


def _program(
    directory: str, words: Sequence[str], environ: Mapping[str, str], handed_on: Iterable[str]
) -> list[str]:
    variables = [f"{name}={environ[name]}" for name in handed_on if environ.get(name)]
    program = ["env", *variables, "sh", "-c", GO_THERE, "memtui", directory, *words]
    return [_kept_whole(word) for word in program]


def _kept_whole(word: str) -> str:
    # a word that ends so would end the command
    return f"{word[:-1]}\\;" if word.endswith(";") else word
