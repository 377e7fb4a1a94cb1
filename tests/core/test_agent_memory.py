"""What running agents carry of real stores, what a change means for them, and how both commands say it."""

from __future__ import annotations

import dataclasses
import os
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from a_running_pi import running_pi
from cli_home import CliHome
from pi_setup import install, settings, write_json
from session_corpus import Writer, iso

from memtui.cli.beside import agents_rows
from memtui.core.agent_memory import AgentMemory, Carried, line_of, sentence_of, sentences_of
from memtui.core.agents import conversation
from memtui.core.agents.base import Agent, Pane
from memtui.core.agents.finder import Running
from memtui.core.agents.loaded_table import NOBODY, NOT_KNOWN
from memtui.core.env import Env
from memtui.core.history.journal import Journal
from memtui.core.safety import display
from memtui.core.workspace import Remove, SetText, Snapshot, Workspace

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
"""The moment of `env`."""

FOUR_HOURS_AGO = NOW - timedelta(hours=4)


@pytest.fixture
def store(env: Env, cli: CliHome) -> CliHome:
    """A ZCode store of an hour before yesterday, with pi-zcode-memory installed."""
    cli.fill()
    make_old(cli)
    install(env.home, zcode="1.0.0")
    return cli


@pytest.fixture
def cli(home: Path, capfdbinary) -> CliHome:
    return CliHome(home, capfdbinary)


def make_old(cli: CliHome, hours: float = 25) -> None:
    for file in cli.store.iterdir():
        touch(file, NOW - timedelta(hours=hours))


def touch(file: Path, when: datetime) -> None:
    os.utime(file, (when.timestamp(), when.timestamp()))


def session(env: Env, name: str = "a", when: datetime = FOUR_HOURS_AGO, text: str = "h") -> Path:
    """A session that was given the index of pi-zcode-memory at a time."""
    said = Writer(str(env.cwd), name)
    said.moment = when - timedelta(seconds=7)
    said.entry("custom", customType="zcode-memory/injected", data={"indexHash": text})
    said.user("hello")
    folder = env.home / ".pi" / "agent" / "sessions" / "--x--"
    return said.save(folder / f"{name}.jsonl")


def pi_of(env: Env, *sessions: Path, place: str = "main:0.1") -> Agent:
    pane = Pane("%1", "@1", place, 9, "pi", "π", str(env.cwd))
    return Agent("pi", 10, str(env.cwd), pane, sessions, is_sure=len(sessions) == 1)


def tell(env: Env, *agents: Agent) -> list[Carried]:
    workspace = Workspace(env)
    return list(AgentMemory(workspace).carried(agents, workspace.read_all()))


def states(env: Env, *agents: Agent) -> list[str]:
    return [item.loaded.state for item in tell(env, *agents)]


def zcode_store(workspace: Workspace) -> Snapshot:
    [snapshot] = [snapshot for snapshot in workspace.snapshots() if snapshot.store.owner == "zcode"]
    return snapshot


def test_what_a_session_carries_is_told_by_times_and_its_own_entries(env: Env, store: CliHome) -> None:
    pi = pi_of(env, session(env))
    assert states(env, pi) == ["unchanged"]
    touch(store.store / "alpha.md", NOW - timedelta(hours=1))
    assert states(env, pi) == ["body-changed"]
    touch(store.store / "MEMORY.md", NOW - timedelta(hours=1))
    [item] = tell(env, pi)
    assert sentence_of(item) == (
        "pi in tmux main:0.1: carries the index of 08:00; its next message brings the new one, nothing to do"
    )
    assert item.loaded.row.by[0] == "message" and item.loaded.when == FOUR_HOURS_AGO
    # another session that was given the same since then shows that it is the same
    assert states(env, pi, pi_of(env, session(env, "b", NOW))) == ["body-changed", "unchanged"]
    assert states(env, pi, pi_of(env, session(env, "b", NOW, "other"))) == ["index-changed", "unchanged"]


def test_a_change_that_was_taken_back_leaves_all_as_it_was(env: Env, store: CliHome) -> None:
    body = (SetText("alpha.md", b"x", "body"),)
    with closing(Workspace(dataclasses.replace(env, now=lambda: NOW - timedelta(hours=20)))) as before:
        before.run(zcode_store(before), "set", body)
    touch(store.store / "alpha.md", NOW - timedelta(hours=20))
    pi = pi_of(env, session(env))
    assert states(env, pi) == ["unchanged"]
    with closing(Workspace(env)) as workspace:
        workspace.run(zcode_store(workspace), "set", (SetText("alpha.md", b"y", "body"),))
        touch(store.store / "alpha.md", NOW)
        assert states(env, pi) == ["body-changed"]
        workspace.undo()
        touch(store.store / "alpha.md", NOW)
        assert states(env, pi) == ["unchanged"]
        workspace.run(zcode_store(workspace), "delete", (Remove("beta.md"),))
        touch(store.store / "MEMORY.md", NOW)
        assert states(env, pi) == ["index-changed"]


def test_of_the_history_only_what_is_new_is_read(
    env: Env, store: CliHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, record = [], Journal.record
    monkeypatch.setattr(Journal, "record", lambda self, number: read.append(number) or record(self, number))
    pi = pi_of(env, session(env))
    with closing(Workspace(env)) as workspace:
        memory = AgentMemory(workspace)

        def change(text: bytes) -> tuple[str, list[str]]:
            """What is carried after a change, and the changes that were read for it."""
            workspace.run(zcode_store(workspace), "set", (SetText("alpha.md", text, "body"),))
            touch(store.store / "alpha.md", NOW)
            read.clear()
            [item] = memory.carried([pi], workspace.read_all())
            seen = [number.lstrip("0") for number in read]
            assert [item.loaded.state] == states(env, pi)
            return item.loaded.state, seen

        assert change(b"x") == ("body-changed", ["1"])
        assert change(b"y") == ("body-changed", ["2", "1"])
        workspace.undo()
        assert change(b"z") == ("body-changed", ["4", "3", "2"])


def test_versions_extensions_and_sessions_that_are_not_known(env: Env, store: CliHome) -> None:
    mine = session(env)
    install(env.home, zcode="2.0.0")
    [item] = tell(env, pi_of(env, mine))
    assert item.carries == "what it carries is not known for @momenttttt/pi-zcode-memory 2.0.0"
    settings(env.home, packages=[])
    # its entries show that it was loaded all the same, with -e
    assert states(env, pi_of(env, mine)) == ["unchanged"]
    empty = Writer(str(env.cwd), "c").save(mine.with_name("c.jsonl"))
    assert tell(env, pi_of(env, empty))[0].loaded.row is NOT_KNOWN["extension"]
    install(env.home, zcode="1.0.0")
    assert states(env, pi_of(env, empty)) == ["never"]
    assert tell(env, pi_of(env))[0].loaded.row is NOT_KNOWN["no-session"]
    assert tell(env, pi_of(env, mine.with_name("gone.jsonl")))[0].loaded.row is NOT_KNOWN["unread"]
    # several may be it: what they all say is said
    both = pi_of(env, mine, session(env, "b", FOUR_HOURS_AGO))
    assert states(env, both) == ["unchanged"] and tell(env, both)[0].session is None
    assert tell(env, pi_of(env, mine, empty))[0].loaded.row is NOT_KNOWN["session"]
    many = [session(env, f"m{number}") for number in range(6)]
    assert tell(env, pi_of(env, *many))[0].loaded.row is NOT_KNOWN["session"]


def test_a_memory_of_the_person_and_one_of_the_project_side_by_side(env: Env, store: CliHome) -> None:
    memories = env.home / ".pi" / "agent" / "memories"
    memories.mkdir(parents=True)
    (memories / "MEMORY.md").write_text("one\n§\ntwo")
    touch(memories / "MEMORY.md", NOW - timedelta(days=60))
    install(env.home, zcode="1.0.0", amaster="0.1.37")
    pi = pi_of(env, session(env))
    said = sentences_of(tell(env, pi), pi)
    assert said == [
        "zcode: carries the index as it is now, given to it at 08:00; nothing to do",
        "amaster: carries the memory as it is now, taken at 2026-11-01 09:00; nothing to do",
    ]
    touch(memories / "MEMORY.md", NOW - timedelta(hours=1))
    assert states(env, pi) == ["unchanged", "index-changed"]
    install(env.home, zcode="1.0.0", amaster="0.1.38")
    assert sentences_of(tell(env, pi), pi)[1].startswith(
        "amaster: what it carries is not known for @amaster.ai/pi-memory 0.1.38; "
    )


def test_who_reads_another_memory_is_not_spoken_of(env: Env, store: CliHome) -> None:
    elsewhere = env.home / "code" / "other"
    elsewhere.mkdir()
    pi = pi_of(env, session(env))
    assert tell(env, dataclasses.replace(pi, cwd=str(elsewhere)), Agent("codex", 4, str(env.cwd))) == []
    write_json(elsewhere / ".pi" / "zcode-memory.json", {"dir": str(store.store)})
    assert states(env, dataclasses.replace(pi, cwd=str(elsewhere))) == ["unchanged"]
    # nor of one in another directory that could, and has nothing loaded that does
    settings(env.home, packages=[])
    bare = dataclasses.replace(pi, sessions=())
    assert tell(env, dataclasses.replace(bare, cwd=str(elsewhere))) == []
    assert tell(env, bare)[0].loaded.row is NOT_KNOWN["extension"]
    zcode = Agent("zcode", 5, str(env.cwd), started=(NOW - timedelta(hours=3)).timestamp())
    touch(store.store / "MEMORY.md", NOW)
    assert sentence_of(tell(env, zcode)[0]).startswith("zcode (process 5): carries the index of 09:00, unless")


def test_a_single_session_that_may_be_it_is_not_called_one_of_several(env: Env) -> None:
    def said_of(*names: str) -> str:
        pi = pi_of(env, *(Path(f"/s/{name}.jsonl") for name in names))
        pi = dataclasses.replace(pi, is_sure=False, because="why")
        [(_label, said)] = agents_rows(Running((pi,), beside=(pi,)), (), env)
        return said

    assert said_of("a") == "pi in tmux main:0.1: perhaps session “a” (why)"
    assert said_of("a", "b") == "pi in tmux main:0.1: one of the sessions “a”, “b” (why)"


def test_one_line_says_it_for_all(env: Env, store: CliHome) -> None:
    agents = [pi_of(env, session(env)), pi_of(env, session(env, "b"), place="main:0.2")]
    same = tell(env, *agents)
    assert line_of(same, is_known=True) == (
        "pi in tmux main:0.1, pi in tmux main:0.2: carries the index as it is now, given to it at "
        "08:00; nothing to do"
    )
    assert (line_of((), is_known=True), line_of((), is_known=False)) == (NOBODY, "")


def test_what_has_not_grown_is_not_read_again(
    env: Env, store: CliHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, opened = session(env), []
    read = conversation.opened
    monkeypatch.setattr(conversation, "opened", lambda path: opened.append(path) or read(path))
    workspace = Workspace(env)
    memory, snapshots, pi = AgentMemory(workspace), workspace.read_all(), pi_of(env, file)
    for grows in (False, False, True):
        if grows:
            file.write_bytes(file.read_bytes() + b"\n")
        assert [item.loaded.state for item in memory.carried([pi], snapshots)] == ["unchanged"]
    assert opened == [file, file]


def test_where_no_process_can_be_seen_nothing_is_said_of_agents(
    store: CliHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.run("status", "--json").json["agents"] == []
    monkeypatch.setattr("memtui.core.agents.processes.PROCESSES", tmp_path / "nowhere")
    monkeypatch.setattr("memtui.core.agents.process_status.PS", ("./no-such-program",))
    assert store.run("status", "--json").json["agents"] is None
    assert NOBODY not in store.run("set", "alpha.md", "--type", "user").out


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
@pytest.mark.usefixtures("real_processes")
def test_commands_say_it_of_a_running_pi(env: Env, store: CliHome) -> None:
    with running_pi(store.project) as pi:
        said = Writer(str(store.project), timestamp=iso(datetime.now(NOW.tzinfo)))
        said.moment = datetime.now(NOW.tzinfo)
        said.entry("custom", customType="zcode-memory/injected", data={"indexHash": "h"})
        said.user("hello")
        folder = store.home / ".pi" / "agent" / "sessions" / f"-{str(store.project).replace('/', '-')}--"
        file = said.save(folder / "2026-11-30_a.jsonl")
        [agent] = store.run("status", "--json").json["agents"]
        assert (agent["pid"], agent["session"], agent["memory"][0]["state"]) == (pi.pid, str(file), "unchanged")
        assert agent["memory"][0]["source"].startswith("README of pi-zcode-memory")
        said_of_it = store.run("status").out
        assert f"\nagent  pi (process {pi.pid}): session “" in said_of_it
        below = store.project / "packages\x1b[2J"
        below.mkdir()
        with running_pi(below) as other:
            where = display.path(below, home=store.home)
            assert f"\nagent  pi (process {other.pid}) in {where}: " in store.run("status").out
        assert "\n       carries the index as it is now, given to it at " in said_of_it
        touch(store.store / "MEMORY.md", said.moment + timedelta(hours=1))
        added = store.run("set", "alpha.md", "--type", "user")
        assert added.out.splitlines()[-1].startswith(f"pi (process {pi.pid}): carries the index of ")
        [item] = store.run("undo", "--json").json["agents"]
        assert item["refreshed_by"] == ["message", "memory-reload"]
    assert store.run("delete", "alpha.md", "--yes").out.splitlines()[-1] == NOBODY
