"""Inks for lines of Markdown-like source: pure functions, one line at a time, with a small state between lines.

It colours what a person needs to find their way in a memory (frontmatter, headings, fences, links, list
marks). It does not judge: a line that it does not know is plain.
"""

from __future__ import annotations

from typing import Literal

from memtui.late import re

State = Literal["start", "front", "text", "fence", "tilde"]
"""What a line is inside of: `start` is the first line, where frontmatter may open."""

INITIAL: State = "start"

InkSpan = tuple[int, int, str]
"""Code points from, to, and the ink; spans of a line are ascending and do not overlap."""

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"\s{0,3}#{1,6}(\s|$)")
_QUOTE = re.compile(r"\s{0,3}>")
_LIST = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?=\s|$)")
_FIELD = re.compile(r"\s*[\w.-]+\s*:(?=\s|$)")
_RULE = re.compile(r"\s{0,3}([-*_])\s*(?:\1\s*){2,}$")
_INLINE = re.compile(
    r"(?P<code>`[^`]+`)"
    r"|(?P<wiki>\[\[[^\[\]]+\]\])"
    r"|(?P<link>\[[^\[\]]*\]\([^()\s]*\))"
    r"|(?P<strong>\*\*[^*\s](?:[^*]*[^*\s])?\*\*)"
)
_INLINE_INK = {"code": "code", "wiki": "link", "link": "link", "strong": "strong"}

LONGEST = 4096
"""A longer line is shown plain: nobody reads its marks, and the patterns cost time."""


def next_state(line: str, state: State) -> State:
    """The state that the line after this one begins in."""
    if state == "start":
        return "front" if line.rstrip() == "---" else next_state(line, "text")
    if state == "front":
        return "text" if line.rstrip() in ("---", "...") else "front"
    fence = _FENCE.match(line)
    if fence is None:
        return state
    opened: State = "fence" if fence[1][0] == "`" else "tilde"
    if state == "text":
        return opened
    return "text" if state == opened and not line[fence.end() :].strip() else state


def ink_spans(line: str, state: State) -> list[InkSpan]:
    """The inks of one line that begins in `state`."""
    if not line or len(line) > LONGEST:
        return []
    if state == "front" or (state == "start" and line.rstrip() == "---"):
        return _front(line)
    if state in ("fence", "tilde"):
        return [(0, len(line), "code")]
    if _FENCE.match(line):
        return [(0, len(line), "code")]
    if _HEADING.match(line):
        return [(0, len(line), "heading")]
    if _RULE.match(line):
        return [(0, len(line), "rule")]
    if _QUOTE.match(line):
        return [(0, len(line), "muted")]
    mark = _LIST.match(line)
    spans: list[InkSpan] = [(0, mark.end(), "list")] if mark else []
    start = mark.end() if mark else 0
    for found in _INLINE.finditer(line, start):
        spans.append((found.start(), found.end(), _INLINE_INK[found.lastgroup or "code"]))
    return spans


def _front(line: str) -> list[InkSpan]:
    if line.rstrip() in ("---", "..."):
        return [(0, len(line), "front")]
    key = _FIELD.match(line)
    return [(0, key.end(), "front")] if key else []
