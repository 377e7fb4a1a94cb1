"""The process that writes the index: when it is started, what it says, and that it ends when it is not wanted."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from session_corpus import Writer

from memtui.core import fs
from memtui.core.search.index import keeper as keeper_module
from memtui.core.search.index import schema
from memtui.core.search.index.keeper import BUSY_S, FAILED_S, SOON_S, WAIT_S, IndexKeeper, Writing
from memtui.core.search.index.progress import Progress
from memtui.core.search.index.reader import IndexReader


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Kept:
    """A keeper and what it told."""

    def __init__(self, cache: Path) -> None:
        self.clock = Clock()
        self.told: list[Writing] = []
        self.ended = threading.Event()
        self.cache = cache
        self.keeper = IndexKeeper(cache, self._hear, self.clock)

    def _hear(self, writing: Writing) -> None:
        self.told.append(writing)
        if not writing.is_running:
            self.ended.set()

    def wait(self) -> None:
        assert self.ended.wait(60)
        self.ended.clear()


@pytest.fixture
def kept(home: Path):
    made = Kept(home / "cache")
    yield made
    made.keeper.close()


@pytest.fixture
def files(home: Path) -> list[Path]:
    paths = []
    for number in range(2):
        session = Writer(session_id=str(number))
        session.number = 100 * number
        session.user(f"quince {number}")
        paths.append(session.save(home / "sessions" / f"{number}.jsonl"))
    return paths


def test_what_was_never_indexed_is_indexed_at_once_by_another_process(kept: Kept, files: list[Path]) -> None:
    assert kept.keeper.consider(files, 1, is_first=True) is None
    assert kept.keeper.consider(files, 1, is_first=True) is None
    kept.wait()
    assert kept.told[-1] == Writing()
    assert [item.progress.is_done for item in kept.told if item.progress][-1]
    reader = IndexReader(kept.cache)
    assert reader.refresh() and set(reader.files) == set(map(str, files)) and reader.is_done


def test_a_little_waits_and_much_does_not(kept: Kept, files: list[Path]) -> None:
    kept.keeper.consider(files, 1, is_first=True)
    kept.wait()
    assert kept.keeper.consider(files, 0, is_first=False) is None
    assert kept.keeper.consider(files, 10, is_first=False) == pytest.approx(WAIT_S)
    kept.clock.now += WAIT_S - 1
    assert kept.keeper.consider(files, 20, is_first=False) == pytest.approx(1)
    assert kept.keeper.consider(files, 100 << 20, is_first=False) is None
    kept.wait()
    assert kept.keeper.consider(files, 0, is_first=False) is None
    assert kept.keeper.consider(files, 100 << 20, is_first=False) == pytest.approx(SOON_S)


def test_what_cannot_be_read_is_not_tried_for_ever(
    kept: Kept, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = subprocess.Popen
    said = json.dumps(
        dataclasses.asdict(Progress("done", 9, 9, 2, 2, is_done=True, unreadable=1, left_bytes=70))
    )

    def played(command: list[str], **more: object) -> subprocess.Popen[bytes]:
        return start([sys.executable, "-c", f"print({said!r})"], **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(keeper_module.subprocess, "Popen", played)
    kept.keeper.consider(files, 500, is_first=True)
    kept.wait()
    assert kept.keeper.consider(files, 70, is_first=False) is None
    kept.clock.now += 10 * WAIT_S
    assert kept.keeper.consider(files, 70, is_first=False) is None
    assert kept.keeper.consider(files, 90, is_first=False) == pytest.approx(WAIT_S)


def test_beside_another_writer_it_is_tried_again(kept: Kept, files: list[Path]) -> None:
    folder = schema.index_dir(kept.cache)
    fs.make_dirs(folder, mode=0o700)
    with fs.locked(folder / "writer.lock"):
        kept.keeper.consider(files, 1, is_first=True)
        kept.wait()
    assert kept.told[-1] == Writing()
    assert kept.keeper.consider(files, 1, is_first=True) == pytest.approx(BUSY_S)
    kept.clock.now += BUSY_S
    assert kept.keeper.consider(files, 1, is_first=True) is None
    kept.wait()
    assert IndexReader(kept.cache).refresh()


def test_what_goes_wrong_is_told_once_in_a_while(kept: Kept, files: list[Path]) -> None:
    kept.cache.write_text("a file where a folder should be")
    kept.keeper.consider(files, 1, is_first=True)
    kept.wait()
    assert "cache" in kept.told[-1].problem
    assert kept.keeper.consider(files, 1, is_first=True) == pytest.approx(FAILED_S)


def test_a_process_that_dies_is_told_and_made_up_for(
    kept: Kept, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = subprocess.Popen

    def killed(command: list[str], **more: object) -> subprocess.Popen[bytes]:
        kill = [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]
        return start(kill, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(keeper_module.subprocess, "Popen", killed)
    kept.keeper.consider(files, 1, is_first=True)
    kept.wait()
    assert kept.told[-1].problem == "status -9"
    monkeypatch.setattr(keeper_module.subprocess, "Popen", start)
    kept.clock.now += FAILED_S
    kept.keeper.consider(files, 1, is_first=True)
    kept.wait()
    assert kept.told[-1].problem == "" and IndexReader(kept.cache).is_done is False
    reader = IndexReader(kept.cache)
    assert reader.refresh() and reader.is_done


def test_closing_ends_the_process_at_once(kept: Kept, home: Path) -> None:
    pipe = home / "never.jsonl"
    session = Writer()
    session.user("x" * (4 << 20))
    session.save(pipe)
    kept.keeper.consider([pipe] * 1, 1, is_first=True)
    process = kept.keeper._process
    kept.keeper.close()
    assert process is not None and process.poll() is not None
    assert kept.keeper.consider([pipe], 1, is_first=True) is None


def test_paths_of_any_bytes_reach_the_process(kept: Kept, home: Path) -> None:
    session = Writer()
    session.user("quince")
    path = Path(os.fsdecode(os.fsencode(home) + b"/od\xffd\nname.jsonl"))
    session.save(path)
    kept.keeper.consider([path], 1, is_first=True)
    kept.wait()
    reader = IndexReader(kept.cache)
    assert reader.refresh() and list(reader.files) == [str(path)]


def test_modules_of_the_directory_it_runs_in_are_not_its_own(
    kept: Kept, files: list[Path], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json.py", "tantivy.py", "memtui.py", "re.py"):
        (home / name).write_text(f"open({str(home / 'ran')!r}, 'w')\nraise SystemExit(1)\n")
    monkeypatch.chdir(home)
    kept.keeper.consider(files, 1, is_first=True)
    kept.wait()
    assert kept.told[-1] == Writing() and not (home / "ran").exists()
    assert IndexReader(kept.cache).refresh()
