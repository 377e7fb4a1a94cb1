"""`a` on a message: what was said becomes a memory, word for word, in the flow of `a`, with one undo."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running, tree
from side_by_side import TEXTS, files_of, fill, store_of, workspace_of

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.demo.session_lines import SessionLines
from memtui.ui.adding import first_words, unshown

WIDE = (120, 36)
SAID = "Never deploy on a Friday.\n\n- ask Ana first\n  then wait"


def said(driver: Driver) -> str:
    return " ".join((driver.words + " " + driver.app.desk.status.said).split())


def put_session(env: Env, text: str = SAID) -> None:
    """A session of this project in which the agent thinks, runs something, and says `text`."""
    lines = SessionLines(90, str(env.cwd), datetime(2026, 11, 30, 10, tzinfo=UTC))
    lines.user("what is the rule?")
    lines.agent(text, thinking="nobody is to read this")
    folder = env.home / ".pi" / "agent" / "sessions" / "--x--"
    folder.mkdir(parents=True)
    (folder / lines.file_name).write_bytes(lines.data)


@asynccontextmanager
async def beside(make_env: MakeEnv, parent: Path, owner: str) -> AsyncIterator[Driver]:
    """The app on a store of this owner, with the session open."""
    fill(parent, owner, TEXTS[owner])
    env = make_env()
    put_session(env)
    async with running(env, WIDE, make=workspace_of(store_of(parent, owner))) as driver:
        await driver.press("3", "enter")
        assert "Never deploy on a Friday." in driver.words
        yield driver


async def test_a_message_becomes_a_fact_with_its_text_word_for_word_and_one_undo(
    env: Env, demo: DemoHome
) -> None:
    put_session(env)
    before = tree(demo.store)
    async with running(env, WIDE) as driver:
        await driver.press("/", *"never deploy", "enter", "a")
        assert driver.app.desk.line_input.value == "Never deploy on a Friday"
        assert "1 of 2, title" in driver.words
        await driver.press("enter", *"when to deploy", "enter")
        new = tree(demo.store)
        [name] = new.keys() - before.keys()
        assert name == "never-deploy-on-a-friday.md"
        head, body = new[name].decode().split("---\n\n")
        assert body == SAID + "\n"
        assert "description: when to deploy" in head and "nobody is to read this" not in new[name].decode()
        assert b"- [Never deploy on a Friday](never-deploy-on-a-friday.md)" in new["MEMORY.md"]
        assert "added never-deploy-on-a-friday.md · saved in zcode, ~/.zcode/cli/memories" in said(driver)
        # what is read stays
        assert driver.app.desk.reading.is_open
        await driver.press("u")
        assert tree(demo.store) == before


async def test_another_title_may_be_typed_and_esc_adds_nothing(env: Env, demo: DemoHome) -> None:
    put_session(env)
    before = tree(demo.store)
    async with running(env, WIDE) as driver:
        await driver.press("/", *"never deploy", "enter", "a", "escape")
        assert tree(demo.store) == before
        await driver.press("a", "ctrl+u", *"Fridays", "enter", "enter")
        assert tree(demo.store)["fridays.md"].endswith(f"---\n\n{SAID}\n".encode())


async def test_a_row_of_what_was_found_is_enough_and_a_session_is_not(env: Env, demo: DemoHome) -> None:
    put_session(env)
    async with running(env, WIDE) as driver:
        await driver.press("3", "a")
        assert "Enter opens it; then a remembers a message" in said(driver)
        await driver.press("/", *"never deploy", "escape", "a")
        assert driver.app.desk.line_input.value == "Never deploy on a Friday"


async def test_a_message_in_which_nothing_was_said_is_not_remembered(env: Env, demo: DemoHome) -> None:
    before = tree(demo.store)
    async with running(env, WIDE) as driver:
        await driver.press("/", *"git status", "enter")
        assert "git status --short" in driver.words
        await driver.press("a")
        assert "there is no text to remember" in said(driver)
        assert not driver.app.desk.is_asking
    assert tree(demo.store) == before


async def test_what_is_selected_is_remembered_without_the_margin_of_the_screen(
    env: Env, demo: DemoHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_session(env)
    async with running(env, WIDE) as driver:
        await driver.press("/", *"never deploy", "enter")
        screen = driver.app.screen
        monkeypatch.setattr(screen, "get_selected_text", lambda: "- ask Ana first\n    then wait")
        await driver.press("a", "enter", "enter")
        found = tree(demo.store)["ask-ana-first.md"]
        assert found.endswith(b"---\n\n- ask Ana first\n  then wait\n")


@pytest.mark.parametrize(
    ("owner", "keys", "file", "text"),
    [
        ("facts", ("enter", "enter"), "never-deploy-on-a-friday.md", f"\n{SAID}\n"),
        ("notes", ("enter", "enter"), "Never-deploy-on-a-Friday.md", SAID),
        ("topics", ("enter", "enter"), "net.md", f"## Never deploy on a Friday\n\n{SAID}\n"),
        ("amaster", ("u", "enter"), "USER.md", f"\n§\n{SAID}"),
    ],
)
async def test_every_layout_keeps_the_text(
    make_env: MakeEnv, tmp_path: Path, owner: str, keys: tuple[str, ...], file: str, text: str
) -> None:
    async with beside(make_env, tmp_path, owner) as driver:
        before = files_of(tmp_path / owner)
        await driver.press("a", *keys)
        assert not driver.app.desk.is_asking, driver.words
        after = files_of(tmp_path / owner)
        data = after[next(name for name in after if name.lower() == file.lower())]
        assert text in (data if isinstance(data, str) else data.decode())
        assert "saved in" in said(driver)
        await driver.press("u")
        assert files_of(tmp_path / owner) == before


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("", ""),
        ("\n\n## Heading here\nmore", "Heading here"),
        ("- one two three four five six seven eight nine ten", "one two three four five six seven eight"),
        ("a\x1b[2Jb\tc", "a[2Jb c"),
        ("wört " * 30, "wört wört wört wört wört wört wört wört"),
        ("x" * 300, "x" * 50),
        ("半夜重启。后面", "半夜重启。后面"),
    ],
)
def test_the_first_words_are_proposed(body: str, title: str) -> None:
    assert first_words(body) == title


def test_the_margin_and_the_mark_of_another_branch_are_no_text() -> None:
    assert unshown("one\n  two\n    three\n┆  four") == "one\ntwo\n  three\nfour"
