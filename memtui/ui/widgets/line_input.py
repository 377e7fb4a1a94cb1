"""LineInput: one line of typing in the footer's place, with a label."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from memtui.ui.widgets.span_lines import SpanLines

Done = Callable[[str | None], None]
"""Called with the text, None when the typing was left."""

JOINERS = frozenset("\u200d\ufe0f")


def typed(text: str) -> str:
    """What of a pasted or typed text may stand in one line: its first line, without control characters."""
    first = text.lstrip("\r\n").splitlines()
    return "".join(c for c in first[0].replace("\t", " ") if c.isprintable() or c in JOINERS) if first else ""


class Field(Input):
    """Textual's input, which takes printable text only."""

    def replace(self, text: str, start: int, end: int) -> None:
        """Put in what may stand in one line."""
        super().replace(typed(text), start, end)

    async def on_key(self, event: events.Key) -> None:
        """Do what an editing key is bound to at once: on its way up, later letters would overtake it."""
        bindings = self._bindings.key_to_bindings.get(event.key, ())
        if bindings and event.key != "enter":
            event.stop()
            event.prevent_default()
            await self.app.run_action(bindings[0].action, default_namespace=self)


class LineInput(Horizontal):
    """Asks for one line. Hidden until it asks; the value it starts with must be safe for display.

    The screen has the class `-asking` meanwhile.
    """

    DEFAULT_CSS = """
    LineInput {
        height: 1;
        display: none;
        &.-asking {
            display: block;
        }
        & > SpanLines {
            width: auto;
            max-width: 50%;
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
        self._label = SpanLines([[]])
        self._field = Field(compact=True, select_on_focus=False)
        self._field.cursor_blink = False
        self._field.can_focus = False
        self._done: Done | None = None
        self._changed: Callable[[str], None] | None = None

    def compose(self) -> ComposeResult:
        """The label and the field."""
        yield self._label
        yield self._field

    @property
    def asking(self) -> bool:
        """Whether a line is being typed."""
        return self._done is not None

    @property
    def value(self) -> str:
        """What stands in the field."""
        return self._field.value

    def ask(
        self, label: str, done: Done, *, value: str = "", changed: Callable[[str], None] | None = None
    ) -> None:
        """Ask for a line. `changed` hears every change while it is typed."""
        self._done = done
        self._changed = None
        self._label.show([[(f" {label}: ", "label")]])
        self._field.value = value
        self._field.cursor_position = len(value)
        self._changed = changed
        self.add_class("-asking")
        self.screen.add_class("-asking")
        self._field.can_focus = True
        self.screen.set_focus(self._field)

    def take_key(self, event: events.Key) -> None:
        """Enter ends the typing, Esc leaves it; a letter that did not reach the field goes there."""
        if event.key in ("enter", "escape"):
            event.stop()
            event.prevent_default()
            self.finish(self._field.value if event.key == "enter" else None)
        elif event.is_printable and event.character is not None and not self._field.has_focus:
            event.stop()
            event.prevent_default()
            self._field.insert_text_at_cursor(event.character)

    def finish(self, value: str | None) -> None:
        """End the typing with this value (None = left)."""
        done, self._done = self._done, None
        self._changed = None
        self.remove_class("-asking")
        self.screen.remove_class("-asking")
        if self._field.has_focus:
            self.screen.set_focus(None)
        self._field.can_focus = False
        if done is not None:
            done(value)

    def on_key(self, event: events.Key) -> None:
        """A key that the field had no use for."""
        if self.asking:
            self.take_key(event)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass a change on."""
        event.stop()
        if self._changed is not None:
            self._changed(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """End the typing."""
        event.stop()
        self.finish(event.value)

    def on_descendant_blur(self) -> None:
        """Keep the keys in the field: a terminal that tells about its focus makes Textual take it away."""
        if self.asking:
            self.call_later(self._field.focus)
