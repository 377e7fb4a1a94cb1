"""Markdown as lines to read: marks gone, inks instead, and for each line the lines of the source it shows.

Pure and independent of a width. Nothing of the source is lost: a part of it whose letters would not all be
there in order (and whatever else is beyond Markdown, or this module) is shown as its source. Links show
their target, HTML and entities stay as they were typed, and a backslash stays where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from memtui.core.safety import display
from memtui.late import re
from memtui.ui.rendering.inline import inline_lines, inline_spans, kept_breaks, plain, tokens_of
from memtui.ui.rendering.lines import Box, Line, Pen, Rendered
from memtui.ui.rendering.tables import table_lines

if TYPE_CHECKING:
    from markdown_it.token import Token

MOST_BYTES = 300_000
"""A longer text stays source: the parser takes a second for a megabyte, and twenty for one of brackets."""

RULE = "─" * 24

_MARKS = frozenset("\\`*_~#>|-=+[]()!<:\"'")
_FIELD = re.compile(r"(\w[\w.-]*)\s*:(?:\s+(.*)|$)")
_IN_FIELD = re.compile(r"\s|-\s|#|$")
_TASK = re.compile(r"\[[ xX]\](?=\s)")
_LEAVES = frozenset(("paragraph_open", "heading_open"))


def render(lines: Sequence[str]) -> Rendered:
    """Lay out the lines of a Markdown text. Takes any text, and never raises."""
    safe = [display.line(line) for line in lines]
    pen = Pen()
    body = _front_end(safe)
    if body:
        _fields(pen, safe[:body])
    done = body
    for tokens in _blocks(safe, body):
        first, last = _source_lines(tokens, body)
        pen.source(safe, done, first)
        if first < last:
            written, reached = len(pen.lines), pen.reached
            try:
                _block(pen, tokens, safe, body)
                is_whole = _has_all(safe[first:last], pen.lines[written:])
            except (RecursionError, IndexError, ValueError):
                is_whole = False
            if not is_whole:
                del pen.lines[written:]
                pen.reached = reached
                pen.boxes.clear()
                pen.source(safe, first, last)
            done = last
    pen.source(safe, done, len(safe))
    return Rendered(
        tuple(line.text for line in pen.lines),
        tuple(line.ink_spans() for line in pen.lines),
        tuple(line.lead for line in pen.lines),
        tuple((line.first + 1, line.last + 1) for line in pen.lines),
    )


def _has_all(source: Iterable[str], lines: Iterable[Line]) -> bool:
    """Whether every character that is no mark is there, in order."""
    shown = iter("".join(line.text for line in lines))
    return all(char in shown for line in source for char in line if char not in _MARKS and not char.isspace())


# The fields at its start


def _front_end(lines: Sequence[str]) -> int:
    """How many lines the block of fields at the start has, its fences included; 0 without one."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in ("---", "..."):
            return number + 1
        if not _FIELD.match(line) and not _IN_FIELD.match(line):
            return 0
    return 0


def _fields(pen: Pen, lines: Sequence[str]) -> None:
    found = [_FIELD.match(line) for line in lines]
    width = min(14, max((len(field[1]) for field in found if field), default=0))
    for number, (line, field) in enumerate(zip(lines, found, strict=True)):
        if field is not None:
            label = field[1].ljust(width) + "  "
            pen.write([(label, "front"), (field[2] or "", "")], number, number, hang=cell_len(label))
        elif line.strip() and 0 < number < len(lines) - 1:
            pen.write([(line, "")], number, number, hang=len(line) - len(line.lstrip()))
    pen.reached = len(lines)
    if pen.lines:
        pen.lines.append(Line([], len(lines) - 1, len(lines) - 1))


# Blocks


def _blocks(lines: Sequence[str], body: int) -> list[list[Token]]:
    """The tokens of each block of the outermost level; none where the parser gave up."""
    blocks: list[list[Token]] = []
    depth = 0
    for token in tokens_of("\n".join(lines[body:])):
        if depth == 0:
            blocks.append([])
        blocks[-1].append(token)
        depth += token.nesting
    return blocks


def _source_lines(tokens: Sequence[Token], body: int) -> tuple[int, int]:
    first, last = tokens[0].map or (0, 0)
    return first + body, last + body


def _block(pen: Pen, tokens: Sequence[Token], source: Sequence[str], body: int) -> None:
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        first, last = _source_lines([token], body)
        if token.type == "blockquote_open":
            pen.boxes.append(Box("│ ", "│ ", "muted", first))
        elif token.type == "list_item_open":
            task = _task_of(tokens, position)
            mark = f"{token.info}{token.markup} " if token.info else "" if task else "• "
            pen.boxes.append(Box(mark, " " * (len(mark) or 4), "list", first))
        elif token.type in ("blockquote_close", "list_item_close"):
            if not pen.boxes[-1].is_open:
                pen.write([], pen.boxes[-1].first, pen.boxes[-1].first)
            pen.boxes.pop()
        elif token.type in ("fence", "code_block"):
            _code(pen, token, source, first, last)
        elif token.type == "hr":
            pen.gap(source, first)
            pen.write([(RULE, "rule")], first, last - 1)
        elif token.type == "table_open":
            laid_out = table_lines(source[first:last], inline_spans) if not pen.boxes else None
            if laid_out is None:
                raise ValueError
            pen.gap(source, first)
            for number, spans in laid_out:
                pen.write(spans, first + number, first + number)
            pen.reached = last
            while tokens[position - 1].type != "table_close":
                position += 1
        elif token.type in _LEAVES:
            pen.gap(source, first)
            ink = "" if token.type == "paragraph_open" else "heading" if token.tag in ("h1", "h2") else "strong"
            is_task = not ink and bool(pen.boxes) and _task_of(tokens, position - 1)
            breaks = kept_breaks(source[first:last])
            for spans, start, stop in inline_lines(tokens[position].children or (), ink, breaks):
                if is_task and spans:
                    spans = [(spans[0][0][:3], "list"), (spans[0][0][3:], spans[0][1]), *spans[1:]]
                    is_task = False
                pen.write(spans, min(first + start, last - 1), min(first + stop, last - 1))
            pen.reached = last


def _task_of(tokens: Sequence[Token], position: int) -> bool:
    """Whether the paragraph that opens here is a task, done or not."""
    opens = position + 1 < len(tokens) and tokens[position].type == "paragraph_open"
    return opens and bool(_TASK.match(tokens[position + 1].content))


def _code(pen: Pen, token: Token, source: Sequence[str], first: int, last: int) -> None:
    pen.gap(source, first)
    inside = first
    if token.type == "fence":
        inside += 1
        if token.info.strip():
            pen.write([(plain(token.info.strip()), "muted")], first, first)
    rows = token.content.split("\n")
    for number, row in enumerate(rows[:-1] if not rows[-1] else rows, inside):
        text = plain(row)
        indent = 2 + len(text) - len(text.lstrip(" "))
        line = min(number, last - 1)
        pen.write([(f"  {text}", "code")], line, line, hang=min(indent, 12))
    pen.reached = last
