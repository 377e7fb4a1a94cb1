"""Which call made what a look showed: only what a transcript shows, and each call once."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from carry_stores import store_of

from memtui.core.changes import between
from memtui.core.layouts.base import Snapshot, StoredFile
from memtui.core.layouts.facts.layout import FACTS
from memtui.core.others import Credits, sought_in
from memtui.core.sessions.quick import look_at
from memtui.demo.session_lines import SessionLines

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FACT = "---\nname: {name}\ndescription: what {name} is about\n---\n\nthe body of {name}, long enough\n"


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def look(root: Path, seconds: float, *names: str, body: str = "") -> Snapshot:
    """A store with these facts as it was read so many seconds after noon."""
    store = dataclasses.replace(store_of(root.parent, root.name), read_at=at(seconds))
    files = [StoredFile(f"{name}.md", "file", (FACT.format(name=name) + body).encode()) for name in names]
    return FACTS.scan(store, files)


class Talk:
    """A session whose agent calls tools at given moments."""

    def __init__(self, folder: Path, cwd: Path) -> None:
        self._lines = SessionLines(7, str(cwd), at(-3600))
        self.path = folder / self._lines.file_name

    def call(self, seconds: float, tool: str, *, failed: bool = False, **arguments: str) -> None:
        step = timedelta(seconds=41)
        self._lines.moment = at(seconds) - step
        self._lines.tool(tool, arguments, "done", failed=failed)
        self.path.write_bytes(self._lines.data)
        os.utime(self.path, (at(seconds).timestamp(),) * 2)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "facts"


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path, tmp_path)


Find = Callable[..., dict[str, str]]


@pytest.fixture
def find(tmp_path: Path, talk: Talk) -> Find:
    """What is credited of the difference between two looks: the tool, by memory."""
    credits = Credits(tmp_path)

    def of(before: Snapshot, now: Snapshot, first_look: float = 0) -> dict[str, str]:
        sought = sought_in(before, now, between(before, now), at(first_look))
        assert now.store.read_at is not None
        found = credits.find(sought, now.store.read_at, [look_at(talk.path)])
        return {memory: writer.tool for (_store, memory), writer in found.items()}

    return of


@pytest.mark.parametrize(
    ("seconds", "first_look", "failed", "credited"),
    [
        (65, 0, False, True),
        # its leave was asked for, while something else was looked at
        (5, 0, False, True),
        # before memtui was there, and before what it knows can be as it was
        (5, 30, False, False),
        (-700, -3000, False, False),
        (65, 0, True, False),
    ],
)
def test_a_call_is_taken_where_it_can_have_made_the_change(
    seconds: float,
    first_look: float,
    failed: bool,
    credited: bool,
    root: Path,
    talk: Talk,
    find: Find,
) -> None:
    talk.call(seconds, "memory_write", failed=failed, name="cart", body="the body of cart, long enough")
    talk.call(66, "read", path="cart.md")
    before, now = look(root, 60), look(root, 70, "cart")
    assert find(before, now, first_look) == ({"cart.md": "memory_write"} if credited else {})


def test_a_call_counts_once_unless_its_next_tool_runs_at_once(root: Path, talk: Talk, find: Find) -> None:
    talk.call(61, "edit", path=str(root / "cart.md"), newText="more")
    looks = [look(root, n, "cart", body="." * n) for n in (60, 62, 64, 90)]
    assert find(looks[0], looks[1]) == {"cart.md": "edit"}
    assert find(looks[1], looks[2]) == {"cart.md": "edit"}
    # a person's editor, long after
    assert find(looks[2], looks[3]) == {}
    talk.call(95, "edit", path=str(root / "cart.md"), newText="again")
    assert find(looks[3], look(root, 97, "cart", body="again")) == {"cart.md": "edit"}


def test_what_is_gone_needs_a_call_that_removes(root: Path, talk: Talk, find: Find) -> None:
    talk.call(61, "write", path=str(root / "cart.md"), content="x")
    talk.call(62, "bash", command=f"rm {root}/tea.md")
    before, now = look(root, 60, "cart", "tea"), look(root, 70)
    assert find(before, now) == {"tea.md": "bash"}
