"""`memtui split` and a second `memtui` in one window of a real tmux; and the lines that the README gives."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from app_home import MEMTUI, AppHome
from tmux_pane import Pane, needs_tmux

from memtui.core.own_pane import Tmux, TmuxError, go_to

pytestmark = needs_tmux

ROOT = Path(__file__).resolve().parents[2]


def panes(pane: Pane, form: str = "#{pane_id}") -> list[str]:
    """A line of every pane of the window."""
    return pane.tmux("list-panes", "-F", form).splitlines()


def active(pane: Pane) -> str:
    """The id of the pane that has the keys."""
    return pane.tmux("display-message", "-p", "#{pane_id}").strip()


def note(pane: Pane, which: str) -> str:
    """What is noted on a pane."""
    return pane.tmux("show-options", "-p", "-q", "-v", "-t", which, "@memtui").strip()


@pytest.fixture
def shell(open_pane: Callable[..., Pane]) -> Pane:
    """A shell in the project, from whose programs tmux can be found."""
    pane = open_pane(120, 40, starts=False)
    if not pane.is_found_from_inside:
        pytest.skip("the path of the socket is too long for a program in the pane")
    return pane


def test_split_opens_memtui_beside_and_a_second_one_goes_there(shell: Pane, app_home: AppHome) -> None:
    home = ["--home", str(app_home.home)]
    (first,) = panes(shell)
    shell.run(shlex.join([*MEMTUI, *home, "split", "-h", "--size", "70"]))
    shell.wait(lambda: len(panes(shell)) == 2, "no second pane")
    (second,) = (found for found in panes(shell) if found != first)
    assert panes(shell, "#{pane_width}") == ["49", "70"]
    assert active(shell) == second
    assert note(shell, second).startswith("0 ")
    shell.wait_for("Alpha", "all keys")
    process = panes(shell, "#{pane_pid}")[1]
    shell.wait(lambda: note(shell, second).startswith(f"{process} "), "it did not note itself")
    # from the first pane both ways lead to the second
    there = f"memtui is open in this window already, in pane {second}"
    for words in (["split"], []):
        shell.tmux("select-pane", "-t", first)
        shell.run("clear")
        shell.run(shlex.join([*MEMTUI, *home, *words]))
        shell.wait(lambda: active(shell) == second, f"memtui {words} does not lead there")
        assert len(panes(shell)) == 2
        shell.wait(lambda: there in " ".join(shell.tmux("capture-pane", "-p", "-t", first).split()), "not said")
    # another directory, and --new, are others
    shell.tmux("select-pane", "-t", first)
    shell.run(shlex.join([*MEMTUI, *home, "--cwd", str(app_home.home), "split"]))
    shell.wait(lambda: len(panes(shell)) == 3, "no pane for another directory")
    shell.tmux("kill-pane")
    shell.tmux("select-pane", "-t", first)
    shell.run(shlex.join([*MEMTUI, *home, "--new"]))
    shell.wait_for("Alpha", "all keys")
    assert active(shell) == first
    shell.wait(lambda: note(shell, first), "it did not note itself")
    shell.keys("q")
    shell.wait(lambda: not note(shell, first), "the note stays behind")


def test_one_that_was_killed_is_no_memtui(shell: Pane, app_home: AppHome) -> None:
    (first,) = panes(shell)
    shell.start(app_home)
    shell.wait(lambda: note(shell, first), "it did not note itself")
    os.kill(int(note(shell, first).split()[0]), signal.SIGKILL)
    shell.wait_for("Killed")
    # what it wrote stays on the terminal, and the note on the pane
    assert note(shell, first)
    shell.tmux("split-window", "-h", "-c", str(app_home.project), "/bin/sh")
    shell.wait_for(r"^\$ back in the shell")
    shell.start(app_home)
    assert active(shell) != first


def test_going_to_a_pane_of_another_session_brings_the_terminal_there(
    open_pane: Callable[..., Pane], app_home: AppHome
) -> None:
    pane = open_pane(120, 40, starts=False)
    pane.tmux("new-session", "-d", "-s", "other", "/bin/sh")
    target = pane.tmux("split-window", "-d", "-P", "-F", "#{pane_id}", "-t", "other:", "/bin/sh").strip()
    pane.tmux("new-window", "-t", "other:", "/bin/sh")
    viewer = open_pane(120, 40, starts=False, name="v")
    viewer.run(shlex.join(["env", "-u", "TMUX", "tmux", "-S", pane.socket, "attach", "-t", "=0"]))
    shown = "#{session_name} #{pane_id}"
    viewer.wait(lambda: pane.tmux("list-clients", "-F", shown).startswith("0 "), "nobody looks at it")
    server = pane.tmux("display-message", "-p", "#{socket_path},#{pid},0").strip()
    tmux = Tmux({"TMUX": server, "TMUX_PANE": active(pane), "PATH": os.environ["PATH"]})
    go_to(tmux, target)
    assert pane.tmux("list-clients", "-F", shown) == f"other {target}\n" and tmux.calls == 1
    pane.tmux("kill-pane", "-t", target)
    with pytest.raises(TmuxError, match=target):
        go_to(tmux, target)


@pytest.mark.parametrize("name", ["it's #(touch here); echo x", "$(touch here)\ntouch here", "-rf;"])
def test_the_lines_of_the_readme_hold_in_directories_with_nasty_names(
    open_pane: Callable[..., Pane], app_home: AppHome, name: str
) -> None:
    block = (ROOT / "README.md").read_text().split("For `~/.tmux.conf`:\n\n```\n")[1].split("```")[0]
    directory = app_home.home / "h" / name
    directory.mkdir(parents=True)
    program = app_home.home.parent / "memtui"
    shown = app_home.home.parent / "shown"
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = status ]; then pwd -P > {shown}; exec true; fi\n'
        f'exec {sys.executable} -m memtui --home {app_home.home} --cwd "$(pwd -P)" "$@"\n'
    )
    program.chmod(0o755)
    before = set(app_home.home.parent.rglob("here"))
    pane = open_pane(120, 40, starts=False, PATH=f"{program.parent}:{os.environ['PATH']}")
    conf = app_home.home.parent / "tmux.conf"
    conf.write_text(block)
    pane.tmux("source-file", str(conf))
    (bound,) = re.findall(
        r"^bind-key +-T prefix +m +(.*)$", pane.tmux("list-keys", "-T", "prefix"), re.MULTILINE
    )
    # what the status bar shows and the key does there, with a terminal that shows it
    pane.run("cd ../h/*")
    pane.wait(
        lambda: pane.tmux("display-message", "-p", "#{pane_current_path}") == f"{directory}\n", "not there"
    )
    viewer = open_pane(120, 40, starts=False, name="v")
    pane.tmux("set-option", "-g", "status", "on")
    viewer.run(shlex.join(["env", "-u", "TMUX", "tmux", "-S", pane.socket, "attach"]))
    pane.wait(shown.exists, "the line did not run")
    assert shown.read_text() == f"{directory}\n"
    pane.tmux(*shlex.split(bound))
    pane.wait(lambda: len(panes(pane)) == 2, "no pane")
    pane.wait_for("all keys")
    assert set(app_home.home.parent.rglob("here")) == before
