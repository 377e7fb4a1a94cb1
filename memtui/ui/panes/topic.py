"""The topic pane: one memory as it is on disk, with what is known about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content

from memtui.i18n import _
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.source_style import InkSpan, State
from memtui.ui.widgets.span_lines import FactLines
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.ui.book import Page
    from memtui.ui.rendering.lines import Rendered
    from memtui.ui.topic_text import TopicText


class TopicPane(Vertical):
    """Facts above, the text below."""

    shown_id = ""
    _shown: TopicText | None = None
    _about = ""
    _found = ""

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
        """Show a memory; the place in the text is kept where it is the same one, as source or rendered."""
        self.border_title = Content(f"2 {topic.title}")
        self._say_about(topic.about, self._found if self.shown_id == topic.row_id else "")
        facts = self.query_one(FactLines)
        facts.show(topic.facts, narrow=topic.narrow_facts)
        facts.set_class(not topic.lines, "-alone")
        before = self._shown if self.shown_id == topic.row_id else None
        if before is not None and _same_text(before, topic):
            self._shown = topic
            return
        is_same_look = before is not None and (before.rendered is None) == (topic.rendered is None)
        place, here = self.text.place if is_same_look else (1, 0), self.source_line
        self._shown, self.shown_id = topic, topic.row_id
        if topic.rendered is None:
            self.text.show(topic.lines, rule_after=topic.rule_after, rule_text=topic.rule_text, place=place)
        else:
            self._show_rendered(topic, topic.rendered, place)
        if before is not None and not is_same_look and here > 1:
            self.go_to_source(here)

    def _show_rendered(self, topic: TopicText, rendered: Rendered, place: tuple[int, int]) -> None:
        rule_after, rule_text = None, ""
        if topic.rule_after is not None:
            rule_after, is_exact = rendered.cut_after(topic.rule_after)
            rule_text = topic.rule_text if is_exact else _("a recall ends about here")
        self.text.show(
            rendered.lines,
            inks=rendered.inks,
            leads=rendered.leads,
            rule_after=rule_after,
            rule_text=rule_text,
            place=place,
        )

    @property
    def rendered(self) -> Rendered | None:
        """The text as Markdown to read, None where the source (or a session) is shown."""
        return None if self._shown is None else self._shown.rendered

    @property
    def source_line(self) -> int:
        """The line of the source that is at the top of the screen."""
        line, rendered = self.text.top_line, self.rendered
        return line if rendered is None else rendered.source_of(line)

    def go_to_source(self, line: int) -> None:
        """Bring a line of the source to the top, or what shows it."""
        rendered = self.rendered
        self.text.goto_line(line if rendered is None else rendered.line_of(line))

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
        self.text.show(page.lines, inks=page.inks, leads=page.leads, place=place)
        self.text.set_matches(page.matches)

    def show_about(self, about: str, facts: Sequence[Sequence[Span]]) -> None:
        """Show what stands around the text."""
        self._say_about(about, "")
        around = self.query_one(FactLines)
        around.show(facts)
        around.set_class(False, "-alone")

    def show_found(self, found: str) -> None:
        """Say in the frame what was found in the text, '' for nothing."""
        if found != self._found:
            self._say_about(self._about, found)

    def _say_about(self, about: str, found: str) -> None:
        self._about, self._found = about, found
        self.border_subtitle = Content(" · ".join(filter(None, (found, about))))

    def clear(self, instead: Sequence[str] = ()) -> None:
        """Show nothing, or these lines in its place."""
        self.shown_id, self._shown = "", None
        self.border_title = Content(_("2 Text"))
        self._say_about("", "")
        self.query_one(FactLines).show([])

        def inker(text: str, state: State) -> list[InkSpan]:
            return [(0, len(text), "muted")]

        self.text.show(list(instead), inker=inker)


def _same_text(before: TopicText, topic: TopicText) -> bool:
    is_same_look = (before.rendered is None) == (topic.rendered is None)
    return is_same_look and before.lines == topic.lines and before.rule_after == topic.rule_after
