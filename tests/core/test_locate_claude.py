"""Which Claude Code auto memory belongs to a directory: by repository, by directory, by setting."""

import json
import subprocess
import unicodedata
from pathlib import Path

import pytest

from memtui.core.config import Config
from memtui.core.locate import locate
from memtui.core.locate.claude import encoded_name


def make_store(config_dir: Path, project: Path | str, facts: int = 1) -> Path:
    memory = config_dir / "projects" / encoded_name(str(project)) / "memory"
    memory.mkdir(parents=True)
    for number in range(facts):
        (memory / f"f{number}.md").write_text("x\n")
    (memory / "MEMORY.md").write_text("- [A](f0.md) — x\n")
    return memory


def add_session(memory: Path, name: str, cwd: str) -> None:
    lines = [{"type": "summary", "summary": "s"}, {"type": "user", "cwd": cwd, "message": {"content": "hi"}}]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (memory.parent / f"{name}.jsonl").write_text(text, "utf-8")


def stores(env):
    return [store for store in locate(env, Config()).stores if store.owner == "claude"]


def used(env):
    return [store for store in stores(env) if store.used]


@pytest.fixture
def claude(home) -> Path:
    return home / ".claude"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/tmp/h/my_app.v2", "-tmp-h-my-app-v2"),
        ("/Users/me/.x/a_b", "-Users-me--x-a-b"),
        ("/tmp/h/项目", "-tmp-h---"),
        ("/tmp/h/\U0001f680", "-tmp-h---"),
        ("/tmp/h/앱", "-tmp-h--"),
        (unicodedata.normalize("NFD", "/tmp/h/앱"), "-tmp-h----"),
        ("/", "-"),
    ],
)
def test_d01_every_unit_outside_letters_and_digits_is_one_dash(path, name):
    assert encoded_name(path) == name


def test_d01_underscore_and_dot_in_the_path(make_env, home, claude):
    cwd = home / "my_app.v2"
    cwd.mkdir()
    memory = make_store(claude, cwd)
    [store] = stores(make_env(cwd=cwd))
    assert (store.root, store.used, store.exists) == (memory, True, True)
    assert store.id == f"claude:{memory.parent.name}"


def test_without_a_directory_nothing_is_used(env, claude):
    [store] = stores(env)
    assert (store.used, store.exists, store.tier) == (False, False, "none")
    assert store.root == claude / "projects" / encoded_name(str(env.cwd)) / "memory"
    assert not claude.exists()


def test_d02_two_paths_of_one_name_share_the_memory(make_env, home, claude):
    for name in ("my_app", "my-app"):
        (home / name).mkdir()
    memory = make_store(claude, home / "my_app")
    add_session(memory, "1", str(home / "my_app"))
    add_session(memory, "2", str(home / "my-app"))
    add_session(memory, "3", str(home / "unrelated"))
    assert used(make_env(cwd=home / "my_app"))[0].shared_by == (str(home / "my-app"),)
    assert used(make_env(cwd=home / "my-app"))[0].shared_by == (str(home / "my_app"),)


def test_d02_own_path_alone_is_not_sharing(env, claude):
    memory = make_store(claude, env.cwd)
    add_session(memory, "1", str(env.cwd))
    (memory.parent / "bad.jsonl").write_bytes(b'{"cwd": \xff\n{"cwd": 3}\n' + b"[" * 9000)
    assert used(env)[0].shared_by == ()


def test_d05_the_other_unicode_form_is_found_and_said(make_env, home, claude):
    cwd = home / unicodedata.normalize("NFD", "앱")
    cwd.mkdir()
    memory = make_store(claude, unicodedata.normalize("NFC", str(cwd)))
    [store] = used(make_env(cwd=cwd))
    assert store.root == memory
    assert "composed" in store.reason


# D06: worktrees


@pytest.fixture
def worktree(home) -> tuple[Path, Path]:
    main, linked = home / "main", home / "wt"
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.test", "-c", "init.defaultBranch=main"]
    subprocess.run([*git, "init", "-q", main], check=True)
    subprocess.run([*git, "-C", main, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "-C", main, "worktree", "add", "-q", linked], check=True, capture_output=True)
    return main, linked


def test_d06_run_1_a_worktree_shows_the_memory_of_the_main_one(make_env, claude, worktree):
    main, linked = worktree
    memory = make_store(claude, main)
    (linked / "src").mkdir()
    for cwd in (linked, linked / "src"):
        [store] = stores(make_env(cwd=cwd))
        assert (store.root, store.used, store.tier) == (memory, True, "git-root")
        assert "main worktree" in store.reason


def test_d06_run_2_both_are_shown_with_counts_and_only_one_is_used(make_env, claude, worktree):
    main, linked = worktree
    of_main, of_linked = make_store(claude, main, facts=2), make_store(claude, linked, facts=3)
    first, second = stores(make_env(cwd=linked))
    assert (first.root, first.used) == (of_main, True)
    assert (second.root, second.used) == (of_linked, False)
    assert "2 memories" in first.reason and "3 memories" in second.reason
    assert "some builds" in second.reason


def test_d06_memory_of_the_worktree_alone_is_used_with_a_warning(make_env, claude, worktree):
    main, linked = worktree
    memory = make_store(claude, linked)
    [store] = used(make_env(cwd=linked))
    assert (store.root, store.tier) == (memory, "cwd")
    assert any(encoded_name(str(main)) in warning for warning in store.warnings)


def test_sub_directory_of_a_repository_uses_the_repositorys_memory(make_env, claude, worktree):
    main, _linked = worktree
    memory = make_store(claude, main)
    (main / "a" / "b").mkdir(parents=True)
    assert used(make_env(cwd=main / "a" / "b"))[0].root == memory


# D10, D12, D13


def test_d10_claude_goes_by_the_physical_path(make_env, home, claude):
    (home / "real").mkdir()
    (home / "link").symlink_to("real")
    memory = make_store(claude, home / "real")
    [store] = stores(make_env(cwd=home / "real", logical_cwd=home / "link"))
    assert store.root == memory


def test_d11_a_long_name_is_found_by_its_first_200_characters(make_env, home, claude):
    cwd = home / ("d" * 120) / ("e" * 120)
    name = encoded_name(str(cwd))[:200] + "-k3x9q"
    memory = claude / "projects" / name / "memory"
    memory.mkdir(parents=True)
    env = make_env(cwd=cwd)
    assert [store.root for store in used(env)] == [memory]
    (claude / "projects" / (name[:200] + "-other") / "memory").mkdir(parents=True)
    assert used(env) == []
    assert sum(store.exists for store in stores(env)) == 2


def test_d12_config_dir_is_active_and_the_default_is_listed_as_not_used(make_env, home, claude):
    env = make_env(environ={"CLAUDE_CONFIG_DIR": str(home / "other")})
    moved, default = make_store(home / "other", env.cwd), make_store(claude, env.cwd)
    first, second = stores(env)
    assert (first.root, first.used) == (moved, True)
    assert (second.root, second.used, second.exists) == (default, False, True)
    assert "exists, not used" in second.reason
    assert first.id != second.id


def test_d12_relative_config_dir_is_reported_and_not_followed(make_env, claude):
    env = make_env(environ={"CLAUDE_CONFIG_DIR": "conf"})
    memory = make_store(claude, env.cwd)
    [store] = used(env)
    assert store.root == memory
    assert store.findings[0][0] == "bad-config" and "CLAUDE_CONFIG_DIR" in store.findings[0][1]


@pytest.mark.parametrize("spelling", ["absolute", "tilde"])
def test_d12_auto_memory_directory_is_active(env, home, claude, spelling):
    default = make_store(claude, env.cwd)
    moved = home / "mine" / "memory"
    moved.mkdir(parents=True)
    (env.cwd / ".claude").mkdir()
    value = str(moved) if spelling == "absolute" else "~/mine/memory"
    (env.cwd / ".claude" / "settings.local.json").write_text(json.dumps({"autoMemoryDirectory": value}))
    first, second = stores(env)
    assert (first.root, first.used, first.tier) == (moved, True, "config")
    assert "settings.local.json" in first.reason
    assert (second.root, second.used) == (default, False)
    assert "exists, not used" in second.reason


def test_d12_relative_auto_memory_directory_is_reported_and_not_followed(env, claude):
    memory = make_store(claude, env.cwd)
    (claude / "settings.json").write_text('{"autoMemoryDirectory": "./mem"}')
    [store] = used(env)
    assert store.root == memory
    assert store.findings[0][0] == "bad-config"


def test_d13_names_that_differ_only_in_case_are_both_listed_with_a_hint(make_env, home, claude):
    cwd = home / "Projects" / "app"
    memory, twin = make_store(claude, cwd), make_store(claude, home / "projects" / "app")
    if memory.samefile(twin):
        pytest.skip("the disk ignores case")
    first, second = stores(make_env(cwd=cwd))
    assert (first.root, first.used) == (memory, True)
    assert (second.root, second.used) == (twin, False)
    assert "only in case" in second.reason
    assert second.findings[0][0] == "case-twin"


def test_d15_a_linked_memory_directory_is_the_real_one(env, home, claude):
    real = make_store(claude, home / "main")
    link = claude / "projects" / encoded_name(str(env.cwd)) / "memory"
    link.parent.mkdir()
    link.symlink_to(real)
    [store] = used(env)
    assert (store.root, store.writable) == (real, True)
    assert str(link) in store.warnings[0]


# Switches and damage


def test_switched_off_by_variable(make_env, claude):
    env = make_env(environ={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"})
    make_store(claude, env.cwd)
    [store] = used(env)
    assert not store.loads
    assert "CLAUDE_CODE_DISABLE_AUTO_MEMORY" in store.loads_not_because


def test_switched_off_in_settings_and_on_again_by_the_nearer_file(env, claude):
    make_store(claude, env.cwd)
    (claude / "settings.json").write_text('{"autoMemoryEnabled": false}')
    [store] = used(env)
    assert not store.loads and "autoMemoryEnabled" in store.loads_not_because
    (env.cwd / ".claude").mkdir()
    (env.cwd / ".claude" / "settings.json").write_text('{"autoMemoryEnabled": true}')
    assert used(env)[0].loads


def test_broken_settings_count_as_empty_with_a_warning(env, claude):
    make_store(claude, env.cwd)
    (claude / "settings.json").write_text("{")
    [store] = used(env)
    assert store.loads
    assert store.findings[0][0] == "bad-config"


@pytest.mark.parametrize("name", [".claude", ".claude/projects", ".claude/settings.json/x", "code/app/.claude"])
def test_a_file_or_directory_in_the_wrong_place_is_no_exception(env, home, name):
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    assert [store.used for store in stores(env)] == [False]
