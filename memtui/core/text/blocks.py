"""Which lines of a Markdown list hold inline text: what is left when code, comments and tables are taken out.

The rules are CommonMark's, as far as a list of links needs them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtui.core.text.document import Line, encode
from memtui.core.text.links import Masked, mask
from memtui.late import re

Span = tuple[int, int]

BULLET = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])(?:([ \t]+)|$)")
"""A list item: the blanks before the marker, the marker, the blanks behind it."""

HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
"""A heading's start."""

_FENCE = re.compile(r"[ \t]*(`{3,}(?=[^`]*$)|~{3,})")


class Blocks:
    """Walks the lines of a document once.

    After the walk `comments` are the byte spans of comments at top level, and `open_line` the line (from 1)
    of a fence or comment that is never closed, or None.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._no_end_before = 0
        self.comments: list[Span] = []
        self.open_line: int | None = None

    def text_lines(self) -> Iterator[tuple[Line, Masked]]:
        """The lines that hold inline text, with code and comments in them made opaque."""
        fence = ""
        comment_line: int | None = None
        containers: list[int] = []
        in_paragraph = False
        fence_line = 0
        comment_start: int | None = None
        for position, line in enumerate(self._lines):
            text = line.text
            if fence:
                if _closes(text, fence):
                    fence = ""
                continue
            if comment_line is not None:
                end = text.find("-->")
                if end < 0:
                    continue
                comment_line = None
                masked = mask(text, end + 3)
                if comment_start is not None:
                    self.comments.append((comment_start, line.start + _size(text[: end + 3])))
            else:
                stripped = text.lstrip(" \t")
                if not stripped:
                    in_paragraph = False
                    continue
                indent = _columns(text[: len(text) - len(stripped)])
                while containers and indent < containers[-1]:
                    containers.pop()
                base = containers[-1] if containers else 0
                if indent >= base + 4 and not in_paragraph:
                    continue
                opening = _FENCE.match(text) if stripped[0] in "`~" else None
                if opening is not None:
                    fence, fence_line, in_paragraph = opening.group(1), line.number, False
                    continue
                if stripped[0] == "|":
                    in_paragraph = False
                    continue
                bullet = BULLET.match(text)
                if bullet is not None and not _is_rule(stripped):
                    containers.append(_columns(bullet.group(1)) + len(bullet.group(2)) + 1)
                in_paragraph = not HEADING.match(text)
                masked = mask(text)
                if masked.comments and masked.comments[0][0] == indent and not containers:
                    self.comments.append(
                        (line.start + indent, line.start + _size(text[: masked.comments[0][1]]))
                    )
            if masked.open_comment >= 0:
                at_start = not text[: masked.open_comment].strip(" \t")
                if at_start or self._closes_comment(position + 1):
                    comment_line = line.number
                    comment_start = line.start + masked.open_comment if at_start and not containers else None
                    masked = Masked(masked.text[: masked.open_comment], masked.comments)
            yield line, masked
        if fence:
            self.open_line = fence_line
        elif comment_line is not None:
            self.open_line = comment_line

    def _closes_comment(self, position: int) -> bool:
        # an inline comment ends within its paragraph or is no comment at all
        if position < self._no_end_before:
            return False
        while position < len(self._lines):
            text = self._lines[position].text
            if not text.strip() or BULLET.match(text) or HEADING.match(text):
                break
            if "-->" in text:
                return True
            position += 1
        self._no_end_before = position
        return False


def _size(text: str) -> int:
    return len(encode(text))


def _columns(blanks: str) -> int:
    return len(blanks.expandtabs(4))


def _is_rule(stripped: str) -> bool:
    bare = stripped.replace(" ", "").replace("\t", "")
    return len(bare) >= 3 and len(set(bare)) == 1 and bare[0] in "-*_"


def _closes(text: str, fence: str) -> bool:
    bare = text.strip(" \t")
    return len(bare) >= len(fence) and set(bare) == {fence[0]}
