"""Which agent is in which pane and what it writes: panes, processes and rows as they may come together."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memtui.core.agents.base import Agent, Pane
from memtui.core.agents.finder import Running
from memtui.core.agents.process import Process, Processes
from memtui.core.agents.running import Home, match, name_in_title
from memtui.core.agents.using import use_of
from memtui.core.sessions.base import Session

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
NOON = NOW.timestamp()
APP = "/home/dev/app"


def pane(number: int = 1, pid: int = 10, title: str = "π - app", **more: Any) -> Pane:
    """A pane with pi in it; keywords replace fields."""
    usual = Pane(
        *(f"%{number}", "@1", f"work:1.{number}", pid, "pi", title, APP),
        tty=f"/dev/pts/{number}",
        is_shown=True,
    )
    return dataclasses.replace(usual, **more)


def pi(pid: int = 10, number: int = 1, ago_s: float = 3600, **more: Any) -> Process:
    """A pi that began so many seconds before noon on the terminal of a pane."""
    usual = Process(pid, APP, "pi", (1,), f"/dev/pts/{number}", is_front=True, started=NOON - ago_s)
    return dataclasses.replace(usual, **more)


def row(name: str, ago_s: float = 60, *, title: str = "", cwd: str = APP, **more: Any) -> Session:
    """A session that was written to so many seconds before noon."""
    mtime_ns = int((NOON - ago_s) * 1e9)
    usual = Session(
        *("pi", name, Path(f"/s/{name}.jsonl"), title or name, title, cwd, None, NOW, 100, 1, mtime_ns),
        version=3,
    )
    return dataclasses.replace(usual, **more)


def told(
    panes: list[Pane], processes: list[Process], rows: list[Session], own: tuple[int, ...] = (), **environ: str
) -> list[tuple[int, str, str, bool]]:
    """Of each agent: its process, its pane, the names of its sessions, whether that is sure."""
    found = match(panes, Processes(tuple(processes), own, is_known=True), rows, NOW, environ)
    return [
        (it.pid, it.pane.id if it.pane else "", " ".join(file.stem for file in it.sessions), it.is_sure)
        for it in found
    ]


def test_a_pane_shows_the_agent_that_runs_on_its_own_terminal() -> None:
    def panes_of(shown: Pane, *processes: Process) -> list[tuple[int, str]]:
        return [it[:2] for it in told([shown], list(processes), [])]

    assert panes_of(pane(), pi()) == [(10, "%1")]
    # from a shell; of two the one in front, and of those the first; the other one has no pane
    assert panes_of(pane(pid=5), pi(ancestors=(5, 1))) == [(10, "%1")]
    stopped = pi(11, is_front=False, ancestors=(5, 1))
    assert panes_of(pane(pid=5), stopped, pi(ancestors=(5, 1))) == [(10, "%1"), (11, "")]
    assert panes_of(pane(pid=5), pi(11, ancestors=(10, 5, 1)), pi(ancestors=(5, 1))) == [(10, "%1"), (11, "")]
    # what is on another terminal is not in the pane: a nested tmux, a container whose terminal has the same name
    assert panes_of(pane(), pi(number=2)) == [(10, "")]
    assert panes_of(pane(pid=5), pi()) == [(10, "")]
    for command in ("tmux", "ssh"):
        assert panes_of(pane(command=command), pi()) == [(10, "")]
    assert panes_of(pane(dead=True), pi()) == [(10, "")]
    # a pi of another user is nobody's here, whatever stands in the title
    assert panes_of(pane()) == []
    # other agents are named
    assert panes_of(pane(command="claude"), pi(agent="claude")) == [(10, "%1")]


def test_where_no_process_can_be_seen_the_pane_alone_tells() -> None:
    [agent] = match([pane(), pane(2, command="zsh")], Processes(), [row("a", title="x")], NOW, {})
    assert (agent.pid, agent.cwd, agent.sessions, agent.is_sure) == (0, APP, (), False)
    [agent] = match([pane(title="π - x - app")], Processes(), [row("a", title="x")], NOW, {})
    assert agent.session == Path("/s/a.jsonl")


@pytest.mark.parametrize(
    ("title", "rows", "expected"),
    [
        # what was written to last since it began, of its own directory
        ("π - app", [row("old", 7200), row("a", 60), row("b", 1800)], "a sure"),
        ("π - app", [row("a", cwd="/home/dev/else"), row("b", 7200)], "? "),
        ("π - app", [row("later", -600), row("a", 60)], "a sure"),
        ("π - app", [row("broken", pi_opens=False)], "? "),
        # the name in the title decides, whatever was written since
        ("π - fix - it - app", [row("a", 60), row("b", 7200, title="fix - it")], "b sure"),
        ("π - fix - app", [row("a", 60, title="fix"), row("b", 7200, title="fix")], "a sure"),
        ("π - fix - app", [row("a", 90, title="fix"), row("b", 60, title="fix")], "b a ?"),
        ("π - fix - app", [row("a", 7300, title="fix"), row("b", 7200, title="fix")], "b a ?"),
        # without a name in it those without one come first; one that got its name elsewhere is left
        ("π - app", [row("a", 60, title="fix"), row("b", 1800)], "b sure"),
        ("π - app", [row("a", 60, title="fix")], "a sure"),
        # a title that is not pi's, or that names what there is not
        ("evil\x1b[2J", [row("a", 60, title="fix"), row("b", 1800)], "a sure"),
        ("π - gone - app", [row("a", 60)], "a sure"),
        ("π - app", [], "? "),
    ],
)
def test_what_a_pi_alone_in_its_directory_writes(title: str, rows: list[Session], expected: str) -> None:
    [(_pid, _pane, sessions, is_sure)] = told([pane(title=title)], [pi()], rows)
    assert (f"{sessions} sure" if is_sure else f"{sessions} ?" if sessions else "? ") == expected


def test_what_memtui_opened_itself_is_told_until_something_else_grew() -> None:
    panes, pis = [pane(), pane(2, 20)], Processes((pi(), pi(20, 2, ago_s=1000)), is_known=True)

    def told_of(*rows: Session, title: str = "π - app") -> list[tuple[str, bool]]:
        those = [panes[0], dataclasses.replace(panes[1], title=title)]
        found = match(those, pis, rows, NOW, {}, opened={"%2": Path("/s/b.jsonl")})
        return [(" ".join(file.stem for file in it.sessions), it.is_sure) for it in found]

    assert told_of(row("a", 2000), row("b", 9000)) == [("a", True), ("b", True)]
    assert told_of(row("a", 2000), row("b", 60)) == [("a", True), ("b", True)]
    # either may have written that
    assert told_of(row("a", 60), row("b", 9000)) == [("a", False), ("a", False)]
    assert told_of(row("a", 2000), row("c", 9000, title="fix"), title="π - fix - app") == [
        ("a", True),
        ("c", True),
    ]


def test_two_pi_in_one_directory_keep_what_is_open_open() -> None:
    two = [pane(), pane(2, 20)], [pi(), pi(20, 2, ago_s=1000)]
    assert told(*two, [row("a", 60), row("b", 2000)]) == [(10, "%1", "a b", False), (20, "%2", "a", False)]
    # what the title of one tells is taken out of what the other may write
    named = [pane(title="π - fix - app"), pane(2, 20)], two[1]
    rows = [row("a", 60, title="fix"), row("b", 50)]
    assert told(*named, rows) == [(10, "%1", "a", True), (20, "%2", "b", True)]
    assert told(*named, [*rows, row("c", 70)]) == [(10, "%1", "a", True), (20, "%2", "b c", False)]
    # with other directories for their sessions they have nothing to do with each other
    homes = {10: Home(None, Path("/s")), 20: Home(None, Path("/t"))}
    found = match(two[0], Processes(tuple(two[1]), (), is_known=True), rows[1:], NOW, {}, homes)
    assert [(it.session, it.sessions_dir) for it in found] == [
        (Path("/s/b.jsonl"), Path("/s")),
        (None, Path("/t")),
    ]


def test_what_a_pi_starts_itself_does_not_blur_what_it_writes() -> None:
    """As extensions do that let a second pi read over the session."""

    def began(ago_s: float) -> datetime:
        return datetime.fromtimestamp(NOON - ago_s, UTC)

    child = pi(30, ago_s=100, ancestors=(29, 10, 1), tty="", is_front=False)
    rows = [row("a", 60, started=began(1800)), row("b", 50, started=began(99)), row("c", 7200)]
    assert told([pane()], [pi(), child], rows) == [(10, "%1", "a", True), (30, "", "b", True)]
    assert told([pane()], [pi(), child], rows[:1]) == [(10, "%1", "a", True), (30, "", "", False)]
    # two that know nothing of each other are rivals, whoever started a third
    assert told([pane()], [pi(), child, pi(40, 4)], rows)[0] == (10, "%1", "a", False)


def test_the_shell_tool_that_started_memtui_names_the_session() -> None:
    processes = [pi(), pi(20, 2)]
    panes = [pane(title="π - fix - app"), pane(2, 20)]
    rows = [row("a", 60, title="fix"), row("b", 50)]
    told_file = {"PI_SESSION_FILE": "/elsewhere/x.jsonl", "PI_SESSION_ID": "b"}
    assert told(panes, processes, rows, (99, 15, 10, 1), **told_file)[0] == (10, "%1", "x", True)
    assert told(panes, processes, rows, (99, 15, 20, 1), PI_SESSION_ID="a")[1] == (20, "%2", "a", True)
    # inherited by way of a tmux server that a tool once started it says nothing
    assert told(panes, processes, rows, (99, 15, 1), **told_file)[0] == (10, "%1", "a", True)


@pytest.mark.parametrize(
    ("title", "cwd", "name"),
    [
        ("π - app", APP, ""),
        ("π - one - two - app", APP, "one - two"),
        ("π - app - app", APP, "app"),
        ("π - x - b\\\\c", "/a/b\\c", "x"),
        ("π - x - \ufffd", "/a/\udcff", "x"),
        ("π - x - ", "/", "x"),
        ("π - ", "/", ""),
        ("app", APP, None),
        ("π - x - other", APP, None),
        ("", APP, None),
    ],
)
def test_the_name_in_a_title(title: str, cwd: str, name: str | None) -> None:
    assert name_in_title(title, cwd) == name


def test_s19_one_notion_of_a_session_in_use() -> None:
    def use(session: Session, *agents: Agent) -> tuple[str, str]:
        found = use_of(session, Running(agents, is_known=True), NOW)
        assert found.mark == {"sure": "running", "one of several": "running?"}.get(found.certainty, "")
        return found.certainty, found.because

    quiet, file = row("q", 3600), Path("/s/q.jsonl")
    assert use(quiet) == ("", "")
    assert use(row("q", 5)) == ("possible", "it was written to 5 seconds ago")
    assert use(row("q", -3 * 86400)) == ("", "")
    agent = Agent("pi", 42, APP)
    assert use(quiet, dataclasses.replace(agent, cwd="/elsewhere")) == ("", "")
    assert use(quiet, agent) == ("possible", "pi (process 42) runs in its directory")
    assert use(quiet, dataclasses.replace(agent, sessions=(Path("/s/other.jsonl"),)))[0] == ""
    writes = dataclasses.replace(agent, sessions=(file,), pane=pane())
    assert use(quiet, writes) == ("sure", "pi in tmux work:1.1 writes it")
    open_still = dataclasses.replace(writes, is_sure=False, because="two run")
    assert use(quiet, open_still) == (
        "one of several",
        "pi in tmux work:1.1 may be writing it: two run",
    )
