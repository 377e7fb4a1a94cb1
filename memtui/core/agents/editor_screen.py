"""What pi's editor holds, told from one look at its pane (pi-and-zcode sheet A3). Pure.

pi draws its editor as rows between two rules of `─`, keeps the terminal's cursor where its own is, and draws
a dialog, a list or a question in its place.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from memtui.core.agents.base import PI

MOST_PADDING = 3
"""pi's setting `editorPaddingX` goes from 0 to 3."""

RULE = "─"


class State(enum.Enum):
    """What a pane was seen to be. Only EMPTY may be typed into."""

    EMPTY = "empty"
    """pi's editor, proven empty."""
    TEXT = "text"
    """pi's editor, with something in it: a draft, or what was put there by memtui."""
    OTHER = "other"
    """pi without its editor: a list, a dialog, a question, or still starting."""
    MODE = "mode"
    """tmux takes the keys itself (copy mode)."""
    NOT_PI = "not_pi"
    """Another program is in front."""
    GONE = "gone"
    """There is no such pane, or what ran in it has ended."""


@dataclass(frozen=True, slots=True)
class Look:
    """A pane as tmux gave it in one call: rows of text from the top, the cursor in cells from the top left."""

    rows: tuple[str, ...]
    cursor_x: int
    cursor_y: int
    width: int
    height: int
    command: str
    in_mode: bool = False
    dead: bool = False
    alternate_on: bool = False


@dataclass(frozen=True, slots=True)
class Editor:
    """pi's editor on a screen: its state, the rows of text in it without the blanks at their ends, the column
    where the cursor stands, and the row of its lower rule (-1 = there is no editor)."""

    state: State
    rows: tuple[str, ...] = ()
    cursor_x: int = 0
    lower_rule: int = -1

    def is_exactly(self, text: str, start: int) -> bool:
        """Whether a line of text that begins in column `start` is all that it holds."""
        return self.state is State.TEXT and self.rows == (" " * start + text,)


def read_editor(look: Look) -> Editor:
    """The editor of a pane that was looked at."""
    if look.dead:
        return Editor(State.GONE)
    if look.command != PI:
        return Editor(State.NOT_PI)
    if look.in_mode:
        return Editor(State.MODE)
    top, bottom = _rule(look, -1), _rule(look, 1)
    if top is None or bottom is None:
        return Editor(State.OTHER)
    rows = tuple(row.rstrip() for row in look.rows[top + 1 : bottom])
    is_empty = rows == ("",) and look.cursor_x <= MOST_PADDING
    return Editor(State.EMPTY if is_empty else State.TEXT, rows, look.cursor_x, bottom)


def is_rule(row: str, width: int) -> bool:
    """Whether a row is one of the editor's rules: all of the width, perhaps with a label in it (how many more
    lines there are, that pi is working)."""
    return len(row) >= width and row.startswith(RULE) and row.endswith(RULE)


def _rule(look: Look, step: int) -> int | None:
    rows: Sequence[str] = look.rows
    at = look.cursor_y
    while 0 <= at < len(rows):
        if is_rule(rows[at], look.width):
            return at if at != look.cursor_y else None
        at += step
    return None
