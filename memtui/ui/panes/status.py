"""The status: a pane with everything, and a strip that names only what is not zero."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.containers import Vertical
from textual.content import Content

from memtui.i18n import _
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.source_style import InkSpan, State
from memtui.ui.widgets.span_lines import SpanLines
from memtui.ui.widgets.spans import Span, clip, clip_spans
from memtui.ui.widgets.wrapping import wrap

SEPARATOR = " · "

MOST_SAID_ROWS = 2
"""Rows that something new takes at most, instead of the counts."""


class StatusPane(Vertical):
    """Lines about the store under the cursor, what is wrong, what can be undone; wrapped, not cut."""

    def on_mount(self) -> None:
        """Name the pane."""
        self.border_title = Content(_("4 Status"))

    async def complete(self) -> None:
        """Mount the lines: the first frame shows an empty pane sooner without them."""
        await self.mount(LineView(id="status-lines"))

    @property
    def text(self) -> LineView:
        """The lines themselves."""
        return self.query_one(LineView)

    def show(self, lines: Sequence[Sequence[Span]]) -> None:
        """Show lines of spans."""
        inks: dict[str, list[InkSpan]] = {}
        texts = []
        for line in lines:
            text, spans = "", []
            for piece, ink in line:
                if ink:
                    spans.append((len(text), len(text) + len(piece), ink))
                text += piece
            texts.append(text)
            inks[text] = spans

        def inker(text: str, state: State) -> list[InkSpan]:
            return inks.get(text, [])

        self.text.show(texts, inker=inker, keep_place=True)


class StatusStrip(SpanLines):
    """As many rows as its style gives it, so that nothing else moves: the counts, then what was said last."""

    DEFAULT_CSS = """
    StatusStrip {
        height: 2;
    }
    """

    _items: Sequence[Sequence[Span]] = ()
    _said: Sequence[Span] = ()
    _about: Sequence[Span] = ()
    _is_news = False

    @property
    def text(self) -> str:
        """What it has to say, uncut."""
        lines = [*self._items, self._said or self._about]
        return "\n".join("".join(text for text, _ink in line) for line in lines)

    def show_items(
        self,
        items: Sequence[Sequence[Span]],
        said: Sequence[Span],
        *,
        is_news: bool = False,
        about: Sequence[Span] = (),
    ) -> None:
        """`items` share the first row, what does not fit is counted; `said` is the last row, and takes more
        while it is news; `about` stands in for whichever of the two there is none."""
        shown = (items, said, is_news, about)
        if shown == (self._items, self._said, self._is_news, self._about):
            return
        self._items, self._said, self._is_news, self._about = shown
        self._tell()
        self.refresh()

    def settle(self) -> None:
        """What was said last is no news any more."""
        if self._is_news:
            self._is_news = False
            self._tell()
            self.refresh()

    def on_resize(self) -> None:
        """What fitted one row may need more now."""
        self._tell()

    def _tell(self) -> None:
        # The styles may give news the row of another bar.
        rows = _wrapped_row(self._said, self.size.width, MOST_SAID_ROWS) if self._is_news else []
        self.screen.set_class(len(rows) > 1, "-telling")

    def laid_out(self, width: int) -> Sequence[Sequence[Span]]:
        """The rows at a width."""
        height = max(1, self.size.height)
        said = self._said or self._about
        rows = _wrapped_row(said, width, min(height, MOST_SAID_ROWS) if self._is_news else 1)
        if self._items:
            counts = packed(self._items, width)
        else:
            counts = _wrapped_row(self._about if self._said else (), width, 1)[0]
        if height == 1:
            return rows if self._is_news or not self._items else [counts]
        return rows if len(rows) >= height else [counts, *rows]


def packed(items: Sequence[Sequence[Span]], width: int) -> list[Span]:
    """Items in one row of `width` cells, the first ones first; those without room are counted behind them,
    without a word where that lets one more stand there."""
    rows = [_packed(items, width, more) for more in (_("+{count} more"), "+{count}")]
    return max(rows, key=lambda row: row[0])[1]


def _packed(items: Sequence[Sequence[Span]], width: int, more: str) -> tuple[int, list[Span]]:
    """How many items stand there whole, and the row."""

    def rest(count: int) -> list[Span]:
        return [(SEPARATOR, "muted"), (more.format(count=count), "muted")] if count else []

    row: list[Span] = [(" ", "")]
    for number, item in enumerate(items):
        longer = [*row, *([(SEPARATOR, "muted")] if number else []), *item]
        if _cells(longer) + _cells(rest(len(items) - number - 1)) > width:
            if number:
                return number, [*row, *rest(len(items) - number)]
            behind = rest(len(items) - 1)
            return 0, [*clip_spans(longer, max(0, width - _cells(behind)))[0], *behind]
        row = longer
    return len(items), row


def _cells(spans: Sequence[Span]) -> int:
    return sum(cell_len(text) for text, _ink in spans)


def _wrapped_row(spans: Sequence[Span], width: int, most: int) -> list[list[Span]]:
    """One text in rows, `most` at most, of which the last is cut."""
    text = "".join(piece for piece, _ink in spans)
    ink = spans[0][1] if spans else ""
    room = max(1, width - 1)
    starts = (wrap(text, room) if most > 1 else [0])[:most]
    ends = [*starts[1:], len(text)]
    return [
        [(" ", ""), (clip(text[start:end].rstrip(" "), room), ink)]
        for start, end in zip(starts, ends, strict=True)
    ]
