"""Finding in the open text while it is typed: what matches is shown and counted, and Esc takes it back."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running

from memtui.core.env import Env
from memtui.core.sessions.pi_places import session_dir_name

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "core"))

from session_corpus import Writer

MakeMemory = Callable[[str], Env]


@pytest.fixture
def make_memory(tmp_path: Path, make_env: MakeEnv) -> MakeMemory:
    """Makes a home with one memory of this text; gives its Env."""

    def make(body: str) -> Env:
        home, project, store = tmp_path / "home", tmp_path / "home" / "app", tmp_path / "home" / "memory"
        store.mkdir(parents=True)
        (project / ".pi").mkdir(parents=True)
        (project / ".pi" / "zcode-memory.json").write_text(json.dumps({"dir": str(store)}))
        (store / "MEMORY.md").write_text("- [One](one.md) — hook\n")
        (store / "one.md").write_text(f"---\nname: one\ndescription: x\n---\n\n{body}")
        return make_env(home=home, cwd=project)

    return make


def about(driver: Driver) -> str:
    return str(driver.app.desk.topic.border_subtitle)


async def test_matches_are_shown_and_counted_while_they_are_typed(make_memory: MakeMemory) -> None:
    body = "filler\n" * 60 + "a needle\n" + "filler\n" * 60 + "another needle\nneat\n"
    async with running(make_memory(body)) as driver:
        view = driver.app.desk.topic.text
        await driver.press("enter", "j", "j")
        place = view.place
        await driver.press("/", *"nee")
        assert about(driver).startswith("1 of 2") and "a needle" in driver.text
        await driver.press("backspace", "a")
        assert about(driver).startswith("1 of 1") and "neat" in driver.text
        await driver.press("x")
        assert about(driver).startswith("not found")
        await driver.press("escape")
        assert "not found" not in about(driver) and view.place == place and not view._matches
        await driver.press("/", *"needle", "enter", "n")
        assert about(driver).startswith("2 of 2") and "another needle" in driver.text
        await driver.press("/", "x", "escape")
        assert "2 matches" in about(driver) and len(view._matches) == 2
        await driver.press("q")
        assert "match" not in about(driver) and not view._matches


async def test_hits_of_a_session_are_counted_while_they_are_typed_and_enter_goes_to_one(
    make_env: MakeEnv,
) -> None:
    env = make_env()
    session = Writer(str(env.cwd))
    for number in range(40):
        session.user(f"question {number}")
        session.assistant(f"answer {number}" + (" with a needle" if number in (10, 20) else ""))
    session.save(
        env.home / ".pi" / "agent" / "sessions" / session_dir_name(str(env.cwd)) / "2026-11-30_s.jsonl"
    )
    async with running(env) as driver:
        await driver.press("3", "enter", "/", *"needle")
        assert about(driver).startswith("2 hits") and "question 39" in driver.text
        await driver.press("escape")
        assert "hit" not in about(driver) and not driver.app.desk.reading.has_hits
        await driver.press("/", *"needle", "enter")
        assert about(driver).startswith("hit 2 of 2") and "answer 20 with a needle" in driver.text
        await driver.press("N")
        assert about(driver).startswith("hit 1 of 2")
