"""`r`: a session goes on in a tmux window of its own, or in memtui's place; and what keeps it from that."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running

from memtui.core.agents.tmux import TmuxError
from memtui.core.agents.windows import GO_THERE, window_name, window_words
from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.demo.session_lines import SessionLines

WIDE = (120, 36)
NOW = datetime(2026, 11, 29, tzinfo=UTC)


class Tmux:
    """Stands in for tmux: remembers what it was given, and opens nothing where it has a `problem`."""

    def __init__(self, problem: str = "") -> None:
        self.calls: list[list[str]] = []
        self._problem = problem

    def __call__(self, words: Sequence[str], environ: Mapping[str, str]) -> str:
        self.calls.append(list(words))
        if self._problem:
            raise TmuxError(self._problem)
        return "work:3"


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """A pi that nothing here runs."""
    program = tmp_path / "bin" / "pi"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


def env_of(make_env: MakeEnv, demo: DemoHome, pi: Path | None, *, tmux: bool, **more: object) -> Env:
    path = "/nowhere" if pi is None else str(pi.parent)
    environ = {"PATH": path, **({"TMUX": "/tmp/t,1,0", "TMUX_PANE": "%1"} if tmux else {})}
    return make_env(home=demo.home, cwd=demo.project, environ=environ, **more)


def staging(demo: DemoHome) -> Path:
    [file] = (demo.home / ".pi").rglob("*000000000001.jsonl")
    return file


def said(driver: Driver) -> str:
    return " ".join((driver.words + " " + driver.app.desk.status.said).split())


@pytest.mark.parametrize("size", [WIDE, (80, 24), (45, 20), (40, 10)])
async def test_story_7_find_and_resume_takes_the_query_and_two_keys(
    make_env: MakeEnv, demo: DemoHome, pi: Path, size: tuple[int, int]
) -> None:
    tmux = Tmux()
    async with running(env_of(make_env, demo, pi, tmux=True), size) as driver:
        driver.app.desk.run_program = tmux
        keys = ["/", *"deploy script", "enter", "r"]
        await driver.press(*keys)
        [words] = tmux.calls
        assert words[:2] == ["tmux", "new-window"]
        assert words[-8:] == [
            *("sh", "-c", GO_THERE, "memtui"),
            *(str(demo.project), str(pi), "--session", str(staging(demo))),
        ]
        assert "goes on in tmux window work:3" in said(driver) and "~/code/app" in said(driver)
        assert driver.app.is_running
    assert len(keys) == len("deploy script") + 3


async def test_what_tmux_gets_is_one_word_each_and_no_format(make_env: MakeEnv) -> None:
    words = window_words(
        "#(touch x) #[fg=red]title #{pid}",
        "/tmp/#(touch x);",
        ("/bin/pi", "--session", "/s;"),
        {"PATH": "/bin"},
    )
    name = words[words.index("-n") + 1]
    assert "#" not in name and name.startswith("(touch x)")
    # nothing but the name goes through tmux's formats, and no word ends a command
    assert words[words.index("env") :] == [
        *("env", "PATH=/bin", "sh", "-c", GO_THERE, "memtui"),
        *("/tmp/#(touch x)\\;", "/bin/pi", "--session", "/s\\;"),
    ]
    assert not any(word.endswith(";") and not word.endswith("\\;") for word in words)
    assert "-c" not in words[: words.index("env")]
    assert window_name("##") == "pi"


async def test_outside_of_tmux_it_asks_and_leaves_for_pi(make_env: MakeEnv, demo: DemoHome, pi: Path) -> None:
    tmux = Tmux()
    async with running(env_of(make_env, demo, pi, tmux=False), WIDE) as driver:
        driver.app.desk.run_program = tmux
        await driver.press("3", "r")
        assert "Leave memtui and resume “Staging deploy hangs” here?" in driver.words
        await driver.press("n")
        assert driver.app.is_running and driver.app.launch is None
        await driver.press("r", "y")
        launch = driver.app.launch
    assert launch is not None and not driver.app.is_running
    assert launch.words == (str(pi), "--session", str(staging(demo)))
    assert launch.directory == str(demo.project)
    assert tmux.calls == []


async def test_a_tmux_that_opens_nothing_leads_to_the_same_question(
    make_env: MakeEnv, demo: DemoHome, pi: Path
) -> None:
    tmux = Tmux("no server \x1b[2J running")
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_program = tmux
        await driver.press("3", "r")
        assert "tmux opened no window: no server ␛[2J running" in driver.words
        assert "Leave memtui and resume" in driver.words
        await driver.press("n")
        assert driver.app.is_running and len(tmux.calls) == 1


@pytest.mark.parametrize("tmux", [True, False])
async def test_a_session_that_is_written_to_is_asked_about_with_what_would_happen(
    make_env: MakeEnv, demo: DemoHome, pi: Path, tmux: bool
) -> None:
    env = make_env()
    late = timedelta(seconds=staging(demo).stat().st_mtime + 5 - env.now().timestamp())
    moment = env.now() + late
    runner = Tmux()
    env = env_of(make_env, demo, pi, tmux=tmux, now=lambda: moment)
    async with running(env, WIDE) as driver:
        driver.app.desk.run_program = runner
        # a session from a clock that was wrong stands first in the list of all, not in this project's
        index = next(
            n for n, row in enumerate(driver.app.desk.search.list.rows) if "Staging" in row.cells[1].text
        )
        await driver.press("3", "g", *(["j"] * index), "r")
        assert "This session may be in use: it was written to 5 seconds ago" in driver.words
        assert "two branches" in driver.words and runner.calls == []
        await driver.press("y")
        assert len(runner.calls) == tmux
        assert (driver.app.launch is None) == tmux


async def test_s16_a_directory_that_is_gone_is_said_and_y_copies(
    make_env: MakeEnv, demo: DemoHome, pi: Path
) -> None:
    runner = Tmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_program = runner
        await driver.press("/", *"rename the module", "enter", "r")
        assert "its directory is gone: " in said(driver) and "code/gone; y copies the command" in said(driver)
        assert runner.calls == [] and driver.app.clipboard == ""
        await driver.press("y")
        assert "pi --session /" in driver.app.clipboard and "cd " not in driver.app.clipboard


async def test_without_pi_the_command_is_copied_and_why_is_said(make_env: MakeEnv, demo: DemoHome) -> None:
    async with running(env_of(make_env, demo, None, tmux=False), WIDE) as driver:
        await driver.press("3", "r")
        assert "pi is not on the PATH · sent to the terminal" in said(driver)
        assert driver.app.clipboard == f"cd {demo.project} && pi --session {staging(demo)}"
        assert not driver.app.desk.is_asking


async def test_a_session_that_pi_cannot_open_greys_the_key(make_env: MakeEnv, demo: DemoHome, pi: Path) -> None:
    runner = Tmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_program = runner
        await driver.press("/", *"header is not the first", "escape")
        assert driver.app.desk.scope == "session"
        await driver.press("r")
        assert "pi cannot continue this session: its header is not the first line" in said(driver)
        assert runner.calls == []


async def test_a_session_that_is_gone_is_not_begun_anew(make_env: MakeEnv, demo: DemoHome, pi: Path) -> None:
    runner = Tmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_program = runner
        await driver.press("3")
        staging(demo).unlink()
        await driver.press("r")
        assert "000000000001.jsonl" in said(driver) and runner.calls == []


async def test_s16_nasty_names_stay_single_words(make_env: MakeEnv, demo: DemoHome, pi: Path) -> None:
    folder = demo.home / ".pi" / "agent" / "sessions" / "--nasty--"
    folder.mkdir()
    names = ["it's a dir; echo x", "line\nend", "$(x)", "-rf", "#(x);"]
    for number, name in enumerate(names):
        directory = demo.home / "h" / name
        directory.mkdir(parents=True)
        lines = SessionLines(70 + number, str(directory), NOW)
        lines.user(f"nasty number {number} \x1b]0;owned\x07 #(x)")
        (folder / lines.file_name).write_bytes(lines.data)
    runner = Tmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_program = runner
        for number, name in enumerate(names):
            await driver.press("/", "ctrl+u", *f"nasty number {number}", "enter", "r")
            words = runner.calls[-1]
            directory = words[words.index("memtui") + 1]
            assert directory.replace("\\;", ";") == str(demo.home / "h" / name)
            assert not any("\x1b" in word for word in words)
            await driver.press("q")
    assert len(runner.calls) == len(names)
    assert json.dumps(runner.calls).count("owned") == len(names)
