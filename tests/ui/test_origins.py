"""`o`: from a memory to the session it came from, and from a session to its memories."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from app_driver import Driver, running

from memtui.core.env import Env
from memtui.core.library import Library
from memtui.demo import DemoHome
from memtui.demo.session_lines import SessionLines

WIDE = (120, 36)
SIZES = [WIDE, (80, 24), (45, 20), (40, 10)]


def said(driver: Driver) -> str:
    return driver.app.desk.status.said


def put(env: Env, lines: SessionLines) -> Path:
    folder = env.home / ".pi" / "agent" / "sessions" / "--more--"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / lines.file_name
    path.write_bytes(lines.data)
    return path


def a_session(env: Env, number: int) -> SessionLines:
    return SessionLines(number, str(env.cwd), datetime(2026, 11, 20, tzinfo=UTC))


def shown(driver: Driver) -> set[str]:
    view = driver.app.desk.view
    assert view is not None
    return {view.items[row.id].memory.file for row in driver.app.desk.index.list.rows if row.id in view.items}


@pytest.mark.parametrize("size", SIZES)
async def test_o_goes_to_the_call_that_wrote_it_in_one_key(env: Env, size: tuple[int, int]) -> None:
    async with running(env, size) as driver:
        driver.go_to("staging-port.md")
        await driver.press("o")
        assert said(driver) == "“Staging port” was written by this call of memory_write"
        assert driver.app.navigation.active == "topic" and "memory_write" in driver.words
        current = driver.app.desk.reading.current
        session = driver.app.desk.reading.session
        assert current is not None and session is not None and session.title == "Staging deploy hangs"
        assert b'"memory_write"' in session.file.read_bytes()[current.offset :].split(b"\n")[0]
        await driver.press("q")
        assert driver.app.navigation.active == "index" and driver.cursor_file == "staging-port.md"


async def test_o_goes_to_the_session_that_is_noted_and_says_so(env: Env, demo: DemoHome) -> None:
    lines = a_session(env, 80)
    lines.user("about something else")
    put(env, lines)
    (demo.store / "noted.md").write_text(
        f"---\nname: noted\nmetadata:\n  originSessionId: {lines.id}\n---\n\nwhatever\n"
    )
    async with running(env, WIDE) as driver:
        driver.go_to("noted.md")
        await driver.press("o")
        assert "is from this session (its id is noted in the memory)" in said(driver)
        assert "about something else" in driver.words


async def test_o_goes_to_the_closest_text_with_its_words_marked(env: Env, demo: DemoHome) -> None:
    (demo.store / "zebra.md").write_text("---\nname: zebra\n---\n\nzebra crossings need lanterns\n")
    lines = a_session(env, 80)
    lines.user("do zebra crossings need lanterns?")
    put(env, lines)
    async with running(env, WIDE) as driver:
        driver.go_to("zebra.md")
        await driver.press("o")
        assert "nothing says who wrote “zebra”: this is the closest text" in said(driver)
        assert "do zebra crossings need lanterns?" in driver.words and "hit 1 of 1" in driver.words


async def test_o_says_when_no_session_tells_of_it_or_when_it_is_elsewhere(env: Env) -> None:
    async with running(env, WIDE) as driver:
        driver.go_to("ticket-board.md")
        await driver.press("o")
        assert said(driver) == "no session here tells of “Ticket board”"
        assert driver.app.navigation.active == "index" and not driver.app.desk.reading.is_open
        view = driver.app.desk.view
        assert view is not None
        noted = next(
            item.memory.file
            for item in view.items.values()
            if b"sess_6f1d2c3b" in (view.stores[item.store].snapshot.files[item.memory.file].data or b"")
        )
        driver.go_to(noted)
        await driver.press("o")
        assert "sess_6f1d2c3b-4a59-4e68-8d77-0c9b8a7f6e5d, which is not among those that memtui reads" in said(
            driver
        )


async def test_any_key_stops_the_looking_and_what_it_finds_later_is_not_shown(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, heard = threading.Event(), threading.Event(), []
    usual = Library.origin

    def slow(library, snapshot, memory, sessions, cancelled=lambda: False):
        begun.set()
        go_on.wait(30)
        heard.append(cancelled())
        return usual(library, snapshot, memory, sessions)

    monkeypatch.setattr(Library, "origin", slow)
    async with running(env, WIDE) as driver:
        driver.go_to("staging-port.md")
        await driver.pilot.press("o")
        begun.wait(30)
        await driver.pilot.pause()
        assert "looking for where “Staging port” came from … (any key stops it)" in said(driver)
        # the UI goes on meanwhile
        await driver.pilot.press("j")
        go_on.set()
        await driver.settled()
        assert heard == [True]
        assert driver.app.navigation.active == "index" and not driver.app.desk.reading.is_open


@pytest.mark.parametrize("size", SIZES)
async def test_o_on_a_session_goes_to_its_one_memory(env: Env, size: tuple[int, int]) -> None:
    async with running(env, size) as driver:
        await driver.press("3", "o")
        assert said(driver) == "this memory came from the session"
        assert driver.app.navigation.active == "index" and driver.cursor_file == "staging-port.md"


async def test_o_on_a_session_with_several_lists_them_until_h(env: Env, demo: DemoHome) -> None:
    lines = a_session(env, 80)
    lines.user("two rules about zebras")
    for name in ("ticket-board", "staging-port"):
        lines.tool("memory_write", {"name": name}, "done")
    put(env, lines)
    async with running(env, WIDE) as driver:
        everything = shown(driver)
        await driver.press("/", *"about zebras", "enter", "o")
        assert said(driver) == "2 memories came from the session; h shows all again"
        assert shown(driver) == {"ticket-board.md", "staging-port.md"}
        assert "from this session" in driver.text
        await driver.press("h")
        assert shown(driver) == everything and "from this session" not in driver.text
        # a filter that is typed afterwards goes over all of them
        await driver.press("/", *"", "enter")
        await driver.press("1", "f", *"merge", "enter")
        assert shown(driver) == {name for name in everything if "freeze" in name or "merge" in name}


async def test_o_on_a_session_without_memories_says_so(env: Env) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("/", *"git status", "escape", "o")
        assert said(driver) == "no memory here came from this session"
        assert driver.app.navigation.active == "search"
