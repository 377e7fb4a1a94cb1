"""Pieces of text with the name of an ink, cut to a width in cells without splitting a character.

Every text given here must already be safe for display; none of it is ever read as markup. An *ink* is a
name such as `warn`; the component class `ink--warn` of the screen says what it looks like in the theme at
hand. (Of the screen and not of each widget: a dozen widgets with every ink would cost a third of the time to
the first frame.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from rich.style import Style
from textual.widget import Widget

from memtui.ui.widgets.wrapping import wrap

Span = tuple[str, str]
"""A piece of text and its ink ('' = the plain one)."""

INKS = (
    "muted",
    "label",
    "title",
    "heading",
    "error",
    "warn",
    "note",
    "good",
    "gone",
    "match",
    "found",
    "key",
    "kind",
    "strong",
    "em",
    "code",
    "link",
    "front",
    "list",
    "rule",
    "pointer",
    "caret",
)
"""Every ink there is."""

INK_CLASSES = frozenset(f"ink--{ink}" for ink in INKS)
"""Component classes of a screen on which spans are painted; without them every ink is the plain one."""

ELLIPSIS = "…"


def clip(text: str, width: int, *, mark: str = ELLIPSIS) -> str:
    """The text, or its beginning with `mark` where it is wider than `width` cells.

    The result is never wider than `width` and may be a cell narrower where a wide character did not fit.
    """
    if width <= 0:
        return ""
    if len(text) * 2 <= width or cell_len(text) <= width:
        return text
    room = width - cell_len(mark)
    if room < 0:
        return ""
    if text.isascii():
        return text[:room] + mark
    used = 0
    # A cluster is at least one code point, so four times the width holds any sensible row; a pile of
    # combining marks beyond that is cut.
    graphemes, _ = split_graphemes(text[: room * 4 + 16])
    end = 0
    for _start, stop, cells in graphemes:
        if used + cells > room:
            break
        used += cells
        end = stop
    return text[:end] + mark


def clip_spans(spans: Iterable[Span], width: int) -> tuple[list[Span], int]:
    """The spans cut on the right to `width` cells, and the cells they take."""
    pieces = [(text, ink) for text, ink in spans if text]
    widths = [cell_len(text) for text, _ink in pieces]
    if sum(widths) <= width:
        return pieces, sum(widths)
    kept: list[Span] = []
    used = 0
    for (text, ink), cells in zip(pieces, widths, strict=True):
        if used + cells < width:
            kept.append((text, ink))
            used += cells
            continue
        cut = clip(text + " " * (width + 1), width - used)
        kept.append((cut, ink))
        used += cell_len(cut)
        break
    return kept, used


def split_at(text: str, ink: str, positions: Sequence[int], hit_ink: str) -> list[Span]:
    """One text as spans in which the code points at `positions` (ascending) have the ink `hit_ink`."""
    if not positions:
        return [(text, ink)]
    spans: list[Span] = []
    done = 0
    index = 0
    while index < len(positions):
        start = positions[index]
        stop = start + 1
        while index + 1 < len(positions) and positions[index + 1] <= stop:
            index += 1
            stop = positions[index] + 1
        index += 1
        if start >= len(text):
            break
        if start > done:
            spans.append((text[done:start], ink))
        spans.append((text[start:stop], hit_ink))
        done = stop
    if done < len(text):
        spans.append((text[done:], ink))
    return spans


def wrapped(lines: Iterable[Sequence[Span]], width: int) -> list[list[Span]]:
    """Lines of one span each as rows not wider than `width`; what follows a first row is indented alike."""
    rows: list[list[Span]] = []
    for line in lines:
        text = "".join(piece for piece, _ink in line)
        ink = line[0][1] if line else ""
        indent = " " * (len(text) - len(text.lstrip(" ")))
        rest = text.lstrip(" ")
        starts = wrap(rest, max(8, width - len(indent)))
        ends = [*starts[1:], len(rest)]
        rows += [[(indent + rest[a:b].rstrip(" "), ink)] for a, b in zip(starts, ends, strict=True)]
    return rows


def ink_style(widget: Widget, ink: str) -> Style:
    """What an ink looks like on this widget's screen, without a background."""
    return widget.screen.get_component_rich_style(f"ink--{ink}", partial=True, default=_PLAIN)


_PLAIN = Style.null()


def segments(spans: Iterable[Span], base: Style, look: Callable[[str], Style]) -> list[Segment]:
    """Spans as segments; `look(ink)` is the partial style of an ink."""
    return [Segment(text, base + look(ink) if ink else base) for text, ink in spans if text]


def row_pieces(
    text: str,
    start: int,
    stop: int,
    inks: Sequence[tuple[int, int, str]],
    base: Style,
    look: Callable[[str], Style],
    selected: tuple[int, int] | None,
    selection: Style,
) -> list[Segment]:
    """The code points from `start` to `stop` of a line as segments, one at least.

    `inks` are (from, to, ink), the first one that covers a place counts; `selected` has the style `selection`
    on top.
    """
    cuts = {start, stop, *(selected or ())}
    for first, last, _ink in inks:
        cuts.update((first, last))
    pieces = []
    for first, last in pairwise(sorted(cut for cut in cuts if start <= cut <= stop)):
        style = base
        ink = next((ink for at, end, ink in inks if at <= first < end), "")
        if ink:
            style = style + look(ink)
        if selected is not None and selected[0] <= first < selected[1]:
            style = style + selection
        # The blank at a break would stick out over the edge.
        shown = text[first:last].rstrip(" ") if last == stop < len(text) else text[first:last]
        if shown:
            pieces.append(Segment(shown, style))
    return pieces or [Segment("", base)]
