"""Frontmatter put right so that strict readers see it too: only the bytes that are in the way change.

Each function takes a file's bytes and gives the mended bytes, or None where it cannot prove that every lenient
reader goes on reading the same. Rules: the pi-and-zcode sheet B3 (exact fences, YAML 1.2, unique keys).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from memtui.core.text import document as documents
from memtui.core.text.document import Document, Splice
from memtui.core.text.frontmatter import insert_block, parse, set_value
from memtui.core.text.frontmatter_model import Field, Frontmatter, Path
from memtui.core.text.strict_yaml import Reason, Strict, strict_view
from memtui.late import re

KEPT_BYTES = 16_384
"""Larger files' quotes are found anew each time."""

_FENCE = "---"
_KEY_LINE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*:(?:[ \t].*)?")
_CHILD_LINE = re.compile(r"[ \t]+[A-Za-z_][A-Za-z0-9_-]*:(?:[ \t].*)?")
_SAYING_KEYS = frozenset({"name", "description", "type", "metadata"})
"""Keys that a memory's frontmatter has: lines with none of them are text."""


def lift(data: bytes, max_lines: int | None) -> bytes | None:
    """The block at the first line, between bare fences: blank lines before it and blanks behind them go."""
    document, block = _read(data, max_lines)
    if block.state not in ("ok", "late"):
        return None
    lines = document.lines
    splices = [Splice(line.start, line.end + len(line.eol), b"") for line in lines[: block.open_line - 1]]
    for number in (block.open_line, block.close_line):
        line = lines[number - 1]
        splices.append(Splice(line.start + len(_FENCE), line.end, b""))
    after = documents.splice(data, splices)
    again, lifted = _read(after, max_lines)
    if (
        after == data
        or lifted.state != "ok"
        or not lifted.is_closed_within
        or _values(lifted) != _values(block)
    ):
        return None
    # a block that readers only see to reject it is no better
    return after if strict_view(again, lifted).ok or not strict_view(document, block).ok else None


def close(data: bytes, max_lines: int | None) -> bytes | None:
    """The block with the closing line that it lacks: behind its last key, where a blank or no line follows.

    None where the lines behind the opening one are not plainly keys, or a strict reader would reject them.
    """
    document, block = _read(data, max_lines)
    lines = document.lines
    if block.state != "unclosed" or block.open_line != 1 or lines[0].text != _FENCE:
        return None
    count = 0
    keys = set()
    for line in lines[1:]:
        is_child = _CHILD_LINE.fullmatch(line.text) is not None and count > 0
        if not is_child and not _KEY_LINE.fullmatch(line.text):
            break
        keys.add(line.text.strip().partition(":")[0])
        count += 1
    behind = lines[1 + count] if 1 + count < len(lines) else None
    if not keys & _SAYING_KEYS or (behind is not None and behind.text.strip()):
        return None
    last = lines[count]
    eol = lines[0].eol.decode()
    at = last.end + len(last.eol)
    new = f"{_FENCE}{eol}" if last.eol else f"{eol}{_FENCE}"
    after = documents.splice(data, [Splice(at, at, documents.encode(new))])
    closed_document, closed = _read(after, max_lines)
    is_seen = closed.state == "ok" and closed.is_closed_within and not closed.duplicates
    return after if is_seen and strict_view(closed_document, closed).ok else None


def one_key(data: bytes, max_lines: int | None) -> bytes | None:
    """The block with the last line of each key that is there twice: the value that readers take now."""
    document, block = _read(data, max_lines)
    gone = [field for group in block.duplicates for field in group[:-1]]
    if block.state not in ("ok", "late") or not gone or not all(map(_is_one_line, gone)):
        return None
    after = documents.splice(data, documents.remove_lines(document, [field.first_line for field in gone]))
    _document, single = _read(after, max_lines)
    is_same = not single.duplicates and {p: block.get(*p) for p in _paths(block)} == dict(_values(single))
    return after if is_same else None


def repeats_agree(block: Frontmatter) -> bool:
    """Whether all values of every key that is there twice are the same."""
    return all(len({field.value for field in group}) == 1 for group in block.duplicates)


def quote(data: bytes, max_lines: int | None) -> bytes | None:
    """The block with quotes around the values at which a strict reader stops, and around those that it takes
    for something else than the text that was typed."""
    return (_quote_kept if len(data) <= KEPT_BYTES else _quote)(data, max_lines)


def _quote(data: bytes, max_lines: int | None) -> bytes | None:
    document, block = _read(data, max_lines)
    if block.state not in ("ok", "late"):
        return None
    before = data
    for _round in range(2 * len(block.fields) + 1):
        document, block = _read(data, max_lines)
        view = strict_view(document, block)
        following = _quoted_further(document, block, view, max_lines)
        if following is None:
            break
        data = following
    is_mended = data != before and strict_view(document, block).ok
    return data if is_mended and _values(block) == _values(_read(before, max_lines)[1]) else None


# found when a store is checked, needed when it is mended, and the same at every look until then
_quote_kept = lru_cache(maxsize=16_384)(_quote)


def quote_comment(data: bytes, max_lines: int | None) -> bytes | None:
    """The block with quotes around values that a strict reader cuts at a `#`."""
    document, block = _read(data, max_lines)
    view = strict_view(document, block)
    splices = [
        splice
        for item in view.altered
        if item.reason == "comment"
        for splice in set_value(document, block, item.field.path, item.field.value, requote=True)
    ]
    if not splices:
        return None
    after = documents.splice(data, splices)
    again, quoted = _read(after, max_lines)
    return after if _values(quoted) == _values(block) and strict_view(again, quoted).ok else None


def reason_at(document: Document, block: Frontmatter, line: int | None) -> tuple[Reason, Path, str] | None:
    """Why a strict reader reads the value in this line differently, its path, and what it reads; else None."""
    for item in strict_view(document, block).altered:
        if item.field.first_line == line:
            return item.reason, item.field.path, item.seen
    return None


def describe(data: bytes, max_lines: int | None, name: str, description: str) -> bytes | None:
    """The file with a description where it has none, and with a block where it has none (with this name)."""
    document, block = _read(data, max_lines)
    if block.state == "none":
        splices = [insert_block(document, [(("name",), name), (("description",), description)])]
    elif block.state == "unclosed" or block.get("description"):
        return None
    else:
        field = block.field("description")
        if field is not None and field.style == "map":
            return None
        splices = set_value(document, block, ("description",), description)
    after = documents.splice(data, splices)
    again, described = _read(after, max_lines)
    is_read = described.get("description") == description and strict_view(again, described).ok
    return after if is_read and (described.is_closed_within or not block.is_closed_within) else None


def _read(data: bytes, max_lines: int | None) -> tuple[Document, Frontmatter]:
    document = documents.parse(data)
    return document, parse(document, max_lines=max_lines)


def _paths(block: Frontmatter) -> list[Path]:
    return list(dict.fromkeys(field.path for field in block.fields if field.style != "map"))


def _values(block: Frontmatter) -> list[tuple[Path, str]]:
    return [(field.path, field.value) for field in block.fields if field.style != "map"]


def _is_one_line(field: Field) -> bool:
    return field.first_line == field.last_line and field.style != "map" and not field.in_flow


def _quoted_further(
    document: Document, block: Frontmatter, view: Strict, max_lines: int | None
) -> bytes | None:
    """The text with one more value in quotes, where that gets a strict reader further; else None."""
    if view.ok:
        altered = next((item.field for item in view.altered if item.reason != "comment"), None)
        return None if altered is None else _requoted(document, block, altered)
    for field in _suspects(block, view.line or 0):
        data = _requoted(document, block, field)
        if data is None:
            continue
        after, quoted = _read(data, max_lines)
        further = strict_view(after, quoted)
        if further.ok or (further.line or 0) > (view.line or 0):
            return data
    return None


def _suspects(block: Frontmatter, line: int) -> Iterator[Field]:
    """The values that may make a reader stop at a line: the one that stands there, then those above it."""
    above = [field for field in block.fields if field.first_line <= line and field.style != "map"]
    yield from sorted(above, key=lambda field: -field.first_line)


def _requoted(document: Document, block: Frontmatter, field: Field) -> bytes | None:
    is_last = block.field(*field.path) is field
    if not is_last or field.style not in ("plain", "list") or field.first_line != field.last_line:
        return None
    splices = set_value(document, block, field.path, field.value, requote=True)
    after = documents.splice(document.raw, splices)
    return after if after != document.raw else None
