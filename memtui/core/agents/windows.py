"""A window beside memtui, in the tmux that it runs in. What is handed to tmux is only ever arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NAME_CHARACTERS = 30

HANDED_ON = ("HOME", "PATH", "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR")
"""Variables that a program in the window gets as memtui has them: those of tmux may be older than the shell."""

GO_THERE = 'cd -- "$1" && shift && exec "$@"'
"""A script that never changes: tmux would expand `#(…)` in a directory given by its own option, and run it."""

PLACE = "#{session_name}:#{window_index}"


def window_words(title: str, directory: str, words: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """The command that opens a window called `title` (safe for display) with a program in a directory.

    tmux prints where the window is: `session:number`.
    """
    variables = [f"{name}={environ[name]}" for name in HANDED_ON if environ.get(name)]
    program = ["env", *variables, "sh", "-c", GO_THERE, "memtui", directory, *words]
    return ["tmux", "new-window", "-P", "-F", PLACE, "-n", window_name(title), *map(_kept_whole, program)]


def window_name(title: str) -> str:
    """A title as the name of a window: short, and without the sign that begins a format of tmux's."""
    return title.replace("#", "")[:NAME_CHARACTERS].strip() or "pi"


def _kept_whole(word: str) -> str:
    # a word that ends so would end the command
    return f"{word[:-1]}\\;" if word.endswith(";") else word
