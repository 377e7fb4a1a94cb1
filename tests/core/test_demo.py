"""The demo home: the same bytes and times wherever it is built, and really what it promises to show."""

import json
import os
from pathlib import Path

import pytest

from memtui.core import fs
from memtui.core.config import Config
from memtui.core.env import DEMO_NOTE, build_env
from memtui.core.errors import StorageError, UsageError
from memtui.core.locate import locate
from memtui.core.locate.claude import encoded_name
from memtui.demo import FIXED_NOW, build_demo

SESSIONS = ".pi/agent/sessions/"
PINNED = {f"code/{name}/.pi/zcode-memory.json" for name in ("app", "long", "messy")}


def contents(home: Path):
    found = {}
    for folder, folders, files in os.walk(home):
        for name in (*folders, *files):
            path = Path(folder) / name
            status = path.lstat()
            kind = fs.kind_of(path)
            data = path.read_bytes() if kind == "file" else os.readlink(path) if kind == "symlink" else None
            size = status.st_size if kind == "file" else None
            found[str(path.relative_to(home))] = (kind, data, status.st_mode, status.st_mtime_ns, size)
    return found


def masked(home: Path):
    """The contents with the home's own path taken out of the sessions and of the folders named after it."""
    found = {}
    for name, (kind, data, mode, time_ns, size) in contents(home).items():
        if name.startswith(SESSIONS):
            name = name.replace(str(home)[1:].replace("/", "-"), "HOME")
            data = data and data.replace(str(home).encode(), b"HOME")
            size = data and len(data)
        name = name.replace(encoded_name(str(home)), "HOME")
        found[name] = (kind, data, mode, time_ns, size)
    return found


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return build_demo(tmp_path_factory.mktemp("demo") / "home")


def located(make_env, demo, cwd):
    return locate(make_env(home=demo.home, cwd=cwd), Config())


def test_two_builds_differ_only_in_the_pinned_paths(demo, tmp_path):
    other = build_demo(tmp_path / "somewhere" / "else")
    first, second = masked(demo.home), masked(other.home)
    assert first.keys() == second.keys()
    assert {name for name in first if first[name] != second[name]} == PINNED
    for name in PINNED:
        one, two = (json.loads(c[name][1]) for c in (first, second))
        assert one["dir"].removeprefix(str(demo.home)) == two["dir"].removeprefix(str(other.home))


def test_nothing_but_the_pinned_paths_names_the_place(demo):
    for name, (_kind, data, *_rest) in masked(demo.home).items():
        if name not in PINNED and data is not None:
            assert str(demo.home) not in (data if isinstance(data, str) else os.fsdecode(data))


def test_ages_count_from_the_given_moment(tmp_path):
    later = FIXED_NOW.replace(year=2027)
    demo = build_demo(tmp_path / "demo", later)
    age_s = later.timestamp() - (demo.store / "prefer-small-commits.md").stat().st_mtime
    assert age_s == 21 * 24 * 3600


def test_home_alone_leads_to_the_project(demo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    env = build_env(home=str(demo.home))
    assert (env.home, env.cwd) == (demo.home, demo.project)


def test_every_project_leads_to_its_store(make_env, demo):
    for cwd, root, tier in (
        (demo.project, demo.store, "config"),
        (demo.long_project, demo.long_store, "config"),
        (demo.messy_project, demo.messy_store, "config"),
    ):
        used = [s for s in located(make_env, demo, cwd).stores if s.used and s.owner == "zcode"]
        assert [(store.root, store.tier, store.exists) for store in used] == [(root, tier, True)]


def test_store_ids_do_not_depend_on_the_place(make_env, demo):
    ids = [store.id for store in located(make_env, demo, demo.project).stores if store.used]
    assert ids == ["zcode:app-1c3f58a90d6e27b4", "claude:code-app"]


def test_app_has_twelve_facts_of_all_four_types_and_its_few_problems(demo):
    facts = {p.name: p.read_text() for p in demo.store.glob("*.md") if p.name != "MEMORY.md"}
    index = (demo.store / "MEMORY.md").read_text()
    assert len(facts) == 12
    assert {
        t for t in ("user", "feedback", "project", "reference") for f in facts.values() if f"type: {t}" in f
    } == {
        "user",
        "feedback",
        "project",
        "reference",
    }
    assert "(grafana-old.md)" in index and "grafana-old.md" not in facts
    assert [name for name in facts if f"{name})" not in index] == ["oncall-dashboard.md"]
    assert index.count("staging-port.md") == 2
    assert len(facts["import-incident.md"].encode()) > 4096


def test_long_has_205_lines_and_a_file_for_each(demo):
    assert (demo.long_store / "MEMORY.md").read_text().count("\n") == 205
    assert len(list(demo.long_store.iterdir())) == 206


def test_messy_attacks_and_is_switched_off(make_env, demo):
    store = next(s for s in located(make_env, demo, demo.messy_project).stores if s.owner == "zcode" and s.used)
    assert not store.loads
    index = (demo.messy_store / "MEMORY.md").read_bytes()
    assert index.startswith(b"\xef\xbb\xbf") and b"\r\n" in index and not index.endswith(b"\n")
    assert len(index.decode().encode("utf-16-le")) // 2 > 25_000
    for attack in (b"\x1b]52;", b"\x1b[2J", "\u202e".encode(), "\u200b".encode(), b"[@click=app.quit]"):
        assert attack in index
    assert (demo.messy_store / "linked.md").resolve() == demo.messy_project / "NOTES.md"
    with pytest.raises(UnicodeDecodeError):
        (demo.messy_store / "cafe.md").read_text("utf-8")


def test_messy_has_broken_settings(make_env, demo):
    stores = located(make_env, demo, demo.messy_project).stores
    claude = next(store for store in stores if store.owner == "claude")
    assert [code for code, _sentence in claude.findings] == ["bad-config"]


def test_names_that_the_file_system_refuses_are_left_out(tmp_path, monkeypatch):
    original = fs.write_new

    def write_new(path, data, **keywords):
        if not path.name.isascii() or not path.name.isprintable():
            raise OSError(84, "Illegal byte sequence", str(path))
        original(path, data, **keywords)

    import memtui.demo

    monkeypatch.setattr(fs, "write_new", write_new)
    monkeypatch.setattr(memtui.demo.app, "STORE", ())
    demo = build_demo(tmp_path / "demo")
    assert (demo.messy_store / "hostile.md").exists()


def test_a_finished_demo_is_left_as_it_is(tmp_path):
    demo = build_demo(tmp_path / "demo")
    (demo.store / "MEMORY.md").write_text("mine\n")
    assert build_demo(tmp_path / "demo") == demo
    assert (demo.store / "MEMORY.md").read_text() == "mine\n"


def test_a_directory_with_anything_else_is_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="not empty"):
        build_demo(tmp_path)
    assert os.listdir(tmp_path) == ["file"]


def test_a_refusing_disk_is_one_clear_error_and_no_finished_demo(tmp_path, monkeypatch):
    def write_new(path, data, **keywords):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(fs, "write_new", write_new)
    with pytest.raises(StorageError, match="No space left"):
        build_demo(tmp_path / "demo")
    assert not (tmp_path / "demo" / DEMO_NOTE).exists()
