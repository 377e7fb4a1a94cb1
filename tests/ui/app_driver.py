"""Helpers for tests that drive the whole app: a demo home, the app on it, the screen as text, the disk."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from textual import _wait
from textual.pilot import Pilot

from memtui.core.env import Env
from memtui.core.workspace import Workspace
from memtui.ui import answering, searching, shelf
from memtui.ui.app import MemtuiApp
from memtui.ui.live import MakeWatcher

MakeEnv = Callable[..., Env]

# Textual looks 50 times a second whether the app is idle; tests that press a thousand keys need not wait so long
_wait.SLEEP_GRANULARITY, _wait.SLEEP_IDLE = 1 / 250, 1 / 5000

# what a change leads to is listed at once, and what was found is whole and shown: nothing waits for a pause
shelf.LIST_EVERY_S = shelf.QUIET_S = answering.REST_S = answering.PAINT_S = searching.PREVIEW_AFTER_S = 0.0

BROKEN_AFTER_S = 120.0
"""Only a broken program takes so long."""

LOOK_S = 0.001
"""How often it is looked whether a thread has ended what it was given."""


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a directory with its bytes (a symlink: its target), memtui's own temp names left out."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = b"-> " + bytes(path.readlink())
        elif path.is_file() and not path.name.startswith(".memtui-"):
            found[name] = path.read_bytes()
    return found


def screen_text(app: MemtuiApp) -> str:
    """What is on the screen."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


class Driver:
    """A running app and its pilot."""

    def __init__(self, app: MemtuiApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def text(self) -> str:
        """What is on the screen."""
        return screen_text(self.app)

    @property
    def words(self) -> str:
        """What is on the screen, in one line."""
        return " ".join(self.text.split())

    @property
    def sentences(self) -> str:
        """What is on the screen, in one line, without the frames that rows are broken at."""
        return " ".join(self.text.replace("│", " ").split())

    @property
    def cursor_file(self) -> str:
        """The file of the memory under the cursor, '' when there is none."""
        item = self.app.desk.item
        return "" if item is None else item.memory.file

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, each after the one before was painted."""
        for key in keys:
            await self.pilot.press(key)
            await self.settled()

    async def settled(self) -> None:
        """Until the threads have nothing left and what they found is painted, or the app has ended."""
        desk = self.app.desk
        threads = {
            "shelf": self.app.shelf,
            "seeker": desk.seeker,
            "inspecting": desk.inspecting,
            "crediting": desk.live.crediting,
        }
        for _round in range(3):
            deadline = time.monotonic() + BROKEN_AFTER_S
            while self.app.is_running:
                busy = [name for name, thread in threads.items() if not thread.idle.is_set()]
                if not busy:
                    break
                assert time.monotonic() < deadline, f"{busy} at work for {BROKEN_AFTER_S} s"
                await asyncio.sleep(LOOK_S)
            done = _Done()
            self.app.work.do(lambda workspace: None, done)
            while self.app.is_running and not done.called:
                await asyncio.sleep(LOOK_S)
            await self.pilot.pause()
        while self.app.is_running and self.app.desk.is_complete and self._waits_for_paint:
            await self.pilot.pause(0.005)

    @property
    def _waits_for_paint(self) -> bool:
        bar = self.app.desk.ask_bar
        if len(self.app.screen_stack) > 1:
            # a sheet may have a bar of its own
            bar = getattr(self.app.screen, "ask_bar", None)
        return bar is not None and bar.asking and not bar.painted

    async def read(self) -> None:
        """Until the stores are on the screen, or the app has ended."""
        while self.app.is_running and self.app.desk.view is None:
            await asyncio.sleep(LOOK_S)
        await self.settled()

    def go_to_title(self, title: str) -> None:
        """Put the cursor on the first memory of this title."""
        assert self.app.desk.view is not None
        row_id = next(i.row_id for i in self.app.desk.view.items.values() if i.memory.title == title)
        assert self.app.desk.index.list.go_to(row_id)

    @property
    def cursor_title(self) -> str:
        """The title of the memory under the cursor, '' when there is none."""
        item = self.app.desk.item
        return "" if item is None else item.memory.title

    def edit_with(self, change: Callable[[bytes], bytes]) -> None:
        """Let the person's editor do this to the text that it is given."""

        def run_editor(words: list[str], path: Path, line: int) -> str:
            path.write_bytes(change(path.read_bytes()))
            return ""

        self.app.desk.run_editor = run_editor  # type: ignore[method-assign]

    def go_to(self, file: str) -> None:
        """Put the cursor on a memory."""
        assert self.app.desk.view is not None
        row_id = next(i.row_id for i in self.app.desk.view.items.values() if i.memory.file == file)
        assert self.app.desk.index.list.go_to(row_id)


class _Done:
    called = False

    def __call__(self, result: object) -> None:
        self.called = True


@contextlib.asynccontextmanager
async def running(
    env: Env,
    size: tuple[int, int] = (80, 24),
    watcher: MakeWatcher | None = None,
    make: Callable[[Env], Workspace] = Workspace,
    *,
    indexes: bool = False,
) -> AsyncIterator[Driver]:
    """The app on an Env, read and painted; it watches nothing unless it is given something to watch with, and
    writes no index unless it is told to."""
    app = MemtuiApp(env, lambda: make(env), watcher, indexes=indexes)
    try:
        async with app.run_test(size=size) as pilot:
            driver = Driver(app, pilot)
            await driver.read()
            yield driver
    finally:
        app.work.stop()
