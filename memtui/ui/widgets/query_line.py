"""QueryLine: the line of a pane in which a query stands, and is typed while the pane is searched."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.highlighter import Highlighter
from rich.text import Text
from textual.app import ComposeResult

from memtui.i18n import _
from memtui.ui.widgets.field import Field, FieldLine
from memtui.ui.widgets.span_lines import SpanLines
from memtui.ui.widgets.spans import ink_style

SIGN = "/"


class _Marked(Highlighter):
    """The look of the marked places of a query."""

    def __init__(self, field: _QueryField) -> None:
        self._field = field

    def highlight(self, text: Text) -> None:
        """Style them."""
        if self._field.marks is not None:
            style = ink_style(self._field, "key")
            for first, last in self._field.marks(text.plain):
                text.stylize(style, first, last)


class _QueryField(Field):
    """The field; the keys with which other widgets scroll are handed on."""

    hand_on: Callable[[str], bool] | None = None
    marks: Callable[[str], Iterable[tuple[int, int]]] | None = None

    def __init__(self) -> None:
        super().__init__()
        self.highlighter = _Marked(self)

    def _hand_on(self, key: str) -> None:
        if self.hand_on is not None:
            self.hand_on(key)

    def action_scroll_up(self) -> None:
        """The arrow up."""
        self._hand_on("up")

    def action_scroll_down(self) -> None:
        """The arrow down."""
        self._hand_on("down")

    def action_page_up(self) -> None:
        """A page up."""
        self._hand_on("pageup")

    def action_page_down(self) -> None:
        """A page down."""
        self._hand_on("pagedown")


class QueryLine(FieldLine):
    """Keeps its text when the typing ends. `changed` hears every change; `key` is asked about every key that
    the field has no use for (`escape` for every one that leaves), and says whether it took it; `turned` hears
    that the typing begins or has ended, `moved` that the text or the place where letters go is another."""

    DEFAULT_CSS = """
    QueryLine > SpanLines {
        width: 2;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        field = _QueryField()
        super().__init__(field, id=id)
        field.hand_on = self.used
        self.key: Callable[[str], bool] | None = None
        self.turned: Callable[[], None] | None = None
        self.moved: Callable[[], None] | None = None
        self._query_field = field
        field.placeholder = _("searches memories and sessions")

    def compose(self) -> ComposeResult:
        """The sign and the field."""
        yield SpanLines([[(SIGN, "key")]])
        yield self._field

    def on_mount(self) -> None:
        """Watch where letters go."""
        for name in ("value", "selection"):
            self.watch(self._field, name, self._moved, init=False)

    def _moved(self) -> None:
        if self.moved is not None:
            self.moved()

    def mark(self, marks: Callable[[str], Iterable[tuple[int, int]]]) -> None:
        """Show the places that this finds in the text as more than words."""
        self._query_field.marks = marks
        self._query_field.refresh()

    @property
    def cursor(self) -> int:
        """Before which character letters go."""
        return self._field.cursor_position

    def put(self, text: str, start: int, end: int) -> None:
        """Put a text in the place of some characters, and go on typing behind it."""
        self._field.replace(text, start, end)
        self.catch_up()

    def begin(self) -> None:
        """Take keys from now on."""
        self._field.placeholder = _("type to search memories and sessions")
        super().begin()
        if self.turned is not None:
            self.turned()

    def end(self) -> None:
        """Take no more keys."""
        self._field.placeholder = _("searches memories and sessions")
        super().end()
        if self.turned is not None:
            self.turned()

    def used(self, key: str) -> bool:
        """Ask whoever listens."""
        self.catch_up()
        return self.key is not None and self.key(key)
