"""An index of lines `- [name](file) — hook`, as all versions of pi-memory have it (topics sheet 5 and 9.2).

Lines are changed one by one; what is no such line stays where it is. (1.x rewrites all of them at once and
drops every line that it cannot parse.)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from memtui.core.text import document as documents
from memtui.core.text.javascript import JS_BLANKS
from memtui.late import dataclasses, re
from memtui.late.dataclasses import dataclass

DASH = "\u2014"
Form = Literal["strict", "lazy", "bare"]
"""`strict`: no `]` in a name and no `)` in a file (1.x); `lazy`: both may occur (2.x); `bare`: a line without a
hook is one too (0.x)."""

_BLANKS = f"[{JS_BLANKS}]*"
_START = f"-[{JS_BLANKS}]+"
_HOOK = f"{_BLANKS}{DASH}{_BLANKS}(.*)"
_PATTERNS: dict[Form, re.Pattern[str]] = {
    "strict": re.compile(rf"{_START}\[([^\]]+)\]\(([^)]+)\){_HOOK}"),
    "lazy": re.compile(rf"{_START}\[(.+?)\]\((.+?)\){_HOOK}"),
    "bare": re.compile(rf"{_START}\[([^\]]+)\]\(([^)]+)\)(?:{_HOOK}|{_BLANKS})"),
}


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


def parse_entries(data: bytes, form: Form = "strict") -> list[Entry]:
    """The lines that the owner can read."""
    found = []
    for number, line in enumerate(documents.decode(data).split("\n"), 1):
        match = _PATTERNS[form].fullmatch(line.removesuffix("\r") if form == "lazy" else line)
        if match is not None:
            name, file, hook = (part.strip(JS_BLANKS) for part in (match[1], match[2], match[3] or ""))
            found.append(Entry(number, name, file, hook))
    return found


def sizes(entries: list[Entry]) -> tuple[int, int]:
    """How many lines the owner counts, and the bytes of them as it would write them, without a last LF."""
    return len(entries), len("\n".join(entry.text for entry in entries).encode("utf-8", "surrogateescape"))


def set_entry(
    data: bytes, name: str, file: str, hook: str, form: Form = "strict", *, renames: str | None = None
) -> bytes:
    """The index with this hook for a file: in its line, else in a new one behind the last that can be read.

    A line that is there keeps its name, unless it `renames` another file to this name and file.
    """
    lines = documents.decode(data).split("\n")
    entries = parse_entries(data, form)
    own = next((entry for entry in entries if entry.file == (renames or file)), None)
    if own is not None:
        end = "\r" if lines[own.number - 1].endswith("\r") else ""
        lines[own.number - 1] = Entry(own.number, own.name if renames is None else name, file, hook).text + end
    else:
        new = Entry(0, name, file, hook).text
        if entries:
            lines.insert(entries[-1].number, new)
        else:
            while lines and not lines[-1].strip(JS_BLANKS):
                lines.pop()
            lines += [new] if not lines else ["", new]
    return _joined(lines)


def remove_entries(data: bytes, file: str, form: Form = "strict") -> bytes:
    """The index without the lines of a file; one with nothing else in it is a single LF, as the owner's."""
    lines = documents.decode(data).split("\n")
    for entry in reversed(parse_entries(data, form)):
        if entry.file == file:
            del lines[entry.number - 1]
    return _joined(lines)


def relisted(
    data: bytes, gone: Collection[int], new: Sequence[Entry], hooks: Mapping[str, str], form: Form = "strict"
) -> bytes:
    """The index without these lines (from 1), with other hooks for files, and new lines behind the last that
    can be read. One with nothing left in it is a single LF, as the owner's."""
    lines = documents.decode(data).split("\n")
    entries = parse_entries(data, form)
    for entry in entries:
        if entry.file in hooks and entry.number not in gone:
            end = "\r" if lines[entry.number - 1].endswith("\r") else ""
            lines[entry.number - 1] = dataclasses.replace(entry, hook=hooks[entry.file]).text + end
    last = max((entry.number for entry in entries if entry.number not in gone), default=0)
    head = [line for number, line in enumerate(lines[:last], 1) if number not in gone]
    tail = [line for number, line in enumerate(lines[last:], last + 1) if number not in gone]
    if not new:
        return documents.encode("\n".join([*head, *tail])) or b"\n"
    rows = [entry.text for entry in new]
    if not last:
        while tail and not tail[-1].strip(JS_BLANKS):
            tail.pop()
        return _joined([*tail, "", *rows] if tail else rows)
    return _joined([*head, *rows, *tail])


def _joined(lines: list[str]) -> bytes:
    text = "\n".join(lines)
    return documents.encode(text if text.endswith("\n") else text + "\n")
