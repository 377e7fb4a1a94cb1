"""Agents found in a real tmux: hostile titles and paths, nested servers, dead panes; and the real pi."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from model_server import model_server
from test_real_pi import configure
from tmux_pane import LIMIT_S, needs_tmux

from memtui.core.agent_actions import Running, Tmux, find_agents
from memtui.core.env import Env

pytestmark = needs_tmux

WAITS = "import sys; sys.stdout.write({title!r}); sys.stdout.flush(); sys.stdin.read()"

MakeEnv = Callable[..., Env]


class Server:
    """A tmux server of a test's own."""

    def __init__(self, folder: Path, environ: Mapping[str, str], name: str = "t") -> None:
        self._folder, self._environ, self._socket = folder, environ, name
        self.tmux("new-session", "-d", "-x", "100", "-y", "30", "-c", str(folder), "exec sleep 1000")
        self.own = self.tmux("list-panes", "-F", "#{pane_id}").strip()

    def tmux(self, *words: str) -> str:
        """One tmux command; what it prints."""
        command = ["tmux", "-f", "/dev/null", "-S", self._socket, *words]
        environ = {**self._environ, "SHELL": "/bin/sh"}
        done = subprocess.run(command, cwd=self._folder, env=environ, capture_output=True, check=True)
        return os.fsdecode(done.stdout)

    def open(self, cwd: Path, *words: str) -> str:
        """A window with a program in a directory; gives the id of its pane."""
        there = "cd -- " + shlex.quote(os.fspath(cwd)) + " && exec " + shlex.join(words)
        return self.tmux("new-window", "-d", "-P", "-F", "#{pane_id}", there).strip()

    def open_pi(self, cwd: Path, title: str = "") -> str:
        """The same with a program that is called pi and gives its pane a title."""
        code = WAITS.format(title=f"\x1b]0;{title}\x07")
        start = f"import os, sys; os.execv(sys.executable, ['pi', '-S', '-c', {code!r}])"
        return self.open(cwd, sys.executable, "-S", "-c", start)

    @property
    def environ(self) -> dict[str, str]:
        """What a program in the first pane is told."""
        return {"TMUX": f"{self._folder / self._socket},1,0", "TMUX_PANE": self.own}


@pytest.fixture
def server(tmp_path: Path, child_environ: Mapping[str, str]) -> Iterator[Server]:
    if len(str(tmp_path)) > 90:
        pytest.skip("the path of the socket is too long")
    made = Server(tmp_path, child_environ)
    yield made
    made.tmux("kill-server")


def wait_for(look: Callable[[], Any]) -> Any:
    """Until something is there."""
    deadline = time.monotonic() + LIMIT_S
    while not (found := look()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def test_titles_and_paths_forge_no_pane(
    server: Server, tmp_path: Path, real_environ: Mapping[str, str]
) -> None:
    names = [b"#{pane_id}\t%1 #(touch x)", b"new\nline", b"n\xff\xfe", "字 π".encode()]
    folders = [Path(os.fsdecode(bytes(tmp_path) + b"/" + name)) for name in names]
    panes = []
    for folder in folders:
        folder.mkdir()
        panes.append(server.open_pi(folder, "π - #{pane_id} %1 #(touch x)"))
    tmux = Tmux({"PATH": real_environ["PATH"], **server.environ})
    wait_for(lambda: all(pane.id == server.own or "touch" in pane.title for pane in tmux.panes()))
    calls = tmux.calls
    found = {pane.id: pane for pane in tmux.panes()}
    assert tmux.calls == calls + 1 and set(found) == {server.own, *panes}
    for pane, folder in zip(panes, folders, strict=True):
        told = found[pane]
        assert told.title == "π - #{pane_id} %1 #(touch x)"
        assert (told.command, told.dead, told.in_mode, told.is_shown) == ("pi", False, False, False)
        assert told.cwd == os.fspath(folder) and told.tty.startswith("/dev/") and told.pid > 1
    assert not list(tmp_path.rglob("x"))
    server.tmux("copy-mode", "-t", panes[0])
    assert [pane.id for pane in tmux.panes() if pane.in_mode] == [panes[0]]


def test_what_is_in_a_nested_tmux_or_dead_is_in_no_pane(
    server: Server, tmp_path: Path, make_env: MakeEnv, child_environ: Mapping[str, str], real_environ: Any
) -> None:
    home, cwd = tmp_path / "home", tmp_path / "home" / "work"
    cwd.mkdir(parents=True)
    (tmp_path / "in").mkdir()
    env = make_env(
        home=home,
        cwd=cwd,
        environ={"HOME": str(home), "PATH": real_environ["PATH"], **server.environ},
        now=lambda: datetime.now(UTC),
    )
    inner = Server(tmp_path / "in", child_environ, "u")
    try:
        inner.open_pi(cwd, "π - work")
        server.open(tmp_path / "in", "tmux", "-f", "/dev/null", "-S", "u", "attach")
        server.tmux("set-option", "-g", "remain-on-exit", "on")
        dead = server.open(cwd, "true")
        pane = server.open_pi(cwd, "π - fix it - work")

        def found() -> Running | None:
            running = find_agents(env)
            panes = {agent.pane.id for agent in running.agents if agent.pane is not None}
            return running if panes == {pane} and len(running.beside) == 2 else None

        running = wait_for(found)
        assert dead not in {agent.pane.id for agent in running.agents if agent.pane is not None}
        # each is a real process of its own; the one in the other server is known by that alone
        assert all(agent.pid > 1 and agent.cwd == str(cwd) for agent in running.beside)
        [agent] = [agent for agent in running.agents if agent.pane is not None]
        assert agent.pane is not None and agent.pane.place == "0:3.0" and agent.session is None
    finally:
        inner.tmux("kill-server")


def look(file: Path) -> Any:
    """The row of a session's file."""
    from memtui.core.sessions.quick import look_at

    return look_at(file)


@pytest.mark.skipif(shutil.which("pi") is None, reason="the real pi is not installed (no `pi` on PATH)")
def test_the_real_pi_is_found_with_the_session_that_it_writes(
    server: Server, tmp_path: Path, make_env: MakeEnv, real_environ: Mapping[str, str]
) -> None:
    home, cwd = tmp_path / "home", tmp_path / "home" / "work"
    cwd.mkdir(parents=True)
    environ = {"HOME": str(home), "PATH": real_environ["PATH"]}
    env = make_env(home=home, cwd=cwd, environ={**environ, **server.environ}, now=lambda: datetime.now(UTC))
    with model_server() as address:
        configure(home, address)
        pairs = [f"{name}={value}" for name, value in environ.items()]
        pane = server.open(cwd, "env", *pairs, "pi", "--offline", "-n", "kiwi plan", "say hello")

        def found() -> Any:
            return next((it for it in find_agents(env).beside if it.session is not None), None)

        agent = wait_for(found)
        assert agent.pane is not None and agent.pane.id == pane and agent.pane.command == "pi"
        assert (
            agent.agent_dir == home / ".pi" / "agent" and agent.session.parent.parent.parent == agent.agent_dir
        )
        assert look(agent.session).name == "kiwi plan" and "names it" in agent.because
        server.tmux("kill-pane", "-t", pane)
        wait_for(lambda: not find_agents(env).beside)
