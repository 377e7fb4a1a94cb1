"""The Markdown parser as memtui needs it: nothing is looked up, decoded or judged, and it ends in time."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline


class LiteralMarkdown(MarkdownIt):
    """CommonMark with tables; targets stay as they were typed, whatever they lead to: nothing is opened."""

    def validateLink(self, url: str) -> bool:
        """Every target is one."""
        return True

    def normalizeLink(self, url: str) -> str:
        """The target as it was typed."""
        return url

    def normalizeLinkText(self, link: str) -> str:
        """The target as it was typed."""
        return link


def make_parser() -> MarkdownIt:
    """A parser; its `env` holds `steps`, and it raises ValueError when it took more of them.

    Off are entities (they could stand for a control character), definitions of links (they would vanish)
    and HTML.
    """
    parser = LiteralMarkdown("commonmark", {"html": False, "maxNesting": 60})
    parser.enable("table").disable(["entity", "reference", "text_join"])
    parser.inline.ruler.before("text", "steps", _count_step)
    return parser


def _count_step(state: StateInline, silent: bool) -> bool:
    state.env["steps"] -= 1
    if state.env["steps"] < 0:
        raise ValueError("more marks than a text has")
    return False
