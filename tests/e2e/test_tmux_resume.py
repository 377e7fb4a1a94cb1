"""`r` in a real tmux, with a `pi` that writes down where it ran and what it was given."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from app_home import MEMTUI, AppHome
from tmux_pane import LEFT_ALONE, Pane, needs_tmux

from memtui.demo.session_lines import SessionLines

pytestmark = needs_tmux

NASTY = ["it's a dir; echo x", "line\nend", "$(touch here)", "#(touch here)", "-rf", "ends;", "`touch here`"]

PI = """#!{python}
import json, os, sys
ran = dict(argv=sys.argv[1:], cwd=os.getcwd(), tty=os.isatty(0) and os.isatty(1))
with open({out!r} + ".new", "w") as file:
    json.dump(ran, file)
os.rename({out!r} + ".new", {out!r})
print("this is pi")
input()
"""


class Pi:
    """The stand-in, and what it wrote."""

    def __init__(self, root: Path) -> None:
        self.out = root / "ran.json"
        self.folder = root / "bin"
        self.folder.mkdir()
        program = self.folder / "pi"
        program.write_text(PI.format(python=sys.executable, out=str(self.out)))
        program.chmod(0o755)

    def ran(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.out.read_text())
        return found


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


@pytest.fixture
def open_shell(app_home: AppHome, child_environ: Mapping[str, str], pi: Pi) -> Iterator[Callable[[], Pane]]:
    """Opens a pane with a shell that finds the stand-in."""
    opened: list[Pane] = []

    def open_one() -> Pane:
        environ = {**child_environ, "PATH": f"{pi.folder}:{child_environ['PATH']}"}
        opened.append(Pane(app_home, environ, 120, 36))
        return opened[-1]

    yield open_one
    for pane in opened:
        pane.close()


def put_session(home: AppHome, name: str, number: int = 1) -> tuple[Path, Path]:
    """A session in a directory of this name; gives its file and the directory."""
    directory = home.home / "h" / name
    directory.mkdir(parents=True)
    lines = SessionLines(number, str(directory), datetime(2025, 11, 29, tzinfo=UTC))
    lines.user(f"nasty number {number} #(touch here) #[fg=red] {name}")
    folder = home.home / ".pi" / "agent" / "sessions" / "--nasty--"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / lines.file_name
    file.write_bytes(lines.data)
    # long ago: no pi seems to use it
    os.utime(file, (1_700_000_000, 1_700_000_000))
    return file, directory


def find(pane: Pane, words: str) -> None:
    """Search for a session that says something, and open it."""
    pane.keys("/", "C-u")
    pane.type(words)
    pane.wait_for(f"/ {words}", "1 hit ")
    pane.keys("Enter")
    pane.wait_for("hit 1 of 1", f"> you(.|\n)*{words}")


def test_s16_r_opens_a_window_in_the_sessions_own_directory(
    open_shell: Callable[[], Pane], app_home: AppHome, pi: Pi
) -> None:
    files = [put_session(app_home, name, number) for number, name in enumerate(NASTY, 1)]
    pane = open_shell()
    if not pane.is_found_from_inside:
        pytest.skip("the path of the socket is too long for a program in the pane")
    pane.start(app_home)
    before = set(app_home.home.parent.rglob("here"))
    for number, (file, directory) in enumerate(files, 1):
        find(pane, f"nasty number {number}")
        pane.keys("r")
        pane.wait(pi.out.exists, f"pi does not run in {directory}")
        ran = pi.ran()
        assert ran["argv"] == ["--session", str(file)]
        assert ran["cwd"] == str(directory)
        assert ran["tty"] is True
        pane.wait_for("this is pi")
        name = pane.tmux("display-message", "-p", "#{window_name}").strip()
        assert name.startswith(f"nasty number {number}") and "#" not in name
        pi.out.unlink()
        pane.keys("Enter")
        pane.wait_for("goes on in tmux window 0:1")
        pane.keys("q", "q")
        pane.wait_for("Alpha")
    assert set(app_home.home.parent.rglob("here")) == before


def test_s16_for_a_directory_that_is_gone_a_worktree_of_its_repository_is_taken(
    open_shell: Callable[[], Pane], app_home: AppHome, pi: Pi
) -> None:
    file, directory = put_session(app_home, "it's; #(touch here)-fix")
    directory.rmdir()
    main = directory.parent / "it's; #(touch here)"
    note = main / ".git" / "worktrees" / "fix"
    note.mkdir(parents=True)
    (main / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (note / "gitdir").write_text(f"{directory}/.git\n")
    pane = open_shell()
    if not pane.is_found_from_inside:
        pytest.skip("the path of the socket is too long for a program in the pane")
    pane.start(app_home)
    find(pane, "nasty number 1")
    pane.keys("r")
    pane.wait_for("is the main worktree", "there, in a new tmux window")
    pane.answer("y", "there, in a new tmux window")
    pane.wait(pi.out.exists, "pi does not run")
    ran = pi.ran()
    assert ran["argv"] == ["--session", str(file)] and ran["cwd"] == str(main)
    assert not list(app_home.home.parent.rglob("here"))


def test_outside_of_tmux_pi_takes_the_terminal_over(
    open_shell: Callable[[], Pane], app_home: AppHome, pi: Pi
) -> None:
    file, directory = put_session(app_home, "it's a dir; echo x")
    pane = open_shell()
    pane.run(shlex.join(["env", "-u", "TMUX", "-u", "TMUX_PANE", *MEMTUI, "--home", str(app_home.home)]))
    pane.wait_for("Alpha", "all keys")
    find(pane, "nasty number 1")
    pane.keys("r")
    pane.wait_for("Leave memtui and resume")
    pane.answer("y", "Leave memtui and resume")
    pane.wait(pi.out.exists, "pi does not run")
    ran = pi.ran()
    assert ran["argv"] == ["--session", str(file)]
    assert ran["cwd"] == str(directory)
    assert ran["tty"] is True
    pane.wait(lambda: pane.modes == LEFT_ALONE, "the terminal is not restored")
    pane.wait_for("this is pi")
    assert "Alpha" not in pane.text
    pane.keys("Enter")
    pane.wait_for_shell()
