"""Marks: space, a range, all; what verbs do with them, and that one key never deletes a run."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from app_driver import Driver, running, tree
from textual import events

from memtui.core.env import Env
from memtui.core.workspace import Workspace
from memtui.demo import DemoHome
from memtui.ui.bulk import batches, count_words, details, refusal, sort_out, what_goes_of_many
from memtui.ui.view import build_view
from memtui.ui.widgets.ask_bar import Names
from memtui.ui.widgets.row_list import RowList

HOSTILE = ("[@click=app.quit]fix[x]", "range [", "- [ ] task [x] done", "mail [a@b.c]", "[$primary]x[x]")


@pytest.fixture
def twenty(demo: DemoHome) -> Path:
    """A store of twenty memories, each with its line."""
    for path in demo.store.iterdir():
        path.unlink()
    lines = []
    for number in range(1, 21):
        text = f"---\nname: fact-{number:02}\ndescription: d{number}\nmetadata:\n  type: project\n---\n\nbody {number}\n"
        (demo.store / f"fact-{number:02}.md").write_text(text)
        lines.append(f"- [Fact {number:02}](fact-{number:02}.md) — d{number}\n")
    (demo.store / "MEMORY.md").write_text("".join(lines))
    return demo.store


def marked_files(driver: Driver) -> list[str]:
    return [item.memory.file for item in driver.app.desk.marked]


# Marking


async def test_space_marks_and_goes_down_v_marks_a_range_and_star_all(env: Env, twenty: Path) -> None:
    async with running(env) as driver:
        await driver.press("space")
        assert marked_files(driver) == ["fact-01.md"] and driver.cursor_file == "fact-02.md"
        assert "1 marked" in driver.text and "*Fact 01" in driver.words.replace("* ", "*")
        await driver.press("v", "j", "j")
        assert marked_files(driver) == [f"fact-0{n}.md" for n in (1, 2, 3, 4)] and "4 marked" in driver.text
        await driver.press("k")
        assert "3 marked" in driver.text
        await driver.press("v", "j", "j")
        assert marked_files(driver) == ["fact-01.md", "fact-02.md", "fact-03.md"]
        # a range that is left takes back what it marked, and only that
        await driver.press("v", "j", "h")
        assert len(marked_files(driver)) == 3
        await driver.press("*")
        assert "22 marked" in driver.text
        await driver.press("*")
        assert marked_files(driver) == [] and "marked" not in driver.text


async def test_marks_stand_through_filter_sort_and_reload_and_go_one_step_before_the_filter(
    env: Env, twenty: Path
) -> None:
    async with running(env) as driver:
        await driver.press("space", "space", "s", "n", "f", *"fact-02", "enter")
        assert marked_files(driver) == ["fact-02.md", "fact-01.md"]
        assert "2 marked (1 hidden)" in driver.text
        (twenty / "fact-01.md").unlink()
        lines = (twenty / "MEMORY.md").read_text().splitlines(keepends=True)
        (twenty / "MEMORY.md").write_text("".join(lines[1:]))
        await driver.press("f5")
        assert marked_files(driver) == ["fact-02.md"]
        await driver.press("q")
        assert marked_files(driver) == [] and driver.app.desk.query_text == "fact-02"
        await driver.press("q")
        assert driver.app.desk.query_text == ""


async def test_memories_that_a_search_found_are_marked_there_and_deleted(env: Env, twenty: Path) -> None:
    async with running(env) as driver:
        await driver.press("/", *"body 2", "tab")
        files = []
        for _step in range(2):
            files.append(driver.cursor_file)
            await driver.press("space")
        assert marked_files(driver) == sorted(files) and "2 memories are marked" in driver.words
        assert sum("*" in line for line in driver.text.splitlines()) >= 2
        await driver.press("d", "y")
        assert not any((twenty / file).exists() for file in files)
        assert len(tree(twenty)) == 19


async def test_marks_are_counted_in_a_frame_without_a_lower_edge_too(env: Env) -> None:
    async with running(env, (40, 10)) as driver:
        await driver.press("space", "space")
        assert "1 Memories 2 marked" in driver.words.replace("─", " ").replace("  ", " ")


# Deleting


async def test_u10_five_of_twenty_go_in_one_step_and_come_back_in_one(env: Env, twenty: Path) -> None:
    before = tree(twenty)
    async with running(env) as driver:
        await driver.press("space", "j", "space", "j", "space", "v", "j", "d")
        files = marked_files(driver)
        assert len(files) == 5
        size = sum(len(before[name]) for name in files)
        assert f"Delete 5 memories ({size} B) and 5 lines of MEMORY.md?" in driver.words
        assert all(file in driver.text for file in files)
        assert tree(twenty) == before
        await driver.press("y")
        after = tree(twenty)
        assert sorted(before.keys() - after.keys()) == sorted(files)
        assert marked_files(driver) == []
        (change,) = Workspace(env).history()
        assert [str(path).rpartition("/")[2] for path in change.paths].count("MEMORY.md") == 1
        await driver.press("u")
        assert tree(twenty) == before
        assert driver.cursor_file == files[0] and marked_files(driver) == []


async def test_u09_held_keys_delete_exactly_one_of_twenty_and_undo_leads_back_to_it(
    env: Env, twenty: Path
) -> None:
    before = tree(twenty)
    async with running(env) as driver:
        driver.go_to("fact-07.md")
        for key in "dy":
            for _ in range(50):
                driver.app.post_message(events.Key(key, key))
            await driver.settled()
        assert sorted(before.keys() - tree(twenty).keys()) == ["fact-07.md"]
        await driver.press("g", "u")
        assert tree(twenty) == before and driver.cursor_file == "fact-07.md"


async def test_marks_in_two_stores_are_one_change_each(env: Env, demo: DemoHome) -> None:
    stores = [snapshot.store.root for snapshot in Workspace(env).snapshots()]
    before = [tree(store) for store in stores]
    async with running(env) as driver:
        await driver.press("]", "space", "[", "space", "d")
        assert "Delete 2 memories" in driver.words and "2 index lines" in driver.words
        assert "zcode: user-role.md" in driver.words
        await driver.press("y")
        assert len(Workspace(env).history()) == 2
        await driver.press("u", "u")
        assert [tree(store) for store in stores] == before


async def test_d02_a_bulk_delete_names_the_other_projects(env: Env, demo: DemoHome) -> None:
    view = build_view(workspace := Workspace(env), workspace.snapshots())
    store = view.stores[0]
    shared = dataclasses.replace(store.snapshot.store, shared_by=("/elsewhere/my-app",))
    snapshot = dataclasses.replace(store.snapshot, store=shared)
    view = dataclasses.replace(view, stores=(dataclasses.replace(store, snapshot=snapshot), *view.stores[1:]))
    before = tree(store.snapshot.store.root)
    async with running(env) as driver:
        driver.app.desk.view = view
        await driver.press("space", "space", "d")
        assert "also for /elsewhere/my-app?" in driver.words
        await driver.press("y")
        assert "This is the memory of /elsewhere/my-app too. Change it there as well?" in driver.words
        assert tree(store.snapshot.store.root) == before
        await driver.press("n")
        assert tree(store.snapshot.store.root) == before
        await driver.press("d", "y", "y")
        assert len(tree(store.snapshot.store.root)) == len(before) - 2


# Other verbs


async def test_t_sets_the_type_of_the_marked_and_says_what_it_leaves(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        await driver.press("*", "t")
        assert "Type of 14 memories, now mixed:" in driver.words and "Esc leave" in driver.words
        await driver.press("r")
        assert "of 14 memories from mixed to reference?" in driver.words
        assert "14 of 15; grafana-old.md: the file is missing" in driver.words
        await driver.press("y")
        for snapshot in Workspace(env).snapshots():
            for memory in snapshot.memories:
                assert memory.type == "reference" or memory.why_not.get("type"), memory.file


async def test_y_and_capital_y_copy_what_is_marked(
    env: Env, twenty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.ui import clipboard

    copied: list[str] = []

    def copy(env: Env, text: str) -> clipboard.Copied:
        copied.append(text)
        return clipboard.Copied("copied", True, None)

    monkeypatch.setattr(clipboard, "copy", copy)
    async with running(env) as driver:
        await driver.press("space", "space", "y", "Y")
    assert copied[0] == f"{twenty}/fact-01.md\n{twenty}/fact-02.md"
    assert copied[1].count("\nbody ") == 2


async def test_i_is_about_the_row_under_the_cursor_and_says_so(env: Env, twenty: Path) -> None:
    async with running(env) as driver:
        await driver.press("space", "i")
        assert "of fact-02.md" in driver.words
        await driver.press("escape")
        assert "this is about Fact 02 only; 1 marked stay as they are" in driver.words


def test_a_verb_that_is_not_possible_on_some_does_the_rest(env: Env) -> None:
    view = build_view(workspace := Workspace(env), workspace.snapshots())
    bulk = sort_out(view.items.values(), "type")
    assert [item.file for item, _why in bulk.refused] == ["grafana-old.md"]
    assert refusal(bulk) == "14 of 15; grafana-old.md: the file is missing"
    assert count_words(1) == "1 memory"
    assert what_goes_of_many(view, bulk.items[:1]).startswith("1 memory (")
    rows = ["".join(text for text, _ink in row) for row in details(view, bulk, 3)]
    assert rows[2] == "3 of them are hidden by the filter"
    names = details(view, bulk, 3)[0]
    assert isinstance(names, Names) and names.more == 2
    assert [len(batch.edits) for batch in batches(view, bulk.items, lambda item: item.memory)] == [12, 2]  # type: ignore[arg-type,return-value]


# Text from disk


async def test_t05_t06_t07_markup_is_literal_in_rows_titles_questions_and_details(
    env: Env, twenty: Path
) -> None:
    for text in HOSTILE:
        front = f'---\nname: "{text}"\ndescription: "{text}"\nmetadata:\n  type: user\n---\n\n{text}\n'
        (twenty / f"{text}.md").write_text(front)
    async with running(env, (160, 48)) as driver:
        row_list = driver.app.desk.index.list
        for text in HOSTILE:
            driver.go_to(f"{text}.md")
            await driver.settled()
            row = next(y for y in range(row_list.size.height) if text in row_list.render_line(y).text)
            await driver.pilot.click(RowList, offset=(8, row))
            await driver.settled()
            assert driver.app.is_running and driver.cursor_file == f"{text}.md"
            assert f"2 {text}.md" in driver.text
            await driver.press("d")
            assert f"Delete {text}.md?" in driver.text
            await driver.press("n")
        driver.app.desk.listing.mark(row.id for row in row_list.rows if "fact" not in row.id and row.markable)
        await driver.press("d")
        for text in HOSTILE:
            assert any(line.rstrip().endswith(f": {text}.md") for line in driver.text.splitlines()[-9:-1])
        await driver.press("n")
        for text in HOSTILE:
            driver.app.desk.filter(text)
            await driver.settled()
            assert f"1 Memories  f {text} " in driver.text
