"""Sorting: what the orders mean, the menu, and what is kept from one start to the next."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from app_driver import Driver, MakeEnv, running

from memtui.core.env import Env
from memtui.core.workspace import Workspace
from memtui.demo import DemoHome
from memtui.ui.arranging import ORDERS, Arrangement, arrange, known_order, said_order
from memtui.ui.found import SESSION_ORDERS
from memtui.ui.sorting import next_order
from memtui.ui.view import View, build_view


@pytest.fixture
def view(env: Env) -> View:
    workspace = Workspace(env)
    return build_view(workspace, workspace.snapshots())


# The orders


@pytest.mark.parametrize("order", [order for order in ORDERS if order])
def test_every_order_sorts_within_its_store_and_can_be_turned_over(view: View, order: str) -> None:
    def ids(arrangement: Arrangement) -> list[str]:
        return [row.id for row in arrange(view, arrangement).rows]

    def sizes(row_ids: list[str]) -> list[tuple[int, str]]:
        return [(view.items[row_id].store, row_id) for row_id in row_ids if row_id in view.items]

    there, back = ids(Arrangement(order=order)), ids(Arrangement(order=f"-{order}"))
    headings = [row.id for row in view.rows if row.kind == "heading"]
    assert [row_id for row_id in there if row_id in headings] == headings
    assert sorted(there) == sorted(row.id for row in view.rows if row.kind != "rule")
    stores = [store for store, _row_id in sizes(there)]
    assert stores == sorted(stores) and there != back
    for number in set(stores):
        in_store = [row_id for store, row_id in sizes(there) if store == number]
        assert in_store == [row_id for store, row_id in sizes(back) if store == number][::-1]
        keys = [ORDERS[order].key(view.items[row_id]) for row_id in in_store]
        assert keys == sorted(keys)


def test_the_orders_are_what_their_names_say(view: View) -> None:
    def first(order: str) -> str:
        row = next(row for row in arrange(view, Arrangement(order=order)).rows if row.id in view.items)
        return view.items[row.id].file

    mine = [item for item in view.items.values() if item.store == 0]
    never = datetime.min.replace(tzinfo=UTC)
    assert first("size") == max(mine, key=lambda item: item.memory.size_bytes).file
    assert first("age") == max(mine, key=lambda item: item.memory.updated or never).file
    errors = [item for item in mine if item.problems and item.problems[0].severity == "error"]
    assert first("problems") == max(errors, key=lambda item: len(item.problems)).file
    assert first("name") == min(mine, key=lambda item: item.title.casefold()).file
    assert first("-") == mine[-1].file


def test_the_cut_is_drawn_in_index_order_only_and_rows_stay_dim(make_env: MakeEnv, demo: DemoHome) -> None:
    workspace = Workspace(make_env(home=demo.home, cwd=demo.long_project))
    view = build_view(workspace, workspace.snapshots())
    dim = {row.id for row in view.rows if row.dim}
    assert dim and any(row.kind == "rule" for row in view.rows)
    for order in ("name", "-"):
        rows = arrange(view, Arrangement(order=order)).rows
        assert not any(row.kind == "rule" for row in rows)
        assert {row.id for row in rows if row.dim} == dim


def test_the_same_letter_turns_an_order_over_and_an_unknown_one_is_the_usual() -> None:
    assert [next_order(now, "name") for now in ("", "name", "-name", "age")] == [
        "name",
        "-name",
        "name",
        "name",
    ]
    assert next_order("", "") == "-" and next_order("-", "") == ""
    assert [known_order(order, ORDERS) for order in ("name", "-name", "-", "colour", "-colour")] == [
        *("name", "-name", "-", "", ""),
    ]
    assert said_order("-name", ORDERS) == "by name, reversed" and said_order("", ORDERS) == ""
    for orders in (ORDERS, SESSION_ORDERS):
        assert len({order.letter for order in orders.values()}) == len(orders)


# The menu


async def test_s_and_a_letter_sort_and_the_frame_says_so(env: Env) -> None:
    async with running(env, (120, 36)) as driver:
        await driver.press("j", "s")
        assert (
            "Sort memories, now index order:" in driver.words
            and "Esc leave" in driver.words
            and "z size" in driver.words
        )
        file = driver.cursor_file
        await driver.press("n")
        assert "1 Memories by name" in driver.words
        assert driver.cursor_file == file
        await driver.press("s", "n")
        assert "by name, reversed" in driver.words
        assert driver.cursor_file == file
        # what is deleted and comes back takes the cursor along in any order
        await driver.press("d", "y", "g", "u")
        assert driver.cursor_file == file
        await driver.press("s", "i")
        assert "by name" not in driver.text


async def test_sessions_are_sorted_and_filtered_while_nothing_is_searched_for(env: Env) -> None:
    async with running(env, (120, 36)) as driver:
        await driver.press("3", "H", "s", "n")
        titles = session_titles(driver)
        assert titles == sorted(titles, key=str.casefold) and len(titles) > 2
        await driver.press("s", "n")
        assert session_titles(driver) == sorted(titles, key=str.casefold, reverse=True)
        assert "by name, reversed" in driver.words
        word = titles[0].split()[0].lower()
        await driver.press("f", *word, "enter")
        assert f"f {word}" in driver.words and 0 < len(session_titles(driver)) < len(titles)
        await driver.press("q")
        assert len(session_titles(driver)) == len(titles)
        assert driver.app.navigation.active == "search"


def session_titles(driver: Driver) -> list[str]:
    return [row.cells[1].text for row in driver.app.desk.search.list.rows if row.kind == "row"]


# What is kept


async def test_u12_order_and_place_are_there_again_at_the_next_start(env: Env) -> None:
    remembered = env.state_dir / "remembered.json"
    async with running(env) as driver:
        await driver.press("s", "n", "j", "j")
        saved = remembered.read_bytes()
        await driver.press("j")
        # moving writes nothing
        assert remembered.read_bytes() == saved
        driver.go_to("no-mocks-in-db-tests.md")
        await driver.press("q")
    assert json.loads(remembered.read_bytes())["order"] == "name"
    async with running(env) as driver:
        assert driver.cursor_file == "no-mocks-in-db-tests.md"
        assert "1 Memories by name" in driver.words
        await driver.press("]", "q")
    async with running(env) as driver:
        assert driver.app.desk.store is not None and driver.app.desk.store.name == "claude"


async def test_u12_a_reload_while_scrolled_moves_nothing(make_env: MakeEnv, demo: DemoHome) -> None:
    async with running(make_env(home=demo.home, cwd=demo.long_project)) as driver:
        await driver.press("pagedown", "pagedown", "k", "k", "k", "space")
        before, top = driver.cursor_file, driver.app.desk.index.list.scroll_offset.y
        rows = [driver.app.desk.index.list.render_line(y).text for y in range(10)]
        await driver.press("f5")
        assert (driver.cursor_file, driver.app.desk.index.list.scroll_offset.y) == (before, top)
        (demo.long_store / "zzz-new.md").write_text("---\nname: zzz\n---\n\nnew\n")
        await driver.press("f5")
        assert driver.cursor_file == before
        assert [driver.app.desk.index.list.render_line(y).text for y in range(10)] == rows
        assert len(driver.app.desk.marked) == 1
