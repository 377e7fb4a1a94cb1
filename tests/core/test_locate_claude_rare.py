"""Claude Code's rarer paths: settings in their scopes, a name by variable, long, foreign and doubled names."""

import json
import unicodedata
from pathlib import Path

import pytest
from cli_home import CliHome
from pi_setup import git, tree
from test_locate_claude import add_session, make_store, stores, used

from memtui.core.config import Config
from memtui.core.locate import locate
from memtui.core.locate.claude import encoded_name
from memtui.core.sessions.pi_places import session_dir_name


@pytest.fixture
def claude(home) -> Path:
    return home / ".claude"


def transcripts(env):
    return next(root for root in locate(env, Config()).transcripts if root.agent == "claude")


def name_directory(file: Path, named) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"autoMemoryDirectory": named}))


# autoMemoryDirectory


def test_the_nearest_scope_names_the_directory(env, home, claude):
    files = [
        claude / "settings.json",
        env.cwd / ".claude" / "settings.json",
        env.cwd / ".claude" / "settings.local.json",
    ]
    for number, file in enumerate(files):
        root = home / f"memory{number}"
        root.mkdir()
        name_directory(file, str(root))
        [store] = used(env)
        assert store.root == root and str(file) in store.reason
        assert ("trusts this folder" in store.reason) is (number > 0)


@pytest.mark.parametrize("value", ["", None, "mem", "~", "~other/x", 7, "/x\0y"])
def test_an_unusable_value_leaves_the_weaker_scope_in_force(env, home, claude, value):
    (home / "mine").mkdir()
    name_directory(claude / "settings.json", "~/mine")
    name_directory(env.cwd / ".claude" / "settings.json", value)
    [store] = used(env)
    assert store.root == home / "mine"
    assert [code for code, _sentence in store.findings] == ([] if value in ("", None) else ["bad-config"])


def test_a_named_directory_that_is_not_there_is_not_used_and_the_default_neither(env, home, claude):
    default = make_store(claude, env.cwd)
    name_directory(claude / "settings.json", "~/mine")
    first, second = stores(env)
    assert (first.root, first.used, first.exists) == (home / "mine", False, False)
    assert (second.root, second.used) == (default, False)


def test_the_named_directory_may_be_the_default_one(env, claude):
    default = make_store(claude, env.cwd)
    name_directory(claude / "settings.json", str(default))
    [store] = stores(env)
    assert (store.root, store.used, store.tier) == (default, True, "config")


# A name by variable


def variables(home, name: str, config: str = "conf") -> dict[str, str]:
    found = {"CLAUDE_CODE_PROJECT_DIR_NAME": name}
    return {**found, "CLAUDE_CONFIG_DIR": str(home / config)} if config else found


def test_the_variable_names_the_directory_of_memory_and_transcripts(make_env, home):
    env = make_env(environ=variables(home, "my_Project-1"))
    memory = home / "conf" / "projects" / "my_Project-1" / "memory"
    memory.mkdir(parents=True)
    (memory.parent / "a.jsonl").write_text("{}\n")
    make_store(home / "conf", env.cwd)
    [store] = stores(env)
    assert (store.root, store.used, store.tier) == (memory, True, "config")
    assert "CLAUDE_CODE_PROJECT_DIR_NAME" in store.reason
    assert (transcripts(env).path, transcripts(env).sessions) == (memory.parent, 1)


def test_without_a_config_directory_the_variable_counts_for_nothing(make_env, home, claude):
    env = make_env(environ=variables(home, "mine", config=""))
    memory = make_store(claude, env.cwd)
    [store] = stores(env)
    assert (store.root, store.used, store.findings) == (memory, True, ())


@pytest.mark.parametrize("name", ["a/b", "..", "a b", "项目", "x" * 65, "a\n"])
def test_an_unusable_name_is_told_and_not_followed(make_env, home, name):
    env = make_env(environ=variables(home, name))
    memory = make_store(home / "conf", env.cwd)
    [store] = used(env)
    assert store.root == memory
    assert "CLAUDE_CODE_PROJECT_DIR_NAME" in store.findings[0][1]


def test_a_setting_is_stronger_than_the_variable(make_env, home):
    env = make_env(environ=variables(home, "mine"))
    (home / "conf" / "projects" / "mine" / "memory").mkdir(parents=True)
    (home / "set").mkdir()
    name_directory(home / "conf" / "settings.json", str(home / "set"))
    first, second = stores(env)
    assert (first.root, first.used) == (home / "set", True)
    assert (second.root.parent.name, second.used) == ("mine", False)


# D04, D05: names in other scripts


def test_d04_a_name_of_dashes_shows_the_real_path_and_who_shares_it(make_env, home, claude, capfdbinary):
    cwd = home / "项目"
    cwd.mkdir()
    memory = make_store(claude, cwd)
    assert memory.parent.name.endswith("--")
    add_session(memory, "1", str(cwd))
    add_session(memory, "2", str(home / "桌面"))
    [store] = used(make_env(cwd=cwd))
    assert str(cwd) in store.reason
    assert store.shared_by == (str(home / "桌面"),)
    place = CliHome(home, capfdbinary)
    shown = place.run_bare("--home", str(home), "--cwd", str(cwd), "where").out
    assert "项目" in shown and "桌面" in shown


@pytest.mark.parametrize(
    ("of_cwd", "of_name", "word"), [("NFD", "NFC", "composed"), ("NFC", "NFD", "decomposed")]
)
def test_d05_the_form_that_exists_is_used_and_said(make_env, home, claude, of_cwd, of_name, word):
    cwd = home / unicodedata.normalize(of_cwd, "앱")
    cwd.mkdir()
    memory = make_store(claude, unicodedata.normalize(of_name, str(cwd)))
    [store] = used(make_env(cwd=cwd))
    assert store.root == memory and f"in {word} characters" in store.reason


def test_d05_when_both_forms_exist_both_are_offered(make_env, home, claude):
    cwd = home / unicodedata.normalize("NFD", "앱")
    cwd.mkdir()
    own = make_store(claude, cwd)
    other = make_store(claude, unicodedata.normalize("NFC", str(cwd)), facts=2)
    first, second = stores(make_env(cwd=cwd))
    assert (first.root, first.used) == (own, True)
    assert (second.root, second.used, second.exists) == (other, False, True)
    assert "1 memory" in first.reason and "2 memories" in second.reason


# D11: long names


@pytest.fixture
def long_project(home) -> Path:
    cwd = home / ("d" * 120) / ("e" * 120)
    cwd.mkdir(parents=True)
    return cwd


def long_name(cwd: Path, suffix: str) -> str:
    return f"{encoded_name(str(cwd))[:200]}-{suffix}"


def test_d11_of_several_long_names_each_is_offered_and_none_is_chosen(make_env, claude, long_project):
    both = [claude / "projects" / long_name(long_project, suffix) / "memory" for suffix in ("k3x9q", "zz")]
    for memory in both:
        memory.mkdir(parents=True)
    found = stores(make_env(cwd=long_project))
    assert [store.root for store in found if store.exists] == both
    assert not any(store.used for store in found)


def test_d11_transcripts_of_a_long_name_are_found_too(make_env, claude, long_project):
    folder = claude / "projects" / long_name(long_project, "k3x9q")
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_text("{}\n")
    root = transcripts(make_env(cwd=long_project))
    assert (root.path, root.sessions) == (folder, 1)


def test_d11_a_name_of_exactly_200_characters_is_whole(make_env, home, claude):
    cwd = home / ("d" * (199 - len(str(home))))
    memory = make_store(claude, cwd)
    assert len(memory.parent.name) == 200
    (claude / "projects" / f"{memory.parent.name}-k3x9q" / "memory").mkdir(parents=True)
    [store] = stores(make_env(cwd=cwd))
    assert (store.root, store.used) == (memory, True)


def test_d11_a_session_directory_that_cannot_exist_has_no_sessions(make_env, home, long_project):
    cwd = long_project / ("f" * 100)
    cwd.mkdir()
    assert len(session_dir_name(str(cwd))) > 255
    before = tree(home)
    assert [root.sessions for root in locate(make_env(cwd=cwd), Config()).transcripts] == [0, 0]
    assert tree(home) == before


# D13: case


def test_d13_a_twin_without_memory_is_not_listed(make_env, home, claude):
    cwd = home / "Projects" / "app"
    memory = make_store(claude, cwd)
    (claude / "projects" / encoded_name(str(home / "projects" / "app"))).mkdir(exist_ok=True)
    assert [store.root for store in stores(make_env(cwd=cwd))] == [memory]


# D15: one directory under two names


def test_d15_a_worktree_whose_memory_is_a_link_to_the_main_ones_is_counted_once(make_env, home, claude):
    if not git("--version"):
        pytest.skip("git is not installed")
    main, linked = home / "main", home / "wt"
    git("init", "-q", main)
    git("-C", main, "commit", "-q", "--allow-empty", "-m", "x")
    git("-C", main, "worktree", "add", "-q", linked)
    real = make_store(claude, main)
    link = claude / "projects" / encoded_name(str(linked)) / "memory"
    link.parent.mkdir()
    link.symlink_to(f"../{real.parent.name}/memory")
    [store] = stores(make_env(cwd=linked))
    assert (store.root, store.used, store.writable) == (real, True, True)
    assert any(str(link) in warning for warning in store.warnings)
