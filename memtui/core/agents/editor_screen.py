"""What pi's editor holds, told from one look at its pane (pi-and-zcode sheet A3). Pure but for `look_at`.

pi draws its editor as rows between two rules of `─`, keeps the terminal's cursor where its own is, and draws
lists, dialogs and questions in its place. Measured with pi 1.6.0 in both of its `tuiMode`s: the upper rule
carries what pi is doing (`── ⠏ Working ───`) and how much is scrolled away (`─ ↑ 6 more ─`); suggestions stand
below the lower rule; a dialog with an editor of its own has a further rule below that.
"""

from __future__ import annotations

import enum

from memtui.core.agents.base import PI
from memtui.core.agents.tmux import Tmux, TmuxError
from memtui.late import re
from memtui.late.dataclasses import dataclass

MOST_PADDING = 3
"""pi's setting `editorPaddingX` goes from 0 to 3."""

RULE = "─"
PROMPT = "> "
"""What lists and questions that are typed into have before the cursor."""

_PROMPT = re.compile("> ?")
_SCROLLED = re.compile(r"[↑↓] \d+ more")
_FIELDS = (
    *("cursor_x", "cursor_y", "pane_width", "pane_height"),
    *("pane_in_mode", "pane_input_off", "pane_dead", "alternate_on", "pane_pid", "pane_current_command"),
)
_FORMAT = "\t".join(f"#{{{name}}}" for name in _FIELDS)


class State(enum.Enum):
    """What a pane was seen to be. Only EMPTY may be typed into."""

    EMPTY = "empty"
    """pi's editor, proven empty."""
    TEXT = "text"
    """pi's editor with something in it: a draft, or our own line."""
    OTHER = "other"
    """pi without its editor: a dialog, a list, a question, or still starting."""
    MODE = "mode"
    """tmux takes the keys itself (copy mode), or keeps them from the pane."""
    NOT_PI = "not_pi"
    """Another program is in front."""
    GONE = "gone"
    """What ran in the pane has ended, or there is no such pane."""


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
    input_off: bool = False
    dead: bool = False
    alternate_on: bool = False
    pid: int = 0


@dataclass(frozen=True, slots=True)
class Editor:
    """pi's editor on a screen: its state, its rows of text without the blanks at their ends, the cursor's
    column, the row of its lower rule (-1 = there is no editor), and what the upper rule says that pi does."""

    state: State
    rows: tuple[str, ...] = ()
    cursor_x: int = 0
    lower_rule: int = -1
    doing: str = ""

    def holds(self, text: str, start: int) -> bool:
        """Whether a line that begins in column `start` is all that is in it."""
        return self.state is State.TEXT and self.rows == ((" " * start + text).rstrip(),)

    def begins(self, text: str, start: int) -> bool:
        """Whether it holds the beginning of such a line: it may not be drawn to its end yet."""
        whole = " " * start + text
        one = len(self.rows) == 1 and len(self.rows[0]) > start
        return self.state is State.TEXT and one and whole.startswith(self.rows[0])


GONE = Look((), 0, 0, 0, 0, "", dead=True)
"""A pane that is not there."""


def look_at(tmux: Tmux, pane: str) -> Look:
    """Look at a pane (`%5`) in one call; GONE where it is not there. Raises TmuxError for other failures."""
    words = ("display-message", "-p", "-t", pane, _FORMAT, ";", "capture-pane", "-p", "-t", pane)
    try:
        answer = tmux.call(*words)
    except TmuxError as error:
        if "find pane" in str(error) or "no such pane" in str(error):
            return GONE
        raise
    return parse_look(answer)


def parse_look(answer: bytes) -> Look:
    """The look in tmux's answer. Raises TmuxError where it cannot be read."""
    first, _newline, rest = answer.decode("utf-8", "replace").partition("\n")
    # the name of the program is its own to choose: it comes last
    fields = first.split("\t", len(_FIELDS) - 1)
    if len(fields) != len(_FIELDS) or not all(map(str.isdecimal, filter(None, fields[:-1]))):
        raise TmuxError(first[:80])
    x, y, width, height, in_mode, off, dead, alternate, pid = (int(field or 0) for field in fields[:-1])
    rows = rest.split("\n")[:height]
    return Look(
        tuple(rows), x, y, width, height, fields[-1], bool(in_mode), bool(off), bool(dead), bool(alternate), pid
    )


def read_editor(look: Look) -> Editor:
    """The editor of a pane that was looked at."""
    if look.dead:
        return Editor(State.GONE)
    if look.command != PI:
        return Editor(State.NOT_PI)
    if look.in_mode or look.input_off:
        return Editor(State.MODE)
    return _editor_in(look)


def _editor_in(look: Look) -> Editor:
    top, bottom = _rule_from(look, -1), _rule_from(look, 1)
    if top is None or bottom is None or any(is_rule(row, look.width) for row in look.rows[bottom + 1 :]):
        return Editor(State.OTHER)
    rows = tuple(row.rstrip() for row in look.rows[top + 1 : bottom])
    if len(rows) > 1 and _PROMPT.match(look.rows[look.cursor_y]) and look.cursor_x >= len(PROMPT):
        # a draft that quotes looks the same: nothing is typed into either
        return Editor(State.OTHER)
    # where a draft is blanks alone, the suggestions stand further left than what is typed (`suggestions`)
    is_empty = rows == ("",) and look.cursor_x <= MOST_PADDING
    doing = _SCROLLED.sub("", look.rows[top]).replace(RULE, "").strip()
    return Editor(State.EMPTY if is_empty else State.TEXT, rows, look.cursor_x, bottom, doing)


def is_rule(row: str, width: int) -> bool:
    """Whether a row is one of the editor's rules: all of the width, perhaps with words in it."""
    return len(row) == width and row.startswith(RULE) and row.endswith(RULE)


def _rule_from(look: Look, step: int) -> int | None:
    """The nearest rule above (-1) or below (1) the cursor's row; None where there is none."""
    at = look.cursor_y
    if not 0 <= at < len(look.rows) or is_rule(look.rows[at], look.width):
        return None
    while 0 <= at < len(look.rows):
        if is_rule(look.rows[at], look.width):
            return at
        at += step
    return None
