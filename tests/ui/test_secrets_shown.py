"""Secrets on the screen: masked everywhere, one shown by `.` and hidden again, taken out by `x` `y`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import made_secrets as made
from app_driver import Driver, MakeEnv, running

from memtui.core.env import Env

TEXT = f"---\nname: deploy\ndescription: d\n---\n\nuse {made.GITHUB}\n\npassword={made.PASSWORD}\n\ncommit {made.HEX}\n"
SECRETS = (made.GITHUB[8:], made.PASSWORD)


def home_with_secrets(tmp_path: Path, make_env: MakeEnv) -> tuple[Env, Path]:
    """A home with one memory and one session that hold secrets; its Env, and the folder of the memories."""
    home, project = tmp_path / "home", tmp_path / "home" / "app"
    store = home / "zcode" / "one" / "memory"
    store.mkdir(parents=True)
    (project / ".pi").mkdir(parents=True)
    (project / ".pi" / "zcode-memory.json").write_text(json.dumps({"dir": str(store)}))
    index = f"- [Deploy {made.GITHUB}](deploy.md) — use {made.GITHUB}\n- [B](b.md) — b\n"
    (store / "MEMORY.md").write_text(index)
    (store / "b.md").write_text("---\nname: b\ndescription: b\n---\n\nb\n")
    (store / "deploy.md").write_text(TEXT)
    sessions = (
        home
        / ".pi"
        / "agent"
        / "sessions"
        / ("--" + os.path.realpath(project).strip("/").replace("/", "-") + "--")
    )
    sessions.mkdir(parents=True)
    records = [
        {
            "type": "session",
            "version": 3,
            "id": "s-1",
            "timestamp": "2026-11-30T10:00:00.000Z",
            "cwd": str(project),
        },
        {
            "type": "message",
            "id": "a1",
            "parentId": None,
            "timestamp": "2026-11-30T10:00:01.000Z",
            "message": {"role": "user", "content": f"deploy with {made.GITHUB} and password={made.PASSWORD}"},
        },
    ]
    (sessions / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    return make_env(home=home, cwd=project, environ={"PATH": ""}), store


def shown(driver: Driver) -> list[str]:
    """Which of the secrets can be read on the screen."""
    text = "".join(driver.text.split()).replace("│", "")
    return [secret for secret in SECRETS if secret[:12] in text]


def told(driver: Driver) -> str:
    """What was said last."""
    return driver.app.desk.status.said


async def test_secrets_are_masked_shown_one_by_one_and_taken_out(tmp_path: Path, make_env: MakeEnv) -> None:
    env, store = home_with_secrets(tmp_path, make_env)
    before = (store / "MEMORY.md").read_bytes(), (store / "deploy.md").read_bytes()
    async with running(env, (120, 36)) as driver:
        assert "ghp_••••" in driver.text and made.HEX in driver.text and "secret" in driver.text
        assert shown(driver) == []
        await driver.press(".")
        assert shown(driver) == [SECRETS[0]] and "password=•••••••" in driver.text
        await driver.press(".")
        assert shown(driver) == [SECRETS[1]]
        await driver.press(".")
        assert shown(driver) == []
        # what is shown is hidden again with the text that it stands in
        await driver.press(".")
        assert shown(driver) == [SECRETS[0]]
        await driver.press("j", "k")
        assert shown(driver) == []
        # rendered, and in a review of the memories as well
        await driver.press("p")
        assert shown(driver) == [] and "ghp_••••" in driver.text
        await driver.press(".", ".")
        assert shown(driver) == [SECRETS[1]]
        await driver.press(".", "p")
        assert shown(driver) == []
        await driver.press("S")
        assert shown(driver) == [] and "ghp_••••" in driver.text
        await driver.press(".")
        assert shown(driver) == [SECRETS[0]]
        await driver.press("q", "f5")
        assert shown(driver) == []
        await driver.press("Y")
        assert driver.app.clipboard == TEXT and "secret in it" in told(driver)
        await driver.press("i")
        assert shown(driver) == [] and "x takes it out" in told(driver)
        await driver.press("x")
        assert "[redacted]" in driver.words
        await driver.press("o")
        assert shown(driver) == []
        await driver.press("o", "y")
        assert made.GITHUB not in (store / "MEMORY.md").read_text() + (store / "deploy.md").read_text()
        assert made.PASSWORD not in (store / "deploy.md").read_text() and shown(driver) == []
        assert (store / "deploy.md").read_text().count("[redacted]") == 2
        await driver.press("U")
        assert shown(driver) == [] and "redacted" in driver.words
        await driver.press("enter")
        assert shown(driver) == [] and "•••" in driver.text
        await driver.press("q", "q", "u")
        assert ((store / "MEMORY.md").read_bytes(), (store / "deploy.md").read_bytes()) == before


async def test_secrets_of_a_session_are_masked_too(tmp_path: Path, make_env: MakeEnv) -> None:
    env, _store = home_with_secrets(tmp_path, make_env)
    async with running(env, (120, 36)) as driver:
        await driver.press("3")
        assert "deploy with ghp_" in driver.text and shown(driver) == []
        await driver.press("enter")
        assert shown(driver) == [] and "password=•••••••" in driver.text
        await driver.press(".")
        assert shown(driver) == [SECRETS[0]]
        await driver.press(".", ".")
        assert shown(driver) == [] and "masked again" in told(driver)
