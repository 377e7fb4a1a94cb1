"""The search pane: sessions at once, results while typing, and what a row leads to."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from app_driver import Driver, MakeEnv, running
from played_watcher import PlayedWatcher

from memtui.core.env import Env
from memtui.core.library import Library
from memtui.demo import DemoHome
from memtui.ui import wording

WIDE = (120, 36)
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def rows(driver: Driver) -> list[str]:
    """The rows of the list, uncut: their cells and what stands at the right."""
    found = driver.app.desk.search.list.rows
    return [" ".join(filter(None, [*(cell.text for cell in row.cells), row.tail])) for row in found]


def session_file(demo: DemoHome, words: str) -> Path:
    """The demo's newest session that says something."""
    found = [p for p in (demo.home / ".pi").rglob("*.jsonl") if words in p.read_text("utf-8", "replace")]
    return max(found, key=lambda path: path.stat().st_mtime)


async def test_without_a_query_there_are_this_projects_sessions_newest_first(env: Env) -> None:
    async with running(env, WIDE) as driver:
        assert "Staging deploy hangs" in rows(driver)[0] and "2 turns" in rows(driver)[0]
        assert "this project" in driver.text
        assert any("H shows 6 more of other projects" in row for row in rows(driver))
        assert not any("rename the module" in row for row in rows(driver))
        await driver.press("3", "H")
        assert "all projects" in driver.text
        assert any("rename the module" in row for row in rows(driver))
        assert any("pi does not list it" in row for row in rows(driver))


async def test_while_the_list_fills_the_cursor_is_on_the_newest_session(
    env: Env, demo: DemoHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    # each session is told as soon as it is found, the oldest first
    monkeypatch.setattr("memtui.ui.listed.Pace.is_due", True)
    listed = Library.sessions
    monkeypatch.setattr(
        Library,
        "sessions",
        lambda library, cancelled: sorted(listed(library, cancelled), key=lambda session: session.updated),
    )
    async with running(env, WIDE) as driver:
        found = driver.app.desk.search.list
        assert len(found.rows) > 3 and found.cursor_id == found.rows[0].id
        await driver.press("3", "j", "f5")
        assert found.cursor_id == found.rows[1].id


async def test_the_ages_of_sessions_go_on_by_themselves(
    make_env: MakeEnv, demo: DemoHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.ui.searching.AGES_EVERY_S", 0.01)
    now = [NOW]
    env = make_env(home=demo.home, cwd=demo.project, now=lambda: now[0])
    async with running(env, WIDE) as driver:
        await driver.press("3", "g")
        session = driver.app.desk.session
        assert session is not None and wording.age(session.updated, NOW) in rows(driver)[0]
        now[0] += timedelta(days=400)
        later = wording.age(session.updated, now[0])
        for _look in range(1000):
            if later in rows(driver)[0]:
                return
            await driver.pilot.pause(0.01)
        raise AssertionError(rows(driver)[0])


async def test_results_are_grouped_and_hits_of_a_session_are_one_row(env: Env) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("/", *"port")
        found = rows(driver)
        assert found[0].startswith("memory") and "Staging port" in found[0]
        sessions = [row for row in found if "hits" in row]
        assert len(sessions) == 2 and "6 hits" in sessions[0]
        assert [row.startswith("memory") for row in found] == sorted(
            (row.startswith("memory") for row in found), reverse=True
        )
        assert "2 of 16 sessions" in driver.text
        await driver.press("escape")
        assert "/ port" in driver.text and not driver.app.desk.is_typing
        await driver.press("h")
        assert driver.app.navigation.active == "index" and "/ port" in driver.text


async def test_every_row_has_an_age(env: Env) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("/", *"the")
        ages = ("now", "m", "h", "d", "w", "mo", "y")
        for row in driver.app.desk.search.list.rows:
            if row.kind == "row":
                words = [row.cells[0].text, row.tail.rsplit(" ", 1)[-1]]
                assert any(word.endswith(ages) for word in words if word), row


@pytest.mark.parametrize("size", [WIDE, (80, 24), (45, 20), (40, 10)])
async def test_story_7_find_and_copy_takes_the_query_and_two_keys(
    env: Env, demo: DemoHome, size: tuple[int, int]
) -> None:
    async with running(env, size) as driver:
        keys = ["/", *"deploy script", "enter", "y"]
        await driver.press(*keys[:-1])
        file = session_file(demo, "which port does ssh listen on")
        assert driver.app.navigation.active == "topic"
        assert "deploy script" in driver.words
        await driver.press(keys[-1])
        assert driver.app.clipboard == f"cd {demo.project} && pi --session {file}"
        said = driver.words + driver.app.desk.status.said
        assert "sent to the terminal, which may not take it" in said and "opied" not in said
        assert len(keys) == len("deploy script") + 3


async def test_enter_typed_before_anything_was_found_opens_it_when_it_is(env: Env) -> None:
    async with running(env, WIDE) as driver:
        for key in ("slash", *"tokenizer", "enter"):
            driver.app.simulate_key(key)
        await driver.settled()
        await driver.settled()
        assert driver.app.navigation.active == "topic"
        assert driver.app.desk.reading.is_open


async def test_a_memory_is_opened_at_its_line_and_back_leads_to_the_search(env: Env) -> None:
    async with running(env, (80, 24)) as driver:
        await driver.press("/", *"team vault", "enter")
        assert driver.cursor_file == "staging-port.md"
        assert driver.app.navigation.active == "topic"
        await driver.press("n")
        assert "match 1 of 1" in driver.words
        # the first one takes the match off the text
        await driver.press("q", "q")
        assert driver.app.navigation.active == "search"
        assert "/ team vault" in driver.text


async def test_a_memory_under_the_cursor_of_the_search_takes_the_keys_of_a_memory(
    env: Env, demo: DemoHome
) -> None:
    async with running(env, (80, 24)) as driver:
        await driver.press("/", *"team vault", "escape", "d")
        assert "Delete staging-port.md" in driver.text
        await driver.press("n", "G")
        assert driver.app.desk.scope == "session"
        await driver.press("d")
        assert "Delete staging-port.md" not in driver.text
        assert (demo.store / "staging-port.md").exists()


async def test_q05_metacharacters_are_themselves(env: Env, demo: DemoHome) -> None:
    (demo.store / "signs.md").write_bytes(b'100% of a_b in foo( and [/ or \\\\ with " and *\n')
    async with running(env, WIDE) as driver:
        for query in ("[", "[/", "foo(", "*", "100%", "a_b", "\\\\", '"'):
            await driver.press("/", "ctrl+u", *query)
            assert any("signs" in row for row in rows(driver)), query
            await driver.press("escape")
        await driver.press("/", "ctrl+u", *"100%x")
        assert "nothing found" in driver.text


async def test_q08_fresh_text_is_found_without_a_reindex(env: Env, demo: DemoHome) -> None:
    watcher = PlayedWatcher()
    async with running(env, WIDE, watcher.make) as driver:
        await driver.press("3")
        file = session_file(demo, "which port does ssh listen on")
        line = b'{"type":"message","id":"ffffffff","parentId":null,"timestamp":"2026-11-30T11:59:00.000Z",'
        line += b'"message":{"role":"user","content":"remember pineapple-77","timestamp":1764503940000}}\n'
        with open(file, "ab") as session:
            session.write(line)
        await driver.press("/", *"pineapple-77")
        assert "remember pineapple-77" in rows(driver)[0]


async def test_a_new_session_appears_in_the_list(env: Env, demo: DemoHome) -> None:
    watcher = PlayedWatcher()
    async with running(env, WIDE, watcher.make) as driver:
        file = session_file(demo, "which port does ssh listen on")
        copy = file.with_name(file.name.replace(".jsonl", "x.jsonl"))
        data = file.read_bytes().replace(b"Staging deploy hangs", b"Just started here")
        # another session, not the same in two files
        copy.write_bytes(data.replace(b"-000000000001", b"-000000000099"))
        watcher.say(copy)
        while not any("Just started here" in row for row in rows(driver)):
            await driver.pilot.pause(0.02)
        assert file.parent.parent in {root.path for root in watcher.roots}


class SlowLibrary(Library):
    """Finds one hit, then waits until the search is cancelled or may go on."""

    gate = threading.Event()
    cancelled_queries: list[str] = []  # noqa: RUF012

    def search(self, typed: str, *args: Any, cancelled: Any, **more: Any) -> Any:
        found = super().search(typed, *args, cancelled=cancelled, **more)
        gate, over = self.gate, self.cancelled_queries

        class Slow:
            query, hidden, beyond, suggestion = found.query, found.hidden, 0, ""

            def __iter__(self) -> Iterator[Any]:
                for hit in found:
                    yield hit
                    while not gate.wait(0.001):
                        if cancelled():
                            over.append(typed)
                            return

        return Slow()


async def test_a_newer_query_ends_the_older_search(env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.core.library.Library", SlowLibrary)
    async with running(env, WIDE) as driver:
        SlowLibrary.gate.clear()
        SlowLibrary.cancelled_queries.clear()
        for key in ("/", *"port"):
            await driver.pilot.press(key)
        while SlowLibrary.cancelled_queries[-1:] != ["por"]:
            await driver.pilot.pause(0.01)
        assert "searching" in driver.app.desk.search.border_subtitle or driver.app.desk.search.list.rows
        SlowLibrary.gate.set()
        await driver.settled()
        assert "12 hits" in driver.text


async def test_sessions_in_the_future_and_unreadable_ones_do_no_harm(env: Env, demo: DemoHome) -> None:
    future = dataclasses.replace(env, now=lambda: env.now() - timedelta(days=3000))
    async with running(future, WIDE) as driver:
        assert "Staging deploy hangs" in rows(driver)[0]


# Filters


def below(driver: Driver) -> str:
    """The row below the query."""
    return driver.app.desk.search._below.text


def typed(driver: Driver) -> str:
    return driver.app.desk.search.line.value


@pytest.mark.parametrize("size", [WIDE, (80, 24), (45, 20), (40, 10)])
async def test_tab_takes_what_is_offered_below_the_query(env: Env, size: tuple[int, int]) -> None:
    async with running(env, size) as driver:
        await driver.press("/")
        assert "in: role: agent:" in driver.text
        top = driver.app.desk.search.list.region.y
        await driver.press("r", "o")
        assert "tab role: who or what said it" in driver.text
        await driver.press("tab")
        assert typed(driver) == "role:" and "tab user what you typed · assistant" in driver.text
        await driver.press("a", "tab")
        assert typed(driver) == "role:assistant "
        await driver.press(*"port")
        assert driver.app.desk.is_typing and "session" in below(driver)
        assert driver.app.desk.search.list.region.y == top
        found = rows(driver)
        assert found and not any(row.startswith("memory") for row in found)
        await driver.press("tab")
        assert not driver.app.desk.is_typing and typed(driver) == "role:assistant port"
        assert "tab " not in driver.text and not driver.app.desk.search._below.display


async def test_values_that_are_offered_exist(env: Env) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("/", *"port dir:")
        assert below(driver).startswith("tab messy ~/code/messy · app · ")
        await driver.press("ctrl+u", *"agent:")
        assert below(driver).startswith("tab pi")
        await driver.press("ctrl+u", *"type:fee")
        assert below(driver) == "tab feedback"
        await driver.press("tab")
        assert typed(driver) == "type:feedback "
        assert rows(driver) and all(row.startswith("memory") for row in rows(driver))
        # where letters go decides
        await driver.press("ctrl+u", *"ag port", "left", "left", "left", "left", "left")
        assert below(driver).startswith("tab agent:")
        await driver.press("tab")
        assert typed(driver) == "agent: port"


async def test_a_filter_without_its_value_leaves_what_was_found(env: Env) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("/", *"port", "space")
        before = rows(driver)
        await driver.press(*"role")
        for key in ":as":
            await driver.press(key)
            assert rows(driver) == before
        await driver.press("tab")
        assert rows(driver) and rows(driver) != before
        # a person who goes away from it meant the text
        await driver.press("ctrl+u", *"port role:", "escape")
        assert "nothing found" in driver.text
        await driver.press("/", "ctrl+u", *"agent:")
        assert driver.app.desk.searching.lists_sessions


async def test_a_filter_alone_lists_what_was_said_with_its_words(env: Env) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("/", *"role:user dir:app")
        assert rows(driver)
        found = rows(driver)
        assert "Staging deploy hangs" in found[0] and "remember that" in found[0]
        assert "sum it up" in driver.text
        await driver.press("enter")
        assert driver.app.navigation.active == "topic"
        await driver.press("n")
        assert driver.app.desk.reading.is_open


async def test_filters_look_other_than_words(env: Env) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("/", *"port in:sessions foo:bar", "escape")
        field = driver.app.desk.search.line._field
        looks = {segment.text: str(segment.style.color) for segment in field.render_line(0) if segment.style}
        assert "in:sessions" in looks and not any("port" in text and "in:" in text for text in looks)
        plain = next(look for text, look in looks.items() if text.startswith("port"))
        assert looks["in:sessions"] != plain
        assert next(look for text, look in looks.items() if "foo:bar" in text) == plain


async def test_an_exact_text_offers_nothing_and_is_found_as_it_is(env: Env, demo: DemoHome) -> None:
    (demo.store / "signs.md").write_bytes(b"role:user means  the person\n")
    async with running(env, WIDE) as driver:
        await driver.press("/", *"=role:user means the")
        assert any("signs" in row for row in rows(driver))
        await driver.press("tab")
        assert not driver.app.desk.is_typing


async def test_a_pasted_id_leads_to_its_message(env: Env, demo: DemoHome) -> None:
    file = session_file(demo, "which port does ssh listen on")
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    entry = next(line for line in lines if line["type"] == "message" and line["message"]["role"] == "assistant")
    (demo.store / "mention.md").write_text(f"see {entry['id']} and {lines[0]['id']}\n")
    async with running(env, WIDE) as driver:
        await driver.press("/", *entry["id"])
        _first, second = rows(driver)
        assert "mention" in second and second.startswith("memory")
        await driver.press("enter")
        assert driver.app.navigation.active == "topic"
        session = driver.app.desk.reading.session
        assert session is not None and session.file == file
        await driver.press("3", "/", "ctrl+u", *lines[0]["id"])
        assert not rows(driver)[0].startswith("memory")


async def test_a_query_of_filters_still_finds_in_the_text_it_leads_to(env: Env, demo: DemoHome) -> None:
    (demo.store / "signs.md").write_bytes(b"role:user means the person\n")
    async with running(env, (80, 24)) as driver:
        await driver.press("/", *"team vault in:memory", "enter", "n")
        assert "match 1 of 1" in driver.words
    async with running(env, (80, 24)) as driver:
        driver.go_to("signs.md")
        await driver.press("enter", "/", *"role:user", "enter")
        assert "match 1 of 1" in driver.words


async def test_a_preview_that_waits_for_a_pause_moves_nothing_once_another_pane_was_gone_to(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.ui.searching.PREVIEW_AFTER_S", 3600.0)
    async with running(env, WIDE) as driver:
        await driver.press("/", *"grafana")
        assert "grafana" in driver.app.desk.searching.memory_row
        driver.app.navigation.activate("index")
        driver.app.desk.index.list.move_to_last()
        row = driver.app.desk.index.list.cursor_id
        # the pause has come
        driver.app.desk.searching._preview_now()
        await driver.settled()
        assert driver.app.desk.index.list.cursor_id == row


async def test_a_look_at_the_disk_does_not_take_the_line_of_a_hit_away(env: Env) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("/", *"lock check")
        desk = driver.app.desk
        target = desk.searching.target
        assert target is not None and target.line
        desk.show_item(desk.searching.memory_row, target.line)
        # before that is on the screen
        desk.show_item(desk.searching.memory_row)
        await driver.settled()
        assert desk.topic.text.top_line > 1 and "while a lock" in driver.words
