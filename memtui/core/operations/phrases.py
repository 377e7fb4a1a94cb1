"""Titles and descriptions that are made of a text's own first words. Pure."""

from __future__ import annotations

from memtui.core.text.links import one_line
from memtui.late import re

TITLE_CHARACTERS = 60
"""A title that is made of a text's first line is cut at a word to this length."""

DESCRIPTION_CHARACTERS = 150

_MARK = re.compile(r"\s*(?:#{1,6}|[-*+]|[0-9]{1,3}[.)])\s+")


def first_line(text: str) -> str:
    """The first line with words, without the sign of a heading or a list; '' where there is none."""
    lines = (one_line(_MARK.sub("", line, count=1)) for line in text.split("\n"))
    return next((line for line in lines if line), "")


def as_title(line: str) -> str:
    """A line as a title: short, and without what would break a link."""
    return short(line, TITLE_CHARACTERS).replace("](", "] (")


def short(line: str, most: int) -> str:
    """A line of at most so many characters, cut at a word."""
    if len(line) <= most:
        return line
    head = line[:most].rpartition(" ")[0] or line[: most - 1]
    return head.rstrip(" ,;:-") + "…"


def unless_said(line: str, text: str) -> str:
    """A line, or '' where the text says it already."""
    return "" if one_line(line).casefold() in one_line(text).casefold() else line
