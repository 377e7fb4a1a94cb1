"""Where amaster's pi-memory and Hermes keep their two files, with which limits, and what was configured wrongly."""

from pathlib import Path

import pytest
from cli_home import CliHome
from pi_setup import agent_dir, install, settings, tree, write, write_json

from memtui.core.config import Config
from memtui.core.locate import locate, store_at

AMASTER_PACKAGE = "npm:@amaster.ai/pi-memory"


def stores(env, owner="amaster"):
    return [store for store in locate(env, Config()).stores if store.owner == owner]


def used(env, owner="amaster"):
    return [store for store in stores(env, owner) if store.used]


def limits(store):
    return {limit.group: limit.limit for limit in store.profile.limits}


def configure(home, **section):
    return settings(home, packages=[AMASTER_PACKAGE], **{"pi-memory": section})


def entries(root: Path) -> Path:
    return write(root, MEMORY="one\n§\ntwo", USER="me")


# Where


def test_without_the_extension_and_without_files_there_is_no_store(env):
    assert stores(env) == stores(env, "hermes") == []


def test_the_default_place_is_offered_before_it_is_there(env, home):
    install(home, "amaster")
    before = tree(home)
    [store] = used(env)
    assert store.root == agent_dir(home) / "memories"
    assert (store.exists, store.tier, store.writable, store.layout) == (False, "none", True, "entries")
    assert limits(store) == {"memory": 2_200, "user": 1_375}
    assert tree(home) == before


def test_files_without_the_extension_are_listed_and_not_used(env, home):
    entries(agent_dir(home) / "memories")
    [store] = stores(env)
    assert (store.used, store.exists, store.tier, store.read_by) == (False, True, "computed", ())
    assert "not seen to load" in store.reason


def test_pi_agent_home_moves_the_memories(make_env, home):
    env = make_env(environ={"PI_AGENT_HOME": str(home / "agent")})
    root = entries(home / "agent" / "memories")
    assert [store.root for store in stores(env)] == [root]


def test_pi_coding_agent_dir_moves_the_settings_and_not_the_memories(make_env, home):
    env = make_env(environ={"PI_CODING_AGENT_DIR": "~/moved"})
    write_json(home / "moved" / "settings.json", {"pi-memory": {"memoryCharLimit": 10}})
    entries(agent_dir(home) / "memories")
    [store] = stores(env)
    assert store.root == agent_dir(home) / "memories"
    assert limits(store) == {"memory": 10, "user": 1_375}


@pytest.mark.parametrize(
    ("named", "expected"),
    [("/srv/m", "/srv/m"), ("  /srv/m \n", "/srv/m"), ("/srv/a/../m", "/srv/m"), ("$ROOT/m", "/srv/m")],
)
def test_data_dir_is_followed(make_env, home, named, expected):
    file = configure(home, dataDir=named)
    [store] = used(make_env(environ={"ROOT": "/srv"}))
    assert (str(store.root), store.warnings) == (expected, ())
    assert str(file) in store.reason and "dataDir" in store.reason


@pytest.mark.parametrize("named", ["mem", "~/mem"])
def test_a_relative_data_dir_is_below_the_working_directory_and_told(env, home, named):
    configure(home, dataDir=named)
    [store] = used(env)
    assert store.root == env.cwd / named
    [(code, sentence)] = store.findings
    assert code == "bad-config" and named in sentence


@pytest.mark.parametrize("value", [7, ["/x"], "/x\0y"])
def test_a_data_dir_that_is_no_path_is_told(env, home, value):
    configure(home, dataDir=value)
    [store] = used(env)
    assert store.root == agent_dir(home) / "memories"
    assert "dataDir" in store.findings[0][1]


@pytest.mark.parametrize("value", [None, "", "  "])
def test_an_empty_data_dir_means_the_default(env, home, value):
    configure(home, dataDir=value)
    [store] = used(env)
    assert (store.root, store.warnings) == (agent_dir(home) / "memories", ())


def test_d12_the_default_place_is_listed_as_not_used_when_data_dir_moved(env, home):
    configure(home, dataDir="/srv/m", memoryCharLimit=9)
    root = entries(agent_dir(home) / "memories")
    first, second = stores(env)
    assert (str(first.root), first.used, limits(first)["memory"]) == ("/srv/m", True, 9)
    assert (second.root, second.used, limits(second)["memory"]) == (root, False, 2_200)
    assert "exists, not used" in second.reason
    assert first.id != second.id


# Settings


def test_three_files_are_merged_key_by_key_and_the_last_wins(make_env, home):
    write_json(agent_dir(home) / "settings.json", {"pi-memory": {"memoryCharLimit": 1, "userCharLimit": 2}})
    write_json(home / "agent" / "settings.json", {"pi-memory": {"memoryCharLimit": 3}})
    env = make_env(environ={"PI_AGENT_HOME": str(home / "agent")})
    entries(home / "agent" / "memories")
    assert limits(stores(env)[0]) == {"memory": 3, "user": 2}
    write_json(env.cwd / ".pi" / "settings.json", {"pi-memory": {"userCharLimit": 4}})
    write_json(agent_dir(home) / "trust.json", {str(env.cwd): True})
    [store] = stores(env)
    assert limits(store) == {"memory": 3, "user": 4}
    source = {limit.group: limit.source for limit in store.profile.limits}
    assert str(env.cwd) in source["user"] and str(home / "agent") in source["memory"]


def test_an_untrusted_projects_settings_are_ignored(env, home):
    configure(home, memoryCharLimit=5)
    write_json(env.cwd / ".pi" / "settings.json", {"pi-memory": {"memoryCharLimit": 6, "dataDir": "/wrong"}})
    [store] = used(env)
    assert (limits(store)["memory"], store.root) == (5, agent_dir(home) / "memories")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("$LIMIT", 4_000),
        ("${LIMIT}", 4_000),
        ("${LIMIT:-9}", 4_000),
        ("${UNSET:-9}", 9),
        ("${EMPTY:-9}", 9),
        ("${lower}", 77),
        ("${LIMIT}0", 40_000),
    ],
)
def test_variables_are_put_in(make_env, home, text, number):
    configure(home, memoryCharLimit=text)
    env = make_env(environ={"LIMIT": "4000", "EMPTY": "", "lower": "77"})
    assert limits(used(env)[0])["memory"] == number


@pytest.mark.parametrize("text", ["$UNSET", "${UNSET}", "$lower", "$$LIMIT", "{LIMIT}"])
def test_what_is_no_variable_or_not_set_is_no_number(make_env, home, text):
    configure(home, memoryCharLimit=text)
    [store] = used(make_env(environ={"LIMIT": "4000", "lower": "77"}))
    assert limits(store)["memory"] == 2_200 and store.findings


def test_in_the_projects_settings_variables_are_plain_text(make_env, home):
    env = make_env(environ={"LIMIT": "4000"})
    install(home, "amaster")
    write_json(env.cwd / ".pi" / "settings.json", {"pi-memory": {"dataDir": "/srv/$LIMIT"}})
    write_json(agent_dir(home) / "trust.json", {str(env.cwd): True})
    assert str(used(env)[0].root) == "/srv/$LIMIT"


@pytest.mark.parametrize("value", [0, -5, 1.5, "many", True, [], {}, None, "1" * 30, "²"])
def test_a_limit_that_is_no_number_means_the_default_and_is_told(env, home, value):
    configure(home, userCharLimit=value)
    [store] = used(env)
    assert limits(store)["user"] == 1_375
    [(code, sentence)] = store.findings
    assert code == "bad-config" and "userCharLimit" in sentence
    assert sentence in locate(env, Config()).warnings


@pytest.mark.parametrize("text", ["{", '{"pi-memory": 3}', '{"pi-memory": []}'])
def test_broken_settings_mean_the_defaults(env, home, text):
    entries(agent_dir(home) / "memories")
    write_json(agent_dir(home) / "settings.json", text)
    [store] = stores(env)
    assert limits(store) == {"memory": 2_200, "user": 1_375}
    assert [code for code, _sentence in store.findings] == (["bad-config"] if text == "{" else [])


# Hermes


def test_hermes_is_read_in_every_directory(env, home):
    root = entries(home / ".hermes" / "memories")
    [store] = used(env, "hermes")
    assert (store.root, store.layout, store.tier) == (root, "entries", "computed")
    assert {limit.unit for limit in store.profile.limits} == {"codepoints"}


def test_d12_hermes_home_is_active_and_the_default_is_listed_as_not_used(make_env, home):
    env = make_env(environ={"HERMES_HOME": str(home / "h")})
    moved, default = entries(home / "h" / "memories"), entries(home / ".hermes" / "memories")
    first, second = stores(env, "hermes")
    assert (first.root, first.used, first.tier) == (moved, True, "config")
    assert (second.root, second.used) == (default, False)
    assert "exists, not used" in second.reason and "HERMES_HOME" in second.reason


def test_a_relative_hermes_home_is_told(make_env, home):
    env = make_env(environ={"HERMES_HOME": "h"})
    root = entries(env.cwd / "h" / "memories")
    [store] = stores(env, "hermes")
    assert store.root == root
    assert store.findings[0][0] == "bad-config" and "HERMES_HOME" in store.findings[0][1]


# By path


def test_directories_of_entries_open_by_their_path(make_env, home, tmp_path):
    env = make_env(environ={"HERMES_HOME": str(tmp_path / "h")})
    places = {
        entries(agent_dir(home) / "memories"): "amaster",
        entries(tmp_path / "copy"): "amaster",
        write(tmp_path / "memories", MEMORY="a single entry"): "amaster",
        entries(home / ".hermes" / "memories"): "hermes",
        entries(tmp_path / "h" / "memories"): "hermes",
        write(tmp_path / "facts", MEMORY="- [A](a.md) — x\n", USER="a fact"): "zcode",
    }
    assert {root: store_at(env, root).owner for root in places} == places
    assert store_at(env, tmp_path / "copy", "hermes").owner == "hermes"


def test_the_configured_directory_by_path_has_the_configured_limits(env, home, tmp_path):
    configure(home, memoryCharLimit=4_000)
    assert limits(store_at(env, entries(agent_dir(home) / "memories")))["memory"] == 4_000
    assert limits(store_at(env, entries(tmp_path / "copy")))["memory"] == 2_200


# F19


def test_f19_each_meter_counts_as_its_owner_counts(home, capfdbinary):
    place = CliHome(home, capfdbinary)
    configure(home, userCharLimit=2_000)
    for root in (agent_dir(home) / "memories", home / ".hermes" / "memories"):
        write(root, MEMORY="🚀" * 1_100, USER="a\n§\nb")
    meters = {}
    for store in place.run("list", "--json").json["stores"]:
        for budget in store["budgets"]:
            meters[store["store"]["owner"], budget["group"]] = (budget["unit"], budget["used"], budget["limit"])
    assert meters["hermes", "memory"] == ("codepoints", 1_100, 2_200)
    assert meters["amaster", "memory"] == ("utf16", 2_200, 2_200)
    assert meters["amaster", "user"] == ("utf16", 5, 2_000)
    assert meters["hermes", "user"] == ("codepoints", 5, 1_375)
    plain = place.run("list").out
    assert "1,100/2,200" in plain and "2,200/2,200" in plain
