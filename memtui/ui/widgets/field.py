"""What every line of typing shares: the field, where its keys go, and how it keeps them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.segment import Segment
from textual import events
from textual.containers import Horizontal
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widgets import Input

from memtui.ui.widgets.spans import ELLIPSIS

JOINERS = frozenset("\u200d\ufe0f")

LEAVE = frozenset({"escape", "ctrl+c"})
"""Keys that leave a line; two of them, because a terminal may hold Esc back."""


def typed(text: str) -> str:
    """What of a pasted or typed text may stand in one line: its first line, without control characters."""
    first = text.lstrip("\r\n").splitlines()
    return "".join(c for c in first[0].replace("\t", " ") if c.isprintable() or c in JOINERS) if first else ""


class Field(Input):
    """Textual's input, which takes printable text only; ctrl+c copies a selection, and else is not its key."""

    # its place does not follow from what stands in it: nothing is laid out anew for a letter
    virtual_size = Reactive(Size(0, 0))

    def __init__(self) -> None:
        super().__init__(compact=True, select_on_focus=False)
        self.cursor_blink = False
        self.can_focus = False
        self._is_offered = False

    def offer(self) -> None:
        """Select the text that stands there, for the first letter to take its place."""
        self.select_all()
        self._is_offered = True

    def suggest(self, words: Sequence[str]) -> None:
        """Offer the first of these words that goes on from what is typed."""
        from textual.suggester import SuggestFromList

        self.suggester = SuggestFromList(words, case_sensitive=False) if words else None
        self._suggestion = ""

    def replace(self, text: str, start: int, end: int) -> None:
        """Put in what may stand in one line."""
        super().replace(typed(text), start, end)

    def watch_virtual_size(self) -> None:
        """Scroll no further than the text goes."""
        self.scroll_x = self.validate_scroll_x(self.scroll_x)

    def show_cursor(self) -> None:
        """Scroll to where letters go: what scrolls before it is laid out does so in another width."""
        self.scroll_to_region(Region(self._cursor_offset, 0, 1, 1), force=True, animate=False)

    def on_resize(self) -> None:
        """Keep the place where letters go in sight."""
        self.show_cursor()

    def render_line(self, y: int) -> Strip:
        """The row, with a sign at each edge where the text goes on; never where the cursor is."""
        strip = super().render_line(y)
        left, width = self.scroll_offset.x, self.scrollable_content_region.width
        at = self._position_to_cell(self.cursor_position) - left
        sign = Segment(ELLIPSIS, self.rich_style)
        if y == 0 and left and at > 0:
            strip = Strip([sign, *strip.crop(1)])
        if y == 0 and self.content_width - 1 - left > width and at < width - 1:
            strip = Strip([*strip.crop(0, width - 1), sign])
        return strip

    async def on_key(self, event: events.Key) -> None:
        """Do what an editing key is bound to at once: on its way up, later letters would overtake it."""
        is_offered, self._is_offered = self._is_offered, False
        bindings = self._bindings.key_to_bindings.get(event.key, ())
        leaves = event.key in LEAVE and (is_offered or self.selection.is_empty)
        if bindings and event.key != "enter" and not leaves:
            event.stop()
            event.prevent_default()
            await self.app.run_action(bindings[0].action, default_namespace=self)


class FieldLine(Horizontal):
    """A line with a field. Who derives from it says whether it is `typing`, and what its keys do (`used`)."""

    DEFAULT_CSS = """
    FieldLine {
        height: 1;
        & > Input {
            width: 1fr;
            height: 1;
            border: none;
            padding: 0;
        }
    }
    """

    def __init__(self, field: Field, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._field = field
        self.typing = False
        self.changed: Callable[[str], None] | None = None
        self._told = ""

    @property
    def value(self) -> str:
        """What stands in the field."""
        return self._field.value

    def used(self, key: str) -> bool:
        """Do what a key does that the field has no use for (`escape` for each that leaves); False = nothing."""
        raise NotImplementedError

    def begin(self) -> None:
        """Take keys into the field from now on, behind what stands there."""
        self.typing = True
        self._told = self._field.value
        self._field.can_focus = True
        self._field.cursor_position = len(self._field.value)
        self.screen.set_focus(self._field)
        self.call_after_refresh(self._field.show_cursor)

    def end(self) -> None:
        """Take no more keys."""
        self.typing = False
        # the field itself hears of its focus later
        if self.screen.focused is self._field:
            self.screen.set_focus(None)
        self._field.can_focus = False

    def take_key(self, event: events.Key) -> None:
        """Offer a key to whoever listens, else a letter that did not reach the field goes there."""
        self.catch_up()
        if self.used("escape" if event.key in LEAVE else event.key):
            event.stop()
            event.prevent_default()
        elif event.character is not None and (event.is_printable or event.character in JOINERS):
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
        self.catch_up()

    def catch_up(self) -> None:
        """Tell of what was typed before a key acts on it: the field's own message may be on its way still."""
        if self._told != self._field.value:
            self._told = self._field.value
            if self.changed is not None:
                self.changed(self._told)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass Enter on."""
        event.stop()
        if self.typing:
            self.catch_up()
            self.used("enter")

    def on_descendant_blur(self) -> None:
        """Keep the keys in the field: a terminal that tells about its focus makes Textual take it away."""
        if self.typing:
            self.call_later(self._field.focus)
