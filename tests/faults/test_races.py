"""Beside a live agent: memtui changes an index that other programs append to and rewrite, without any lock.

The short form runs by default; MEMTUI_RACES=500 asks for that many memtui operations in every race. What is
promised holds for any timing, so that no run may fail; a seed only varies the pauses.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from small_store import INDEX

from memtui.core import fs
from memtui.core.env import Env
from memtui.core.errors import ConflictError, RefusedError
from memtui.core.history.journal import Journal
from memtui.core.history.reverted import undone_by_others
from memtui.core.layouts.base import SetField
from memtui.core.workspace import Workspace

OPERATIONS = int(os.environ.get("MEMTUI_RACES", "25"))
ROUND = 50
"""After so many operations a race begins anew in a fresh store: thousands of lines would slow it down."""

ROUNDS = [
    pytest.param(number, min(ROUND, OPERATIONS - number * ROUND), id=f"round{number}")
    for number in range(-(-OPERATIONS // ROUND))
]
each_round = pytest.mark.parametrize(("seed", "operations"), ROUNDS)
MEMORIES = ("a.md", "b.md", "c.md", "d.md", "e.md")


@dataclass
class Race:
    """A store in which memtui and agents work at once, and what came of it."""

    env: Env
    root: Path
    notes: Path
    seed: int
    operations: int
    changes: dict[int, str] = field(default_factory=dict)
    reverted_at_once: set[str] = field(default_factory=set)
    conflicts: int = 0
    replaced: list[bytes] = field(default_factory=list)

    @property
    def index(self) -> Path:
        return self.root / "MEMORY.md"

    def kept_texts(self) -> list[bytes]:
        """Every text that is in the file or in the history."""
        objects = self.env.state_dir / "history" / "objects"
        return [self.index.read_bytes(), *(path.read_bytes() for path in objects.iterdir())]

    def written(self, mode: str) -> list[bytes]:
        """The lines that an agent wrote."""
        return (self.notes / f"lines-{mode}").read_bytes().splitlines()

    def observe(self, effect: str, phase: fs.Phase, paths: tuple[Path, ...]) -> None:
        """Note what memtui puts out of its name and what it removes for good."""
        names = {("exchange", "after"): 0, ("unlink", "before"): 0}
        if (effect, phase) in names and self.root in paths[0].parents and paths[0].name.startswith(".memtui-"):
            with contextlib.suppress(FileNotFoundError):
                self.replaced.append(paths[0].read_bytes())


@contextlib.contextmanager
def agents(race: Race, *modes: str) -> Iterator[None]:
    """Let agents write while the block runs, and wait for their end."""
    script = Path(__file__).with_name("agent_writer.py")
    children = []
    for mode in modes:
        command = [sys.executable, "-S", str(script), mode, str(race.index), str(race.notes), str(race.seed)]
        children.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    try:
        for child in children:
            assert child.stdout is not None and child.stdout.readline() == "ready\n"
        yield
    finally:
        (race.notes / "stop").touch()
        for child in children:
            assert child.wait() == 0
            assert child.stdout is not None
            child.stdout.close()


@pytest.fixture
def race(env: Env, tmp_path: Path, seed: int, operations: int) -> Race:
    root = tmp_path / "memory"
    root.mkdir()
    for name in MEMORIES:
        (root / name).write_text(f"---\nname: {name[0]}\ndescription: about {name}\n---\n\nbody\n")
    (root / "MEMORY.md").write_text(INDEX + "- [Delta](d.md) — fourth\n- [Epsilon](e.md) — fifth\n")
    notes = tmp_path / "notes"
    notes.mkdir()
    return Race(env, root, notes, seed, operations)


def work(race: Race) -> None:
    """One memtui command after the other, each as a process of its own would do it."""
    for number in range(race.operations):
        workspace = Workspace(race.env, path=race.root)
        workspace.recover()
        (store,) = workspace.used_stores()
        edit = SetField(MEMORIES[number % len(MEMORIES)], "hook", f"memtui {number}.")
        try:
            outcome = workspace.run(workspace.scan(store), "set", (edit,))
        except (ConflictError, RefusedError):
            # a person would look again: the index is being rewritten without end, or is empty at the moment
            race.conflicts += 1
        else:
            assert outcome.change is not None
            race.changes[number] = outcome.change.id
            if outcome.change.reverted:
                race.reverted_at_once.add(outcome.change.id)
        workspace.settle()


def finish(race: Race) -> None:
    """The next start of memtui, after the agents are gone."""
    Workspace(race.env, path=race.root).recover()
    left = [name for name in os.listdir(race.root) if name.startswith(".memtui-")]
    assert left == []


def run_race(race: Race, *modes: str) -> None:
    with agents(race, *modes), fs.observed_by(race.observe):
        work(race)
    with fs.observed_by(race.observe):
        finish(race)
    figures = {mode: len(race.written(mode)) for mode in modes}
    print(f"{modes}: {len(race.changes)} changes, {race.conflicts} conflicts, lines written {figures}")


def check_nothing_was_lost(race: Race, *modes: str) -> None:
    """Every line of the agents is in the file or in the history."""
    kept = {line for text in race.kept_texts() for line in text.splitlines()}
    assert [line for mode in modes for line in race.written(mode) if line not in kept] == []


def check_versions_are_kept(race: Race) -> None:
    """Every version that memtui put out of its name is in the history (or grew on, and then the longer one)."""
    texts = race.kept_texts()
    kept = set(texts)
    lost = [data for data in race.replaced if data not in kept]
    assert [data for data in lost if not any(text.startswith(data) for text in texts)] == []


def check_changes_are_there_or_reported(race: Race) -> None:
    """Each change is in the file, was changed again by memtui itself, or is reported as reverted."""
    journal = Journal(race.env.state_dir, race.env.now)
    records = [record for record in journal.records() if record.state == "done"]
    reported = undone_by_others(records, journal.objects, {race.index: race.index.read_bytes()})
    text = race.index.read_text()
    last = {number % len(MEMORIES): number for number in race.changes}
    for number in last.values():
        is_there = f" memtui {number}.\n" in text
        change_id = race.changes[number]
        assert is_there or change_id in reported | race.reverted_at_once, (number, text)
        assert not (is_there and change_id in reported), (number, text)
    print(f"reverted: {len(reported | race.reverted_at_once)}")


@each_round
@pytest.mark.parametrize("mode", ["append", "hold"])
def test_an_appender_alone(mode: str, race: Race) -> None:
    run_race(race, mode)
    lines = race.index.read_bytes().splitlines()
    assert {line: lines.count(line) for line in race.written(mode) if lines.count(line) != 1} == {}
    assert len(race.changes) == race.operations
    check_nothing_was_lost(race, mode)
    check_versions_are_kept(race)
    check_changes_are_there_or_reported(race)


@each_round
@pytest.mark.parametrize("mode", ["truncate", "rename"])
def test_a_rewriter_alone(mode: str, race: Race) -> None:
    run_race(race, mode)
    check_nothing_was_lost(race, mode)
    check_versions_are_kept(race)
    check_changes_are_there_or_reported(race)


@each_round
@pytest.mark.parametrize("rewriter", ["truncate", "rename"])
@pytest.mark.parametrize("appender", ["append", "hold"])
def test_both(appender: str, rewriter: str, race: Race) -> None:
    """The agents lose lines of each other, as they would without memtui; what memtui saw is kept."""
    run_race(race, appender, rewriter)
    check_versions_are_kept(race)
    check_changes_are_there_or_reported(race)
