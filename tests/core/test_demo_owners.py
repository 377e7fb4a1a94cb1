"""The home with every owner's memory: what it promises to show, and that it is the same wherever it is built."""

import os
import shutil
from pathlib import Path

import pytest

from memtui.core.config import Config
from memtui.core.env import build_env
from memtui.core.layouts.reader import read_store
from memtui.core.layouts.table import LAYOUTS
from memtui.core.locate import locate
from memtui.core.locate.yandy_names import hashed_name
from memtui.core.workspace import Workspace
from memtui.demo.owners import build_owners_home


@pytest.fixture
def project(tmp_path):
    return build_owners_home(tmp_path / "home")


def test_every_owner_is_used_in_its_project(project, tmp_path, monkeypatch):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    monkeypatch.chdir(tmp_path)
    env = build_env(home=str(tmp_path / "home"))
    assert env.cwd == project
    stores = locate(env, Config()).stores
    used = {store.owner: store for store in stores if store.used}
    assert set(used) == {"zcode", "yandy", "amaster", "memweave", "hermes", "claude"}
    assert used["yandy"].layout == "notes" and used["yandy"].root.name == "github.com__ana__shop"
    assert [store.layout for store in stores if not store.used and store.owner == "yandy"] == [
        "topics",
        "topics",
    ]
    for store in (store for store in stores if store.exists):
        layout = LAYOUTS[store.layout]
        assert layout.scan(store, read_store(store, layout)).memories


def test_nothing_is_wrong_with_it_but_the_command_that_three_extensions_claim(project, make_env, tmp_path):
    env = make_env(home=tmp_path / "home", cwd=project)
    problems = [p for snapshot in Workspace(env).snapshots() for p in snapshot.problems if p.severity != "note"]
    assert [problem.code for problem in problems] == ["command-clash"]


def test_two_builds_differ_only_in_what_follows_from_their_place(project, tmp_path):
    build_owners_home(tmp_path / "other")
    found = []
    for home in (tmp_path / "home", tmp_path / "other"):
        files = {}
        for folder, _folders, names in os.walk(home):
            for name in names:
                path = Path(folder) / name
                key = str(path.relative_to(home)).replace(hashed_name(str(home / "code" / "shop")), "HASH")
                files[key] = (path.read_bytes().replace(os.fsencode(home), b"HOME"), path.stat().st_mtime_ns)
        found.append(files)
    assert found[0] == found[1]
