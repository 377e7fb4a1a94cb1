"""What a strict YAML 1.2 reader makes of a block: the error it stops at, or each value with its kind.

Blocks of plainly safe values need no YAML parser; all others go through `yaml_compose`. Source: YAML 1.2.2 core
schema, and the pi-and-zcode sheet B3 (measured with the `yaml` package that ZCode's manifest reader uses).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from memtui.core.text.document import Document
from memtui.core.text.frontmatter_model import Field, Frontmatter, Path
from memtui.core.text.scalars import is_plainly_safe, on_one_line
from memtui.core.text.yaml_compose import REFUSED, Kind, RejectedError, StrictValue, compose, core_kind
from memtui.late import re
from memtui.late.dataclasses import dataclass, field

Reason = Literal["comment", "anchor", "tag", "kind", "text"]

_SAFE_KEY = re.compile(r"(?!(?:null|true|false)\Z)[A-Za-z_][A-Za-z0-9_-]{0,99}", re.IGNORECASE)
_SAFE_WORD = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z_.+:/-]*[0-9A-Za-z_.+/-])?")


@dataclass(frozen=True, slots=True)
class Altered:
    """A value that is not what was typed: `seen` is the strict reader's text, `kind` what it takes it for."""

    field: Field
    seen: str
    kind: Kind
    reason: Reason


@dataclass(frozen=True, slots=True)
class Strict:
    """What a strict YAML 1.2 reader sees of a block.

    Not `ok`: it rejects the whole block, `error` is one sentence and `line` the 1-based line in the file.
    `values` by path (list items by their position). `is_closed_within` as `Frontmatter.is_closed_within`.
    `repeats` are the lines of keys that are there twice.
    """

    ok: bool
    error: str = ""
    line: int | None = None
    values: Mapping[Path, StrictValue] = field(default_factory=dict)
    altered: tuple[Altered, ...] = ()
    is_closed_within: bool = False
    repeats: tuple[int, ...] = ()

    def text(self, *path: str) -> str | None:
        """The string at this path, or None where a strict reader finds none there."""
        value = self.values.get(path)
        return value.text if value is not None and value.kind == "str" else None


def strict_view(document: Document, frontmatter: Frontmatter) -> Strict:
    """Read a block as a strict reader would. Never raises; a file without a block gives no values.

    The text judged is that between the fences the strict reader accepts, else between those found leniently
    (`is_closed_within` and the state of the frontmatter say whether it sees them).
    """
    quick = quick_view(frontmatter)
    if quick is not None:
        return quick
    seen = frontmatter.is_closed_within
    close = frontmatter.strict_close_line or frontmatter.close_line
    first = frontmatter.open_line
    lines = [line.text for line in document.lines[first : close - 1]]
    try:
        values = compose(lines)
    except RejectedError as error:
        line = min(first + 1 + error.line, close)
        repeats = (line,) if error.is_repeat else ()
        return Strict(False, error.message, line, is_closed_within=seen, repeats=repeats)
    return Strict(True, values=values, altered=_altered(frontmatter, values), is_closed_within=seen)


def quick_view(frontmatter: Frontmatter) -> Strict | None:
    """The strict view where the lenient reading proves it (no block, or only plainly safe values), else None.

    It needs neither the text nor a YAML parser, so it is what to ask first for thousands of files.
    """
    seen = frontmatter.is_closed_within
    if frontmatter.state in ("none", "unclosed"):
        return Strict(True, is_closed_within=seen)
    values = _quick_values(frontmatter)
    if values is None:
        return None
    return Strict(True, values=values, altered=_altered(frontmatter, values), is_closed_within=seen)


def _quick_values(frontmatter: Frontmatter) -> dict[Path, StrictValue] | None:
    """The values where nothing in the block can make a strict reader stumble, else None."""
    if not frontmatter.is_simple or frontmatter.strict_close_line not in (None, frontmatter.close_line):
        return None
    values: dict[Path, StrictValue] = {}
    for item in frontmatter.fields:
        value = item.value
        if item.path in values or not _SAFE_KEY.fullmatch(item.path[-1]):
            return None
        if item.style == "map":
            values[item.path] = StrictValue("map")
        elif item.style == "plain":
            kind = core_kind(value)
            if kind == "str" and not is_plainly_safe(value) and not _SAFE_WORD.fullmatch(value):
                return None
            values[item.path] = StrictValue(kind, value)
        elif "\\" in item.raw or REFUSED.search(item.raw):
            return None
        else:
            values[item.path] = StrictValue("str", value)
    return values


def _altered(frontmatter: Frontmatter, values: Mapping[Path, StrictValue]) -> tuple[Altered, ...]:
    found = []
    for item in frontmatter.fields:
        seen = values.get(item.path)
        if item.style in ("map", "list") or seen is None or not item.raw:
            continue
        reason = _difference(item, seen)
        if reason is not None:
            found.append(Altered(item, seen.text, seen.kind, reason))
    return tuple(found)


def _difference(item: Field, seen: StrictValue) -> Reason | None:
    if seen.kind == "str" and on_one_line(seen.text.rstrip("\n")).strip(" ") == item.value.strip(" "):
        return None
    if item.style == "plain" and item.raw[0] in "&!":
        return "anchor" if item.raw[0] == "&" else "tag"
    if item.style == "plain" and ("#" in item.raw) and item.value != seen.text:
        return "comment"
    return "kind" if seen.kind != "str" else "text"
