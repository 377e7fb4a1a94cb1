"""Every size from 160x48 to 40x10 and below: what stands where, what gives way, and that nothing jumps."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running
from rich.cells import cell_len, split_graphemes
from textual.widget import Widget

from memtui.core.env import Env
from memtui.demo import build_demo
from memtui.ui.navigation import PANES, PaneName
from memtui.ui.panes.status import StatusStrip
from memtui.ui.screens.main import is_too_small, size_classes
from memtui.ui.screens.small_screen import SmallScreen
from memtui.ui.screens.text_screen import TextScreen
from memtui.ui.widgets.pane_line import PaneLine

SIZES = (
    *((200, 50), (160, 48), (120, 36), (100, 30), (100, 20), (120, 19), (99, 24), (80, 24), (80, 12)),
    *(
        (70, 20),
        (69, 20),
        (60, 9),
        (59, 20),
        (45, 20),
        (40, 20),
        (40, 10),
        (40, 9),
        (110, 8),
        (30, 8),
        (80, 6),
        (30, 6),
    ),
)

BARS = ("#top", "#panes", "#strip", "#pane-line", "#keys")


@pytest.fixture
def env(make_env: MakeEnv, tmp_path: Path) -> Env:
    """Two hundred memories and more."""
    demo = build_demo(tmp_path / "demo")
    return make_env(home=demo.home, cwd=demo.long_project)


def shown(driver: Driver, selector: str) -> Widget | None:
    widget = driver.app.desk.main.query_one(selector)
    return widget if widget.is_on_screen and widget.size.area else None


def check_geometry(driver: Driver, where: str) -> None:
    """The bars fill the screen from top to bottom, the panes fill theirs, and a list has a row."""
    width, height = driver.app.size
    row = 0
    for bar in BARS:
        widget = shown(driver, bar)
        if widget is not None:
            assert (widget.region.y, widget.region.width) == (row, width), (where, bar)
            row = widget.region.bottom
    assert row == height, where
    keys = shown(driver, "#keys")
    assert keys is not None and keys.region.height == 1, where
    assert driver.text.splitlines()[-1].rstrip().endswith("? all keys"), where

    panes = [pane for name in PANES if (pane := shown(driver, f"#{name}")) is not None]
    for number, pane in enumerate(panes):
        assert all(not pane.region.overlaps(other.region) for other in panes[number + 1 :]), (where, pane)
    area = driver.app.desk.main.query_one("#panes").region
    assert sum(pane.region.area for pane in panes) == area.area, where
    active = driver.app.navigation.active
    assert active in [pane.id for pane in panes], where
    content = {"index": "#memories", "topic": "#text", "search": "#found", "status": "#status-lines"}[active]
    assert driver.app.desk.main.query_one(content).size.height >= 1, where


# Sizes


async def test_every_size_and_pane_fills_the_screen_without_overlap(env: Env) -> None:
    async with running(env, (120, 36)) as driver:
        for size in SIZES:
            await driver.pilot.resize_terminal(*size)
            for pane in PANES:
                driver.app.navigation.activate(pane)
                await driver.pilot.pause()
                check_geometry(driver, f"{size} {pane}")
        for size in ((120, 36), (80, 24), (45, 20), (40, 10), (110, 8)):
            await driver.pilot.resize_terminal(*size)
            driver.app.navigation.zoom()
            for pane in PANES:
                driver.app.navigation.activate(pane)
                await driver.pilot.pause()
                check_geometry(driver, f"{size} {pane} zoomed")
            driver.app.navigation.zoom()


@pytest.mark.parametrize(
    ("size", "panes", "rows"),
    [
        ((160, 48), {"index", "topic", "search", "status"}, 20),
        ((100, 20), {"index", "topic", "search", "status"}, 8),
        ((99, 24), {"index", "topic"}, 18),
        ((70, 20), {"index", "topic"}, 14),
        ((60, 20), {"index"}, 13),
        ((120, 19), {"index", "topic"}, 13),
        ((45, 20), {"index"}, 13),
        ((40, 10), {"index"}, 5),
        ((30, 8), {"index"}, 4),
    ],
)
async def test_which_panes_a_size_shows_and_how_long_the_list_is(
    env: Env, size: tuple[int, int], panes: set[PaneName], rows: int
) -> None:
    async with running(env, size) as driver:
        assert {name for name in PANES if shown(driver, f"#{name}") is not None} == panes
        assert driver.app.desk.index.list.size.height >= rows
        assert (shown(driver, "#pane-line") is not None) == (len(panes) == 1 and size[1] > 8)


async def test_a_very_wide_screen_gives_the_rest_to_the_text(env: Env) -> None:
    async with running(env, (200, 50)) as driver:
        assert driver.app.desk.index.region.width == 60
        assert driver.app.desk.topic.region.width == 140


def test_size_classes_name_one_width_and_one_height() -> None:
    for width in range(1, 170):
        for height in range(1, 50):
            classes = size_classes(width, height)
            assert len(classes & {"-wide", "-medium", "-narrow"}) == 1
            assert len(classes & {"-tall", "-short"}) == 1
            assert "-wide" not in classes or "-tall" in classes
    assert size_classes(100, 20) == {"-wide", "-tall"}
    assert size_classes(100, 19) == {"-medium", "-short"}
    assert size_classes(70, 20) == {"-medium", "-tall"}
    assert size_classes(69, 8) == {"-narrow", "-short", "-low"}


async def test_a_size_that_came_under_a_sheet_counts_when_the_sheet_goes(env: Env) -> None:
    async with running(env, (120, 36)) as driver:
        driver.app.push_screen(TextScreen("t", [[("words", "")]]))
        await driver.pilot.pause()
        await driver.pilot.resize_terminal(45, 20)
        await driver.press("q")
        check_geometry(driver, "after the sheet")
        assert shown(driver, "#pane-line") is not None and shown(driver, "#topic") is None


# Too small


async def test_u01_too_small_shows_a_note_and_everything_returns(env: Env) -> None:
    async with running(env, (40, 10)) as driver:
        await driver.press(*"j" * 9, "2", "j")
        file, scrolled = driver.cursor_file, driver.app.desk.topic.text.top_line
        list_at = driver.app.desk.index.list.scroll_offset
        assert file and scrolled > 1 and list_at.y
        await driver.pilot.resize_terminal(20, 5)
        await driver.settled()
        await driver.pilot.resize_terminal(40, 10)
        await driver.settled()
        assert driver.app.desk.topic.text.top_line == scrolled
        assert driver.app.desk.index.list.scroll_offset == list_at
        for size in ((120, 40), (30, 8), (20, 5)):
            await driver.pilot.resize_terminal(*size)
            await driver.settled()
        assert driver.words == "memtui needs at least 30x6 q leaves"
        await driver.press("d", "y", "j", "1")
        await driver.pilot.resize_terminal(10, 3)
        await driver.pilot.resize_terminal(120, 40)
        await driver.settled()
        assert not isinstance(driver.app.screen, SmallScreen)
        assert driver.cursor_file == file and driver.app.navigation.active == "topic"
        assert not driver.app.desk.is_asking
        check_geometry(driver, "back")


async def test_u01_a_list_that_was_squeezed_shows_the_same_rows_again(env: Env) -> None:
    async with running(env, (120, 40)) as driver:
        await driver.press(*"j" * 10)
        list_ = driver.app.desk.index.list
        for top in (0, 7):
            list_.scroll_to(y=top, animate=False)
            await driver.settled()
            rows = driver.text
            for size in ((30, 8), (20, 5), (40, 10), (120, 40)):
                await driver.pilot.resize_terminal(*size)
                await driver.settled()
            assert list_.scroll_offset.y == top and driver.text == rows


async def test_u01_a_query_being_typed_is_typed_on_after_a_small_pane(env: Env) -> None:
    async with running(env, (120, 40)) as driver:
        await driver.press("f", "1", "2")
        await driver.pilot.resize_terminal(20, 5)
        await driver.settled()
        await driver.press("9")
        await driver.pilot.resize_terminal(120, 40)
        await driver.settled()
        await driver.press("3", "backspace", "4")
        assert driver.app.desk.line_input.value == "124" and "filter: 124" in driver.text
        await driver.press("escape")
        await driver.press("/", "a")
        await driver.pilot.resize_terminal(25, 4)
        await driver.settled()
        await driver.pilot.resize_terminal(40, 10)
        await driver.settled()
        await driver.press("b", "backspace", "c")
        assert driver.app.desk.search.line.value == "ac"
        assert driver.app.desk.search.line.typing and driver.app.navigation.active == "search"


async def test_u01_a_question_stands_after_a_small_pane(env: Env) -> None:
    async with running(env, (80, 24)) as driver:
        file = driver.cursor_file
        await driver.press("d")
        await driver.pilot.resize_terminal(20, 5)
        await driver.settled()
        await driver.press("y")
        assert driver.app.desk.ask_bar.asking
        await driver.pilot.resize_terminal(40, 10)
        await driver.settled()
        assert f"Delete {file}" in driver.words
        await driver.press("n")
        assert driver.cursor_file == file


async def test_u01_a_start_in_a_small_pane_waits_for_room(env: Env) -> None:
    async with running(env, (20, 5)) as driver:
        assert "memtui needs" in driver.words
        await driver.pilot.resize_terminal(80, 24)
        await driver.settled()
        check_geometry(driver, "started small")
        assert driver.cursor_file


def test_no_size_yet_is_not_too_small() -> None:
    assert not is_too_small(0, 0) and not is_too_small(30, 6)
    assert is_too_small(29, 50) and is_too_small(200, 5)


# Nothing jumps


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (45, 20), (40, 10), (80, 8), (30, 6)])
async def test_what_is_said_and_asked_moves_no_list(env: Env, size: tuple[int, int]) -> None:
    async with running(env, size) as driver:
        places = driver.app.desk.index.list.region, driver.app.desk.index.region

        async def check() -> None:
            await driver.pilot.pause()
            assert (driver.app.desk.index.list.region, driver.app.desk.index.region) == places

        for words in ("short", "a long sentence about what came of it " * 8, ""):
            driver.app.desk.say(words, "warn")
            await check()
            strip = shown(driver, "#strip")
            assert strip is None or strip.size.height <= 2
        await driver.press("d")
        await check()
        assert driver.app.desk.ask_bar.region.bottom == size[1]
        assert driver.text.splitlines()[-1].lstrip().startswith(("y yes", "Delete"))
        await driver.press("n", "f")
        await check()
        assert driver.text.splitlines()[-1].startswith(" filter: ")
        await driver.press("escape")
        await check()


async def test_news_takes_two_rows_until_the_next_key(env: Env) -> None:
    async with running(env, (80, 24)) as driver:
        counts = driver.text.splitlines()[-3]
        driver.app.desk.say("some words that need more than the one row " * 2 + "to the end")
        await driver.pilot.pause()
        assert "to the end" in driver.text and counts not in driver.text
        await driver.press("j")
        assert "to the end" not in driver.text and counts in driver.text
        assert driver.text.splitlines()[-2].rstrip().endswith("…")


async def test_news_takes_the_row_of_the_panes_in_a_short_narrow_screen(env: Env) -> None:
    async with running(env, (40, 10)) as driver:
        driver.app.desk.say("words that need more than one row to the very end")
        await driver.pilot.pause()
        assert "to the very end" in driver.words and "[1 memories]" not in driver.text
        await driver.press("j")
        assert "[1 memories]" in driver.text


# Zoom


async def test_zoom_shows_the_active_pane_alone_and_says_so(env: Env) -> None:
    async with running(env, (120, 36)) as driver:
        for pane, key in (("index", "1"), ("topic", "2"), ("search", "3"), ("status", "4")):
            await driver.press(key, "z")
            assert [name for name in PANES if shown(driver, f"#{name}") is not None] == [pane]
            assert "zoomed" in driver.text.splitlines()[0] and f"[{key} " in driver.text
            await driver.press("z")
            assert len([name for name in PANES if shown(driver, f"#{name}") is not None]) == 4
            assert "zoomed" not in driver.text
        await driver.press("1", "z", "tab")
        assert [name for name in PANES if shown(driver, f"#{name}") is not None] == ["topic"]
        driver.app.desk.say("said while zoomed")
        await driver.pilot.resize_terminal(45, 20)
        await driver.settled()
        assert "zoomed" in driver.text.splitlines()[0] and "said while zoomed" in driver.text


# The pane line and the strip


async def test_a_click_on_the_pane_line_goes_there_but_not_past_a_question(env: Env) -> None:
    async with running(env, (45, 20)) as driver:
        line = driver.text.splitlines()[-2]
        await driver.pilot.click(PaneLine, offset=(line.index("search"), 0))
        await driver.settled()
        assert driver.app.navigation.active == "search" and "[3 search]" in driver.text
        await driver.pilot.click(PaneLine, offset=(44, 0))
        await driver.pilot.click(PaneLine, offset=(1, 0))
        await driver.settled()
        assert driver.app.navigation.active == "index"
        await driver.press("f")
        await driver.pilot.click(PaneLine, offset=(line.index("text"), 0))
        assert driver.app.navigation.active == "index"


async def test_without_a_count_the_strip_says_why_this_store(env: Env) -> None:
    async with running(env, (80, 24)) as driver:
        strip = driver.app.desk.main.query_one(StatusStrip)
        strip.show_items([], [("u undoes: x", "")], about="zcode: because")
        await driver.pilot.pause()
        assert [line.strip() for line in driver.text.splitlines()[-3:-1]] == ["zcode: because", "u undoes: x"]


# Wide characters

NAMES = ("项目部署笔记", "한글 메모", "👩‍💻 setup", "e\u0301", "项目部署笔记👩‍💻한글e\u0301" * 9)


async def test_u06_columns_align_in_a_list_of_60_columns(make_env: MakeEnv, tmp_path: Path) -> None:
    demo = build_demo(tmp_path / "demo")
    lines = []
    for number, name in enumerate(NAMES):
        (demo.store / f"wide-{number}.md").write_text(f"---\nname: wide-{number}\ntype: user\n---\n{name}\n")
        lines.append(f"- [{name}](wide-{number}.md) — {name}\n")
    (demo.store / "MEMORY.md").write_text("".join(lines))
    whole = {name[start:stop] for name in NAMES for start, stop, _cells in split_graphemes(name)[0]}
    async with running(make_env(home=demo.home, cwd=demo.project), (60, 36)) as driver:
        await driver.press("z")
        # where the type has a column
        for size in ((60, 36), (59, 30), (52, 20), (50, 10)):
            await driver.pilot.resize_terminal(*size)
            await driver.settled()
            list_ = driver.app.desk.index.list
            rows = [list_.render_line(y).text for y in range(1, min(6, list_.size.height))]
            titles = []
            for row in rows:
                assert cell_len(row) == list_.size.width or cell_len(row) == list_.text_width
                start = next(at for at, char in enumerate(row) if row[:at].strip(" ▌?!x") and char == " ")
                titles.append((cell_len(row[: len(row) - len(row[start:].lstrip())]), row[start:].lstrip()))
            assert len({column for column, _title in titles}) == 1, rows
            assert {cell_len(row.rstrip()) for row in rows} == {cell_len(rows[0].rstrip())}, "tails align"
            for _column, title in titles:
                shown_name = title.split("  ")[0].split("…")[0]
                pieces = [shown_name[a:b] for a, b, _cells in split_graphemes(shown_name)[0]]
                assert all(piece in whole or piece.isascii() for piece in pieces), title
