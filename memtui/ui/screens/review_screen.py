"""A screen on which a queue of things is decided on one by one: why each is there, its text beside it.

Its keys are those of the table, as on every list. It knows no memory: what an entry says, and what a key does,
comes from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from memtui.late.dataclasses import dataclass
from memtui.ui.screens.list_screen import Do, ListScreen
from memtui.ui.screens.main import size_classes
from memtui.ui.screens.own_keys import Meaning
from memtui.ui.screens.text_screen import ink_spans_of
from memtui.ui.widgets.ask_bar import AskBar
from memtui.ui.widgets.line_input import LineInput
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.row_list import Row, RowList
from memtui.ui.widgets.span_lines import FactLines, KeyBar
from memtui.ui.widgets.spans import Span

Lines = Sequence[Sequence[Span]]
"""Rows of text with their inks."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the queue; all of it safe for display.

    `reason` says why it is there, one sentence a line. `memory` is the row of the view that the keys of
    memories are about, '' = none. `lines` are the text beside it, None = the text of that memory.
    """

    row: Row
    reason: Lines = ()
    memory: str = ""
    lines: Lines | None = None


@dataclass(frozen=True, slots=True)
class Beside:
    """The text of an entry: its name and what is known of it, facts above it, and the text itself.

    `inks` None = it is painted as source; `body` is the line at which what matters begins: where there are few
    rows, the text does; `rule_after` is the line after which `rule_text` is drawn.
    """

    title: str = ""
    about: str = ""
    facts: Lines = ()
    lines: Sequence[str] = ()
    inks: Lines | None = None
    body: int = 1
    rule_after: int | None = None
    rule_text: str = ""


class ReviewScreen(ListScreen):
    """A queue over the whole screen. `commands` and `meanings` as of a `ListScreen`. The text stands beside the
    queue, below it where the screen is narrow; where the queue is empty it alone is there."""

    def __init__(
        self,
        title: str,
        commands: Mapping[str, Do],
        *,
        opener: str,
        meanings: Mapping[str, Meaning] | None = None,
    ) -> None:
        super().__init__(title, commands, opener=opener, meanings=meanings, tell=lambda row_id: ())
        self._progress: Sequence[str] = ()
        self._keys = KeyBar(id="keys")
        self._keys.show_keys(self._key_words(), always=2)
        self._at_top = ""
        self._beside = Beside()
        self.on_cursor: Callable[[], None] = lambda: None
        """Hears that the cursor is on another row, or that the rows are other ones."""

    def compose(self) -> ComposeResult:
        """The queue, the text with its reason, what is said, the keys; a question and a line lie over them."""
        with Vertical(id="sheet", classes="-active -list -review"):
            with Horizontal(id="queue"):
                yield RowList(id="rows")
                with Vertical(id="beside"):
                    yield FactLines(id="why")
                    yield LineView(id="about")
            yield FactLines(id="said")
        yield self._keys
        yield AskBar(id="ask")
        yield LineInput(id="input")

    def _fit(self) -> None:
        """The keys have a row of their own."""

    # What it shows

    @property
    def is_ready(self) -> bool:
        """Whether it is there to be shown something."""
        return self._is_made and self.is_attached

    @property
    def line_input(self) -> LineInput:
        """Where a line is typed."""
        return self.query_one(LineInput)

    @property
    def text(self) -> LineView:
        """The text beside the queue."""
        return self.query_one("#about", LineView)

    @property
    def is_asking(self) -> bool:
        """Whether every key belongs to a question or to a line being typed."""
        return self.is_ready and (self.ask_bar.asking or self.line_input.asking)

    def call(self, name: str, meaning: Meaning) -> None:
        """Give a command other words from now on: what it does on the row under the cursor."""
        if self._meanings.get(name) != meaning:
            self._meanings = {**self._meanings, name: meaning}
            self._keys.show_keys(self._key_words(), always=2)

    def show_progress(self, parts: Sequence[str]) -> None:
        """Say in the frame how far it is, the most important part first (`12 of 48`)."""
        self._progress = parts
        if self.is_ready:
            self.query_one("#sheet").border_title = Content(
                "  ".join(filter(None, (self._heading, " · ".join(parts))))
            )

    def show_rows(self, rows: Sequence[Row], empty: Lines) -> None:
        """Show other rows; the cursor stays on its id."""
        super().show_rows(rows, empty)
        if self.is_ready:
            self.query_one("#sheet").set_class(not rows, "-empty")
        self.show_progress(self._progress)

    def show_beside(self, row_id: str, reason: Lines, beside: Beside | None) -> None:
        """Show why the row is there, and its text; None = that is still being read. Where it is the same row
        as before, the place in the text is kept."""
        if not self.is_ready:
            return
        facts = beside.facts if beside is not None else ()
        self.query_one("#why", FactLines).show([*reason, *facts])
        if beside is None:
            if row_id != self._at_top:
                self._at_top = ""
                self._fill(Beside())
            return
        # its own classes come later than the first text
        has_few_rows = not {"-short", "-narrow"}.isdisjoint(size_classes(*self.app.size))
        first = (beside.body if has_few_rows else 1, 0)
        if row_id != self._at_top:
            self._fill(beside, first)
        elif beside != self._beside:
            self._fill(beside, self.text.place)
        self._at_top = row_id

    def _fill(self, beside: Beside, place: tuple[int, int] = (1, 0)) -> None:
        self._beside = beside
        self.text.border_title = Content(beside.title)
        self.text.border_subtitle = Content(beside.about)
        lines, after = list(beside.lines), beside.rule_after
        inks = None if beside.inks is None else [ink_spans_of(line) for line in beside.inks]
        self.text.show(lines, inks=inks, rule_after=after, rule_text=beside.rule_text, place=place)

    # Keys

    def on_key(self, event: events.Key) -> None:
        """A line being typed takes the keys that its field left."""
        if self.line_input.asking and not self.ask_bar.asking:
            self.line_input.take_key(event)
        else:
            super().on_key(event)

    def action_move(self, name: str) -> None:
        """Move the cursor, or the text, unless something is asked."""
        if not self.is_asking:
            super().action_move(name)

    def action_do(self, name: str) -> None:
        """Do a command on the row under the cursor, unless something is asked."""
        if not self.is_asking:
            super().action_do(name)

    def action_keys(self, name: str) -> None:
        """List the keys of this list, unless something is asked."""
        if not self.is_asking:
            super().action_keys(name)

    def action_leave(self) -> None:
        """Back to what lies below, unless something is asked."""
        if not self.is_asking:
            super().action_leave()

    def _tell_row(self) -> None:
        if self.is_ready:
            self.on_cursor()
