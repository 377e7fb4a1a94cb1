"""What pi's own session files say of a memory extension: an extension of ours marks as pi-zcode-memory does, and the
real pi writes. Needs `pi` 1.6 on PATH."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from model_server import model_server

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from pi_setup import make_package, settings
from test_real_pi import configure, say

from memtui.core.agent_memory import AgentMemory
from memtui.core.agents.base import Agent
from memtui.core.agents.conversation import read_conversation
from memtui.core.agents.loaded import FileState, MemoryNow, loaded
from memtui.core.agents.loaded_ways import ZCODE_MEMORY
from memtui.core.locate.zcode_names import cli_root, project_dir_name, projects_root
from memtui.core.workspace import Workspace

pytestmark = pytest.mark.skipif(
    shutil.which("pi") is None, reason="the real pi is not installed (no `pi` on PATH)"
)

EXTENSION = """
export default function (pi) {
  pi.on("before_agent_start", async () => {
    pi.appendEntry("zcode-memory/injected", { indexHash: "abc" });
    return { message: { customType: "zcode-memory", content: "the index", display: false } };
  });
}
"""


def compact(home: Path, cwd: Path, path: str) -> None:
    """Let pi answer some messages, compact what was said, and answer one more."""
    words, pipe = ["pi", "--offline", "--mode", "rpc"], subprocess.PIPE
    environ = {"HOME": str(home), "PATH": path, "PI_CODING_AGENT_DIR": str(home / ".pi" / "agent")}
    with subprocess.Popen(
        words, cwd=cwd, env=environ, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
    ) as pi:
        assert pi.stdin is not None and pi.stdout is not None

        def ask(command: dict[str, str], ends_with: str) -> None:
            assert pi.stdin is not None and pi.stdout is not None
            pi.stdin.write(json.dumps(command).encode() + b"\n")
            pi.stdin.flush()
            while ends_with not in (said := json.loads(pi.stdout.readline())).values():
                assert said.get("success", True), said

        for number in range(3):
            ask({"type": "prompt", "message": f"{number} " + "word " * 200}, "agent_end")
        ask({"type": "compact"}, "compact")
        ask({"type": "prompt", "message": "after"}, "agent_end")
        pi.stdin.close()


def test_a_compaction_of_the_real_pi_takes_the_index_away(
    tmp_path: Path, real_environ: Mapping[str, str]
) -> None:
    home, cwd = tmp_path / "home", tmp_path / "home" / "work"
    cwd.mkdir(parents=True)
    with model_server() as address:
        configure(home, address)
        (extensions := home / ".pi" / "agent" / "extensions").mkdir()
        only_once = EXTENSION.replace("async () => {", "async () => { if (done++) return;")
        (extensions / "once.ts").write_text(f"let done = 0;{only_once}")
        settings(home, defaultProvider="own", defaultModel="m", compaction={"keepRecentTokens": 100})
        compact(home, cwd, real_environ["PATH"])
    [file] = (home / ".pi" / "agent" / "sessions").rglob("*.jsonl")
    said = read_conversation(file).said
    assert [(mark.kind, mark.is_lost) for mark in said.marks] == [("compaction", False), ("given", True)]
    now = MemoryNow((FileState("MEMORY.md", datetime.fromtimestamp(0, UTC), True),))
    assert loaded(ZCODE_MEMORY, "1.0.0", said, said.began, now).state == "compacted"


def test_the_marks_that_the_real_pi_writes_are_read(
    make_env, tmp_path: Path, real_environ: Mapping[str, str]
) -> None:
    home, cwd = tmp_path / "home", tmp_path / "home" / "work"
    cwd.mkdir(parents=True)
    store = (
        projects_root(cli_root(home / ".zcode")) / project_dir_name(os.path.realpath(cwd), "posix") / "memory"
    )
    store.mkdir(parents=True)
    (store / "MEMORY.md").write_text("- [A](a.md) — a\n")
    os.utime(store / "MEMORY.md", (1e9, 1e9))
    with model_server() as address:
        configure(home, address)
        package = make_package(home / "extension", "@momenttttt/pi-zcode-memory", "1.0.0")
        (package / "index.ts").write_text(EXTENSION)
        settings(home, defaultProvider="own", defaultModel="m", packages=[str(package)])
        say(home, cwd, real_environ["PATH"], "-p", "apples")
        say(home, cwd, real_environ["PATH"], "-c", "-p", "pears")
    [file] = (home / ".pi" / "agent" / "sessions").rglob("*.jsonl")
    said = read_conversation(file).said
    assert [(mark.kind, mark.text, mark.on_branch, mark.is_lost) for mark in said.marks] == [
        ("given", "abc", True, False)
    ] * 2
    assert said.began and said.first and said.spoke and said.asked and not said.has_branches
    assert said.began < said.first < said.marks[1].when < said.marks[0].when < said.spoke < said.asked
    workspace = Workspace(make_env(home=home, cwd=cwd))
    pi = Agent("pi", 1, str(cwd), None, (file,))
    for when, state in ((1e9, "unchanged"), (said.asked.timestamp() + 1, "index-changed")):
        os.utime(store / "MEMORY.md", (when, when))
        [item] = AgentMemory(workspace).carried([pi], workspace.read_all())
        assert item.loaded.state == state
