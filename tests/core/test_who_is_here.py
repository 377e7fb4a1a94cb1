"""A machine without ZCode: its memory is not what is shown and written first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.core.workspace import Add, Workspace


@pytest.fixture
def claude_only(make_env, tmp_path: Path):
    home = tmp_path / "home"
    (home / ".claude" / "projects").mkdir(parents=True)
    (home / "code" / "app").mkdir(parents=True)
    return make_env(home=home, cwd=home / "code" / "app")


def test_where_only_claude_code_is_its_own_place_is_used(claude_only) -> None:
    workspace = Workspace(claude_only)
    used = workspace.used_stores()
    assert [(store.owner, store.exists, store.tier) for store in used] == [("claude", False, "none")]
    zcode = next(store for store in workspace.locate().stores if store.owner == "zcode")
    assert not zcode.used and "nothing of ZCode" in zcode.reason
    snapshot = workspace.scan(workspace.choose_writable_store())
    assert workspace.run(snapshot, "add", (Add("A first one", "what it says"),)).change is not None
    (written,) = (claude_only.home / ".claude" / "projects").glob("*/memory/a-first-one.md")
    assert written.is_file() and not (claude_only.home / ".zcode").exists()


def test_with_zcode_or_its_extension_on_the_machine_nothing_changes(claude_only) -> None:
    (claude_only.home / ".zcode").mkdir()
    assert [store.owner for store in Workspace(claude_only).used_stores()] == ["zcode"]
    (claude_only.home / ".zcode").rmdir()
    config = claude_only.cwd / ".pi" / "zcode-memory.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"dir": str(claude_only.home / "notes")}))
    assert [store.owner for store in Workspace(claude_only).used_stores()] == ["zcode"]


def test_with_neither_the_computed_place_of_zcode_is_offered(make_env, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "code").mkdir(parents=True)
    assert [store.owner for store in Workspace(make_env(home=home, cwd=home / "code")).used_stores()] == [
        "zcode"
    ]
