"""The watcher over the system's own events.

What is judged does not depend on time: either the clock is the test's and only moves when all events of a deed
are known to have come, or the test waits for what must come (with a limit that only a failure reaches).
"""

from __future__ import annotations

import errno
import gc
import logging
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from watchdog.observers import Observer
from watchdog.utils import BaseThread

from memtui.core.watch import Root, Times, Watcher
from memtui.core.watch.native import WatchdogNative
from memtui.core.watch.rounds import Rounds

PATIENCE_S = 60.0
"""Only a failing test waits that long."""

QUICK = Times(quiet_s=0.01, latest_s=0.05, gap_s=0.0, look_s=0.1, sweep_s=60.0, poll_s=0.1)

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="reads descriptors from /proc")


class StillClock:
    """A `Pacer` whose time only the test moves."""

    time_s = 0.0

    def now(self) -> float:
        return self.time_s

    def wait(self, seconds: float) -> None:
        raise AssertionError("nothing waits here")

    def wake(self) -> None:
        pass


class Scene:
    """Rounds with real events and a still clock: `after` gives what one deed led to."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.deeds = 0
        self.clock = StillClock()
        self.announced: list[set[str]] = []
        self.heard = threading.Condition()
        self.paths: set[str] = set()
        self.rounds = Rounds(
            lambda paths: self.announced.append({os.path.relpath(path, root) for path in paths}),
            pacer=self.clock,
            times=Times(),
            make_native=self.make,
            read_mounts=tuple,
            goes_on=lambda: True,
        )
        self.rounds.set_roots([Root(root)])
        self.rounds.turn()
        self.settle()

    def make(self, on_paths: Callable[[tuple[str, ...]], None], on_lost: Callable[[], None]) -> WatchdogNative:
        def spy(paths: tuple[str, ...]) -> None:
            on_paths(paths)
            with self.heard:
                self.paths.update(paths)
                self.heard.notify_all()

        return WatchdogNative(spy, on_lost)

    def settle(self) -> None:
        self.clock.time_s += 1.0
        self.rounds.turn()

    def after(self, deed: Callable[[], object]) -> list[set[str]]:
        """The announcements of a deed, without the directory (one single event) that marks its end."""
        self.announced.clear()
        self.paths.clear()
        deed()
        self.deeds += 1
        last = self.root / f"last-{self.deeds}"
        last.mkdir()
        with self.heard:
            assert self.heard.wait_for(lambda: str(last) in self.paths, PATIENCE_S)
        self.rounds.turn()
        assert self.announced == [], "nothing is announced before the quiet time is over"
        self.settle()
        said = [paths - {last.name} for paths in self.announced]
        self.clock.time_s += 1.0
        return said


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- [A](a.md)\n")
    (folder / "a.md").write_text("one\n")
    return folder


@pytest.fixture
def scene(memory: Path) -> Iterator[Scene]:
    scene = Scene(memory)
    yield scene
    scene.rounds.close()


def test_w01_an_atomic_save_is_a_change_of_the_file_alone(scene: Scene, memory: Path) -> None:
    def save() -> None:
        (memory / ".a.md.tmp").write_text("two\n")
        (memory / ".a.md.tmp").replace(memory / "a.md")

    assert scene.after(save) == [{"a.md"}]


def test_w01_sed_in_place(scene: Scene, memory: Path) -> None:
    if shutil.which("sed") is None:
        pytest.skip("sed is not installed")
    deed = ["sed", "-i", "s/one/1/", str(memory / "a.md")]
    said = scene.after(lambda: subprocess.run(deed, check=True))
    assert len(said) == 1
    assert "a.md" in said[0]


def test_w02_a_file_moved_in_from_elsewhere_is_a_change_of_that_file(
    scene: Scene, memory: Path, tmp_path: Path
) -> None:
    (tmp_path / "new.md").write_text("from elsewhere\n")
    assert scene.after(lambda: (tmp_path / "new.md").replace(memory / "a.md")) == [{"a.md"}]


def test_w06_one_save_by_vim_is_one_announcement_without_its_swap_files(scene: Scene, memory: Path) -> None:
    vim = shutil.which("vim")
    if vim is None:
        pytest.skip("vim is not installed")
    for options in ([], ["--cmd", "set backup backupcopy=no"]):
        command = [vim, "-es", "-u", "NONE", "-i", "NONE", "-N", *options, str(memory / "a.md")]
        command += ["-c", "normal oX", "-c", "wq"]
        said = scene.after(
            lambda command=command: subprocess.run(command, stdin=subprocess.DEVNULL, check=True)
        )
        assert said == [{"a.md"}]
    assert (memory / "a.md").read_text() == "one\nX\nX\n"


def test_our_own_reads_wake_nobody(scene: Scene, memory: Path) -> None:
    def look() -> None:
        for _ in range(20):
            (memory / "a.md").read_bytes()
            list(memory.iterdir())

    assert scene.after(look) == [set()]


@pytest.mark.filterwarnings("error")
def test_a_new_subdirectory_is_watched_too(scene: Scene, memory: Path) -> None:
    def make() -> None:
        (memory / "sub" / "deep").mkdir(parents=True)

    assert scene.after(make) == [{"sub", "sub/deep"}]
    assert scene.after(lambda: (memory / "sub" / "deep" / "b.md").write_text("x")) == [{"sub/deep/b.md"}]


# The whole watcher


class Seen:
    """Collects what a watcher announces; `wait_for` a path."""

    def __init__(self) -> None:
        self.condition = threading.Condition()
        self.paths: set[Path] = set()
        self.threads: set[str] = set()

    def __call__(self, paths: frozenset[Path]) -> None:
        with self.condition:
            self.paths |= paths
            self.threads.add(threading.current_thread().name)
            self.condition.notify_all()

    def wait_for(self, *paths: Path) -> None:
        with self.condition:
            assert self.condition.wait_for(lambda: self.paths.issuperset(paths), PATIENCE_S), self.paths
            self.paths.clear()


@contextmanager
def watching(*roots: Root) -> Iterator[tuple[Watcher, Seen]]:
    seen = Seen()
    watcher = Watcher(roots, seen, times=QUICK, mounts=tuple)
    watcher.start()
    try:
        seen.wait_for(*(root.path for root in roots))
        yield watcher, seen
    finally:
        watcher.close()


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.fixture
def quiet() -> None:
    """Wait until what earlier tests watched with has ended: a watcher that closed itself still has a moment to
    live, and what nobody closed gives its descriptors back as garbage."""
    gc.collect()
    for thread in threading.enumerate():
        if thread.name == "memtui-watch" or isinstance(thread, BaseThread):
            thread.join(PATIENCE_S)


def test_w03_the_directory_goes_and_comes_back_without_a_restart(memory: Path) -> None:
    with watching(Root(memory)) as (watcher, seen):
        for text in ("back\n", "back again\n"):
            shutil.rmtree(memory)
            seen.wait_for(memory)
            memory.mkdir()
            seen.wait_for(memory)
            (memory / "MEMORY.md").write_text(text)
            seen.wait_for(memory / "MEMORY.md")
        assert watcher.state.kind == "live"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE], ids=["28", "24"])
@pytest.mark.parametrize("method", ["start", "schedule"])
def test_w05_at_the_limit_of_the_system_the_watcher_polls(
    quiet: None, memory: Path, monkeypatch: pytest.MonkeyPatch, number: int, method: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, "inotify limit reached")

    monkeypatch.setattr(Observer, method, refuse)
    before = descriptors()
    with watching(Root(memory)) as (watcher, seen):
        assert watcher.state.text == "polling every 0.1 s: inotify limit"
        assert [thread.name for thread in threading.enumerate() if thread.name == "memtui-watch"]
        (memory / "a.md").write_text("still seen\n")
        seen.wait_for(memory / "a.md")
        assert descriptors() == before
    assert watcher.state.kind == "off"


def test_all_calls_come_from_one_thread_and_none_after_the_end(memory: Path) -> None:
    with watching(Root(memory)) as (watcher, seen):
        for number in range(50):
            (memory / f"{number}.md").write_text("x")
        seen.wait_for(memory / "49.md")
        assert seen.threads == {"memtui-watch"}
    seen.paths.clear()
    (memory / "later.md").write_text("x")
    watcher.close()
    assert seen.paths == set()
    assert watcher.state.text == "not watching: closed"


def test_a_watcher_may_be_closed_by_its_own_call_and_before_its_start(memory: Path) -> None:
    done = threading.Event()

    def end(_: frozenset[Path]) -> None:
        watcher.close()
        done.set()

    watcher = Watcher([Root(memory)], end, times=QUICK)
    assert watcher.state.text == "not watching: not started"
    watcher.start()
    assert done.wait(PATIENCE_S)
    never = Watcher([Root(memory)], end)
    never.close()
    never.start()
    assert never.state.kind == "off"


def test_threads_and_descriptors_stay_constant_over_many_starts(quiet: None, memory: Path) -> None:
    counts = set()
    for _ in range(12):
        with watching(Root(memory), Root(memory.parent, recursive=False)):
            counts.add((threading.active_count(), descriptors()))
        assert not [thread for thread in threading.enumerate() if thread.name == "memtui-watch"]
        counts.add((threading.active_count(), descriptors()))
    assert len(counts) == 2


def test_w07_threads_and_descriptors_stay_constant_over_thousands_of_events(quiet: None, memory: Path) -> None:
    with watching(Root(memory)) as (watcher, seen):
        before = threading.active_count(), descriptors()
        for step in range(10):
            for number in range(100):
                temp = memory / f".{number}.md.tmp"
                temp.write_text(f"{step}\n")
                temp.replace(memory / f"{number}.md")
            (memory / f"last-{step}").touch()
            seen.wait_for(memory / f"last-{step}")
        for step in range(5):
            other = memory.parent / f"other-{step}"
            other.mkdir()
            watcher.set_roots([Root(memory), Root(other)])
            seen.wait_for(other)
        watcher.set_roots([Root(memory)])
        (memory / "end").touch()
        seen.wait_for(memory / "end")
        assert (threading.active_count(), descriptors()) == before
        assert watcher.last_error is None


def test_what_the_library_logs_does_not_reach_the_screen(
    memory: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lost = threading.Event()
    native = WatchdogNative(lambda paths: None, lost.set)
    try:
        logging.getLogger("watchdog.observers.inotify").error("called when the thread is inactive")
        assert not lost.is_set()
        logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed")
        assert lost.is_set()
    finally:
        native.close()
    logging.getLogger("watchdog.observers.inotify").error("called when the thread is inactive")
    assert capfd.readouterr().err == ""


def test_directories_below_that_got_no_watch_are_found_out(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    native = WatchdogNative(lambda paths: None, lambda: None)
    schedule = Observer.schedule

    def full(observer: object, handler: object, path: str, **options: object) -> object:
        if path == "/":
            raise OSError(errno.ENOSPC, "inotify watch limit reached")
        return schedule(observer, handler, path, **options)

    try:
        native.watch(str(memory), recursive=True)
        native.check_room()
        assert native.is_watching(str(memory))
        monkeypatch.setattr(Observer, "schedule", full)
        with pytest.raises(OSError, match="limit"):
            native.check_room()
        native.forget(str(memory))
        native.forget(str(memory))
        assert not native.is_watching(str(memory))
    finally:
        native.close()
