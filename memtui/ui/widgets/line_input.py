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

KEYS_FROM = 76
"""Cells from which on a line without a note has its keys there."""

KEYS_FROM_ROWS = 20
"""Rows of the screen from which on a line with a note has its keys in a row of their own."""

LABEL_KEEPS, LABEL_KEEPS_BESIDE_TROUBLE = 28, 14
"""Cells that a label keeps beside a note, and beside one that warns."""

BETWEEN = " · "

TROUBLE = frozenset({"warn", "error"})
"""Inks of a note that matters more than the label."""


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
            & > .-keys {
                display: none;
            }
            &.-tall {
                height: 3;
                & > .-keys {
                    display: block;
                }
            }
        }
        & > .-keys {
            display: none;
        }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(Field(), id=id)
        self._label = SpanLines([[]])
        self._note = SpanLines([[]], classes="-note")
        self._keys = SpanLines([[(" ", ""), *_joined(_keys())]], classes="-keys")
        self._words = ""
        self._compact: list[list[Span]] = []
        self._parts: list[list[Span]] | None = None
        self._before_keys: list[list[Span]] = []
        self._done: Done | None = None
        self._stops: Callable[[str], bool] | None = None

    def compose(self) -> ComposeResult:
        """The label, the field, the note, and the keys."""
        yield self._label
        yield self._field
        yield self._note
        yield self._keys

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
        suggestions: Sequence[str] = (),
        offers: bool = False,
    ) -> None:
        """Ask for a line. `changed` hears every change while it is typed; `stops` says whether Enter does not
        end the typing with this text; `has_note` gives the label a row of its own, with room for what
        `show_note` will show; what is typed takes the place of a value that it only `offers`. The first of the
        `suggestions` that goes on from what is typed stands behind it, the right arrow takes it."""
        self._done = done
        self.changed = None
        self._stops = stops
        self._words = label
        self._parts = [] if has_note else None
        self._compact = []
        self._before_keys = []
        # whatever is handed over, a field must not hold what acts on a terminal
        self._field.value = typed(value)
        self.changed = changed
        self.add_class("-asking")
        self.screen.add_class("-asking")
        self._lay_out()
        self._field.suggest(suggestions)
        self.begin()
        if offers:
            self._field.offer()

    def show_note(self, parts: Sequence[Sequence[Span]], compact: Sequence[Sequence[Span]] = ()) -> None:
        """Show parts beside the label, the first most important: those that do not fit are left out. `compact`
        are the parts in fewer cells."""
        self._parts = [list(part) for part in parts]
        self._compact = [list(part) for part in compact]
        self._lay_out()

    def tell(self, text: str) -> None:
        """Say something before the keys, where they have room, until the line is left."""
        self._before_keys = [[(text, "warn")]]
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
        is_apart = self._parts is not None
        self.set_class(is_apart, "-apart")
        self.set_class(is_apart and self.screen.size.height >= KEYS_FROM_ROWS, "-tall")
        self._keys.show([[(" ", ""), *_joined([*self._before_keys, *_keys()])]])
        label: list[Span] = [(f" {self._words}: ", "label")]
        if self._parts is None:
            self._label.show([label])
            self._label.refresh(layout=True)
            keys = _keys() if width >= KEYS_FROM else []
            self._note.show([_joined([*self._before_keys, *keys])])
            self._note.refresh(layout=True)
            return
        warns = any(ink in TROUBLE for part in self._parts[:1] for _text, ink in part)
        keeps = LABEL_KEEPS_BESIDE_TROUBLE if warns else LABEL_KEEPS
        note, used = self._fitting(width - 2 - min(keeps, _cells(label)), width - 2 - _cells(label))
        before, cells = clip_spans(label, width - used - 2)
        self._label.show([[*before, (" " * (width - 1 - used - cells), ""), *note]])

    def _fitting(self, room: int, free: int) -> tuple[list[Span], int]:
        """The parts that fit in `room` cells, the further ones in those that the label leaves `free`; the first
        one in fewer cells, and then cut, where it does not."""
        parts = self._parts or []
        for some in (parts, self._compact):
            if some and _cells(some[0]) <= room:
                shown = [some[0]]
                for part in some[1:]:
                    if _cells(_joined([*shown, part])) > free:
                        break
                    shown.append(part)
                return _joined(shown), _cells(_joined(shown))
        return clip_spans(parts[0] if parts else (), max(0, room))


def _joined(parts: Sequence[Sequence[Span]]) -> list[Span]:
    row: list[Span] = []
    for part in parts:
        row += [(BETWEEN, "muted"), *part] if row else part
    return row


def _cells(spans: Sequence[Span]) -> int:
    return sum(cell_len(text) for text, _ink in spans)
