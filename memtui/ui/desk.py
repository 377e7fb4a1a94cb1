"""The desk: what is shown, and what the verbs and the navigation need to know of it. Lives in the UI thread."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.widget import Widget

from memtui.core.errors import MemtuiError
from memtui.i18n import _
from memtui.ui.commands import key_bar
from memtui.ui.panes.index import IndexPane
from memtui.ui.panes.status import StatusPane, StatusStrip
from memtui.ui.panes.topic import TopicPane
from memtui.ui.widgets.ask_bar import AskBar
from memtui.ui.widgets.span_lines import KeyBar, TopBar
from memtui.ui.widgets.spans import Span
from memtui.ui.work import Work

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace
    from memtui.ui.app import MemtuiApp
    from memtui.ui.filtering import Filtered
    from memtui.ui.topic_text import TopicText
    from memtui.ui.view import Item, StoreView, View
    from memtui.ui.widgets.line_input import LineInput


class Desk:
    """Holds the view that is on the screen and brings every pane in step with it."""

    def __init__(self, app: MemtuiApp, work: Work) -> None:
        self.app = app
        self.work = work
        self.view: View | None = None
        self.query_text = ""
        self.item_was_chosen = False
        self._line_input: LineInput | None = None
        self._said: list[Span] = []
        self._status_of: tuple[object, ...] = ()

    # The parts of the screen

    @property
    def main(self) -> Widget:
        """The screen with the panes, whatever lies over it."""
        return self.app.screen_stack[0]

    @property
    def ask_bar(self) -> AskBar:
        """Where questions are asked."""
        return self.main.query_one(AskBar)

    @property
    def line_input(self) -> LineInput:
        """Where a line is typed."""
        assert self._line_input is not None
        return self._line_input

    async def complete(self) -> None:
        """Mount what the first frame does not show."""
        from memtui.ui.widgets.line_input import LineInput

        self._line_input = LineInput(id="input")
        await self.main.mount(self._line_input)

    @property
    def is_asking(self) -> bool:
        """Whether every key belongs to a question or to a line being typed."""
        return self.ask_bar.asking or self.is_typing

    @property
    def is_typing(self) -> bool:
        """Whether a line is being typed."""
        return self._line_input is not None and self._line_input.asking

    @property
    def index(self) -> IndexPane:
        """The index pane."""
        return self.main.query_one(IndexPane)

    @property
    def topic(self) -> TopicPane:
        """The topic pane."""
        return self.main.query_one(TopicPane)

    @property
    def status(self) -> StatusPane:
        """The status pane."""
        return self.main.query_one(StatusPane)

    # What the cursor is on

    @property
    def item(self) -> Item | None:
        """The memory under the cursor."""
        return None if self.view is None else self.view.items.get(self.index.list.cursor_id)

    @property
    def store_number(self) -> int:
        """The number of the store under the cursor, else of the first."""
        item = self.item
        return 0 if item is None else item.store

    @property
    def store(self) -> StoreView | None:
        """The store under the cursor, else the first."""
        if self.view is None or not self.view.stores:
            return None
        return self.view.stores[self.store_number]

    # What is shown

    def say(self, text: str, ink: str = "") -> None:
        """Say one sentence in the status; it must be safe for display."""
        self._said = [(text, ink)] if text else []
        self.show_status()

    def say_error(self, error: MemtuiError) -> None:
        """Say what went wrong."""
        from memtui.core.safety import display

        self.say(display.line(error.message), "muted" if error.exit_status == 1 else "error")

    def say_notes(self, notes: Sequence[str]) -> None:
        """Say what the person should know."""
        from memtui.core.safety import display

        if notes:
            self.say(" · ".join(display.line(note) for note in notes), "warn")

    def reload(self, *, locate_again: bool = False) -> None:
        """Read everything again."""

        def job(workspace: Workspace) -> View:
            from memtui.ui.view import build_view

            return build_view(workspace, locate_again=locate_again)

        self.work.do(job, self.show_view, channel="view", failed=self.say_error)

    def show_view(self, view: View) -> None:
        """Show the stores as they are now; the cursor goes to what is new, else stays."""
        before, self.view = self.view, view
        fresh = [row_id for row_id in view.items if before is not None and row_id not in before.items]
        if self.query_text:
            self.filter(self.query_text)
        else:
            total = len(view.items)
            self.index.show(view.rows, total, total, "", _nothing_yet(view))
        if len(fresh) == 1:
            self.index.list.go_to(fresh[0])
        self.show_status()
        self.show_item()

    def filter(self, query: str) -> None:
        """Show only what matches; '' shows all."""
        self.query_text = query
        view = self.view
        if view is None:
            return

        def job(workspace: Workspace) -> Filtered:
            from memtui.ui.filtering import filter_view

            return filter_view(view, query)

        def show(found: Filtered) -> None:
            if self.view is not view or self.query_text != found.query:
                return
            self.index.show(found.rows, found.count, len(view.items), found.query, ())
            if found.best and not self.item_was_chosen:
                self.index.list.go_to(found.best)

        self.work.do(job, show, channel="filter", failed=self.say_error)

    def unfilter(self) -> None:
        """Show all again."""
        self.query_text = ""
        if self.view is not None:
            self.show_view(self.view)

    def show_status(self) -> None:
        """Bring the top bar and the status in step, where anything they say changed."""
        strip = self.main.query_one(StatusStrip)
        if self.view is None:
            self.status.show([self._said])
            strip.show_items([], self._said, is_news=True)
            return
        from memtui.ui.view import count_items, status_lines, top_parts

        state = (self.view, self.store_number, tuple(self._said))
        if state == self._status_of:
            return
        self._status_of = state
        self.main.query_one(TopBar).show_parts(*top_parts(self.view, self.store_number))
        self.status.show(status_lines(self.view, self._said, self.store_number))
        said = self._said
        if not said and self.view.last_change:
            said = [(_("u undoes: {summary}").format(summary=self.view.last_change), "muted")]
        elif not said and self.store is not None:
            said = [(f"{self.store.name}: {self.store.reason}", "muted")]
        strip.show_items(count_items(self.view), said, is_news=bool(self._said))

    def show_item(self) -> None:
        """Show the memory under the cursor, and the keys that it takes."""
        item, view = self.item, self.view
        self.main.query_one(KeyBar).show_keys(key_bar(on_memory=item is not None))
        if item is None or view is None:
            self.topic.clear()
            return

        def job(workspace: Workspace) -> TopicText:
            from memtui.ui.topic_text import build_topic

            return build_topic(workspace, view, item)

        self.work.do(job, self.topic.show, channel="topic", failed=self.say_error)

    # The editor

    def run_editor(self, words: list[str], path: Path, line: int) -> str:
        """Run an editor on a file; gives what went wrong, '' when nothing did."""
        from memtui.ui.editor import run_editor

        problem = run_editor(self.app, words, path, line)
        self.app.refresh(layout=True)
        return problem


def _nothing_yet(view: View) -> Sequence[Sequence[Span]]:
    lines: list[list[Span]] = [[(_("No memory here yet."), "title")]]
    for store in view.stores:
        lines.append([(_("{owner} would keep it in").format(owner=store.name), "")])
        lines.append([(f"  {store.path}", "muted")])
    if not view.stores:
        lines.append([(_("No agent is known to keep any for this directory."), "")])
    return [*lines, [], [(_("a adds the first memory · w shows every store"), "muted")]]
