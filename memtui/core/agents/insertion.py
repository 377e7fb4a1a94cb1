"""A text on its way into an editor: made harmless, and found again on the screen. Pure."""

from __future__ import annotations

from memtui.core.agents.editor_screen import Editor, State
from memtui.late import re

_MARKER = re.compile(r"\[paste #\d+ (\+\d+ lines|\d+ chars)\]")
"""What pi 1.6.0 shows in place of more than ten lines or 1,000 characters."""

_PICTURES = {**{code: 0x2400 + code for code in range(0x20)}, 0x7F: 0x2421}
_HIDDEN = dict.fromkeys(range(128, 160), 65533)
_HARMLESS: dict[int, int | str] = {**_PICTURES, **_HIDDEN, ord("\n"): "\n", ord("\t"): "\t"}


def harmless(text: str) -> str:
    """A text without a byte that could end the paste or press a key: control characters become signs that show
    them, every line end becomes a newline. Blank lines at its ends go."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").translate(_HARMLESS).split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        del lines[0]
    return "\n".join(lines).encode("utf-8", "replace").decode("utf-8")


def holds_text(editor: Editor, text: str) -> bool:
    """Whether an editor shows a text that was put into an empty one: all of it, or its end where it is long.

    Compared by letters and digits of ASCII alone: the rest may be wrapped and drawn in many ways.
    """
    if editor.state is not State.TEXT:
        return False
    if len(editor.rows) == 1 and _MARKER.fullmatch(editor.rows[0].strip()):
        return True
    shown, whole = _letters("".join(editor.rows)), _letters(text)
    return whole.endswith(shown) and bool(shown or not whole)


def _letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isascii() and sign.isalnum())
