"""A small pi behind a small tmux, played for tests: what is typed waits, is taken, and is drawn at moments that the
test chooses, and other things may happen at each of them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from memtui.core.agents.tmux import TmuxError

WIDTH, HEIGHT = 60, 14
RULE = "─" * WIDTH
FOOTER = ["~/work", "0.0%/128k"]


@dataclass(frozen=True)
class Key:
    """A key or a paste on its way to pi, and who gave it."""

    text: str
    is_ours: bool
    is_paste: bool = False


@dataclass
class PlayedPi:
    """Commands are names with their descriptions. `chance` is called before every call of tmux."""

    commands: Mapping[str, str]
    chance: Callable[[PlayedPi], None] = lambda pi: None
    padding: int = 0
    lines: list[str] = field(default_factory=lambda: [""])
    menu: bool = False
    dialog: bool = False
    program: str = "pi"
    in_mode: bool = False
    is_off: bool = False
    sign: str = ""
    is_there: bool = True
    starting: bool = False
    doing: str = ""
    waiting: list[Key] = field(default_factory=list)
    entered: list[tuple[str, bool]] = field(default_factory=list)
    """What Enter fell on, and whether it was ours; in a dialog, what pi's prompt would be, is `DIALOG`."""
    lost: str = ""
    buffers: dict[str, str] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    cursor: tuple[int, int] = (0, 0)
    failing: str = ""

    def __post_init__(self) -> None:
        self.draw()

    # What may happen

    def person_types(self, text: str) -> None:
        """Keys of the person: copy mode takes them."""
        if self.in_mode or self.is_off:
            self.lost += text
        else:
            self.waiting += [Key(sign, is_ours=False) for sign in text]

    def take(self, count: int = 1000) -> None:
        """pi takes what waits; with its end drawn where that is all."""
        for _number in range(min(count, len(self.waiting))):
            self._take(self.waiting.pop(0))

    def draw(self) -> None:
        """pi draws how it stands."""
        top = f"── {self.doing} {RULE}"[:WIDTH] if self.doing else RULE
        left = " " * self.padding
        if self.dialog:
            block = [RULE, "", " Sure?", "", " → Yes", "   No", "", RULE]
            x, y = WIDTH - 1, 5
        else:
            block = [top, *((left + line).rstrip() for line in self.lines), RULE, *self._menu_rows(left)]
            x, y = self.padding + len(self.lines[-1]), len(self.lines)
        tail = [*block, *FOOTER][-HEIGHT:]
        above = HEIGHT - len(tail)
        self.rows = [*["chat"] * above, *tail]
        self.cursor = (x, above + y)

    def ask(self) -> None:
        """pi opens a dialog, and shows it."""
        self.take()
        self.dialog = True
        self.draw()

    def end(self) -> None:
        """pi ends, when it has taken what waited."""
        self.take()
        self.program = "bash"

    # tmux

    def run(self, words: Sequence[str], environ: Mapping[str, str], given: bytes) -> bytes:
        """What `Tmux` runs: the words after `tmux -u`, several commands with `;` between them."""
        self.chance(self)
        said: list[str] = []
        command: list[str] = []
        for word in (*words[2:], ";"):
            if word == ";":
                said += self._do(command, given)
                command = []
            else:
                command.append(word)
        return "".join(f"{line}\n" for line in said).encode()

    def _do(self, words: list[str], given: bytes) -> list[str]:
        if self.failing:
            raise TmuxError(self.failing)
        name, rest = words[0], words[1:]
        options = {word: rest[number + 1] if number + 1 < len(rest) else "" for number, word in enumerate(rest)}
        if "-t" in options and not self.is_there:
            raise TmuxError("can't find pane: %1")
        if name == "if-shell":
            script = rest[-2] if self._expand(rest[-3]) not in ("", "0") else rest[-1]
            said = []
            for part in script.split(" ; "):
                said += self._do(shlex.split(part), b"")
            return said
        if name == "display-message":
            return [self._expand(rest[-1])]
        if name == "capture-pane":
            return list(self.rows)
        if name == "select-pane":
            self.is_off = "-d" in rest
        elif name == "run-shell":
            assert "-d" in rest and rest[-1].endswith("'select-pane -e -t %1'")
        elif name == "set-option":
            self.sign = "" if "-u" in rest else rest[-1]
        elif name == "load-buffer":
            self.buffers[options["-b"]] = given.decode()
        elif name == "delete-buffer":
            del self.buffers[options["-b"]]
        elif name == "paste-buffer":
            assert {"-p", "-d"} <= set(rest) and not self.is_off
            self.waiting.append(Key(self.buffers.pop(options["-b"]), is_ours=True, is_paste=True))
        elif name == "send-keys":
            assert not self.in_mode and not self.is_off, "a key of ours that does not arrive"
            if "-l" in options:
                self.waiting += [Key(sign, is_ours=True) for sign in options["-l"]]
            else:
                self.waiting += [Key(rest[-1], is_ours=True)] * int(options.get("-N", "1"))
        else:
            raise AssertionError(words)
        return []

    def _expand(self, text: str) -> str:
        """The formats of tmux that the code uses."""
        values = {
            "cursor_x": self.cursor[0],
            "cursor_y": self.cursor[1],
            "pane_width": WIDTH,
            "pane_height": HEIGHT,
            "pane_in_mode": int(self.in_mode),
            "pane_input_off": int(self.is_off),
            "pane_dead": 0,
            "alternate_on": 1,
            "pane_pid": 0,
            "pane_current_command": self.program,
        }
        while match := re.search(r"#\{([^{}]*)\}", text):
            inner = match[1]
            if inner.startswith("=="):
                one, other = inner.removeprefix("==:").split(",")
                value = str(int(one == other))
            elif inner.startswith("&&"):
                value = str(int(all(part not in ("", "0") for part in inner.removeprefix("&&:").split(","))))
            elif inner.startswith("C/r:"):
                pattern = re.compile(inner.removeprefix("C/r:"))
                value = str(next((number for number, row in enumerate(self.rows, 1) if pattern.search(row)), 0))
            else:
                value = str(values[inner])
            text = text[: match.start()] + value + text[match.end() :]
        return text

    # pi

    def _take(self, key: Key) -> None:
        if self.dialog or self.program != "pi":
            if key.text == "Enter":
                self.entered.append((DIALOG, key.is_ours))
                self.dialog = False
        elif key.is_paste:
            self.menu = False
            *first, last = (self.lines[-1] + key.text).split("\n")
            self.lines[-1:] = [*first, last]
        elif key.text == "BSpace":
            if self.lines[-1]:
                self.lines[-1] = self.lines[-1][:-1]
            elif len(self.lines) > 1:
                self.lines.pop()
            self.menu = self._names_a_command()
        elif key.text == "Enter":
            self._enter(key)
        elif key.text == "\x03":
            self.lines, self.menu = [""], False
        elif key.text == "\n":
            self.lines.append("")
            self.menu = False
        else:
            self.lines[-1] += key.text
            self.menu = self._names_a_command() and not self.starting

    def _enter(self, key: Key) -> None:
        rows = self._menu_rows("")
        text = rows[0][2:].split(" ")[0] if rows else ""
        line = f"/{text}" if text else "\n".join(self.lines).strip()
        self.entered.append((line, key.is_ours))
        self.lines, self.menu = [""], False

    def _names_a_command(self) -> bool:
        return (
            len(self.lines) == 1 and self.lines[0].lstrip().startswith("/") and " " not in self.lines[0].strip()
        )

    def _menu_rows(self, left: str) -> list[str]:
        typed = self.lines[0].strip().removeprefix("/")
        offered = [name for name in self.commands if name.startswith(typed)] if self.menu else []
        return [
            f"{left}{'→ ' if not number else '  '}{name:<12}{self.commands[name]}"[:WIDTH].rstrip()
            for number, name in enumerate(offered[:5])
        ]


DIALOG = "(a dialog)"
