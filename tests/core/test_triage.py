"""What calls for a decision and in which order, what is kept, and taking a run back."""

from __future__ import annotations

import dataclasses
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from facts_store import snap, store_of

from memtui.core.env import Env
from memtui.core.kept import Kept, Run, TriageState, load_triage, run_key, update_triage, with_keep
from memtui.core.layouts.base import Problem, Remove, SetField, Snapshot
from memtui.core.triage import keep_of, next_due, queue, text_digest
from memtui.core.undo_many import undo_many
from memtui.core.workspace import Workspace
from memtui.demo import build_demo

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def some(*problems: tuple[str, str, str]) -> Snapshot:
    """Three memories a, b and c, b the oldest, with these problems (memory, severity, code)."""
    snapshot = snap({f"{name}.md": f"about {name}\n" for name in "abc"})
    age = {"a.md": 3, "b.md": 9, "c.md": 5}
    memories = tuple(
        dataclasses.replace(memory, updated=NOW - timedelta(days=age[memory.id]))
        for memory in snapshot.memories
    )
    found = tuple(
        Problem(code, severity, code, memory=f"{name}.md")  # type: ignore[arg-type]
        for name, severity, code in problems
    )
    return dataclasses.replace(snapshot, memories=memories, problems=found)


def order(snapshot: Snapshot) -> str:
    return "".join(suspect.memory.id[0] for suspect in queue([snapshot], {}, NOW, 90))


@pytest.mark.parametrize(
    ("problems", "wanted"),
    [
        ([], "bca"),
        ([("a", "note", "relative-date")], "abc"),
        ([("a", "note", "relative-date"), ("c", "error", "unreadable")], "cab"),
        # the code decides within a severity, then how many kinds there are
        ([("c", "warning", "dead-link"), ("a", "warning", "secret")], "acb"),
        ([("b", "warning", "x"), ("c", "warning", "x"), ("c", "note", "y")], "cba"),
        # that others take the room says nothing against it
        ([("a", "warning", "not-loaded")], "bca"),
    ],
)
def test_the_queue_goes_by_what_was_found_then_by_age(
    problems: list[tuple[str, str, str]], wanted: str
) -> None:
    assert order(some(*problems)) == wanted


def test_stores_in_which_nothing_can_be_changed_are_passed_over() -> None:
    snapshot = some()
    assert order(dataclasses.replace(snapshot, store=store_of(writable=False))) == ""


def test_what_was_kept_comes_back_when_it_changes_more_is_found_or_time_has_passed() -> None:
    snapshot = some(("a", "note", "relative-date"))
    memory = snapshot.memories[0]
    kept = keep_of(snapshot, memory, snapshot.problems, NOW)
    keeps = with_keep({}, snapshot.store.id, memory.id, kept)

    def why(now: datetime = NOW, again: int = 90, of: Snapshot = snapshot) -> str:
        found = {suspect.memory.id: suspect.why for suspect in queue([of], keeps, now, again)}
        return found.get("a.md", "")

    assert why() == "" and queue([snapshot], {}, NOW, 90)[0].why == "new"
    assert why(NOW + timedelta(days=89)) == "" and why(NOW + timedelta(days=90)) == "due"
    assert why(NOW + timedelta(days=5), again=4) == "due" and why(NOW + timedelta(days=999), again=0) == ""
    assert next_due(keeps, [snapshot.store.id], 90) == NOW + timedelta(days=90)
    assert next_due(keeps, [snapshot.store.id], 0) is None
    more = some(("a", "note", "relative-date"), ("a", "warning", "secret"))
    assert why(of=more) == "found"
    # a problem that is gone brings nothing back
    assert why(of=some()) == ""
    files = {**snapshot.files, "a.md": dataclasses.replace(snapshot.files["a.md"], data=b"else\n")}
    assert why(of=dataclasses.replace(snapshot, files=files)) == "changed"
    hooked = dataclasses.replace(memory, hook="another line")
    assert text_digest(snapshot, hooked) != text_digest(snapshot, memory)


# What is saved

KEPT = Kept("ab12", NOW, frozenset({"secret"}))
STATE = TriageState(
    {"s1": {"caf\udce9.md": KEPT}, "s2": {"b.md": Kept("", NOW)}},
    {
        run_key(["s2", "s1"]): Run(
            NOW, NOW + timedelta(hours=1), {"kept": 3, "deleted": 1}, (("deleted", "c1"), ("moved", "c2")), True
        )
    },
)


def test_what_is_saved_comes_back_and_is_private(env: Env) -> None:
    assert load_triage(env) == TriageState() and not env.state_dir.exists()
    assert update_triage(env, lambda state: STATE) == STATE
    assert load_triage(env) == STATE
    path = env.state_dir / "triage.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(env.state_dir.stat().st_mode) == 0o700
    # no second memtui loses what another one noted
    kept = Kept("ff", NOW)
    update_triage(env, lambda state: dataclasses.replace(state, keeps=with_keep(state.keeps, "s3", "x", kept)))
    assert load_triage(env).keeps == {**STATE.keeps, "s3": {"x": kept}}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"keeps": 3, "runs": []}',
        b'{"keeps": {"s": {"m": ["d", "soon", []], "n": ["d", 3, []], "o": 1}}, "runs": {"s": {"began": "x"}}}',
        b'{"runs": {"s": {"began": "2026-11-30T12:00:00", "last": "2026-11-30T12:00:00", "changes": ["c1", []]}}}',
    ],
)
def test_what_cannot_be_read_means_that_nothing_was_kept(env: Env, data: bytes) -> None:
    env.state_dir.mkdir(parents=True)
    (env.state_dir / "triage.json").write_bytes(data)
    state = load_triage(env)
    assert not any(state.keeps.values()) and not state.runs
    assert update_triage(env, lambda state: STATE) == STATE == load_triage(env)


# Taking a run back


def test_a_run_is_taken_back_newest_first_and_what_no_longer_applies_is_named(make_env, tmp_path: Path) -> None:
    demo = build_demo(tmp_path / "demo")
    workspace = Workspace(make_env(home=demo.home, cwd=demo.project))
    store = next(store for store in workspace.used_stores() if store.root == demo.store)
    files = {path.name: path.read_bytes() for path in demo.store.glob("*.md")}
    listed = [m.id for m in workspace.scan(store).memories if m.state == "ok" and m.index_lines]
    first, second, third = listed[:3]
    changes = [
        workspace.run(workspace.scan(store), "delete", (Remove(first),)).change,
        workspace.run(workspace.scan(store), "set", (SetField(second, "hook", "one"),)).change,
        workspace.run(workspace.scan(store), "set", (SetField(second, "hook", "two"),)).change,
        workspace.run(workspace.scan(store), "delete", (Remove(third),)).change,
    ]
    ids = [change.id for change in changes if change is not None]
    # another program put something else in the place of the last one
    (demo.store / third).write_text("made anew\n")
    undone = undo_many(workspace, ids)
    assert len(undone.outcomes) == 3 and [failed for failed, _error in undone.failures] == [ids[3]]
    now = {path.name: path.read_bytes() for path in demo.store.glob("*.md")}
    assert now[first] == files[first] and now[third] == b"made anew\n"
    # once more: nothing is undone twice
    assert not undo_many(workspace, ids[:3]).outcomes and not undo_many(workspace, ["unknown"]).failures
