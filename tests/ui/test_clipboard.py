"""U05: what is copied goes where it is said to go, and a text that goes nowhere is not called copied."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_driver import MakeEnv, running

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.ui.clipboard import TERMINAL_BYTES, copy

FACT = "prefer-small-commits.md"


@pytest.fixture
def bin_dir(tmp_path: Path) -> Path:
    """A directory for PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    return folder


def fake_tmux(folder: Path, *, knows_w: bool = True, fails: bool = False) -> None:
    """A tmux that keeps what it is given beside it, with its arguments."""
    refuse = "" if knows_w else 'case "$*" in *-w*) echo "unknown flag -w" >&2; exit 1;; esac\n'
    fail = 'echo "no server running" >&2; exit 1\n' if fails else ""
    script = f'#!/bin/sh\n{fail}{refuse}printf "%s" "$*" > "{folder}/arguments"\n/bin/cat > "{folder}/buffer"\n'
    path = folder / "tmux"
    path.write_text(script)
    path.chmod(0o755)


def env_in_tmux(make_env: MakeEnv, folder: Path) -> Env:
    return make_env(environ={"TMUX": "/tmp/tmux-0/default,1,0", "PATH": str(folder)})


def test_u05_in_tmux_it_is_in_the_buffer_and_was_sent_on(make_env: MakeEnv, bin_dir: Path) -> None:
    fake_tmux(bin_dir)
    copied = copy(env_in_tmux(make_env, bin_dir), "a; $(b) 'c'\n\udcff")
    assert (bin_dir / "buffer").read_bytes() == b"a; $(b) 'c'\n\xff"
    assert (bin_dir / "arguments").read_text() == "load-buffer -w -"
    assert "tmux buffer" in copied.where and "terminal" in copied.where
    assert copied.is_there and copied.for_terminal is None


def test_u05_an_old_tmux_keeps_it_in_the_buffer_only(make_env: MakeEnv, bin_dir: Path) -> None:
    fake_tmux(bin_dir, knows_w=False)
    copied = copy(env_in_tmux(make_env, bin_dir), "x")
    assert (bin_dir / "arguments").read_text() == "load-buffer -"
    assert "only" in copied.where and copied.is_there


def test_u05_a_hundred_kilobytes_are_in_the_buffer_and_not_sent_on(make_env: MakeEnv, bin_dir: Path) -> None:
    fake_tmux(bin_dir)
    copied = copy(env_in_tmux(make_env, bin_dir), "x" * 100_000)
    assert (bin_dir / "buffer").stat().st_size == 100_000
    assert (bin_dir / "arguments").read_text() == "load-buffer -"
    assert "only" in copied.where


@pytest.mark.parametrize("there", [True, False])
def test_u05_when_tmux_fails_the_terminal_gets_it_and_why_is_said(
    make_env: MakeEnv, bin_dir: Path, there: bool
) -> None:
    if there:
        fake_tmux(bin_dir, fails=True)
    copied = copy(env_in_tmux(make_env, bin_dir), "x")
    assert copied.for_terminal == "x"
    assert ("no server running" if there else "cannot be found") in copied.where
    assert "may not" in copied.where


def test_u05_outside_of_tmux_it_is_for_the_terminal_up_to_its_limit(make_env: MakeEnv) -> None:
    env = make_env(environ={"PATH": ""})
    short = copy(env, "x" * TERMINAL_BYTES)
    assert short.is_there and short.for_terminal == "x" * TERMINAL_BYTES
    long = copy(env, "x" * (TERMINAL_BYTES + 1))
    assert not long.is_there and long.for_terminal is None and "too long" in long.where


# On the screen


async def test_y_copies_the_path_of_a_memory_and_capital_y_its_text(make_env: MakeEnv, demo: DemoHome) -> None:
    async with running(make_env(home=demo.home, cwd=demo.project)) as driver:
        driver.go_to(FACT)
        await driver.press("y")
        assert driver.app.clipboard == str(demo.store / FACT)
        assert FACT in driver.words and "sent to the terminal" in driver.words
        await driver.press("Y")
        assert driver.app.clipboard == (demo.store / FACT).read_text("utf-8")
        assert "the text of" in driver.words


async def test_in_tmux_the_terminal_gets_nothing_of_its_own(
    make_env: MakeEnv, demo: DemoHome, bin_dir: Path
) -> None:
    fake_tmux(bin_dir)
    environ = {"TMUX": "x", "PATH": str(bin_dir)}
    async with running(make_env(home=demo.home, cwd=demo.project, environ=environ)) as driver:
        driver.go_to(FACT)
        await driver.press("y")
        assert (bin_dir / "buffer").read_text() == str(demo.store / FACT)
        assert "copied to the tmux buffer, sent to the terminal: …/" in driver.words
        assert driver.app.clipboard == ""


async def test_what_has_no_text_or_no_command_is_said(make_env: MakeEnv, demo: DemoHome) -> None:
    async with running(make_env(home=demo.home, cwd=demo.project), (120, 36)) as driver:
        dead = next(i for i in driver.app.desk.view.items.values() if i.memory.state == "missing")  # type: ignore[union-attr]
        driver.app.desk.index.list.go_to(dead.row_id)
        await driver.press("Y")
        assert "has no text" in driver.app.desk.status.said
        await driver.press("3", "H", "/", *"not a header", "escape")
        await driver.press("ctrl+u")
    assert driver.app.clipboard == ""
