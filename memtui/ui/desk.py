"""The desk: what is shown, and what the verbs and the navigation need to know of it. Lives in the UI thread."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.widget import Widget

from memtui.core.errors import MemtuiError
from memtui.i18n import _
from memtui.ui.beside import Beside
from memtui.ui.carrying import Carrying
from memtui.ui.commands import Scope
from memtui.ui.finding import Finding
from memtui.ui.habits import Habits
from memtui.ui.inspecting import Inspecting
from memtui.ui.listing import Listing
from memtui.ui.live import Live
from memtui.ui.noticing import Noticing
from memtui.ui.panes.index import IndexPane
from memtui.ui.panes.search import SearchPane
from memtui.ui.panes.status import StatusPane
from memtui.ui.panes.topic import TopicPane
from memtui.ui.previews import Previews
from memtui.ui.reading import Reading
from memtui.ui.revealing import Revealed
from memtui.ui.searching import Searching
from memtui.ui.seeking import Seeker
from memtui.ui.telling import Telling
from memtui.ui.widgets.ask_bar import AskBar
from memtui.ui.widgets.span_lines import KeyBar
from memtui.ui.widgets.spans import Span
from memtui.ui.work import Work

if TYPE_CHECKING:
    from memtui.core.agent_resuming import RunWithInput
    from memtui.core.library import Session
    from memtui.core.remembered import Remembered
    from memtui.core.workspace import Workspace
    from memtui.ui.app import MemtuiApp
    from memtui.ui.live import MakeWatcher
    from memtui.ui.looking import Look
    from memtui.ui.reviews.front import Front
    from memtui.ui.shelf import Shelf
    from memtui.ui.topic_text import TopicText
    from memtui.ui.view import Item, Notice, StoreView, View
    from memtui.ui.widgets.line_input import LineInput


class Desk:
    """Holds the view that is on the screen and brings every pane in step with it."""

    def __init__(
        self, app: MemtuiApp, work: Work, shelf: Shelf, make_watcher: MakeWatcher | None = None
    ) -> None:
        self.app = app
        self.work = work
        self.run_tmux: RunWithInput | None = None
        self.seeker = Seeker(app.post_message)
        self.view: View | None = None
        self._front: Front | None = None
        self.item_was_chosen = False
        self._line_input: LineInput | None = None
        self.listing = Listing(self)
        self.live = Live(self, make_watcher)
        self.inspecting = Inspecting(self)
        self.noticing = Noticing(self)
        self.reading = Reading(self)
        self.previews = Previews(work)
        self._coming: tuple[str, int | None] = ("", None)
        self.revealed = Revealed()
        self.searching = Searching(self, shelf)
        self.finding = Finding(self)
        self.beside = Beside(self)
        self.carrying = Carrying(self)
        self.live.sessions_changed = self.searching.files_changed
        self.habits = Habits(app.env, work)
        self.telling = Telling(self)

    @property
    def front(self) -> Front | None:
        """What lies over the panes and has the keys of memories meanwhile."""
        front = self._front
        return front if front is not None and front.screen in self.app.screen_stack else None

    @front.setter
    def front(self, front: Front | None) -> None:
        self._front = front

    # The parts of the screen

    @property
    def main(self) -> Widget:
        """The screen with the panes, whatever lies over it."""
        return self.app.screen_stack[0]

    @property
    def ask_bar(self) -> AskBar:
        """Where questions are asked."""
        return self.main.query_one(AskBar) if self.front is None else self.front.screen.ask_bar

    @property
    def line_input(self) -> LineInput:
        """Where a line is typed."""
        if self.front is not None:
            return self.front.screen.line_input
        assert self._line_input is not None
        return self._line_input

    async def complete(self) -> None:
        """Mount what the first frame does not show."""
        from memtui.ui.widgets.line_input import LineInput

        self._line_input = LineInput(id="input")
        await self.topic.complete()
        await self.search.complete()
        await self.status.complete()
        await self.main.mount(AskBar(id="ask"), self._line_input)

    @property
    def is_asking(self) -> bool:
        """Whether every key belongs to a question or to a line being typed."""
        return self.ask_bar.asking or self.is_typing

    @property
    def is_typing(self) -> bool:
        """Whether a line is being typed."""
        return self.is_complete and (self.line_input.asking or self.searching.is_typing)

    @property
    def is_complete(self) -> bool:
        """Whether everything is mounted."""
        return self._line_input is not None

    @property
    def is_on_top(self) -> bool:
        """Whether nothing lies over what keys are about."""
        return self.app.screen is (self.main if self.front is None else self.front.screen)

    @property
    def index(self) -> IndexPane:
        """The index pane."""
        return self.main.query_one(IndexPane)

    @property
    def topic(self) -> TopicPane:
        """The topic pane."""
        return self.main.query_one(TopicPane)

    @property
    def search(self) -> SearchPane:
        """The search pane."""
        return self.main.query_one(SearchPane)

    @property
    def status(self) -> StatusPane:
        """The status pane."""
        return self.main.query_one(StatusPane)

    # What the cursor is on

    @property
    def item(self) -> Item | None:
        """The memory under the cursor."""
        if self.front is not None:
            return self.front.item
        if self.view is None or self.scope == "session":
            return None
        if self.app.navigation.active == "search":
            return self.view.items.get(self.searching.memory_row)
        return self.view.items.get(self.index.list.cursor_id)

    @property
    def notice(self) -> Notice | None:
        """The problem of a file under the cursor of the index, while nothing else is."""
        if self.view is None or self.front is not None or self.scope == "session" or self.item is not None:
            return None
        return self.view.notices.get(self.index.list.cursor_id)

    @property
    def marked(self) -> tuple[Item, ...]:
        """The marked memories in the order of the list; () when there are none."""
        return self.listing.marked if self.front is None else self.front.marked

    @property
    def scope(self) -> Scope:
        """The kind of thing that keys are about: what the cursor is on, or what is read."""
        active = self.app.navigation.active
        if self.front is not None:
            return "memory"
        if active == "search":
            target = self.searching.target
            return "session" if target is not None and target.session is not None else "memory"
        return "session" if active == "topic" and self.reading.is_open else "memory"

    @property
    def session(self) -> Session | None:
        """The session under the cursor, or the one that is read."""
        if self.app.navigation.active == "search":
            target = self.searching.target
            return None if target is None else target.session
        return self.reading.session

    @property
    def message_offset(self) -> int | None:
        """Where the message under the cursor begins in its file."""
        if self.app.navigation.active == "search":
            target = self.searching.target
            return None if target is None else target.offset
        entry = self.reading.current
        return None if entry is None else entry.offset

    @property
    def source_line(self) -> int:
        """The line of the memory's source that is at the top of the screen."""
        return self.topic.source_line if self.front is None else self.front.source_line

    @property
    def store_number(self) -> int:
        """The number of the store under the cursor, else of the first."""
        item = self.item
        if item is not None:
            return item.store
        return (self.view.store_of(self.index.list.cursor_id) if self.view is not None else None) or 0

    @property
    def store(self) -> StoreView | None:
        """The store under the cursor, else the first."""
        if self.view is None or not self.view.stores:
            return None
        return self.view.stores[self.store_number]

    # What is remembered from run to run

    @property
    def remembered(self) -> Remembered:
        """What memtui remembers of the person."""
        return self.habits.remembered

    def remember(self, **changes: Any) -> None:
        """Remember other values for fields of `Remembered`; written on the work thread."""
        self.habits.remember(**changes)

    def hint(self, command_id: str, sentence: str) -> str:
        """A sentence that tells of a key, '' once the person has used its command often enough to know it."""
        return "" if self.habits.knows(command_id) else sentence

    # What is shown

    def say(self, text: str, ink: str = "") -> None:
        """Say one sentence in the status; it must be safe for display."""
        self.telling.say(text, ink)
        if self.front is not None:
            self.front.say(text, ink)

    def wrapped(self, text: str) -> list[str]:
        """A safe sentence in rows for a question's details."""
        from textwrap import wrap

        return wrap(text, max(20, self.app.size.width - 2))

    def is_still_said(self, text: str) -> bool:
        """Whether nothing else was said since this."""
        return [words for words, _ink in self.telling.said] == [text]

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

        def job(workspace: Workspace) -> Look | None:
            return self.live.look(workspace, locate_again=locate_again)

        self.work.do(job, self.live.show, failed=self._not_read)

    def _not_read(self, error: MemtuiError) -> None:
        self.say_error(error)
        if self.view is None:
            from memtui.core.safety import display
            from memtui.ui.nothing import not_read

            self.index.list.set_rows((), empty=not_read(display.line(error.message)))

    def show_view(self, view: View, *, goes_to_new: bool = False) -> None:
        """Show the stores as they are now; the cursor stays, or goes to the first memory that is new."""
        before, self.view = self.view, view
        if before is None:
            # a thousand memories that stay are nothing to look through for garbage at every twentieth key
            self.app.garbage.leave_out_what_there_is()
        self.index.list.badges = self.live.news.badges
        self.listing.show_view(before, view, goes_to_new=goes_to_new)
        if self.front is not None:
            self.front.view_changed()
        self._leave_question_about_what_is_gone(before, view)

    def _leave_question_about_what_is_gone(self, before: View | None, view: View) -> None:
        about = self.ask_bar.about if self.ask_bar.asking else ""
        item = before.items.get(about) if before is not None else None
        if item is not None and about not in view.items:
            self.ask_bar.leave()
            self.say(_("{file} is already gone").format(file=item.name or item.title), "warn")

    @property
    def query_text(self) -> str:
        """The filter of the list, '' when there is none."""
        return self.listing.query

    @property
    def is_filtered(self) -> bool:
        """Whether the list shows some memories only."""
        return bool(self.listing.query or self.listing.only)

    def filter(self, query: str) -> None:
        """Show only what matches; '' shows all."""
        self.listing.filter(query)

    def unfilter(self) -> None:
        """Show all again."""
        self.listing.show_all()

    def nothing_yet(self, view: View) -> Sequence[Sequence[Span]]:
        """What stands in the list while there is no memory: why, and what can be done."""
        from memtui.ui.hints import searches
        from memtui.ui.nothing import no_memory
        from memtui.ui.why_not import why_not

        return no_memory(view, why_not(self, "add"), searches(self))

    def show_status(self) -> None:
        """Bring the top bar and the status in step, where anything they say changed."""
        self.telling.show()

    def settle(self, *, moves: bool = False) -> None:
        """The person goes on: what was said last is no news any more; `moves` as in `Telling.settle`."""
        self.telling.settle(moves=moves)

    def show_keys(self) -> None:
        """Show the keys that what the cursor is on takes."""
        if not self.is_complete:
            return
        from memtui.ui.keys_now import keys_now

        # no bar while the screen is taken apart
        for bar in self.main.query(KeyBar):
            bar.show_keys(keys_now(self))

    def show_memory(self) -> None:
        """Show the memory under the cursor, whatever is read."""
        self.reading.close()
        self.show_item()

    def go_to_memory(self, row_id: str, line: int | None = None) -> None:
        """Put the cursor of the index on a memory and show it, at a line of its file."""
        self.listing.go_to(row_id)
        self.reading.close()
        self.show_item(row_id, line)

    def show_item(self, row_id: str = "", line: int | None = None) -> None:
        """Show the memory under the cursor of the index (or that one), unless a session is read."""
        self.show_keys()
        self.listing.cursor_id = self.index.list.cursor_id
        view = self.view
        if self.reading.is_open:
            return
        wanted = row_id or self.index.list.cursor_id
        item = None if view is None else view.items.get(wanted) or view.notices.get(wanted)
        if item is None or view is None:
            from memtui.ui.nothing import no_text

            self.topic.clear(no_text(view, self.app.navigation.active))
            return

        if self.front is None:
            self.revealed.moved_to(item.row_id)
        # a look at the disk may ask for the same text again before it stands at its line
        if line is None and self._coming[0] == item.row_id:
            line = self._coming[1]
        self._coming = item.row_id, line
        as_rendered, seen = self.remembered.rendered, self.revealed.seen_in(item.row_id)

        def job(workspace: Workspace) -> TopicText:
            from memtui.core.safety import secrets
            from memtui.ui.topic_text import topic_of

            with secrets.seen(seen):
                return topic_of(workspace, view, item, as_rendered=as_rendered, file_line=line)

        def show(topic: TopicText) -> None:
            self._coming = "", None
            self.topic.show(topic)
            if topic.line is not None:
                self.topic.go_to_source(topic.line)
            self.finding.text_changed()
            beside = self.index.list.beside_cursor()
            self.previews.prepare(view, beside, as_rendered=as_rendered, shown=None if seen else topic)

        is_known = line is None and not seen
        known = self.previews.get(view, item.row_id, as_rendered=as_rendered) if is_known else None
        if known is not None:
            self.work.forget("topic")
            show(known)
        else:
            self.work.do(job, show, channel="topic", failed=self.say_error)

    # The editor

    def run_editor(self, words: list[str], path: Path, line: int) -> str:
        """Run an editor on a file; gives what went wrong, '' when nothing did."""
        from memtui.ui.editor import run_editor

        problem = run_editor(self.app, words, path, line)
        self.app.refresh(layout=True)
        return problem
