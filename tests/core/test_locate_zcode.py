"""Which ZCode stores belong to a directory, which is used, and why; nothing is made by looking."""

import errno
import json
from pathlib import Path

import pytest

from memtui.core import fs
from memtui.core.config import Config
from memtui.core.locate import locate
from memtui.core.locate.zcode import MAX_CANDIDATES, READER_PI, READER_ZCODE
from memtui.core.locate.zcode_names import project_dir_name


def projects(home: Path) -> Path:
    return home / ".zcode" / "cli" / "memories" / "projects"


def make_store(directory: Path, text: str = "- [A](a.md) — x\n") -> Path:
    memory = directory / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(text)
    return memory


def computed(path: Path) -> str:
    return project_dir_name(str(path), "posix")


def stores(env, owner="zcode"):
    return [store for store in locate(env, Config()).stores if store.owner == owner]


def used(env):
    return [store for store in stores(env) if store.used]


def write_json(path: Path, value) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def tree(root: Path):
    return {
        str(p): (p.lstat().st_mode, p.lstat().st_mtime_ns, p.lstat().st_ino, p.lstat().st_size)
        for p in [root, *root.rglob("*")]
    }


def forbid_listing(monkeypatch, directory: Path) -> None:
    original = fs.list_dir

    def list_dir(path):
        if path == directory:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return original(path)

    monkeypatch.setattr(fs, "list_dir", list_dir)


@pytest.fixture
def demo(make_env, home):
    cwd = home / "demo"
    cwd.mkdir()
    return make_env(cwd=cwd)


# The computed directory


def test_computed_directory_is_used_by_both(demo, home):
    memory = make_store(projects(home) / computed(demo.cwd))
    [store] = stores(demo)
    assert (store.root, store.exists, store.used, store.tier) == (memory, True, True, "computed")
    assert store.read_by == (READER_ZCODE, READER_PI)
    assert store.loads and store.writable and store.warnings == ()
    assert store.id == f"zcode:{computed(demo.cwd)}"
    assert str(demo.cwd) in store.reason


def test_without_any_directory_the_computed_path_is_offered(demo, home):
    [store] = stores(demo)
    assert (store.exists, store.used, store.tier, store.writable) == (False, True, "none", True)
    assert store.root == projects(home) / computed(demo.cwd) / "memory"


def test_a_directory_that_does_not_exist_is_located_too(make_env, home):
    [store] = stores(make_env(cwd=home / "gone" / "app"))
    assert (store.used, store.tier) == (True, "none")


def test_looking_changes_nothing(demo, home):
    make_store(projects(home) / "demo-0000000000000000")
    write_json(demo.cwd / ".pi" / "zcode-memory.json", "{ broken")
    before = tree(home)
    locate(demo, Config())
    assert tree(home) == before


def test_windows_rules_are_computed_from_the_platform(make_env, home):
    env = make_env(cwd=home / "Demo", platform="win32")
    assert stores(env)[0].root.parent.name == project_dir_name(str(home / "Demo"), "win32")


# D09: the fall-backs


def test_d09_run_1_the_only_directory_of_the_slug_is_used_with_a_warning(demo, home):
    memory = make_store(projects(home) / "demo-0000000000000000")
    chosen, own = stores(demo)
    assert (chosen.root, chosen.used, chosen.tier, chosen.read_by) == (memory, True, "slug", (READER_PI,))
    assert any("demo-*" in warning for warning in chosen.warnings)
    assert (own.exists, own.used, own.read_by) == (False, False, (READER_ZCODE,))


def test_d09_run_2_of_two_none_is_chosen_and_both_are_offered(demo, home):
    both = {make_store(projects(home) / f"demo-{digit * 16}") for digit in "01"}
    first, *others = stores(demo)
    assert (first.exists, first.used, first.tier) == (False, True, "none")
    assert {store.root for store in others} == both
    assert not any(store.used for store in others)


def test_d09_run_3_a_project_name_hints_at_a_workspace_identity(demo, home):
    memory = make_store(projects(home) / "project-2222222222222222")
    first, other = stores(demo)
    assert first.tier == "none"
    assert any("workspace identity" in warning for warning in first.warnings)
    assert (other.root, other.used) == (memory, False)
    assert "workspace identity" in other.reason


def test_d09_no_run_creates_a_directory(demo, home):
    stores(demo)
    assert not (home / ".zcode").exists()


def test_longer_names_count_for_the_only_slug_as_the_extension_says(demo, home):
    make_store(projects(home) / "demo-server-0000000000000000")
    assert used(demo)[0].tier == "slug"


def test_hidden_and_linked_directories_and_files_are_passed_over(demo, home):
    root = projects(home)
    make_store(root / "demo-0000000000000000")
    make_store(home / "elsewhere")
    make_store(root / ".demo-1111111111111111")
    (root / "demo-2222222222222222").symlink_to(home / "elsewhere")
    (root / "demo-3333333333333333").write_text("a file")
    (root / ".legacy-import.lock").write_text("")
    assert used(demo)[0].root == root / "demo-0000000000000000" / "memory"


def test_same_hash_under_another_name_is_listed_and_not_used(demo, home):
    name = f"Other-{computed(demo.cwd)[-16:]}"
    memory = make_store(projects(home) / name)
    first, other = stores(demo)
    assert (first.tier, first.exists) == ("none", False)
    assert (other.root, other.used, other.exists) == (memory, False, True)
    assert "hash" in other.reason


def test_same_slug_of_another_path_is_listed_beside_the_computed_one(demo, home):
    make_store(projects(home) / computed(demo.cwd))
    other = make_store(projects(home) / "demo-0000000000000000")
    make_store(projects(home) / "demo-server-of-somebody")
    assert [(store.root, store.used) for store in stores(demo)][1:] == [(other, False)]


# D10: reached through a symlink


def test_d10_directory_of_the_name_under_which_one_came(make_env, home):
    (home / "real").mkdir()
    (home / "link").symlink_to("real")
    memory = make_store(projects(home) / computed(home / "link"))
    env = make_env(cwd=home / "real", logical_cwd=home / "link")
    [store] = used(env)
    assert (store.root, store.tier) == (memory, "computed")
    assert str(home / "link") in store.reason


def test_d10_physical_path_is_tried_first(make_env, home):
    (home / "real").mkdir()
    (home / "link").symlink_to("real")
    physical = make_store(projects(home) / computed(home / "real"))
    make_store(projects(home) / computed(home / "link"))
    env = make_env(cwd=home / "real", logical_cwd=home / "link")
    assert used(env)[0].root == physical
    assert [store.used for store in stores(env)] == [True, False]


def test_d10_a_linked_cwd_argument_counts_as_its_physical_path(make_env, home):
    (home / "real").mkdir()
    (home / "link").symlink_to("real")
    physical = make_store(projects(home) / computed(home / "real"))
    assert used(make_env(cwd=home / "link"))[0].root == physical


# D12: relocated by settings and variables (the ZCode part)


def test_d12_dir_of_the_settings_wins_and_the_computed_one_is_zcodes(demo, home):
    computed_memory = make_store(projects(home) / computed(demo.cwd))
    other = make_store(home / "notes")
    file = write_json(demo.cwd / ".pi" / "zcode-memory.json", {"dir": str(other)})
    pis, zcodes = used(demo)
    assert (pis.root, pis.tier, pis.read_by) == (other, "config", (READER_PI,))
    assert str(file) in pis.reason
    assert (zcodes.root, zcodes.tier, zcodes.read_by) == (computed_memory, "computed", (READER_ZCODE,))


def test_d12_dir_without_anything_at_the_computed_path_leaves_one_used_store(demo, home):
    other = make_store(home / "notes")
    write_json(demo.cwd / ".pi" / "zcode-memory.json", {"dir": str(other)})
    assert [store.root for store in used(demo)] == [other]
    assert [store.exists for store in stores(demo)] == [True, False]


def test_d12_dir_that_does_not_exist_yet_is_used(demo, home):
    write_json(demo.cwd / ".pi" / "zcode-memory.json", {"dir": str(home / "later")})
    [store] = used(demo)
    assert (store.root, store.exists, store.writable) == (home / "later", False, True)


@pytest.mark.parametrize("value", ["memory", "./memory", "~/memory", "D:/zcode/memory", 7, "/a\0b"])
def test_d12_dir_that_is_not_absolute_is_reported_and_not_followed(demo, home, value):
    (demo.cwd / "memory").mkdir()
    write_json(demo.cwd / ".pi" / "zcode-memory.json", {"dir": value})
    [store] = used(demo)
    assert store.root == projects(home) / computed(demo.cwd) / "memory"
    assert [code for code, _ in store.findings] == ["bad-config"]
    assert store.findings[0][1] in store.warnings


def test_d12_dir_that_is_a_file_is_reported(demo, home):
    (home / "notes").write_text("not a directory")
    write_json(demo.cwd / ".pi" / "zcode-memory.json", {"dir": str(home / "notes")})
    [store] = used(demo)
    assert (store.exists, store.writable) == (False, False)
    assert any("not a directory" in warning for warning in store.warnings)


def test_d12_dir_that_cannot_be_read_is_reported(demo, home, monkeypatch):
    memory = make_store(home / "notes")
    write_json(demo.cwd / ".pi" / "zcode-memory.json", {"dir": str(memory)})
    forbid_listing(monkeypatch, memory)
    [store] = used(demo)
    assert (store.root, store.exists) == (memory, True)
    assert [code for code, _ in store.findings] == ["unreadable"]


def test_projects_directory_that_cannot_be_listed_is_reported(demo, home, monkeypatch):
    memory = make_store(projects(home) / computed(demo.cwd))
    forbid_listing(monkeypatch, projects(home))
    [store] = used(demo)
    assert store.root == memory
    assert [code for code, _ in store.findings] == ["unreadable"]


def test_d12_both_settings_files_are_merged_and_the_project_wins(demo, home):
    write_json(
        home / ".pi/agent/extensions/zcode-memory.json", {"dir": str(home / "global"), "injectIndex": False}
    )
    write_json(demo.cwd / ".pi" / "zcode-memory.json", {"dir": str(home / "own")})
    [store] = used(demo)
    assert store.root == home / "own"
    assert not store.loads


def test_d12_global_settings_lie_in_pis_agent_directory(make_env, home):
    write_json(home / "agent" / "extensions" / "zcode-memory.json", {"dir": str(home / "notes")})
    [store] = used(make_env(environ={"PI_CODING_AGENT_DIR": "~/agent"}))
    assert store.root == home / "notes"


def test_d12_broken_settings_are_the_defaults_with_a_warning(demo, home):
    memory = make_store(projects(home) / computed(demo.cwd))
    file = write_json(demo.cwd / ".pi" / "zcode-memory.json", '{"enabled": false, // no\n}')
    [store] = used(demo)
    assert (store.root, store.loads) == (memory, True)
    [(code, sentence)] = store.findings
    assert code == "bad-config" and str(file) in sentence and "line 1, column 20" in sentence
    assert sentence in locate(demo, Config()).warnings


def test_settings_may_begin_with_a_byte_order_mark_and_be_a_link(demo, home):
    (home / "dotfile.json").write_bytes(b'\xef\xbb\xbf{"enabled": false}')
    (demo.cwd / ".pi").mkdir()
    (demo.cwd / ".pi" / "zcode-memory.json").symlink_to(home / "dotfile.json")
    assert not used(demo)[0].loads


@pytest.mark.parametrize("name", ["enabled", "injectIndex"])
def test_switched_off_means_the_agent_sees_nothing_and_says_so(demo, home, name):
    make_store(projects(home) / computed(demo.cwd))
    file = write_json(demo.cwd / ".pi" / "zcode-memory.json", {name: False})
    [store] = used(demo)
    assert not store.loads
    assert name in store.loads_not_because and str(file) in store.loads_not_because
    assert "ZCode itself still reads" in store.loads_not_because


@pytest.mark.parametrize(
    ("variable", "value", "below"),
    [
        ("ZCODE_STORAGE_DIR", "z", "z/cli"),
        ("ZCODE_STORAGE_DIR", "z/cli", "z/cli"),
        ("ZCODE_DATA_BASE_DIR", "z", "z/.zcode/cli"),
        ("ZCODE_DESKTOP_HOME_DIR", "z", "z/.zcode/cli"),
    ],
)
def test_d12_zcodes_variables_move_its_own_root_only(make_env, home, variable, value, below):
    env = make_env(environ={variable: str(home / value)})
    moved = make_store(home / below / "memories" / "projects" / computed(env.cwd))
    default = make_store(projects(home) / computed(env.cwd))
    by_reader = {store.read_by: store for store in used(env)}
    assert by_reader[READER_ZCODE,].root == moved
    assert variable in by_reader[READER_ZCODE,].reason
    assert by_reader[READER_PI,].root == default
    assert len({store.id for store in stores(env)}) == 2


def test_d12_moved_root_alone_is_the_only_used_store(make_env, home):
    env = make_env(environ={"ZCODE_STORAGE_DIR": str(home / "z")})
    moved = make_store(home / "z/cli/memories/projects" / computed(env.cwd))
    assert [store.root for store in used(env)] == [moved]


def test_data_base_dir_wins_over_the_others(make_env, home):
    names = ("ZCODE_DATA_BASE_DIR", "ZCODE_DESKTOP_HOME_DIR", "ZCODE_STORAGE_DIR")
    env = make_env(environ={name: str(home / name) for name in names})
    [own] = [store for store in stores(env) if store.read_by == (READER_ZCODE,)]
    assert own.root.is_relative_to(home / "ZCODE_DATA_BASE_DIR" / ".zcode" / "cli")


def test_d12_relative_variable_is_reported_and_not_followed(make_env, home):
    env = make_env(environ={"ZCODE_STORAGE_DIR": "z"})
    [store] = stores(env)
    assert store.root.is_relative_to(projects(home))
    assert "ZCODE_STORAGE_DIR" in store.findings[0][1]


def test_workspace_identity_moves_zcodes_directory(make_env, home):
    identity = "remote:ssh:example.test:22:coder:/workspace/cold-resume"
    env = make_env(environ={"ZCODE_WORKSPACE_IDENTITY": identity})
    memory = make_store(projects(home) / "project-c996f499b9a25365")
    [store] = used(env)
    assert (store.root, store.read_by) == (memory, (READER_ZCODE,))
    assert identity in store.reason


def test_zcodes_memory_switched_off_is_said(demo, home):
    make_store(projects(home) / computed(demo.cwd))
    write_json(home / ".zcode" / "cli" / "config.json", {"features": {"memory": False}})
    [store] = used(demo)
    assert store.loads
    assert any("features.memory" in warning for warning in store.warnings)


# Links, damage, size


@pytest.mark.parametrize("linked", ["project", "memory"])
def test_linked_memory_directory_is_flagged_and_not_written_to(demo, home, linked):
    real = make_store(home / "elsewhere")
    if linked == "project":
        projects(home).mkdir(parents=True)
        (projects(home) / computed(demo.cwd)).symlink_to(home / "elsewhere")
    else:
        (projects(home) / computed(demo.cwd)).mkdir(parents=True)
        (projects(home) / computed(demo.cwd) / "memory").symlink_to(real)
    [store] = used(demo)
    assert (store.exists, store.writable) == (True, False)
    assert [code for code, _ in store.findings] == ["symlink"]
    assert str(real) in store.findings[0][1]


def test_a_file_in_place_of_any_directory_is_no_exception(demo, home):
    (home / ".zcode").write_text("a file")
    (home / ".pi").write_text("a file")
    (demo.cwd / ".pi").write_text("a file")
    [store] = used(demo)
    assert (store.exists, store.writable) == (False, False)


def test_a_file_in_place_of_the_projects_directory_is_reported(demo, home):
    projects(home).parent.mkdir(parents=True)
    projects(home).write_text("a file")
    assert any(code == "unreadable" for code, _ in used(demo)[0].findings)


def test_thousands_of_projects_are_listed_once_and_candidates_are_bounded(demo, home, monkeypatch):
    for number in range(1500):
        (projects(home) / f"demo-{number:016x}" / "memory").mkdir(parents=True)
    listed = []
    original = fs.list_dir
    monkeypatch.setattr(fs, "list_dir", lambda path: listed.append(path) or original(path))
    assert len(stores(demo)) == MAX_CANDIDATES + 1
    assert len(listed) < 60


def test_ids_are_safe_and_differ_for_directories_outside_the_usual_root(demo, home):
    ids = set()
    for name in ("a/notes", "b/notes", "c/n\x1b[31mötes"):
        write_json(demo.cwd / ".pi" / "zcode-memory.json", {"dir": str(home / name)})
        ids.add(used(demo)[0].id)
    assert len(ids) == 3
    assert all(
        set(i) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:~") for i in ids
    )
