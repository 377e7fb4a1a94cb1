"""A review whose text stands beside another one: what differs between the two is seen, not remembered."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content

from memtui.ui.screens.list_screen import HALVES
from memtui.ui.screens.review_screen import Beside, Lines, ReviewScreen
from memtui.ui.screens.text_screen import ink_spans_of
from memtui.ui.widgets.ask_bar import AskBar
from memtui.ui.widgets.line_input import LineInput
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.row_list import RowList
from memtui.ui.widgets.span_lines import FactLines


class PairScreen(ReviewScreen):
    """The queue on top, two texts below it: side by side, or one above the other where it is narrow."""

    def compose(self) -> ComposeResult:
        """The queue, why its row is there, both texts, what is said, the keys."""
        with Vertical(id="sheet", classes="-active -list -review"):
            yield RowList(id="rows")
            yield FactLines(id="why")
            with Container(id="pair"):
                yield LineView(id="about")
                yield LineView(id="other")
            yield FactLines(id="said")
        yield self._keys
        yield AskBar(id="ask")
        yield LineInput(id="input")

    @property
    def other(self) -> LineView:
        """The text that the one under the cursor is compared with."""
        return self.query_one("#other", LineView)

    def show_pair(self, row_id: str, reason: Lines, one: Beside | None, other: Beside | None) -> None:
        """Show the text of the row and the one beside it; None = there is none, or it is still being read."""
        if not self.is_ready:
            return
        self.show_beside(row_id, reason, one)
        other = other or Beside()
        self.other.border_title, self.other.border_subtitle = Content(other.title), Content(other.about)
        inks = [ink_spans_of(line) for line in other.inks or ()]
        self.other.show(list(other.lines), inks=inks or None, inker=None)

    def action_move(self, name: str) -> None:
        """Move the cursor, or both texts."""
        super().action_move(name)
        if name in HALVES and not self.is_asking:
            self.other.move_pages(HALVES[name])
