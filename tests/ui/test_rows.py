"""Rows in columns: what is cut, on which side, and that a cut never hides what was found. Pure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from memtui.ui.widgets.rows import Cell, Row, columns
from memtui.ui.widgets.spans import Span

TEXT = "ssh to staging listens on port 2222, the key is in the vault"
HIT = (TEXT.index("port"), TEXT.index("port") + 4)


def found_in(text: str, start: int, end: int) -> Cell:
    return Cell(text, hits=tuple(range(start, end)), keeps=(start, end))


def texts(spans: list[Span], ink: str = "") -> str:
    return "".join(text for text, span_ink in spans if not ink or span_ink == ink)


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (80, TEXT),
        (31, "ssh to staging listens on port…"),
        (30, "…on port 2222, the key is in …"),
        (16, "…on port 2222, …"),
        (6, "…port…"),
        (5, "…por…"),
    ],
)
def test_a_cell_is_cut_around_what_it_keeps(width: int, shown: str) -> None:
    spans, used = columns(Row("a", (found_in(TEXT, *HIT),)), width)
    assert texts(spans).rstrip() == shown and used <= width
    assert texts(spans, "match") in ("port", "por")


def test_a_cell_that_keeps_the_end_is_filled_from_the_left() -> None:
    spans, _used = columns(Row("a", (found_in(TEXT, len(TEXT) - 5, len(TEXT)),)), 20)
    assert texts(spans).rstrip() == "…key is in the vault"


def test_the_sign_for_what_is_cut_is_never_a_match() -> None:
    cell = Cell("a long name", hits=tuple(range(11)))
    spans, _used = columns(Row("a", (cell,)), 6)
    assert spans[:2] == [("a lon", "match"), ("…", "")]


@given(st.text("ab 日é👩\u200d💻", max_size=60), st.data(), st.integers(1, 40))
def test_no_cut_is_wider_than_the_row_and_the_first_of_the_match_is_there(
    text: str, data: st.DataObject, width: int
) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    spans, used = columns(Row("a", (found_in(text, start, end),)), width)
    assert used <= width and cell_len(texts(spans)) <= width
    assert "…" not in texts(spans, "match")


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (40, "x Grafana, the old one      file missing"),
        (35, "x Grafana, the old one file missing"),
        # a title that can be read comes before the whole of what is said about it
        (28, "x Grafana, the old one file…"),
        (26, "x Grafana, the old one"),
        (20, "x Grafana, the old …"),
    ],
)
def test_what_is_said_about_a_row_gives_way_to_its_title_in_whole_words(width: int, shown: str) -> None:
    row = Row("a", (Cell("x", width=2), Cell("Grafana, the old one")), tail="file missing")
    spans, used = columns(row, width)
    assert texts(spans).rstrip() == shown and used <= width
