"""A session in the topic pane: opened at the hit, folded, followed while it grows, and never written to."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running, tree
from played_watcher import PlayedWatcher

from memtui.core.env import Env
from memtui.core.sessions.pi_places import session_dir_name
from memtui.ui.transcript_lines import lead_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "core"))

from session_corpus import Writer

SIZE = (80, 24)


@pytest.fixture
def watcher() -> PlayedWatcher:
    return PlayedWatcher()


@pytest.fixture
def env(make_env: MakeEnv) -> Env:
    return make_env()


def place(env: Env, name: str = "2026-11-30T09-00-00-000Z_s-1.jsonl") -> Path:
    """Where pi would keep a session of this project."""
    return env.home / ".pi" / "agent" / "sessions" / session_dir_name(str(env.cwd)) / name


def talk(env: Env, count: int) -> Writer:
    """A session of so many questions and answers; the tenth answer names the needle."""
    session = Writer(str(env.cwd))
    for number in range(count):
        session.user(f"question {number}")
        session.assistant(f"answer {number}" + (" with a needle" if number == 10 else ""))
    return session


async def open_first(driver: Driver) -> None:
    """Open the first session of the list."""
    await driver.press("3", "enter")


async def save(driver: Driver, watcher: PlayedWatcher, path: Path, data: bytes) -> None:
    with open(path, "ab") as file:
        file.write(data)
    watcher.say(path)
    await driver.settled()
    await driver.settled()


def lines(driver: Driver) -> list[str]:
    """All lines of the page."""
    return list(driver.app.desk.topic.text.lines)


async def test_it_opens_at_the_hit_far_from_the_end(env: Env) -> None:
    talk(env, 2000).save(place(env))
    async with running(env, SIZE) as driver:
        await driver.press("/", *"needle", "enter")
        assert "answer 10 with a needle" in driver.text
        assert "answer 1999" not in driver.text
        assert len(lines(driver)) < 1000
        await driver.press("n")
        assert "no hit further on" in driver.words
        await driver.press("G")
        assert "answer 1999" in driver.text
        await driver.press("g")
        assert "question 0" in driver.text


async def test_n_goes_from_hit_to_hit_over_pages(env: Env) -> None:
    session = Writer(str(env.cwd))
    for number in range(900):
        session.user(f"question {number}" + (" mango" if number % 300 == 0 else ""))
    session.save(place(env))
    async with running(env, SIZE) as driver:
        await driver.press("/", *"mango", "enter")
        assert "question 600 mango" in driver.text
        await driver.press("N")
        assert "question 300 mango" in driver.text and "hit 2 of 3" in driver.words
        await driver.press("N")
        assert "question 0 mango" in driver.text
        await driver.press("n", "n")
        assert "question 600 mango" in driver.text


async def test_scrolling_up_loads_what_came_before_and_memory_stays_bounded(env: Env) -> None:
    talk(env, 3000).save(place(env))
    async with running(env, SIZE) as driver:
        await open_first(driver)
        assert "answer 2999" in driver.text
        seen = driver.text
        for _page in range(25):
            await driver.press("pageup")
            assert driver.text != seen
            seen = driver.text
        assert len(lines(driver)) < 600 * 4
        top = driver.app.desk.topic.text.lines[driver.app.desk.topic.text.top_line - 1]
        assert top.strip() and "2999" not in driver.text


async def test_the_place_stays_while_more_is_loaded_above(env: Env) -> None:
    talk(env, 400).save(place(env))
    async with running(env, SIZE) as driver:
        await open_first(driver)
        view = driver.app.desk.topic.text
        before = len(lines(driver))
        numbers = []
        view.goto_line(25)
        while len(lines(driver)) == before:
            await driver.press("up")
            shown = [int(word) for word in driver.words.split() if word.isdigit() and int(word) < 400]
            numbers.append(min(shown))
        assert numbers == sorted(numbers, reverse=True)
        assert max(a - b for a, b in zip(numbers, numbers[1:], strict=False)) <= 1
        assert view.top_line > 100


async def test_tools_and_thinking_are_folded_and_unfolded(env: Env) -> None:
    session = Writer(str(env.cwd))
    session.user("look")
    call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "ls -la"}}
    image = {"type": "image", "data": "A" * 4000, "mimeType": "image/png"}
    thought = {"type": "thinking", "thinking": "first thought\nsecond thought"}
    session.message("assistant", [thought, call], stopReason="toolUse")
    session.tool("total 2\nrow one\nrow two\n")
    session.message("user", [{"type": "text", "text": "see"}, image])
    session.entry("compaction", summary="what was said")
    session.save(place(env))
    async with running(env, SIZE) as driver:
        await open_first(driver)
        text = "\n".join(lines(driver))
        assert "= bash  total 2  (3 lines, t)" in text and "row two" not in text
        assert "* thinking  first thought  (2 lines, T)" in text and "second thought" not in text
        assert "$ bash  ls -la" in text
        assert "# image/png 3.0 kB" in text and "AAAA" not in text
        assert "compaction" in text and "what was said" in text
        await driver.press("t", "T")
        text = "\n".join(lines(driver))
        assert "    row two" in text and "    second thought" in text
        await driver.press("t")
        assert "row two" not in "\n".join(lines(driver))


async def test_a_hit_inside_folded_output_is_shown(env: Env) -> None:
    session = Writer(str(env.cwd))
    session.user("look")
    session.tool("".join(f"row {number}\n" for number in range(100)) + "the durian\n")
    session.save(place(env))
    async with running(env, SIZE) as driver:
        await driver.press("/", *"durian", "enter")
        assert "the durian" in driver.text


async def test_other_branches_are_marked_and_labels_shown(env: Env) -> None:
    session = Writer(str(env.cwd))
    root = session.user("the root")
    session.assistant("the way not taken", parent=root)
    taken = session.assistant("the way taken", parent=root)
    session.entry("label", targetId=taken, label="the good one")
    session.save(place(env))
    async with running(env, SIZE) as driver:
        await open_first(driver)
        shown = {line.strip("┆ "): line for line in lines(driver)}
        assert shown["the way not taken"].startswith("┆")
        assert not shown["the way taken"].startswith("┆")
        assert any("other branch" in line for line in lines(driver))
        assert any("[the good one]" in line for line in lines(driver))


async def test_j_and_k_step_from_message_to_message_and_y_copies_that_one(env: Env) -> None:
    talk(env, 50).save(place(env))
    async with running(env, SIZE) as driver:
        await open_first(driver)
        await driver.press("K", "K", "Y")
        assert driver.app.clipboard == "answer 48"
        await driver.press("J", "Y")
        assert driver.app.clipboard == "question 49"
        await driver.press("J", "J")
        assert "no message further on" in driver.words


async def test_a_growing_session_is_followed_at_its_end(env: Env, watcher: PlayedWatcher) -> None:
    session = talk(env, 50)
    path = session.save(place(env))
    async with running(env, SIZE, watcher.make) as driver:
        await open_first(driver)
        assert path in watcher.hot
        size = len(session.data)
        session.assistant("and this came later")
        await save(driver, watcher, path, bytes(session.data[size:]))
        assert "and this came later" in driver.text


async def test_away_from_the_end_new_messages_are_counted_and_nothing_moves(
    env: Env, watcher: PlayedWatcher
) -> None:
    session = talk(env, 50)
    path = session.save(place(env))
    async with running(env, SIZE, watcher.make) as driver:
        await open_first(driver)
        await driver.press("pageup", "pageup")
        top = driver.app.desk.topic.text.lines[driver.app.desk.topic.text.top_line - 1]
        size = len(session.data)
        for number in range(12):
            session.assistant(f"later {number}")
        await save(driver, watcher, path, bytes(session.data[size:]))
        assert "12 new below" in driver.text
        assert driver.app.desk.topic.text.lines[driver.app.desk.topic.text.top_line - 1] == top
        await driver.press("G")
        assert "later 11" in driver.text and "new below" not in driver.text


async def test_a_torn_last_line_is_taken_in_when_it_is_whole(env: Env, watcher: PlayedWatcher) -> None:
    session = talk(env, 3)
    path = session.save(place(env))
    async with running(env, SIZE, watcher.make) as driver:
        await open_first(driver)
        size = len(session.data)
        session.assistant("in two pieces")
        data = bytes(session.data[size:])
        await save(driver, watcher, path, data[:40])
        assert "in two pieces" not in driver.text
        await save(driver, watcher, path, data[40:])
        assert driver.text.count("in two pieces") == 1


async def test_a_file_that_is_gone_or_rewritten_is_said(env: Env, watcher: PlayedWatcher) -> None:
    path = talk(env, 5).save(place(env))
    async with running(env, SIZE, watcher.make) as driver:
        await open_first(driver)
        other = Writer(str(env.cwd))
        other.user("written anew")
        path.unlink()
        other.save(path)
        await save(driver, watcher, path, b"")
        assert "wrote the file anew" in driver.words and "written anew" in driver.text
        path.unlink()
        watcher.say(path.parent)
        await driver.settled()
        assert "the file is gone" in driver.words and "written anew" in driver.text


async def test_reading_writes_nothing(env: Env) -> None:
    talk(env, 50).save(place(env))
    before = tree(env.home / ".pi")
    async with running(env, SIZE) as driver:
        await driver.press("/", *"needle", "enter", "n", "N", "J", "K", "t", "T", "y", "Y", "g", "G", "q", "q")
    assert tree(env.home / ".pi") == before


async def test_t08_links_stand_with_their_target_and_nothing_opens(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("memtui.ui.app.MemtuiApp.open_url", lambda app, url, **more: opened.append(url))
    session = Writer(str(env.cwd))
    links = [
        "[docs](https://x.test/a)",
        "[open](file:///etc/passwd)",
        "[x](javascript:1)",
        "[y](../../secret.md)",
    ]
    session.user("\n".join(links))
    session.save(place(env))
    async with running(env, SIZE) as driver:
        await open_first(driver)
        for link in links:
            assert link in driver.text
        view = driver.app.desk.topic.text
        for y in range(view.size.height):
            strip = view.render_line(y)
            assert all(segment.style is None or not segment.style.link for segment in strip)
            await driver.pilot.click(view, offset=(8, y))
        await driver.press("enter")
    assert opened == []


async def test_hostile_text_is_shown_as_signs(env: Env) -> None:
    session = Writer(str(env.cwd))
    session.user("a\x1b]52;c;eA==\x07b \u202e[red]x[/red]")
    session.tool("\x1b[2J" + "x\r\n", name="ba\x1bsh")
    session.entry("session_info", name="evil\x1b[31m\x07")
    session.save(place(env))
    async with running(env, (120, 36)) as driver:
        await open_first(driver)
        for sign in ("\x1b", "\x07", "\u202e", "\r"):
            assert sign not in driver.text
        assert "[red]x[/red]" in driver.text


@pytest.mark.parametrize(
    ("line", "lead"),
    [
        ("> you  11-28 00:00", "  "),
        ("  what was said", "  "),
        ("  - a thing", "    "),
        ("  12. a thing", "      "),
        ("  $ edit  parser.py", "    "),
        ("┆  on another branch", "┆  "),
        ("", ""),
    ],
)
def test_further_rows_of_a_line_begin_below_its_text(line: str, lead: str) -> None:
    assert lead_of(line) == lead


async def test_no_row_of_what_was_said_begins_where_heads_do(env: Env) -> None:
    session = Writer(str(env.cwd))
    session.user("words " * 60)
    session.save(place(env))
    async with running(env, SIZE) as driver:
        await open_first(driver)
        view = driver.app.desk.topic.text
        shown = [view.render_line(y).text for y in range(view.size.height)]
        said = [row for row in shown if "words" in row]
        assert len(said) > 5 and all(row.startswith("  words") and row.endswith(" ") for row in said)


async def test_find_in_an_open_session_searches_all_of_it(env: Env) -> None:
    talk(env, 1000).save(place(env))
    async with running(env, SIZE) as driver:
        await open_first(driver)
        await driver.press("/", *"needle", "enter")
        await driver.settled()
        assert "answer 10 with a needle" in driver.text
        assert driver.app.navigation.active == "topic"


async def test_a_damaged_session_opens_and_says_so(env: Env) -> None:
    session = talk(env, 3)
    session.raw(b"\0" * 300 + b"\n{not json\n")
    session.assistant("after the damage")
    session.save(place(env))
    async with running(env, (120, 36)) as driver:
        assert "2 damaged" in driver.text
        await open_first(driver)
        assert "after the damage" in driver.text and "x damaged" in driver.text


async def test_a_session_that_vanished_before_it_was_opened_is_said(env: Env) -> None:
    path = talk(env, 3).save(place(env))
    async with running(env, (240, 24)) as driver:
        path.unlink()
        await open_first(driver)
        # the path may be cut: how long it is depends on where the tests run
        said = driver.app.desk.telling.said[0][0]
        assert path.name in said and said.endswith("it is gone.")
        assert not driver.app.desk.reading.is_open


async def test_a_memory_is_shown_again_when_its_row_is_chosen(env: Env) -> None:
    talk(env, 3).save(place(env))
    async with running(env, (120, 36)) as driver:
        await open_first(driver)
        assert driver.app.desk.reading.is_open
        await driver.press("1")
        assert driver.app.desk.reading.is_open
