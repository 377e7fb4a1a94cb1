"""The agents beside memtui on the screen: the status, the marks of sessions, and when it looks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running

from memtui.core.agent_actions import Agent, Finder, Pane, Running
from memtui.core.env import Env
from memtui.demo import DemoHome

WIDE = (130, 40)
PANE = Pane("%2", "@1", "work:1.\x1b2", 42, "pi", "π - app", "/", is_shown=True, tty="/dev/pts/2")


class Told(Finder):
    """A finder that is told what it finds."""

    def __init__(self, *looks: Running) -> None:
        self.looks = list(looks)
        self.count = 0

    def find(self, sessions: object = None, *, again: bool = False) -> Running:
        """The next look; the last one again and again."""
        self.count += 1
        return self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]


def newest(demo: DemoHome) -> Path:
    """The file of the session that the list has at its top."""
    [file] = (demo.home / ".pi").rglob("*000000000001.jsonl")
    return file


def _is_shown(agent: Agent) -> bool:
    return agent.pane is not None and agent.pane.is_shown


async def look(driver: Driver, *looks: Running) -> Told:
    """Let the app find this when it looks now, and later."""
    finder = Told(*(dataclasses.replace(it, beside=tuple(filter(_is_shown, it.agents))) for it in looks))
    driver.app.desk.beside.finder = finder
    driver.app.desk.beside.look(again=True)
    await driver.settled()
    return finder


def status(driver: Driver) -> str:
    """The lines of the status, their blanks made one."""
    return " ".join(" ".join(driver.app.desk.status.text.lines).split())


def tail_of(driver: Driver, title: str) -> str:
    """What stands at the end of a session's row."""
    [row] = [row for row in driver.app.desk.search.list.rows if row.cells[1:] and row.cells[1].text == title]
    return row.tail


@pytest.fixture
def in_tmux(make_env: MakeEnv, demo: DemoHome) -> Env:
    return make_env(environ={"TMUX": "/nowhere/s,1,0", "TMUX_PANE": "%1"}, home=demo.home, cwd=demo.project)


async def test_the_status_names_the_agent_and_its_session_and_the_list_marks_it(
    in_tmux: Env, demo: DemoHome
) -> None:
    agent = Agent("pi", 42, str(demo.project), PANE, (newest(demo),))
    async with running(in_tmux, WIDE) as driver:
        await driver.press("3")
        await look(driver, Running((), is_known=True))
        assert "agent none runs here" in status(driver)
        rows = {s.file: s for s in driver.app.desk.searching.sessions}
        await look(driver, Running((agent,), is_known=True, rows=rows))
        assert "pi in tmux work:1.␛2 · session “Staging deploy hangs”" in status(driver)
        assert tail_of(driver, "Staging deploy hangs") == "running · 2 turns"
        told, again = [], driver.app.desk.searching.agents_changed
        driver.app.desk.searching.agents_changed = lambda: told.append(again())  # type: ignore[method-assign]
        turning = dataclasses.replace(agent, pane=dataclasses.replace(PANE, title="/ at work"))
        await look(driver, Running((turning,), is_known=True, rows=rows))
        assert told == []
        await driver.press("g", "enter")
        assert "now pi in tmux work:1.␛2 writes it" in driver.sentences
        await driver.press("h")
        maybe = dataclasses.replace(agent, is_sure=False, because="two of them")
        claude = Agent("claude", 43, "/elsewhere", dataclasses.replace(PANE, id="%3", place="work:2.0"))
        far = dataclasses.replace(claude, pane=dataclasses.replace(PANE, id="%4", is_shown=False))
        await look(driver, Running((maybe, claude, far), problem="gone \x1b[2J", rows=rows))
        assert "session “Staging deploy hangs”? (two of them)" in status(driver)
        assert "claude in tmux work:2.0 · in /elsewhere · memtui cannot reach it" in status(driver)
        assert "1 more in another pane" in status(driver) and "gone ␛[2J" in status(driver)
        assert tail_of(driver, "Staging deploy hangs") == "running? · 2 turns" and told == [None]
        await look(driver, Running((dataclasses.replace(agent, sessions=(), because="quiet"),)))
        assert "its session is not known yet (quiet)" in status(driver)
        assert tail_of(driver, "Staging deploy hangs") == "2 turns"


async def test_outside_of_tmux_without_an_agent_nothing_is_said(env: Env) -> None:
    async with running(env, WIDE) as driver:
        finder = await look(driver, Running((Agent("pi", 1, "/elsewhere"),), is_known=True))
        assert driver.app.desk.beside.status_lines == () and finder.count == 1


async def test_it_looks_seldom_while_nobody_does_and_at_once_when_a_key_comes(
    in_tmux: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    async with running(in_tmux, WIDE) as driver:
        set_timer = driver.app.set_timer

        def noted(delay: float, callback: Callable[[], None]) -> object:
            # others wait for a pause of the keys
            if delay >= 1:
                waits.append(delay)
            return set_timer(delay, callback)

        monkeypatch.setattr(driver.app, "set_timer", noted)
        finder = await look(driver, Running(is_seen=False), Running())
        assert waits == [30.0] and finder.count == 1
        await driver.press("j")
        # seen again: from here on every few seconds, whatever is pressed
        assert waits == [30.0, 3.0] and finder.count == 2
        await driver.press("j", "k")
        assert finder.count == 2
        await driver.press("f5")
        assert finder.count == 3


async def test_the_key_bar_says_that_r_goes_to_the_pi_that_has_the_session(
    in_tmux: Env, demo: DemoHome
) -> None:
    async with running(in_tmux, WIDE) as driver:
        await driver.press("3", "g")
        assert "r resume" in driver.words and "go to its pi" not in driver.words
        await look(driver, Running((Agent("pi", 42, "/", PANE, (newest(demo),)),), is_known=True))
        await driver.press("g")
        assert "r go to its pi" in driver.words and "r resume" not in driver.words
        await driver.press("j")
        assert "r resume" in driver.words
