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


PLACES: list[list[Span]] = [
    [(text, "")] for text in ("zcode · ~/code/app · live", "zcode · app · live", "zcode · app", "zcode")
]


def levels(*more: str) -> list[list[list[Span]]]:
    ways = (
        ("84/200 lines", "3 problems, 1 note"),
        ("84/200 lines", "3 problems"),
        ("84/200 lines", "3!"),
        ("84/200", "3!"),
    )
    return [[[(part, "")] for part in (*way, *more)] for way in ways]


@pytest.mark.parametrize("zoomed", [False, True])
def test_the_top_bar_gives_way_in_order_and_cuts_no_word(zoomed: bool) -> None:
    bar = TopBar()
    bar._levels, bar._places = levels("2 new"), PLACES
    bar._last = [[("zoomed", "title")]] if zoomed else []
    words = "84/200 lines 3 problems 3 problems, 1 note 3! 2 new zcode · ~/code/app app live zoomed"
    whole = set(words.split(" "))
    left, before = "", ""
    for width in range(26, 161):
        text = top_text(bar, width)
        assert set(text.split()) <= whole, (width, text)
        assert text.startswith(" 84/200") and ("zoomed" in text) == zoomed
        # the numbers say more and more
        left, before = text.split("2 new")[0], left
        assert len(left.split()) >= len(before.split()), width
    assert text.rstrip().endswith("~/code/app · live")
    if not zoomed:
        assert top_text(bar, 160).startswith(" 84/200 lines  3 problems, 1 note  2 new ")
        assert top_text(bar, 45).split("  ")[:2] == [" 84/200 lines", "3 problems"]
        assert top_text(bar, 45).rstrip().endswith("  zcode")
        assert top_text(bar, 33).rstrip() == " 84/200 lines  3 problems  2 new"
        assert top_text(bar, 26).rstrip() == " 84/200 lines  3!  2 new"
        assert top_text(bar, 20).rstrip() == " 84/200  3!  2 new"


def test_zooming_moves_no_number() -> None:
    bar = TopBar()
    bar._levels, bar._places = levels("2 new"), PLACES
    before = top_text(bar, 80)
    bar._last = [[("zoomed", "title")]]
    assert top_text(bar, 80).startswith(before.split("2 new")[0] + "2 new  zoomed ")


def test_that_nothing_is_watched_stays_longer_than_the_words_of_the_counts() -> None:
    bar = TopBar()
    bar._levels, bar._keeps_place = levels(), True
    bar._places = [[("zcode · not watching", "")], [("not watching", "")]]
    for width in range(32, 80):
        assert "not watching" in top_text(bar, width), width


@pytest.mark.parametrize("width", range(8, 100))
def test_a_top_bar_without_room_cuts_with_an_ellipsis(width: int) -> None:
    bar = TopBar()
    bar._levels = [[[("84/200 lines", "")], [("14:02 a-very-long-file-name-of-news.md new", "")]]]
    text = top_text(bar, width)
    assert text.endswith("…") or text.split()[-1] in ("lines", "new")


ITEMS: list[list[Span]] = [
    [(text, "")] for text in ("x YAML broken ×2", "x file missing", "! duplicate line ×2", "? recall cut")
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
    words = f"+{left} more" if len(kept) > 1 or width > 60 else f"+{left}"
    assert pieces[len(kept) :] in ([words], [f"+{left}"]) if left else pieces == names
    assert width < 46 or not left or pieces[-1] == f"+{left} more"


def test_a_first_item_without_room_is_cut_not_left_out() -> None:
    text = text_of(packed([[("a very long piece of news", "")], *ITEMS], 20))
    assert text.startswith(" a very") and "…" in text and "+4" in text and cell_len(text) <= 20
    assert text_of(packed([], 20)).strip() == ""
