"""`memtui demo`: where it builds, what it refuses, and how it opens."""

import tempfile
from pathlib import Path

import pytest
from cli_home import CliHome

from memtui.core.env import DEMO_NOTE


@pytest.fixture
def cli(home, capfdbinary):
    return CliHome(home, capfdbinary)


def test_a_demo_in_a_new_directory_can_be_looked_at(cli, tmp_path):
    answered = cli.run_bare("demo", str(tmp_path / "demo"), "--no-open")
    assert answered.status == 0 and f"memtui --home {tmp_path / 'demo'}" in answered.out
    listed = cli.run_bare("--home", str(tmp_path / "demo"), "list", "--json")
    assert listed.status == 0 and len(listed.json["stores"][0]["memories"]) > 5


def test_without_a_directory_a_temporary_one_is_made_each_time(cli):
    homes = [Path(cli.run_bare("demo", "--json").json["demo"]["home"]) for _ in range(2)]
    assert homes[0] != homes[1]
    for home in homes:
        assert home.parent == Path(tempfile.gettempdir()) and (home / DEMO_NOTE).is_file()


def test_an_earlier_demo_is_left_as_it_is(cli, tmp_path):
    cli.run_bare("demo", str(tmp_path / "demo"), "--no-open")
    assert cli.run_bare("--home", str(tmp_path / "demo"), "undo").status == 1
    (tmp_path / "demo" / "mine").write_text("kept")
    assert cli.run_bare("demo", str(tmp_path / "demo"), "--no-open").status == 0
    assert (tmp_path / "demo" / "mine").read_text() == "kept"


@pytest.mark.parametrize("kind", ["full", "file"])
def test_anything_else_is_refused(cli, tmp_path, kind):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    target = tmp_path / "full" if kind == "full" else tmp_path / "full" / "file"
    before = cli.tree(tmp_path)
    answered = cli.run_bare("demo", str(target), "--no-open")
    assert answered.status == 2 and answered.err.count("\n") == 1
    assert cli.tree(tmp_path) == before


def test_without_a_terminal_nothing_is_built(cli, tmp_path):
    answered = cli.run_bare("demo", str(tmp_path / "demo"))
    assert answered.status == 2 and "is not a terminal" in answered.err
    assert not (tmp_path / "demo").exists()


def test_it_opens_the_app_in_the_demos_project(cli, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("memtui.cli.demo.require_terminal", lambda env: None)
    monkeypatch.setattr("memtui.__main__._open_app", lambda env, *_: opened.append(env) or 0)
    answered = cli.run_bare("demo", str(tmp_path / "demo"))
    assert answered.status == 0 and str(tmp_path / "demo") in answered.out
    (env,) = opened
    assert (env.home, env.cwd) == (tmp_path / "demo", tmp_path / "demo" / "code" / "app")
