"""QueryLine: the line of a pane in which a query stands, and is typed while the pane is searched."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from memtui.ui.widgets.line_input import Field
from memtui.ui.widgets.span_lines import SpanLines

SIGN = "/"


class _QueryField(Field):
    """The field; the keys with which other widgets scroll are handed on."""

    hand_on: Callable[[str], bool] | None = None

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


class QueryLine(Horizontal):
    """Keeps its text when the typing ends. `changed` hears every change; `key` is asked about every key that
    the field has no use for, and says whether it took it."""

    DEFAULT_CSS = """
    QueryLine {
        height: 1;
        & > SpanLines {
            width: 2;
        }
        & > Input {
            width: 1fr;
            height: 1;
            border: none;
            padding: 0;
        }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._field = _QueryField(compact=True, select_on_focus=False)
        self._field.cursor_blink = False
        self._field.can_focus = False
        self.typing = False
        self.changed: Callable[[str], None] | None = None
        self.key: Callable[[str], bool] | None = None

    def compose(self) -> ComposeResult:
        """The sign and the field."""
        yield SpanLines([[(SIGN, "key")]])
        yield self._field

    @property
    def value(self) -> str:
        """What stands in the field."""
        return self._field.value

    def begin(self) -> None:
        """Take keys into the field from now on, behind what stands there."""
        self.typing = True
        self._field.hand_on = self.key
        self._field.can_focus = True
        self._field.cursor_position = len(self._field.value)
        self.screen.set_focus(self._field)

    def end(self) -> None:
        """Take no more keys."""
        self.typing = False
        if self._field.has_focus:
            self.screen.set_focus(None)
        self._field.can_focus = False

    def take_key(self, event: events.Key) -> None:
        """Offer a key to whoever listens, else a letter that did not reach the field goes there."""
        if self.key is not None and self.key(event.key):
            event.stop()
            event.prevent_default()
        elif event.is_printable and event.character is not None and not self._field.has_focus:
            event.stop()
            event.prevent_default()
            self._field.insert_text_at_cursor(event.character)

    def on_key(self, event: events.Key) -> None:
        """A key that the field had no use for."""
        if self.typing:
            self.take_key(event)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass a change on."""
        event.stop()
        if self.changed is not None:
            self.changed(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass Enter on."""
        event.stop()
        if self.key is not None:
            self.key("enter")

    def on_descendant_blur(self) -> None:
        """Keep the keys in the field: a terminal that tells about its focus makes Textual take it away."""
        if self.typing:
            self.call_later(self._field.focus)
