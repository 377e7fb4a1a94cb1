"""`r`: a session goes on in a tmux window of its own, or in memtui's place; and what keeps it from that."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running
from stand_in_tmux import StandInTmux

from memtui.core.agents import resuming
from memtui.core.agents.base import Agent, Pane
from memtui.core.agents.finder import Running
from memtui.core.agents.windows import GO_THERE, window_name, window_words
from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.demo.session_lines import SessionLines

WIDE = (120, 36)
NOW = datetime(2026, 11, 29, tzinfo=UTC)


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
    tmux = StandInTmux()
    async with running(env_of(make_env, demo, pi, tmux=True), size) as driver:
        driver.app.desk.run_tmux = tmux
        keys = ["/", *"deploy script", "enter", "r"]
        await driver.press(*keys)
        [words] = tmux.calls
        assert words[0] == "new-window" and tmux.looks == 1
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
    tmux = StandInTmux()
    async with running(env_of(make_env, demo, pi, tmux=False), WIDE) as driver:
        driver.app.desk.run_tmux = tmux
        await driver.press("3", "g", "r")
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
    tmux = StandInTmux(new_window="no server \x1b[2J running")
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_tmux = tmux
        await driver.press("3", "g", "r")
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
    runner = StandInTmux()
    env = env_of(make_env, demo, pi, tmux=tmux, now=lambda: moment)
    async with running(env, WIDE) as driver:
        driver.app.desk.run_tmux = runner
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


async def test_s16_for_a_directory_that_is_gone_the_nearest_is_offered(
    make_env: MakeEnv, demo: DemoHome, pi: Path
) -> None:
    runner = StandInTmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_tmux = runner
        await driver.press("/", *"rename the module", "enter", "y")
        assert "pi --session /" in driver.app.clipboard and "cd " not in driver.app.clipboard
        await driver.press("r")
        assert "Its directory ~/code/gone is gone; ~/code is the nearest that is there." in driver.words
        assert "there, in a new tmux window?" in driver.words and runner.calls == []
        await driver.press("n", "r", "y")
        [words] = runner.calls
        assert words[0] == "new-window" and words[words.index("memtui") + 1] == str(demo.home / "code")
        assert "in ~/code" in said(driver)
        await driver.press("r", "o")
        assert runner.calls[-1][:4] == ["split-window", "-h", "-t", "%1"]


async def test_config_says_where_it_goes_on(make_env: MakeEnv, demo: DemoHome, pi: Path) -> None:
    runner = StandInTmux("%4 work:1.2")
    env = env_of(make_env, demo, pi, tmux=True)
    env.config_dir.mkdir(parents=True)
    (env.config_dir / "config.yaml").write_text("resume: {in: below}\n")
    async with running(env, WIDE) as driver:
        driver.app.desk.run_tmux = runner
        await driver.press("3", "g", "r")
        assert runner.calls[0][:4] == ["split-window", "-v", "-t", "%1"]
        assert "goes on in tmux pane work:1.2, in ~/code/app" in said(driver)


# A session that runs


def in_pane(number: int, file: Path, *, is_sure: bool = True) -> Agent:
    """A pi in a pane of another session of tmux."""
    shown = Pane(f"%{number}", "@2", f"work:2.{number}", 10 + number, "pi", "x", "/")
    return Agent("pi", 10 + number, "/", shown, (file,), "its title \x1b[2J names it", is_sure=is_sure)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Agent]:
    """The agents that are found."""
    agents: list[Agent] = []
    monkeypatch.setattr(resuming, "find_agents", lambda env, tmux: Running(tuple(agents), is_known=True))
    return agents


async def test_r_goes_to_the_pane_of_the_pi_that_has_it(
    make_env: MakeEnv, demo: DemoHome, pi: Path, found: list[Agent]
) -> None:
    found.append(in_pane(5, staging(demo)))
    runner = StandInTmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_tmux = runner
        await driver.press("3", "g", "r")
        [words] = runner.calls
        assert words[:3] == ["select-window", "-t", "%5"] and words[-1] == "switch-client -t %5"
        assert "“Staging deploy hangs” runs in tmux pane work:2.5: went there" in said(driver)
        # closed meanwhile: that is said, and going on with it is offered
        runner.refused["select-window"] = "can't find window: %5"
        await driver.press("r")
        assert "the pane of its pi, work:2.5, is gone: can't find window: %5" in driver.words
        assert "in a new tmux window all the same?" in driver.words
        await driver.press("y")
        assert runner.calls[-1][0] == "new-window"


async def test_which_of_several_is_asked_with_the_reason(
    make_env: MakeEnv, demo: DemoHome, pi: Path, found: list[Agent]
) -> None:
    found += [in_pane(5, staging(demo), is_sure=False), in_pane(6, staging(demo), is_sure=False)]
    runner = StandInTmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_tmux = runner
        await driver.press("3", "g", "r")
        assert "Where does “Staging deploy hangs” go on?" in driver.words and runner.calls == []
        assert "to work:2.5" in driver.words and "names it" in driver.words and "two branches" in driver.words
        await driver.press("2")
        assert runner.calls[-1][:3] == ["select-window", "-t", "%6"]
        await driver.press("r", "y")
        assert runner.calls[-1][0] == "new-window"


async def test_what_memtui_opened_it_finds_again_before_its_pi_writes(
    make_env: MakeEnv, demo: DemoHome, pi: Path, found: list[Agent]
) -> None:
    runner = StandInTmux()
    idle = replace(in_pane(9, staging(demo)), sessions=(), cwd=str(demo.project))
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_tmux = runner
        await driver.press("3", "g", "r")
        found.append(idle)
        await driver.press("r")
        assert [call[0] for call in runner.calls] == ["new-window", "select-window"]
        assert runner.calls[1][2] == "%9"
        # it has no other session of its directory
        await driver.press("j", "r")
        assert [call[0] for call in runner.calls][2:] == ["new-window"]
        # one of which nothing is known may have any
        found[0] = replace(idle, pane=replace(idle.pane, id="%3") if idle.pane else None)
        await driver.press("r")
        assert "pi in tmux work:2.9 runs in its directory" in driver.words and len(runner.calls) == 3


async def test_one_outside_of_tmux_is_asked_about(
    make_env: MakeEnv, demo: DemoHome, pi: Path, found: list[Agent]
) -> None:
    found.append(replace(in_pane(5, staging(demo)), pane=None))
    runner = StandInTmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_tmux = runner
        await driver.press("3", "g", "r")
        assert "pi (process 15) writes it" in driver.words and "all the same?" in driver.words
        assert runner.calls == []


async def test_without_pi_the_command_is_copied_and_why_is_said(make_env: MakeEnv, demo: DemoHome) -> None:
    async with running(env_of(make_env, demo, None, tmux=False), WIDE) as driver:
        await driver.press("3", "g", "r")
        assert "pi is not on the PATH · sent to the terminal" in said(driver)
        assert driver.app.clipboard == f"cd {demo.project} && pi --session {staging(demo)}"
        assert not driver.app.desk.is_asking


async def test_a_session_that_pi_cannot_open_greys_the_key(make_env: MakeEnv, demo: DemoHome, pi: Path) -> None:
    runner = StandInTmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_tmux = runner
        await driver.press("/", *"header is not the first", "escape")
        assert driver.app.desk.scope == "session"
        await driver.press("r")
        assert "pi cannot continue this session: its header is not the first line" in said(driver)
        assert runner.calls == []


async def test_a_session_that_is_gone_is_not_begun_anew(make_env: MakeEnv, demo: DemoHome, pi: Path) -> None:
    runner = StandInTmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_tmux = runner
        await driver.press("3", "g")
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
    runner = StandInTmux()
    async with running(env_of(make_env, demo, pi, tmux=True), WIDE) as driver:
        driver.app.desk.run_tmux = runner
        for number, name in enumerate(names):
            await driver.press("/", "ctrl+u", *f"nasty number {number}", "enter", "r")
            words = runner.calls[-1]
            directory = words[words.index("memtui") + 1]
            assert directory.replace("\\;", ";") == str(demo.home / "h" / name)
            assert not any("\x1b" in word for word in words)
            await driver.press("q")
    assert len(runner.calls) == len(names)
    assert json.dumps(runner.calls).count("owned") == len(names)
