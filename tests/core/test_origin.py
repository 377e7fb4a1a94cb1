"""Where a memory came from: the call that wrote it, the session that it names, else the closest text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memtui.core.env import Env
from memtui.core.layouts.base import Memory, Snapshot
from memtui.core.library import Library, Session
from memtui.core.search.origin import Call, Trace, is_noted, trace_of, writes_files, writes_memory, wrote
from memtui.core.workspace import Workspace
from memtui.demo import DemoHome, build_demo
from memtui.demo.session_lines import SessionLines

START = datetime(2026, 11, 20, 9, tzinfo=UTC)


@pytest.fixture
def demo(tmp_path: Path) -> DemoHome:
    return build_demo(tmp_path / "demo")


@pytest.fixture
def env(make_env, demo: DemoHome) -> Env:
    return make_env(home=demo.home, cwd=demo.project)


def put(env: Env, lines: SessionLines) -> Path:
    folder = env.home / ".pi" / "agent" / "sessions" / "--more--"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / lines.file_name
    path.write_bytes(lines.data)
    return path


def a_session(env: Env, number: int, hours: int = 0) -> SessionLines:
    return SessionLines(number, str(env.cwd), START + timedelta(hours=hours))


def found(env: Env, file: str, cancelled=lambda: False):
    library = Library(env)
    snapshot, memory = the_memory(env, file)
    return library.origin(snapshot, memory, library.sessions(), cancelled)


def the_memory(env: Env, file: str) -> tuple[Snapshot, Memory]:
    for snapshot in Workspace(env).snapshots():
        for memory in snapshot.memories:
            if memory.file == file:
                return snapshot, memory
    raise LookupError(file)


def text_at(path: Path, offset: int) -> str:
    return path.read_bytes()[offset:].split(b"\n")[0].decode()


def test_the_call_that_wrote_it_is_found_by_its_name(env: Env, demo: DemoHome) -> None:
    origin = found(env, "staging-port.md")
    assert (origin.how, origin.tool) == ("written", "memory_write")
    assert origin.session.title == "Staging deploy hangs"
    assert '"memory_write"' in text_at(origin.session.file, origin.offset)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write", {"path": "{root}/ticket-board.md", "content": "anything"}),
        ("edit", {"path": "{root}/./x/../ticket-board.md", "edits": [{"oldText": "a", "newText": "b"}]}),
        ("Write", {"file_path": "{root}/ticket-board.md", "content": "anything"}),
        ("mcp__memory__memory_add", {"text": "said before. {body} and more"}),
        ("memory", {"action": "create", "name": "ticket-board"}),
        ("memory_write", {"content": "{body}"}),
        ("write", {"path": "/elsewhere/ticket-board.md", "content": "{body}"}),
    ],
)
def test_every_way_to_write_one_is_known(env: Env, demo: DemoHome, tool: str, arguments: dict) -> None:
    snapshot, memory = the_memory(env, "ticket-board.md")
    body = snapshot.files[memory.file].data.decode().rpartition("---\n")[2].strip()
    values = {
        key: value.format(root=demo.store, body=body) if isinstance(value, str) else value
        for key, value in arguments.items()
    }
    lines = a_session(env, 80)
    lines.user("keep this")
    lines.tool(tool, values, "done")
    path = put(env, lines)
    origin = found(env, "ticket-board.md")
    assert origin is not None and (origin.how, origin.session.file) == ("written", path)
    assert f'"name":"{tool}"' in text_at(path, origin.offset)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read", {"path": "{root}/ticket-board.md"}),
        ("memory_read", {"name": "ticket-board"}),
        ("memory_search", {"query": "ticket-board"}),
        ("memory", {"action": "view", "name": "ticket-board"}),
        ("memory_delete", {"name": "ticket-board"}),
        ("write", {"path": "/elsewhere/ticket-board.md", "content": "something else entirely"}),
        ("bash", {"command": "cat {root}/ticket-board.md"}),
    ],
)
def test_what_only_reads_or_removes_it_did_not_write_it(
    env: Env, demo: DemoHome, tool: str, arguments: dict
) -> None:
    lines = a_session(env, 80)
    lines.tool(tool, {key: value.format(root=demo.store) for key, value in arguments.items()}, "done")
    put(env, lines)
    origin = found(env, "ticket-board.md")
    assert origin is None or origin.how == "closest"


def test_a_call_that_failed_wrote_nothing(env: Env, demo: DemoHome) -> None:
    lines = a_session(env, 80)
    lines.tool("memory_write", {"name": "ticket-board"}, "no room", failed=True)
    put(env, lines)
    origin = found(env, "ticket-board.md")
    assert origin is None or origin.how == "closest"


def test_the_newest_session_that_wrote_it_counts_and_there_its_last_call(env: Env) -> None:
    for number, hours in ((80, 0), (81, 5), (82, 2)):
        lines = a_session(env, number, hours)
        lines.tool("memory_write", {"name": "ticket-board", "text": "first"}, "done")
        lines.tool("memory_write", {"name": "ticket-board", "text": "second"}, "done")
        put(env, lines)
    origin = found(env, "ticket-board.md")
    assert origin.session.id.endswith(f"{81:012x}")
    assert '"second"' in text_at(origin.session.file, origin.offset)


def test_the_session_whose_id_is_noted_comes_before_a_text_and_its_call_before_others(
    env: Env, demo: DemoHome
) -> None:
    lines, later = a_session(env, 80), a_session(env, 81, 9)
    lines.user("nothing about boards")
    path = put(env, lines)
    fact = demo.store / "noted.md"
    fact.write_text(
        f"---\nname: noted\nmetadata:\n  type: project\n  originSessionId: sess_{lines.id}\n---\n\nwhatever\n"
    )
    origin = found(env, "noted.md")
    assert (origin.how, origin.session.file, origin.offset) == ("noted", path, None)
    later.tool("memory_write", {"name": "noted"}, "done")
    put(env, later)
    assert found(env, "noted.md").session.id == later.id
    lines.tool("memory_write", {"name": "noted"}, "done")
    put(env, lines)
    assert (found(env, "noted.md").how, found(env, "noted.md").session.id) == ("written", lines.id)


def test_else_the_text_that_says_most_of_it_this_projects_first(env: Env, demo: DemoHome) -> None:
    (demo.store / "zebra.md").write_text("---\nname: zebra\n---\n\nzebra crossings need lanterns overnight\n")
    mine = a_session(env, 80)
    mine.user("do zebra crossings need lanterns?")
    elsewhere = SessionLines(81, "/another/project", START + timedelta(hours=9))
    elsewhere.user("zebra crossings need lanterns")
    put(env, elsewhere)
    path = put(env, mine)
    origin = found(env, "zebra.md")
    assert (origin.how, origin.session.file) == ("closest", path)
    assert "zebra crossings" in text_at(path, origin.offset) and "crossings" in origin.typed
    path.unlink()
    assert found(env, "zebra.md").session.id == elsewhere.id


def test_a_memory_of_which_nobody_spoke_comes_from_nowhere(env: Env) -> None:
    assert found(env, "ticket-board.md") is None


def test_words_without_blanks_between_them_are_found_too(env: Env, demo: DemoHome) -> None:
    (demo.store / "cn.md").write_text("---\nname: cn\n---\n\n增量索引更新没有继续\n", encoding="utf-8")
    lines = a_session(env, 80)
    lines.user("请看增量索引更新没有继续的问题")
    path = put(env, lines)
    origin = found(env, "cn.md")
    assert (origin.how, origin.session.file) == ("closest", path)


def test_it_ends_when_it_is_cancelled_and_survives_what_cannot_be_read(env: Env, demo: DemoHome) -> None:
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    assert found(env, "ticket-board.md", cancelled) is None
    assert len(asked) < 20
    broken = put(env, a_session(env, 80))
    broken.write_bytes(
        b'{"type":"message","message":{"content":[{"type":"toolCall","name":"memory_write",\n\x00\xff'
    )
    assert found(env, "staging-port.md").how == "written"


def test_the_memories_of_a_session_are_those_it_wrote_and_those_that_name_it(env: Env, demo: DemoHome) -> None:
    library = Library(env)
    snapshots = Workspace(env).snapshots()
    sessions = {session.title: session for session in library.sessions()}
    store = next(s.store.id for s in snapshots if s.store.owner == "zcode")
    assert library.memories_from(sessions["Staging deploy hangs"], snapshots) == ((store, "staging-port.md"),)
    assert library.memories_from(sessions["Import incident, replay"], snapshots) == ()
    fact = demo.store / "freeze-two.md"
    fact.write_text(
        f"---\nname: f\nmetadata:\n  originSessionId: {sessions['Import incident, replay'].id}\n---\n\nx\n"
    )
    snapshots = Workspace(env).snapshots()
    found = library.memories_from(sessions["Import incident, replay"], snapshots)
    assert found == ((store, "freeze-two.md"),)


def trace(**changes) -> Trace:
    values = {"path": Path("/m/net.md"), "names": frozenset({"staging"}), "said": ("ssh listens on 2222",)}
    return Trace(**{**values, "shares_file": False, **changes})


def test_of_a_file_with_several_memories_a_call_must_say_the_one() -> None:
    shared = trace(shares_file=True)
    other = Call(0, "", "edit", {"path": "/m/net.md", "newText": "the proxy is at 8080"})
    this = Call(0, "", "edit", {"path": "net.md", "newText": "## Staging\n\nssh  listens on\n2222 now"})
    gone = Call(0, "", "edit", {"path": "/m/net.md", "oldText": "ssh listens on 2222", "newText": ""})
    assert [wrote(call, shared, "/m", Path("/h")) for call in (other, this, gone)] == [False, True, False]
    assert wrote(other, trace(), "/m", Path("/h"))


@pytest.mark.parametrize(
    ("name", "memory", "file"),
    [
        *[
            (name, True, False)
            for name in (
                "memory",
                "memory_write",
                "remember",
                "mcp__x__save_memory",
                "Memory",
                "memory_checkpoint",
            )
        ],
        *[
            (name, False, False)
            for name in ("memory_read", "search_memories", "recall_memory", "bash", "read", "")
        ],
        *[(name, False, True) for name in ("write", "Edit", "MultiEdit", "functions.apply_patch")],
    ],
)
def test_tools_are_known_by_their_names(name: str, memory: bool, file: bool) -> None:
    assert (writes_memory(name), writes_files(name)) == (memory, file)


def test_an_id_is_noted_with_its_agents_prefix_or_without(env: Env) -> None:
    session: Session = next(iter(Library(env).sessions()))
    assert is_noted(session, trace(session_id=session.id))
    assert is_noted(session, trace(session_id=f"sess_{session.id}"))
    assert not is_noted(session, trace(session_id=""))
    assert not is_noted(session, trace(session_id="another"))


def test_a_trace_knows_the_id_that_zcode_stamps(env: Env) -> None:
    noted = [
        trace_of(snapshot, memory).session_id
        for snapshot in Workspace(env).snapshots()
        for memory in snapshot.memories
    ]
    assert "sess_6f1d2c3b-4a59-4e68-8d77-0c9b8a7f6e5d" in noted
