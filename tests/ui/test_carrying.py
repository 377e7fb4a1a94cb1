"""What the status says of the running agents, and what is said behind a change: with a real process named pi."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running
from played_watcher import PlayedWatcher

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from a_running_pi import running_pi
from cli_home import CliHome
from pi_setup import install
from session_corpus import Writer, iso

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")


def lines(driver: Driver) -> str:
    desk = driver.app.desk
    told = [*desk.beside.status_lines, *desk.carrying.status_lines]
    return " / ".join("".join(text for text, _ink in line) for line in told)


@pytest.mark.usefixtures("real_processes")
async def test_the_status_says_what_runs_and_what_a_change_means_for_it(make_env: MakeEnv, capfdbinary) -> None:
    env = make_env(now=lambda: datetime.now(UTC))
    cli = CliHome(env.home, capfdbinary)
    cli.fill()
    for file in cli.store.iterdir():
        os.utime(file, (1e9, 1e9))
    install(env.home, zcode="1.0.0")
    with running_pi(env.cwd) as pi:
        began = datetime.now(UTC)
        said = Writer(str(env.cwd), timestamp=iso(began))
        said.moment = began - timedelta(seconds=7)
        said.entry("custom", customType="zcode-memory/injected", data={"indexHash": "h"})
        said.user("hello")
        folder = env.home / ".pi" / "agent" / "sessions" / f"-{str(env.cwd).replace('/', '-')}--"
        file = said.save(folder / "2026-11-30_a.jsonl")
        watcher = PlayedWatcher()
        async with running(env, (120, 40), watcher.make) as driver:
            who = f"pi (process {pi.pid}): "
            assert "         carries the index as it is now" in lines(driver)
            driver.go_to_title("Alpha")
            await driver.press("d", "y")
            said_now = driver.app.desk.telling.said[0][0]
            assert said_now.startswith(f"deleted alpha.md · u undoes · {who}carries the index of ")
            assert said_now.endswith("its next message brings the new one, nothing to do")
            assert lines(driver).endswith("its next message brings the new one, nothing to do")
            assert "its next message brings the new one" in driver.sentences
            # what was waited for came: the index is given again, and that is told without a key
            said.moment = began + timedelta(seconds=90)
            said.entry("custom", customType="zcode-memory/injected", data={"indexHash": "i"})
            said.user("and now")
            said.save(file)
            watcher.say(file)
            await driver.settled()
            assert "         carries the index as it is now" in lines(driver)


async def test_without_an_agent_a_change_says_that_the_next_session_reads_it(
    make_env: MakeEnv, capfdbinary
) -> None:
    env = make_env()
    CliHome(env.home, capfdbinary).fill()
    async with running(env, (120, 40)) as driver:
        assert lines(driver) == ""
        driver.go_to_title("Alpha")
        await driver.press("d", "y")
        assert "no agent that reads it was seen: the next session reads it as it is now" in driver.sentences
        assert driver.app.desk.telling.said[0][0] == "deleted alpha.md · u undoes"
