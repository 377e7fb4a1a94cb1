"""`r` with the real pi in a real tmux: a session goes on, is found in its pane, and goes on where its directory is
gone. Needs `pi` 1.6 on PATH, and tmux."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from app_home import AppHome
from model_server import model_server
from test_real_pi import PI, configure, say
from tmux_pane import Pane, needs_tmux

pytestmark = [
    needs_tmux,
    pytest.mark.skipif(PI is None, reason="the real pi is not installed (no `pi` on PATH)"),
]

NASTY = "it's a dir; #(touch here) $(touch here)"
LONG_AGO = (1_700_000_000, 1_700_000_000)


@pytest.fixture
def shell(
    app_home: AppHome, child_environ: Mapping[str, str], real_environ: Mapping[str, str]
) -> Iterator[Pane]:
    """A shell that finds pi, with a model that answers."""
    with model_server() as address:
        configure(app_home.home, address)
        environ = {**child_environ, "PATH": real_environ["PATH"], "PI_OFFLINE": "1"}
        pane = Pane(app_home, environ, 120, 36)
        try:
            if not pane.is_found_from_inside:
                pytest.skip("the path of the socket is too long for a program in the pane")
            yield pane
        finally:
            pane.close()


@pytest.fixture
def begin(app_home: AppHome, real_environ: Mapping[str, str]) -> Callable[[str], tuple[Path, Path]]:
    """Has pi begin a session in a directory of this name; gives its file and the directory."""

    def begin_one(name: str) -> tuple[Path, Path]:
        directory = app_home.home / "h" / name
        directory.mkdir(parents=True)
        say(app_home.home, directory, real_environ["PATH"], "-p", "apples and pears")
        (file,) = (app_home.home / ".pi" / "agent" / "sessions").rglob("*.jsonl")
        os.utime(file, LONG_AGO)
        return file, directory

    return begin_one


def find(pane: Pane, words: str) -> None:
    """Search for what was said, and open it."""
    pane.keys("/", "C-u")
    pane.type(words)
    pane.wait_for(f"/ {words}", "hit")
    pane.keys("Enter")
    pane.wait_for("hit 1 of ")


def ask_pi(pane: Pane, file: Path, words: str) -> None:
    """Type a message into the pi that has the keys, and wait for its answer in the file."""
    pane.type(words)
    pane.wait_for(words)
    pane.keys("Enter")
    pane.wait(lambda: f"heard: {words}" in file.read_text(), "the session did not grow")


def place(pane: Pane) -> str:
    return pane.tmux("display-message", "-p", "#{window_index}.#{pane_index} #{pane_current_command}").strip()


def test_a_session_goes_on_in_a_new_window_and_then_r_goes_there(
    shell: Pane, app_home: AppHome, begin: Callable[[str], tuple[Path, Path]]
) -> None:
    file, directory = begin(NASTY)
    before = file.read_bytes()
    shell.start(app_home)
    find(shell, "apples")
    shell.keys("r")
    shell.wait(lambda: place(shell) == "1.0 pi", "no pi in a window of its own")
    shell.wait_for("apples and pears")
    assert shell.tmux("display-message", "-p", "#{pane_current_path}") == f"{directory}\n"
    ask_pi(shell, file, "and now plums")
    assert file.read_bytes().startswith(before)
    # another pi beside it in the same directory, which has the keys of that window
    go_there = 'cd -- "$1" && HOME="$2" exec pi'
    shell.tmux("split-window", "-h", "sh", "-c", go_there, "sh", str(directory), str(app_home.home))
    shell.wait(lambda: place(shell) == "1.1 pi", "no second pi")
    shell.tmux("select-window", "-t", ":0")
    shell.wait_for("goes on in tmux window")
    grown = file.read_bytes()
    shell.keys("r")
    shell.wait(lambda: place(shell) == "1.0 pi", "r did not go to the pane of pi")
    ask_pi(shell, file, "and cherries")
    assert file.read_bytes().startswith(grown)
    shell.tmux("select-window", "-t", ":0")
    shell.wait_for("runs in tmux pane")
    assert len(shell.tmux("list-windows").splitlines()) == 2
    # another memtui knows nothing of who opened what: it asks
    shell.keys("q", "q", "q")
    shell.wait_for_shell()
    shell.start(app_home)
    find(shell, "apples")
    shell.keys("r")
    shell.wait_for("Where does “apples and pears” go on", "1 to 0:1.0 +2 to 0:1.1", "may be writing it")
    shell.answer("1", "Where does “apples and pears” go on")
    shell.wait(lambda: place(shell) == "1.0 pi", "1 did not go to its pane")
    assert not list(app_home.home.parent.rglob("here"))


def test_a_session_whose_directory_is_gone_goes_on_in_the_nearest(
    shell: Pane, app_home: AppHome, begin: Callable[[str], tuple[Path, Path]]
) -> None:
    file, directory = begin("gone")
    shutil.rmtree(directory)
    shell.start(app_home)
    find(shell, "apples")
    shell.keys("r")
    shell.wait_for(
        "Its directory ~/h/gone is gone; ~/h is the nearest that is there.", "there, in a new tmux window"
    )
    shell.answer("y", "there, in a new tmux window")
    shell.wait(lambda: place(shell) == "1.0 pi", "no pi in a window of its own")
    shell.wait_for(f"Continue in {directory.parent}")
    shell.keys("Enter")
    shell.wait_for("apples and pears")
    ask_pi(shell, file, "and now plums")
    # its pi is in another directory than the session names: memtui knows that it opened it there
    shell.tmux("select-window", "-t", ":0")
    shell.wait_for("goes on in tmux window")
    shell.keys("r")
    shell.wait(lambda: place(shell) == "1.0 pi", "r did not go to the pane of pi")
