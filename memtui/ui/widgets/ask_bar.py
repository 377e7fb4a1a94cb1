"""AskBar: a question in the footer's place, answered by a key that counts only after it was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.strip import Strip

from memtui.i18n import _
from memtui.late.dataclasses import dataclass
from memtui.ui.widgets.span_lines import GAP, SpanLines
from memtui.ui.widgets.spans import Span, clip_spans
from memtui.ui.widgets.wrapping import wrap

ROWS_FREE_FROM, NAMES_SHARE = 20, 4
"""Rows of the screen from which on names have rows of their own, and the share of it that they take at most."""


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


class Names(tuple[Span, ...]):
    """Names that a question is about, in a row above it; `more` are as many that are not among them.

    Where there are rows enough each has one of its own. What has no room is counted.
    """

    more: int

    def __new__(cls, names: Sequence[Span], more: int = 0) -> Names:
        """Names, each one span."""
        made = super().__new__(cls, names)
        made.more = more
        return made

    def rows(self, width: int, height: int) -> list[list[Span]]:
        """The rows at a width, `height` at most."""
        if height > 1 and (len(self) > 1 or self.more):
            shown = len(self) if len(self) + bool(self.more) <= height else height - 1
            rest = len(self) - shown + self.more
            said = [[(_("and {count} more").format(count=rest), "muted")]] if rest else []
            return [*([name] for name in self[:shown]), *said]
        for shown in range(len(self), 0, -1):
            rest = len(self) - shown + self.more
            behind: list[Span] = [(f" · +{rest}", "muted")] if rest else []
            row = [span for name in self[:shown] for span in ((" · ", "muted"), name)][1:]
            if shown == 1:
                row = clip_spans(row, max(0, width - _cells(behind)))[0]
            if _cells([*row, *behind]) <= width:
                return [[*row, *behind]]
        return []


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
        self._details: Sequence[Sequence[Span]] = ()
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
        self._details = details
        self._shown = [*map(list, details), [(question, "title")]]
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

    def _detail_rows(self, width: int) -> list[list[Span]]:
        height = self.screen.size.height
        free = height // NAMES_SHARE if height >= ROWS_FREE_FROM else 1
        rows: list[Sequence[Span]] = []
        for detail in self._details:
            rows += detail.rows(width - 1, free) if isinstance(detail, Names) else [detail]
        return [[(" ", ""), *row] for row in rows]

    def laid_out(self, width: int) -> Sequence[Sequence[Span]]:
        """The question and its choices in one row; where that is too long, the choices have their own."""
        details = self._detail_rows(width)
        before: list[Span] = [(" ", ""), (self._question, "title"), (GAP, "")]
        beside = self._choice_rows(width - _cells(before), width)
        if len(beside) == 1 and _cells([*before, *beside[0]]) <= width:
            return [*details, [*before, *beside[0]]]
        starts = wrap(self._question, max(1, width - 1))
        ends = [*starts[1:], len(self._question)]
        rows = [[(" ", ""), (self._question[a:b].rstrip(), "title")] for a, b in zip(starts, ends, strict=True)]
        below = self._choice_rows(width - 1, width - 1)
        return [*details, *rows, *([(" ", ""), *row] for row in below)]

    def leave(self) -> None:
        """Take the question away and answer ''."""
        self._finish("")

    def take_key(self, event: events.Key) -> None:
        """Offer a key to the question that stands; it is used up whatever it is."""
        event.stop()
        event.prevent_default()
        if not self.asking:
            return
        if event.key == "enter":
            self._tell_of_enter()
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

    def _tell_of_enter(self) -> None:
        said = _("y answers, any other key leaves")
        if not any(choice.key == "y" for choice in self._choices):
            said = _("one of these letters answers, any other key leaves")
        row: list[Span] = [(said, "warn")]
        if row not in [list(detail) for detail in self._details]:
            self._details = [row, *self._details]
            self._shown = [row, *self._shown]
            self.refresh(layout=True)

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
