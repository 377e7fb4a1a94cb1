"""A minute beside an agent that does nothing: files that are opened, calls of tmux, and processor time."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))

from app_home import MEMTUI, four_memories
from tmux_pane import Pane, needs_tmux

from memtui.demo.session_lines import SessionLines
from memtui.ui.beside import LOOK_EVERY_S

pytestmark = [pytest.mark.bench, needs_tmux]

MINUTE_S = 60.0
SETTLES_S = 8.0
MOST_CPU_S = 1.2
"""Two hundredths of a processor, tmux's client included."""

NOTED = """\
import os, runpy, sys
notes = os.open({notes!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
os.write(notes, b"%d\\n" % os.getpid())
def hook(event, args):
    if event == "open" and isinstance(args[0], str | bytes):
        os.write(notes, b"open %r\\n" % (args[0],))
    elif event == "subprocess.Popen":
        os.write(notes, b"run %r\\n" % (args[1],))
sys.addaudithook(hook)
sys.argv[0] = "memtui"
runpy.run_module("memtui", run_name="__main__")
"""

PI = "import os, sys; os.execv(sys.executable, ['pi', '-S', '-c', 'import sys; sys.stdin.read()'])"


def cpu_s(pid: int) -> float:
    """What a process and its children that have ended took of the processor."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processor time is read from /proc")
def test_a_minute_beside_an_idle_agent(tmp_path: Path, quick_programs: Mapping[str, str]) -> None:
    home = four_memories(tmp_path)
    lines = SessionLines(1, str(home.project), datetime.now(UTC))
    lines.user("hello there")
    folder = home.home / ".pi" / "agent" / "sessions" / "--app--"
    folder.mkdir(parents=True)
    notes, script = tmp_path / "notes", tmp_path / "noted.py"
    script.write_text(NOTED.format(notes=str(notes)))
    pane = Pane(home, quick_programs, 120, 36)
    attached = None
    try:
        words = ["env", f"HOME={home.home}", sys.executable, "-S", "-c", PI]
        pane.tmux("split-window", "-d", "-h", "-l", "20", "-c", str(home.project), shlex.join(words))
        (folder / lines.file_name).write_bytes(lines.data)
        socket = pane.tmux("display-message", "-p", "#{socket_path}").strip()
        command = ["tmux", "-f", "/dev/null", "-S", socket, "-C", "attach"]
        attached = subprocess.Popen(
            command, cwd=tmp_path, env=dict(quick_programs), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        pane.run(shlex.join([MEMTUI[0], str(script), "--home", str(home.home)]))
        pane.wait_for("Alpha", "all keys")
        pane.wait_for("pi in tmux 0:0.1")
        time.sleep(SETTLES_S)
        before = notes.read_bytes()
        pid = int(before.split()[0])
        took = cpu_s(pid)
        time.sleep(MINUTE_S)
        took = cpu_s(pid) - took
        noted = notes.read_bytes()[len(before) :].decode().splitlines()
    finally:
        if attached is not None:
            attached.kill()
            attached.communicate()
        pane.close()
    calls = [line for line in noted if line.startswith("run")]
    print(f"\na minute beside an idle agent: {took:.2f} s of processor time, {len(calls)} calls of tmux")
    assert [line for line in noted if line.startswith("open")] == []
    assert all("list-panes" in line for line in calls)
    assert len(calls) <= MINUTE_S / LOOK_EVERY_S + 1
    assert took <= MOST_CPU_S
