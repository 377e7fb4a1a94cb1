"""Which memory extensions pi loads for a directory: packages, folders, patterns, trust, and two on one command."""

import json
from pathlib import Path

import pytest
from pi_setup import AMASTER, MEMWEAVE, YANDY, ZCODE, agent_dir, install, make_package, settings, write_json

from memtui.core.config import Config
from memtui.core.locate import locate
from memtui.core.locate.pi_extensions import find_extensions
from memtui.core.locate.pi_packages import parse_source
from memtui.core.locate.pi_trust import is_trusted


def found(env):
    return find_extensions(env, agent_dir(env.home))


def loaded(env):
    return [extension.owner for extension in found(env).found if extension.loaded]


def trust(home: Path, path: Path, decision) -> None:
    file = agent_dir(home) / "trust.json"
    decisions = json.loads(file.read_text()) if file.exists() else {}
    write_json(file, {**decisions, str(path): decision})


def project_settings(env, **values) -> None:
    write_json(env.cwd / ".pi" / "settings.json", values)


# Sources


@pytest.mark.parametrize(
    ("text", "place", "version", "identity"),
    [
        ("npm:@a/b", "npm/node_modules/@a/b", "", "npm:@a/b"),
        ("npm: @a/b@1.2.3", "npm/node_modules/@a/b", "1.2.3", "npm:@a/b"),
        ("npm:@a/b@^1.2", "npm/node_modules/@a/b", "", "npm:@a/b"),
        ("npm:b@1.2", "npm/node_modules/b", "", "npm:b"),
        ("npm:b@latest", "npm/node_modules/b", "", "npm:b"),
        ("git:github.com/u/r", "git/github.com/u/r", "", "git:github.com/u/r"),
        ("git:github.com/u/r@v1.2.3", "git/github.com/u/r", "", "git:github.com/u/r"),
        ("git:git@github.com:u/r.git", "git/github.com/u/r", "", "git:github.com/u/r"),
        ("git:git@github.com:u/r@main", "git/github.com/u/r", "", "git:github.com/u/r"),
        ("git:github:u/r", "git/github.com/u/r", "", "git:github.com/u/r"),
        ("git:u/r", "git/github.com/u/r", "", "git:github.com/u/r"),
        ("https://user@host.org:8443/u/r.git#dev", "git/host.org/u/r", "", "git:host.org/u/r"),
        ("git://host.org/u/r", "git/host.org/u/r", "", "git:host.org/u/r"),
        ("ssh://git@host.org/u/r", "git/host.org/u/r", "", "git:host.org/u/r"),
        ("@a/b", "@a/b", "", "local:{folder}/@a/b"),
        ("github:u/r", "github:u/r", "", "local:{folder}/github:u/r"),
        ("git@host:u/r", "git@host:u/r", "", "local:{folder}/git@host:u/r"),
        ("./x/../y", "y", "", "local:{folder}/y"),
        ("git:../../x", "git:../../x", "", None),
    ],
)
def test_sources_are_read_as_pi_reads_them(env, tmp_path, text, place, version, identity):
    source = parse_source(env, tmp_path, text)
    if identity is None:
        assert source.is_local
        return
    assert (source.place, source.version) == (tmp_path / place, version)
    assert source.identity == identity.format(folder=tmp_path)


def test_home_and_file_addresses_are_local(env, home, tmp_path):
    assert parse_source(env, tmp_path, " ~/ext ").place == home / "ext"
    assert parse_source(env, tmp_path, "file:///opt/my%20ext").place == Path("/opt/my ext")


# Packages


def test_an_npm_package_and_its_version(env, home):
    install(home, yandy="1.3.4")
    [extension] = found(env).found
    assert (extension.owner, extension.package, extension.version, extension.loaded) == (
        "yandy",
        YANDY,
        "1.3.4",
        True,
    )
    assert extension.said_by == agent_dir(home) / "settings.json"


def test_what_is_listed_and_not_installed_yet_has_the_version_it_asks_for(env, home):
    settings(home, packages=[f"npm:{YANDY}@1.3.2", f"npm:{AMASTER}@^0.1"])
    assert [(e.owner, e.version, e.loaded) for e in found(env).found] == [
        ("yandy", "1.3.2", True),
        ("amaster", "", True),
    ]


def test_a_git_package_is_known_by_its_checkout_also_inside_of_a_larger_repository(env, home):
    checkout = agent_dir(home) / "git" / "github.com" / "yandy" / "pi-packages"
    make_package(checkout, "pi-packages", entries=("./pi-memory/index.ts",), files=())
    make_package(checkout / "pi-memory", YANDY, "1.4.0")
    settings(home, packages=["git:github.com/yandy/pi-packages@main"])
    [extension] = found(env).found
    assert (extension.owner, extension.version) == ("yandy", "1.4.0")


def test_a_local_path_is_known_by_its_package(env, home):
    make_package(home / "src" / "pi-memory", YANDY, "2.3.0")
    settings(home, packages=["../../src/pi-memory", "~/src/gone"])
    [extension] = found(env).found
    assert (extension.owner, extension.version) == ("yandy", "2.3.0")


def test_a_bare_scoped_name_is_a_local_path(env, home):
    settings(home, packages=[YANDY])
    assert found(env).found == ()
    make_package(agent_dir(home) / YANDY, YANDY, "1.3.4")
    assert loaded(env) == ["yandy"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, True),
        ({"skills": []}, True),
        ({"extensions": []}, False),
        ({"extensions": ["index.ts"]}, True),
        ({"extensions": ["*.ts"]}, True),
        ({"extensions": ["src/*.ts"]}, False),
        ({"extensions": ["!index.ts"]}, False),
        ({"extensions": ["!**"]}, False),
        ({"extensions": ["!*.ts", "+./index.ts"]}, True),
        ({"extensions": ["-index.ts"]}, False),
        ({"extensions": ["+index.ts", "-index.ts"]}, False),
        ({"extensions": ["!other.ts"]}, True),
        ({"autoload": False}, False),
        ({"autoload": False, "extensions": ["index.ts"]}, True),
        ({"autoload": False, "extensions": ["+index.ts"]}, True),
        ({"autoload": False, "extensions": ["*.ts", "-index.ts"]}, False),
    ],
)
def test_patterns_beside_a_source_say_what_is_loaded(env, home, options, expected):
    install(home, "yandy")
    settings(home, packages=[{"source": f"npm:{YANDY}", **options}])
    assert found(env).loads("yandy") is expected
    assert found(env).of("yandy") is not None


@pytest.mark.parametrize(
    ("options", "expected"), [({"extensions": []}, False), ({"autoload": False}, False), ({}, True)]
)
def test_patterns_count_before_a_package_is_installed_too(env, home, options, expected):
    settings(home, packages=[{"source": f"npm:{YANDY}", **options}])
    assert found(env).loads("yandy") is expected


def test_a_package_without_extensions_loads_none(env, home):
    settings(home, packages=[f"npm:{YANDY}"])
    make_package(agent_dir(home) / "npm" / "node_modules" / YANDY, YANDY, "1.3.4", entries=None)
    assert (found(env).of("yandy") is not None, found(env).loads("yandy")) == (True, False)


@pytest.mark.parametrize(
    "value", ["{", "[]", '{"packages": "npm:x"}', '{"packages": [3, null, {"source": 4}, {}]}']
)
def test_odd_settings_are_no_exception(env, home, value):
    write_json(agent_dir(home) / "settings.json", value)
    assert found(env).found == ()


def test_odd_package_files_are_no_exception(env, home):
    install(home, "yandy", "amaster")
    modules = agent_dir(home) / "npm" / "node_modules"
    write_json(modules / YANDY / "package.json", "[" * 100_000)
    write_json(modules / AMASTER / "package.json", {"name": 4, "version": [], "pi": {"extensions": [1, {}]}})
    assert found(env).found == ()


# The project


def test_a_package_of_the_project_replaces_the_users(env, home):
    install(home, yandy="1.3.4")
    make_package(env.cwd / ".pi" / "npm" / "node_modules" / YANDY, YANDY, "2.3.0")
    project_settings(env, packages=[f"npm:{YANDY}"])
    trust(home, env.cwd, True)
    [extension] = found(env).found
    assert (extension.version, extension.said_by) == ("2.3.0", env.cwd / ".pi" / "settings.json")


def test_the_project_can_take_a_package_away(env, home):
    install(home, yandy="1.3.4")
    project_settings(env, packages=[{"source": f"npm:{YANDY}", "extensions": []}])
    trust(home, env.cwd, True)
    assert loaded(env) == []


@pytest.mark.parametrize(("patterns", "expected"), [([], True), (["-index.ts"], False), (["!**"], False)])
def test_without_autoload_the_project_only_changes_the_users_package(env, home, patterns, expected):
    install(home, yandy="1.3.4")
    project_settings(env, packages=[{"source": f"npm:{YANDY}", "autoload": False, "extensions": patterns}])
    trust(home, env.cwd, True)
    [extension] = found(env).found
    assert (extension.loaded, extension.version) == (expected, "1.3.4")


def test_an_untrusted_project_has_no_say(env, home):
    install(home, yandy="1.3.4")
    project_settings(env, packages=[{"source": f"npm:{YANDY}", "extensions": []}])
    make_package(env.cwd / ".pi" / "extensions" / "m", MEMWEAVE)
    assert (loaded(env), found(env).trusted) == (["yandy"], False)
    trust(home, env.cwd, True)
    assert (loaded(env), found(env).trusted) == (["memweave"], True)


# Folders


def test_a_file_in_a_checkout_is_known_by_the_package_above_it(env, home):
    checkout = make_package(
        home / "src" / "pi-zcode-memory", ZCODE, "0.2.0", files=("extensions/zcode-memory.ts",)
    )
    settings(home, extensions=["~/src/pi-zcode-memory/extensions/zcode-memory.ts"])
    [extension] = found(env).found
    assert (extension.owner, extension.version) == ("zcode", "0.2.0")
    settings(home)
    link = agent_dir(home) / "extensions" / "zcode-memory.ts"
    link.parent.mkdir()
    link.symlink_to(checkout / "extensions" / "zcode-memory.ts")
    [extension] = found(env).found
    assert (extension.owner, extension.said_by) == ("zcode", link.parent)


@pytest.mark.parametrize(
    ("entries", "files", "expected"),
    [
        (("./main.ts",), ("main.ts",), ["yandy"]),
        (None, ("index.ts",), ["yandy"]),
        (None, ("index.js",), ["yandy"]),
        (("./gone.ts",), ("index.ts",), ["yandy"]),
        (None, ("other.ts",), []),
        (("./gone.ts",), (), []),
    ],
)
def test_a_folder_needs_an_entry(env, home, entries, files, expected):
    make_package(agent_dir(home) / "extensions" / "memory", YANDY, "1.3.4", entries, files)
    assert loaded(env) == expected


def test_hidden_folders_and_other_files_are_passed_over(env, home):
    for name in (".hidden", "node_modules"):
        make_package(agent_dir(home) / "extensions" / name, YANDY)
    write_json(agent_dir(home) / "extensions" / "zcode-memory.json", {})
    (agent_dir(home) / "extensions" / "dangling.ts").symlink_to("nowhere.ts")
    assert found(env).found == ()


def test_overrides_switch_a_discovered_folder_off(env, home):
    make_package(agent_dir(home) / "extensions" / "memory", YANDY)
    settings(home, extensions=["-extensions/memory/index.ts"])
    assert (found(env).of("yandy") is not None, loaded(env)) == (True, [])


def test_a_listed_folder_is_searched_like_the_usual_one(env, home):
    make_package(home / "mine" / "memory", YANDY, "1.3.4")
    settings(home, extensions=["~/mine", "builtin:mcp", "*.ts"])
    assert loaded(env) == ["yandy"]
    settings(home, extensions=["~/gone.ts"])
    assert loaded(env) == []


# Trust


def trusted(env, **values):
    return is_trusted(env, agent_dir(env.home), values)


def test_a_project_that_asks_for_nothing_is_trusted(env):
    write_json(env.cwd / ".pi" / "memory.json", {})
    assert trusted(env)


@pytest.mark.parametrize("name", ["settings.json", "extensions", "SYSTEM.md", "mcp.json"])
def test_a_project_that_asks_is_not_trusted_before_a_decision(env, home, name):
    write_json(env.cwd / ".pi" / name, {})
    assert not trusted(env)
    assert trusted(env, defaultProjectTrust="always")
    assert not trusted(env, defaultProjectTrust="never")
    trust(home, env.cwd, True)
    assert trusted(env, defaultProjectTrust="never")


def test_the_nearest_decision_counts_and_null_is_none(env, home):
    write_json(env.cwd / ".pi" / "settings.json", {})
    trust(home, env.cwd.parent, True)
    assert trusted(env)
    trust(home, env.cwd, None)
    assert trusted(env)
    trust(home, env.cwd, False)
    assert not trusted(env)


def test_a_stored_refusal_counts_for_a_project_that_asks_for_nothing(env, home):
    trust(home, env.cwd, False)
    assert not trusted(env)


def test_decisions_are_kept_for_the_real_path(make_env, home):
    write_json(home / "real" / ".pi" / "settings.json", {})
    (home / "link").symlink_to("real")
    trust(home, home / "real", True)
    assert trusted(make_env(cwd=home / "link"))


def test_skills_above_ask_and_the_persons_own_do_not(make_env, home):
    (home / ".agents" / "skills").mkdir(parents=True)
    cwd = home / "a" / "b"
    cwd.mkdir(parents=True)
    assert trusted(make_env(cwd=cwd))
    (home / "a" / ".agents" / "skills").mkdir(parents=True)
    assert not trusted(make_env(cwd=cwd))


def test_a_broken_list_of_decisions_is_none(env, home):
    write_json(env.cwd / ".pi" / "settings.json", {})
    write_json(agent_dir(home) / "trust.json", "{")
    assert not trusted(env)


# Two on one command


def clashes(env):
    return [
        (store.owner, sentence)
        for store in locate(env, Config()).stores
        for code, sentence in store.findings
        if code == "command-clash"
    ]


def test_one_extension_is_no_clash(env, home):
    install(home, "yandy", "memweave")
    assert (found(env).clash, clashes(env)) == ("", [])


def test_two_extensions_on_one_command_are_told_in_the_order_in_which_pi_loads_them(env, home):
    install(home, "yandy")
    make_package(agent_dir(home) / "extensions" / "z", ZCODE)
    [(owner, sentence)] = clashes(env)
    assert owner == "zcode"
    assert f"/memory:1 of {ZCODE}" in sentence and f"/memory:2 of {YANDY}" in sentence
    assert sentence in locate(env, Config()).warnings


def test_what_is_listed_and_not_loaded_claims_nothing(env, home):
    install(home, "yandy", "amaster")
    settings(home, packages=[f"npm:{YANDY}", {"source": f"npm:{AMASTER}", "extensions": []}])
    assert clashes(env) == []
