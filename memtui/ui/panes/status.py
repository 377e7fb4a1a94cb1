"""The status: a pane with everything, and a strip that names only what is not zero."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.containers import Vertical
from textual.content import Content

from memtui.i18n import _
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.source_style import InkSpan
from memtui.ui.widgets.span_lines import SpanLines
from memtui.ui.widgets.spans import Span, clip, clip_spans
from memtui.ui.widgets.wrapping import wrap

SEPARATOR = " · "

MOST_SAID_ROWS = 2
"""Rows that something new takes at most, instead of the counts."""

MOST_OVER_ROWS = 4
"""Rows of the pane that something new lies over at most."""

FEW = 2
"""Counts that stand in the strip before it says in a word that there are more."""


class StatusSaid(SpanLines):
    """What was said last: one row, more of them while it is news."""

    _told: Sequence[Span] = ()
    _is_news = False

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(text for text, _ink in self._told)

    def tell(self, spans: Sequence[Span], *, is_news: bool) -> None:
        """Say it."""
        if (list(spans), is_news) != (list(self._told), self._is_news):
            self._told, self._is_news = spans, is_news
            self.refresh(layout=True)

    def settle(self) -> None:
        """It is no news any more."""
        self.tell(self._told, is_news=False)

    def laid_out(self, width: int) -> Sequence[Sequence[Span]]:
        """The rows at a width."""
        return _wrapped_row(self._told, width, MOST_OVER_ROWS if self._is_news else 1, lead="")


class StatusText(LineView):
    """Lines of spans, wrapped and not cut."""

    _spans: Sequence[Sequence[Span]] = ()
    _fitted = 0

    def show_spans(self, lines: Sequence[Sequence[Span]]) -> None:
        """Show lines. A first piece that ends with a blank is a label: the further rows of its line stand
        behind it."""
        self._spans = lines
        self._lay_out()

    def on_resize(self, event: events.Resize) -> None:
        """Paths have another room now."""
        if self.text_width != self._fitted:
            self._lay_out()

    def _lay_out(self) -> None:
        self._fitted = width = self.text_width
        texts, leads, inks = [], [], []
        for line in self._spans:
            hang = cell_len(line[0][0]) if len(line) > 1 and line[0][0].endswith(" ") else 0
            text, spans = "", list[InkSpan]()
            for piece, ink in line:
                fitted = fit_paths(piece, width - hang)
                if ink:
                    spans.append((len(text), len(text) + len(fitted), ink))
                text += fitted
            texts.append(text)
            leads.append(" " * hang)
            inks.append(spans)
        self.show(texts, inks=inks, leads=leads, keep_place=True)


class StatusPane(Vertical):
    """What was said last, and lines about the store under the cursor, what is wrong, what can be undone."""

    def on_mount(self) -> None:
        """Name the pane."""
        self.border_title = Content(_("4 Status"))

    async def complete(self) -> None:
        """Mount the lines: the first frame shows an empty pane sooner without them."""
        await self.mount(StatusSaid(id="status-said"), StatusText(id="status-lines"))

    @property
    def text(self) -> StatusText:
        """The lines themselves."""
        return self.query_one(StatusText)

    @property
    def said(self) -> str:
        """What stands in the row above the lines, uncut."""
        return self.query_one(StatusSaid).text

    def tell(self, spans: Sequence[Span], *, is_news: bool = False) -> None:
        """Say one thing above the lines; news may lie over them until it is settled."""
        self.query_one(StatusSaid).tell(spans, is_news=is_news)

    def settle(self) -> None:
        """What was said last is no news any more."""
        self.query_one(StatusSaid).settle()

    def show(self, lines: Sequence[Sequence[Span]]) -> None:
        """Show lines of spans."""
        self.text.show_spans(lines)


def fit_paths(text: str, room: int) -> str:
    """A text whose paths are shortened, so that no row of so many cells (0 = not known yet) breaks inside of
    one, wherever in the row it begins; the last name of a path is cut only where it has no row to itself."""
    if room <= 0:
        return text
    from memtui.ui.wording import least_of_path, shorter_path

    words = text.split(" ")
    # a row breaks at a blank in its last two thirds; the first word begins it
    rooms = [room, *[room - room // 3] * (len(words) - 1)]
    return " ".join(
        shorter_path(word, max(most, min(room, least_of_path(word)))) if "/" in word else word
        for word, most in zip(words, rooms, strict=True)
    )


class StatusStrip(SpanLines):
    """As many rows as its style gives it, so that nothing else moves: the counts, then what was said last."""

    DEFAULT_CSS = """
    StatusStrip {
        height: 2;
    }
    """

    _items: Sequence[Sequence[Span]] = ()
    _said: Sequence[Span] = ()
    _about = ""
    _hint = ""
    _is_news = False

    @property
    def text(self) -> str:
        """What it has to say, uncut."""
        lines = [*self._items, self._said or [(self._about, "")]]
        return "\n".join("".join(text for text, _ink in line) for line in lines)

    def show_items(
        self,
        items: Sequence[Sequence[Span]],
        said: Sequence[Span],
        *,
        is_news: bool = False,
        about: str = "",
        hint: str = "",
    ) -> None:
        """`items` share the first row, what does not fit is counted; `said` is the last row, and takes more
        while it is news; `about` stands in for whichever of the two there is none, with `hint` behind it where
        both have room."""
        shown = (items, said, is_news, about, hint)
        if shown == (self._items, self._said, self._is_news, self._about, self._hint):
            return
        self._items, self._said, self._is_news, self._about, self._hint = shown
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
        is_told = self._is_news and self.display
        rows = _wrapped_row(self._said, self.size.width, MOST_SAID_ROWS) if is_told else []
        self.screen.set_class(len(rows) > 1, "-telling")

    def laid_out(self, width: int) -> Sequence[Sequence[Span]]:
        """The rows at a width."""
        height = max(1, self.size.height)
        about = self._about_row(width)
        said = self._said or about
        rows = _wrapped_row(said, width, min(height, MOST_SAID_ROWS) if self._is_news else 1)
        if self._items:
            counts = packed(self._items, width)
        else:
            counts = _wrapped_row(about if self._said else (), width, 1)[0]
        if height == 1:
            return rows if self._is_news or not self._items else [counts]
        return rows if len(rows) >= height else [counts, *rows]

    def _about_row(self, width: int) -> list[Span]:
        """What it is about, its path shortened, and the hint; the hint alone where there is nothing else."""
        if not self._about and not self._hint:
            return [("", "muted")]
        from memtui.ui.wording import shorter_paths

        room = max(1, width - 1)
        both = SEPARATOR.join(part for part in (self._about, self._hint) if part)
        for text in (both, self._about):
            shorter = shorter_paths(text, room)
            if cell_len(shorter) <= room:
                break
        return [(shorter, "muted")]


def packed(items: Sequence[Sequence[Span]], width: int) -> list[Span]:
    """Items in one row of `width` cells, the first ones first; those without room are counted behind them,
    without a word only where few would stand there beside it."""
    for more in (_("+{count} more"), "+{count}"):
        count, row = _packed(items, width, more)
        if count >= min(FEW, len(items)):
            break
    return row


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


def _wrapped_row(spans: Sequence[Span], width: int, most: int, lead: str = " ") -> list[list[Span]]:
    """One text in rows, `most` at most, of which the last is cut; `lead` stands before each."""
    text = "".join(piece for piece, _ink in spans)
    ink = spans[0][1] if spans else ""
    room = max(1, width - len(lead))
    starts = (wrap(text, room) if most > 1 else [0])[:most]
    ends = [*starts[1:], len(text)]
    return [
        [(lead, ""), (clip(text[start:end].rstrip(" "), room), ink)]
        for start, end in zip(starts, ends, strict=True)
    ]
