"""git's configuration file of a repository, as far as memtui needs it (git-config: syntax).

Included files and the person's own configuration are not read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from memtui.core import fs
from memtui.late import re
from memtui.late.dataclasses import dataclass

LIMIT_BYTES = 1 << 20

_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_NAME = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


@dataclass(frozen=True, slots=True)
class Value:
    """One value: `section` and `name` in lower case, `subsection` as it stands."""

    section: str
    subsection: str
    name: str
    text: str


def read_git_config(path: Path) -> list[Value]:
    """The values of a file in their order; empty when it cannot be read, without the lines git would refuse."""
    try:
        data = fs.read_file(fs.real_path(path), limit_bytes=LIMIT_BYTES).data
    except (OSError, ValueError):
        return []
    return list(_values(os.fsdecode(data.removeprefix(b"\xef\xbb\xbf"))))


def _values(text: str) -> Iterator[Value]:
    section, subsection = "", ""
    for line in _whole_lines(text):
        rest = line.strip()
        match = _SECTION.match(rest)
        if match is not None:
            section, subsection = match[1].lower(), re.sub(r"\\(.)", r"\1", match[2] or "")
            if match[2] is None and "." in section:
                # the old form, [remote.origin]
                section, _dot, subsection = section.partition(".")
            rest = rest[match.end() :].strip()
        named = _NAME.fullmatch(rest)
        if named is not None and section:
            value = "true" if named[2] is None else _unquoted(named[2])
            yield Value(section, subsection, named[1].lower(), value)


def _whole_lines(text: str) -> Iterator[str]:
    """Lines with those that a backslash at the end continues."""
    held = ""
    for line in text.split("\n"):
        line = held + line.removesuffix("\r")
        slashes = len(line) - len(line.rstrip("\\"))
        if slashes % 2:
            held = line[:-1]
            continue
        held = ""
        yield line
    if held:
        yield held


def _unquoted(text: str) -> str:
    """A value without its quotes, comment and outer blanks."""
    found: list[str] = []
    kept = 0
    is_quoted = False
    position = 0
    while position < len(text):
        char = text[position]
        position += 1
        if char == '"':
            is_quoted = not is_quoted
            continue
        if char in "#;" and not is_quoted:
            break
        if char == "\\" and position < len(text):
            char = _ESCAPES.get(text[position], text[position])
            position += 1
        elif char in " \t" and not is_quoted:
            found.append(char)
            continue
        found.append(char)
        kept = len(found)
    return "".join(found[:kept])
