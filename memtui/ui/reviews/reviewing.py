"""A review: a queue over the panes on whose memories the keys of the main list work just the same.

Whoever has something to decide on derives from `Review`, shows entries and hears what came of the decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from memtui.ui.screens.own_keys import Meaning
from memtui.ui.screens.review_screen import Beside, Entry, Lines, ReviewScreen

if TYPE_CHECKING:
    from memtui.core.workspace import Outcome, Workspace
    from memtui.ui.desk import Desk
    from memtui.ui.topic_text import TopicText
    from memtui.ui.view import Item

Do = Callable[[str], None]

MOST_FACTS = 3
"""Facts that stand above a text beside the reasons."""


class Review:
    """Holds the queue that is on the screen, and stands in `Front` of the panes. Lives in the UI thread.

    `own` are the commands of this review, by id, each with what it does on the row under the cursor. `passed`
    stand behind them in the key bar; one that is not `own` does what it does on the main screen. `meanings` are
    the words for those that do something else here.
    """

    screen_type: ClassVar[type[ReviewScreen]] = ReviewScreen
    """The kind of screen that it makes."""

    def __init__(
        self,
        desk: Desk,
        title: str,
        *,
        opener: str,
        own: Mapping[str, Do],
        passed: Sequence[str] = (),
        meanings: Mapping[str, Meaning] | None = None,
    ) -> None:
        self._desk = desk
        commands = {name: do for name, do in own.items() if name not in passed}
        commands |= {name: own.get(name) or partial(self._pass_on, name) for name in passed}
        self._screen = self.screen_type(title, commands, opener=opener, meanings=meanings)
        self._screen.why_not = lambda name: "" if name in own else self._why_not(name)
        self._screen.on_cursor = self._cursor_moved
        self.entries: Mapping[str, Entry] = {}

    def open(self) -> bool:
        """Lay it over the panes; False where something lies there already."""
        app = self._desk.app
        if len(app.screen_stack) > 1:
            return False
        self._desk.front = self
        self._desk.revealed.moved_to("")
        app.push_screen(self._screen, lambda _result: self._left())
        return True

    def show(self, entries: Sequence[Entry], empty: Lines) -> None:
        """Show this queue; the cursor stays on its row. `empty` stands there where it holds nothing."""
        self.entries = {entry.row.id: entry for entry in entries}
        self._screen.show_rows([entry.row for entry in entries], empty)

    def closed(self) -> None:
        """It was left. For whoever derives from this."""

    # What keys are about

    @property
    def screen(self) -> ReviewScreen:
        """The screen."""
        return self._screen

    @property
    def is_open(self) -> bool:
        """Whether it lies over the panes."""
        return self._desk.front is self

    @property
    def row_id(self) -> str:
        """The row under the cursor, '' when there is none."""
        return self._screen.rows.cursor_id if self._screen.is_ready else ""

    @property
    def item(self) -> Item | None:
        """The memory under the cursor, as it is now."""
        return self.item_of(self.row_id)

    def item_of(self, row_id: str) -> Item | None:
        """The memory of a row, as it is now; None where it has none, or it is gone."""
        entry, view = self.entries.get(row_id), self._desk.view
        return view.items.get(entry.memory) if entry is not None and view is not None else None

    @property
    def marked(self) -> tuple[Item, ...]:
        """The memories of the marked rows, in the order of the queue."""
        if not self._screen.is_ready:
            return ()
        marked = self._screen.rows.marked
        items = (self.item_of(row_id) for row_id in self.entries if row_id in marked)
        return tuple(item for item in items if item is not None)

    @property
    def source_line(self) -> int:
        """The line of its text that is at the top of the screen."""
        return self._screen.text.top_line

    def rows_of(self, memory: str) -> list[str]:
        """The rows of the queue that are about a memory, by its row in the view."""
        return [row_id for row_id, entry in self.entries.items() if memory and entry.memory == memory]

    def go_to(self, row_id: str) -> None:
        """Put the cursor on a row."""
        if self._screen.is_ready:
            self._screen.rows.go_to(row_id)

    def say(self, text: str, ink: str = "") -> None:
        """Say one sentence, safe for display, below the queue."""
        self._screen.say(text, ink)

    # What happens meanwhile

    def view_changed(self) -> None:
        """Show the text of the row as it is now."""
        self._show_text()

    def change_began(self, about: str) -> None:
        """For whoever derives from this."""

    def change_ended(self, about: str, outcome: Outcome | None) -> None:
        """For whoever derives from this."""

    # Inside

    def _why_not(self, command_id: str) -> str:
        from memtui.ui.why_not import why_not

        return why_not(self._desk, command_id)

    def _pass_on(self, command_id: str, _row_id: str) -> None:
        self._desk.app.action_do(command_id)

    def _left(self) -> None:
        self._desk.revealed.moved_to("")
        if self._desk.front is self:
            self._desk.front = None
        self.closed()
        self._desk.show_keys()
        self._desk.show_status()

    def _cursor_moved(self) -> None:
        item = self.item
        self._desk.revealed.moved_to("" if item is None else item.row_id)
        self._show_text()

    def _show_text(self) -> None:
        desk, row_id = self._desk, self.row_id
        entry, view, item = self.entries.get(row_id), desk.view, self.item
        if entry is None or entry.lines is not None or item is None or view is None:
            desk.work.forget("review")
            reason = entry.reason if entry is not None else ()
            self._screen.show_beside(row_id, reason, _plain(entry.lines or () if entry is not None else ()))
            return

        seen = desk.revealed.seen_in(item.row_id)

        def job(workspace: Workspace) -> TopicText:
            from memtui.core.safety import secrets
            from memtui.ui.topic_text import build_topic

            with secrets.seen(seen):
                return build_topic(workspace, view, item)

        def show(topic: TopicText) -> None:
            if self.row_id == row_id and self.entries.get(row_id) is entry:
                self._screen.show_beside(row_id, entry.reason, _beside(topic, entry.reason))
                beside = (self.entries.get(row) for row in self._screen.rows.beside_cursor())
                rows = [other.memory for other in beside if other is not None]
                desk.previews.prepare(view, rows, as_rendered=False, shown=None if seen else topic)

        known = None if seen else desk.previews.get(view, item.row_id, as_rendered=False)
        if known is not None:
            desk.work.forget("review")
            show(known)
            return
        self._screen.show_beside(row_id, entry.reason, None)
        desk.work.do(job, show, channel="review", failed=desk.say_error)


def _beside(topic: TopicText, reason: Lines) -> Beside:
    """The text of a memory; what the reasons say already is not said again."""
    said = {text for line in reason for text, _ink in line}
    facts = [fact for fact in topic.facts if not any(text in said for text, _ink in fact)]
    return Beside(
        title=topic.title,
        about=topic.about,
        facts=facts[:MOST_FACTS],
        lines=topic.lines,
        body=_body_line(topic.lines),
        rule_after=topic.rule_after,
        rule_text=topic.rule_text,
    )


def _body_line(lines: Sequence[str]) -> int:
    """The line after the frontmatter and what is blank behind it."""
    if not lines or lines[0].rstrip() != "---":
        return 1
    ends = (at for at, line in enumerate(lines[1:], 2) if line.rstrip() == "---")
    return next((at for at in range(next(ends, 0) + 1, len(lines) + 1) if lines[at - 1].strip()), 1)


def _plain(lines: Lines) -> Beside:
    return Beside(lines=["".join(text for text, _ink in line) for line in lines], inks=lines)
