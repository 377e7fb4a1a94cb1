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

    _counted = ""
    _after_title: Sequence[str] = ()

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
        self,
        rows: Sequence[Row],
        shown: int,
        total: int,
        query: str,
        empty: Sequence[Sequence[Span]],
        *,
        order: str = "",
    ) -> None:
        """Show rows; `query` is the filter that they passed ('' = none), already safe, `order` what is said of
        their order ('' = nothing)."""
        if query and not shown:
            empty = [[(_("nothing matches; Esc shows all again"), "muted")]]
        self.list.set_rows(rows if shown else (), empty=empty)
        self._after_title = [*([f"f {query}"] if query else []), *([order] if order else [])]
        self._counted = _("{shown} of {total}").format(shown=shown, total=total)
        self._say_counts()

    def on_row_list_marks_changed(self, event: RowList.MarksChanged) -> None:
        """Say how many are marked."""
        self._say_counts()

    def on_resize(self) -> None:
        """The frame may have lost its lower edge, or have it again."""
        self._say_counts()

    def _say_counts(self) -> None:
        marks = self._marks()
        has_lower_edge = bool(self.styles.border_bottom[0])
        above = [*([marks] if marks and not has_lower_edge else []), *self._after_title]
        self.border_title = Content("  ".join([_("1 Memories"), *above]))
        self.border_subtitle = Content(" · ".join(part for part in (marks, self._counted) if part))

    def _marks(self) -> str:
        marked = self.list.marked
        if not marked:
            return ""
        hidden = len(marked - self.list.markable)
        said = _("{count} marked ({hidden} hidden)") if hidden else _("{count} marked")
        return said.format(count=len(marked), hidden=hidden)
