"""Hashed directories of other projects, what is read to name them, and directories opened by their path."""

import json

import pytest
from pi_setup import (
    agent_dir,
    git,
    install,
    notes,
    old_topics,
    session,
    settings,
    topics,
    tree,
    write,
    write_json,
)

from memtui.core import fs
from memtui.core.config import Config
from memtui.core.locate import is_memory_dir, locate, store_at
from memtui.core.locate.yandy_names import hashed_name


def stores(env):
    return [store for store in locate(env, Config()).stores if store.owner == "yandy"]


def reasons(env):
    return {store.root.name: store.reason for store in stores(env)}


def test_other_projects_are_named_by_the_sessions_of_pi(env, home):
    base = home / ".pi" / "memory"
    named, above, unknown = hashed_name("/srv/other"), hashed_name("/srv/repo"), "583f97f48ef4"
    for name in (named, above, unknown):
        topics(base / name)
    session(home, "--srv-other--", "/srv/other")
    session(home, "--srv-repo-sub--", "/srv/repo/sub")
    found = stores(env)
    assert [store.used for store in found] == [False] * 3
    assert reasons(env) == {
        named: "of /srv/other",
        above: "of /srv/repo",
        unknown: "of a project that is not known",
    }
    assert found[-1].root.name == unknown


def test_a_session_that_names_half_a_character_is_passed_over(env, home):
    topics(home / ".pi" / "memory" / "583f97f48ef4")
    session(home, "--srv-half--", "/srv/half\ud83d")
    assert reasons(env) == {"583f97f48ef4": "of a project that is not known"}


def test_sessions_in_one_flat_directory_name_projects_too(env, home):
    name = hashed_name("/srv/other")
    topics(home / ".pi" / "memory" / name)
    settings(home, sessionDir=str(home / "flat"))
    (home / "flat").mkdir()
    path = session(home, "x", "/srv/other")
    path.rename(home / "flat" / path.name)
    assert reasons(env) == {name: "of /srv/other"}


def test_a_directory_above_and_the_logical_one_are_known(make_env, home):
    cwd, link = home / "a" / "b", home / "link"
    cwd.mkdir(parents=True)
    link.symlink_to("a/b")
    for path in (home / "a", link):
        topics(home / ".pi" / "memory" / hashed_name(str(path)))
    env = make_env(cwd=cwd, logical_cwd=link)
    assert set(reasons(env).values()) == {f"of {home / 'a'}", f"of {link}"}


def test_linked_worktrees_have_memory_of_their_own(make_env, home):
    if not git("--version"):
        pytest.skip("git is not installed")
    git("init", "-q", home / "main")
    git("-C", home / "main", "commit", "-q", "--allow-empty", "-m", "x")
    git("-C", home / "main", "worktree", "add", "-q", home / "wt")
    base = home / ".pi" / "memory"
    for project in ("main", "wt"):
        topics(base / hashed_name(str(home / project)))
    install(home, yandy="1.3.4")
    for project in ("main", "wt"):
        [store] = [store for store in stores(make_env(cwd=home / project)) if store.used]
        assert store.root == base / hashed_name(str(home / project))


def test_many_directories_are_cut_and_the_known_ones_are_kept(env, home):
    base = home / ".pi" / "memory"
    for number in range(30):
        topics(base / f"{number:012x}")
    known = topics(base / hashed_name("/srv/other"))
    session(home, "--srv-other--", "/srv/other")
    found = stores(env)
    assert len(found) == 20 and found[0].root == known


def test_other_names_are_not_taken_for_projects(env, home):
    base = home / ".pi" / "memory"
    for name in ("583F97F48EF4", "583f97f48ef", "583f97f48ef4x", "notes"):
        topics(base / name)
    (base / "583f97f48ef4").mkdir()
    assert stores(env) == []


# Reading little


@pytest.fixture
def opened(monkeypatch):
    """Every file that is opened to be read."""
    paths = []
    for name in ("read_file", "read_head", "read_tail"):
        original = getattr(fs, name)

        def counted(path, *args, _original=original, **words):
            paths.append(path)
            return _original(path, *args, **words)

        monkeypatch.setattr(fs, name, counted)
    return paths


def test_no_session_is_opened_unless_a_directory_of_another_project_is_there(env, home, opened):
    for number in range(5):
        session(home, f"--srv-{number}--", f"/srv/{number}")
    install(home, yandy="1.3.4")
    topics(home / ".pi" / "memory" / hashed_name(str(env.cwd)))
    opened.clear()
    stores(env)
    assert not [path for path in opened if path.suffix == ".jsonl"]
    topics(home / ".pi" / "memory" / hashed_name("/srv/1"))
    stores(env)
    assert [path for path in opened if path.suffix == ".jsonl"]


def test_a_home_without_extensions_opens_settings_alone(env, opened):
    locate(env, Config())
    assert {path.suffix for path in opened} <= {".json"}


def test_of_one_directory_a_few_heads_are_read(env, home, opened):
    root = topics(home / ".pi" / "memory" / hashed_name(str(env.cwd)))
    write(root, **{f"t{number}": "no block\n" for number in range(100)})
    opened.clear()
    stores(env)
    assert len([path for path in opened if path.suffix == ".md"]) <= 24


def test_looking_makes_and_touches_nothing(env, home):
    topics(home / ".pi" / "memory" / "583f97f48ef4")
    session(home, "--srv--", "/srv")
    write_json(agent_dir(home) / "memory.json", "{")
    before = tree(home)
    stores(env)
    assert tree(home) == before


# By path


@pytest.mark.parametrize(
    ("make", "name", "layout", "writable"),
    [
        (old_topics, "583f97f48ef4", "topics", False),
        (topics, "583f97f48ef4", "topics", True),
        (topics, "git/github.com__o__r", "topics", True),
        (notes, "local/home__ana", "notes", True),
        (topics, "somewhere/else", "topics", True),
        (old_topics, "somewhere/else", "topics", False),
        (notes, "somewhere/else", "notes", True),
    ],
)
def test_each_generation_opens_by_its_path(env, tmp_path, make, name, layout, writable):
    root = make(tmp_path / name)
    owner = "" if not (make is old_topics and name == "somewhere/else") else "yandy"
    store = store_at(env, root, owner)
    assert (store.owner, store.layout, store.writable) == ("yandy", layout, writable)
    assert (store.reason, store.tier, store.used, store.exists) == ("opened by path", "path", True, True)


def test_a_directory_by_path_has_the_limits_of_the_configuration(env, home):
    install(home, yandy="1.3.4")
    write_json(agent_dir(home) / "memory.json", {"memIndexInjectMaxLines": 11})
    root = topics(home / ".pi" / "memory" / hashed_name(str(env.cwd)))
    store = store_at(env, root)
    assert {limit.unit: limit.limit for limit in store.profile.limits}["lines"] == 11
    assert store.id == stores(env)[0].id


def test_an_older_directory_by_path_is_read_by_its_own_rules(env, home):
    install(home, yandy="2.3.0")
    root = topics(home / ".pi" / "memory" / hashed_name(str(env.cwd)))
    assert store_at(env, root).layout == "topics"


def test_a_directory_without_an_index_is_known_by_its_name(tmp_path):
    for name in ("583f97f48ef4", "git/github.com__o__r"):
        root = notes(tmp_path / name)
        (root / "MEMORY.md").unlink()
        assert is_memory_dir(root)


def test_documents_with_dates_are_not_taken_for_memory(tmp_path):
    root = write(tmp_path / "docs", page="---\ntitle: x\ncreated: 2026-01-01\nmodified: 2026-01-01\n---\n")
    assert not is_memory_dir(root)


def test_a_topic_of_the_name_user_is_no_store_of_entries(env, tmp_path):
    root = topics(tmp_path / "copy")
    write(root, USER="---\nname: USER\ndescription: d\ntype: user\nupdated: 2026-08-01\n---\n\n## d\n\nx\n")
    assert store_at(env, root).owner == "yandy"


def test_sessions_that_do_not_parse_are_passed_over(env, home):
    topics(home / ".pi" / "memory" / "583f97f48ef4")
    folder = agent_dir(home) / "sessions" / "--x--"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(b"\xff{\n" + json.dumps({"cwd": 3}).encode())
    assert reasons(env) == {"583f97f48ef4": "of a project that is not known"}
