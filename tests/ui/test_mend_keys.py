"""`x` and `X` on the screen: what is asked, how many keys it takes, and one `u` for all of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running, tree
from side_by_side import fill, store_of, workspace_of

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.ui.mending import LEAST_TOLD
from memtui.ui.screens.diff_screen import DiffScreen

GOOD = "---\nname: {0}\ndescription: about {0}\ntype: user\n---\n\ntext\n"


@asynccontextmanager
async def opened(
    make_env: MakeEnv, parent: Path, texts: Mapping[str, Mapping[str, str]], size: tuple[int, int] = (120, 36)
) -> AsyncIterator[Driver]:
    """The app on stores with these files, by layout."""
    for name, files in texts.items():
        fill(parent, name, files)
    stores = [store_of(parent, name) for name in texts]
    async with running(make_env(), size, make=workspace_of(*stores)) as driver:
        yield driver


@pytest.mark.parametrize("size", [(120, 36), (40, 10)])
async def test_story_6_two_keys_mend_all_that_is_safe_and_one_takes_it_back(
    env: Env, demo: DemoHome, size: tuple[int, int]
) -> None:
    before = tree(demo.home)
    async with running(env, size) as driver:
        await driver.press("X", "y")
        view = driver.app.desk.view
        assert view is not None
        assert not [p for store in view.stores for p in store.snapshot.problems if p.is_safe]
        assert (demo.store / "MEMORY.md").read_bytes() != before[
            str(demo.store.relative_to(demo.home) / "MEMORY.md")
        ]
        assert "mended" in driver.app.desk.status.said
        await driver.press("X")
        assert not driver.app.desk.is_asking and "x mends one by one" in driver.app.desk.status.said
        await driver.press("u")
        after = tree(demo.home)
        assert {
            path: data for path, data in after.items() if not path.startswith((".local", ".cache"))
        } == before


async def test_x_names_each_thing_that_is_wrong_with_a_row_and_mends_them_with_one_y(
    make_env: MakeEnv, tmp_path: Path
) -> None:
    files = {
        "MEMORY.md": "- [A](a.md) — about a\n- [Gone](gone.md) — it was\n- [B](b.md) — about b\n"
        "- [A again](a.md#b) — about a\n",
        "a.md": "\n\n---\nname: a\ndescription: one: two\ntype: user\n---\n\ntext\n",
        "b.md": GOOD.format("b"),
    }
    async with opened(make_env, tmp_path, {"facts": files}) as driver:
        root = tmp_path / "facts"
        driver.go_to("a.md")
        await driver.press("x")
        # what is said at two lines is one problem
        assert "Mend 3 problems?" in driver.words and driver.words.count("taking line 4 out of MEMORY.md") == 1
        assert "late block: putting its frontmatter where readers look" in driver.words
        assert "YAML broken: putting quotes around the value" in driver.words
        await driver.press("o")
        assert isinstance(driver.app.screen, DiffScreen) and '+ description: "one: two"' in driver.text
        await driver.press("q", "y")
        assert (root / "a.md").read_text() == '---\nname: a\ndescription: "one: two"\ntype: user\n---\n\ntext\n'
        driver.go_to("gone.md")
        await driver.press("x")
        assert "Mend it by taking line 2 out of MEMORY.md?" in driver.words and "file missing" in driver.words
        await driver.press("y")
        assert (root / "MEMORY.md").read_text() == "- [A](a.md) — about a\n- [B](b.md) — about b\n"
        driver.go_to("b.md")
        await driver.press("x")
        assert (
            not driver.app.desk.is_asking and "nothing here calls for a repair" in driver.app.desk.status.said
        )
        await driver.press("u", "u")
        assert {name: (root / name).read_text() for name in files} == files


async def test_x_of_what_is_marked_and_of_many_is_told_by_kind(make_env: MakeEnv, tmp_path: Path) -> None:
    lines = "".join(f"- [G{n}](g{n}.md) — was\n" for n in range(30))
    files = {"MEMORY.md": lines} | {f"o{n}.md": GOOD.format(f"o{n}") for n in range(20)}
    async with opened(
        make_env, tmp_path, {"facts": files, "topics": {"MEMORY.md": "- [x](x.md) — y\n"}}
    ) as driver:
        driver.go_to("g3.md")
        await driver.press("space", "space", "X")
        assert "Mend 2 problems?" in driver.words and "g4.md, file missing: taking line 5" in driver.words
        await driver.press("n", "*", "*", "X")
        assert "Mend 51 problems in 2 stores?" in driver.words
        assert (
            "file missing ×31" in driver.words.replace("\xa0", " ")
            and "adding 20 lines to MEMORY.md" in driver.words
        )
        # another program is quicker with one of them
        (tmp_path / "facts" / "g7.md").write_text(GOOD.format("g7"))
        await driver.press("y")
        index = (tmp_path / "facts" / "MEMORY.md").read_text()
        assert index.splitlines()[0] == "- [G7](g7.md) — was" and len(index.splitlines()) == 21
        assert "no longer there as it was" in driver.app.desk.status.said
        await driver.press("u")
        assert (tmp_path / "facts" / "MEMORY.md").read_text() == lines


async def test_f15_f23_an_index_is_built_and_leftovers_go_from_rows_of_their_own(
    make_env: MakeEnv, tmp_path: Path
) -> None:
    files = {"a.md": GOOD.format("a"), "a.md.bak": "old\n"}
    async with opened(make_env, tmp_path, {"facts": files}, (40, 10)) as driver:
        assert LEAST_TOLD < 10 // 2
        root = tmp_path / "facts"
        await driver.press("!", "x")
        assert not (root / "MEMORY.md").exists() and "Mend it by adding its line" in driver.words
        await driver.press("y")
        assert (root / "MEMORY.md").read_text() == "- [a](a.md) — about a\n"
        await driver.press("!", "x", "y")
        assert not (root / "a.md.bak").exists()
        await driver.press("u", "u")
        assert {path.name: path.read_text() for path in root.iterdir() if ".memtui" not in path.name} == files


async def test_what_other_projects_read_too_is_asked_about_once_more(make_env: MakeEnv, tmp_path: Path) -> None:
    index = "- [Gone](gone.md) — was\n- [Lost](lost.md) — was\n"
    fill(tmp_path, "facts", {"MEMORY.md": index})
    store = store_of(tmp_path, "facts", shared_by=("/code/other",))
    async with running(make_env(), (120, 36), make=workspace_of(store)) as driver:
        await driver.press("X", "y")
        assert driver.app.desk.is_asking and "memory of /code/other too" in driver.words
        assert (tmp_path / "facts" / "MEMORY.md").read_text() == index
        await driver.press("y")
        assert (tmp_path / "facts" / "MEMORY.md").read_text() == ""
