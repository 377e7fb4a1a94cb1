"""LineInput: one line of typing in the footer's place, with a label before it and a note behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual.app import ComposeResult

from memtui.i18n import _
from memtui.ui.widgets.field import Field, FieldLine, typed
from memtui.ui.widgets.span_lines import SpanLines
from memtui.ui.widgets.spans import Span, clip_spans

__all__ = ["Done", "LineInput", "typed"]

Done = Callable[[str | None], None]
"""Called with the text, None when the typing was left."""

APART_BELOW = 150
"""In fewer cells the label and the note have a row of their own, and the field one as wide as the screen."""

KEYS_FROM = 76
"""Cells from which on a line without a note has its keys there."""

LABEL_KEEPS = 14
"""Cells that a label keeps beside a note."""

BETWEEN = " · "


def _keys() -> list[list[Span]]:
    """The keys of a line that is typed."""
    return [
        [("Enter", "key"), (" " + _("keep"), "muted")],
        [("Esc ctrl+c", "key"), (" " + _("leave"), "muted")],
    ]


class LineInput(FieldLine):
    """Asks for one line. Hidden until it asks; the value it starts with must be safe for display.

    The screen has the class `-asking` meanwhile.
    """

    DEFAULT_CSS = """
    LineInput {
        display: none;
        &.-asking {
            display: block;
        }
        & > SpanLines {
            width: auto;
            max-width: 40%;
        }
        & > .-note {
            max-width: 45%;
            padding: 0 1;
        }
        &.-apart {
            layout: vertical;
            height: 2;
            & > SpanLines {
                width: 1fr;
                max-width: 100%;
            }
            & > .-note {
                display: none;
            }
            & > Input {
                width: 100%;
                padding: 0 1;
            }
        }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Field(), id=id)
        self._label = SpanLines([[]])
        self._note = SpanLines([[]], classes="-note")
        self._words = ""
        self._parts: list[list[Span]] | None = None
        self._done: Done | None = None
        self._stops: Callable[[str], bool] | None = None

    def compose(self) -> ComposeResult:
        """The label, the field and the note."""
        yield self._label
        yield self._field
        yield self._note

    @property
    def asking(self) -> bool:
        """Whether a line is being typed."""
        return self._done is not None

    @property
    def note(self) -> str:
        """What stands in the note, uncut."""
        return BETWEEN.join("".join(text for text, _ink in part) for part in self._parts or ())

    def ask(
        self,
        label: str,
        done: Done,
        *,
        value: str = "",
        changed: Callable[[str], None] | None = None,
        stops: Callable[[str], bool] | None = None,
        has_note: bool = False,
    ) -> None:
        """Ask for a line. `changed` hears every change while it is typed; `stops` says whether Enter does not
        end the typing with this text; `has_note` keeps room for what `show_note` will show."""
        self._done = done
        self.changed = None
        self._stops = stops
        self._words = label
        self._parts = [] if has_note else None
        self._note.styles.min_width = 0
        # whatever is handed over, a field must not hold what acts on a terminal
        self._field.value = typed(value)
        self.changed = changed
        self.add_class("-asking")
        self.screen.add_class("-asking")
        self._lay_out()
        self.begin()

    def show_note(self, parts: Sequence[Sequence[Span]]) -> None:
        """Show parts behind the field, the first most important: those that do not fit are left out."""
        self._parts = [list(part) for part in parts]
        self._lay_out()

    def used(self, key: str) -> bool:
        """Enter ends the typing, Esc and ctrl+c leave it."""
        if key == "enter":
            if self._stops is None or not self._stops(self.value):
                self.finish(self.value)
            return True
        if key == "escape":
            self.finish(None)
            return True
        return False

    def finish(self, value: str | None) -> None:
        """End the typing with this value (None = left)."""
        done, self._done = self._done, None
        self.changed = None
        self._stops = None
        self.remove_class("-asking")
        self.screen.remove_class("-asking")
        self.end()
        if done is not None:
            done(value)

    def on_resize(self) -> None:
        """Another width may need another order."""
        if self.asking:
            self._lay_out()

    def _lay_out(self) -> None:
        width = self.size.width or self.screen.size.width
        is_apart = self._parts is not None and width < APART_BELOW
        self.set_class(is_apart, "-apart")
        label: list[Span] = [(f" {self._words}: ", "label")]
        if is_apart:
            note, used = self._fitting(width - LABEL_KEEPS - 2)
            before, cells = clip_spans(label, width - used - 2)
            self._label.show([[*before, (" " * (width - 1 - used - cells), ""), *note]])
            return
        self._label.show([label])
        self._label.refresh(layout=True)
        note, used = self._fitting(width * 45 // 100 - 2)
        # it never gets narrower while one line is typed, so that the field does not move about
        least = self._note.styles.min_width
        kept = int(least.value) - 2 if least is not None and least.value else 0
        self._note.show([[(" " * max(0, kept - used), ""), *note]])
        if used > kept:
            self._note.styles.min_width = used + 2

    def _fitting(self, room: int) -> tuple[list[Span], int]:
        """The parts that fit in so many cells, the first one cut where even that does not."""
        spans: list[Span] = []
        used = 0
        width = self.size.width or self.screen.size.width
        keys = _keys() if self._parts is None and width >= KEYS_FROM else ()
        for part in self._parts or keys:
            item: list[Span] = [(BETWEEN, "muted"), *part] if spans else list(part)
            cells = sum(cell_len(text) for text, _ink in item)
            if spans and used + cells > room:
                break
            spans += item
            used += cells
        return clip_spans(spans, max(0, room))
