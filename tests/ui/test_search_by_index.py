"""Searching by the index in the app: it is written by itself, told of while it is not whole, and never stale."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from app_driver import Driver, running
from played_watcher import PlayedWatcher

from memtui.core.env import Env
from memtui.core.library import IndexStatus, Library
from memtui.core.search.index.keeper import Writing
from memtui.core.search.index.progress import Progress
from memtui.demo import DemoHome
from memtui.ui.index_text import index_spans
from memtui.ui.shelf import Indexed, ShelfHeard

WIDE = (120, 36)
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def indexed_env(env: Env) -> Env:
    """An env whose sessions are all indexed."""
    library = Library(env)
    assert library.update_index(library.session_files()).is_done
    return env


def rows(driver: Driver) -> list[str]:
    found = driver.app.desk.search.list.rows
    return [" ".join(filter(None, [*(cell.text for cell in row.cells), row.tail])) for row in found]


async def until(driver: Driver, condition: Callable[[], object]) -> None:
    for _round in range(1500):
        await driver.pilot.pause(0.02)
        if condition():
            return
    raise AssertionError(driver.text)


def session_file(demo: DemoHome, words: str) -> Path:
    found = [p for p in (demo.home / ".pi").rglob("*.jsonl") if words in p.read_text("utf-8", "replace")]
    return max(found, key=lambda path: path.stat().st_mtime)


def say(path: Path, text: str) -> None:
    """Append a message to a session, as pi does."""
    last = json.loads(path.read_bytes().splitlines()[-1])
    message = {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 1796040000000}
    record = {
        "type": "message",
        "id": "00ab00cd",
        "parentId": last["id"],
        "timestamp": "2026-11-30T12:00:00.000Z",
    }
    with path.open("ab") as file:
        file.write(json.dumps({**record, "message": message}).encode() + b"\n")


async def test_the_index_is_written_by_itself(env: Env) -> None:
    async with running(env, WIDE, indexes=True) as driver:
        await until(driver, lambda: Library(env).index_status(Library(env).session_files()).state == "ready")
        await driver.press("/", *"port")
        assert any("Staging deploy hangs" in row and "hits" in row for row in rows(driver))


async def test_hits_of_a_session_are_one_row_with_their_count(indexed_env: Env) -> None:
    async with running(indexed_env, WIDE) as driver:
        await driver.press("/", *"port")
        (row,) = [row for row in rows(driver) if "Staging deploy hangs" in row]
        assert row.endswith("pi · 6 hits")
        target = driver.app.desk.searching._found.targets  # type: ignore[union-attr]
        (offsets,) = [
            t.offsets for t in target.values() if t.session and t.session.name == "Staging deploy hangs"
        ]
        assert len(offsets) == 6 and list(offsets) == sorted(offsets)


async def test_what_is_only_like_the_query_is_marked(indexed_env: Env) -> None:
    async with running(indexed_env, WIDE) as driver:
        await driver.press("/", *"dashbord")
        found = rows(driver)
        assert found and all("~" in row for row in found)


async def test_another_query_is_offered_when_nothing_is_found(env: Env, demo: DemoHome) -> None:
    say(session_file(demo, "Staging deploy hangs"), "the configuration of the deploy host")
    library = Library(env)
    assert library.update_index(library.session_files()).is_done
    async with running(env, WIDE) as driver:
        await driver.press("/", *"cnfgurtion")
        assert rows(driver) == ["did you mean configuration? Enter"]
        assert driver.app.desk.search.line.typing
        await driver.press("enter")
        assert "/ configuration" in driver.text
        (row,) = [row for row in rows(driver) if "pi · " in row]
        assert "the configuration of the deploy host" in row


async def test_q08_what_an_agent_says_is_found_while_the_query_stands(indexed_env: Env, demo: DemoHome) -> None:
    watcher = PlayedWatcher()
    async with running(indexed_env, WIDE, watcher.make) as driver:
        await driver.press("/", *"pineapple-77")
        assert not any("pineapple" in row for row in rows(driver))
        path = session_file(demo, "Staging deploy hangs")
        say(path, "the word is pineapple-77")
        watcher.say(path)
        await until(driver, lambda: any("the word is pineapple-77" in row for row in rows(driver)))


async def test_while_the_index_is_built_a_query_is_asked_again_once_for_what_is_new(
    indexed_env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(indexed_env, WIDE) as driver:
        await driver.press("/", *"port")
        searching = driver.app.desk.searching
        asked: list[str] = []
        monkeypatch.setattr(searching._shelf, "ask", lambda typed, *_more, **_words: asked.append(typed) or 0)
        searching._misses_files = True
        building = IndexStatus("building", sessions=9, files=3)
        for changes in (101, 102):
            for done_bytes in range(1, 6):
                progress = Progress("said", done_bytes, 100, 0, 9)
                searching.heard(ShelfHeard(Indexed(building, Writing(progress), changes)))
        assert asked == ["port", "port"]


async def test_without_an_index_the_status_says_that_files_are_read(env: Env) -> None:
    env.config_dir.mkdir(parents=True, exist_ok=True)
    (env.config_dir / "config.yaml").write_text("search:\n  index: false\n")
    async with running(env, WIDE, indexes=True) as driver:
        await until(driver, lambda: "there is no index" in " ".join(driver.app.desk.status.text.lines))
        await driver.press("/", *"port")
        assert any("Staging deploy hangs" in row for row in rows(driver))
        assert not list(env.cache_dir.glob("*/index-*"))


@pytest.mark.parametrize(
    ("indexed", "said"),
    [
        (None, ""),
        (Indexed(IndexStatus("ready")), ""),
        (Indexed(IndexStatus("ready"), Writing()), ""),
        (Indexed(IndexStatus("off", why="so \x1b it is")), "every file is read, there is no index: so ␛ it is"),
        (Indexed(IndexStatus("none"), Writing(Progress("said", 0, 0, 0, 0))), "indexing …"),
        (Indexed(IndexStatus("building"), Writing(Progress("said", 1, 100, 0, 9))), "indexing: 1%"),
        (
            Indexed(IndexStatus("building"), Writing(Progress("tools", 50, 100, 5, 9))),
            "indexing: 50%, about 11 s left",
        ),
        (Indexed(IndexStatus("ready"), Writing(Progress("said", 50, 100, 5, 9))), ""),
        (
            Indexed(IndexStatus("none"), Writing(problem="disk full")),
            "the index cannot be written: disk full; files are read",
        ),
    ],
)
def test_the_status_tells_only_what_is_not_well(indexed: Indexed | None, said: str) -> None:
    line = index_spans(indexed, NOW - timedelta(seconds=10), NOW)
    assert "".join(text for text, _ink in line[1:]) == said
