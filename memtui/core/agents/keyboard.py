"""Keys and pastes into one pane, each only while the screen is as it was seen. The only code that types.

`if-shell -F` looks and acts in one command of the server, so that nothing comes between the look and the key
but what the program has not drawn yet. For that there is `closed`: a paste, and in the same command the pane's
input is switched off (`select-pane -d`), so that no key of the person reaches the program any more. When the
program then draws exactly the pasted line, nothing else was on its way to it; the Enter, in the command that
switches the input on again, meets nothing else. tmux itself switches it on after a while, whatever becomes of
memtui. Needs tmux 3.2 (run-shell -C). Copy mode would keep keys away as well, but its own keys open prompts.
"""

from __future__ import annotations

import secrets

from memtui.core.agents.base import PI
from memtui.core.agents.editor_screen import Look
from memtui.core.agents.tmux import Tmux, TmuxError
from memtui.late import re
from memtui.late.dataclasses import dataclass

OPENS_AFTER_S = 2
"""So long at most a pane's input stays off."""

SIGN = "@memtui-typing"
"""The pane's option that says who switched its input off, for as long as it is."""

_PANE = re.compile(r"%\d+")
_PLAIN = re.compile(r"[A-Za-z0-9/ _-]")
_KEYS = re.compile(r"[A-Za-z0-9/:_-]+")
_DONE = b"done"


@dataclass(frozen=True, slots=True)
class Screen:
    """What must still be so when a key arrives: the cursor, whether the pane's input is off, and a row."""

    cursor_x: int
    cursor_y: int
    is_closed: bool = False
    row: str = ""
    row_number: int = 0

    @classmethod
    def of(cls, look: Look, row: str = "") -> Screen:
        """As it was seen; with `row`, the first such row of the screen must still be where it is."""
        pattern = re.compile(_pattern(row))
        number = next((n for n, seen in enumerate(look.rows, 1) if pattern.search(seen)), 0) if row else 0
        return cls(look.cursor_x, look.cursor_y, look.input_off, row if number else "", number)

    @property
    def format(self) -> str:
        """The condition in tmux's format language: 1 while it holds. No text of others gets into it."""
        terms = [
            f"#{{==:#{{cursor_x}},{self.cursor_x}}}",
            f"#{{==:#{{cursor_y}},{self.cursor_y}}}",
            "#{==:#{pane_in_mode},0}",
            f"#{{==:#{{pane_input_off}},{int(self.is_closed)}}}",
            f"#{{==:#{{pane_current_command}},{PI}}}",
        ]
        if self.row:
            terms.append(f"#{{==:#{{C/r:{_pattern(self.row)}}},{self.row_number}}}")
        whole = terms[0]
        for term in terms[1:]:
            whole = f"#{{&&:{whole},{term}}}"
        return whole


class Keyboard:
    """The keys of one pane (`%5`). Every method says whether it did it, and raises TmuxError."""

    def __init__(self, tmux: Tmux, pane: str) -> None:
        if not _PANE.fullmatch(pane):
            raise TmuxError(pane)
        self._tmux = tmux
        self._pane = pane
        # two memtuis may paste at once
        self._sign = secrets.token_hex(4)
        self._buffer = f"memtui-{self._sign}"

    def type(self, text: str, seen: Screen) -> bool:
        """Type the characters of a command's name."""
        if not _KEYS.fullmatch(text):
            raise TmuxError(text)
        return self._do(seen, f"send-keys -t {self._pane} -l '{text}'")

    def erase(self, count: int, seen: Screen) -> bool:
        """Press BSpace so many times, and let keys reach the program again."""
        return self._do(seen, *self._leave(seen), f"send-keys -t {self._pane} -N {count} BSpace")

    def enter(self, seen: Screen) -> bool:
        """Press Enter, and (also where it was not pressed) let keys reach the program again."""
        return self._do(seen, *self._leave(seen), f"send-keys -t {self._pane} Enter", otherwise=self._open())

    def open(self) -> None:
        """Let keys reach the program again."""
        self._tmux.call("select-pane", "-e", "-t", self._pane, ";", *self._forget_sign.split())

    def paste(self, text: str, seen: Screen, *, closed: bool = False) -> bool:
        """Paste a text in brackets; `closed` = the person's keys do not reach the program from then on."""
        words = [f"paste-buffer -p -d -b {self._buffer} -t {self._pane}"]
        if closed:
            words += self._close()
        loaded = ("load-buffer", "-b", self._buffer, "-")
        try:
            return self._do(
                seen,
                *words,
                before=loaded,
                given=text.encode("utf-8", "replace"),
                otherwise=f"delete-buffer -b {self._buffer}",
            )
        except TmuxError:
            self._forget()
            raise

    def _do(
        self,
        seen: Screen,
        *commands: str,
        before: tuple[str, ...] = (),
        given: bytes = b"",
        otherwise: str = "",
    ) -> bool:
        said = f"display-message -p {_DONE.decode()}"
        then = " ; ".join((*commands, said))
        other = otherwise or "display-message -p no"
        first = (*before, ";") if before else ()
        words = (*first, "if-shell", "-F", "-t", self._pane, seen.format, then, other)
        return self._tmux.call(*words, given=given).strip() == _DONE

    def _leave(self, seen: Screen) -> tuple[str, ...]:
        return (self._open(),) if seen.is_closed else ()

    def _open(self) -> str:
        return f"select-pane -e -t {self._pane} ; {self._forget_sign}"

    def _close(self) -> tuple[str, ...]:
        # what comes later must not open what was closed anew in the meantime; run-shell expands it once itself
        is_same = f"##{{==:##{{{SIGN}}},{self._sign}}}"
        later = f"if-shell -F -t {self._pane} '{is_same}' 'select-pane -e -t {self._pane}'"
        return (
            f"set-option -p -t {self._pane} {SIGN} {self._sign}",
            f"select-pane -d -t {self._pane}",
            f'run-shell -b -d {OPENS_AFTER_S} -C "{later}"',
        )

    @property
    def _forget_sign(self) -> str:
        return f"set-option -p -u -t {self._pane} {SIGN}"

    def _forget(self) -> None:
        try:
            self._tmux.call("delete-buffer", "-b", self._buffer)
        except TmuxError:
            return


def _pattern(row: str) -> str:
    """A row as a regular expression that may stand in a format: what could mean something there is any sign."""
    signs = (sign if _PLAIN.fullmatch(sign) else "." if sign.isascii() else ".*" for sign in row.rstrip())
    return f"^{''.join(signs)} *$"
