"""The environment is read once, and `--home` and `--cwd` replace it as the command line promises."""

from __future__ import annotations

import os
import pwd
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memtui.core.env import DEMO_NOTE, Env, build_env
from memtui.core.errors import UsageError


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory below HOME that is the working directory, with a PWD that says so."""
    project = home / "code" / "app"
    project.mkdir(parents=True)
    monkeypatch.chdir(project)
    monkeypatch.setenv("PWD", str(project))
    return project


def test_without_options_the_system_says_where(
    home: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/elsewhere")
    env = build_env()
    assert (env.home, env.cwd, env.logical_cwd) == (home, project, None)
    assert env.get("CLAUDE_CONFIG_DIR") == "/elsewhere"
    assert env.get("NO_SUCH_VARIABLE") == ""
    for own in (env.config_dir, env.state_dir, env.cache_dir):
        assert home in own.parents and own.name == "memtui"
        assert not own.exists()


def test_the_environment_is_a_copy(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = build_env()
    monkeypatch.setenv("PI_LATER", "1")
    assert env.get("PI_LATER") == ""


def test_the_clock_has_a_time_zone_and_can_be_replaced(project: Path) -> None:
    assert build_env().now().tzinfo is not None
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    assert build_env(now=lambda: moment).now() == moment


def test_home_stands_in_for_home_and_hides_what_agents_read(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = ("PI_CODING_AGENT_DIR", "CLAUDE_CONFIG_DIR", "ZCODE_STORAGE_DIR", "CODEX_HOME", "HERMES_HOME")
    for name in (*hidden, "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, "/elsewhere")
    monkeypatch.setenv("EDITOR", "vi")
    env = build_env(home=str(tmp_path), cwd=str(project))
    assert env.home == tmp_path
    assert env.config_dir == tmp_path / ".config/memtui"
    assert env.state_dir == tmp_path / ".local/state/memtui"
    assert env.cache_dir == tmp_path / ".cache/memtui"
    assert [name for name in (*hidden, "XDG_CONFIG_HOME") if env.get(name)] == []
    assert env.get("EDITOR") == "vi"
    assert env.get("HOME") == str(tmp_path)


def test_home_may_be_relative(home: Path, project: Path) -> None:
    assert build_env(home="../..").home == home
    assert build_env(home="../..").cwd == project


def test_home_without_cwd_takes_a_working_directory_below_it(home: Path, project: Path) -> None:
    assert build_env(home=str(home)).cwd == project


def test_home_named_through_a_symlink_still_holds_its_working_directory(
    tmp_path: Path, home: Path, project: Path
) -> None:
    (tmp_path / "alias").symlink_to(home)
    assert build_env(home=str(tmp_path / "alias")).cwd == project


def test_home_without_cwd_elsewhere_is_refused(tmp_path: Path, project: Path) -> None:
    with pytest.raises(UsageError) as caught:
        build_env(home=str(tmp_path))
    assert caught.value.code == "home-without-cwd"
    assert caught.value.exit_status == 2
    assert str(tmp_path) in caught.value.message and "--cwd" in caught.value.message


def test_home_whose_name_begins_alike_does_not_count_as_above(home: Path, project: Path) -> None:
    twin = home / "code" / "ap"
    twin.mkdir()
    with pytest.raises(UsageError):
        build_env(home=str(twin))


def test_a_demo_home_names_its_own_project(tmp_path: Path, project: Path) -> None:
    (tmp_path / DEMO_NOTE).write_text("work/demo project\nanything\n")
    assert build_env(home=str(tmp_path)).cwd == tmp_path / "work/demo project"


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_demo_note_that_is_no_file_is_no_note(tmp_path: Path, project: Path, make) -> None:  # type: ignore[no-untyped-def]
    make(tmp_path / DEMO_NOTE)
    with pytest.raises(UsageError):
        build_env(home=str(tmp_path))


def test_cwd_need_not_exist_and_is_made_absolute(home: Path, project: Path) -> None:
    assert build_env(cwd="/srv/gone/../there").cwd == Path("/srv/there")
    assert build_env(cwd="sub").cwd == project / "sub"
    assert build_env(cwd="").cwd == project


def test_cwd_through_a_symlink_equals_going_there(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alias = tmp_path / "alias"
    alias.symlink_to(project)
    named = build_env(cwd=str(alias))
    monkeypatch.chdir(alias)
    monkeypatch.setenv("PWD", str(alias))
    gone_there = build_env()
    assert (named.cwd, named.logical_cwd) == (project, alias)
    assert (gone_there.cwd, gone_there.logical_cwd) == (project, alias)


@pytest.mark.parametrize("lie", ["", "relative", "/", "/no/such/directory", "a\0b"])
def test_pwd_counts_only_where_it_is_the_working_directory(
    project: Path, monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    if "\0" not in lie:
        monkeypatch.setenv("PWD", lie)
    assert build_env().logical_cwd is None


def test_pwd_is_ignored_when_cwd_is_given(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "alias").symlink_to(project)
    monkeypatch.setenv("PWD", str(tmp_path / "alias"))
    assert build_env(cwd=str(project)).logical_cwd is None


class TestVanishedWorkingDirectory:
    """The directory that memtui was started in has been removed."""

    @pytest.fixture(autouse=True)
    def _vanish(self, project: Path) -> None:
        project.rmdir()

    def test_it_is_said(self) -> None:
        with pytest.raises(UsageError) as caught:
            build_env()
        assert caught.value.code == "no-cwd"

    def test_cwd_helps(self, home: Path) -> None:
        assert build_env(cwd=str(home)).cwd == home
        with pytest.raises(UsageError):
            build_env(cwd="relative")

    def test_a_demo_home_helps(self, tmp_path: Path) -> None:
        (tmp_path / DEMO_NOTE).write_text("work\n")
        assert build_env(home=str(tmp_path)).cwd == tmp_path / "work"

    def test_a_relative_home_cannot_be_found(self) -> None:
        with pytest.raises(UsageError):
            build_env(home="relative", cwd="/srv")


@pytest.mark.parametrize("named", [None, "", "relative/home"])
def test_without_a_usable_home_variable_the_account_says_it(
    project: Path, monkeypatch: pytest.MonkeyPatch, named: str | None
) -> None:
    if named is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", named)
    assert build_env().home == Path(pwd.getpwuid(os.getuid()).pw_dir)


def test_the_fixture_builds_the_same_environment_every_time(env: Env, home: Path) -> None:
    assert env.now() == datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert env.cwd == home / "code" / "app"
    assert env.cwd.is_dir()
