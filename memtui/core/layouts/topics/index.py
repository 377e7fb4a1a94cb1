"""MEMORY.md of a topics store: one line for each topic, changed one by one where the owner rewrites them all.

The owner drops every line that it cannot parse at its next write (topics sheet 5); memtui leaves them where
they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memtui.core.layouts.topics.reading import JS_BLANKS
from memtui.core.text import document as documents

DASH = "\u2014"
_BLANKS = f"[{JS_BLANKS}]*"
_LINE = re.compile(rf"-[{JS_BLANKS}]+\[([^\]]+)\]\(([^)]+)\){_BLANKS}{DASH}{_BLANKS}(.*)")
_BARE = re.compile(rf"-[{JS_BLANKS}]+\[([^\]]+)\]\(([^)]+)\){_BLANKS}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the index that the owner can read, by its number (from 1)."""

    number: int
    name: str
    file: str
    hook: str

    @property
    def text(self) -> str:
        """The line as the owner writes it, without its end."""
        return f"- [{self.name}]({self.file}) {DASH} {self.hook}"


def parse_entries(data: bytes, *, has_hooks: bool = True) -> list[Entry]:
    """The lines that the owner can read; `has_hooks` False: the form without a hook (0.x)."""
    found = []
    for number, line in enumerate(documents.decode(data).split("\n"), 1):
        match = _LINE.fullmatch(line) or (None if has_hooks else _BARE.fullmatch(line))
        if match is None:
            continue
        hook = match[3] if match.re is _LINE else ""
        found.append(Entry(number, *(part.strip(JS_BLANKS) for part in (match[1], match[2], hook))))
    return found


def sizes(entries: list[Entry]) -> tuple[int, int]:
    """How many lines the owner counts, and the bytes of them as it would write them, without a last LF."""
    return len(entries), len("\n".join(entry.text for entry in entries).encode("utf-8", "surrogateescape"))


def set_entry(data: bytes, name: str, file: str, hook: str) -> bytes:
    """The index with this hook for a topic: in its line, else in a new one behind the last that can be read."""
    lines = documents.decode(data).split("\n")
    entries = parse_entries(data)
    own = next((entry for entry in entries if entry.file == file), None)
    if own is not None:
        lines[own.number - 1] = Entry(own.number, own.name, file, hook).text
    else:
        new = Entry(0, name, file, hook).text
        if entries:
            lines.insert(entries[-1].number, new)
        else:
            while lines and not lines[-1].strip(JS_BLANKS):
                lines.pop()
            lines += [new] if not lines else ["", new]
    return _joined(lines)


def remove_entries(data: bytes, file: str) -> bytes:
    """The index without the lines of a topic; one with nothing else in it is a single LF, as the owner's."""
    lines = documents.decode(data).split("\n")
    for entry in reversed(parse_entries(data)):
        if entry.file == file:
            del lines[entry.number - 1]
    return _joined(lines)


def _joined(lines: list[str]) -> bytes:
    text = "\n".join(lines)
    return documents.encode(text if text.endswith("\n") else text + "\n")
