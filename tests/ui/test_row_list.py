"""RowList: what a cursor move costs, where the cursor goes, and that text is shown as it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.strip import Strip

from memtui.ui.widgets.row_list import Cell, Row, RowList
from memtui.ui.widgets.spans import clip, clip_spans, split_at

HOSTILE = (
    "see [/etc/hosts] now",
    "range [/",
    "ZCOUNT z [b + done",
    "closing [/bold] only",
    '{"a":[true,false]}',
    "- [ ] task [x] done",
    "mail [a@b.c]",
    "arr[0]",
    "\\[x]",
    "[$primary]x[/]",
    "[@click=app.quit]fix[/]",
)


class CountingList(RowList):
    """Counts the rows that are painted."""

    painted = 0

    def render_line(self, y: int) -> Strip:
        self.painted += 1
        return super().render_line(y)


class ListApp(App[None]):
    def __init__(self, rows: Sequence[Row]) -> None:
        super().__init__()
        self.rows = rows
        self.heard: list[str] = []

    def compose(self) -> ComposeResult:
        yield CountingList()

    def on_mount(self) -> None:
        self.list.set_rows(self.rows)

    @property
    def list(self) -> CountingList:
        return self.query_one(CountingList)

    def on_row_list_highlighted(self, event: RowList.Highlighted) -> None:
        self.heard.append(event.row_id)

    def on_row_list_selected(self, event: RowList.Selected) -> None:
        self.heard.append(f"selected {event.row_id}")

    def screen_rows(self) -> list[str]:
        return [self.list.render_line(y).text for y in range(self.size.height)]


def plain(count: int) -> list[Row]:
    return [Row(f"r{n}", (Cell(f"row {n}"),)) for n in range(count)]


GROUPS = [
    Row("h1", (Cell("first"),), kind="heading"),
    Row("a", (Cell("alpha"),)),
    Row("b", (Cell("beta"),)),
    Row("cut", (Cell("no more than this"),), kind="rule"),
    Row("c", (Cell("gamma"),)),
    Row("h2", (Cell("second"),), kind="heading"),
    Row("d", (Cell("delta"),)),
]


def run(
    rows: Sequence[Row], body: Callable[[ListApp], Awaitable[None]], size: tuple[int, int] = (40, 10)
) -> None:
    async def main() -> None:
        app = ListApp(rows)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await body(app)

    asyncio.run(main())


async def wait(app: App[None]) -> None:
    """Until the messages are handled and the frame is painted."""
    await Pilot(app).pause()


def test_a_cursor_move_without_scrolling_paints_two_rows_and_mounts_nothing() -> None:
    async def body(app: ListApp) -> None:
        widgets = len(list(app.query("*")))
        for _ in range(3):
            app.list.painted = 0
            app.list.move_by(1)
            await wait(app)
            assert app.list.painted <= 3
        assert len(list(app.query("*"))) == widgets == 1

    run(plain(10_000), body)


def test_filling_ten_thousand_rows_paints_only_what_is_visible() -> None:
    async def body(app: ListApp) -> None:
        app.list.painted = 0
        app.list.set_rows(plain(10_000))
        await wait(app)
        assert app.list.painted <= 2 * app.size.height

    run(plain(3), body)


def test_headings_and_rules_are_stepped_over() -> None:
    async def body(app: ListApp) -> None:
        seen = [app.list.cursor_id]
        for _ in range(5):
            app.list.move_by(1)
            seen.append(app.list.cursor_id)
        assert seen == ["a", "b", "c", "d", "d", "d"]
        app.list.move_by(-2)
        assert app.list.cursor_id == "b"
        app.list.move_to_first()
        assert app.list.cursor_id == "a"
        app.list.move_to_last()
        assert app.list.cursor_id == "d"
        assert not app.list.go_to("h2")

    run(GROUPS, body)


def test_pages_move_the_cursor_by_what_is_visible_and_stop_at_the_ends() -> None:
    async def body(app: ListApp) -> None:
        app.list.move_pages(1)
        assert app.list.cursor_id == "r10"
        app.list.move_pages(0.5)
        assert app.list.cursor_id == "r15"
        app.list.move_pages(-1)
        assert app.list.cursor_id == "r5"
        app.list.move_pages(-1)
        assert app.list.cursor_id == "r0"
        for _ in range(20):
            app.list.move_pages(1)
        assert app.list.cursor_id == "r99"
        await wait(app)
        assert app.screen_rows()[-1].startswith("▌row 99")

    run(plain(100), body)


@pytest.mark.parametrize("moves", ["one", "scroll", "page", "range", "mark"])
def test_a_key_paints_as_many_rows_among_ten_thousand_as_among_a_hundred(moves: str) -> None:
    painted: list[list[int]] = []

    async def body(app: ListApp) -> None:
        row_list, counts = app.list, []
        if moves == "scroll":
            row_list.go_to(row_list.rows[app.size.height].id)
        if moves == "range":
            row_list.begin_range()
        await wait(app)
        for number in range(4):
            row_list.painted = 0
            if moves == "page":
                row_list.move_pages(1)
            elif moves == "mark":
                row_list.marked = {row.id for row in row_list.rows[: number + 1]}
            else:
                row_list.move_by(1)
            await wait(app)
            counts.append(row_list.painted)
        painted.append(counts)

    for count in (100, 10_000):
        rows = [
            Row("h", (Cell("group"),), kind="heading"),
            *(replace(row, markable=True) for row in plain(count)),
            Row("h2", (Cell("more"),), kind="heading"),
        ]
        run(rows, body, size=(40, 12))
    assert painted[0] == painted[1]
    assert max(painted[1]) <= (2 if moves in ("one", "range") else 12)


def test_a_range_is_marked_as_the_cursor_moves_and_steps_over_what_cannot_be() -> None:
    rows = [replace(row, markable=row.kind == "row" and row.id != "b") for row in GROUPS]

    async def body(app: ListApp) -> None:
        row_list = app.list
        row_list.marked = {"d"}
        row_list.begin_range()
        row_list.move_by(2)
        assert row_list.is_ranging and row_list.marked == {"a", "c", "d"}
        assert row_list.markable == {"a", "c", "d"}
        row_list.move_by(-2)
        assert row_list.marked == {"a", "d"}
        row_list.move_to_last()
        await wait(app)
        assert [row for row in app.screen_rows() if "*" in row] == [
            row for row in app.screen_rows() if any(word in row for word in ("alpha", "gamma", "delta"))
        ]
        # rows may come while a range is open
        row_list.set_rows([*rows, Row("e", (Cell("epsilon"),), markable=True)])
        row_list.move_by(1)
        assert row_list.marked == {"a", "c", "d", "e"}
        row_list.end_range()
        row_list.move_to_first()
        assert not row_list.is_ranging and row_list.marked == {"a", "c", "d", "e"}
        row_list.begin_range()
        row_list.end_range(keeps_marks=False)
        row_list.keep_marks({"a", "gone"})
        assert row_list.marked == {"a"}

    run(rows, body)


def test_the_heading_of_a_group_stays_at_the_top_while_the_list_is_inside_it() -> None:
    rows = [
        Row("h1", (Cell("first store"),), kind="heading"),
        *plain(20),
        Row("h2", (Cell("second store"),), kind="heading"),
        *(replace(row, id=f"s{row.id}") for row in plain(20)),
    ]

    async def body(app: ListApp) -> None:
        def seen() -> tuple[str, bool]:
            shown = app.screen_rows()
            return shown[0].strip(), any(row.startswith("▌") for row in shown)

        for move in (1, -1):
            for _step in range(45):
                app.list.move_by(move)
                await wait(app)
                top = seen()[0]
                first_shown = app.list.rows[app.list.scroll_offset.y].id
                expected = "second store" if first_shown.startswith(("s", "h2")) else "first store"
                assert (top, seen()[1]) == (expected, True)

    run(rows, body, size=(30, 8))


def test_u12_new_rows_move_neither_the_cursor_nor_what_is_read() -> None:
    rows = plain(100)
    more = [Row("new", (Cell("new"),)), *rows]

    async def body(app: ListApp) -> None:
        app.list.go_to("r50")
        await wait(app)
        before = app.screen_rows()
        app.list.set_rows(more)
        await wait(app)
        assert app.screen_rows() == before
        # scrolled away from the cursor, by a wheel: it is not called back
        app.list.scroll_to(y=5, animate=False)
        await wait(app)
        before = app.screen_rows()
        app.list.set_rows(rows)
        await wait(app)
        assert app.screen_rows() == before and app.list.cursor_id == "r50"

    run(rows, body)


def test_the_cursor_stays_on_its_id_when_the_list_is_filled_again() -> None:
    async def body(app: ListApp) -> None:
        app.list.go_to("r50")
        await wait(app)
        top = app.list.scroll_offset.y
        app.list.set_rows([row for row in plain(100) if row.id != "r3"])
        await wait(app)
        assert app.list.cursor_id == "r50"
        assert app.list.scroll_offset.y in (top, top - 1)
        app.list.set_rows([row for row in plain(100) if row.id not in ("r3", "r50")])
        assert app.list.cursor_id == "r51"
        app.list.set_rows(plain(20))
        assert app.list.cursor_id == "r19"
        app.list.set_rows([])
        assert app.list.cursor_id == ""
        await wait(app)
        assert app.heard[-4:] == ["r50", "r51", "r19", ""]

    run(plain(100), body)


def test_the_first_row_shows_its_heading_and_the_last_row_is_at_the_bottom() -> None:
    rows = [Row("h", (Cell("group"),), kind="heading"), *plain(30)]

    async def body(app: ListApp) -> None:
        app.list.move_to_last()
        await wait(app)
        assert "row 29" in app.screen_rows()[-1]
        app.list.move_to_first()
        await wait(app)
        assert "group" in app.screen_rows()[0]
        assert app.screen_rows()[1].startswith("▌row 0")

    run(rows, body)


def test_a_click_selects_a_row_and_never_a_heading() -> None:
    async def main() -> None:
        app = ListApp(GROUPS)
        async with app.run_test(size=(40, 10)) as pilot:
            await pilot.click(CountingList, offset=(3, 2))
            await pilot.click(CountingList, offset=(3, 5))
            assert app.list.cursor_id == "b"
            assert app.heard == ["a", "b", "selected b"]

    asyncio.run(main())


def test_marks_and_tails_stand_at_their_places() -> None:
    rows = [
        Row("a", (Cell("!", "warn", 2), Cell("project", "kind", 10), Cell("freeze")), "past due"),
        Row(
            "b",
            (Cell("", "", 2), Cell("user", "kind", 10), Cell("a name that is much too long for it")),
            "3w",
            markable=True,
        ),
    ]

    async def body(app: ListApp) -> None:
        first, second = app.screen_rows()[:2]
        assert first.rstrip() == "▌! project   freeze" + "past due".rjust(20)
        assert second.rstrip() == "   user      a name that is much to… 3w"
        app.list.marked = {"b"}
        await wait(app)
        # nothing moves
        assert app.screen_rows()[1].rstrip() == "  *user      a name that is much to… 3w"
        assert app.screen_rows()[0] == first

    run(rows, body)


def test_a_narrow_list_leaves_out_the_columns_that_may_go() -> None:
    rows = [
        Row("a", (Cell("!", "warn", 2), Cell("project", "kind", 10, from_width=30), Cell("freeze")), "past due")
    ]

    async def body(app: ListApp) -> None:
        assert app.screen_rows()[0].rstrip() == "▌! freeze" + "past due".rjust(12)

    run(rows, body, size=(22, 5))


@pytest.mark.parametrize("text", HOSTILE)
def test_t06_t07_t05_brackets_are_shown_as_they_are(text: str) -> None:
    async def body(app: ListApp) -> None:
        assert app.screen_rows()[0].rstrip() == f"▌{text}"
        app.list.set_rows([], empty=[[(text, "muted")]])
        await wait(app)
        assert app.screen_rows()[0].rstrip() == f" {text}"

    run([Row("a", (Cell(text),))], body)


@pytest.mark.parametrize("width", range(4, 30))
def test_no_row_is_wider_than_the_list_and_no_character_is_split(width: int) -> None:
    family = "👨‍👩‍👧"
    rows = [
        Row("a", (Cell("日本語の長い名前"),), "期限切れ"),
        Row("b", (Cell(family * 6),), "3w"),
        Row("c", (Cell("e\u0301" * 40),)),
        Row("cut", (Cell("日本語の線"),), kind="rule"),
    ]

    async def body(app: ListApp) -> None:
        for text in app.screen_rows():
            assert cell_len(text) <= width
        family_row = app.screen_rows()[1]
        assert family_row.replace(family, "").strip(" …3w") == ""

    run(rows, body, size=(width, 6))


@pytest.mark.parametrize("width", range(12))
def test_clip_is_never_too_wide(width: int) -> None:
    for text in (
        "plain text",
        "日本語日本語",
        "👨‍👩‍👧👨‍👩‍👧",
        "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301",
        "a日b本c",
    ):
        clipped = clip(text, width)
        assert cell_len(clipped) <= width
        assert clipped == text or not clipped or clipped.endswith("…")
        spans, used = clip_spans([("ab", ""), (text, "x")], width)
        assert used == sum(cell_len(piece) for piece, _ink in spans) <= width


def test_matched_characters_have_their_own_ink() -> None:
    assert split_at("staging", "", [0, 1, 4], "match") == [
        ("st", "match"),
        ("ag", ""),
        ("i", "match"),
        ("ng", ""),
    ]
    assert split_at("ab", "t", [5], "match") == [("ab", "t")]


def test_what_stands_in_an_empty_list_is_wrapped_not_cut() -> None:
    async def body(app: ListApp) -> None:
        empty = [[("a adds one and w shows every store", "")], [("  ~/a/long/path/memory", "")]]
        app.list.set_rows((), empty=empty)
        await wait(app)
        rows = [row.rstrip() for row in app.screen_rows()]
        assert [row for row in rows if row] == [
            " a adds one and w",
            " shows every store",
            "   ~/a/long/path/me",
            "   mory",
        ]

    run([], body, size=(20, 8))
