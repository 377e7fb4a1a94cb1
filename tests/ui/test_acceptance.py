"""A memory that has grown for months is put right in one sitting, beside two programs that go on writing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

import grown_home
from app_driver import Driver, MakeEnv, running, tree
from grown_home import COLON, DEAD, INDEX_LINES, ORPHANS, SESSION_OF_SSH, TWINS, WORKLOG, GrownHome, Writers
from played_watcher import PlayedWatcher
from stand_in_tmux import StandInTmux

from memtui.ui.reviews.limiting import LimitReview
from memtui.ui.reviews.triaging import TriageReview

SCREEN = (80, 24)
LIMIT, QUEUE = 200, 13
LOST = ("maple-44.md", "north-45.md", "ochre-46.md", "pearl-47.md", "amber-48.md")
"""What another program takes away."""
KEPT = (*LOST, *TWINS, *DEAD, *ORPHANS, COLON, WORKLOG)


class Person:
    """Presses keys, counts them, and looks at the screen after each; both programs write between them."""

    def __init__(self, driver: Driver, writers: Writers, watcher: PlayedWatcher) -> None:
        self.driver = driver
        self.keys: list[str] = []
        self._writers = writers
        self.watcher = watcher

    async def press(self, *keys: str) -> None:
        """Press keys that count."""
        self.keys += keys
        await self.also(*keys)

    async def also(self, *keys: str) -> None:
        """Press keys that only lead to where a story begins."""
        for key in keys:
            if written := self._writers.write():
                self.watcher.say(*written)
            await self.driver.press(key)
            assert_is_plain(self.driver.text)

    def counted(self) -> int:
        """How many keys it took since the last time."""
        count = len(self.keys)
        self.keys.clear()
        return count


def assert_is_plain(screen: str) -> None:
    """Nothing from the disk is on the screen that a terminal or a reader would take for something else."""
    odd = {char for char in screen if unicodedata.category(char) in ("Cc", "Cf") and char != "\n"}
    assert not odd, odd


def undoable(driver: Driver) -> int:
    assert driver.app.desk.view is not None
    return driver.app.desk.view.undoable


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n")


async def test_a_memory_of_months_is_put_right_with_the_keys_of_the_ten_stories(
    make_env: MakeEnv, tmp_path: Path
) -> None:
    made = grown_home.build(tmp_path / "grown")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("pi", "ed"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    environ = {"PATH": str(programs), "TMUX": "/tmp/t,1,0", "TMUX_PANE": "%1", "EDITOR": "ed"}
    env = make_env(home=made.home, cwd=made.project, environ=environ)
    before = {root: tree(root) for root in made.roots}
    writers, watcher = Writers(made), PlayedWatcher()
    async with running(env, SCREEN, watcher.make) as driver:
        person = Person(driver, writers, watcher)
        for story in (look, delete_one, triage_some, fit, merge_two, unlock, mend_all, find_and_resume):
            await story(person, made)
        await bring_one_back(person, made)
        await adopt(person, made)
        # everything is taken back, while both go on writing
        changes, presses = undoable(driver), 0
        while undoable(driver) and presses < changes:
            await person.also("u")
            presses += 1
        assert undoable(driver) == 0 and changes > INDEX_LINES - LIMIT
    for root, files in before.items():
        left = {name: writers.without(root / name, data) for name, data in tree(root).items()}
        gone = set(LOST) if root == made.store else set()
        wanted = {name: data for name, data in files.items() if name not in gone}
        if gone:
            wanted["MEMORY.md"] = without_lines(wanted["MEMORY.md"], gone)
        assert left == wanted


async def look(person: Person, made: GrownHome) -> None:
    """Story 1: is it healthy?"""
    said = person.driver.words
    for words in ("205/200 lines, 5 over", "12 problems, 4 notes", "file missing ×3", "drift", "over limit"):
        assert words in said
    assert person.counted() == 0


async def delete_one(person: Person, made: GrownHome) -> None:
    """Story 2: delete a memory and its line, and take it back."""
    driver = person.driver
    start = tree(made.store)
    driver.go_to("birch-01.md")
    await person.press("d", "y")
    assert person.counted() == 2
    assert not (made.store / "birch-01.md").exists() and b"birch-01" not in made.index.read_bytes()
    await person.press("u")
    assert person.counted() == 1
    assert (
        tree(made.store)["birch-01.md"] == start["birch-01.md"] and b"(birch-01.md)" in made.index.read_bytes()
    )


async def triage_some(person: Person, made: GrownHome) -> None:
    """Story 3: what is most suspicious first, what says nothing goes."""
    driver = person.driver
    await person.press("S")
    assert person.counted() == 1
    review = driver.app.desk.front
    assert isinstance(review, TriageReview)
    decided = 0
    while decided < QUEUE:
        item = review.item
        assert item is not None
        if item.memory.file not in KEPT:
            await person.press("d", "y")
            assert person.counted() == 2 and not (made.store / item.memory.file).exists()
        else:
            await person.press("enter")
            assert person.counted() == 1
        decided += 1
        assert f"Triage {decided} of" in driver.words, driver.text
    await person.also("q")


async def fit(person: Person, made: GrownHome) -> None:
    """Story 4: the index under its limit."""
    driver = person.driver
    await person.press("L")
    assert person.counted() == 1 and "over" in driver.words
    # what can be mended stays, and what has no line yet needs room for one more
    review = driver.app.desk.front
    assert isinstance(review, LimitReview)
    review.go_to(next(row for row in review.entries if row.endswith("amber-16.md")))
    await driver.settled()
    while lines_of(made.index) > LIMIT - 2:
        item = review.item
        assert item is not None and item.memory.file not in KEPT
        await person.press("d", "y")
        assert person.counted() == 2 and item.memory.file not in made.index.read_text()
    assert "over" not in driver.words
    await person.also("q")


async def merge_two(person: Person, made: GrownHome) -> None:
    """Story 5: one of two that say the same."""
    driver = person.driver
    driver.edit_with(lambda text: text.replace(b"green tea", b"green tea, or water,", 1))
    await person.press("D", "m", "e")
    assert person.counted() == 3 and "1 group" in driver.words
    [left] = [name for name in TWINS[:2] if (made.store / name).exists()]
    assert b"or water" in (made.store / left).read_bytes()
    index = made.index.read_text()
    assert [name for name in TWINS[:2] for _ in range(index.count(f"({name})"))] == [left]
    await person.also("q")


async def mend_all(person: Person, made: GrownHome) -> None:
    """Story 6: dead lines and orphans."""
    await person.press("X", "y")
    assert person.counted() == 2
    index = made.index.read_text()
    assert not [name for name in DEAD if name in index] and all(f"({name})" in index for name in ORPHANS)
    assert 'description: "deploy: on Tuesdays"' in (made.store / COLON).read_text()


async def find_and_resume(person: Person, made: GrownHome) -> None:
    """Story 7: where it was said, and go on there."""
    driver = person.driver
    tmux = driver.app.desk.run_tmux = StandInTmux()
    await person.press("/", *"ssh", "enter", "r")
    assert person.counted() == len("/ssh") + 2
    [words] = tmux.calls
    assert str(made.project) in words and SESSION_OF_SSH in words[-1]
    await person.also("q", "1")


async def bring_one_back(person: Person, made: GrownHome) -> None:
    """Story 8: what another program took away."""
    for name in LOST:
        (made.store / name).unlink()
    made.index.write_bytes(without_lines(made.index.read_bytes(), LOST))
    person.watcher.say(made.store)
    await person.press("C", "x", "y")
    assert person.counted() == 3
    back = [name for name in LOST if (made.store / name).exists()]
    assert len(back) == 1
    await person.also("q")


async def unlock(person: Person, made: GrownHome) -> None:
    """Story 9: a store that its agent refuses to write; the cursor stands on the memory before it."""
    driver, view = person.driver, person.driver.app.desk.view
    assert view is not None
    driver.app.desk.index.list.go_to([row for row, item in view.items.items() if item.store == 0][-1])
    await person.press("!", "x", "y")
    assert person.counted() == 3
    # what both had written so far, between signs alone
    entries = made.entries.read_text().split("\n§\n")
    assert entries[:2] == ["The cart is kept in Redis.", "CI needs node 22."]
    assert len(entries) > 3 and all(entry == entry.strip() for entry in entries)


async def adopt(person: Person, made: GrownHome) -> None:
    """Story 10: the memory of a project that is gone."""
    await person.press("P", "M", "y")
    assert person.counted() == 3
    assert (made.here / "certificates.md").exists() and (made.gone / "certificates.md").exists()
    await person.also("q")


def without_lines(index: bytes, names: Iterable[str]) -> bytes:
    """An index without the lines that name these files."""
    lines = index.splitlines(keepends=True)
    return b"".join(line for line in lines if not any(name.encode() in line for name in names))
