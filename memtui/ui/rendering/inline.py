"""What stands inside of a line of Markdown: emphasis, code, links with their targets."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from memtui.core.safety import display
from memtui.i18n import _
from memtui.late import re
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

AMPERSAND = "\ufdd0"
"""Stands in for `&` while the parser looks, which would turn an entity into what it names. A noncharacter:
text that is safe for display holds none."""

WRITTEN_CELLS = 60
"""Nobody breaks a paragraph into shorter lines than these only to keep them short."""

_LABEL = re.compile(r"(\*\*|__)[^*_]+(:\1|\1:)")
_WIKI = re.compile(r"\[\[[^\[\]]+\]\]")


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text that is safe for display; none where the parser gave up."""
    try:
        return parser().parse(text.replace("&", AMPERSAND), {"steps": len(text) + STEPS})
    except (RecursionError, IndexError, ValueError):
        return []


STEPS = 20_000
"""Steps that the parser may take over one for each character."""


def inline_spans(text: str, ink: str = "") -> list[Span]:
    """One line of Markdown that is safe for display, as spans."""
    try:
        parsed = parser().parseInline(text.replace("&", AMPERSAND), {"steps": len(text) + STEPS})
    except (RecursionError, IndexError, ValueError):
        return [(text, ink)]
    return [span for line in inline_lines(parsed[0].children or (), ink) for span in line[0]]


def kept_breaks(source: Sequence[str]) -> frozenset[int]:
    """After which lines of a paragraph (from 0) the person meant a new one.

    Markdown joins them. But agents write a line for each thought (`**Why:** …`), and a break that only keeps
    lines short is known by the word behind it, for which there was no room.
    """
    lines = [line.strip(" >") for line in source]
    most = max((WRITTEN_CELLS, *map(len, lines)))
    return frozenset(
        number
        for number, (line, after) in enumerate(pairwise(lines))
        if _LABEL.match(after) or (after and len(line) + 1 + len(after.split(maxsplit=1)[0]) <= most)
    )


def inline_lines(
    tokens: Iterable[Token], ink: str, breaks: Container[int] = ()
) -> list[tuple[list[Span], int, int]]:
    """Lines with their first and last line of the source, counted from the first; a new one begins after the
    lines of the source in `breaks` too."""
    lines: list[tuple[list[Span], int, int]] = []
    spans: list[Span] = []
    inks = [ink]
    targets: list[str] = []
    first = at = 0
    for token in tokens:
        kind = token.type
        if kind == "softbreak" and at not in breaks:
            spans.append((" ", ink))
            at += 1
        elif kind in ("hardbreak", "softbreak"):
            lines.append((spans, first, at))
            spans, at = [], at + 1
            first = at
        elif kind == "code_inline":
            spans.append((plain(token.content), "code"))
        elif kind == "link_open":
            inks.append("link")
            targets.append("" if token.info == "auto" else _target(token, "href"))
        elif kind == "link_close":
            inks.pop()
            spans.append((targets.pop(), "muted"))
        elif kind == "image":
            shown = _("image {name}").format(name=plain(token.content))
            spans += [(shown, "link"), (_target(token, "src"), "muted")]
        elif token.nesting > 0:
            inks.append(inks[-1] if inks[-1] in ("link", "heading") else kind.removesuffix("_open"))
        elif token.nesting < 0:
            inks.pop()
        else:
            # an escape stays as it was typed: in what an agent remembers, it is a path or a pattern
            text = plain(token.markup if kind == "text_special" else token.content)
            spans += _with_wiki_links(text, inks[-1])
    return [*lines, (spans, first, at)]


def _with_wiki_links(text: str, ink: str) -> list[Span]:
    spans, at = [], 0
    for found in _WIKI.finditer(text):
        spans += [(text[at : found.start()], ink), (found[0], "link")]
        at = found.end()
    return [*spans, (text[at:], ink)]


def _target(token: Token, name: str) -> str:
    target, title = (plain(str(token.attrs.get(key, ""))) for key in (name, "title"))
    return f' ‹{target} "{title}"›' if title else f" ‹{target}›"


def plain(text: str) -> str:
    """What a token holds, safe for display."""
    return display.line(text.replace(AMPERSAND, "&"))


@cache
def parser() -> MarkdownIt:
    """The parser; made, and imported, once."""
    from memtui.ui.rendering.parser import make_parser

    return make_parser()
