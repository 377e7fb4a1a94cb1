"""Whose call wrote what appears while memtui is open: in the list, and in the line that tells of it."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest
from app_driver import Driver, MakeEnv, running
from played_watcher import PlayedWatcher

from memtui.core.agent_actions import Agent, Finder, Pane, Running
from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.demo.session_lines import SessionLines

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NOTE = b"---\nname: live-note\ndescription: seen live\nmetadata:\n  type: project\n---\n\nbody\n"
LINE = "- [Live note](live-note.md) — seen live\n".encode()


class Found(Finder):
    """Finds one agent."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def find(self, sessions: object = None, *, again: bool = False) -> Running:
        return Running((self._agent,), is_known=True)


class Pi:
    """A pi in the demo's project: what it is told to call is in its session first, then on the disk."""

    def __init__(self, demo: DemoHome, driver: Driver, watcher: PlayedWatcher) -> None:
        folder = demo.home / ".pi/agent/sessions" / f"--{str(demo.project).strip('/').replace('/', '-')}--"
        folder.mkdir(parents=True, exist_ok=True)
        self._lines = SessionLines(99, str(demo.project), NOON - timedelta(hours=1))
        self._lines.user("Fix the cart\x1b[31m")
        self._driver, self._watcher, self._store = driver, watcher, demo.store
        self._session = folder / self._lines.file_name

    def call(self, when: datetime, tool: str, **arguments: str) -> None:
        """Write the call; the session is listed some time later than the memory."""
        self._lines.moment = when - timedelta(seconds=41)
        self._lines.tool(tool, arguments, "done")
        self._session.write_bytes(self._lines.data)
        os.utime(self._session, (when.timestamp(),) * 2)

    def shows_in(self, place: str) -> None:
        """It is found in this place of tmux from now on."""
        cwd = str(self._driver.app.env.cwd)
        pane = Pane("%1", "@1", place, 7, "pi", "", cwd)
        self._driver.app.desk.beside.finder = Found(Agent("pi", 7, cwd, pane, (self._session,)))
        self._driver.app.desk.beside.look(again=True)

    async def seen(self, *, session: bool = True) -> None:
        """The watcher tells of the store, then of the session."""
        self._watcher.say(self._store)
        await self._driver.settled()
        if session:
            self._watcher.say(self._session)
        await self._driver.settled()
        await self._driver.settled()


@pytest.fixture
def clock() -> list[datetime]:
    return [NOON]


@pytest.fixture
def env(make_env: MakeEnv, demo: DemoHome, clock: list[datetime]) -> Env:
    return make_env(home=demo.home, cwd=demo.project, now=lambda: clock[-1])


def row_of(driver: Driver, words: str) -> str:
    return next(line for line in driver.text.splitlines() if words in line)


def news(driver: Driver) -> str:
    return driver.app.desk.live.news.lines[0]


async def test_what_an_agent_writes_bears_its_mark_and_is_told_with_its_session(
    env: Env, demo: DemoHome, clock: list[datetime]
) -> None:
    watcher = PlayedWatcher()
    async with running(env, (120, 36), watcher.make) as driver:
        pi = Pi(demo, driver, watcher)
        path = demo.store / "live-note.md"
        pi.call(NOON + timedelta(seconds=5), "memory_write", name="live-note", body="body")
        path.write_bytes(NOTE)
        with open(demo.store / "MEMORY.md", "ab") as index:
            index.write(LINE)
        clock.append(NOON + timedelta(seconds=6))
        await pi.seen()
        assert news(driver) == (
            "12:00 zcode: pi wrote live-note.md in session “Fix the cart␛[31m” · MEMORY.md +1 line"
        )
        assert news(driver) == driver.app.desk.status.said
        assert "new by pi" in row_of(driver, "Live note")
        # a person's editor, a while later: nothing is guessed
        clock.append(NOON + timedelta(seconds=30))
        path.write_bytes(NOTE + b"more\n")
        await pi.seen(session=False)
        assert news(driver) == "12:00 zcode: live-note.md +1 line"
        assert "new by pi" not in driver.text and "new" in row_of(driver, "Live note")
        pi.shows_in("work:1.2\x1b")
        await driver.settled()
        pi.call(NOON + timedelta(seconds=40), "bash", command=f"rm {path}")
        path.unlink()
        clock.append(NOON + timedelta(seconds=41))
        await pi.seen()
        where = "pi in tmux work:1.2␛"
        assert news(driver) == f"12:00 zcode: {where} removed live-note.md in session “Fix the cart␛[31m”"


async def test_what_nobody_is_known_to_have_written_is_not_looked_for_any_more_after_a_minute(
    env: Env, demo: DemoHome, clock: list[datetime]
) -> None:
    watcher = PlayedWatcher()
    async with running(env, (120, 36), watcher.make) as driver:
        pi = Pi(demo, driver, watcher)
        (demo.store / "live-note.md").write_bytes(NOTE)
        await pi.seen(session=False)
        told = news(driver)
        assert told == "12:00 zcode: live-note.md new"
        clock.append(NOON + timedelta(seconds=90))
        pi.call(NOON + timedelta(seconds=5), "memory_write", name="live-note", body="body")
        await pi.seen()
        assert news(driver) == told and "new by pi" not in driver.text
