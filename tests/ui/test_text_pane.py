"""The text pane: source and rendered, find, select and copy; and hostile text in the text, facts and frame."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from app_driver import Driver, MakeEnv, running
from rich.cells import cell_len
from textual.geometry import Offset
from textual.selection import Selection

from memtui.core.env import Env
from memtui.core.remembered import load_remembered
from memtui.ui.clipboard import TERMINAL_BYTES
from memtui.ui.rendering.blocks import MOST_BYTES
from memtui.ui.widgets.line_view import LineView
from memtui.ui.widgets.span_lines import FactLines

BODY = "# Head\n\nSome *em* words\nand more of it.\n\n" + "".join(f"- item number {n}\n" for n in range(1, 61))
SIZE = (120, 36)

MakeStore = Callable[..., Env]


def fact(body: str, name: str = "one", description: str = "about it") -> str:
    """A fact file."""
    return f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: project\n---\n\n{body}"


@pytest.fixture
def make_store(tmp_path: Path, make_env: MakeEnv) -> MakeStore:
    """Makes a home with one store: an index of these lines and these files; gives its Env."""

    def make(files: Mapping[str, str], index: str | None = None, **environ: str) -> Env:
        home, project = tmp_path / "home", tmp_path / "home" / "app"
        store = home / "zcode" / "one" / "memory"
        store.mkdir(parents=True)
        (project / ".pi").mkdir(parents=True)
        (project / ".pi" / "zcode-memory.json").write_text(json.dumps({"dir": str(store)}))
        lines = "".join(f"- [{name.removesuffix('.md')}]({name}) — hook\n" for name in files)
        (store / "MEMORY.md").write_bytes((lines if index is None else index).encode("utf-8"))
        for name, text in files.items():
            (store / name).write_bytes(text.encode("utf-8", "surrogateescape"))
        return make_env(home=home, cwd=project, environ={"PATH": "", **environ})

    return make


def view_of(driver: Driver) -> LineView:
    return driver.app.desk.topic.text


def facts_of(driver: Driver) -> str:
    return driver.app.desk.topic.query_one(FactLines).text


def subtitle(driver: Driver) -> str:
    return str(driver.app.desk.topic.border_subtitle)


def said(driver: Driver) -> str:
    return driver.app.desk.status.said


def select(driver: Driver, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Select from (line, code point) to, lines from 1."""
    (line, at), (last, until) = start, end
    selection = Selection(Offset(at, line - 1), Offset(until, last - 1))
    driver.app.screen.selections = {view_of(driver): selection}


# Source and rendered


async def test_p_renders_keeps_the_place_is_said_in_the_frame_and_remembered(make_store: MakeStore) -> None:
    env = make_store({"one.md": fact(BODY), "two.md": fact("# Two\n\n*x*\n")})
    async with running(env, (80, 24)) as driver:
        source = list(view_of(driver).lines)
        assert "rendered" not in subtitle(driver)
        await driver.press("enter", *["ctrl+d"] * 3)
        top = source[view_of(driver).top_line - 1]
        await driver.press("p")
        assert subtitle(driver).startswith("rendered") and "rendered" in driver.text
        assert "Some em words" in view_of(driver).lines
        assert view_of(driver).lines[view_of(driver).top_line - 1] == top.replace("- ", "• ")
        await driver.press("p")
        assert source[view_of(driver).top_line - 1] == top and list(view_of(driver).lines) == source
        await driver.press("p", "h", "j")
        assert view_of(driver).lines[-1] == "x" and "rendered" in subtitle(driver)
        # what has no text says so too
        driver.app.desk.index.list.move_to_first()
    assert load_remembered(env).rendered
    async with running(env, (80, 24)) as driver:
        assert "rendered" in subtitle(driver) and view_of(driver).lines[0].startswith("name ")


async def test_a_long_text_stays_source_and_says_so(make_store: MakeStore) -> None:
    env = make_store({"one.md": fact("*word* " * (MOST_BYTES // 7 + 1) + "\n")})
    async with running(env) as driver:
        await driver.press("p")
        assert "too long to render" in subtitle(driver) and "*word*" in view_of(driver).lines[7]


async def test_the_end_of_a_recall_is_shown_rendered_too(make_store: MakeStore) -> None:
    body = "".join(f"Paragraph {n}\ngoes on.\n\n" for n in range(1, 200))
    async with running(make_store({"one.md": fact(body)}), (100, 40)) as driver:
        topic = driver.app.desk.topic._shown
        assert topic is not None and topic.rule_after is not None
        await driver.press("p", "enter")
        view, rendered = view_of(driver), driver.app.desk.topic.rendered
        assert rendered is not None
        view.goto_line(rendered.line_of(topic.rule_after) - 3)
        await driver.settled()
        before, rule, after = driver.text.partition("┄ a recall shows no more")
        assert rule
        assert rendered.lines[rendered.line_of(topic.rule_after + 3) - 1] in after
        assert rendered.lines[rendered.line_of(topic.rule_after - 3) - 1] in before


async def test_a_description_that_the_text_shows_is_not_said_twice(make_store: MakeStore) -> None:
    folded = "---\nname: two\ndescription: >\n  folded\n  over lines\n---\n\ntwo\n"
    altered = "---\nname: three\ndescription: 'it''s'\n---\n\nthree\n"
    env = make_store({"one.md": fact("one\n"), "two.md": folded, "three.md": altered})
    async with running(env, (80, 24)) as driver:
        assert facts_of(driver) == "index line 1  - [one](one.md) — hook"
        assert "index 1  - [one](one.md) — hook" in driver.text
        driver.go_to("two.md")
        await driver.settled()
        assert "description" not in facts_of(driver)
        driver.go_to("three.md")
        await driver.settled()
        assert "description   it's" in facts_of(driver)


# Find


async def test_find_counts_matches_wraps_around_and_goes_with_one_step_back(make_store: MakeStore) -> None:
    body = "needle and needle\n" + "filler\n" * 60 + "a *needle* again\n"
    env = make_store({"one.md": fact(body, description="the needle"), "two.md": fact("other\n")})
    async with running(env, (80, 24)) as driver:
        await driver.press("enter", "/", *"needle", "enter")
        assert "match 1 of 4" in driver.words
        await driver.press("n", "n", "n")
        assert "match 4 of 4" in driver.words and "a *needle* again" in driver.text
        await driver.press("n")
        assert "match 1 of 4, from the top again" in driver.words
        await driver.press("N")
        assert "match 4 of 4, from the end again" in driver.words
        await driver.press("p")
        assert view_of(driver)._matches and "a needle again" in driver.text
        await driver.press("n")
        assert "of 4" in driver.words
        await driver.press("q")
        assert not view_of(driver)._matches and driver.app.navigation.active == "topic"
        await driver.press("q")
        assert driver.app.navigation.active == "index"
        await driver.press("j")
        assert not view_of(driver)._matches


async def test_find_reaches_a_match_far_inside_of_one_line(make_store: MakeStore) -> None:
    line = "word " * 400 + "needle " + "word " * 400
    async with running(make_store({"one.md": fact(line)}), (60, 20)) as driver:
        await driver.press("enter", "/", *"needle", "enter")
        assert "needle" in driver.app.desk.topic.text.render_line(view_of(driver).size.height // 3).text


# Selecting and copying


async def test_u05_what_is_selected_is_copied_and_where_it_went_is_said(make_store: MakeStore) -> None:
    env = make_store({"one.md": fact("first line of it\nsecond \x1b[31m line\n- a *b*\n" + "long " * 30_000)})
    async with running(env, SIZE) as driver:
        await driver.press("ctrl+c")
        assert "q leaves memtui" in said(driver) and driver.app.clipboard == ""
        select(driver, (8, 6), (8, 10))
        await driver.press("ctrl+c")
        assert driver.app.clipboard == "line"
        assert "sent to the terminal, which may not take it: the selected text (4 B)" in said(driver)
        select(driver, (8, 6), (9, 6))
        await driver.press("Y")
        assert driver.app.clipboard == "line of it\nsecond"
        assert "as shown, with signs for what is hidden" in said(driver)
        # one step back takes the selection, and Y is about the whole text again: this one is too long
        await driver.press("escape")
        assert not driver.app.screen.selections
        await driver.press("Y")
        assert "too long" in said(driver) and driver.app.clipboard == "line of it\nsecond"
        await driver.press("p")
        row = next(n for n, line in enumerate(view_of(driver).lines, 1) if "a b" in line)
        select(driver, (row, 0), (row, 5))
        await driver.press("Y")
        assert driver.app.clipboard == "• a b" and "as rendered" in said(driver)


async def test_u05_a_selection_too_long_for_the_terminal_is_not_called_copied(make_store: MakeStore) -> None:
    env = make_store({"one.md": fact("x" * (TERMINAL_BYTES + 10) + "\n"), "two.md": fact("other\n")})
    async with running(env, SIZE) as driver:
        select(driver, (1, 0), (8, TERMINAL_BYTES + 10))
        await driver.press("ctrl+c")
        assert "too long for the terminal's clipboard" in said(driver) and driver.app.clipboard == ""
        await driver.press("escape", "j")
        assert not driver.app.screen.selections


async def test_a_double_click_takes_a_word_a_triple_one_the_line(make_store: MakeStore) -> None:
    env = make_store({"one.md": fact("see src/app.py, then\nnext line\n")})
    async with running(env, SIZE) as driver:
        view = view_of(driver)
        await driver.pilot.click(view, offset=(6, 7), times=2)
        assert driver.app.screen.get_selected_text() == "src/app.py,".rstrip(",")
        await driver.pilot.click(view, offset=(6, 7), times=3)
        assert driver.app.screen.get_selected_text() == "see src/app.py, then"
        await driver.pilot.click(view, offset=(6, 8))
        assert driver.app.screen.get_selected_text() is None


# Hostile text


def is_clean(driver: Driver) -> bool:
    return not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in driver.text.replace("\n", ""))


OSC = "note \x1b]52;c;UEFZTE9BRA==\x07 tail"
UNFINISHED = "a \x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\ b \r c \b d \x7f e \x00 f \x1b]0;"
CLICK = "[@click=app.quit]fix[/] [@click=app.bell]"
BRACKETS = (
    "see [/etc/hosts] now",
    "range [/",
    "ZCOUNT z [b + done",
    "closing [/bold] only",
    '{"a":[true,false]}',
)
VANISHING = ("- [ ] task [x] done", "mail [a@b.c]", "arr[0]", "\\[x]", "[$primary]x[/]")


async def shown_both_ways(driver: Driver) -> list[str]:
    """The lines of the text, as source and rendered."""
    lines = list(view_of(driver).lines)
    await driver.press("p")
    assert "rendered" in subtitle(driver) and is_clean(driver)
    return lines + list(view_of(driver).lines)


async def test_t01_t04_controls_in_a_text_and_its_facts_are_signs(make_store: MakeStore) -> None:
    env = make_store(
        {"one.md": fact(f"# {OSC}\n{UNFINISHED}\nlast\n", description=UNFINISHED.replace("\r", ""))}
    )
    async with running(env, SIZE) as driver:
        assert is_clean(driver)
        lines = await shown_both_ways(driver)
        assert [line for line in lines if "␛]52;c;UEFZTE9BRA==␇ tail" in line] == [
            "# note ␛]52;c;UEFZTE9BRA==␇ tail",
            "note ␛]52;c;UEFZTE9BRA==␇ tail",
        ]
        assert sum("␛Ptmux;␛␛]52;c;eA==␇␛" in line and "␍ c ␈ d ␡ e ␀ f ␛]0;" in line for line in lines) == 2
        assert lines[-1].endswith("last")
        assert "f ␛]0;" in "".join(lines)


async def test_t03_t09_controls_and_hidden_characters_of_a_hook_show_in_place(make_store: MakeStore) -> None:
    hook = "ok\x1b[2J\x1b[1;1HDelete all? y \u202ea\u200bb\u2066c\U000e0041\U000e0042\U000e0043 👩\u200d💻"
    index = f"- [One](one.md) — {hook}\n- [Two](two.md) — two\n"
    env = make_store({"one.md": fact(f"Body \u202e{hook[-20:]}\n"), "two.md": fact("two\n")}, index)
    async with running(env, SIZE) as driver:
        assert is_clean(driver)
        tags = "<U+E0041><U+E0042><U+E0043>"
        shown = f"ok␛[2J␛[1;1HDelete all? y <U+202E>a<U+200B>b<U+2066>c{tags} 👩\u200d💻"
        assert shown in facts_of(driver)
        lines = await shown_both_ways(driver)
        assert sum(line.startswith("Body <U+202E>") and tags in line for line in lines) == 2
        await driver.press("d", "y")
        assert "Two" in driver.text and "One" not in driver.app.desk.index.list.rows[1].id


async def test_t05_t06_t07_brackets_are_text_in_the_text_the_facts_and_the_frame(make_store: MakeStore) -> None:
    pieces = (CLICK, *BRACKETS, *VANISHING)
    name = "a[@click=app.quit]x[b.md"
    body = "\n\n".join(pieces)
    index = f"- [{BRACKETS[1]} t]({name}) — {CLICK}\n"
    env = make_store({name: fact(body + "\n", name="[@click=app.quit]", description=CLICK)}, index)
    async with running(env, (120, 70)) as driver:
        topic = driver.app.desk.topic
        lines = list(view_of(driver).lines)
        assert all(piece in lines for piece in pieces)
        assert f"2 {name}" in driver.text
        assert CLICK in facts_of(driver)
        for piece in pieces:
            row = next(
                y for y in range(view_of(driver).size.height) if piece in view_of(driver).render_line(y).text
            )
            await driver.pilot.click(view_of(driver), offset=(cell_len(piece) // 2, row))
        await driver.pilot.click(topic.query_one(FactLines), offset=(20, 0))
        await driver.pilot.click(topic, offset=(10, 0))
        assert driver.app.is_running
        await driver.press("p")
        rendered = list(view_of(driver).lines)
        assert all(piece.removeprefix("- ") in " ".join(rendered) for piece in pieces)


async def test_t08_a_rendered_link_shows_its_target_and_opens_nothing(
    make_store: MakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    body = (
        "[docs](https://x.test/a)\n\n[open](file:///etc/passwd)\n\n[x](javascript:1)\n\n[y](../../secret.md)\n"
    )
    async with running(make_store({"one.md": fact(body)}), SIZE) as driver:
        monkeypatch.setattr(driver.app, "open_url", lambda url, **how: opened.append(url))
        await driver.press("p")
        lines = [line for line in view_of(driver).lines if "‹" in line]
        targets = ("https://x.test/a", "file:///etc/passwd", "javascript:1", "../../secret.md")
        assert [line.partition("‹")[2].rstrip("›") for line in lines] == list(targets)
        for target in targets:
            row = next(y for y in range(20) if target in view_of(driver).render_line(y).text)
            for column in (1, 8):
                await driver.pilot.click(view_of(driver), offset=(column, row))
        assert opened == []


async def test_t12_a_symlink_shows_its_target_and_no_content(make_store: MakeStore, tmp_path: Path) -> None:
    env = make_store({"two.md": fact("two\n")}, "- [Leak](leak.md) — a link\n- [Two](two.md) — two\n")
    secret = tmp_path / "key.txt"
    secret.write_text("a key that nobody may show\n")
    (tmp_path / "home" / "zcode" / "one" / "memory" / "leak.md").symlink_to(secret)
    async with running(env, SIZE) as driver:
        driver.go_to("leak.md")
        await driver.settled()
        assert "key.txt" in facts_of(driver) and list(view_of(driver).lines) == []
        await driver.press("p", "enter", "Y")
        assert "a key" not in driver.text and driver.app.clipboard == ""


async def test_a_short_screen_keeps_rows_for_the_text(make_store: MakeStore) -> None:
    env = make_store({"one.md": fact("\u202e hidden\n" + BODY, description="long " * 60)})
    async with running(env, (40, 10)) as driver:
        await driver.press("enter")
        assert view_of(driver).size.height >= 3
        assert driver.app.desk.topic.query_one(FactLines).size.height <= 2
