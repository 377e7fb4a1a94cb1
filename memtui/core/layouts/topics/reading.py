"""A topic file: its frontmatter, its entries as people see them, and its titles as the owner counts them.

The owner looks at lines only: `---` alone switches "inside frontmatter" on and off anywhere in the file, and
`## ` begins an entry even in a code block (topics sheet 3.3). memtui shows what a person would call an entry,
and says where the owner sees another one.
"""

from __future__ import annotations

from collections.abc import Mapping

from memtui.core.text import document as documents
from memtui.core.text.javascript import JS_BLANKS
from memtui.late import re
from memtui.late.dataclasses import dataclass

RULE = b"---"
HEADING = b"## "
_FENCE = re.compile(rb" {0,3}(`{3,}|~{3,})")
_FIELD = re.compile(r"([A-Za-z_][\w-]*):[ \t]*(.*)")


@dataclass(frozen=True, slots=True)
class Section:
    """One entry: bytes `start` to `end` of the file, the text behind its heading from `body_start` on.

    `title` is the rest of the heading, untrimmed but for a carriage return. `line` counts from 1. `counted`:
    the owner sees it too.
    """

    title: str
    start: int
    body_start: int
    end: int
    line: int
    counted: bool


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic file as read.

    `fields` are those of a frontmatter at the very start (values trimmed), `front_end` the byte behind its
    closing line (0 = there is none). `phantoms` are the lines (from 1) that only the owner takes for an entry.
    """

    data: bytes
    fields: Mapping[str, str]
    front_end: int
    sections: tuple[Section, ...]
    phantoms: tuple[int, ...]

    @property
    def has_crlf(self) -> bool:
        """Whether a line ends in CRLF, which hides every entry from the owner."""
        return b"\r\n" in self.data


def parse_topic(data: bytes) -> Topic:
    """The parts of a topic file. Never raises."""
    lines = _lines(data)
    front_lines = _front_lines(lines)
    counted = {number for number, _title in _owner_headings(lines)}
    seen = _seen_headings(lines, front_lines)
    starts = [lines[number - 1][0] for number in seen]
    ends = [*starts[1:], len(data)][: len(starts)]
    sections = []
    for number, start, end in zip(seen, starts, ends, strict=True):
        _at, line, after = lines[number - 1]
        title = documents.decode(line[len(HEADING) :].removesuffix(b"\r"))
        body_start = after
        if number < len(lines) and not lines[number][1].strip(b"\r"):
            body_start = lines[number][2]
        sections.append(Section(title, start, min(body_start, end), end, number, number in counted))
    front_end = lines[front_lines - 1][2] if front_lines else 0
    fields = _fields(lines[1 : front_lines - 1]) if front_lines else {}
    return Topic(data, fields, front_end, tuple(sections), tuple(sorted(counted - set(seen))))


def owner_titles(data: bytes) -> list[str]:
    """The titles of all entries as the owner's program reads them, untrimmed."""
    return [title for _number, title in _owner_headings(_lines(data))]


def _lines(data: bytes) -> list[tuple[int, bytes, int]]:
    """Where each line starts, its bytes without the LF, and where the next one starts."""
    found = []
    start = 0
    while start < len(data):
        stop = data.find(b"\n", start)
        after = len(data) if stop < 0 else stop + 1
        found.append((start, data[start : len(data) if stop < 0 else stop], after))
        start = after
    return found


def _front_lines(lines: list[tuple[int, bytes, int]]) -> int:
    """How many lines a frontmatter at the start takes, both rules included; 0 when there is none."""
    if not lines or lines[0][1].removesuffix(b"\r") != RULE:
        return 0
    for number, (_start, line, _after) in enumerate(lines[1:], 2):
        if line.removesuffix(b"\r") == RULE:
            return number
    return 0


def _fields(lines: list[tuple[int, bytes, int]]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for _start, line, _after in lines:
        match = _FIELD.fullmatch(documents.decode(line.removesuffix(b"\r")))
        if match is not None:
            fields.setdefault(match[1], match[2].strip(JS_BLANKS))
    return fields


def _owner_headings(lines: list[tuple[int, bytes, int]]) -> list[tuple[int, str]]:
    found = []
    inside = False
    for number, (_start, line, _after) in enumerate(lines, 1):
        if line == RULE:
            inside = not inside
        elif (
            not inside
            and line.startswith(HEADING)
            and len(line) > len(HEADING)
            # a carriage return is no character that a title may hold, to the owner's pattern
            and not line.endswith(b"\r")
        ):
            found.append((number, documents.decode(line[len(HEADING) :])))
    return found


def _seen_headings(lines: list[tuple[int, bytes, int]], front_lines: int) -> list[int]:
    found = []
    fence_until = 0
    for number, (_start, line, _after) in enumerate(lines, 1):
        if number <= max(front_lines, fence_until):
            continue
        opened = _FENCE.match(line)
        if opened is not None:
            fence_until = _fence_end(lines, number, opened[1])
        elif line.startswith(HEADING) and line[len(HEADING) :].strip():
            found.append(number)
    return found


def _fence_end(lines: list[tuple[int, bytes, int]], number: int, mark: bytes) -> int:
    """The line that closes a fence; the opening line itself when none does."""
    for later, (_start, line, _after) in enumerate(lines[number:], number + 1):
        closed = _FENCE.match(line)
        if (
            closed is not None
            and closed[1].startswith(mark[:1])
            and len(closed[1]) >= len(mark)
            and not line[closed.end() :].strip()
        ):
            return later
    return number
