"""memweave's files beside yandy's in one directory: shown as what they are, and never anybody's to tidy up."""

import pytest
from cli_home import CliHome
from pi_setup import agent_dir, install, notes, settings, topics, tree, weave, write, write_json

from memtui.core.config import Config
from memtui.core.layouts.reader import read_store
from memtui.core.layouts.table import LAYOUTS
from memtui.core.locate import is_memory_dir, locate, store_at

CLEANING = {
    "orphan",
    "leftover",
    "stale-lock",
    "no-index",
    "dead-link",
    "duplicate",
    "orphaned-store",
    "shared-store",
}


def stores(env, owner):
    return [store for store in locate(env, Config()).stores if store.owner == owner]


@pytest.fixture
def shared(home):
    """The directory of case D14."""
    root = weave(home / ".pi" / "memory")
    topics(root / "583f97f48ef4")
    write_json(root / "sessions" / "x.jsonl", '{"type":"session"}\n')
    return root


def test_d14_one_hashed_directory_is_a_project_and_the_rest_is_memweaves(env, shared):
    [project] = stores(env, "yandy")
    assert project.root == shared / "583f97f48ef4"
    [other] = stores(env, "memweave")
    assert (other.root, other.layout, other.writable, other.used) == (shared, "events", False, False)
    assert "tasks" in other.reason and "not seen to load" in other.reason


def test_d14_neither_view_shows_the_others_files(env, shared):
    for name in ("MEMORY.md.bak.1767225600", "old.md~", "x.sync-conflict-20260101-101010-AB12CD3.md"):
        (shared / "583f97f48ef4" / name).write_text("x")
        (shared / name).write_text("x")
    notes(shared / "git" / "github.com__o__r")
    (shared / "aaaaaaaaaaaa").symlink_to("583f97f48ef4")
    [project], [other] = stores(env, "yandy"), stores(env, "memweave")
    files = {}
    for store in (project, other):
        layout = LAYOUTS[store.layout]
        files[store.owner] = set(layout.scan(store, read_store(store, layout)).files)
    assert {"MEMORY.md", "build.md"} <= files["yandy"]
    assert not any("tasks" in path or "blobs" in path for path in files["yandy"])
    assert files["memweave"] == {
        "rule.md",
        "config.json",
        "index.json",
        "setup/done.json",
        "blobs/ab.bin",
        "key1/tasks/task_1/state.json",
        "key1/tasks/task_1/state.md",
    }


def test_d14_one_directory_with_both_is_shown_by_each_in_its_part(env, home):
    root = home / ".pi" / "memory"
    topics(root / "583f97f48ef4")
    write_json(root / "583f97f48ef4" / "tasks" / "task_1" / "state.json", '{"id":"F1","text":"x"}\n')
    write(root / "583f97f48ef4" / "tasks" / "task_1", state="# State\n")
    [project], [other] = stores(env, "yandy"), stores(env, "memweave")
    seen = {
        store.owner: {file.path for file in read_store(store, LAYOUTS[store.layout])}
        for store in (project, other)
    }
    assert seen["yandy"] == {"MEMORY.md", "build.md"}
    assert seen["memweave"] == {f"583f97f48ef4/tasks/task_1/state.{suffix}" for suffix in ("json", "md")}


def test_d14_nothing_of_memweaves_is_a_matter_for_cleaning(home, capfdbinary, shared):
    place = CliHome(home, capfdbinary)
    install(home, "memweave", yandy="1.3.4")
    (shared / "rule.md.bak").write_text("older\n")
    (shared / "key1" / "tasks" / "task_1" / "state.json.tmp").write_text("x")
    before = tree(shared)
    for store in place.run("where", "--json").json["stores"]:
        answered = place.run("check", "--store", store["id"], "--json")
        [checked] = answered.json["stores"]
        for problem in checked["problems"]:
            path = str(problem["file"] or "")
            assert problem["code"] not in CLEANING or store["owner"] == "yandy", problem
            assert not path.startswith(("key1", "blobs", "setup", "sessions")), problem
    assert tree(shared) == before


def test_d14_no_verb_changes_memweaves_files(home, capfdbinary, shared):
    place = CliHome(home, capfdbinary)
    install(home, "memweave")
    before = tree(shared)
    [store] = place.run("list", "--store", "memweave", "--json").json["stores"]
    assert not store["store"]["writable"]
    for memory in store["memories"]:
        answered = place.run("delete", memory["id"], "--store", "memweave", "--yes", "--json")
        assert answered.status == 2, memory
    assert place.run("add", "--title", "x", "--store", "memweave", "--json").status == 2
    assert place.run("repair", "--safe", "--store", "memweave", "--yes", "--json").status in (0, 1, 2)
    assert tree(shared) == before


def test_it_is_used_where_pi_loads_it(env, home, shared):
    install(home, "memweave")
    [store] = stores(env, "memweave")
    assert (store.used, store.writable, store.read_by) == (True, False, ("@godice/memweave",))
    assert "not seen" not in store.reason and "probably" not in store.reason


def test_without_tasks_its_other_files_make_it_probable(env, home):
    root = weave(home / ".pi" / "memory", tasks=False)
    [store] = stores(env, "memweave")
    assert store.reason.startswith("probably: index.json, rule.md, setup")
    install(home, "memweave")
    [store] = stores(env, "memweave")
    assert store.used and "probably" not in store.reason
    assert store_at(env, root).owner == "memweave"


@pytest.mark.parametrize("name", ["config.json", "notes.json"])
def test_a_file_that_others_may_have_too_is_no_sign(env, home, name):
    write_json(home / ".pi" / "memory" / name, {})
    assert stores(env, "memweave") == []


def test_an_empty_tasks_directory_is_no_sign(env, home):
    (home / ".pi" / "memory" / "key1" / "tasks" / "task_1").mkdir(parents=True)
    assert stores(env, "memweave") == []


@pytest.mark.parametrize(("value", "told"), [(False, True), (True, False), ("false", False), (None, False)])
def test_switched_off_compaction_is_a_note(env, home, shared, value, told):
    settings(home, compaction={"enabled": value})
    [store] = stores(env, "memweave")
    assert any("compaction" in warning for warning in store.warnings) is told
    assert store.findings == ()


def test_a_moved_base_of_yandys_leaves_memweave_where_it_is(env, home, shared):
    write_json(agent_dir(home) / "memory.json", {"memoryDir": "~/elsewhere"})
    assert [store.root for store in stores(env, "memweave")] == [shared]


def test_it_opens_by_its_path(env, home, shared, tmp_path):
    copy = weave(tmp_path / "copy")
    for root in (shared, copy):
        assert is_memory_dir(root)
        store = store_at(env, root)
        assert (store.owner, store.root, store.writable, store.tier) == ("memweave", root, False, "path")


def test_looking_makes_and_touches_nothing(env, home, shared):
    before = tree(home)
    for store in locate(env, Config()).stores:
        layout = LAYOUTS[store.layout]
        layout.scan(store, read_store(store, layout))
    assert tree(home) == before
