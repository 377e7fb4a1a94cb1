"""The index pane: every memory of the used stores, as the agent will see them."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.i18n import _
from memtui.ui.widgets.row_list import Row, RowList
from memtui.ui.widgets.spans import Span


class IndexPane(Vertical):
    """The list with its title: how many are shown, and by which filter."""

    def compose(self) -> ComposeResult:
        """The list."""
        yield RowList(id="memories")

    def on_mount(self) -> None:
        """Name the pane."""
        self.border_title = Content(_("1 Memories"))
        self.list.set_rows((), empty=[[(_("reading …"), "muted")]])

    @property
    def list(self) -> RowList:
        """The list itself."""
        return self.query_one(RowList)

    def show(
        self, rows: Sequence[Row], shown: int, total: int, query: str, empty: Sequence[Sequence[Span]]
    ) -> None:
        """Show rows; `query` is the filter that they passed ('' = none), already safe."""
        if query and not shown:
            empty = [[(_("nothing matches; q shows all again"), "muted")]]
        self.list.set_rows(rows if shown else (), empty=empty)
        self.border_title = Content(_("1 Memories") + (f"  f {query}" if query else ""))
        self.border_subtitle = Content(_("{shown} of {total}").format(shown=shown, total=total))
