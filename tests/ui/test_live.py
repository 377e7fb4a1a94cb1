"""What other programs do while memtui is open: it appears with a mark and a line, and nothing is lost."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running, tree
from played_watcher import PlayedWatcher

from memtui.core.env import Env
from memtui.core.watch import Times, Watcher, WatchState
from memtui.demo import DemoHome

FACT = "prefer-small-commits.md"
NOTE = b"---\nname: live-note\ndescription: seen live\nmetadata:\n  type: project\n---\n\nbody\n"
LINE = "- [Live note](live-note.md) — seen live\n".encode()


@pytest.fixture
def watcher() -> PlayedWatcher:
    return PlayedWatcher()


def append(path: Path, data: bytes) -> None:
    with open(path, "ab") as file:
        file.write(data)


async def say(driver: Driver, watcher: PlayedWatcher, *paths: Path) -> None:
    watcher.say(*paths)
    await driver.settled()
    await driver.settled()


def status(driver: Driver) -> str:
    """What the status pane says, unwrapped."""
    return "\n".join([driver.app.desk.status.said, *driver.app.desk.status.text.lines])


def row_of(driver: Driver, words: str) -> str:
    """The row of the screen's left half that holds these words."""
    return next(line for line in driver.text.splitlines() if words in line)


async def test_an_agents_write_appears_with_a_mark_and_a_line(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    async with running(env, (120, 36), watcher.make) as driver:
        driver.go_to(FACT)
        assert watcher.started and demo.store in {root.path for root in watcher.roots}
        (demo.store / "live-note.md").write_bytes(NOTE)
        append(demo.store / "MEMORY.md", LINE)
        await say(driver, watcher, demo.store / "live-note.md", demo.store / "MEMORY.md")
        row = row_of(driver, "Live note")
        assert "+" in row and "new" in row
        assert "12:00 zcode: live-note.md new · MEMORY.md +1 line" in status(driver)
        assert "1 new" in driver.text.splitlines()[0]
        assert "live" in driver.text.splitlines()[0]
        assert driver.cursor_file == FACT


async def test_what_is_new_stays_new_until_the_cursor_was_there(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    async with running(env, (120, 36), watcher.make) as driver:
        (demo.store / "live-note.md").write_bytes(NOTE)
        append(demo.store / "MEMORY.md", LINE)
        await say(driver, watcher, demo.store)
        await driver.press("j", "k")
        assert "1 new" in driver.text.splitlines()[0]
        while driver.cursor_file != "live-note.md":
            await driver.press("j")
        assert "1 new" not in driver.text.splitlines()[0]
        assert "+" not in row_of(driver, "Live note")
        assert "live-note.md new" in status(driver)


async def test_equal_bytes_and_our_own_changes_are_silent(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    async with running(env, (120, 36), watcher.make) as driver:
        driver.go_to(FACT)
        await driver.press("d", "y")
        shown, text = driver.app.desk.view, driver.text
        assert "another program" not in text and "removed" not in text.splitlines()[0]
        await say(driver, watcher, demo.store / FACT, demo.store / "MEMORY.md")
        for path in demo.store.glob("*.md"):
            data = path.read_bytes()
            path.with_suffix(".new").write_bytes(data)
            path.with_suffix(".new").replace(path)
        await say(driver, watcher, demo.store)
        assert driver.app.desk.view is shown
        assert driver.text == text
        await driver.press("u")
        await say(driver, watcher, demo.store)
        assert driver.app.desk.live.news.lines == []


async def test_another_programs_line_beside_our_own_change_is_told(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    async with running(env, (120, 36), watcher.make) as driver:
        driver.go_to(FACT)
        await driver.press("d")
        (demo.store / "live-note.md").write_bytes(NOTE)
        append(demo.store / "MEMORY.md", LINE)
        await driver.press("y")
        assert f"deleted {FACT}" in driver.text
        assert driver.app.desk.live.news.lines == ["12:00 zcode: live-note.md new · MEMORY.md +1 line"]
        assert LINE in (demo.store / "MEMORY.md").read_bytes()


async def test_cursor_scroll_zoom_and_filter_survive_a_reload(
    make_env: MakeEnv, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    env = make_env(home=demo.home, cwd=demo.long_project)
    async with running(env, (80, 24), watcher.make) as driver:
        await driver.press(*["pagedown"] * 4)
        rows = driver.app.desk.index.list
        before = (driver.cursor_file, rows.scroll_offset.y)
        append(demo.long_store / "MEMORY.md", LINE)
        (demo.long_store / "live-note.md").write_bytes(NOTE)
        await say(driver, watcher, demo.long_store)
        assert (driver.cursor_file, rows.scroll_offset.y) == before
        assert before[1] > 0
        await driver.press("f", *"topic 1", "enter", "j", "j", "2")
        here = driver.cursor_file
        append(demo.long_store / "MEMORY.md", b"\n<!-- x -->\n")
        await say(driver, watcher, demo.long_store)
        assert driver.cursor_file == here
        assert driver.app.navigation.active == "topic"
        assert driver.app.desk.query_text == "topic 1"


async def test_the_place_in_a_text_survives_when_the_text_grows(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    path = demo.store / FACT
    append(path, b"".join(b"line %d\n" % number for number in range(200)))
    async with running(env, (80, 24), watcher.make) as driver:
        driver.go_to(FACT)
        await driver.settled()
        await driver.press("enter", "pagedown", "pagedown")
        top = driver.app.desk.topic.text.top_line
        append(path, b"the end\n")
        await say(driver, watcher, path)
        assert driver.app.desk.topic.text.top_line == top > 10
        assert driver.app.desk.topic.text.lines[-1] == "the end"
        append(demo.store / "user-role.md", b"x\n")
        lines = driver.app.desk.topic.text.lines
        await say(driver, watcher, demo.store / "user-role.md")
        assert driver.app.desk.topic.text.lines is lines


async def test_w08_a_confirm_on_a_memory_that_disappears_deletes_nothing(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    async with running(env, watcher=watcher.make) as driver:
        driver.go_to(FACT)
        await driver.press("d")
        (demo.store / FACT).unlink()
        index = demo.store / "MEMORY.md"
        index.write_bytes(
            b"".join(line for line in index.read_bytes().splitlines(True) if FACT.encode() not in line)
        )
        left = tree(demo.store)
        await say(driver, watcher, demo.store)
        assert f"{FACT} is already gone" in driver.words
        assert not driver.app.desk.is_asking
        assert driver.cursor_file == "no-mocks-in-db-tests.md"
        await driver.press("y")
        assert tree(demo.store) == left


async def test_w08_a_yes_that_comes_before_the_news_deletes_nothing_either(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    async with running(env, watcher=watcher.make) as driver:
        driver.go_to(FACT)
        await driver.press("d")
        (demo.store / FACT).unlink()
        index = demo.store / "MEMORY.md"
        index.write_bytes(
            b"".join(line for line in index.read_bytes().splitlines(True) if FACT.encode() not in line)
        )
        left = tree(demo.store)
        await driver.press("y")
        assert tree(demo.store) == left
        assert "nothing was written" in driver.words


async def test_a_question_about_a_memory_that_stays_stays(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    async with running(env, watcher=watcher.make) as driver:
        driver.go_to(FACT)
        await driver.press("d")
        (demo.store / "user-role.md").unlink()
        await say(driver, watcher, demo.store)
        assert driver.app.desk.ask_bar.asking
        await driver.press("y")
        assert not (demo.store / FACT).exists()


async def test_many_removed_files_are_one_phrase(env: Env, demo: DemoHome, watcher: PlayedWatcher) -> None:
    async with running(env, (120, 36), watcher.make) as driver:
        for name in ("user-role.md", FACT, "no-mocks-in-db-tests.md", "auth-rewrite.md", "ticket-board.md"):
            (demo.store / name).unlink()
        await say(driver, watcher, demo.store)
        assert "5 removed by another program" in status(driver)
        assert driver.cursor_file


async def test_w05_the_way_of_watching_is_on_the_screen(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    async with running(env, (120, 36), watcher.make) as driver:
        assert "live" in driver.text.splitlines()[0]
        watcher.state = WatchState("polling", "inotify limit", 2.0)
        await say(driver, watcher)
        assert "polling" in driver.text.splitlines()[0]
        assert "polling every 2 s: inotify limit" in status(driver)


async def test_hostile_names_of_others_are_shown_as_signs(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    async with running(env, (120, 36), watcher.make) as driver:
        (demo.store / "evil\x1b]0;x\x07.md").write_bytes(b"x\n")
        await say(driver, watcher, demo.store)
        assert "\x1b" not in driver.text and "\x07" not in driver.text
        assert "evil" in status(driver)


async def test_the_watcher_is_closed_with_the_app(env: Env, watcher: PlayedWatcher) -> None:
    async with running(env, watcher=watcher.make) as driver:
        assert not watcher.closed
        await driver.pilot.press("q")
    assert watcher.closed


async def test_w07_a_burst_becomes_few_looks_and_ends_as_the_disk_is(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    async with running(env, watcher=watcher.make) as driver:
        looks = 0
        look = driver.app.desk.live.look

        def counted(*args: object, **more: object) -> object:
            nonlocal looks
            looks += 1
            return look(*args, **more)

        driver.app.desk.live.look = counted  # type: ignore[method-assign]
        for number in range(20):
            append(demo.store / "MEMORY.md", b"- [N%d](n%d.md)\n" % (number, number))
            watcher.say(demo.store / "MEMORY.md")
        await driver.settled()
        await driver.settled()
        assert looks < 20
        assert driver.app.desk.view is not None
        assert "n19.md" in {item.memory.file for item in driver.app.desk.view.items.values()}


# The real watcher


async def test_w01_an_atomic_save_is_seen_by_the_real_watcher(env: Env, demo: DemoHome) -> None:
    def make(roots: object, on_change: object) -> Watcher:
        return Watcher(roots, on_change, times=Times(quiet_s=0.01, gap_s=0.01))  # type: ignore[arg-type]

    async with running(env, (120, 36), make) as driver:
        live = driver.app.desk.live
        while live.state is None or live.state.kind == "off":
            await driver.pilot.pause(0.01)
        for round_number in range(2):
            temp = demo.store / ".a.md.tmp"
            temp.write_bytes(b"round %d\n" % round_number)
            temp.replace(demo.store / "a.md")
            while len(live.news.lines) <= round_number:
                await driver.pilot.pause(0.01)
            assert "a.md" in live.news.lines[0] and "tmp" not in live.news.lines[0]
    assert live.state is not None and live.state.kind == "off"


class SteppedPacer:
    """A clock whose waits are over at once, up to a moment that the test moves."""

    def __init__(self) -> None:
        self.time_s, self.limit_s, self.waits = 0.0, 0.0, 0

    def now(self) -> float:
        return self.time_s

    def wait(self, seconds: float) -> None:
        while self.time_s >= self.limit_s:
            time.sleep(0.001)
        self.time_s += max(seconds, 0.001)
        self.waits += 1

    def wake(self) -> None:
        """Nothing waits for long."""

    async def run_to(self, driver: Driver, moment_s: float) -> None:
        self.limit_s = moment_s
        while self.time_s < moment_s:
            await driver.pilot.pause(0.01)
        await driver.settled()


async def test_beside_a_quiet_agent_no_file_is_opened_between_sweeps(env: Env, demo: DemoHome) -> None:
    pacer = SteppedPacer()
    opened: list[str] = []
    counting = False

    def hook(event: str, args: tuple[object, ...]) -> None:
        if counting and event == "open" and str(args[0]).startswith(str(demo.home)):
            opened.append(str(args[0]))

    sys.addaudithook(hook)

    def make(roots: object, on_change: object) -> Watcher:
        return Watcher(roots, on_change, pacer=pacer)  # type: ignore[arg-type]

    async with running(env, watcher=make) as driver:
        await pacer.run_to(driver, 10)
        before, counting = pacer.waits, True
        await pacer.run_to(driver, 58)
        counting = False
        assert pacer.waits - before > 20
        assert opened == []
        pacer.limit_s = float("inf")


async def test_no_file_is_read_on_the_thread_of_the_keys(
    env: Env, demo: DemoHome, watcher: PlayedWatcher
) -> None:
    keys_thread, read = threading.get_ident(), []
    counting = False

    def hook(event: str, args: tuple[object, ...]) -> None:
        if counting and event in ("open", "os.scandir", "os.listdir") and threading.get_ident() == keys_thread:
            path = str(args[0])
            if path.startswith(str(demo.home)):
                read.append(path)

    sys.addaudithook(hook)
    async with running(env, (120, 36), watcher.make) as driver:
        append(demo.store / "MEMORY.md", LINE)
        counting = True
        watcher.say(demo.store, demo.home / ".pi/agent/sessions")
        await driver.settled()
        await driver.press("/", *"port", "down", "down", "enter", "n", "J", "t", "T", "y", "Y", "q", "H", "q")
        counting = False
    assert read == []
