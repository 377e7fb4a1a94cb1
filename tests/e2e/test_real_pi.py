"""Beside the real pi: the session that it writes is listed, read and followed. Needs `pi` 1.6 on PATH."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from model_server import model_server

sys.path.insert(0, str(Path(__file__).parents[1] / "ui"))

from app_driver import Driver, MakeEnv, running

from memtui.core.env import system_now
from memtui.core.watch import Watcher

PI = shutil.which("pi")

pytestmark = pytest.mark.skipif(PI is None, reason="the real pi is not installed (no `pi` on PATH)")

TIMEOUT_S = 120


def say(home: Path, cwd: Path, path: str, *words: str) -> None:
    """Let pi answer one message in its print mode."""
    assert PI is not None
    subprocess.run(
        [PI, "--offline", *words],
        cwd=cwd,
        env={"HOME": str(home), "PATH": path, "PI_CODING_AGENT_DIR": str(home / ".pi" / "agent")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        timeout=TIMEOUT_S,
    )


def configure(home: Path, address: str) -> None:
    agent = home / ".pi" / "agent"
    agent.mkdir(parents=True)
    model = {"id": "m", "name": "M", "contextWindow": 128_000, "maxTokens": 1024}
    provider = {"baseUrl": address, "apiKey": "none", "api": "openai-completions", "models": [model]}
    (agent / "models.json").write_text(json.dumps({"providers": {"own": provider}}))
    settings = {"defaultProvider": "own", "defaultModel": "m", "enableInstallTelemetry": False}
    (agent / "settings.json").write_text(json.dumps(settings | {"cacheWarming": "off"}))


async def until(driver: Driver, words: str) -> None:
    """Wait until the screen says something; a test that waits in vain is ended by its runner."""
    for _look in range(3000):
        await driver.settled()
        if words in driver.words:
            return
        await driver.pilot.pause(0.02)
    raise AssertionError(f"{words!r} never came: {driver.text}")


async def test_what_pi_writes_is_listed_and_followed(
    make_env: MakeEnv, tmp_path: Path, real_environ: Mapping[str, str]
) -> None:
    home, cwd = tmp_path / "home", tmp_path / "home" / "work"
    cwd.mkdir(parents=True)
    path = real_environ["PATH"]
    with model_server() as address:
        configure(home, address)
        async with running(make_env(home=home, cwd=cwd), (120, 36), Watcher) as driver:
            await driver.press("3")
            assert "no sessions here" in driver.words
            say(home, cwd, path, "-p", "apples and pears")
            await until(driver, "apples and pears")
            await driver.press("enter")
            await until(driver, "heard: apples and pears")
            [session] = (home / ".pi" / "agent" / "sessions").rglob("*.jsonl")
            before = session.read_bytes()
            say(home, cwd, path, "--session", str(session), "-p", "and now plums")
            await until(driver, "heard: and now plums")
            assert session.read_bytes().startswith(before)


PROBE = """
import { writeFileSync, appendFileSync } from "node:fs";

export default function (pi) {
  pi.registerTool({
    name: "memory_write",
    label: "memory_write",
    description: "Remember something",
    parameters: {
      type: "object",
      properties: { name: { type: "string" }, body: { type: "string" } },
      required: ["name", "body"],
    },
    async execute(_id, { name, body }) {
      const text = `---\\nname: ${name}\\ndescription: a probe\\n---\\n\\n${body}\\n`;
      writeFileSync(`STORE/${name}.md`, text);
      appendFileSync("STORE/MEMORY.md", `- [${name}](${name}.md) — a probe\\n`);
      return { content: [{ type: "text", text: "saved" }], details: {} };
    },
  });
}
"""


async def test_a_memory_that_pi_writes_bears_the_mark_of_its_session(
    make_env: MakeEnv, tmp_path: Path, real_environ: Mapping[str, str]
) -> None:
    home, cwd = tmp_path / "home", tmp_path / "home" / "work"
    store = home / "memory"
    for folder in (cwd / ".pi", store):
        folder.mkdir(parents=True)
    (store / "MEMORY.md").write_text("")
    (cwd / ".pi" / "zcode-memory.json").write_text(json.dumps({"dir": str(store)}))
    with model_server() as address:
        configure(home, address)
        extensions = home / ".pi" / "agent" / "extensions"
        extensions.mkdir()
        (extensions / "probe.js").write_text(PROBE.replace("STORE", str(store)))
        env = make_env(home=home, cwd=cwd, now=system_now)
        async with running(env, (120, 36), Watcher) as driver:
            await until(driver, "live")
            asked = json.dumps({"name": "tea-time", "body": "tea is at four"})
            say(home, cwd, real_environ["PATH"], "-p", f"call memory_write {asked}")
            await until(driver, "new by pi")
            [told] = [line for line in driver.app.desk.live.news.lines if "tea-time.md" in line]
            assert "pi wrote tea-time.md in session “call memory_write" in told
            driver.go_to("tea-time.md")
            await driver.press("o")
            assert "was written by this call of memory_write" in driver.app.desk.status.said
