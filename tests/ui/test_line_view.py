"""LineView: wrapping, lines by number, laziness, selection; and the inks of Markdown-like source."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.selection import SELECT_ALL, Selection
from textual.strip import Strip

from memtui.ui.widgets import wrapping
from memtui.ui.widgets.line_selection import word_at
from memtui.ui.widgets.line_view import LineView, signs_in
from memtui.ui.widgets.source_style import INITIAL, ink_spans, next_state
from memtui.ui.widgets.wrapping import RowMap, wrap

FAMILY = "👨‍👩‍👧"


class CountingView(LineView):
    """Counts the rows that are painted."""

    painted = 0

    def render_line(self, y: int) -> Strip:
        self.painted += 1
        return super().render_line(y)


class TextApp(App[None]):
    CSS = "CountingView { width: 100%; height: 100%; }"

    def compose(self) -> ComposeResult:
        yield CountingView()

    @property
    def text(self) -> CountingView:
        return self.query_one(CountingView)

    def screen_rows(self) -> list[str]:
        return [self.text.render_line(y).text.rstrip() for y in range(self.size.height)]


def run(body: Callable[[TextApp], Awaitable[None]], size: tuple[int, int] = (22, 6)) -> None:
    """The default size has 20 cells for text, a free one, and one for the scroll bar."""

    async def main() -> None:
        app = TextApp()
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await body(app)

    asyncio.run(main())


async def wait(app: App[None]) -> None:
    """Until the messages are handled and the frame is painted."""
    await Pilot(app).pause()


def test_a_long_line_wraps_at_blanks_and_lines_keep_their_numbers() -> None:
    async def body(app: TextApp) -> None:
        app.text.show(["one", "split refactor from behaviour now", "", "last"])
        await wait(app)
        assert app.screen_rows() == ["one", "split refactor from", "behaviour now", "", "last", ""]
        app.text.show([f"line {n}" for n in range(1, 100)])
        await wait(app)
        app.text.goto_line(40)
        await wait(app)
        assert app.screen_rows()[0] == "line 40"
        assert app.text.top_line == 40

    run(body)


def test_a_resize_keeps_the_line_at_the_top() -> None:
    async def main() -> None:
        app = TextApp()
        async with app.run_test(size=(41, 6)) as pilot:
            app.text.show([f"{n} " + "word " * 12 for n in range(1, 60)])
            await pilot.pause()
            app.text.goto_line(30)
            await pilot.pause()
            await pilot.resize_terminal(24, 6)
            await pilot.pause()
            assert app.screen_rows()[0].startswith("30 word")

    asyncio.run(main())


@pytest.mark.parametrize("seek", ["goto_line", "reveal"])
def test_a_line_near_the_end_that_was_gone_to_stays_in_view_when_the_pane_gets_lower(seek: str) -> None:
    async def main() -> None:
        app = TextApp()
        async with app.run_test(size=(24, 12)) as pilot:
            app.text.show([f"line {number}" for number in range(1, 41)])
            await pilot.pause()
            getattr(app.text, seek)(39)
            await pilot.resize_terminal(24, 5)
            await pilot.pause()
            assert any("line 39" in row for row in app.screen_rows()), app.screen_rows()
            app.text.move_by(-20)
            await pilot.resize_terminal(24, 4)
            await pilot.pause()
            assert not any("line 39" in row for row in app.screen_rows())

    asyncio.run(main())


def test_nothing_is_wrapped_before_there_is_a_width() -> None:
    view = LineView()
    view.show(["some text"] * 3, rule_after=1)
    view.goto_line(2)
    assert view.top_line == 2


def test_a_huge_text_paints_one_screen_and_measures_the_rest_later() -> None:
    lines = [f"line {n} " + "x" * (n % 60) for n in range(100_000)]

    async def body(app: TextApp) -> None:
        app.text.painted = 0
        app.text.show(lines)
        assert app.text._rows.measured <= 2 * wrapping.CHUNK
        await wait(app)
        assert app.text.painted <= 4 * app.size.height
        app.text.move_to_last()
        await wait(app)
        assert app.screen_rows()[-1].endswith("x" * 10)
        assert app.text._rows.complete

    run(body)


def test_signs_for_what_cannot_be_shown_are_found() -> None:
    line = r"a ␛]52;c <U+202E>b \xff \x41 <+12> <U+> é"
    signs = [line[start:end] for start, end, _ink in signs_in(line)]
    assert signs == ["␛", "<U+202E>", r"\xff", "<+12>"]
    assert signs_in("plain") == []


def test_the_last_line_stands_at_the_bottom_and_moving_stops_at_the_ends() -> None:
    async def body(app: TextApp) -> None:
        app.text.show([f"line {n}" for n in range(1, 41)])
        await wait(app)
        app.text.move_to_last()
        await wait(app)
        assert app.screen_rows()[-1] == "line 40"
        app.text.move_by(5)
        await wait(app)
        assert app.screen_rows()[-1] == "line 40"
        app.text.move_pages(-1)
        await wait(app)
        assert app.screen_rows()[-1] == "line 35"
        app.text.move_to_first()
        await wait(app)
        assert app.screen_rows()[0] == "line 1"

    run(body)


def test_a_rule_says_where_the_recall_ends() -> None:
    async def body(app: TextApp) -> None:
        app.text.show(["one", "two", "three"], rule_after=2, rule_text="ends here")
        await wait(app)
        rows = app.screen_rows()
        assert rows[:2] == ["one", "two"] and "ends here" in rows[2] and rows[3] == "three"
        app.text.show(["one", "two"], rule_after=2, rule_text="ends here")
        await wait(app)
        assert "ends here" not in " ".join(app.screen_rows())

    run(body)


def test_selected_text_comes_from_the_lines_not_from_the_rows() -> None:
    lines = ["split refactor from behaviour now", "[/bold] 日本語", "end"]

    async def body(app: TextApp) -> None:
        app.text.show(lines)
        await wait(app)
        assert app.text.get_selection(SELECT_ALL) == ("\n".join(lines), "\n")
        part = Selection(Offset(6, 0), Offset(7, 1))
        assert app.text.get_selection(part) == ("refactor from behaviour now\n[/bold]", "\n")
        # The second row of the first line knows its place in that line.
        _, offset = app.screen.get_widget_and_offset_at(0, 1)
        assert offset == Offset(20, 0)
        app.screen.selections = {app.text: part}
        await wait(app)
        assert app.screen_rows()[2] == "[/bold] 日本語"

    run(body)


def test_what_stands_before_further_rows_is_no_text_and_the_rows_are_narrower_by_it() -> None:
    lines = ["- one item that goes on and on", "plain words that wrap as ever"]

    async def body(app: TextApp) -> None:
        app.text.show(lines, inker=None, leads=["│ ", ""])
        await wait(app)
        assert app.screen_rows()[:5] == [
            "- one item that goes",
            "│ on and on",
            *["plain words that", "wrap as ever"],
            "",
        ]
        assert app.text.get_selection(SELECT_ALL) == ("\n".join(lines), "\n")
        for column in (0, 1):
            _, offset = app.screen.get_widget_and_offset_at(column, 1)
            assert offset == Offset(21, 0)
        _, offset = app.screen.get_widget_and_offset_at(5, 1)
        assert offset == Offset(24, 0)

    run(body)


def test_a_place_in_a_long_line_comes_into_view_and_stays_where_it_is_in_view() -> None:
    async def body(app: TextApp) -> None:
        app.text.show(["word " * 200 + "here " + "word " * 200, "end"])
        await wait(app)
        app.text.reveal(1, 1000)
        await wait(app)
        rows = app.screen_rows()
        assert any("here" in row for row in rows)
        app.text.reveal(1, 1010)
        await wait(app)
        assert app.screen_rows() == rows
        app.text.reveal(2)
        await wait(app)
        assert app.screen_rows()[-1] == "end"

    run(body)


def test_the_match_that_is_looked_at_differs_from_the_others() -> None:
    async def body(app: TextApp) -> None:
        app.text.show(["a b a"], inker=None)
        app.text.set_matches({1: ((0, 1), (4, 5))}, current=(1, 4))
        await wait(app)
        assert [segment.text for segment in app.text.render_line(0)][:3] == ["a", " b ", "a"]

    run(body)


@pytest.mark.parametrize(
    ("line", "position", "word"),
    [
        ("see src/app.py, then", 5, "src/app.py"),
        ("the end.", 7, "."),
        ("the end.", 5, "end"),
        ("a (b) c", 2, "("),
        ("x_y-z=1", 0, "x_y-z=1"),
        ("日本語 x", 1, "日本語"),
        ("short", 9, ""),
    ],
)
def test_two_clicks_take_a_word_a_path_or_one_sign(line: str, position: int, word: str) -> None:
    start, end = word_at(line, position)
    assert line[start:end] == word


@pytest.mark.parametrize("hang", [0, 2, 6])
@pytest.mark.parametrize(
    "text",
    ["plain words that go on for a while and then some", "x" * 60, "日本語の長い名前のメモリは切り詰められる"],
)
def test_rows_after_the_first_are_narrower(text: str, hang: int) -> None:
    starts = wrap(text, 14, hang)
    rows = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    assert "".join(rows) == text
    assert cell_len(rows[0].rstrip()) <= 14 and all(cell_len(row.rstrip()) <= 14 - hang for row in rows[1:])


@pytest.mark.parametrize(
    "text", ["see [/etc/hosts] now", "range [/", "- [ ] task [x] done", "[$primary]x[/]", "\\[x]", "a[@b.c]"]
)
def test_t06_t07_brackets_are_shown_as_they_are(text: str) -> None:
    async def body(app: TextApp) -> None:
        app.text.show([text])
        await wait(app)
        assert app.screen_rows()[0] == text

    run(body, size=(60, 4))


WRAPPED = (
    "plain words that go on for a while and then some",
    "x" * 100,
    "日本語の長い名前のメモリは切り詰められる",
    "mixed 日本語 and words 日本語 until it is long",
    FAMILY * 12,
    "e\u0301" * 40,
    "    indented so far that it hurts, word word word",
    "",
    " " * 50,
)


@pytest.mark.parametrize("width", [1, 2, 3, 5, 8, 13, 21, 34])
@pytest.mark.parametrize("text", WRAPPED)
def test_wrapped_rows_fit_lose_nothing_and_split_no_character(text: str, width: int) -> None:
    starts = wrap(text, width)
    rows = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    assert "".join(rows) == text
    assert starts[0] == 0 and starts == sorted(set(starts))
    if width >= 2:
        assert all(cell_len(row.rstrip(" ")) <= width for row in rows)
    if text.startswith(FAMILY):
        assert all(row.replace(FAMILY, "") == "" for row in rows)
    if text.startswith("e\u0301"):
        assert all(not row.startswith("\u0301") for row in rows)


def brute(lines: Sequence[str], width: int, rule_at: int | None) -> list[tuple[int, int]]:
    rows = []
    for number, line in enumerate(lines):
        height = len(wrap(line, width)) + (number == rule_at)
        rows += [(number, part) for part in range(height)]
    return rows


@pytest.mark.parametrize("rule_at", [None, 0, 255, 256, 700])
def test_rows_and_lines_map_to_each_other(rule_at: int | None) -> None:
    lines = ["word " * (n % 7) for n in range(701)]
    expected = brute(lines, 12, rule_at)
    rows = RowMap(lines, 12, rule_at)
    assert rows.line_at(len(expected) - 1) == expected[-1]
    assert rows.line_at(len(expected)) is None and rows.line_at(-1) is None
    assert rows.total == len(expected)
    for row in range(0, len(expected), 5):
        assert rows.line_at(row) == expected[row]
    for line in range(0, 701, 50):
        assert rows.row_of(line) == expected.index((line, 0))


def inks(text: str) -> list[list[tuple[str, str]]]:
    state = INITIAL
    found = []
    for line in text.split("\n"):
        found.append([(line[a:b], ink) for a, b, ink in ink_spans(line, state)])
        state = next_state(line, state)
    return found


def test_source_has_its_inks() -> None:
    text = (
        "---\nname: x\n  type: y\n---\n# Head\n- see [[a]] and [b](c.md) `d`\n1. **bold** it"
        "\n```\n# not a head\n~~~\n```\n> quoted\nname: plain"
    )
    assert inks(text) == [
        [("---", "front")],
        [("name:", "front")],
        [("  type:", "front")],
        [("---", "front")],
        [("# Head", "heading")],
        [("-", "list"), ("[[a]]", "link"), ("[b](c.md)", "link"), ("`d`", "code")],
        [("1.", "list"), ("**bold**", "strong")],
        [("```", "code")],
        [("# not a head", "code")],
        [("~~~", "code")],
        [("```", "code")],
        [("> quoted", "muted")],
        [],
    ]


def test_a_rule_in_the_text_is_no_frontmatter() -> None:
    assert inks("text\n---\nname: x") == [[], [("---", "rule")], []]
