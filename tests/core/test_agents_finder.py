"""Looking for agents again and again: what a look costs, and what makes it look closer."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from session_corpus import Writer

from memtui.core.agents import tmux
from memtui.core.agents.finder import Finder
from memtui.core.agents.process import Process, Processes
from memtui.core.agents.tmux import Tmux, TmuxError, read_panes, run_with_input
from memtui.core.sessions.quick import look_at

FIELDS = 14


class Beside:
    """A tmux and a process table of a test's own: one pi in the pane beside memtui's."""

    def __init__(self, cwd: Path, started: float) -> None:
        self.fields = [
            *("%1", "@1", "work:1.0", "5", "memtui", "", "/", "/dev/pts/1", "0", "0", "1", "1", "0", "1"),
            *("%2", "@1", "work:1.1", "10", "pi", "", str(cwd), "/dev/pts/2", "0", "0", "1", "1", "0", "0"),
        ]
        self.problem = ""
        self.ended: set[int] = set()
        self.listings = 0
        process = Process(10, str(cwd), tty="/dev/pts/2", is_front=True, started=started)
        self.processes = Processes((process,), (99, 5, 1), is_known=True)

    def run(self, words: Sequence[str], environ: Mapping[str, str], given: bytes) -> bytes:
        """What tmux prints: each field behind the mark that it was asked to put there."""
        if self.problem:
            raise TmuxError(self.problem)
        mark = words[-1].partition("#{")[0]
        rows = [self.fields[at : at + FIELDS] for at in range(0, len(self.fields), FIELDS)]
        return "".join("".join(f"{mark}{field}" for field in row) + "\n" for row in rows).encode()

    def list_processes(self) -> Processes:
        """The process table, counted."""
        self.listings += 1
        return self.processes

    def finder(self, env: Any) -> Finder:
        """A finder in this tmux."""
        tmux = Tmux({"TMUX": "x", "TMUX_PANE": "%1"}, self.run)
        return Finder(env, tmux, self.list_processes, lambda pid: pid not in self.ended)


@pytest.fixture
def beside(env) -> Beside:
    return Beside(env.cwd, env.now().timestamp() - 3600)


@pytest.fixture
def saved(env) -> Path:
    folder = env.home / ".pi" / "agent" / "sessions" / f"--{str(env.cwd)[1:].replace('/', '-')}--"
    Writer(str(env.cwd), "s-0").save(folder / "old.jsonl", env.now() - timedelta(hours=2))
    return Writer(str(env.cwd), "s-1").save(folder / "a.jsonl", env.now() - timedelta(minutes=5))


def test_beside_an_idle_agent_a_look_is_one_call_and_opens_nothing(env, beside: Beside, saved: Path) -> None:
    finder, rows = beside.finder(env), (look_at(saved),)
    first = finder.find(rows)
    assert [agent.session for agent in first.agents] == [saved] and first.is_seen
    assert list(first.rows) == [saved] and first.beside == first.agents
    opened: list[str] = []
    watched = [True]
    looks = ("open", "os.listdir", "os.scandir")
    sys.addaudithook(lambda event, args: opened.append(event) if watched[0] and event in looks else None)
    try:
        for _round in range(20):
            # a title that an extension keeps turning is no reason to look at processes
            beside.fields[FIELDS + 5] = f"spinner {_round % 2}"
            assert finder.find(rows).agents[0].session == saved
    finally:
        watched[0] = False
    assert opened == [] and finder.tmux.calls == 21 and beside.listings == 1
    # nothing changed at all: the very same, so that nothing is painted
    assert finder.find(rows) is finder.find(rows)


def test_what_makes_it_look_closer(env, beside: Beside, saved: Path) -> None:
    finder, rows = beside.finder(env), (look_at(saved),)
    finder.find(rows)

    def looks(given: tuple[Any, ...] = rows, **more: bool) -> bool:
        before = beside.listings
        finder.find(given, **more)
        finder.find(given)
        return beside.listings == before + 1

    assert looks(again=True)
    beside.fields[FIELDS + 4] = "zsh"
    assert looks()
    # a session that nobody is known to write grew; what the agent writes may grow as it likes
    newer = dataclasses.replace(rows[0], file=Path("/x"), cwd="/x", mtime_ns=rows[0].mtime_ns + 9)
    assert looks((*rows, newer)) and not looks((dataclasses.replace(rows[0], mtime_ns=newer.mtime_ns), newer))
    beside.ended.add(10)
    beside.processes = Processes((), (), is_known=True)
    assert looks() and finder.find(rows).agents == ()


def test_without_a_listing_only_what_is_needed_is_read(env, beside: Beside, saved: Path) -> None:
    finder = beside.finder(env)
    assert finder.find().agents[0].session == saved
    other = Writer(str(env.cwd), "s-2").save(saved.with_name("b.jsonl"), env.now() - timedelta(minutes=1))
    assert finder.find().agents[0].session == other
    # one that keeps its sessions elsewhere has them there
    elsewhere = Writer(str(env.cwd), "s-3").save(env.home / "flat" / "c.jsonl", env.now())
    [process] = beside.processes.agents
    environ = (("HOME", str(env.home)), ("PI_CODING_AGENT_SESSION_DIR", "~/flat"))
    beside.processes = Processes((dataclasses.replace(process, pid=11, environ=environ),), (), is_known=True)
    beside.ended.add(10)
    [agent] = finder.find((look_at(saved),)).agents
    assert (agent.pid, agent.session, agent.sessions_dir) == (11, elsewhere, env.home / "flat")
    assert agent.agent_dir == env.home / ".pi" / "agent" and finder.find().agents[0].session == elsewhere


def test_a_tmux_that_is_gone_leaves_the_processes(env, beside: Beside, saved: Path) -> None:
    finder = beside.finder(env)
    beside.problem = "no server running on /tmp/\x1b[2J"
    found = finder.find()
    assert found.problem == beside.problem and [agent.pane for agent in found.agents] == [None]
    assert found.agents[0].session == saved and found.is_seen
    beside.problem = ""
    beside.fields[10] = "0"
    found = finder.find()
    assert found.agents[0].pane is not None and not found.is_seen and not found.problem
    with pytest.raises(TmuxError):
        read_panes(b"<1>%1<1>@1<1>work", "<1>", "%1")


def test_a_program_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tmux, "TIMEOUT_S", 0.01)
    with pytest.raises(TmuxError, match=r"^it does not answer$"):
        run_with_input((sys.executable, "-c", "import time; time.sleep(9)"), os.environ, b"")
    with pytest.raises(TmuxError, match="No such file"):
        run_with_input(("./no-such-program",), os.environ, b"")


@pytest.mark.parametrize(
    ("attached", "current", "zoomed", "active", "is_seen"),
    [
        *(("1", "1", "0", "0", True), ("2", "1", "1", "1", True), ("1", "1", "1", "0", False)),
        *(("0", "1", "0", "1", False), ("1", "0", "0", "1", False)),
    ],
)
def test_a_pane_is_seen_where_a_terminal_shows_its_window(
    attached: str, current: str, zoomed: str, active: str, is_seen: bool
) -> None:
    row = [
        "%1",
        "@1",
        "w:0.0",
        "5",
        "/bin/pi",
        "t\n<2>",
        "/a\tb",
        "",
        "2",
        "0",
        attached,
        current,
        zoomed,
        active,
    ]
    [pane] = read_panes("".join(f"<1>{field}" for field in row).encode() + b"\n", "<1>", "%1")
    assert pane.is_seen == is_seen and pane.is_shown and pane.in_mode and not pane.dead
    assert (pane.command, pane.title, pane.cwd) == ("pi", "t\n<2>", "/a\tb")
    # a window in two sessions is listed twice: the one that is looked at counts
    hidden = [*row[:2], "other:1.0", *row[3:10], "0", *row[11:]]
    printed = "".join("".join(f"<1>{field}" for field in it) + "\n" for it in (hidden, row)).encode()
    [pane] = read_panes(printed, "<1>", os.fspath("%9"))
    assert pane.place == ("w:0.0" if is_seen else "other:1.0") and not pane.is_shown
