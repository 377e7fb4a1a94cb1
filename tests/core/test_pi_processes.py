"""Which agent is running where: real processes, the shapes that Linux shows of them, and what `ps` tells."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memtui.core.agents.process import agent_of
from memtui.core.agents.process_status import PS, from_ps, read_lsof, read_ps
from memtui.core.agents.processes import is_running, list_processes
from memtui.core.env import Env

WAIT = "import sys; print(flush=True); sys.stdin.read()"


@pytest.mark.usefixtures("real_processes")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_s19_a_process_named_pi_is_found_with_its_directory(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()

    def start(name: str) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [name, "-S", "-c", WAIT],
            executable=sys.executable,
            cwd=work,
            env={"HOME": "/home/dev", "PI_CODING_AGENT_DIR": "~/π", "OPENAI_API_KEY": "sk-0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert child.stdout is not None and child.stdout.readline() == b"\n"
        return child

    before = time.time()
    with start("/opt/bin/pi") as pi, start("pip") as other:
        found = list_processes()
        [process] = [process for process in found.agents if process.pid == pi.pid]
        assert process.cwd == os.path.realpath(work) and process.agent == "pi"
        assert process.ancestors[0] == os.getpid() == found.own[0] and found.is_known
        assert process.ancestors[1:] == found.own[1:] and is_running(pi.pid)
        assert abs(process.started - before) < 5
        # of the environment nothing is kept but where pi has its files
        assert process.environ == (("HOME", "/home/dev"), ("PI_CODING_AGENT_DIR", "~/π"))
        assert other.pid not in {process.pid for process in found.agents}
        # its directory is removed under it, as that of a worktree is
        work.rmdir()
        [process] = [process for process in list_processes().agents if process.pid == pi.pid]
        assert process.cwd == f"{os.path.realpath(tmp_path)}/work"
        pi.communicate()
        other.communicate()
    assert not is_running(pi.pid)
    assert pi.pid not in {process.pid for process in list_processes().agents}


def proc(folder: Path, pid: int, comm: str, cmdline: bytes, stat: str) -> None:
    """What Linux shows of a process."""
    (folder / str(pid)).mkdir(parents=True)
    (folder / str(pid) / "comm").write_text(comm + "\n")
    (folder / str(pid) / "cmdline").write_bytes(cmdline)
    (folder / str(pid) / "stat").write_text(f"{pid} ({comm}) S {stat} {'0 ' * 13}500 0")
    (folder / str(pid) / "cwd").symlink_to("/home/dev/app")


@pytest.mark.parametrize(
    ("comm", "cmdline", "agent"),
    [
        ("pi", b"pi\0\0\0", "pi"),
        ("node", b"node\0--no-warnings\0/usr/lib/node_modules/.bin/pi\0--continue\0", "pi"),
        ("MainThread", b"node\0/usr/bin/codex\0", "codex"),
        ("bun", b"/opt/bun\0/opt/pi\0", "pi"),
        ("claude", b"claude\0", "claude"),
        ("python3", b"/usr/bin/python3\0/home/dev/.local/bin/hermes\0", "hermes"),
        ("python3.13", b"/opt/venv/bin/python3.13\0/opt/venv/bin/hermes\0", "hermes"),
        ("node", b"node\0/srv/api.js\0pi\0", ""),
        ("vim", b"vim\0pi\0", ""),
        ("pi-hole", b"pi-hole\0", ""),
        ("a) (b", b"a) (b\0", ""),
        ("kworker", b"", ""),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_what_counts_as_an_agent(comm: str, cmdline: bytes, agent: str, tmp_path: Path) -> None:
    proc(tmp_path, 42, comm, cmdline, f"7 42 42 {136 << 8 | 5} 42")
    proc(tmp_path, 7, "a) S 1 (sh", b"sh\0", "1 7 7 0 -1")
    (tmp_path / "43").mkdir()
    (tmp_path / "self").mkdir()
    found = [
        (it.pid, it.cwd, it.agent, it.ancestors, it.tty, it.is_front, it.environ)
        for it in list_processes(tmp_path).agents
    ]
    assert found == ([(42, "/home/dev/app", agent, (7, 1), "/dev/pts/5", True, None)] if agent else [])
    assert agent_of(cmdline.decode().split("\0")) == ("" if comm == "a) (b" else agent)


PRINTED = """\
    1     0     0     1    -1 ??       10-01:02:03 /sbin/launchd
  500     1   501   500   512 ttys003     02:10 -zsh
  512   500   501   512   512 ttys003     01:05 pi
  600   500   501   600   512 ttys003     00:07 /opt/node/bin/node --x /opt/homebrew/bin/pi -p hi
  700     1   502   700    -1 ??          00:07 pi
  800   512   501   800    -1 ??       1-00:00:01 claude
garbage
"""


def test_what_ps_and_lsof_tell_where_there_is_no_proc() -> None:
    agents, own = read_ps(PRINTED, user=501, own=600, now=1000.0)
    assert [(it.pid, it.agent, it.ancestors, it.tty, it.is_front, it.started) for it in agents] == [
        (512, "pi", (500, 1), "/dev/ttys003", True, 935.0),
        (600, "pi", (500, 1), "/dev/ttys003", False, 993.0),
        (800, "claude", (512, 500, 1), "", False, 1000.0 - 86401),
    ]
    assert own == (600, 500, 1)
    assert read_lsof("p5\nn/d\\xc3\\xa9 \\\\x41\\t\\q\\\n") == {5: "/d\xe9 \\x41\tq\\"}
    assert read_lsof("p512\nfcwd\nn/home/dev/my app\np600\nfcwd\nnot allowed\n") == {512: "/home/dev/my app"}


@pytest.mark.usefixtures("real_processes")
@pytest.mark.skipif(shutil.which("ps") is None, reason="there is no ps")
def test_the_ps_of_this_system_tells_of_a_process_named_pi(tmp_path: Path) -> None:
    # POSIX: a heading goes to the end of its argument, so what stands behind it there is no column
    assert all(word.endswith("=") for word in PS if "=" in word) and PS.count("-o") == 8
    words, work = ["pi", "-S", "-c", WAIT], tmp_path / "d\xe9 \\x41 \\ \t\n\u6f22"
    work.mkdir()
    with subprocess.Popen(
        words, executable=sys.executable, cwd=work, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as pi:
        assert pi.stdout is not None and pi.stdout.readline() == b"\n"
        found = from_ps()
        [process] = [process for process in found.agents if process.pid == pi.pid]
        assert (process.agent, process.ancestors[0], found.own[0]) == ("pi", os.getpid(), os.getpid())
        assert process.cwd == ("" if shutil.which("lsof") is None else os.path.realpath(work))
        pi.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_started_by_the_shell_tool_of_a_pi_memtui_knows_its_session(
    home: Path, env: Env, child_environ: Mapping[str, str]
) -> None:
    def agents(*arguments: str) -> list[dict[str, Any]]:
        words = [sys.executable, "-m", "memtui", *arguments, "--json"]
        tool = f"import subprocess, sys; sys.exit(subprocess.run({words!r}).returncode)"
        done = subprocess.run(
            ["pi", "-S", "-c", tool],
            executable=sys.executable,
            cwd=env.cwd,
            env={**child_environ, "HOME": str(home), "PI_SESSION_FILE": "/else where/s.jsonl"},
            capture_output=True,
            check=True,
        )
        found: list[dict[str, Any]] = json.loads(done.stdout)["agents"]
        return found

    [agent] = agents("status")
    assert agent["session"] == "/else where/s.jsonl" and "shell tool" in agent["because"]
    assert (agent["agent"], agent["cwd"], agent["pane"]) == ("pi", str(env.cwd), None)
    # with another home none of pi's variables counts
    [agent] = agents("status", "--home", str(home))
    assert agent["session"] is None and agent["candidates"] == [] and "written to" in agent["because"]
