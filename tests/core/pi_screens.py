"""Screens of the real pi, from `pi_screens.txt`."""

from __future__ import annotations

import re
from pathlib import Path

from memtui.core.agents.editor_screen import Look, State

FILE = Path(__file__).with_name("pi_screens.txt")

_HEAD = re.compile(r"=== (.*) \| (.*) \| (\d+),(\d+) (\d+)x(\d+) (\S*) mode=(\d) dead=(\d) alt=(\d)\n")


def screens() -> dict[str, tuple[State, Look]]:
    """What each screen is, and the screen, by its name."""
    text = FILE.read_text()
    heads = list(_HEAD.finditer(text))
    found = {}
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        rows = text[head.end() : following.start() if following else len(text)].split("\n")[:-1]
        x, y, width, height = (int(head[n]) for n in range(3, 7))
        rows += [""] * (height - len(rows))
        look = Look(tuple(rows), x, y, width, height, head[7], head[8] == "1", dead=head[9] == "1")
        found[head[1]] = (State[head[2]], look)
    return found
