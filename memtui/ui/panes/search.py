"""The search pane: a query, and what was found for it; without one, the sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.content import Content

from memtui.i18n import _
from memtui.ui.widgets.row_list import RowList
from memtui.ui.widgets.span_lines import SpanLines
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.ui.found import Found
    from memtui.ui.widgets.query_line import QueryLine


class SearchPane(Vertical):
    """The line for the query above the list."""

    _line: QueryLine | None = None
    _found: Found | None = None
    _filtered_by = ""
    _edges = ("", "")
    _offered: Sequence[tuple[str, str]] = ()
    _keywords: Sequence[str] = ()

    def on_mount(self) -> None:
        """Name the pane."""
        self._show_edges("")

    async def complete(self) -> None:
        """Mount the parts: the first frame shows an empty pane sooner without them."""
        from memtui.ui.widgets.query_line import QueryLine

        self._line = QueryLine(id="query")
        self._line.turned = self._turned
        self._below = SpanLines([[]], id="below-query")
        self._below.display = False
        await self.mount(self._line, self._below, RowList(id="found"))
        self.list.set_rows((), empty=[[(_("reading …"), "muted")]])

    @property
    def list(self) -> RowList:
        """The list itself."""
        return self.query_one(RowList)

    @property
    def line(self) -> QueryLine:
        """The line for the query."""
        assert self._line is not None
        return self._line

    def show(self, found: Found, *, from_top: bool, filtered_by: str = "") -> None:
        """Show what was found; the cursor stays on its row, or goes to the first one.

        `filtered_by` is the filter that the listed sessions passed, already safe.
        """
        self._found, self._filtered_by = found, filtered_by
        rows = found.rows if found.targets else ()
        self.list.set_rows(rows, empty=self._nothing(found))
        if from_top and rows:
            self.list.move_to_first()
        self._show_below()

    def know(self, keywords: Sequence[str]) -> None:
        """The keywords that a query may have, the most useful first."""
        self._keywords = keywords

    def offer(self, offered: Sequence[tuple[str, str]]) -> None:
        """Show what the word that is typed may become: what each is called, and what it means."""
        self._offered = offered
        self._show_below()

    def _show_below(self) -> None:
        """What is offered stands in the row below the query while it is typed, else what the frame says."""
        typing, about = self.line.typing, "" if self._found is None else self._found.about
        self._below.display = typing
        self._show_edges("" if typing else about)
        if typing:
            self._below.show([self._row_below(about)])

    def _show_edges(self, about: str) -> None:
        filtered_by = self._filtered_by
        edges = _("3 Search") + (f"  f {filtered_by}" if filtered_by else ""), about
        if edges != self._edges:
            # a frame that is given the words it has is painted again, with all that is in it
            self._edges = edges
            self.border_title, self.border_subtitle = map(Content, edges)

    def _row_below(self, about: str) -> Sequence[Span]:
        if not self._offered:
            return [(about if self.line.value.strip() else " ".join(self._keywords), "muted")]
        (first, meaning), *others = self._offered
        row: list[Span] = [(_("tab"), "key"), (f" {first}", "")]
        row += [(f" {meaning}", "muted")] if meaning else []
        return row + [(f" · {label}", "muted") for label, _meaning in others]

    def _nothing(self, found: Found) -> Sequence[Sequence[Span]]:
        """What stands where no row is: what can be done is another thing while a query is typed."""
        said = found.nothing
        if self._filtered_by:
            said = _("nothing matches; Esc shows all again")
        elif found.query is not None and self.line.typing:
            said = _("nothing found; type on, or take letters back")
        notes = [[(cell.text, cell.ink) for cell in row.cells] for row in found.rows]
        return [[(said if found.done else _("searching …"), "muted")], *notes]

    def _turned(self) -> None:
        self._show_below()
        if self._found is not None and not self._found.targets:
            self.list.set_rows((), empty=self._nothing(self._found))
