"""Something works on a store in the background: it is named, and told before a change beside it."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from app_driver import Driver, MakeEnv, running
from played_watcher import PlayedWatcher
from side_by_side import fill, store_of, workspace_of

from memtui.core.watch import Root


def told(driver: Driver) -> str:
    """What the status pane says, unwrapped."""
    return " ".join([driver.app.desk.status.said, *driver.app.desk.status.text.lines])


async def say(driver: Driver, watcher: PlayedWatcher, path: Path) -> None:
    watcher.say(path)
    await driver.settled()
    await driver.settled()


async def test_a_dream_is_told_while_it_runs_and_before_a_change(make_env: MakeEnv, tmp_path: Path) -> None:
    env, watcher = make_env(), PlayedWatcher()
    fill(tmp_path, "amaster", {"MEMORY.md": "alpha\n§\nbeta", "USER.md": "gamma"})
    store, lock = store_of(tmp_path, "amaster"), tmp_path / "amaster.lock"
    clock = [env.now()]
    env = replace(env, now=lambda: clock[-1])

    def refresh() -> None:
        os.utime(lock, (clock[-1].timestamp(),) * 2)

    async with running(env, (120, 36), watcher.make, workspace_of(store)) as driver:
        assert Root(tmp_path, recursive=False, names=frozenset({"amaster.lock"})) in watcher.roots
        assert "at work" not in told(driver)
        lock.mkdir()
        refresh()
        await say(driver, watcher, lock)
        sentence = "a dream of amaster is running since 12:00 (amaster.lock)"
        assert f"at work  {sentence}" in told(driver)
        await driver.press("d")
        assert f"{sentence}; it may write over this" in driver.sentences
        await driver.press("n", "a")
        assert driver.app.desk.status.said.endswith("it may write over this")
        await driver.press("escape")
        # what changes meanwhile is put down to nobody, but said beside it
        (store.root / "MEMORY.md").write_text("alpha\n§\nbeta\n§\ndelta")
        clock.append(clock[0] + timedelta(seconds=20))
        refresh()
        await say(driver, watcher, store.root / "MEMORY.md")
        assert driver.app.desk.live.news.lines[0].endswith("meanwhile a dream of amaster was at work")
        assert "since 12:00" in told(driver)
        # killed: nothing tells of that, and a look once its time is over does
        clock.append(clock[0] + timedelta(seconds=60))
        driver.app.desk.live.look_again()
        await driver.settled()
        await driver.settled()
        assert "a dream of amaster left amaster.lock behind; last sign of life 12:00" in told(driver)
        await driver.press("d")
        assert "it may write over this" not in driver.sentences
        await driver.press("n")
        lock.rmdir()
        (store.root / "dreaming-state.json").write_text('{"lastConsolidatedAt":"2026-11-30T12:01:00.000Z"}')
        await say(driver, watcher, lock)
        assert "amaster.lock" not in told(driver)
        assert driver.app.desk.live.news.lines[0] == "12:01 a dream of amaster has ended"


async def test_what_happens_elsewhere_in_a_watched_directory_is_no_reason_to_look(
    make_env: MakeEnv, tmp_path: Path
) -> None:
    watcher = PlayedWatcher()
    fill(tmp_path, "amaster", {"MEMORY.md": "alpha"})
    async with running(
        make_env(), (80, 24), watcher.make, workspace_of(store_of(tmp_path, "amaster"))
    ) as driver:
        looks: list[None] = []
        driver.app.desk.live.look_again = lambda: looks.append(None)  # type: ignore[method-assign]
        watcher.say(tmp_path / "sessions" / "a.jsonl", tmp_path / "settings.json")
        await driver.settled()
        assert looks == []
        watcher.say(tmp_path / "amaster.lock")
        await driver.settled()
        assert len(looks) == 1
