"""The topic pane: one memory as it is on disk, with what is known about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content

from memtui.i18n import _
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.span_lines import FactLines
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.ui.book import Page
    from memtui.ui.topic_text import TopicText


class TopicPane(Vertical):
    """Facts above, the text below."""

    shown_id = ""
    _shown: TopicText | None = None

    def on_mount(self) -> None:
        """Name the pane."""
        self.border_title = Content(_("2 Text"))

    async def complete(self) -> None:
        """Mount the facts and the text: the first frame shows an empty pane sooner without them."""
        await self.mount(FactLines(id="facts"), LineView(id="text"))

    @property
    def text(self) -> LineView:
        """The text itself."""
        return self.query_one(LineView)

    def show(self, topic: TopicText) -> None:
        """Show a memory; the place in the text is kept where it is the same one."""
        self.border_title = Content(f"2 {topic.title}")
        self.border_subtitle = Content(topic.about)
        self.query_one(FactLines).show(topic.facts)
        before, self._shown = self._shown, topic
        if before is not None and self.shown_id == topic.row_id and _same_text(before, topic):
            return
        self.text.show(
            topic.lines,
            rule_after=topic.rule_after,
            rule_text=topic.rule_text,
            keep_place=topic.row_id == self.shown_id,
        )
        self.shown_id = topic.row_id

    def show_session(
        self,
        name: str,
        title: str,
        about: str,
        facts: Sequence[Sequence[Span]],
        page: Page,
        place: tuple[int, int],
    ) -> None:
        """Show a page of a session, from a line and a row of it on."""
        self.shown_id, self._shown = f"session {name}", None
        self.border_title = Content(f"2 {title}")
        self.show_about(about, facts)
        self.text.show(page.lines, inks=page.inks, place=place)
        self.text.set_matches(page.matches)

    def show_about(self, about: str, facts: Sequence[Sequence[Span]]) -> None:
        """Show what stands around the text."""
        self.border_subtitle = Content(about)
        self.query_one(FactLines).show(facts)

    def clear(self) -> None:
        """Show nothing."""
        self.shown_id, self._shown = "", None
        self.border_title = Content(_("2 Text"))
        self.border_subtitle = Content("")
        self.query_one(FactLines).show([])
        self.text.show([])


def _same_text(before: TopicText, topic: TopicText) -> bool:
    return before.lines == topic.lines and before.rule_after == topic.rule_after
