"""Which stores of yandy's pi-memory belong to a directory, of which generation, which is read, and why."""

from pathlib import Path

import pytest
from cli_home import CliHome
from pi_setup import (
    PROJECT_MEMORY_TOPIC,
    agent_dir,
    install,
    notes,
    old_topics,
    topics,
    tree,
    write,
    write_json,
)

from memtui.core.config import Config
from memtui.core.layouts.notes.rules import NoteRules
from memtui.core.layouts.topics.rules import TopicRules
from memtui.core.locate import locate
from memtui.core.locate.yandy_names import find_project, hashed_name, readable_name


def stores(env):
    return [store for store in locate(env, Config()).stores if store.owner == "yandy"]


def used(env):
    return [store for store in stores(env) if store.used]


def hashed(env, base: Path | None = None) -> Path:
    return (base or env.home / ".pi" / "memory") / hashed_name(str(env.cwd))


def readable(env, base: Path | None = None) -> Path:
    kind, name = readable_name(find_project(env))
    return (base or env.home / ".pi" / "memory") / kind / name


def limits(store):
    return {limit.unit: limit.limit for limit in store.profile.limits}


def generation(store) -> str:
    return store.profile.agents[0].rpartition(" ")[2]


# Nothing, and which one is read


def test_without_the_extension_and_without_files_there_is_no_store(env):
    assert stores(env) == []


@pytest.mark.parametrize(
    ("version", "place", "expected", "layout", "writable"),
    [
        ("0.3.1", hashed, "0.x", "topics", False),
        ("1.0.0", hashed, "1.x", "topics", True),
        ("1.3.2", hashed, "1.x", "topics", True),
        ("1.3.4", hashed, "1.x", "topics", True),
        ("1.4.0", readable, "1.4", "topics", True),
        ("2.0.1", readable, "2.x", "notes", True),
        ("2.3.0", readable, "2.x", "notes", True),
        ("3.0.0-beta.1", readable, "2.x", "notes", True),
    ],
)
def test_in_a_new_project_the_installed_version_says_what_is_made(
    env, home, version, place, expected, layout, writable
):
    install(home, yandy=version)
    before = tree(home)
    [store] = stores(env)
    assert (store.root, generation(store), store.layout) == (place(env), expected, layout)
    assert (store.used, store.exists, store.tier, store.writable) == (True, False, "none", writable)
    assert str(env.cwd) in store.reason and store.warnings == ()
    assert tree(home) == before


def test_in_a_new_project_with_an_unknown_version_both_are_offered(env, home):
    install(home, "yandy")
    first, second = used(env)
    assert {first.layout, second.layout} == {"notes", "topics"}
    assert all("not known" in store.reason for store in (first, second))


def test_adding_with_an_unknown_version_asks_for_a_store(home, capfdbinary):
    place = CliHome(home, capfdbinary)
    install(home, "yandy")
    answered = place.run("add", "--title", "T", "--json")
    assert answered.status == 2
    message = answered.json["error"]["message"]
    assert "--store" in message and "yandy:" in message
    root = home / ".pi" / "memory"
    assert not root.exists()


@pytest.mark.parametrize(
    ("version", "expected"),
    [("1.3.2", "1.x"), ("1.3.4", "1.x"), ("1.4.0", "1.4"), ("2.3.0", "2.x"), ("", "")],
)
def test_what_an_older_or_newer_version_left_is_listed_as_not_used_and_says_why(env, home, version, expected):
    install(home, **({"yandy": version} if version else {"yandy": ""}))
    topics(hashed(env))
    (notes if expected in ("2.x", "") else topics)(readable(env))
    found = {store.root: store for store in stores(env)}
    assert set(found) == {hashed(env), readable(env)}
    assert generation(found[hashed(env)]) == "1.x"
    if not version:
        assert all(store.used for store in found.values())
        return
    unused = found[readable(env) if expected == "1.x" else hashed(env)]
    assert not unused.used and unused.read_by == ()
    left = "1.4" if expected == "1.x" else "1.x"
    assert f"left by pi-memory {left}" in unused.warnings[0] and version in unused.warnings[0]
    assert [generation(store) for store in used(env)] == [expected]


def test_files_that_the_installed_version_does_not_show_are_told(env, home):
    install(home, yandy="2.3.0")
    topics(readable(env))
    [store] = used(env)
    assert store.layout == "notes"
    assert "does not show" in store.warnings[0] and "2.3.0" in store.warnings[0]
    write(readable(env), entry="---\nname: n\ncreated: x\nmodified: y\n---\n")
    assert used(env)[0].warnings == ()


def test_files_of_0_x_are_read_by_the_rules_of_the_version_that_reads_them(env, home):
    old_topics(hashed(env))
    install(home, yandy="1.3.2")
    [store] = used(env)
    assert (generation(store), store.writable) == ("1.x", True)
    install(home, yandy="0.3.1")
    [store] = used(env)
    assert (generation(store), store.writable) == ("0.x", False)


def test_what_pi_does_not_load_is_listed_and_not_used(env):
    topics(hashed(env))
    [store] = stores(env)
    assert (store.used, store.exists, store.tier) == (False, True, "computed")
    assert "not seen to load" in store.reason


def test_an_empty_directory_is_no_memory(env):
    hashed(env).mkdir(parents=True)
    write_json(hashed(env) / ".dream-meta.json", {})
    assert stores(env) == []


# Generation by content


@pytest.mark.parametrize(
    ("make", "place", "expected"),
    [
        (old_topics, hashed, "0.x"),
        (topics, hashed, "1.x"),
        (topics, readable, "1.4"),
        (notes, readable, "2.x"),
    ],
)
def test_content_tells_the_generation_where_no_version_is_known(env, home, make, place, expected):
    install(home, "yandy")
    make(place(env))
    [store] = used(env)
    assert (store.root, generation(store)) == (place(env), expected)
    assert store.writable == (expected != "0.x")


def test_a_lock_alone_is_something(env, home):
    install(home, "yandy")
    readable(env).mkdir(parents=True)
    (readable(env) / ".lock").write_text("{}")
    assert [store.root for store in used(env)] == [readable(env)]


@pytest.mark.parametrize("by", ["review", "types"])
def test_pi_project_memory_is_named(env, by):
    if by == "review":
        write_json(topics(hashed(env)) / ".review-state.json", {})
    else:
        write(hashed(env), MEMORY="- [a](a.md) — b\n", a=PROJECT_MEMORY_TOPIC)
    [store] = stores(env)
    assert any("pi-project-memory" in warning for warning in store.warnings)


def test_windows_line_ends_and_bytes_that_are_not_utf8_do_not_hide_a_generation(env):
    root = notes(readable(env))
    path = root / "Use-tabs.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n").replace(b"In Go", b"\xff"))
    assert generation(stores(env)[0]) == "2.x"


def test_a_linked_directory_is_the_real_one(env, home):
    install(home, yandy="1.3.4")
    real = topics(home / "synced")
    hashed(env).parent.mkdir(parents=True)
    hashed(env).symlink_to(real)
    [store] = used(env)
    assert (store.root, store.writable) == (real, True)
    assert ("symlink", store.warnings[0]) in store.findings


# Configuration


@pytest.mark.parametrize(
    ("named", "expected"), [("~/mem", "{home}/mem"), ("~", "{home}"), ("/srv/m", "/srv/m")]
)
def test_memory_dir_moves_the_base(env, home, named, expected):
    install(home, yandy="1.3.4")
    file = write_json(agent_dir(home) / "memory.json", {"memoryDir": named})
    [store] = used(env)
    assert store.root == hashed(env, Path(expected.format(home=home)))
    assert str(file) in store.reason and store.warnings == ()


def test_d12_the_default_place_is_listed_as_not_used_when_memory_dir_moved(env, home):
    install(home, yandy="1.3.4")
    topics(hashed(env))
    topics(hashed(env, home / "mem"))
    write_json(agent_dir(home) / "memory.json", {"memoryDir": "~/mem"})
    first, second = stores(env)
    assert (first.root, first.used, first.tier) == (hashed(env, home / "mem"), True, "config")
    assert (second.root, second.used) == (hashed(env), False)
    assert "exists, not used" in second.reason and "memoryDir" in second.reason


@pytest.mark.parametrize(
    ("value", "told"), [("mem", "relative"), (7, "usable"), ("", "usable"), (None, "usable")]
)
def test_an_odd_memory_dir_is_told(env, home, value, told):
    install(home, yandy="1.3.4")
    write_json(agent_dir(home) / "memory.json", {"memoryDir": value})
    [store] = used(env)
    base = env.cwd / "mem" if value == "mem" else None
    assert store.root == hashed(env, base)
    [(code, sentence)] = store.findings
    assert code == "bad-config" and told in sentence
    assert sentence in locate(env, Config()).warnings


def test_both_files_are_merged_and_the_projects_alone_needs_no_trust(env, home):
    install(home, yandy="1.3.2")
    write_json(agent_dir(home) / "memory.json", {"memIndexMaxLines": 50, "autoSurfacing": {"maxFiles": 9}})
    write_json(env.cwd / ".pi" / "memory.json", {"memIndexMaxLines": 60, "autoSurfacing": {"maxTopicBytes": 8}})
    [store] = used(env)
    rules = store.profile.rules
    assert isinstance(rules, TopicRules)
    assert (rules.write_lines, rules.surfaced_files, rules.surfaced_topic_bytes) == (60, 9, 8)
    assert limits(store) == {"lines": 60, "bytes": 25_600}


def test_the_projects_file_counts_only_where_pi_trusts_the_project(env, home):
    install(home, yandy="1.3.2")
    write_json(env.cwd / ".pi" / "memory.json", {"memIndexMaxLines": 60})
    write_json(env.cwd / ".pi" / "settings.json", {})
    assert limits(used(env)[0])["lines"] == 200
    write_json(agent_dir(home) / "trust.json", {str(env.cwd): True})
    assert limits(used(env)[0])["lines"] == 60


def test_0_x_has_another_file(env, home):
    install(home, yandy="0.3.1")
    write_json(agent_dir(home) / "memory.json", {"memoryDir": "/wrong"})
    write_json(agent_dir(home) / "pi-memory.json", {"memoryDir": "/srv/m"})
    assert used(env)[0].root == hashed(env, Path("/srv/m"))


@pytest.mark.parametrize("text", ["{", "[]", "\xff", '{"memIndexMaxLines": NaN}'])
def test_a_broken_file_means_the_defaults_and_one_sentence(env, home, text):
    install(home, yandy="1.3.2")
    write_json(agent_dir(home) / "memory.json", text)
    [store] = used(env)
    assert limits(store) == {"lines": 200, "bytes": 25_600}
    assert [code for code, _sentence in store.findings] == ["bad-config"]


@pytest.mark.parametrize("value", ["200", -1, 1.5, True, [], None])
def test_a_number_that_is_none_means_the_default(env, home, value):
    install(home, yandy="1.3.2")
    write_json(agent_dir(home) / "memory.json", {"memIndexMaxLines": value})
    [store] = used(env)
    assert limits(store)["lines"] == 200
    assert len(store.findings) == (value is not None)


@pytest.mark.parametrize(
    ("version", "lines", "size", "capacity"),
    [
        ("1.3.2", 200, 25_600, 200),
        ("1.3.4", 20, 3_072, 200),
        ("1.4.0", 20, 3_072, 200),
        ("2.1.0", 200, 25_600, 200),
        ("2.3.0", 50, 16_384, 200),
    ],
)
def test_each_version_has_its_own_limits(env, home, version, lines, size, capacity):
    install(home, yandy=version)
    [store] = used(env)
    rules = store.profile.rules
    assert isinstance(rules, TopicRules | NoteRules)
    assert (limits(store), rules.write_lines) == ({"lines": lines, "bytes": size}, capacity)
    write_json(
        agent_dir(home) / "memory.json",
        {"memIndexMaxLines": 7, "memIndexInjectMaxLines": 5, "memIndexInjectMaxBytes": 0},
    )
    [store] = used(env)
    rules = store.profile.rules
    assert isinstance(rules, TopicRules | NoteRules)
    apart = version != "1.3.2"
    assert limits(store) == {"lines": 5 if apart else 7, "bytes": 0 if apart else 25_600}
    assert rules.write_lines == 7


def test_1_3_4_surfaces_less(env, home):
    install(home, yandy="1.3.4")
    rules = used(env)[0].profile.rules
    assert isinstance(rules, TopicRules)
    assert (rules.surfaced_files, rules.surfaced_topic_bytes, rules.surfaced_bytes) == (3, 3_072, 10_240)
    write_json(agent_dir(home) / "memory.json", {"autoSurfacing": {"enabled": False}})
    rules = used(env)[0].profile.rules
    assert isinstance(rules, TopicRules) and not rules.surfaces


@pytest.mark.parametrize(("wait_ms", "attempts"), [(5_000, 100), (0, 0), (200, 4), (10**9, 1_200)])
def test_2_x_waits_for_its_lock_as_long_as_configured(env, home, wait_ms, attempts):
    install(home, yandy="2.3.0")
    write_json(agent_dir(home) / "memory.json", {"lock": {"timeoutMs": wait_ms}})
    lock = used(env)[0].profile.lock
    assert lock is not None and lock.waits_s == (0.05,) * attempts


@pytest.mark.parametrize(
    ("version", "loads"), [("1.3.4", False), ("2.3.1", False), ("2.4.0", True), ("", True)]
)
def test_enabled_false_counts_up_to_2_3(env, home, version, loads):
    install(home, yandy=version)
    write_json(agent_dir(home) / "memory.json", {"enabled": False})
    store = next(store for store in used(env) if store.layout == "notes" or version)
    assert store.loads is loads
    told = store.loads_not_because or " ".join(store.warnings)
    assert "`enabled` is false" in told and "memory.json" in told
