"""Frontmatter as a lenient reader sees it: every value exactly as typed, with the bytes it stands on.

Where YAML readers differ or refuse (tabs, colons in a value, signs in front, unclosed quotes), the text as
typed is the value. One level of nesting is read; deeper levels belong to the value above them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from memtui.core.text.document import BOM, Document, Line
from memtui.core.text.frontmatter_model import Field, Frontmatter, Path
from memtui.core.text.scalars import BLOCK_HEADER, DOUBLE_QUOTED, SINGLE_QUOTED, Style, on_one_line, text_of
from memtui.late import re

_EXACT_FENCE = re.compile(rb"(?:\A\xef\xbb\xbf|^)---\r?$", re.MULTILINE)
_KEY = re.compile(r"""([ \t]*)(?![-?](?:[ \t]|$))("[^"\\]*"|'[^']*'|[^\s#"'\[\]{}&*!|>%@`,].*?):(?:[ \t]+|$)""")
_COMMENT = re.compile(r"[ \t]#(?:[ \t]|$)")
_SPECIAL = frozenset("\"'|>[{#")
_LONGEST_FLOW = 20_000
_AFTER_VALUE = re.compile(r"[ \t]*(?:[ \t]#.*)?")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]|$)")
_FLOW_PAIR = re.compile(r"""\s*("[^"\\]*"|'[^']*'|[^\s"':][^:]*?)\s*:(?:\s+|(?=["'])|$)""")


def parse(document: Document, *, max_lines: int | None = None) -> Frontmatter:
    """Read the leading block. Never fails; `max_lines` is only noted, never a limit for this reader."""
    lines = document.lines_until(_end_of_block(document.raw))
    head = len(BOM) if document.has_bom else 0
    opening = 0
    while opening < len(lines) and not lines[opening].text.strip():
        opening += 1
    if opening == len(lines) or not _is_fence(lines[opening].text):
        return Frontmatter("none", body_start=head, max_lines=max_lines)
    closing = 0
    for line in lines[opening + 1 :]:
        text = line.text
        if text[:3] == "---" and _is_fence(text):
            closing = line.number - 1
            break
    if not closing:
        return Frontmatter("unclosed", lines[opening].number, body_start=head, max_lines=max_lines)
    fields, is_simple = _Reader(lines, closing).read(opening + 1)
    close = lines[closing]
    return Frontmatter(
        "late" if opening else "ok",
        opening + 1,
        closing + 1,
        closing + 2,
        close.end + len(close.eol),
        tuple(fields),
        _strict_close(lines, closing),
        max_lines,
        is_simple,
    )


def _end_of_block(raw: bytes) -> int:
    """An offset that the leading block ends before, for every reader: a long body need not be split."""
    fences = [found.end() for found in islice(_EXACT_FENCE.finditer(raw), 2)]
    return fences[1] if len(fences) == 2 else len(raw)


def _is_fence(text: str) -> bool:
    return text.startswith("---") and text.rstrip(" \t") == "---"


def _strict_close(lines: Sequence[Line], closing: int) -> int | None:
    if lines[0].text != "---":
        return None
    if lines[closing].text == "---":
        return closing + 1
    return next((line.number for line in lines[closing:] if line.text == "---"), None)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))


def _byte_at(line: Line, column: int) -> int:
    return line.start + (column if line.text.isascii() else len(_encoded(line.text[:column])))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


class _Reader:
    """One pass over the lines of a block."""

    def __init__(self, lines: Sequence[Line], close: int) -> None:
        self._lines = lines
        self._close = close
        self._fields: list[Field] = []
        self._is_simple = True

    def read(self, first: int) -> tuple[list[Field], bool]:
        lines, close, fields = self._lines, self._close, self._fields
        base = inner = -1
        parent = ""
        position = first
        while position < close:
            text = lines[position].text
            match = _KEY.match(text)
            if match is None:
                stripped = text.strip()
                if stripped and stripped[0] != "#":
                    self._is_simple = False
                position += 1
                continue
            blanks, key = match.groups()
            indent, column = len(blanks), match.end()
            if key[0] in "\"'":
                key = key[1:-1]
                self._is_simple = False
            elif key[-1] in " \t":
                key = key.rstrip(" \t")
            if base < 0:
                base = indent
            if indent <= base:
                path: Path = (key,)
                parent, inner = "", -1
                if indent != base:
                    self._is_simple = False
            elif parent and (inner < 0 or indent <= inner):
                if inner < 0:
                    inner = indent
                elif indent != inner:
                    self._is_simple = False
                path = (parent, key)
            else:
                self._is_simple = False
                position += 1
                continue
            if "\t" in text:
                self._is_simple = False
            value = text[column:].rstrip(" \t")
            following = lines[position + 1].text if position + 1 < close else "x"
            if value and value[0] not in _SPECIAL and "#" not in value and following[: indent + 1].strip():
                line = lines[position]
                position += 1
                if text.isascii():
                    start = line.start + column
                    end = start + len(value)
                else:
                    start = _byte_at(line, column)
                    end = start + len(_encoded(value))
                fields.append(Field(path, value, value, position, position, start, end, "plain"))
                continue
            position = self._value(path, position, indent, column, value)
            item = fields[-1]
            if item.style == "map" and len(item.path) == 1 and not item.in_flow:
                parent, inner = key, -1
        return fields, self._is_simple

    def _value(self, path: Path, at: int, indent: int, column: int, value: str) -> int:
        """Read the value that begins at `column` of line index `at`; returns the index behind it."""
        if not value or (value[0] == "#" and value[1:2] in ("", " ", "\t")):
            return self._empty(path, at, indent, column)
        if value[0] in "|>" and BLOCK_HEADER.fullmatch(value):
            self._is_simple = False
            last = self._extent(at, indent)
            style: Style = "literal" if value[0] == "|" else "folded"
            return self._add(path, at, column, last, len(self._lines[last].text.rstrip(" \t")), style)
        if value[0] in "\"'":
            return self._quoted(path, at, indent, column)
        if value[0] in "[{":
            return self._flow(path, at, indent, column)
        return self._plain(path, at, indent, column)

    def _extent(self, at: int, indent: int) -> int:
        """The last line index of those behind `at` that are deeper than `indent`, blank lines between."""
        last = at
        for position in range(at + 1, self._close):
            text = self._lines[position].text
            if not text.strip(" \t"):
                continue
            if _indent(text) <= indent:
                break
            last = position
        return last

    def _add(
        self, path: Path, at: int, column: int, last: int, stop: int, style: Style, *, key_line: int = -1
    ) -> int:
        """Note a value from `column` of line index `at` to `stop` of line index `last`."""
        lines = self._lines
        raw = lines[at].text[column:] if last > at else lines[at].text[column:stop]
        if last > at:
            self._is_simple = False
            middle = [line.text for line in lines[at + 1 : last]]
            raw = "\n".join([raw, *middle, lines[last].text[:stop]])
        value = on_one_line(text_of(raw, style))
        first = at if key_line < 0 else key_line
        start, end = _byte_at(lines[at], column), _byte_at(lines[last], stop)
        self._fields.append(Field(path, value, raw, first + 1, last + 1, start, end, style))
        return last + 1

    def _plain(self, path: Path, at: int, indent: int, column: int, *, key_line: int = -1) -> int:
        last, stop = at, self._plain_stop(at, column)
        if stop == len(self._lines[at].text.rstrip(" \t")):
            for position in range(at + 1, self._extent(at, indent) + 1):
                text = self._lines[position].text
                if not text.strip(" \t"):
                    continue
                if text.lstrip(" \t")[0] == "#":
                    break
                last, stop = position, self._plain_stop(position, _indent(text))
                if stop < len(text.rstrip(" \t")):
                    break
        if " #" in self._lines[at].text or "\t#" in self._lines[at].text:
            self._is_simple = False
        return self._add(path, at, column, last, stop, "plain", key_line=key_line)

    def _plain_stop(self, at: int, column: int) -> int:
        # `# ` opens a comment in everybody's eyes; ` #12` is meant as text, though strict readers cut there
        text = self._lines[at].text.rstrip(" \t")
        match = _COMMENT.search(text, column)
        return len(text[: match.start()].rstrip(" \t")) if match else len(text)

    def _empty(self, path: Path, at: int, indent: int, column: int) -> int:
        line = self._lines[at]
        colon = len(line.text[:column].rstrip(" \t"))
        has_comment = bool(line.text[column:].strip(" \t"))
        if has_comment:
            self._is_simple = False
        position = at + 1
        while position < self._close:
            text = self._lines[position].text.strip(" \t")
            if text and text[0] != "#":
                break
            position += 1
        if position < self._close:
            text = self._lines[position].text
            deeper = _indent(text) > indent
            if _ITEM.match(text) and _indent(text) >= indent:
                return self._list(path, at, position, indent)
            if deeper and _KEY.match(text) and len(path) == 1:
                return self._header(path, at, colon)
            if deeper and _KEY.match(text):
                self._is_simple = False
                self._header(path, at, colon)
                return self._extent(at, indent) + 1
            if deeper:
                self._is_simple = False
                style: Style = "plain"
                stripped = text.strip(" \t")
                for pattern, name in ((DOUBLE_QUOTED, "double"), (SINGLE_QUOTED, "single")):
                    if pattern.fullmatch(stripped):
                        style = name  # type: ignore[assignment]
                if style != "plain":
                    stop = len(text.rstrip(" \t"))
                    return self._add(path, position, _indent(text), position, stop, style, key_line=at)
                return self._plain(path, position, indent, _indent(text), key_line=at)
        stop = colon if has_comment else len(line.text)
        return self._add(path, at, colon, at, stop, "plain") if stop == colon else self._blank(path, at, colon)

    def _blank(self, path: Path, at: int, colon: int) -> int:
        line = self._lines[at]
        start = _byte_at(line, colon)
        self._fields.append(Field(path, "", "", at + 1, at + 1, start, line.end, "plain"))
        return at + 1

    def _header(self, path: Path, at: int, colon: int) -> int:
        start = _byte_at(self._lines[at], colon)
        self._fields.append(Field(path, "", "", at + 1, at + 1, start, start, "map"))
        return at + 1

    def _list(self, path: Path, at: int, first: int, indent: int) -> int:
        last = first
        for position in range(first, self._close):
            text = self._lines[position].text
            if not text.strip(" \t"):
                continue
            if _indent(text) <= indent and not (_ITEM.match(text) and _indent(text) == indent):
                break
            last = position
        stop = len(self._lines[last].text.rstrip(" \t"))
        self._is_simple = False
        return self._add(path, first, _indent(self._lines[first].text), last, stop, "list", key_line=at)

    def _joined(self, at: int, column: int, last: int) -> str:
        rest = [line.text for line in self._lines[at + 1 : last + 1]]
        return "\n".join([self._lines[at].text[column:], *rest])

    def _place(self, at: int, column: int, joined: str, offset: int) -> tuple[int, int]:
        """Line index and column of a position in joined text."""
        before = joined[:offset]
        count = before.count("\n")
        return at + count, offset + column if count == 0 else offset - before.rfind("\n") - 1

    def _quoted(self, path: Path, at: int, indent: int, column: int) -> int:
        text = self._lines[at].text
        pattern = DOUBLE_QUOTED if text[column] == '"' else SINGLE_QUOTED
        style: Style = "double" if text[column] == '"' else "single"
        match = pattern.match(text, column)
        if match and _AFTER_VALUE.fullmatch(text, match.end()):
            return self._add(path, at, column, at, match.end(), style)
        if match is None:
            joined = self._joined(at, column, self._extent(at, indent))
            match = pattern.match(joined)
            if match:
                last, stop = self._place(at, column, joined, match.end())
                if _AFTER_VALUE.fullmatch(self._lines[last].text, stop):
                    return self._add(path, at, column, last, stop, style)
        self._is_simple = False
        return self._plain(path, at, indent, column)

    def _flow(self, path: Path, at: int, indent: int, column: int) -> int:
        self._is_simple = False
        last = self._extent(at, indent)
        if last + 1 < self._close and self._lines[last + 1].text.lstrip(" \t")[:1] in ("]", "}"):
            last += 1
        joined = self._joined(at, column, last)
        items = flow_items(joined) if len(joined) <= _LONGEST_FLOW else None
        if items is None:
            return self._plain(path, at, indent, column)
        stop_line, stop = self._place(at, column, joined, items[-1][1] + 1)
        if not _AFTER_VALUE.fullmatch(self._lines[stop_line].text, stop):
            return self._plain(path, at, indent, column)
        if joined[0] == "[" or len(path) > 1:
            return self._add(path, at, column, stop_line, stop, "list")
        behind = self._add(path, at, column, stop_line, stop, "map")
        header = self._fields[-1]
        self._fields[-1] = Field(
            path, "", header.raw, header.first_line, header.last_line, header.start, header.end, "map", True
        )
        for start, end in items:
            pair = _FLOW_PAIR.match(joined, start, end)
            if pair:
                self._flow_field(path, at, column, joined, pair, end)
        return behind

    def _flow_field(self, path: Path, at: int, column: int, joined: str, pair: re.Match[str], end: int) -> None:
        key = pair[1][1:-1] if pair[1][0] in "\"'" else pair[1]
        raw = joined[pair.end() : end].rstrip()
        begin = pair.end() if raw else pair.end(1) + joined[pair.end(1) :].index(":") + 1
        first, first_column = self._place(at, column, joined, begin)
        last, last_column = self._place(at, column, joined, begin + len(raw))
        style: Style = "plain"
        if raw[:1] in ("[", "{"):
            style = "list"
        elif DOUBLE_QUOTED.fullmatch(raw):
            style = "double"
        elif SINGLE_QUOTED.fullmatch(raw):
            style = "single"
        value = on_one_line(text_of(raw, style))
        start, stop = _byte_at(self._lines[first], first_column), _byte_at(self._lines[last], last_column)
        self._fields.append(Field((*path, key), value, raw, first + 1, last + 1, start, stop, style, True))


def flow_items(text: str) -> list[tuple[int, int]] | None:
    """The items of a flow list or map that begins at position 0, as spans (the last ends before the closing
    bracket; an empty collection has one empty item); None when it is not closed or its brackets cross."""
    closers: list[str] = []
    items: list[tuple[int, int]] = []
    start = 1
    position = 0
    while position < len(text):
        sign = text[position]
        if sign in "\"'" and text[position - 1] in " \t\n,[{:":
            match = (DOUBLE_QUOTED if sign == '"' else SINGLE_QUOTED).match(text, position)
            if match is None:
                return None
            position = match.end()
            continue
        if sign in "[{":
            closers.append("]" if sign == "[" else "}")
        elif sign in "]}":
            if closers.pop() != sign:
                return None
            if not closers:
                return [*items, (start, position)]
        elif sign == "," and len(closers) == 1:
            items.append((start, position))
            start = position + 1
        position += 1
    return None
