"""The app on real memory: health without a key, delete and undo, fields, the editor, the filter, conflicts."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running, screen_text, tree
from textual import events
from textual.app import App

from memtui.core.env import Env
from memtui.core.errors import MemtuiError
from memtui.core.inspection import looked_closer
from memtui.core.locate.claude import encoded_name
from memtui.core.workspace import Workspace
from memtui.demo import DemoHome
from memtui.ui import wording
from memtui.ui.app import MemtuiApp

FACT = "prefer-small-commits.md"


# Story 1


async def test_story_1_the_worst_counts_and_how_many_more_are_on_the_screen_without_a_key(
    make_env: MakeEnv, demo: DemoHome
) -> None:
    env = make_env(home=demo.home, cwd=demo.messy_project)
    counts: dict[tuple[int, str], int] = {}
    for snapshot in looked_closer(env, Workspace(env).snapshots()):
        for problem in snapshot.problems:
            key = wording.rank(problem), problem.code
            counts[key] = counts.get(key, 0) + 1
    bad = sum(count for (rank, _code), count in counts.items() if rank < 2)
    assert len(counts) > 15
    words_of = {key: wording.times(wording.problem_word(key[1]), count) for key, count in counts.items()}
    shown = set(words_of.values())
    async with running(env) as driver:
        strip = driver.text.splitlines()[-3]
        there = {words for words in shown if f" {words} · " in strip}
        worst = {words for (rank, _code), words in words_of.items() if rank == 0}
        assert len(there & worst) >= 3 and f"+{len(shown) - len(there)} more" in strip
        assert f"{bad} problems, {sum(counts.values()) - bad} notes" in driver.text
        assert "~/code/messy" in driver.text
        await driver.press("4")
        all_of_it = " ".join(driver.app.desk.status.text.lines).replace("\xa0", " ")
        assert all(words in all_of_it for words in shown)


async def test_story_1_the_worst_three_are_on_the_screen_at_40x10(make_env: MakeEnv, demo: DemoHome) -> None:
    async with running(make_env(home=demo.home, cwd=demo.project), (40, 10)) as driver:
        assert "x YAML broken ×2 · x file missing" in driver.text
        assert "15/200 lines" in driver.text


async def test_a_healthy_store_says_so(env: Env, demo: DemoHome) -> None:
    index = demo.long_store / "MEMORY.md"
    index.write_bytes(b"".join(index.read_bytes().splitlines(keepends=True)[:100]))
    for path in demo.long_store.glob("*.md"):
        if path.name != "MEMORY.md" and path.name.encode() not in index.read_bytes():
            path.unlink()
    async with running(_elsewhere(env, demo.long_project), (120, 36)) as driver:
        assert "0 problems" in driver.text and "no problems found" in driver.text


def _elsewhere(env: Env, cwd: Path) -> Env:
    import dataclasses

    return dataclasses.replace(env, cwd=cwd)


# Story 2


async def test_story_2_d_y_deletes_file_and_line_and_u_brings_it_back(env: Env, demo: DemoHome) -> None:
    before = tree(demo.home / ".zcode")
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("d")
        assert f"Delete {FACT} and line 4 of MEMORY.md?" in driver.text
        assert tree(demo.home / ".zcode") == before
        await driver.press("y")
        after = tree(demo.store)
        assert FACT not in after
        lines = before[f"{_below(demo)}/MEMORY.md"].splitlines(keepends=True)
        assert after["MEMORY.md"] == b"".join(lines[:3] + lines[4:])
        assert f"deleted {FACT}" in driver.text
        assert driver.cursor_file == "no-mocks-in-db-tests.md"
        await driver.press("u")
        assert tree(demo.home / ".zcode") == before
        assert driver.cursor_file == FACT
        await driver.press("ctrl+r")
        assert FACT not in tree(demo.store)


def _below(demo: DemoHome) -> str:
    return str(demo.store.relative_to(demo.home / ".zcode"))


async def test_story_2_undo_works_after_a_restart(env: Env, demo: DemoHome) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("d", "y")
    async with running(env) as driver:
        assert "u undoes: deleted" in driver.text
        await driver.press("u")
        assert tree(demo.store) == before


async def test_u09_a_repeated_d_deletes_nothing_and_a_repeated_y_deletes_one(env: Env, demo: DemoHome) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press(*["d"] * 20)
        assert tree(demo.store) == before
        await driver.press(*["y"] * 5)
        assert len(tree(demo.store)) == len(before) - 1


@pytest.mark.parametrize("pasted", ["dy", "dyyyy", "dddy", "dydydy", "d y", "daily yes"])
async def test_u09_keys_that_arrive_as_one_paste_delete_nothing(env: Env, demo: DemoHome, pasted: str) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        driver.go_to(FACT)
        for character in pasted:
            key = "space" if character == " " else character
            driver.app.post_message(events.Key(key, character))
        await driver.settled()
        assert tree(demo.store) == before


async def test_a_bracketed_paste_does_nothing(env: Env, demo: DemoHome) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        driver.go_to(FACT)
        driver.app.post_message(events.Paste("dy\ndy\n"))
        await driver.settled()
        assert tree(demo.store) == before and not driver.app.desk.is_asking


@pytest.mark.parametrize("key", ["n", "h", "q", "escape", "e", "j"])
async def test_any_other_key_leaves_the_question_and_does_nothing_else(
    env: Env, demo: DemoHome, key: str
) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("d", key)
        assert not driver.app.desk.is_asking
        assert driver.cursor_file == FACT
        assert tree(demo.store) == before
        await driver.press("y")
        assert tree(demo.store) == before


async def test_a_dead_line_is_deleted_alone(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        driver.go_to("grafana-old.md")
        await driver.press("d")
        assert "Delete line 8 of MEMORY.md?" in driver.text
        await driver.press("y")
        assert b"grafana-old" not in (demo.store / "MEMORY.md").read_bytes()
        assert "file missing" not in driver.text


# Fields, adding, renaming


async def test_t_and_a_letter_change_the_type(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("t", "p")
        assert b"type: project" in (demo.store / FACT).read_bytes()
        await driver.press("u")
        assert b"type: feedback" in (demo.store / FACT).read_bytes()


async def test_i_changes_its_one_line_in_place(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        driver.go_to("user-role.md")
        await driver.press("i", "end", *"!?", "enter")
        assert "user-role.md · u undoes" in driver.text
        assert b"!?" in (demo.store / "MEMORY.md").read_bytes() + (demo.store / "user-role.md").read_bytes()


async def test_capital_i_renames_file_and_links(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("I", "ctrl+u", *"tiny", "enter")
        assert (demo.store / "tiny.md").exists() and not (demo.store / FACT).exists()
        assert b"(tiny.md)" in (demo.store / "MEMORY.md").read_bytes()
        assert driver.cursor_file == "tiny.md"


async def test_a_asks_for_a_title_and_a_line_and_adds(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        await driver.press("a", *"dy", "enter", *"what", "enter")
        assert b"what" in (demo.store / "dy.md").read_bytes()
        assert b"(dy.md)" in (demo.store / "MEMORY.md").read_bytes()
        assert driver.cursor_file == "dy.md"


async def test_leaving_a_line_changes_nothing(env: Env, demo: DemoHome) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        await driver.press("a", *"new", "escape", "i", "x", "escape", "I", "enter")
        assert tree(demo.store) == before and not driver.app.desk.is_asking


async def test_typing_goes_into_the_line_even_when_the_terminal_lost_its_focus(
    env: Env, demo: DemoHome
) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("a")
        driver.app.post_message(events.AppBlur())
        await driver.settled()
        await driver.press("d", "y")
        assert tree(demo.store) == before
        assert driver.app.desk.line_input.value == "dy"


async def test_letters_that_follow_at_once_are_typed_and_not_done(env: Env, demo: DemoHome) -> None:
    before = tree(demo.store)
    async with running(env) as driver:
        for key in "addy":
            driver.app.post_message(events.Key(key, key))
        await driver.settled()
        assert driver.app.desk.line_input.value == "ddy"
        assert tree(demo.store) == before


# The editor


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An editor that is a script, and an app that can be suspended without a terminal."""

    @contextlib.contextmanager
    def suspend(app: App[int]) -> Iterator[None]:
        yield

    monkeypatch.setattr(App, "suspend", suspend)
    script = tmp_path / "ed.sh"
    script.write_text("#!/bin/sh\nprintf 'more\\n' >> \"$1\"\n")
    script.chmod(0o755)
    return script


def _with_editor(env: Env, command: str, **more: str) -> Env:
    import dataclasses

    return dataclasses.replace(env, environ={"EDITOR": "/nope", "VISUAL": command, **more})


def _drafts(env: Env) -> list[Path]:
    folder = env.state_dir / "drafts"
    return [path for path in folder.rglob("*") if path.is_file()]


async def test_e_writes_what_the_editor_left(env: Env, demo: DemoHome, editor: Path) -> None:
    before = (demo.store / FACT).read_bytes()
    env = _with_editor(env, str(editor))
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("e")
        assert (demo.store / FACT).read_bytes() == before + b"more\n"
        assert _drafts(env) == []
        await driver.press("u")
        assert (demo.store / FACT).read_bytes() == before


async def test_capital_e_edits_the_index(env: Env, demo: DemoHome, editor: Path) -> None:
    before = (demo.store / "MEMORY.md").read_bytes()
    async with running(_with_editor(env, str(editor))) as driver:
        await driver.press("E")
        assert (demo.store / "MEMORY.md").read_bytes() == before + b"more\n"


async def test_u03_an_editor_that_is_not_there_or_fails_is_said(env: Env, demo: DemoHome, editor: Path) -> None:
    before = tree(demo.store)
    async with running(_with_editor(env, "/nope --wait")) as driver:
        driver.go_to(FACT)
        await driver.press("e")
        assert "cannot be found" in driver.text
    editor.write_text("#!/bin/sh\nexit 1\n")
    async with running(_with_editor(env, str(editor))) as driver:
        driver.go_to(FACT)
        await driver.press("e")
        assert "the editor ended with 1" in driver.text
        assert driver.cursor_file == FACT
    assert tree(demo.store) == before


def _both_write(editor: Path, target: Path, mine: str, theirs: str) -> None:
    editor.write_text(f"#!/bin/sh\nprintf '{mine}\\n' > \"$1\"\nprintf '{theirs}\\n' > '{target}'\n")


async def test_a_conflict_is_a_question_and_loses_no_text(env: Env, demo: DemoHome, editor: Path) -> None:
    target = demo.store / FACT
    _both_write(editor, target, "mine", "theirs")
    env = _with_editor(env, str(editor))
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("e")
        assert driver.app.desk.ask_bar.asking
        assert "theirs" in driver.text and "mine" in driver.text
        assert target.read_bytes() == b"theirs\n"
        await driver.press("h")
        assert "your text is kept in" in driver.words
        assert [path.read_bytes() for path in _drafts(env)] == [b"mine\n"]
        _both_write(editor, target, "again", "others")
        await driver.press("e", "y")
        assert target.read_bytes() == b"again\n"
        await driver.press("u")
        assert target.read_bytes() == b"others\n"


async def test_doing_yours_keeps_what_others_changed_in_other_lines(
    env: Env, demo: DemoHome, editor: Path
) -> None:
    index = demo.store / "MEMORY.md"
    editor.write_text(
        '#!/bin/sh\nsed -i.o \'s/under 200 lines/mine/\' "$1" && rm "$1.o"\n'
        f"sed -i.o 's/under 200 lines/theirs/' '{index}' && rm '{index}.o' && echo new line >> '{index}'\n"
    )
    async with running(_with_editor(env, str(editor))) as driver:
        await driver.press("E")
        assert "nothing was written" in driver.words
        await driver.press("y")
        assert b"mine" in index.read_bytes() and index.read_bytes().endswith(b"\nnew line\n")
        await driver.press("u")
        assert b"theirs" in index.read_bytes()


async def test_f14_an_editor_that_leaves_other_bytes_than_utf8_changes_nothing(
    env: Env, demo: DemoHome, editor: Path
) -> None:
    before = tree(demo.store)
    editor.write_text("#!/bin/sh\nprintf 'caf\\351' > \"$1\"\n")
    env = _with_editor(env, str(editor))
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("e")
        assert "not UTF-8 at byte 3" in driver.words and "your text is kept in" in driver.words
    assert tree(demo.store) == before
    assert [path.read_bytes() for path in _drafts(env)] == [b"caf\xe9"]


async def test_a_line_that_others_changed_meanwhile_is_a_conflict(env: Env, demo: DemoHome) -> None:
    index = demo.store / "MEMORY.md"
    async with running(env) as driver:
        driver.go_to(FACT)
        await driver.press("d")
        index.write_bytes(index.read_bytes().replace(b"under 200 lines", b"under 99 lines"))
        before = tree(demo.store)
        await driver.press("y")
        assert driver.app.desk.ask_bar.asking and tree(demo.store) == before
        await driver.press("h")
        assert tree(demo.store) == before
        await driver.press("d", "y")
        assert not (demo.store / FACT).exists()


# Looking


async def test_the_filter_forgives_a_typing_error_and_q_shows_all_again(env: Env) -> None:
    async with running(env) as driver:
        await driver.press("f", *"grafama")
        assert driver.cursor_file == "grafana-old.md" and "1 of 15" in driver.text
        await driver.press("enter", "q")
        assert "15 of 15" in driver.text and driver.cursor_file == "grafana-old.md"
        await driver.press("f", *"zzzz")
        assert "nothing matches" in driver.text
        await driver.press("escape")
        assert "15 of 15" in driver.text


async def test_the_text_follows_the_cursor(env: Env) -> None:
    async with running(env) as driver:
        driver.go_to("auth-rewrite.md")
        await driver.settled()
        assert "2 auth-rewrite.md" in driver.text and "name: auth-rewrite" in driver.text
        await driver.press("j")
        assert "2 grafana-old.md" in driver.text and "name: auth-rewrite" not in driver.text


async def test_problems_and_stores_are_a_key_away(env: Env) -> None:
    async with running(env) as driver:
        await driver.press("!")
        assert driver.cursor_file == "grafana-old.md"
        await driver.press("]")
        assert driver.app.desk.store is not None and driver.app.desk.store.name == "claude"
        assert "2/200 lines" in driver.text.splitlines()[0]
        await driver.press("[")
        assert driver.cursor_file == "user-role.md"


async def test_help_and_where_open_and_close_without_esc(env: Env) -> None:
    async with running(env) as driver:
        await driver.press("?")
        assert "All keys" in driver.text
        await driver.press("?")
        assert "All keys" not in driver.text
        await driver.press("w")
        assert "not used" in driver.text and "read by" in driver.text
        await driver.press("q")
        assert "read by" not in driver.text


async def test_narrow_shows_one_pane_at_a_time(env: Env) -> None:
    async with running(env, (45, 20)) as driver:
        assert "1 Memories" in driver.text and "2 user-role.md" not in driver.text
        await driver.press("enter")
        assert "2 user-role.md" in driver.text and "1 Memories" not in driver.text
        await driver.press("h")
        assert "1 Memories" in driver.text
        await driver.press("4")
        assert "4 Status" in driver.text and "1 Memories" not in driver.text


async def test_the_wide_status_says_all_and_scrolls(make_env: MakeEnv, demo: DemoHome) -> None:
    async with running(make_env(home=demo.home, cwd=demo.messy_project), (120, 36)) as driver:
        view = driver.app.desk.view
        assert view is not None
        words = " ".join(driver.app.desk.status.text.lines).replace("\xa0", " ")
        for _severity, code, count in view.counts:
            assert wording.times(wording.problem_word(code), count) in words
        # what is wrong with a whole store, the store and why it is the one stand above the fold
        assert "MEMORY.md has 27,406 of 25,000" in driver.words and "no MEMORY.md" in driver.words
        assert "9a64d1f03c7b852e/memory" in driver.words and "because" in driver.words
        assert "found 9 errors, 24 warnings, 11 notes" in driver.words.replace("\xa0", " ")
        assert "cannot be read" not in driver.text
        await driver.press("4", "G")
        assert "cannot be read" in " ".join(" ".join(row[1:46] for row in driver.text.splitlines()).split())


async def test_u01_any_size_and_every_change_of_it_is_survived(env: Env) -> None:
    async with running(env, (40, 10)) as driver:
        driver.go_to(FACT)
        for size in ((120, 40), (30, 8), (20, 5), (10, 3), (120, 40)):
            await driver.pilot.resize_terminal(*size)
            await driver.settled()
        assert driver.cursor_file == FACT and FACT in driver.text


async def test_changes_by_others_are_seen_after_f5(env: Env, demo: DemoHome) -> None:
    async with running(env) as driver:
        (demo.store / "new-one.md").write_text("---\nname: new-one\n---\n")
        await driver.press("f5")
        assert "16 of 16" in driver.text


async def test_an_empty_project_says_where_memory_would_be(make_env: MakeEnv, tmp_path: Path) -> None:
    project = tmp_path / "empty"
    project.mkdir()
    async with running(make_env(cwd=project)) as driver:
        assert "No memory here yet." in driver.text
        assert "a adds" in driver.text
        await driver.press("d", "y", "t", "i", "I", "u", "j", "G", "enter")
        assert "No memory here yet." in driver.text or driver.app.is_running


async def test_the_empty_state_is_whole_at_40x10(make_env: MakeEnv, tmp_path: Path) -> None:
    project = tmp_path / "empty"
    project.mkdir()
    async with running(make_env(cwd=project), (40, 10)) as driver:
        assert "a adds one · w shows every store" in driver.words


async def test_a_store_without_a_memory_beside_others_can_be_reached_and_added_to(
    env: Env, demo: DemoHome
) -> None:
    for path in demo.store.glob("*.md"):
        path.unlink()
    async with running(env) as driver:
        # the cursor begins on a memory where there is one
        assert driver.cursor_file == "project_build.md"
        await driver.press("[", "a")
        assert "new in zcode" in driver.text and "title" in driver.text
        await driver.press(*"First", "enter", "enter")
        assert (demo.store / "first.md").exists() and driver.cursor_file == "first.md"


async def test_why_nothing_can_be_added_is_said_before_a_title_is_typed(env: Env, demo: DemoHome) -> None:
    (demo.store / "MEMORY.md").unlink()
    (demo.store / "MEMORY.md").mkdir()
    async with running(env) as driver:
        await driver.press("a")
        assert not driver.app.desk.is_asking and "MEMORY.md cannot be read" in driver.words


async def test_d02_a_delete_names_the_other_project_that_it_concerns(make_env: MakeEnv, tmp_path: Path) -> None:
    home = tmp_path / "h"
    project = home / "my_app"
    project.mkdir(parents=True)
    folder = home / ".claude" / "projects" / encoded_name(str(project))
    (folder / "memory").mkdir(parents=True)
    (folder / "memory" / "MEMORY.md").write_text("- [A](a.md) — x\n")
    (folder / "memory" / "a.md").write_text("text\n")
    (folder / "1.jsonl").write_text(f'{{"cwd": "{home}/my-app"}}\n')
    async with running(make_env(home=home, cwd=project)) as driver:
        await driver.press("d")
        assert "Delete a.md and line 1 of MEMORY.md, also for ~/my-app?" in driver.words


async def test_a_store_that_cannot_be_read_is_not_called_empty(env: Env, demo: DemoHome) -> None:
    shutil.rmtree(demo.store)
    demo.store.write_text("no directory")
    async with running(env) as driver:
        assert "cannot be read" in driver.text and "nothing yet" not in driver.text
        assert "x unreadable" in driver.text


async def test_a_directory_opened_by_its_path_is_named_at_the_top(env: Env, demo: DemoHome) -> None:
    app = MemtuiApp(env, lambda: Workspace(env, path=demo.long_store))
    try:
        async with app.run_test(size=(120, 36)) as pilot:
            while app.desk.view is None:
                await pilot.pause(0.01)
            await Driver(app, pilot).settled()
            assert "/memory" in screen_text(app).splitlines()[0]
    finally:
        app.work.stop()


async def test_a_store_that_is_not_injected_has_no_cut_and_says_why_once(
    make_env: MakeEnv, demo: DemoHome
) -> None:
    async with running(make_env(home=demo.home, cwd=demo.messy_project), (120, 60)) as driver:
        assert "the agent loads no more than this" not in driver.text
        status = " ".join(driver.app.desk.status.text.lines)
        assert status.count("`injectIndex` is false") == 1
        assert str(demo.home) not in status and "~/code/messy/.pi/" in status


async def test_q_leaves_from_the_list_only(env: Env) -> None:
    driver: Driver
    async with running(env) as driver:
        await driver.press("enter", "q")
        assert driver.app.navigation.active == "index" and driver.app.is_running
        await driver.pilot.press("q")
        assert driver.app.return_value == 0


@pytest.mark.parametrize("fails", [False, True])
async def test_q_while_a_change_is_written_leaves_once_it_is_unless_it_failed(env: Env, fails: bool) -> None:
    gate = threading.Event()

    def change(_workspace: Workspace) -> None:
        gate.wait()
        if fails:
            raise MemtuiError("the disk is full")

    async with running(env) as driver:
        driver.app.work.do(change, lambda _done: None, is_change=True)
        await driver.pilot.press("q")
        await driver.pilot.pause()
        assert driver.app.is_running and "memtui leaves once it is" in driver.text
        gate.set()
        if fails:
            await driver.settled()
            assert driver.app.is_running and not driver.app.desk.ask_bar.asking
            assert "the disk is full" in driver.text
        else:
            while driver.app.return_value is None:
                await driver.pilot.pause(0.01)
            assert driver.app.return_value == 0


async def test_who_stays_while_a_change_is_written_stays_when_it_is(env: Env) -> None:
    gate = threading.Event()
    async with running(env) as driver:
        driver.app.work.do(lambda _workspace: gate.wait(), lambda _done: None, is_change=True)
        await driver.pilot.press("q")
        await driver.pilot.press("n")
        gate.set()
        await driver.settled()
        assert driver.app.is_running and driver.app.return_value is None


async def test_no_character_of_the_hostile_store_reaches_the_screen_raw(
    make_env: MakeEnv, demo: DemoHome
) -> None:
    async with running(make_env(home=demo.home, cwd=demo.messy_project), (120, 36)) as driver:
        assert driver.app.desk.view is not None
        for row_id in list(driver.app.desk.view.items):
            driver.app.desk.index.list.go_to(row_id)
            await driver.settled()
            raw = [
                c
                for c in driver.text
                if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or c in "\u202e\u200b"
            ]
            assert raw == []
