"""The topic pane: one memory as it is on disk, with what is known about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.i18n import _
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.span_lines import FactLines

if TYPE_CHECKING:
    from memtui.ui.topic_text import TopicText


class TopicPane(Vertical):
    """Facts above, the text below."""

    shown_id = ""

    def compose(self) -> ComposeResult:
        """The facts and the text."""
        yield FactLines(id="facts")
        yield LineView(id="text")

    def on_mount(self) -> None:
        """Name the pane."""
        self.clear()

    @property
    def text(self) -> LineView:
        """The text itself."""
        return self.query_one(LineView)

    def show(self, topic: TopicText) -> None:
        """Show a memory; the place in the text is kept where it is the same one."""
        self.border_title = Content(f"2 {topic.title}")
        self.border_subtitle = Content(topic.about)
        self.query_one(FactLines).show(topic.facts)
        self.text.show(
            topic.lines,
            rule_after=topic.rule_after,
            rule_text=topic.rule_text,
            keep_place=topic.row_id == self.shown_id,
        )
        self.shown_id = topic.row_id

    def clear(self) -> None:
        """Show nothing."""
        self.shown_id = ""
        self.border_title = Content(_("2 Text"))
        self.border_subtitle = Content("")
        self.query_one(FactLines).show([])
        self.text.show([])
