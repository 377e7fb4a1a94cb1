"""Which pi is running where: real processes, and the shapes that Linux shows of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.core.sessions.edits import Process
from memtui.core.sessions.processes import running_pi

WAIT = "import sys; print(flush=True); sys.stdin.read()"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc")
def test_s19_a_process_named_pi_is_found_with_its_directory(tmp_path: Path) -> None:
    def start(name: str) -> subprocess.Popen[bytes]:
        child = subprocess.Popen(
            [name, "-S", "-c", WAIT],
            executable=sys.executable,
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert child.stdout is not None and child.stdout.readline() == b"\n"
        return child

    with start("/opt/bin/pi") as pi, start("pip") as other:
        found = running_pi()
        assert Process(pi.pid, os.path.realpath(tmp_path)) in found
        assert other.pid not in {process.pid for process in found}
        pi.communicate()
        other.communicate()
    assert pi.pid not in {process.pid for process in running_pi()}


@pytest.mark.parametrize(
    ("comm", "cmdline", "is_pi"),
    [
        ("pi", b"pi\0\0\0", True),
        ("node", b"node\0--no-warnings\0/usr/lib/node_modules/.bin/pi\0--continue\0", True),
        ("bun", b"/opt/bun\0/opt/pi\0", True),
        ("node", b"node\0/srv/api.js\0pi\0", False),
        ("vim", b"vim\0pi\0", False),
        ("pi-hole", b"pi-hole\0", False),
        ("kworker", b"", False),
    ],
)
def test_what_counts_as_pi(comm: str, cmdline: bytes, is_pi: bool, tmp_path: Path) -> None:
    folder = tmp_path / "42"
    folder.mkdir()
    (folder / "comm").write_text(comm + "\n")
    (folder / "cmdline").write_bytes(cmdline)
    (folder / "cwd").symlink_to("/home/dev/app")
    (tmp_path / "43").mkdir()
    (tmp_path / "self").mkdir()
    assert running_pi(tmp_path) == ((Process(42, "/home/dev/app"),) if is_pi else ())


def test_without_proc_nothing_is_known(tmp_path: Path) -> None:
    assert running_pi(tmp_path / "none") == ()
