"""The repository of a directory, pi's own folders, conversations, and memory opened by its path."""

import errno
import json
from pathlib import Path

import pytest

from memtui.core import fs
from memtui.core.config import Config
from memtui.core.errors import UsageError
from memtui.core.locate import is_memory_dir, locate, store_at
from memtui.core.locate.git_root import find_git_root
from memtui.core.locate.pi_agent import agent_dir, locate_pi
from memtui.core.sessions.pi_places import session_dir_name


def make_repository(path: Path) -> Path:
    (path / ".git").mkdir(parents=True)
    (path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return path


# Repository


def test_root_is_found_from_below_and_for_paths_that_do_not_exist(tmp_path):
    root = make_repository(tmp_path / "repo")
    found = find_git_root(root / "a" / "gone")
    assert found is not None
    assert (found.main, found.worktree, found.is_linked) == (root, root, False)


def test_no_repository_is_none(tmp_path):
    (tmp_path / ".git").mkdir()
    assert find_git_root(tmp_path / "x") is None


def test_d06_linked_worktree_leads_to_the_main_one_with_relative_paths(tmp_path):
    root = make_repository(tmp_path / "repo")
    private = root / ".git" / "worktrees" / "wt"
    private.mkdir(parents=True)
    (private / "commondir").write_text("../..\n")
    (tmp_path / "wt").mkdir()
    (tmp_path / "wt" / ".git").write_text("gitdir: ../repo/.git/worktrees/wt\r\n")
    found = find_git_root(tmp_path / "wt" / "sub")
    assert found is not None
    assert (found.main, found.worktree, found.is_bare) == (root, tmp_path / "wt", False)


def test_worktree_of_a_bare_repository(tmp_path):
    private = tmp_path / "repo.git" / "worktrees" / "wt"
    private.mkdir(parents=True)
    (private / "commondir").write_text("../..\n")
    (tmp_path / "wt").mkdir()
    (tmp_path / "wt" / ".git").write_text(f"gitdir: {private}\n")
    found = find_git_root(tmp_path / "wt")
    assert found is not None
    assert (found.main, found.is_bare) == (tmp_path / "repo.git", True)


def test_submodule_is_its_own_root(tmp_path):
    (tmp_path / "super" / ".git" / "modules" / "sub").mkdir(parents=True)
    sub = tmp_path / "super" / "sub"
    sub.mkdir()
    (sub / ".git").write_text("gitdir: ../.git/modules/sub\n")
    found = find_git_root(sub)
    assert found is not None
    assert found.main == sub


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"gitdir: /nowhere", b"gitdir:\0"])
def test_damaged_marker_is_passed_over(tmp_path, text):
    root = make_repository(tmp_path / "repo")
    (root / "sub").mkdir()
    (root / "sub" / ".git").write_bytes(text)
    found = find_git_root(root / "sub")
    assert found is not None
    assert found.main == root


# pi's folders


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", "{home}/.pi/agent"),
        ("~", "{home}"),
        ("~/x/../agent", "{home}/agent"),
        ("/opt/pi", "/opt/pi"),
        ("file:///opt/my%20pi", "/opt/my pi"),
        ("~other/x", "{cwd}/~other/x"),
        ("rel", "{cwd}/rel"),
    ],
)
def test_agent_directory_follows_pis_rule(make_env, value, expected):
    env = make_env(environ={"PI_CODING_AGENT_DIR": value})
    directory, warnings = agent_dir(env)
    assert str(directory) == expected.format(home=env.home, cwd=env.cwd)
    assert len(warnings) == ("cwd" in expected)


@pytest.mark.parametrize(
    ("cwd", "name"),
    [("/home/dev/proj beta/sub.dir", "--home-dev-proj beta-sub.dir--"), ("/", "----"), ("C:\\x", "--C--x--")],
)
def test_d16_session_directory_names(cwd, name):
    assert session_dir_name(cwd) == name


def test_sessions_of_this_project_are_counted(env, home):
    directory = home / ".pi" / "agent" / "sessions" / session_dir_name(str(env.cwd))
    directory.mkdir(parents=True)
    for name in ("a.jsonl", "b.jsonl", "c.txt"):
        (directory / name).write_text("{}\n")
    [root] = [root for root in locate(env, Config()).transcripts if root.agent == "pi"]
    assert (root.path, root.sessions) == (directory, 2)


@pytest.mark.parametrize("by", ["variable", "setting"])
def test_in_one_flat_directory_only_this_projects_sessions_count(make_env, home, by):
    flat = home / "flat"
    flat.mkdir()
    environ = {"PI_CODING_AGENT_SESSION_DIR": str(flat)} if by == "variable" else {}
    env = make_env(environ=environ)
    if by == "setting":
        (env.cwd / ".pi").mkdir()
        (env.cwd / ".pi" / "settings.json").write_text(json.dumps({"sessionDir": "~/flat"}))
    for name, cwd in (("a", env.cwd), ("b", home), ("c", env.cwd)):
        header = {"type": "session", "version": 3, "id": name, "cwd": str(cwd)}
        (flat / f"{name}.jsonl").write_text(json.dumps(header) + "\n")
    [root] = locate_pi(env).transcripts()
    assert (root.path, root.sessions) == (flat, 2)


def test_claude_transcripts_are_keyed_by_the_directory(env, home):
    roots = {root.agent: root for root in locate(env, Config()).transcripts}
    assert roots["claude"].path.parent == home / ".claude" / "projects"
    assert roots["claude"].sessions == 0


def test_warnings_of_memtuis_own_settings_are_passed_on(env):
    assert locate(env, Config(warnings=("w",))).warnings == ("w",)


# By path


def make_memory(path: Path, *names: str) -> Path:
    path.mkdir(parents=True)
    for name in names:
        (path / name).write_text("x\n")
    return path


def test_any_memory_directory_opens_by_its_path(env, tmp_path):
    root = make_memory(tmp_path / "notes", "MEMORY.md", "a.md")
    for path in (root, root / "MEMORY.md"):
        store = store_at(env, path)
        assert (store.root, store.owner, store.used, store.exists) == (root, "zcode", True, True)
        assert (store.reason, store.tier) == ("opened by path", "path")


def test_owner_follows_from_the_place(env, home, tmp_path):
    claude = make_memory(home / ".claude" / "projects" / "-x" / "memory", "MEMORY.md")
    other = make_memory(tmp_path / "conf" / "projects" / "-x" / "memory", "a.md")
    zcode = make_memory(home / ".zcode/cli/memories/projects/app-0123456789abcdef/memory", "a.md")
    assert [store_at(env, path).owner for path in (claude, other, zcode)] == ["claude", "claude", "zcode"]
    assert store_at(env, zcode.parent).root == zcode


def test_id_is_the_same_by_path_and_by_project(env, home):
    by_project = locate(env, Config()).stores[0]
    make_memory(by_project.root, "MEMORY.md")
    assert store_at(env, by_project.root).id == by_project.id


def test_path_is_relative_to_the_working_directory(env):
    make_memory(env.cwd / "mem" / "memory", "a.md")
    assert store_at(env, Path("mem/memory")).root == env.cwd / "mem" / "memory"


def test_a_project_is_not_a_memory_directory(env, tmp_path):
    assert not is_memory_dir(make_memory(tmp_path / "project", "README.md", "main.py"))
    assert not is_memory_dir(tmp_path / "gone")
    assert is_memory_dir(make_memory(tmp_path / "p" / "memory"))


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_a_path_without_memory_is_one_clear_error(env, tmp_path, kind):
    path = tmp_path / "x.txt"
    if kind == "file":
        path.write_text("x")
    with pytest.raises(UsageError, match=r"x\.txt"):
        store_at(env, path)


def test_unreadable_directory_by_path_is_one_clear_error(env, tmp_path, monkeypatch):
    root = make_memory(tmp_path / "memory", "a.md")

    def list_dir(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(fs, "list_dir", list_dir)
    with pytest.raises(UsageError, match="cannot be read"):
        store_at(env, root)
