"""Directory names of yandy's pi-memory: which path is hashed, and what remotes become."""

import hashlib
import shutil
from pathlib import Path

import pytest
from pi_setup import git

from memtui.core.locate.git_config import Value, read_git_config
from memtui.core.locate.yandy_names import (
    Project,
    find_project,
    hashed_name,
    name_of,
    readable_name,
    remote_key,
    toplevel,
)

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def as_git_says(cwd: Path) -> str:
    """The owner's rule by the real program: what git prints, else the directory."""
    return git("rev-parse", "--show-toplevel", cwd=cwd).strip() or str(cwd)


def make_repository(path: Path) -> Path:
    git("init", "-q", path)
    git("-C", path, "commit", "-q", "--allow-empty", "-m", "x")
    return path


# The path that counts


@needs_git
def test_top_level_is_what_git_says(make_env, home):
    repo = make_repository(home / "repo")
    (repo / "src" / "deep").mkdir(parents=True)
    git("-C", repo, "worktree", "add", "-q", home / "wt")
    git("clone", "-q", "--bare", repo, home / "bare.git")
    git("-C", home / "bare.git", "worktree", "add", "-q", home / "of-bare")
    git("clone", "-q", "--bare", repo, repo / "vendor" / "inner.git")
    make_repository(repo / "nested")
    (home / "plain").mkdir()
    git("init", "-q", "--bare", home / "dot" / ".bare")
    (home / "dot" / ".git").write_text("gitdir: ./.bare\n")
    (home / "dot" / "sub").mkdir()
    git("init", "-q", f"--separate-git-dir={home / 'elsewhere'}", home / "apart")
    (home / "apart" / "x").mkdir()
    places = [
        repo,
        repo / "src" / "deep",
        repo / ".git",
        repo / ".git" / "objects",
        repo / "vendor" / "inner.git",
        repo / "nested",
        home / "wt",
        home / "bare.git",
        home / "bare.git" / "refs",
        home / "of-bare",
        home / "plain",
        home / "dot",
        home / "dot" / "sub",
        home / "apart" / "x",
    ]
    for cwd in places:
        assert toplevel(make_env(cwd=cwd)) == as_git_says(cwd), cwd
    assert toplevel(make_env(cwd=home / "wt")) != toplevel(make_env(cwd=repo))


@needs_git
def test_a_repository_reached_by_a_symlink_is_the_real_one_and_a_plain_directory_is_not(make_env, home):
    repo = make_repository(home / "repo")
    (home / "to-repo").symlink_to("repo")
    (home / "plain").mkdir()
    (home / "to-plain").symlink_to("plain")
    assert toplevel(make_env(cwd=home / "to-repo")) == str(repo) == as_git_says(home / "to-repo")
    assert toplevel(make_env(cwd=home / "to-plain")) == str(home / "to-plain")


@needs_git
def test_submodules_and_their_remotes_are_their_own(make_env, home):
    inner, outer = make_repository(home / "inner"), make_repository(home / "outer")
    git("-C", outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "sub")
    git("-C", outer / "sub", "remote", "set-url", "origin", "https://example.org/a/sub")
    git("-C", outer, "remote", "add", "origin", "https://example.org/a/outer")
    project = find_project(make_env(cwd=outer / "sub"))
    assert project.path == as_git_says(outer / "sub")
    assert readable_name(project) == ("git", "example.org__a__sub")


def test_without_git_the_directory_itself_counts(make_env, home):
    repo = home / "repo"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (repo / "sub").mkdir()
    env = make_env(cwd=repo / "sub", environ={"PATH": str(home / "empty")})
    assert find_project(env) == Project(str(repo / "sub"))


def test_a_directory_that_does_not_exist_counts_as_it_is(make_env, home):
    assert toplevel(make_env(cwd=home / "gone")) == str(home / "gone")


def test_hash_of_the_known_example():
    assert hashed_name("/srv/gt/repo") == "78150f9c5c50"


def test_bytes_that_are_not_utf8_are_hashed_as_node_sees_them():
    assert hashed_name("/x/caf\udce9") == hashlib.sha256("/x/caf\ufffd".encode()).hexdigest()[:12]


# Names by words


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://github.com/owner/repo.git", "github.com/owner/repo"),
        ("http://github.com/owner/repo/", "github.com/owner/repo"),
        ("HTTPS://GitHub.COM/Owner/Repo.GIT", "github.com/Owner/Repo"),
        ("git@github.com:owner/repo.git", "github.com/owner/repo"),
        ("github.com:owner/repo", "github.com/owner/repo"),
        ("git@github.com:/owner/repo", "github.com/owner/repo"),
        ("git://github.com/owner/repo.git.git", "github.com/owner/repo.git"),
        ("ssh://git@gitlab.com:2222/grp/sub/repo.git", "gitlab.com/grp/sub/repo"),
        ("git+ssh://git@host/a/b", "host/a/b"),
        ("git+https://host/a/b", "host/a/b"),
        ("https://user:p@ss@host/a/b?x=1#y", "host/a/b"),
        ("https://例子.com/a", "xn--fsqu00a.com/a"),
        ("ssh://例子.com/a", "xn--fsqu00a.com/a"),
        ("例子.com:a", "xn--fsqu00a.com/a"),
        ("ssh://[::1]:22/a/b", "[::1]/a/b"),
        ("[::1]:a/b", "[::1]/a/b"),
        ("https://host/a/../b/./c", "host/b/c"),
        ("https://host/项目 x", "host/%E9%A1%B9%E7%9B%AE%20x"),
        ("https://host/a%20b", "host/a%20b"),
        ("git@host:项目", "host/项目"),
    ],
)
def test_remotes_become_host_and_path(url, key):
    assert remote_key(url) == key


@pytest.mark.parametrize(
    "url",
    [
        "",
        "file:///srv/repos/foo.git",
        "git+file:///srv/foo",
        "/srv/repos/foo.git",
        "../foo",
        "./foo:bar",
        "foo",
        "rsync://host/a",
        "https://github.com/",
        "https://host:port/a",
        "https:///a/b",
        "git@host:",
    ],
)
def test_remotes_that_are_not_usable(url):
    assert remote_key(url) == ""


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("github.com/owner/repo", "github.com__owner__repo"),
        ("/home/ana/code/x", "home__ana__code__x"),
        ("/home/a/with:colon", "home__a__with_3acolon"),
        ('/a/<>"|?*\x01', "a___3c_3e_22_7c_3f_2a_01"),
        ("/home/a__b", "home__a__b"),
        ("/home/a\\b", "home__a\\b"),
        ("/a/../b/./c", "a__b__c"),
        ("/", "root"),
        ("/x/caf\udce9", "x__caf\ufffd"),
        ("[::1]/a", "[_3a_3a1]__a"),
        ("/" + "a" * 120, "a" * 120),
    ],
)
def test_keys_become_one_name(key, name):
    assert name_of(key) == name


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a" * 121, "a" * 100),
        ("漢" * 60, "漢" * 33),
        ("a" * 98 + "e\u0301" * 20, "a" * 98),
        ("a" * 98 + "😀" * 10, "a" * 98),
        ("a" * 90 + "👨\u200d👩\u200d👧" * 3, "a" * 90),
        ("a" * 96 + "🇩🇪" * 8, "a" * 96),
        ("a" * 92 + "🇩🇪" * 8, "a" * 92 + "🇩🇪"),
        ("a" * 96 + "👍🏽" * 8, "a" * 96),
        ("a" * 97 + "\u1112\u1161\u11ab" * 10, "a" * 97),
    ],
)
def test_names_over_120_bytes_are_cut_between_characters_and_get_a_digest(text, kept):
    digest = hashlib.sha256(f"/{text}".encode()).hexdigest()[:8]
    assert name_of(f"/{text}") == f"{kept}__{digest}"


def remotes(**urls: str) -> Project:
    return Project("/p", tuple(Value("remote", name, "url", url) for name, url in urls.items()))


def test_origin_comes_first_then_the_names_in_order_and_the_first_usable_wins():
    assert readable_name(remotes(b="https://h/b", a="https://h/a")) == ("git", "h__a")
    assert readable_name(remotes(a="https://h/a", origin="https://h/o")) == ("git", "h__o")
    assert readable_name(remotes(origin="/srv/x", b="file:///y", c="h:c")) == ("git", "h__c")
    assert readable_name(remotes(origin="/srv/x")) == ("local", "p")
    assert readable_name(Project("/home/ana/x")) == ("local", "home__ana__x")


def test_of_several_addresses_of_one_remote_the_first_counts():
    values = tuple(Value("remote", "origin", "url", url) for url in ("https://h/first", "https://h/second"))
    assert readable_name(Project("/p", values)) == ("git", "h__first")


@needs_git
def test_worktrees_and_clones_share_a_name(make_env, home):
    first, second = make_repository(home / "first"), make_repository(home / "second")
    git("-C", first, "remote", "add", "origin", "git@github.com:owner/repo.git")
    git("-C", second, "remote", "add", "origin", "https://github.com/owner/repo")
    git("-C", first, "worktree", "add", "-q", home / "wt")
    (first / "sub").mkdir()
    names = {
        readable_name(find_project(make_env(cwd=cwd))) for cwd in (first, first / "sub", second, home / "wt")
    }
    assert names == {("git", "github.com__owner__repo")}


@needs_git
def test_in_a_git_directory_no_remote_counts(make_env, home):
    repo = make_repository(home / "repo")
    git("-C", repo, "remote", "add", "origin", "https://h/a")
    kind, _name = readable_name(find_project(make_env(cwd=repo / ".git")))
    assert kind == "local"


# git's configuration file

CONFIG = r"""
[core] bare = false ; said
# [remote "no"]
[remote "origin"]
	url = "https://h/a b" # why
	URL = https://h/second
	pushurl = https://h/push
	fetch = +refs/heads/*:\
refs/x
[remote "q\"uoted"] url = x;y
[Remote.Old]
  url = "a;b"\\c
broken line
  flag
"""


def test_git_configuration_is_read_as_git_reads_it(tmp_path):
    path = tmp_path / "config"
    path.write_text(CONFIG)
    assert [(v.section, v.subsection, v.name, v.text) for v in read_git_config(path)] == [
        ("core", "", "bare", "false"),
        ("remote", "origin", "url", "https://h/a b"),
        ("remote", "origin", "url", "https://h/second"),
        ("remote", "origin", "pushurl", "https://h/push"),
        ("remote", "origin", "fetch", "+refs/heads/*:refs/x"),
        ("remote", 'q"uoted', "url", "x"),
        ("remote", "old", "url", "a;b\\c"),
        ("remote", "old", "flag", "true"),
    ]


@needs_git
def test_git_itself_reads_the_same_values(tmp_path):
    path = tmp_path / "config"
    path.write_text(CONFIG.replace("broken line\n", ""))
    for key, text in (
        ("remote.origin.url", ["https://h/a b", "https://h/second"]),
        ('remote.q"uoted.url', ["x"]),
        ("remote.old.url", ["a;b\\c"]),
        ("remote.origin.fetch", ["+refs/heads/*:refs/x"]),
    ):
        assert git("config", "--file", path, "--get-all", key).splitlines() == text


def test_a_missing_configuration_is_empty(tmp_path):
    assert read_git_config(tmp_path / "none") == []
