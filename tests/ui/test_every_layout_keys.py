"""Every layout through the same keys: add, edit, one line, delete, marks, move, all the way back and forth."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running
from side_by_side import TEXTS, files_of, fill, store_of, workspace_of

from memtui.ui.commands import COMMANDS

INDEX = "MEMORY.md"


@dataclass(frozen=True)
class Subject:
    """One owner's store: the keys between `a` and the title, what changes its one line, the files that hold
    other bytes after each step (days and moments as DAY), another store, and what a move makes of it there."""

    into: tuple[str, ...]
    line_key: str
    added: dict[str, str]
    edited: dict[str, str]
    lined: dict[str, str]
    target: str
    moved: dict[str, str]


FACT = "---\nname: fresh\ndescription: {}\nmetadata:\n  node_type: memory\n  type: project\n---\n{}"
NOTE = "---\nname: Fresh\ndescription: {}\ntype: feedback\ncreated: DAY\nmodified: DAY\n---\n{}"
TOPIC = TEXTS["topics"]["net.md"].replace("2026-01-02", "DAY") + "\n## {}\n\nwhat it says\n{}"
USER = TEXTS["amaster"]["USER.md"] + "\n§\n{}\nwhat it says{}"


def named(layout: str, line: str) -> str:
    return TEXTS[layout][INDEX] + line


def topic(title: str, text: str = "") -> dict[str, str]:
    hooks = ("Staging; Other", f"Staging; Other; {title}")
    return {
        "net.md": TOPIC.format(title, text).replace(*hooks),
        INDEX: TEXTS["topics"][INDEX].replace(*hooks),
    }


def fact(description: str, text: str) -> dict[str, str]:
    index = named("facts", f"- [Fresh](fresh.md) — {description}\n")
    return {"fresh.md": FACT.format(description, text), INDEX: index}


def note(description: str, text: str) -> dict[str, str]:
    index = named("notes", f"- [Fresh](Fresh.md) — {description}\n")
    return {"Fresh.md": NOTE.format(description, text), INDEX: index}


def entry(title: str, text: str = "") -> dict[str, str]:
    return {"USER.md": USER.format(title, text)}


AS_ENTRY = {"USER.md": "likes tea\n§\n{}"}

SUBJECTS = {
    "facts": Subject(
        (),
        "i",
        fact("what it says", ""),
        fact("what it says", "edited\n"),
        fact("what it says!", "edited\n"),
        "amaster",
        {INDEX: TEXTS["amaster"][INDEX] + "\n§\nFresh\nwhat it says!\nedited"},
    ),
    "topics": Subject(
        ("enter",),
        "I",
        topic("Fresh"),
        topic("Fresh", "edited\n"),
        topic("Fresh!", "edited\n"),
        "facts",
        {
            "fresh.md": FACT.format("what it says", "\nwhat it says\nedited\n").replace("project", "user"),
            INDEX: named("facts", "- [Fresh!](fresh.md) — what it says\n"),
        },
    ),
    "notes": Subject(
        (),
        "i",
        note("what it says", ""),
        note("what it says", "edited\n"),
        note("what it says!", "edited\n"),
        "topics",
        {
            "Fresh.md": "---\nname: Fresh\ndescription: Fresh\ntype: feedback\nupdated: DAY\n---\n\n## Fresh\n\n"
            "what it says!\n\nedited\n",
            INDEX: named("topics", "- [Fresh](Fresh.md) — Fresh\n"),
        },
    ),
    **{
        owner: Subject(
            ("u",),
            "I",
            entry("Fresh"),
            entry("Fresh", "\nedited"),
            entry("Fresh!", "\nedited"),
            "notes",
            {
                "Fresh!.md": NOTE.format("Fresh!", "\nFresh!\nwhat it says\nedited\n")
                .replace("name: Fresh\n", "name: Fresh!\n")
                .replace("type: feedback", "type: user"),
                INDEX: named("notes", "- [Fresh!](Fresh!.md) — Fresh!\n"),
            },
        )
        for owner in ("amaster", "hermes")
    },
}


class Stand:
    """The app on the subject's store and on the one beside it."""

    def __init__(self, parent: Path, name: str, driver: Driver) -> None:
        self.subject, self.driver = SUBJECTS[name], driver
        self.name, self.root = name, parent / name
        self.there = parent / self.subject.target
        self.states = [self.both]

    @property
    def both(self) -> tuple[dict[str, bytes], dict[str, bytes]]:
        return files_of(self.root), files_of(self.there)

    async def step(self, *keys: str) -> None:
        """Press the keys of one change."""
        await self.driver.press(*keys)
        self.states.append(self.both)
        assert self.states[-1] != self.states[-2], self.driver.words

    def assert_holds(self, root: Path, name: str, wanted: dict[str, str]) -> None:
        """These files have these texts, all others what they had at first."""
        texts = {path: data.decode() for path, data in files_of(root).items()}
        assert {path: dayless(text) for path, text in texts.items()} == {
            path: dayless(text) for path, text in {**TEXTS[name], **wanted}.items()
        }

    async def back_and_forth(self) -> None:
        """Undo everything, then redo it, the bytes of both stores compared at each step."""
        for state in self.states[-2::-1]:
            await self.driver.press("u")
            assert self.both == state
        for state in self.states[1:]:
            await self.driver.press("ctrl+r")
            assert self.both == state


def dayless(text: str) -> str:
    text = re.sub(r"(created|updated): \d{4}-\d\d-\d\d", r"\1: DAY", text)
    return re.sub(r"modified: \d{4}-\d\d-\d\dT\S+Z", "modified: DAY", text)


@asynccontextmanager
async def standing(make_env: MakeEnv, parent: Path, name: str) -> AsyncIterator[Stand]:
    fill(parent, name)
    fill(parent, SUBJECTS[name].target)
    make = workspace_of(store_of(parent, name), store_of(parent, SUBJECTS[name].target))
    env = replace(make_env(), environ={"EDITOR": "ed"})
    async with running(env, (120, 36), make=make) as driver:
        yield Stand(parent, name, driver)


@pytest.mark.parametrize("name", SUBJECTS)
async def test_add_edit_one_line_move_and_all_back_and_forth(
    make_env: MakeEnv, tmp_path: Path, name: str
) -> None:
    async with standing(make_env, tmp_path, name) as stand:
        subject, driver = stand.subject, stand.driver
        await stand.step("a", *subject.into, *"Fresh", "enter", *"what it says", "enter")
        stand.assert_holds(stand.root, name, subject.added)
        assert driver.cursor_title == "Fresh"
        driver.edit_with(lambda data: data.removesuffix(b"\n") + b"\nedited\n")
        await stand.step("e")
        stand.assert_holds(stand.root, name, subject.edited)
        await stand.step(subject.line_key, "!", "enter")
        stand.assert_holds(stand.root, name, subject.lined)
        title = driver.cursor_title
        # the store beside it is the first that is offered
        await stand.step("M", "1", "y")
        stand.assert_holds(stand.there, subject.target, subject.moved)
        stand.assert_holds(stand.root, name, {})
        item = driver.app.desk.item
        assert item is not None and item.store == 1 and title in (item.memory.title, item.memory.title + "!")
        await stand.back_and_forth()


@pytest.mark.parametrize("name", SUBJECTS)
async def test_delete_one_then_two_that_are_marked(make_env: MakeEnv, tmp_path: Path, name: str) -> None:
    async with standing(make_env, tmp_path, name) as stand:
        driver = stand.driver
        await stand.step("d", "y")
        assert "deleted" in driver.words
        await driver.press("u")
        assert stand.both == stand.states[0]
        await driver.press("g", "space", "space", "d")
        assert "Delete 2 memories" in driver.words and stand.both == stand.states[0]
        await stand.step("y")
        left = stand.both[0]
        memories = {path for path, data in left.items() if path != INDEX and data}
        assert memories == ({"USER.md"} if name in ("amaster", "hermes") else set())
        if name in ("amaster", "hermes"):
            assert left[INDEX] == b""
        else:
            assert b"](" not in left[INDEX]
        await driver.press("u")
        assert stand.both[0] == {path: text.encode() for path, text in TEXTS[name].items()}


async def test_memweave_says_for_every_key_that_writes_why_it_does_not(
    make_env: MakeEnv, tmp_path: Path
) -> None:
    fill(tmp_path, "memweave")
    before = files_of(tmp_path)
    make = workspace_of(store_of(tmp_path, "memweave", writable=False))
    reason = "memweave: read-only, format not documented"
    async with running(make_env(), (120, 36), make=make) as driver:
        assert "read-only, format not documented" in driver.text.splitlines()[2]
        writes = [c for c in COMMANDS if c.scope == "memory" and c.changes and c.keys]
        assert {command.key for command in writes} >= set("deEaiItMmx")
        for command in writes:
            driver.app.desk.say("")
            await driver.press(command.keys[0])
            assert not driver.app.desk.is_asking, command.id
            said = driver.app.desk.status.said
            assert said == reason or (command.id == "move" and "no other store" in said), command.id
        assert files_of(tmp_path) == before


async def test_memweave_can_be_copied_from_and_loses_nothing(make_env: MakeEnv, tmp_path: Path) -> None:
    fill(tmp_path, "memweave")
    fill(tmp_path, "facts")
    before = files_of(tmp_path / "memweave")
    make = workspace_of(store_of(tmp_path, "memweave", writable=False), store_of(tmp_path, "facts"))
    async with running(make_env(), (120, 36), make=make) as driver:
        await driver.press("M")
        assert "only a copy: memweave: read-only" in driver.words and "c copy" not in driver.words
        await driver.press("1", "y")
        assert "Gift cards are rows" in (tmp_path / "facts" / INDEX).read_text()
        assert files_of(tmp_path / "memweave") == before
