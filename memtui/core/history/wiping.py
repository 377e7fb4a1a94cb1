"""Texts taken out of memtui's own JSON, and nothing else with them: pure.

What a person's text cannot be stays: names of fields, memtui's own words, times, digests, and the directories
that stores lie in. Without those a record could not be read, and a whole history would be lost with one word.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from typing import Any

from memtui.late import re

Wipe = Callable[[str], str]
"""A string to the same one with a word in the place of each text."""

_FIELD = re.compile(r"[a-z][a-z_0-9]*")
_OWN_WORDS = frozenset({"event", "verb", "kind", "id", "run", "undoes", "redoes", "store"})
_FOLDERS = frozenset({"root", "others", "dirs", "spare"})
_MADE = re.compile(r"[0-9a-f]{8}|[0-9a-f]{32}|[0-9a-f]{64}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.+Z-]+")
"""Numbers drawn by lot, digests, and times."""

PURGED = "[purged]"
"""What stands in the place of a text."""


def wiped(data: bytes, wipe: Wipe, folders: Sequence[str], *, is_lines: bool) -> bytes:
    """A JSON document, or lines of them, without the texts; what is no JSON is taken as plain text.

    `folders` are directories whose own paths stay. The same bytes where nothing was to be taken out.
    """
    lines = data.split(b"\n") if is_lines else [data]
    values = [_parsed(line) for line in lines]
    around = [*folders, *(folder for value in values for folder in _folders(value))]
    # a deeper one before what it lies in
    wiper = _Wiper(wipe, sorted(around, key=len, reverse=True))
    return b"\n".join(wiper.line(line, value) for line, value in zip(lines, values, strict=True))


class _Wiper:
    def __init__(self, wipe: Wipe, folders: Collection[str]) -> None:
        self._wipe = wipe
        self._folders = folders

    def line(self, line: bytes, value: object) -> bytes:
        if value is None:
            return self._wipe(line.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        after = self._value(value)
        return line if after == value else json.dumps(after).encode("ascii") + _ending(line)

    def _value(self, value: object) -> object:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self._value(item) for item in value]
        if isinstance(value, dict):
            return {self._key(key): self._field(key, item) for key, item in value.items()}
        return value

    def _key(self, key: str) -> str:
        return key if _FIELD.fullmatch(key) else self._text(key)

    def _field(self, key: str, value: object) -> object:
        return (
            value if key in _FOLDERS or (key in _OWN_WORDS and isinstance(value, str)) else self._value(value)
        )

    def _text(self, text: str) -> str:
        for folder in self._folders:
            if text.startswith(f"{folder}/"):
                return folder + self._wipe(text[len(folder) :])
        after = self._wipe(text)
        is_only_a_part = bool(after.replace(PURGED, ""))
        return text if is_only_a_part and _MADE.fullmatch(text) else after


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _folders(value: object) -> list[str]:
    if not isinstance(value, dict):
        return []
    found = [value.get("root"), *(value.get("others") or ())]
    return [folder for folder in found if isinstance(folder, str) and folder]


def _ending(line: bytes) -> bytes:
    return line[len(line.rstrip()) :]
