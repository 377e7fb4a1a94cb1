"""What a key costs, counted: rows painted, files read and jobs handed over are those of the screen, not of the
store."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running

from memtui.core import fs
from memtui.core.env import Env
from memtui.ui import topic_text
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.row_list import RowList
from memtui.ui.work import Work

FEW, MANY = 100, 10_000
KEYS = ("j", "k", "pagedown", "pageup", "ctrl+d", "G", "g")
PRESSES = 30
JOBS_A_KEY = 3
READS_A_KEY = 2

MakeLines = Callable[[int], Env]


def line(number: int) -> str:
    return f"- [Memory {number:05}](m{number:05}.md) — what it says\n"


@pytest.fixture
def make_lines(make_env: MakeEnv, tmp_path: Path) -> MakeLines:
    """A store whose index has so many lines; the first hundred lead to files."""

    def make(count: int) -> Env:
        home = tmp_path / str(count)
        project, store = home / "app", home / "memory"
        (project / ".pi").mkdir(parents=True)
        store.mkdir()
        (project / ".pi" / "zcode-memory.json").write_text(json.dumps({"dir": str(store)}))
        (store / "MEMORY.md").write_text("# Memory\n\n" + "".join(map(line, range(count))))
        for number in range(FEW):
            text = f"---\nname: m{number:05}\ndescription: what it says\nmetadata:\n  type: project\n---\n\n"
            (store / f"m{number:05}.md").write_text(text + "A line.\n" * 60)
        return make_env(home=home, cwd=project)

    return make


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Counts, while it lasts: `rows` and `lines` painted, `files` read, `jobs` handed over, `texts` built."""
    counts: Counter[str] = Counter()

    def count(owner: object, name: str, what: str) -> None:
        real = getattr(owner, name)

        def counting(*args: object, **named: object) -> object:
            counts[what] += 1
            return real(*args, **named)

        patch.setattr(owner, name, counting)

    with monkeypatch.context() as patch:
        count(RowList, "render_line", "rows")
        count(LineView, "render_line", "lines")
        count(fs, "read_file", "files")
        count(Work, "do", "jobs")
        count(topic_text, "build_topic", "texts")
        yield counts


async def costs(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> dict[str, Counter[str]]:
    """What each key costs, once everything has come to rest."""
    found = {}
    for key in KEYS:
        with counted(monkeypatch) as counts:
            await driver.pilot.press(key)
            await driver.pilot.pause()
            jobs = counts["jobs"]
            await driver.settled()
        found[key] = counts
        found[key]["jobs"] = jobs
    await driver.press("f")
    for letter in "00":
        with counted(monkeypatch) as counts:
            await driver.press(letter)
        found[f"f {letter}"] = Counter(rows=counts["rows"])
    await driver.press("escape")
    return found


async def test_u07_a_key_paints_and_reads_as_much_for_ten_thousand_memories_as_for_a_hundred(
    make_lines: MakeLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(make_lines(FEW), (120, 36)) as driver:
        height = driver.app.desk.index.list.size.height
        few = await costs(driver, monkeypatch)
    async with running(make_lines(MANY), (120, 36)) as driver:
        assert len(driver.app.desk.index.list.rows) >= MANY
        many = await costs(driver, monkeypatch)
    assert {key: counts["rows"] for key, counts in many.items()} == {
        key: counts["rows"] for key, counts in few.items()
    }
    for key, counts in [*few.items(), *many.items()]:
        assert counts["rows"] <= 2 * height, key
        assert counts["files"] <= READS_A_KEY, key
        assert counts["jobs"] <= JOBS_A_KEY, key
    assert many["j"]["rows"] <= 4


async def test_u07_of_the_texts_that_a_held_key_passes_only_the_last_and_its_neighbours_are_read(
    make_lines: MakeLines, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(make_lines(FEW), (120, 36)) as driver:
        free = threading.Event()
        driver.app.work.do(lambda workspace: free.wait(), lambda result: None)
        with counted(monkeypatch) as counts:
            for _press in range(PRESSES):
                await driver.pilot.press("j")
            free.set()
            await driver.settled()
        assert driver.cursor_file == f"m{PRESSES:05}.md"
        assert f"name: m{PRESSES:05}" in driver.words
        # those beside it are laid out for the next key
        assert counts["texts"] <= 5
