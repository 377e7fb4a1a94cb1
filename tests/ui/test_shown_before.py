"""Every key that takes something away asks first, and takes away nothing that was not shown then."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running, tree
from side_by_side import store_of, workspace_of

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.ui.commands import COMMANDS
from memtui.ui.screens.diff_screen import DiffScreen

ASKS: dict[str, list[tuple[list[str], str]]] = {
    "delete": [(["d"], "y"), (["*", "d"], "y")],
    "type": [(["space", "space", "t", "r"], "y")],
    "move": [(["space", "space", "M", "1"], "y")],
    "merge": [(["space", "space", "m"], "2"), (["v", "j", "j", "m"], "1"), (["space", "space", "m"], "e")],
    "index_lines": [(["space", "space", "do index_lines", "t"], "y")],
    "split": [(["do split"], "y")],
    "repair": [],
    "repair_all": [],
    "trash_session": [],
}
"""What takes something away, or rewrites it, after a question: the keys to it (`do X` for a command without one),
and the answer. Those without a way have tests of their own, below and in `test_session_verbs.py`."""

TYPED = {
    "edit": "the text of the person's own editor",
    "edit_index": "the text of the person's own editor",
    "line": "the old words stand in the field",
    "rename": "the old name stands in the field",
    "session_title": "the old title stands in the field",
    "add": "takes nothing away",
    "remember": "takes nothing away",
    "undo": "takes back what was done here; another's change is asked about",
    "redo": "does again what was done here",
}
"""What takes nothing away that the person did not type over."""


def test_every_command_that_changes_something_is_in_one_of_the_tables() -> None:
    changing = {command.id for command in COMMANDS if command.changes}
    assert changing == ASKS.keys() | TYPED.keys() and not ASKS.keys() & TYPED.keys()


def filled(store: Path) -> None:
    """Four memories with lines, headings and links, in the place of the demo's."""
    for path in store.iterdir():
        path.unlink()
    for name in ("one", "two", "three", "four"):
        head = f"---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: user\n---\n\n"
        (store / f"{name}.md").write_text(f"{head}{name} it is\n\n## Why {name}\n\nSee [[two]].\n")
    lines = [f"- [{name.title()}]({name}.md) — about {name}\n" for name in ("one", "two", "three", "four")]
    (store / "MEMORY.md").write_text("".join(lines))


async def press(driver: Driver, *keys: str) -> None:
    for key in keys:
        if key.startswith("do "):
            driver.app.action_do(key.removeprefix("do "))
            await driver.settled()
        else:
            await driver.press(key)


async def shown_by(driver: Driver) -> tuple[str, Counter[str]]:
    """The words of the question, and the lines that its look says will go."""
    bar = driver.app.desk.ask_bar
    assert bar.asking
    rows = bar.laid_out(bar.size.width)
    words, going = " ".join("".join(text for text, _ink in row) for row in rows), Counter[str]()
    if any(choice.key == "o" for choice in bar._choices):
        await driver.press("o")
        screen = driver.app.screen
        assert isinstance(screen, DiffScreen)
        going = Counter(line[1:] for line in screen._diff if line.startswith("-"))
        await driver.press("o")
    return words, going


def unseen(
    before: Mapping[str, bytes], after: Mapping[str, bytes], words: str, going: Counter[str]
) -> list[tuple[str, str]]:
    """What is not there any more and was not shown: files, and lines of files that are left."""
    found = []
    numbers = {
        int(n) for part in re.findall(r"lines? ([\d, ]+)of MEMORY\.md", words) for n in re.findall(r"\d+", part)
    }
    for name, data in before.items():
        base = name.rpartition("/")[2]
        if name not in after:
            # a question names so many files: its look names all
            in_look = any(line.startswith("-- a/") and line.endswith(f"/{base}") for line in going)
            if base not in words and not in_look:
                found.append((name, ""))
            continue
        lines = data.decode("utf-8", "surrogateescape").split("\n")
        left = Counter(map(_unlinked, after[name].decode("utf-8", "surrogateescape").split("\n")))
        for number, line in enumerate(lines, 1):
            left[_unlinked(line)] -= 1
            is_named = base == "MEMORY.md" and number in numbers
            if left[_unlinked(line)] < 0 and not is_named and line not in going:
                found.append((name, line))
    return found


def _unlinked(line: str) -> str:
    # what names a merged memory names another one then: nothing is taken away by that
    return re.sub(r"\[\[.*?\]\]", "[[]]", line)


async def test_nothing_goes_that_the_question_has_not_shown(env: Env, demo: DemoHome) -> None:
    filled(demo.store)
    places = (demo.home / ".zcode", demo.home / ".claude")

    def everything() -> dict[str, bytes]:
        return {f"{place.name}/{name}": data for place in places for name, data in tree(place).items()}

    before = everything()
    async with running(env, (120, 40)) as driver:
        driver.edit_with(lambda text: text + b"and more\n")
        for command, ways in ASKS.items():
            for keys, answer in ways:
                driver.app.desk.listing.mark(())
                await press(driver, "1", "g", *keys)
                words, going = await shown_by(driver)
                assert everything() == before, command
                await driver.press(answer)
                after = everything()
                assert after != before, (command, keys)
                assert unseen(before, after, words, going) == [], (command, keys)
                for _change in range(2 if "*" in keys else 1):
                    await driver.press("u")
                assert everything() == before, (command, keys)


@pytest.mark.parametrize("key", ["x", "X"])
async def test_a_repair_shows_what_it_takes_away(make_env: MakeEnv, tmp_path: Path, key: str) -> None:
    store = store_of(tmp_path, "hermes")
    store.root.mkdir(parents=True)
    (store.root / "MEMORY.md").write_text("one\n\n§\ntwo\n§\n§\ntwo\n")
    before = tree(store.root)
    async with running(make_env(), (120, 40), make=workspace_of(store)) as driver:
        await driver.press("g", key)
        words, going = await shown_by(driver)
        assert tree(store.root) == before
        await driver.press("y")
        after = {name: data for name, data in tree(store.root).items() if not name.endswith(".lock")}
        assert after != before and unseen(before, after, words, going) == []
