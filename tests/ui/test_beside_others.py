"""Beside a program that really runs, watched by the real watcher: C12 and S19 as a person lives them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path

from app_driver import Driver, MakeEnv, running, tree

from memtui.core.env import system_now
from memtui.core.library import Library
from memtui.core.sessions.quick import look_at
from memtui.core.watch import Root, Times, Watcher
from memtui.demo import DemoHome
from memtui.demo.session_lines import SessionLines

SCREEN = (120, 40)
EIGHT = {f"f{n}.md": f"---\nname: f{n}\ndescription: about f{n}\n---\n\nbody {n}\n" for n in range(1, 9)}
INDEX = "# Memory\n\n" + "".join(f"- [Fact {n}](f{n}.md) — hook {n}\n" for n in range(1, 9))
GONE = (2, 4, 5, 6, 8)

CONSOLIDATION = """
import os, sys
store, gone = sys.argv[1], sys.argv[2].split()
for number in gone:
    os.unlink(f"{store}/f{number}.md")
path = f"{store}/MEMORY.md"
lines = open(path, encoding="utf-8").read().splitlines(keepends=True)
with open(path, "w", encoding="utf-8") as file:
    file.writelines(line for line in lines if not any(f"(f{number}.md)" in line for number in gone))
"""
WRITER = Path(__file__).parents[1] / "faults" / "session_writer.py"


def watch(roots: Iterable[Root], on_change: Callable[[frozenset[Path]], None]) -> Watcher:
    """The real watcher; what a program does in one go is told in one go."""
    return Watcher(roots, on_change, times=Times(quiet_s=0.2, gap_s=0.2))


async def until(driver: Driver, holds: Callable[[], bool]) -> None:
    """Wait for what the watcher and the other program lead to; what never comes fails the test."""
    for _look in range(2_000):
        if holds():
            break
        await driver.pilot.pause(0.01)
    else:
        raise AssertionError(driver.text)
    await driver.settled()


async def watched(driver: Driver) -> None:
    """Until the watcher is at work."""

    def is_at_work() -> bool:
        state = driver.app.desk.live.state
        return state is not None and state.kind != "off"

    await until(driver, is_at_work)


async def test_c12_what_a_consolidation_took_is_named_read_and_brought_back(
    make_env: MakeEnv, demo: DemoHome
) -> None:
    for path in demo.store.iterdir():
        path.unlink()
    for name, text in {**EIGHT, "MEMORY.md": INDEX}.items():
        (demo.store / name).write_text(text)
    before = tree(demo.store)
    env = make_env(home=demo.home, cwd=demo.project, now=system_now)
    async with running(env, SCREEN, watch) as driver:
        await watched(driver)
        news = driver.app.desk.live.news
        names = " ".join(str(number) for number in GONE)
        subprocess.run([sys.executable, "-S", "-c", CONSOLIDATION, demo.store, names], check=True)
        began = system_now().astimezone() - timedelta(minutes=1)
        await until(driver, lambda: news.removed == len(GONE) and "MEMORY.md" in " ".join(news.lines))
        told = " ".join(news.lines)
        assert all(f"f{number}.md" in told for number in GONE) and "removed by another program" in told
        assert {line[:5] for line in news.lines} <= {f"{began + timedelta(minutes=n):%H:%M}" for n in range(3)}
        assert news.lines[0] in driver.app.desk.status.said
        assert "5 removed" in driver.text.splitlines()[0]
        await driver.press("C")
        for number in GONE:
            # all that it said, then the file and its line again
            assert f"Fact {number}" in driver.text
            await driver.press("enter")
            assert f"body {number}" in driver.text
            await driver.press("q", "x", "y")
            assert (demo.store / f"f{number}.md").read_text() == EIGHT[f"f{number}.md"]
        assert "other programs changed nothing since" in driver.sentences
        await driver.press("q")
    assert tree(demo.store) == before


async def test_s19_a_session_that_a_program_writes_to_comes_back_whole(
    make_env: MakeEnv, tmp_path: Path
) -> None:
    home, cwd = tmp_path / "home", tmp_path / "home" / "app"
    cwd.mkdir(parents=True)
    env = make_env(home=home, cwd=cwd, now=system_now)
    lines = SessionLines(0, str(cwd), system_now())
    old = lines.data
    path = Library(env).places.own / lines.file_name
    path.parent.mkdir(parents=True)
    path.write_bytes(old)
    stop = tmp_path / "stop"
    command = [sys.executable, "-S", str(WRITER), str(path), str(stop), "200", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None and writer.stdout.readline() == "ready\n"
        try:
            async with running(env, SCREEN, watch) as driver:
                await watched(driver)
                await driver.press("3")
                await until(driver, lambda: driver.app.desk.session is not None)
                await driver.press("d")
                assert "This session may be in use: it was written to" in driver.sentences
                assert "has no header" in driver.sentences
                await driver.press("n")
                assert path.read_bytes().startswith(old)
                await driver.press("d", "y")
                # it has written on, into a file that pi ignores
                await until(driver, lambda: path.exists() and path.stat().st_size > 300)
                assert not look_at(path).pi_opens
                await driver.press("u")
                await until(driver, lambda: look_at(path).pi_opens)
                size = path.stat().st_size
                await until(driver, lambda: path.stat().st_size > size)
        finally:
            stop.touch()
            last = int(writer.communicate()[0])
    records = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert path.read_bytes().startswith(old) and last > 3
    assert [int(record["id"], 16) for record in records[1:]] == list(range(1, last + 1))
    assert [file.name for file in path.parent.iterdir()] == [path.name]
