"""Changes by others: told at the start, shown with who and when, and brought back by keys (stories 3 and 8)."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running, tree
from played_watcher import PlayedWatcher

from memtui.core.env import Env
from memtui.demo import DemoHome
from memtui.ui.reviews.other_changes import OthersReview

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
EIGHT = {f"f{n}.md": f"---\nname: f{n}\ndescription: about f{n}\n---\n\nbody {n}\n" for n in range(1, 9)}
INDEX = "# Memory\n\n" + "".join(f"- [Fact {n}](f{n}.md) — hook {n}\n" for n in range(1, 9))
GONE = (2, 4, 5, 6, 8)


@pytest.fixture
def store(demo: DemoHome) -> Path:
    """The demo's store with eight memories and nothing else."""
    shutil.rmtree(demo.store)
    demo.store.mkdir()
    for name, text in {**EIGHT, "MEMORY.md": INDEX}.items():
        (demo.store / name).write_text(text)
    return demo.store


def consolidate(store: Path) -> None:
    """What a background consolidation does: five files go, the index is rewritten to three lines, one is changed."""
    for n in GONE:
        (store / f"f{n}.md").unlink()
    (store / "f1.md").write_text(EIGHT["f1.md"].replace("body 1", "rewritten"))
    (store / "MEMORY.md").write_text(
        "# Memory\n\n" + "".join(f"- [Fact {n}](f{n}.md) — hook {n}\n" for n in (1, 3, 7))
    )


def status(driver: Driver) -> str:
    """What the status pane says, unwrapped."""
    return " ".join([driver.app.desk.status.said, *driver.app.desk.status.text.lines])


def review(driver: Driver) -> OthersReview:
    front = driver.app.desk.front
    assert isinstance(front, OthersReview)
    return front


async def test_story_8_and_c12_one_of_five_lost_comes_back_with_its_line_in_three_keys(
    env: Env, store: Path
) -> None:
    watcher = PlayedWatcher()
    async with running(env, (120, 36), watcher.make) as driver:
        consolidate(store)
        watcher.say(store)
        await driver.settled()
        await driver.settled()
        # who is not known, the time is, and every name stands in the review
        assert "12:00 zcode: 5 removed by another program" in status(driver)
        before = tree(store)
        await driver.press("C")
        assert [row.rpartition(".md")[0][-2:] for row in review(driver).entries] == [
            "f2",
            "f4",
            "f5",
            "f6",
            "f8",
            "f1",
        ]
        assert "Fact 2" in driver.text and "f2.md goes" in driver.sentences
        await driver.press("j", "j", "x")
        assert "Bring “Fact 5” back?" in driver.sentences and tree(store) == before
        await driver.press("y")
        after = tree(store)
        assert after["f5.md"] == EIGHT["f5.md"].encode()
        lines = after["MEMORY.md"].decode().splitlines()
        assert lines == ["# Memory", "", *(f"- [Fact {n}](f{n}.md) — hook {n}" for n in (1, 3, 5, 7))]
        assert {name: data for name, data in after.items() if name not in ("f5.md", "MEMORY.md")} == {
            name: data for name, data in before.items() if name != "MEMORY.md"
        }
        assert len(review(driver).entries) == 5
        await driver.press("u")
        assert tree(store) == before and len(review(driver).entries) == 6
        # all that are marked, then all of it taken away again
        await driver.press("*", "x", "y")
        assert tree(store) == {name: text.encode() for name, text in {**EIGHT, "MEMORY.md": INDEX}.items()}
        assert "other programs changed nothing since" in driver.sentences
        await driver.press("u", "q")
        assert tree(store) == before


async def test_what_happened_while_away_is_told_at_the_next_start(
    make_env: MakeEnv, demo: DemoHome, store: Path
) -> None:
    times = [NOW]
    env = make_env(home=demo.home, cwd=demo.project, now=lambda: times[-1])
    async with running(env) as driver:
        await driver.press("j")
        times.append(NOW + timedelta(hours=2, minutes=2))
    consolidate(store)
    times.append(NOW + timedelta(hours=3))
    async with running(env, (120, 36)) as driver:
        assert "5 removed, 1 changed since 14:02 (while you were away)" in status(driver)
        top = driver.text.splitlines()[0]
        assert "1 changed" in top and "5 removed" in top
        await driver.press("C")
        assert "5 removed, 1 changed since 14:02" in driver.sentences
        reasons = ["".join(text for text, _ink in entry.reason[0]) for entry in review(driver).entries.values()]
        assert reasons[0] == "removed by another program between 14:02 and 15:00"
        assert "removed by another program between" in driver.text
        await driver.press("q")
    # told once: the next start has seen it
    async with running(env, (120, 36)) as driver:
        assert "while you were away" not in driver.sentences


async def test_what_came_since_the_review_was_opened_is_not_overwritten(env: Env, store: Path) -> None:
    async with running(env, (100, 30)) as driver:
        consolidate(store)
        await driver.press("f5", "C")
        (store / "f2.md").write_text("another memory of this name\n")
        await driver.press("x")
        assert "exists again with another text" in driver.sentences
        assert (store / "f2.md").read_text() == "another memory of this name\n"
        assert not review(driver).screen.ask_bar.asking


async def test_new_memories_and_the_session_that_wrote_them_are_shown(
    make_env: MakeEnv, demo: DemoHome
) -> None:
    env = make_env(home=demo.home, cwd=demo.project, now=lambda: NOW - timedelta(days=400))
    file = demo.store / "staging-port.md"
    text = file.read_bytes()
    file.unlink()
    async with running(env) as driver:
        file.write_bytes(text)
        await driver.press("f5", "C")
        assert "by the session “Staging deploy hangs”, its call of memory_write" in driver.sentences
        await driver.press("x")
        assert "nothing of it was there before: d deletes it" in driver.sentences


async def test_since_a_time_or_the_start_is_asked_by_name(
    make_env: MakeEnv, demo: DemoHome, store: Path
) -> None:
    times = [NOW]
    env = make_env(home=demo.home, cwd=demo.project, now=lambda: times[-1])
    async with running(env):
        times.append(NOW + timedelta(hours=1))
    consolidate(store)
    async with running(env) as driver:
        times.append(NOW + timedelta(hours=2))
        (store / "f3.md").unlink()
        await driver.press("f5", ":", *"since", "enter")
        # what is typed replaces what stands there
        await driver.press("enter")
        assert [row.rpartition(".md")[0][-2:] for row in review(driver).entries] == ["f3"]
        await driver.press("q", ":", *"since", "enter", "ctrl+u", *"soon", "enter")
        assert "soon is no time" in driver.sentences and driver.app.desk.front is None
        await driver.press(":", *"since", "enter", "ctrl+u", *"12:30", "enter")
        assert len(review(driver).entries) == 7


async def test_where_nothing_can_be_remembered_that_is_said_once(env: Env, store: Path) -> None:
    blocked = env.state_dir / "history" / "sightings"
    blocked.parent.mkdir(parents=True)
    blocked.write_text("")
    async with running(env, (120, 36)) as driver:
        assert "sightings" in status(driver)
        await driver.press("j")
        (store / "f2.md").unlink()
        await driver.press("f5")
        assert "sightings" not in status(driver) and "f2.md" in status(driver)


async def test_with_the_history_off_it_is_said(env: Env, demo: DemoHome) -> None:
    env.config_dir.mkdir(parents=True, exist_ok=True)
    (env.config_dir / "config.yaml").write_text("history:\n  enabled: false\n")
    async with running(env) as driver:
        await driver.press("C")
        assert "the history is switched off" in driver.sentences
    assert not (env.state_dir / "history" / "sightings").exists()


async def test_what_no_watcher_told_of_is_found_when_the_list_opens(env: Env, store: Path) -> None:
    async with running(env, (120, 36), PlayedWatcher().make) as driver:
        consolidate(store)
        await driver.press("C")
        assert sum("removed" in row.tail for row in review(driver).screen.rows.rows) == len(GONE), driver.text
