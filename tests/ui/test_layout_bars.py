"""What the bars make of a width: what gives way first, and that no word is cut unseen."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from memtui.ui.panes.status import packed
from memtui.ui.widgets.pane_line import pane_items
from memtui.ui.widgets.span_lines import TopBar
from memtui.ui.widgets.spans import Span


def text_of(spans: list[Span]) -> str:
    return "".join(text for text, _ink in spans)


@pytest.mark.parametrize("width", range(1, 60))
def test_the_pane_line_names_the_active_pane_in_every_width(width: int) -> None:
    for active, key in (("index", "1"), ("topic", "2"), ("search", "3"), ("status", "4")):
        words = "".join(text for _name, text in pane_items(active, width))
        if width >= 12:
            assert cell_len(words) <= width and all(number in words for number in "1234")
        assert f"[{key}" in words
        assert (width < 40) or all(word in words for word in ("memories", "text", "search", "status"))


def top_text(bar: TopBar, width: int) -> str:
    spans, used = bar.line_spans(0, width)
    text = text_of(spans)
    assert cell_len(text) == used <= width
    return text


@pytest.mark.parametrize("zoomed", [False, True])
def test_the_top_bar_gives_way_in_order_and_cuts_no_word(zoomed: bool) -> None:
    bar = TopBar()
    bar._parts = [[("84/200 lines", "")], [("3 problems", "")], [("2 new", "")]]
    bar._compact = [[("84/200", "")], [("3!", "")], [("2 new", "")]]
    bar._place = [("zcode · ~/code/app · live", "")]
    bar._shorter_places = [[("zcode · app · live", "")], [("zcode · app", "")], [("zcode", "")]]
    bar._first = [[("zoomed", "title")]] if zoomed else []
    whole = {"84/200", "lines", "3", "problems", "3!", "2", "new", "zcode", "·", "~/code/app", "app", "live"}
    before = ""
    for width in range(20, 161):
        text = top_text(bar, width)
        assert set(text.split()) <= whole | {"zoomed"}, (width, text)
        assert "84/200" in text and ("zoomed" in text) == zoomed
        assert len(text.split()) >= len(before.split()), width
        before = text
    assert before.rstrip().endswith("~/code/app · live")
    if not zoomed:
        assert top_text(bar, 45).split() == ["84/200", "3!", "2", "new", "zcode", "·", "app", "·", "live"]
        assert top_text(bar, 24).split() == ["84/200", "3!", "2", "new"]


@pytest.mark.parametrize("width", range(8, 100))
def test_a_top_bar_without_room_cuts_with_an_ellipsis(width: int) -> None:
    bar = TopBar()
    bar._parts = [[("84/200 lines", "")], [("14:02 a-very-long-file-name-of-news.md new", "")]]
    text = top_text(bar, width)
    assert text.endswith("…") or text.split()[-1] in ("lines", "new")


ITEMS: list[list[Span]] = [
    [(text, "")] for text in ("x 2 YAML broken", "x 1 file missing", "! 2 duplicate line", "? 1 recall cut")
]


@pytest.mark.parametrize("width", range(24, 90))
def test_counts_share_a_row_and_what_has_no_room_is_counted(width: int) -> None:
    text = text_of(packed(ITEMS, width))
    assert cell_len(text) <= width
    pieces = [piece.strip() for piece in text.split(" · ")]
    names = [text_of(item) for item in ITEMS]
    kept = [piece for piece in pieces if piece in names]
    assert kept == names[: len(kept)] and kept
    left = len(names) - len(kept)
    assert pieces[len(kept) :] in ([f"+{left} more"], [f"+{left}"]) if left else pieces == names


def test_a_first_item_without_room_is_cut_not_left_out() -> None:
    text = text_of(packed([[("a very long piece of news", "")], *ITEMS], 20))
    assert text.startswith(" a very") and "…" in text and "+4" in text and cell_len(text) <= 20
    assert text_of(packed([], 20)).strip() == ""
