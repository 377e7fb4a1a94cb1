"""The rounds of the watcher by a clock that only the test moves, over a source of events that it plays."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.core.watch import LIVE, Root, Times
from memtui.core.watch.mounts import Mount
from memtui.core.watch.rounds import MOST_PATHS, Rounds

NO_ROOM = OSError(errno.ENOSPC, "inotify watch limit reached")
NO_INSTANCE = OSError(errno.EMFILE, "inotify instance limit reached")


class Clock:
    """A `Pacer` that stands still until it is told."""

    def __init__(self) -> None:
        self.time_s = 1000.0
        self.wakes = 0

    def now(self) -> float:
        return self.time_s

    def wait(self, seconds: float) -> None:
        self.time_s += seconds

    def wake(self) -> None:
        self.wakes += 1


class Played:
    """A source of events that says what the test says, and remembers what it is to watch."""

    def __init__(self, on_paths: Callable[[tuple[str, ...]], None], on_lost: Callable[[], None]) -> None:
        self.say, self.lose = on_paths, on_lost
        self.watched: dict[str, bool] = {}
        self.dead: set[str] = set()
        self.on_watch: Callable[[], None] = lambda: None
        self.refusals: dict[str, OSError | RuntimeError] = {}
        self.room: OSError | None = None
        self.closed = False

    def watch(self, path: str, *, recursive: bool) -> None:
        assert path not in self.watched, "the same directory twice"
        if path in self.refusals:
            raise self.refusals[path]
        self.on_watch()
        self.watched[path] = recursive

    def forget(self, path: str) -> None:
        self.watched.pop(path, None)
        self.dead.discard(path)

    def is_watching(self, path: str) -> bool:
        return path in self.watched and path not in self.dead

    def check_room(self) -> None:
        if self.room is not None:
            raise self.room

    def close(self) -> None:
        self.closed = True
        self.watched.clear()


class Desk:
    """Rounds over one memory directory, and everything they announced."""

    def __init__(self, *roots: Root, mounts: tuple[Mount, ...] = (), times: Times | None = None) -> None:
        self.clock = Clock()
        self.made: list[Played] = []
        self.announced: list[set[str]] = []
        self.refuses: OSError | None = None
        self.prepared: dict[str, OSError | RuntimeError] = {}
        self.error: Exception | None = None
        self.on = True
        self.base = roots[0].path if roots else Path("/")
        self.rounds = Rounds(
            self.take,
            pacer=self.clock,
            times=times or Times(),
            make_native=self.make,
            read_mounts=lambda: mounts,
            goes_on=lambda: self.on,
        )
        self.rounds.set_roots(roots)

    def make(self, on_paths: Callable[[tuple[str, ...]], None], on_lost: Callable[[], None]) -> Played:
        if self.refuses is not None:
            raise self.refuses
        native = Played(on_paths, on_lost)
        native.refusals = self.prepared
        self.made.append(native)
        return native

    def take(self, paths: frozenset[Path]) -> None:
        self.announced.append({os.path.relpath(path, self.base) for path in paths})
        if self.error is not None:
            raise self.error

    @property
    def native(self) -> Played:
        return self.made[-1]

    def pass_time(self, seconds: float) -> None:
        """Let time pass; the rounds take every turn they asked for."""
        end = self.clock.time_s + seconds
        wait = self.rounds.turn()
        while self.clock.time_s + wait <= end:
            self.clock.time_s += wait
            wait = self.rounds.turn()
        self.clock.time_s = end

    def said(self) -> list[set[str]]:
        """What was announced since the last call."""
        said, self.announced = self.announced, []
        return said

    def event(self, *names: str) -> None:
        """One event about names in the first root."""
        self.native.say(tuple(str(self.base.resolve() / name) for name in names))


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- [A](a.md)\n")
    (folder / "a.md").write_text("one\n")
    return folder


@pytest.fixture
def desk(memory: Path) -> Desk:
    """A desk that has started and announced its root."""
    made = Desk(Root(memory))
    made.pass_time(1)
    assert made.said() == [{"."}]
    return made


# Announcing


def test_a_root_is_announced_once_when_its_watch_begins(memory: Path) -> None:
    desk = Desk(Root(memory))
    assert desk.rounds.state.kind == "off"
    desk.pass_time(50)
    assert desk.said() == [{"."}]
    assert desk.native.watched == {str(memory): True}
    assert desk.rounds.state == LIVE


def test_events_within_the_quiet_time_are_one_announcement(desk: Desk) -> None:
    for name in ("a.md", "MEMORY.md", "a.md"):
        desk.event(name)
        desk.pass_time(0.05)
    assert desk.said() == []
    desk.pass_time(0.06)
    assert desk.said() == [{"a.md", "MEMORY.md"}]
    desk.pass_time(30)
    assert desk.said() == []


def test_events_that_never_end_are_announced_all_the_same(desk: Desk) -> None:
    for _ in range(40):
        desk.event("a.md")
        desk.pass_time(0.05)
    assert 2 <= len(desk.said()) <= 8


def test_announcements_keep_a_distance(desk: Desk) -> None:
    for _ in range(10):
        desk.event("a.md")
        desk.pass_time(0.15)
    assert len(desk.said()) <= 1.5 / Times().gap_s + 1


def test_only_the_first_of_many_events_wakes_the_thread(desk: Desk) -> None:
    before = desk.clock.wakes
    for _ in range(100):
        desk.event("a.md")
    assert desk.clock.wakes - before == 1


def test_an_error_of_the_receiver_ends_nothing(desk: Desk) -> None:
    desk.error = RuntimeError("the app is not running")
    desk.event("a.md")
    desk.pass_time(1)
    desk.error = None
    desk.event("MEMORY.md")
    desk.pass_time(1)
    assert desk.said() == [{"a.md"}, {"MEMORY.md"}]
    assert str(desk.rounds.last_error) == "the app is not running"


def test_nothing_is_announced_once_it_closes(desk: Desk) -> None:
    desk.event("a.md")
    desk.on = False
    desk.pass_time(1)
    assert desk.said() == []


def test_a_flood_of_paths_is_announced_as_its_root(desk: Desk) -> None:
    for number in range(MOST_PATHS + 1):
        desk.event(f"topic-{number}.md")
    desk.pass_time(1)
    assert desk.said() == [{"."}]


VIM_SAVE = (
    *(".a.md.swp", ".a.md.swp", ".a.md.swx", ".a.md.swx", ".a.md.swx", ".a.md.swp", ".a.md.swp", ".a.md.swp"),
    *(
        ".a.md.swp",
        ".a.md.swp",
        "4913",
        "4913",
        "4913",
        ".a.md.swp",
        "a.md>a.md~",
        "a.md",
        "a.md",
        "a.md",
        "a.md",
    ),
    *(".a.md.swp", "a.md~", "a.md~", ".a.md.swp", ".a.md.swp", "a.md", "a.md", ".a.md.swp"),
)
"""The names in the 27 events of one save by vim with a backup."""


def test_w06_one_save_with_many_events_is_one_announcement_without_swap_names(desk: Desk) -> None:
    for names in VIM_SAVE:
        desk.event(*names.split(">"))
        desk.pass_time(0.002)
    desk.pass_time(10)
    assert desk.said() == [{"a.md"}]


def test_w06_swap_files_alone_wake_nobody(desk: Desk) -> None:
    wakes = desk.clock.wakes
    for name in (".a.md.swp", ".a.md.swx", ".memtui-0001.tmp", "4913", "a.md~"):
        desk.event(name)
    assert desk.clock.wakes == wakes
    desk.pass_time(61)
    assert desk.said() == []


def test_w07_a_burst_is_a_few_announcements_a_second_and_ends_with_the_last_state(
    desk: Desk, memory: Path
) -> None:
    topics = [f"topic-{number:03}.md" for number in range(200)]
    for step in range(20):
        for name in (*topics, "MEMORY.md"):
            desk.event(f".{name}.tmp")
            desk.event(f".{name}.tmp", name)
        (memory / "MEMORY.md").write_text(f"{step}\n" * (step + 1))
        desk.pass_time(0.1)
    during = desk.said()
    assert 2 <= len(during) <= 2 * 4 + 1
    desk.event("MEMORY.md")
    desk.pass_time(0.5)
    assert {"MEMORY.md"} <= desk.said()[-1]
    desk.pass_time(120)
    # nothing is left over: what is shown since the last announcement is what is on the disk
    assert desk.said() == []


# Directories that come and go


def test_w03_a_directory_removed_and_made_again_is_announced_both_times(desk: Desk, memory: Path) -> None:
    for path in memory.iterdir():
        path.unlink()
    memory.rmdir()
    desk.event("MEMORY.md")
    desk.event("a.md")
    desk.native.dead.add(str(memory))
    desk.native.say((str(memory),))
    desk.pass_time(0.5)
    assert "." in set().union(*desk.said())
    assert desk.native.watched == {str(memory.parent): False}

    memory.mkdir()
    desk.native.say((str(memory),))
    desk.pass_time(0)
    assert desk.native.watched == {str(memory): True}, "armed before the debounce is over"
    (memory / "MEMORY.md").write_text("new\n")
    desk.event("MEMORY.md")
    desk.pass_time(0.5)
    assert desk.said() == [{".", "MEMORY.md"}]


def test_w03_a_directory_that_vanished_without_an_event_is_noticed_within_3_s(desk: Desk, memory: Path) -> None:
    memory.rename(memory.parent / "elsewhere")
    desk.pass_time(2.5)
    assert desk.said() == [{"."}]
    assert desk.native.watched == {str(memory.parent): False}
    (memory.parent / "elsewhere").rename(memory)
    desk.pass_time(2.5)
    assert desk.said() == [{"."}]
    assert desk.native.watched == {str(memory): True}


def test_w03_a_directory_that_was_replaced_under_its_old_inode_is_watched_again(
    desk: Desk, memory: Path
) -> None:
    # file systems give a freed inode number away at once, so only the dead watch tells
    (memory / "a.md").write_text("another text\n")
    desk.native.dead.add(str(memory))
    desk.pass_time(2.5)
    assert desk.native.watched == {str(memory): True}
    assert desk.native.dead == set()
    assert desk.said() == [{"a.md"}]


def test_a_root_that_comes_level_by_level_is_followed_down(tmp_path: Path) -> None:
    root = tmp_path / "agents" / "project" / "memory"
    desk = Desk(Root(root))
    desk.pass_time(1)
    desk.said()
    for folder in (root.parent.parent, root.parent, root):
        assert desk.native.watched == {str(folder.parent): False}
        folder.mkdir()
        desk.native.say((str(folder),))
        desk.pass_time(0)
    assert desk.native.watched == {str(root): True}
    desk.pass_time(0.5)
    assert desk.said() == [{"."}]


def test_a_root_that_comes_while_its_parent_is_being_watched_is_not_missed(desk: Desk, tmp_path: Path) -> None:
    root = tmp_path / "other" / "memory"
    desk.native.on_watch = lambda: root.mkdir(parents=True, exist_ok=True)
    desk.rounds.set_roots([Root(root)])
    desk.pass_time(0)
    assert desk.native.watched == {str(root): True}


def test_files_beside_a_missing_root_wake_nobody(tmp_path: Path) -> None:
    desk = Desk(Root(tmp_path / "memory"))
    desk.pass_time(1)
    desk.said()
    wakes = desk.clock.wakes
    desk.native.say((str(tmp_path / "other.txt"),))
    assert desk.clock.wakes == wakes
    desk.pass_time(1)
    assert desk.said() == []


def test_a_symlinked_root_follows_its_link(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    link = tmp_path / "memory"
    link.symlink_to("one")
    desk = Desk(Root(link))
    desk.pass_time(1)
    assert desk.native.watched == {str(tmp_path / "one"): True}
    desk.said()
    link.unlink()
    link.symlink_to("two")
    desk.pass_time(2.5)
    assert desk.native.watched == {str(tmp_path / "two"): True}
    assert desk.said() == [{"."}]


def test_roots_change_at_run_time(desk: Desk, memory: Path) -> None:
    other = memory.parent / "other"
    other.mkdir()
    desk.rounds.set_roots([Root(memory)])
    desk.pass_time(1)
    assert desk.said() == [], "the same roots again are no news"
    desk.rounds.set_roots([Root(memory), Root(other, recursive=False), Root(other, recursive=False)])
    desk.pass_time(1)
    assert desk.said() == [{"../other"}]
    assert desk.native.watched == {str(memory): True, str(other): False}
    desk.rounds.set_roots([Root(other, recursive=False)])
    desk.pass_time(1)
    assert desk.native.watched == {str(other): False}
    desk.event("a.md")
    desk.pass_time(120)
    assert desk.said() == []


# Limits and polling


@pytest.mark.parametrize("limit", [NO_ROOM, NO_INSTANCE], ids=["28", "24"])
@pytest.mark.parametrize("where", ["start", "schedule", "below"])
def test_w05_at_the_limit_changes_are_still_shown_by_polling(memory: Path, limit: OSError, where: str) -> None:
    desk = Desk(Root(memory))
    if where == "start":
        desk.refuses = limit
    elif where == "schedule":
        desk.prepared[str(memory)] = limit
    desk.pass_time(1)
    if where == "below":
        assert desk.rounds.state == LIVE
        desk.native.room = limit
        desk.native.dead.add(str(memory))
        desk.pass_time(2)
    assert desk.rounds.state.text == "polling every 2 s: inotify limit"
    assert all(native.closed for native in desk.made)
    desk.pass_time(3)
    desk.said()

    (memory / "a.md").write_text("a changed text\n")
    (memory / "new.md").write_text("new\n")
    desk.pass_time(2.5)
    assert desk.said() == [{"a.md", "new.md"}]
    desk.pass_time(10)
    assert desk.said() == []


def test_w05_when_there_is_room_again_it_is_live_again(memory: Path) -> None:
    desk = Desk(Root(memory))
    desk.refuses = NO_ROOM
    desk.pass_time(30)
    assert desk.rounds.state.kind == "polling"
    desk.said()
    desk.refuses = None
    desk.pass_time(61)
    assert desk.rounds.state == LIVE
    assert desk.said() == [set()], "an empty announcement: only the state changed"
    assert desk.native.watched == {str(memory): True}


def test_a_network_file_system_is_polled_and_the_rest_is_live(memory: Path, tmp_path: Path) -> None:
    net = tmp_path / "net"
    (net / "memory").mkdir(parents=True)
    desk = Desk(Root(memory), Root(net / "memory"), mounts=(Mount("/", "ext4"), Mount(str(net), "nfs4")))
    desk.pass_time(1)
    assert desk.rounds.state.text == "polling every 5 s: network file system (nfs4)"
    assert desk.native.watched == {str(memory): True}
    desk.said()
    (net / "memory" / "a.md").write_text("from elsewhere")
    desk.pass_time(5.5)
    assert desk.said() == [{"../net/memory/a.md"}]


def test_a_slow_sweep_is_repeated_more_rarely(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(Root(memory))
    desk.refuses = NO_ROOM
    scandir = os.scandir

    def slow(path: str) -> object:
        desk.clock.time_s += 1.0
        return scandir(path)

    monkeypatch.setattr(os, "scandir", slow)
    desk.pass_time(10)
    assert desk.rounds.state.text == "polling every 10 s: inotify limit"


@pytest.mark.parametrize(
    "refusal", [OSError(errno.EACCES, "Permission denied"), RuntimeError("already scheduled")]
)
def test_what_cannot_be_watched_for_another_reason_is_polled(
    memory: Path, tmp_path: Path, refusal: OSError | RuntimeError
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    desk = Desk(Root(memory), Root(other))
    desk.prepared[str(other)] = refusal
    desk.pass_time(1)
    assert desk.rounds.state.kind == "polling"
    assert desk.rounds.state.reason in ("Permission denied", "already scheduled")
    assert desk.native.watched == {str(memory): True}
    desk.said()
    (other / "a.md").write_text("x")
    desk.pass_time(2.5)
    assert desk.said() == [{"../other/a.md"}]


def test_a_directory_that_may_not_be_listed_is_watched_once_it_may(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != str(memory) and access(path, mode))
    desk = Desk(Root(memory))
    desk.pass_time(1)
    assert desk.rounds.state.text == "polling every 2 s: permission denied"
    assert desk.made == []
    desk.said()
    monkeypatch.setattr(os, "access", access)
    desk.pass_time(2.5)
    assert desk.rounds.state == LIVE
    assert desk.said() == [{"."}]


# Sweeps


def test_everything_is_swept_once_a_minute(desk: Desk, memory: Path) -> None:
    (memory / "a.md").write_text("changed without an event\n")
    desk.pass_time(50)
    assert desk.said() == []
    desk.pass_time(11)
    assert desk.said() == [{"a.md"}]
    desk.pass_time(180)
    assert desk.said() == []


def test_lost_events_cause_a_sweep_at_once(desk: Desk, memory: Path) -> None:
    (memory / "new.md").write_text("x")
    desk.native.lose()
    desk.pass_time(0.5)
    assert desk.said() == [{"new.md"}]


def test_what_events_announced_no_sweep_announces_again(desk: Desk, memory: Path) -> None:
    (memory / "a.md").write_text("a change that was seen\n")
    (memory / "sub").mkdir()
    (memory / "sub" / "deep.md").write_text("x")
    (memory / "MEMORY.md").unlink()
    for name in ("a.md", "sub", "MEMORY.md"):
        desk.event(name)
    desk.pass_time(1)
    assert desk.said() == [{"a.md", "sub", "MEMORY.md"}]
    desk.pass_time(61)
    assert desk.said() == []
    (memory / "sub" / "deep.md").unlink()
    (memory / "sub").rmdir()
    desk.event("sub")
    desk.pass_time(61)
    assert desk.said() == [{"sub"}]


def test_roots_within_each_other_do_not_announce_what_is_not_theirs(memory: Path) -> None:
    (memory / "sub").mkdir()
    (memory / "sub" / "x.md").write_text("x")
    desk = Desk(Root(memory, recursive=False), Root(memory / "sub"), Root(memory, names=frozenset({"a.md"})))
    desk.pass_time(1)
    desk.said()
    desk.event("sub/x.md")
    desk.pass_time(1)
    assert desk.said() == [{"sub/x.md"}]
    desk.pass_time(61)
    assert desk.said() == []


def test_a_growing_session_is_seen_within_2_s_without_events(tmp_path: Path) -> None:
    session = tmp_path / "sessions" / "now.jsonl"
    session.parent.mkdir()
    session.write_text("{}\n")
    desk = Desk(Root(session.parent))
    desk.rounds.set_hot([session, session.parent / "missing.jsonl"])
    desk.pass_time(1)
    desk.said()
    for _ in range(3):
        with session.open("a") as file:
            file.write("{}\n")
        desk.pass_time(2.5)
        assert desk.said() == [{"now.jsonl"}]
    session.unlink()
    desk.pass_time(2.5)
    assert desk.said() == [{"now.jsonl"}]
    desk.pass_time(120)
    assert desk.said() == []


def test_a_session_that_grew_before_it_was_called_hot_is_announced(tmp_path: Path) -> None:
    session = tmp_path / "now.jsonl"
    session.write_text("{}\n")
    desk = Desk(Root(tmp_path))
    desk.pass_time(1)
    desk.said()
    session.write_text("{}\n{}\n")
    desk.rounds.set_hot([session])
    desk.pass_time(2.5)
    assert desk.said() == [{"now.jsonl"}]


def test_times_in_the_future_and_the_past_are_harmless(desk: Desk, memory: Path) -> None:
    for year_s in (2**33, 1):
        os.utime(memory / "a.md", (year_s, year_s))
        desk.pass_time(61)
        assert desk.said() == [{"a.md"}]
        desk.pass_time(300)
        assert desk.said() == []


_opened: list[str] | None = None


def _count(event: str, arguments: tuple[object, ...]) -> None:
    if _opened is not None and event in ("open", "os.scandir", "os.listdir"):
        _opened.append(f"{event} {arguments[0]!r}")


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """What this process opens or lists while the test runs."""
    global _opened
    if _count not in _hooks:
        _hooks.append(_count)
        sys.addaudithook(_count)
    _opened = []
    yield _opened
    _opened = None


_hooks: list[Callable[..., None]] = []
"""Audit hooks cannot be taken away again, so one is enough."""


def test_beside_a_quiet_agent_no_file_is_opened(desk: Desk, memory: Path, opened: list[str]) -> None:
    desk.rounds.set_hot([memory / "a.md"])
    desk.pass_time(58)
    assert opened == []
    desk.pass_time(3)
    assert opened == [f"os.scandir {str(memory)!r}"], "the sweep lists directories and opens no file"
    assert desk.said() == []


def test_without_roots_nothing_is_started() -> None:
    desk = Desk()
    desk.pass_time(130)
    assert desk.made == []
    assert desk.said() in ([], [set()])
    assert desk.rounds.state == LIVE
