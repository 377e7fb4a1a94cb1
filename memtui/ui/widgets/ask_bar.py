"""AskBar: a question in the footer's place, answered by a key that counts only after it was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.strip import Strip

from memtui.ui.widgets.span_lines import GAP, SpanLines
from memtui.ui.widgets.spans import Span
from memtui.ui.widgets.wrapping import wrap


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: its key, its label, and whether taking it changes something on disk.

    One with a `look` is no answer: its key shows something, and the question stands on.
    """

    key: str
    label: str
    is_change: bool = False
    look: Callable[[], None] | None = None


Answer = Callable[[str], None]
"""Called with the key of the choice that was taken, '' when the question was left."""


class AskBar(SpanLines):
    """Shows a question with its choices and gives the answer to whoever asked.

    A key that was pressed before the bar was painted is not an answer, whatever the order in which events
    arrive (text pasted without brackets looks like keys). Any key that is no choice leaves the question,
    except a repeat of the key that opened it.
    """

    DEFAULT_CSS = """
    AskBar {
        height: auto;
        display: none;
        &.-asking {
            display: block;
        }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.about = ""
        self._choices: Sequence[Choice] = ()
        self._answer: Answer | None = None
        self._opener = ""
        self._question = ""
        self._hint = ""
        self._details: list[list[Span]] = []
        self._painted_at: float | None = None
        self._round = 0
        self._rendered = 0

    @property
    def asking(self) -> bool:
        """Whether a question stands."""
        return self._answer is not None

    @property
    def round(self) -> int:
        """The number of the question asked last: each has its own."""
        return self._round

    @property
    def painted(self) -> bool:
        """Whether the question that stands was painted."""
        return self._painted_at is not None

    def ask(
        self,
        question: str,
        choices: Sequence[Choice],
        answer: Answer,
        *,
        opener: str = "",
        details: Sequence[Sequence[Span]] = (),
        hint: str = "",
        about: str = "",
    ) -> None:
        """Ask. `about` names what the question is about, for whoever looks whether it still stands.

        `opener` is the key whose repeat does nothing; `details` are rows above the question.
        """
        self.about = about
        self._choices = choices
        self._answer = answer
        self._opener = opener
        self._painted_at = None
        self._round += 1
        self._question = question
        self._hint = hint
        self._details = [[(" ", ""), *line] for line in details]
        self._shown = [*self._details, [(question, "title")]]
        self.add_class("-asking")
        self.screen.add_class("-asking")
        self.refresh(layout=True)

    def _choice_rows(self, room: int, width: int) -> list[list[Span]]:
        """The choices, the first row in `room` cells, others in `width`; behind them the hint where it fits."""
        rows: list[list[Span]] = [[]]
        left = room
        for choice in self._choices:
            item: list[Span] = [(GAP, "")] if rows[-1] else []
            item += [(choice.key, "key"), (f" {choice.label}", "")]
            if rows[-1] and _cells(item) > left:
                del item[0]
                rows.append([])
                left = width
            rows[-1] += item
            left -= _cells(item)
        hint: list[Span] = [(GAP, ""), (self._hint, "muted")]
        return rows if _cells(hint) > left else [*rows[:-1], [*rows[-1], *hint]]

    def laid_out(self, width: int) -> Sequence[Sequence[Span]]:
        """The question and its choices in one row; where that is too long, the choices have their own."""
        before: list[Span] = [(" ", ""), (self._question, "title"), (GAP, "")]
        beside = self._choice_rows(width - _cells(before), width)
        if len(beside) == 1 and _cells([*before, *beside[0]]) <= width:
            return [*self._details, [*before, *beside[0]]]
        starts = wrap(self._question, max(1, width - 1))
        ends = [*starts[1:], len(self._question)]
        rows = [[(" ", ""), (self._question[a:b].rstrip(), "title")] for a, b in zip(starts, ends, strict=True)]
        below = self._choice_rows(width - 1, width - 1)
        return [*self._details, *rows, *([(" ", ""), *row] for row in below)]

    def leave(self) -> None:
        """Take the question away and answer ''."""
        self._finish("")

    def take_key(self, event: events.Key) -> None:
        """Offer a key to the question that stands; it is used up whatever it is."""
        event.stop()
        event.prevent_default()
        if not self.asking:
            return
        choice = next((c for c in self._choices if c.key in (event.key, event.character)), None)
        if choice is None:
            if event.key != self._opener and event.character != self._opener:
                self._finish("")
            return
        if choice.is_change and (self._painted_at is None or event.time <= self._painted_at):
            return
        if choice.look is not None:
            choice.look()
            return
        self._finish(choice.key)

    def render_line(self, y: int) -> Strip:
        """One row; the first time a question is painted is noted once the frame is out."""
        if self.asking and self._rendered != self._round:
            self._rendered = self._round
            self.call_after_refresh(self._was_painted, self._round)
        return super().render_line(y)

    def _was_painted(self, asked: int) -> None:
        if asked == self._round and self.asking:
            # The clock that Textual stamps key events with.
            self._painted_at = Message().time

    def _finish(self, key: str) -> None:
        answer, self._answer = self._answer, None
        self._painted_at = None
        self.remove_class("-asking")
        self.screen.remove_class("-asking")
        if answer is not None:
            answer(key)


def _cells(spans: Sequence[Span]) -> int:
    return sum(cell_len(text) for text, _ink in spans)
