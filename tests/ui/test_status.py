"""The status pane and its strip: what stands first, what is told once, and that no path breaks inside a name."""

from __future__ import annotations

import pytest
from app_driver import Driver, MakeEnv, running
from rich.cells import cell_len

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.ui import wording
from memtui.ui.panes.status import StatusStrip, fit_paths

LONG = "~/.zcode/cli/memories/projects/app-1c3f58a90d6e27b4/memory"


def pane(driver: Driver) -> list[str]:
    """The rows inside the frame of the status pane."""
    area = driver.app.desk.status.content_region
    rows = driver.text.splitlines()[area.y : area.bottom]
    return [row[area.x : area.right].replace("\xa0", " ").rstrip(" ▃▄▅▆▇▁▂█") for row in rows]


# Words


@pytest.mark.parametrize("room", range(8, 64))
def test_a_path_is_shortened_in_its_middle_by_whole_names(room: int) -> None:
    shorter = wording.shorter_path(LONG, room)
    assert cell_len(shorter) <= room
    names = set(LONG.split("/"))
    assert set(shorter.split("/")) <= names | {"…"} and shorter.endswith("memory")
    assert (shorter == LONG) == (room >= len(LONG))


def test_a_sentence_gives_up_a_part_of_its_path_only_where_that_is_enough() -> None:
    assert wording.shorter_paths(f"zcode: {LONG} says `dir`", 40) == "zcode: ~/.zcode/cli/…/memory says `dir`"
    assert wording.shorter_paths(f"zcode: {LONG} and much more of it", 30).startswith(f"zcode: {LONG}")
    assert wording.shorter_paths("no path here", 5) == "no path here"


@pytest.mark.parametrize("room", range(24, 90))
def test_a_path_in_a_text_has_room_wherever_in_a_row_it_begins(room: int) -> None:
    for word in fit_paths(f"a word and {LONG} says", room).split(" "):
        assert cell_len(word) <= room - room // 3
    assert cell_len(fit_paths(LONG, room)) <= room


def test_counts_say_how_often_the_same_way_for_one_and_for_many() -> None:
    assert wording.times("duplicate line", 1) == "duplicate line"
    assert wording.times("duplicate line", 1200) == "duplicate line ×1,200"
    assert wording.by_severity({"note": 1, "error": 2}) == ["2 errors", "1 note"]
    assert wording.problems(1) == "1 problem" and wording.problems(2, 1) == "2 problems, 1 note"


# The pane


@pytest.mark.parametrize("size", [(120, 36), (100, 40), (80, 24), (60, 20), (45, 20)])
async def test_further_rows_stand_behind_their_label_and_no_count_is_split(
    make_env: MakeEnv, demo: DemoHome, size: tuple[int, int]
) -> None:
    async with running(make_env(home=demo.home, cwd=demo.messy_project), size) as driver:
        await driver.press("4")
        rows = pane(driver)
        assert rows[1].startswith("x zcode: MEMORY.md has") and rows[2].startswith(("  ", "x claude"))
        store = next(row for row in rows if row.startswith("store"))
        assert store.endswith("/memory")
        at = next(at for at, row in enumerate(rows) if row.startswith("because"))
        assert "says" in rows[at] or rows[at + 1].startswith("         says")
        counts = [row for row in rows if row.startswith(("x file missing", "x key twice", "! late block"))]
        assert counts and not any(row.endswith(("·", " x", " !", "×")) for row in rows)


async def test_a_message_has_a_row_of_its_own_and_moves_nothing(env: Env) -> None:
    async with running(env, (120, 36)) as driver:
        before = pane(driver)
        driver.app.desk.say("short")
        await driver.settled()
        assert pane(driver)[0] == "short" and pane(driver)[1:] == before[1:]
        driver.app.desk.say("words that go on for more than one row of the pane, to the very end")
        await driver.settled()
        assert "to the very end" in " ".join(pane(driver)[:2]) and pane(driver)[2:] == before[2:]
        await driver.press("j")
        assert pane(driver)[0].endswith("…") and pane(driver)[1:] == before[1:]


async def test_the_last_change_is_told_once(env: Env) -> None:
    async with running(env, (120, 36)) as driver:
        await driver.press("j", "d", "y")
        rows = "\n".join(pane(driver))
        assert rows.count("prefer-small-commits.md") == 1 and "u undoes" in rows
        driver.app.desk.say("something else")
        await driver.settled()
        said = [driver.app.desk.status.said, *driver.app.desk.status.text.lines]
        assert said[0] == "something else"
        assert "undo     1 to undo, last: deleted prefer-small-commits.md" in said


@pytest.mark.parametrize("size", [(80, 24), (45, 20), (40, 10)])
async def test_beside_the_status_there_is_no_strip_and_what_is_said_is_in_the_pane(
    env: Env, size: tuple[int, int]
) -> None:
    async with running(env, size) as driver:
        strip = driver.app.desk.main.query_one(StatusStrip)
        assert strip.display
        await driver.press("4")
        assert not strip.display
        driver.app.desk.say("said here")
        await driver.settled()
        assert pane(driver)[0] == "said here"
        await driver.press("1")
        assert strip.display and (strip.size.height == 1 or "said here" in driver.text)


async def test_the_strip_says_why_this_store_and_not_what_the_key_bar_says(env: Env) -> None:
    for size in ((80, 24), (60, 20), (45, 20)):
        async with running(env, size) as driver:
            assert "shows all keys" not in driver.text
            row = next(line for line in driver.text.splitlines() if line.startswith(" zcode: "))
            assert row.split(" · ")[0].rstrip().endswith("zcode-memory.json says `dir`")


async def test_a_row_says_what_is_wrong_in_whole_words_beside_a_title_that_can_be_read(env: Env) -> None:
    for size in ((160, 48), (120, 36), (60, 20), (45, 20)):
        async with running(env, size) as driver:
            for words in ("Staging port", "duplicate line", "YAML broken", "Grafana, the old one"):
                assert words in driver.text.split("╰")[0], (size, words)
    for size in ((100, 30), (80, 24), (70, 20)):
        async with running(env, size) as driver:
            for words in ("Staging port", "duplicate", "YAML", "Grafana, the old"):
                assert words in driver.text.split("╰")[0], (size, words)


async def test_a_limit_that_is_exceeded_has_the_ink_of_its_problem(make_env: MakeEnv, demo: DemoHome) -> None:
    from memtui.ui.top_line import top_line

    async with running(make_env(home=demo.home, cwd=demo.long_project)) as driver:
        view = driver.app.desk.view
        assert view is not None and view.stores[0].heading.tail_ink == "error"
        for level in top_line(view, 0, [], "").levels:
            assert level[0][0][1] == "error" and level[0][0][0].startswith("205/200")


@pytest.mark.parametrize("name", ["dark", "light", "contrast"])
async def test_the_bar_of_the_cursor_is_seen_beside_what_is_around_it(env: Env, name: str) -> None:
    async with running(env) as driver:
        driver.app.theme = f"memtui-{name}"
        await driver.settled()
        rows = driver.app.desk.index.list
        bar = next(iter(rows.render_line(rows.cursor)))
        around = rows.rich_style.bgcolor
        assert bar.text == "▌" and bar.style is not None and bar.style.color is not None
        assert around is not None and bar.style.color.triplet not in (None, around.triplet)
