"""A screen with lines to read: all keys, all stores. Any of the keys for back leaves it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from memtui.i18n import _
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.source_style import InkSpan
from memtui.ui.widgets.spans import INK_CLASSES, Span


class TextScreen(ModalScreen[None]):
    """Lines of spans, wrapped, with a title; text must be safe for display."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(INK_CLASSES)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,h,escape,left,enter", "dismiss", show=False),
        Binding("j,down", "move(1)", show=False),
        Binding("k,up", "move(-1)", show=False),
        Binding("ctrl+d,pagedown", "page(1)", show=False),
        Binding("ctrl+u,pageup", "page(-1)", show=False),
        Binding("g,home", "first", show=False),
        Binding("G,end", "last", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[Sequence[Span]], *, leave_with: str = "") -> None:
        super().__init__()
        self._heading = title
        self._spans = lines
        if leave_with:
            self._bindings.bind(leave_with, "dismiss", show=False)

    def compose(self) -> ComposeResult:
        """The lines in a frame."""
        with Vertical(id="sheet", classes="-active"):
            yield LineView()

    @property
    def text_view(self) -> LineView:
        """Where the lines are."""
        return self.query_one(LineView)

    def on_mount(self) -> None:
        """Fill in the lines."""
        frame = self.query_one("#sheet")
        frame.border_title = Content(self._heading)
        below = self.app.screen_stack[-2:-1]
        # a question that stands below goes on standing
        is_asked = bool(below) and below[0].has_class("-asking")
        frame.border_subtitle = Content(_("q back to the question") if is_asked else _("q back"))
        self.fill()

    def fill(self) -> None:
        """Show the lines."""
        texts = ["".join(text for text, _ink in line) for line in self._spans]
        self.text_view.show(texts, inks=[ink_spans_of(line) for line in self._spans])

    def action_move(self, rows: int) -> None:
        """Scroll by rows."""
        self.text_view.move_by(rows)

    def action_page(self, pages: int) -> None:
        """Scroll by pages."""
        self.text_view.move_pages(pages)

    def action_first(self) -> None:
        """To the first line."""
        self.text_view.move_to_first()

    def action_last(self) -> None:
        """To the last line."""
        self.text_view.move_to_last()


def ink_spans_of(line: Sequence[Span]) -> list[InkSpan]:
    """The places and inks of a line's spans, for a LineView."""
    spans: list[InkSpan] = []
    at = 0
    for text, ink in line:
        if ink:
            spans.append((at, at + len(text), ink))
        at += len(text)
    return spans
