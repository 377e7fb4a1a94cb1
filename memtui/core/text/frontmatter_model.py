"""What reading a frontmatter gives: fields with the bytes they stand on, and where the block ends."""

from __future__ import annotations

from typing import Literal

from memtui.core.text.scalars import Style, text_of
from memtui.late.dataclasses import dataclass

State = Literal["none", "ok", "late", "unclosed"]
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a block with its value.

    `path` is `("type",)` or `("metadata", "type")`. `value` is for display: unquoted, on one line. `raw` is
    the source of the value (line ends as LF), `start` to `end` its bytes in the file: never a trailing
    comment; for a value of several lines all of them, their comments within a block sign's line included.
    Lines count from 1. `style` `map` is a key that holds other keys (its value is empty), `list` a list as
    typed. `in_flow`: it stands between `{` and `}`.
    """

    path: Path
    value: str
    raw: str
    first_line: int
    last_line: int
    start: int
    end: int
    style: Style
    in_flow: bool = False

    @property
    def text(self) -> str:
        """The value with the line ends that were meant (a literal block keeps them)."""
        return text_of(self.raw, self.style)


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The block at the head of a file.

    `state`: `none`; `ok`; `late` = blank lines stand before it, which other readers do not accept;
    `unclosed` = no closing line, so the whole file is body. `open_line` and `close_line` are 1-based (0 = no
    such line); the body begins at `body_line`, byte `body_start`. `strict_close_line` is the closing line for
    a reader that wants exactly `---` on line 1 and exactly `---` to close (ZCode's manifest reader, sheet
    B3), None when it sees no block. `max_lines` is how many lines that reader looks at (None = all).
    `is_simple`: nothing but keys with one-line values, where a strict reader cannot stumble over the shape.
    """

    state: State
    open_line: int = 0
    close_line: int = 0
    body_line: int = 1
    body_start: int = 0
    fields: tuple[Field, ...] = ()
    strict_close_line: int | None = None
    max_lines: int | None = None
    is_simple: bool = False

    @property
    def is_closed_within(self) -> bool:
        """Whether a strict reader finds the closing line within the lines it looks at."""
        line = self.strict_close_line
        return line is not None and (self.max_lines is None or line <= self.max_lines)

    @property
    def duplicates(self) -> tuple[tuple[Field, ...], ...]:
        """Fields that share a path, in order of lines: one group for each path."""
        groups: dict[Path, list[Field]] = {}
        for item in self.fields:
            groups.setdefault(item.path, []).append(item)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    def field(self, *path: str) -> Field | None:
        """The field of this path (the last one, where a key is there twice), or None."""
        for item in reversed(self.fields):
            if item.path == path:
                return item
        return None

    def get(self, *path: str) -> str | None:
        """The value of this path for display; None when there is no such key or it holds other keys."""
        item = self.field(*path)
        return None if item is None or item.style == "map" else item.value
