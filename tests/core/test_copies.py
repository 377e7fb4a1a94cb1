"""memweave's rule, which its program replaces at every upgrade: what stood there before is kept."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memtui.core.history.copies import MOST, copies_of, keep_copy
from memtui.core.store_actions import StoreActions
from memtui.core.workspace import Workspace

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


def test_each_new_version_is_kept_once_and_the_oldest_go(tmp_path: Path) -> None:
    path = tmp_path / "rule.md"
    for number in range(MOST + 5):
        data = b"%d" % number
        assert keep_copy(tmp_path / "state", path, data, NOW + timedelta(hours=number))
        assert not keep_copy(tmp_path / "state", path, data, NOW + timedelta(hours=number, minutes=1))
    found = copies_of(tmp_path / "state", path)
    assert [copy.data for copy in found] == [b"%d" % number for number in range(MOST + 4, 4, -1)]
    assert all(copy.kept.stat().st_mode & 0o777 == 0o600 for copy in found)
    assert copies_of(tmp_path / "state", tmp_path / "other") == ()


def test_a_state_folder_that_cannot_be_written_is_no_matter(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    assert not keep_copy(tmp_path / "state", tmp_path / "rule.md", b"x", NOW)


def test_a_rule_that_was_replaced_is_told_with_the_place_of_the_copy(make_env, tmp_path: Path) -> None:
    home = tmp_path / "home"
    root = home / ".pi" / "memory"
    task = root / "key" / "tasks" / "task_1"
    task.mkdir(parents=True)
    (task / "state.json").write_text('{"id":"F1","text":"x"}\n')
    (root / "rule.md").write_text("my own rule\n")
    (home / "code").mkdir()
    env = make_env(home=home, cwd=home / "code")

    def look():
        workspace = Workspace(env)
        store = dataclasses.replace(workspace.choose_store("memweave"), used=True)
        snapshot = workspace.scan(store)
        actions = StoreActions(workspace)
        actions.keep_copies(snapshot)
        return [fact.sentence for fact in actions.facts(snapshot)]

    assert look() == []
    (root / "rule.md").write_text("the package's rule\n")
    (told,) = look()
    kept = Path(told.rsplit(" ", 1)[-1])
    assert kept.read_text() == "my own rule\n" and "rule.md" in told
    assert {path.name for path in root.iterdir()} == {"key", "rule.md"}
