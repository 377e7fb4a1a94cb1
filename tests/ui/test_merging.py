"""`m`: one memory of several, in the editor or by keeping one; and splitting one, by its name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from app_driver import Driver, running, tree

from memtui.core.env import Env
from memtui.core.workspace import Workspace
from memtui.demo import DemoHome


@pytest.fixture
def three(demo: DemoHome) -> Path:
    """A store of three memories, two of which say the same."""
    for path in demo.store.iterdir():
        path.unlink()
    lines = []
    for name in ("port", "ports", "tea"):
        head = f"---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: project\n---\n\n"
        (demo.store / f"{name}.md").write_text(f"{head}{name} is 2222\n\n## Why\n\nSee [[ports]].\n")
        lines.append(f"- [{name.title()}]({name}.md) — about {name}\n")
    (demo.store / "MEMORY.md").write_text("".join(lines))
    return demo.store


def said_of(driver: Driver) -> str:
    return "".join(text for text, _ink in driver.app.desk.telling.said)


def index_of(store: Path) -> list[str]:
    return (store / "MEMORY.md").read_text().splitlines()


async def test_story_5_two_files_become_one_with_one_line_and_one_undo(env: Env, three: Path) -> None:
    before = tree(three)
    async with running(env) as driver:
        await driver.press("space", "space")
        driver.edit_with(lambda text: text.replace(b"port is 2222", b"both are 2222", 1))
        await driver.press("m")
        assert "Make one of 2 memories; the others go:" in driver.words
        assert "ports.md and line 2 of MEMORY.md" in driver.words and tree(three) == before
        await driver.press("e")
        assert sorted(tree(three)) == ["MEMORY.md", "port.md", "tea.md"]
        assert index_of(three) == ["- [Port](port.md) — about port", "- [Tea](tea.md) — about tea"]
        text = (three / "port.md").read_text()
        assert "both are 2222" in text and "ports is 2222" in text and "%%" not in text
        assert "[[ports]]" not in text + (three / "tea.md").read_text()
        assert "merged Ports into Port" in driver.words and driver.app.desk.marked == ()
        assert len(Workspace(env).history()) == 1
        await driver.press("u")
        assert tree(three) == before
    assert not list((env.state_dir / "drafts").glob("*"))


async def test_a_number_keeps_that_one_and_the_cursor_says_which_is_the_first(env: Env, three: Path) -> None:
    before = tree(three)
    async with running(env) as driver:
        await driver.press("v", "j", "j", "m")
        assert all(name in driver.words for name in ("1 Port", "2 Ports", "3 Tea"))
        await driver.press("n")
        assert tree(three) == before and len(driver.app.desk.marked) == 3
        driver.go_to("tea.md")
        await driver.press("m")
        assert "1 Tea" in driver.words
        await driver.press("2")
        assert sorted(tree(three)) == ["MEMORY.md", "port.md"] and tree(three)["port.md"] != before["port.md"]
        assert index_of(three) == ["- [Port](port.md) — about port"]
        assert "kept Port in the place of 2 memories" in driver.words
        await driver.press("u")
        assert tree(three) == before


@pytest.mark.parametrize(
    ("change", "said", "keeps"),
    [
        (lambda text: text, "nothing was changed", False),
        (lambda text: b"", "the text is empty", True),
        (lambda text: text.replace(b"2 of 2", b"2 of 3"), "neither all there as they were nor all gone", True),
        (lambda text: text + b"\xff", "not UTF-8 at byte", True),
    ],
)
async def test_what_the_editor_leaves_that_cannot_be_meant_changes_nothing_and_is_kept(
    env: Env, three: Path, change: Callable[[bytes], bytes], said: str, keeps: bool
) -> None:
    before = tree(three)
    async with running(env) as driver:
        driver.edit_with(change)
        await driver.press("space", "space", "m", "e")
        assert said in said_of(driver) and ("your text is kept in" in said_of(driver)) == keeps
        assert tree(three) == before and len(driver.app.desk.marked) == 2
    assert bool(list((env.state_dir / "drafts").glob("*/*"))) == keeps


async def test_an_editor_that_fails_and_a_program_that_was_faster_change_nothing(env: Env, three: Path) -> None:
    async with running(env) as driver:

        def failing(words: list[str], path: Path, line: int) -> str:
            path.write_bytes(path.read_bytes() + b"more")
            return "the editor ended with 1"

        before = tree(three)
        driver.app.desk.run_editor = failing  # type: ignore[method-assign]
        await driver.press("space", "space", "m", "e")
        assert "the editor ended with 1; your text is kept in" in said_of(driver) and tree(three) == before

        def overtaken(text: bytes) -> bytes:
            (three / "ports.md").write_text("another text\n")
            return text + b"more\n"

        driver.edit_with(overtaken)
        await driver.press("m", "e")
        assert "another program changed ports.md" in said_of(driver) and "your text is kept" in said_of(driver)
        assert tree(three) == before | {"ports.md": b"another text\n"}


async def test_m_says_what_it_needs(env: Env, three: Path) -> None:
    async with running(env) as driver:
        for keys in (["m"], ["space", "m"]):
            await driver.press(*keys)
            assert "space marks two or more; then m makes one of them" in said_of(driver)
        assert "m merge" not in driver.words
        await driver.press("space")
        assert "m merge 2" in driver.words


async def test_d02_merging_asks_once_more_where_other_projects_read_it(env: Env, three: Path) -> None:
    before = tree(three)
    async with running(env) as driver:
        shared(driver)
        await driver.press("space", "space", "m", "1")
        assert "This is the memory of /elsewhere/my-app too." in driver.words and tree(three) == before
        await driver.press("n")
        assert tree(three) == before


def shared(driver: Driver) -> None:
    """Let another project read the first store."""
    view = driver.app.desk.view
    assert view is not None
    first = view.stores[0]
    store = dataclasses.replace(first.snapshot.store, shared_by=("/elsewhere/my-app",))
    first = dataclasses.replace(first, snapshot=dataclasses.replace(first.snapshot, store=store))
    driver.app.desk.view = dataclasses.replace(view, stores=(first, *view.stores[1:]))


async def test_split_is_found_by_its_name_and_asks(env: Env, three: Path) -> None:
    before = tree(three)
    async with running(env) as driver:
        await driver.press(":", *"split", "enter")
        assert "Split “Port” at its headings?" in driver.words and tree(three) == before
        await driver.press("y")
        assert sorted(tree(three)) == ["MEMORY.md", "port.md", "ports.md", "tea.md", "why.md"]
        assert (three / "why.md").read_text().endswith("---\n\nSee [[ports]].\n")
        await driver.press("u")
        assert tree(three) == before


async def test_index_lines_of_the_marked_go_to_the_front_with_one_undo(env: Env, three: Path) -> None:
    before = tree(three)
    async with running(env) as driver:
        driver.go_to("ports.md")
        await driver.press("space", "space", ":", *"index lines", "enter")
        assert "Index lines of 2 memories:" in driver.words and tree(three) == before
        await driver.press("f")
        assert "Index lines of 2 memories: to the front of the index?" in driver.words
        assert "ports.md" in driver.text and tree(three) == before
        await driver.press("y")
        assert [line[3:6] for line in index_of(three)] == ["Por", "Tea", "Por"]
        assert index_of(three)[0] == "- [Ports](ports.md) — about ports"
        await driver.press("u")
        assert tree(three) == before
