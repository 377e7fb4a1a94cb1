"""One home with the memory of every owner at once: each is named rightly, and none shows another's files."""

import os

import pytest
from cli_home import CliHome, fact
from pi_setup import NOTE, TOPIC, agent_dir, install, notes, old_topics, topics, tree, weave, write

from memtui.core.config import Config
from memtui.core.layouts.reader import read_store
from memtui.core.layouts.table import LAYOUTS
from memtui.core.locate import is_memory_dir, locate
from memtui.core.locate.yandy_names import hashed_name, name_of

OWNERS = ["zcode", "yandy", "amaster", "memweave", "hermes", "claude"]


class Everything(CliHome):
    """All owners' files; `~/.pi/memory` is shared by three generations of yandy's and by memweave."""

    def __init__(self, home, capfdbinary) -> None:
        super().__init__(home, capfdbinary)
        install(home, "zcode", "amaster", "memweave", yandy="2.3.0")
        self.fill()
        self.claude = self.fill_claude({"MEMORY.md": "- [C](c.md) — x\n", "c.md": fact("c")})
        base = home / ".pi" / "memory"
        project = os.path.realpath(self.project)
        self.notes = notes(base / "local" / name_of(project))
        self.topics = topics(base / hashed_name(project))
        self.foreign = old_topics(base / "583f97f48ef4")
        self.weave = weave(base)
        self.amaster = write(agent_dir(home) / "memories", MEMORY="one\n§\ntwo", USER="me")
        self.hermes = write(home / ".hermes" / "memories", MEMORY="three")

    @property
    def roots(self):
        return {
            "zcode": self.store,
            "yandy": self.notes,
            "amaster": self.amaster,
            "memweave": self.weave,
            "hermes": self.hermes,
            "claude": self.claude,
        }


@pytest.fixture
def place(home, capfdbinary):
    return Everything(home, capfdbinary)


def test_where_names_each_with_one_sentence_and_says_which_are_used(place):
    answered = place.run("where", "--json")
    assert answered.status == 0
    found = answered.json["stores"]
    assert [store["owner"] for store in found if store["used"]] == OWNERS
    used = {store["owner"]: store for store in found if store["used"]}
    assert {owner: store["path"] for owner, store in used.items()} == {
        o: str(r) for o, r in place.roots.items()
    }
    assert {owner: store["layout"] for owner, store in used.items()} == {
        "zcode": "facts",
        "yandy": "notes",
        "amaster": "entries",
        "memweave": "events",
        "hermes": "entries",
        "claude": "facts",
    }
    for store in found:
        assert store["reason"] and "\n" not in store["reason"] and store["exists"]
    assert len({store["id"] for store in found}) == len(found)


def test_where_tells_older_generations_and_other_projects_apart(place):
    unused = {s["path"]: s for s in place.run("where", "--json").json["stores"] if not s["used"]}
    assert set(unused) == {str(place.topics), str(place.foreign)}
    left = unused[str(place.topics)]
    assert (left["owner"], left["layout"], left["writable"]) == ("yandy", "topics", True)
    assert "left by pi-memory 1.x" in left["warnings"][0] and "2.3.0" in left["warnings"][0]
    other = unused[str(place.foreign)]
    assert (other["owner"], other["layout"], other["writable"]) == ("yandy", "topics", False)
    assert other["reason"] == "of a project that is not known"


def test_three_extensions_on_one_command_are_told(place):
    problems = [p for s in place.run("check", "--json").json["stores"] for p in s["problems"]]
    [clash] = [problem for problem in problems if problem["code"] == "command-clash"]
    for number in (1, 2, 3):
        assert f"/memory:{number} of" in clash["message"]


def test_no_view_shows_the_files_of_another(make_env, place):
    env = make_env(cwd=place.project)
    seen: dict[str, str] = {}
    for store in locate(env, Config()).stores:
        layout = LAYOUTS[store.layout]
        for path, file in layout.scan(store, read_store(store, layout)).files.items():
            full = str(store.root / path)
            if file.kind != "dir":
                assert seen.setdefault(full, store.id) == store.id, full
    assert str(place.weave / "key1/tasks/task_1/state.json") in seen
    assert str(place.notes / "Use-tabs.md") in seen and str(place.topics / "build.md") in seen


def test_list_check_and_show_work_on_every_store_and_make_nothing(place):
    before = tree(place.home)
    listed = place.run("list", "--json").json["stores"]
    assert [store["store"]["owner"] for store in listed] == OWNERS
    for store in place.run("where", "--json").json["stores"]:
        [one] = place.run("list", "--store", store["id"], "--json").json["stores"]
        assert one["memories"], store["id"]
        for memory in one["memories"]:
            shown = place.run("show", memory["id"], "--store", store["id"], "--json")
            assert shown.status == 0 and shown.json["memory"]["id"] == memory["id"]
            assert place.run("show", memory["id"], "--store", store["id"]).status == 0
        assert place.run("show", "--agent-view", "--store", store["id"], "--json").status == 0
        assert place.run("check", "--store", store["id"], "--json").status in (0, 1)
        assert place.run("list", "--store", store["id"]).status == 0
    for verb in ("where", "list", "check"):
        assert "Traceback" not in place.run(verb).err
    assert tree(place.home) == before


def test_each_owner_alone_is_a_store_name_where_it_is_unique(place):
    for owner in OWNERS:
        [store] = place.run("list", "--store", owner, "--json").json["stores"]
        assert store["store"]["path"] == str(place.roots[owner])


def test_adding_asks_which_of_the_used_stores_is_meant(place):
    before = tree(place.home)
    answered = place.run("add", "--title", "T", "--json")
    assert answered.status == 2
    message = answered.json["error"]["message"]
    for owner in ("zcode", "yandy", "amaster", "hermes", "claude"):
        assert f"{owner}:" in message
    assert "memweave" not in message
    assert tree(place.home) == before


@pytest.mark.parametrize("owner", OWNERS)
def test_every_store_opens_by_its_path(make_env, place, owner):
    from memtui.core.workspace import Workspace

    root = place.roots[owner]
    assert is_memory_dir(root)
    env = make_env(cwd=place.project)
    by_project = next(store for store in Workspace(env).locate().stores if store.root == root)
    for named in ("", owner):
        [store] = Workspace(env, path=root, owner=named).locate().stores
        assert (store.owner, store.layout, store.root, store.tier) == (owner, by_project.layout, root, "path")
        assert store.id == by_project.id
        assert Workspace(env, path=root, owner=named).snapshots()[0].memories


def test_an_owner_narrows_a_project_to_its_stores(make_env, place):
    from memtui.core.workspace import Workspace

    env = make_env(cwd=place.project)
    for owner in OWNERS:
        assert {store.owner for store in Workspace(env, owner=owner).locate().stores} == {owner}


def test_the_same_file_names_in_several_stores_are_no_trouble(place):
    for root, text in ((place.notes, NOTE), (place.topics, TOPIC), (place.store, fact("same"))):
        write(root, same=text)
    answered = place.run("show", "same.md", "--json")
    assert answered.status == 2
    message = answered.json["error"]["message"]
    assert "zcode:" in message and "yandy:" in message
