"""The lines of a rendered text: each knows what of the source it shows, and what it stands in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from memtui.late.dataclasses import dataclass
from memtui.ui.widgets import source_style
from memtui.ui.widgets.source_style import InkSpan
from memtui.ui.widgets.spans import Span


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text to read.

    `inks` and `leads` (what stands before the further rows of a line that wraps) have one entry a line;
    `sources` are the first and the last line of the source that a line shows. Lines count from 1.
    """

    lines: tuple[str, ...]
    inks: tuple[tuple[InkSpan, ...], ...]
    leads: tuple[str, ...]
    sources: tuple[tuple[int, int], ...]

    def line_of(self, source: int) -> int:
        """The line that shows a line of the source, or the last one before it."""
        return max(1, bisect_right(self.sources, source, key=lambda span: span[0]))

    def source_of(self, line: int) -> int:
        """The first line of the source that a line shows."""
        return self.sources[max(0, min(line, len(self.sources)) - 1)][0] if self.sources else 1

    def cut_after(self, source: int) -> tuple[int, bool]:
        """The line after which the source from `source` on is left out, and whether it ends right there.

        Inside of a line it is the nearer end of it, but not behind the last one.
        """
        line = self.line_of(source)
        first, last = self.sources[line - 1] if self.sources else (1, 1)
        if source >= last:
            return line, True
        is_nearer = 2 * (source - first + 1) >= last - first + 1 and line < len(self.lines)
        return (line if is_nearer else line - 1), False


@dataclass(slots=True)
class Line:
    """Spans, the lines of the source that they show (from 0), and what stands before further rows."""

    spans: list[Span]
    first: int
    last: int
    lead: str = ""

    @property
    def text(self) -> str:
        """What stands there."""
        return "".join(text for text, _ink in self.spans)

    def ink_spans(self) -> tuple[InkSpan, ...]:
        """Where its inks are."""
        found, at = [], 0
        for text, ink in self.spans:
            if ink and text:
                found.append((at, at + len(text), ink))
            at += len(text)
        return tuple(found)


@dataclass(slots=True)
class Box:
    """What lines stand in: `mark` before the first of them, `lead` before every other; it begins at line
    `first` of the source."""

    mark: str
    lead: str
    ink: str
    first: int
    is_open: bool = False


class Pen:
    """Writes lines, each with the marks of what it stands in. Lines of the source count from 0 here."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.boxes: list[Box] = []
        self.reached = 0

    def write(self, spans: Sequence[Span], first: int, last: int, *, hang: int = 0) -> None:
        """One line; `hang` are cells that further rows of it are indented by."""
        lead = "".join(box.lead for box in self.boxes) + " " * hang
        before: list[Span] = []
        for box in self.boxes:
            before.append((box.lead if box.is_open else box.mark, box.ink))
            box.is_open = True
        self.lines.append(Line([*before, *spans], first, last, lead))
        self.reached = last + 1

    def gap(self, source: Sequence[str], first: int) -> None:
        """An empty line where the source has one before line `first`."""
        blank = [line for line in range(self.reached, first) if not source[line].strip(" >")]
        if blank and self.lines and self.lines[-1].spans:
            within = []
            for box in self.boxes:
                if not box.is_open:
                    break
                within.append((box.lead, box.ink))
            self.lines.append(
                Line(within if any(text.strip() for text, _ in within) else [], blank[0], blank[0])
            )

    def source(self, source: Sequence[str], first: int, last: int) -> None:
        """Lines as they are in the source, blank ones at either end left out."""
        while first < last and not source[first].strip():
            first += 1
        while first < last and not source[last - 1].strip():
            last -= 1
        if first < last:
            self.gap(source, first)
        state: source_style.State = "text"
        for number in range(first, last):
            line = source[number]
            spans, at = [], 0
            for start, stop, ink in source_style.ink_spans(line, state):
                spans += [(line[at:start], ""), (line[start:stop], ink)]
                at = stop
            self.write([*spans, (line[at:], "")], number, number)
            state = source_style.next_state(line, state)
