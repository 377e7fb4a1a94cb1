"""What an edit would come to before it is made, what a change did after it was, and a change made again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from facts_store import snap

from memtui.core.drafts import drop_draft, left_drafts, start_draft
from memtui.core.env import Env
from memtui.core.errors import NothingToDoError, RefusedError, UnknownIdError
from memtui.core.layouts.base import Add, Edit, Remove, Rename, SetField, Store
from memtui.core.locate.zcode_names import cli_root, project_dir_name, projects_root
from memtui.core.workspace import Workspace

FILES = {
    "MEMORY.md": "- [Alpha](alpha.md) — about alpha\n- [Beta](beta.md) — about beta\n",
    "alpha.md": "---\nname: alpha\ndescription: about alpha\n---\n\ntext\n",
    "beta.md": "---\nname: beta\ndescription: other\n---\n\ntext\n",
}


@pytest.fixture
def store(env: Env) -> Store:
    root = projects_root(cli_root(env.home / ".zcode"))
    folder = root / project_dir_name(os.path.realpath(env.cwd), "posix") / "memory"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (found,) = Workspace(env).used_stores()
    assert found.root == folder
    return found


@pytest.mark.parametrize(
    "edit",
    [
        Add("Gamma 日本", "one 👍 line"),
        SetField("alpha.md", "hook", "another hook, which is longer"),
        SetField("alpha.md", "description", "x" * 300),
        SetField("beta.md", "description", "the hook says something else"),
        Rename("beta.md", "a-name-of-many-words"),
        Remove("alpha.md"),
    ],
)
def test_a_forecast_is_what_a_scan_finds_once_it_is_done(env: Env, store: Store, edit: Edit) -> None:
    workspace = Workspace(env)
    snapshot = workspace.scan(store)
    told = workspace.forecast(snapshot, (edit,))
    assert workspace.scan(store) == snapshot
    workspace.run(snapshot, "set", (edit,))
    assert told.budgets == workspace.scan(store).budgets


def test_a_forecast_reads_nothing(env: Env) -> None:
    snapshot = snap(FILES)
    assert not snapshot.store.root.exists()
    told = Workspace(env).forecast(snapshot, (Remove("alpha.md"),))
    used = {budget.unit: budget.used for budget in told.budgets if budget.scope == "inject"}
    assert used == {"lines": 1, "utf16": len("- [Beta](beta.md) — about beta")}


def test_the_index_line_that_is_written_is_measured_as_the_owner_does(env: Env) -> None:
    hook = "👍" * 100
    told = Workspace(env).forecast(snap(FILES), (SetField("alpha.md", "hook", hook),))
    assert told.index_line is not None
    assert told.index_line.used == len("- [Alpha](alpha.md) — ") + 200
    assert told.index_line.limit == 200
    # where none is written, it is the line of what is edited
    same = Workspace(env).forecast(snap(FILES), (SetField("alpha.md", "hook", "about alpha"),))
    assert same.index_line is not None and same.index_line.used == len("- [Alpha](alpha.md) — about alpha")
    gone = Workspace(env).forecast(snap(FILES), (Remove("alpha.md"),))
    assert gone.index_line is None
    # and Claude Code gives no advice
    claude = Workspace(env).forecast(snap(FILES, "claude"), (SetField("alpha.md", "hook", hook),))
    assert claude.index_line is None


def test_a_forecast_of_what_is_refused_says_why(env: Env) -> None:
    with pytest.raises(RefusedError, match=r"beta"):
        Workspace(env).forecast(snap(FILES), (Rename("alpha.md", "beta"),))
    with pytest.raises(RefusedError, match="read-only"):
        Workspace(env).forecast(snap(FILES, writable=False), (Add("Gamma", ""),))


# What a change did


def test_the_diff_of_a_past_change_stays_what_it_did(env: Env, store: Store) -> None:
    workspace = Workspace(env)
    snapshot = workspace.scan(store)
    wanted = workspace.preview(workspace.plan(snapshot, "delete", (Remove("alpha.md"),)))
    change = workspace.run(snapshot, "delete", (Remove("alpha.md"),)).change
    assert change is not None
    assert workspace.change_diff(change.id) == wanted
    workspace.undo()
    assert workspace.change_diff(change.id) == wanted
    workspace.redo()
    assert [item.diff for item in workspace.change_diff(change.id)] == [item.diff for item in wanted]
    with pytest.raises(UnknownIdError):
        workspace.change_diff("999")


def test_a_text_that_the_history_lost_is_named(env: Env, store: Store) -> None:
    workspace = Workspace(env)
    change = workspace.run(workspace.scan(store), "delete", (Remove("alpha.md"),)).change
    assert change is not None
    for path in Path(env.state_dir).rglob("*"):
        if path.is_file() and len(path.name) == 64:
            path.unlink()
    diffs = [item.diff for item in workspace.change_diff(change.id)]
    assert diffs == [
        "MEMORY.md: its text is no longer in the history\n",
        "alpha.md: its text is no longer in the history\n",
    ]


def test_any_undone_change_can_be_made_again_by_its_id(env: Env, store: Store) -> None:
    workspace = Workspace(env)
    first = workspace.run(workspace.scan(store), "delete", (Remove("alpha.md"),)).change
    second = workspace.run(workspace.scan(store), "set", (SetField("beta.md", "hook", "new"),)).change
    assert first is not None and second is not None
    workspace.undo(first.id)
    workspace.undo(second.id)
    workspace.redo(change_id=first.id)
    assert not (store.root / "alpha.md").exists()
    with pytest.raises(NothingToDoError, match="not undone"):
        workspace.redo(change_id=first.id)
    with pytest.raises(UnknownIdError):
        workspace.redo(change_id="999")


# Texts that an editor left


def test_drafts_are_found_after_a_crash_without_what_an_editor_puts_beside_them(env: Env) -> None:
    workspace = Workspace(env)
    assert left_drafts(workspace.env.state_dir) == ()
    kept = start_draft(workspace.env.state_dir, "alpha.md", b"typed")
    (kept.parent / ".alpha.md.swp").write_bytes(b"swap")
    (kept.parent / "alpha.md~").write_bytes(b"backup")
    dropped = start_draft(workspace.env.state_dir, "beta.md", b"")
    drop_draft(dropped)
    assert left_drafts(env.state_dir) == (kept,)
