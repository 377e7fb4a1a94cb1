"""The bars: a question counts once it was seen, the top bar gives way on the right, a line takes text."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual import events
from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot

from memtui.ui.widgets.ask_bar import AskBar, Choice, Names
from memtui.ui.widgets.field import typed
from memtui.ui.widgets.line_input import LineInput
from memtui.ui.widgets.span_lines import FactLines, KeyBar, SpanLines, TopBar

CHOICES = (Choice("y", "yes", is_change=True), Choice("n", "no"))


class BarApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.answers: list[str | None] = []

    def compose(self) -> ComposeResult:
        yield TopBar()
        yield KeyBar()
        yield AskBar()
        yield LineInput()

    def ask(self, question: str = "Delete a [x].md?") -> AskBar:
        bar = self.query_one(AskBar)
        bar.ask(question, CHOICES, self.answers.append, opener="d", hint="(u brings it back)")
        return bar


async def painted(pilot: Pilot[None], app: App[None]) -> None:
    """Until the question that stands was painted."""
    bar = app.query_one(AskBar)
    while bar.asking and not bar.painted:
        await pilot.pause(0.005)


async def test_a_key_that_was_pressed_before_the_question_was_painted_is_no_answer() -> None:
    app = BarApp()
    async with app.run_test() as pilot:
        early = events.Key("y", "y")
        bar = app.ask()
        assert bar.asking and not bar.painted
        bar.take_key(events.Key("y", "y"))
        assert bar.asking
        await painted(pilot, app)
        assert bar.painted
        # It waited in a queue meanwhile.
        bar.take_key(early)
        assert bar.asking and app.answers == []
        bar.take_key(events.Key("y", "y"))
        assert app.answers == ["y"] and not bar.asking


async def test_each_question_has_to_be_painted_anew() -> None:
    app = BarApp()
    async with app.run_test() as pilot:
        app.ask()
        await painted(pilot, app)
        bar = app.ask("Another?")
        assert not bar.painted
        bar.take_key(events.Key("y", "y"))
        assert app.answers == []
        await painted(pilot, app)
        bar.take_key(events.Key("y", "y"))
        assert app.answers == ["y"]


async def test_a_repeat_of_the_opening_key_does_nothing_and_any_other_key_leaves() -> None:
    app = BarApp()
    async with app.run_test() as pilot:
        bar = app.ask()
        await pilot.pause()
        bar.take_key(events.Key("d", "d"))
        assert bar.asking
        bar.take_key(events.Key("j", "j"))
        assert app.answers == [""] and not bar.asking


@pytest.mark.parametrize("width", [20, 40, 80])
async def test_the_choices_of_a_question_are_always_whole(width: int) -> None:
    app = BarApp()
    async with app.run_test(size=(width, 10)) as pilot:
        bar = app.ask("Delete a-rather-long-name-of-a-file.md and line 8 of MEMORY.md?")
        await pilot.pause()
        rows = [bar.render_line(y).text for y in range(bar.size.height)]
        assert "y yes  n no" in rows[-1]
        assert "".join("".join(rows).split()).startswith(
            "Deletea-rather-long-name-of-a-file.mdandline8ofMEMORY.md?"
        )


async def test_a_question_shows_brackets_as_they_are() -> None:
    app = BarApp()
    async with app.run_test() as pilot:
        bar = app.ask("Delete [/etc/x] [bold]y[/]?")
        await pilot.pause()
        assert "Delete [/etc/x] [bold]y[/]?" in bar.render_line(0).text


@pytest.mark.parametrize("width", range(1, 70))
async def test_the_top_bar_gives_way_on_the_right(width: int) -> None:
    bar = TopBar()
    bar._levels = [[[("84/200 lines", "")], [("3 problems", "")]]]
    bar._places = [[("zcode · ~/code/app", "")]]
    spans, used = bar.line_spans(0, width)
    text = "".join(piece for piece, _ink in spans)
    assert cell_len(text) == used <= width
    if width >= 15:
        assert "84/200 lines" in text
    if width >= 50:
        assert text.rstrip().endswith("~/code/app")


@pytest.mark.parametrize("width", range(12, 60))
def test_the_key_bar_shows_whole_keys_and_always_the_last(width: int) -> None:
    bar = KeyBar()
    bar._keys = [("d", "delete"), ("e", "edit"), ("f", "filter"), ("?", "all keys")]
    spans, used = bar.line_spans(0, width)
    text = "".join(piece for piece, _ink in spans)
    assert used <= width and text.rstrip().endswith("? all keys")
    assert "…" not in text


def test_facts_are_wrapped_beside_their_label() -> None:
    facts = FactLines(
        [[("label  ", "label"), ("some words that are too long for it", "")], [("x ", "error"), ("y", "")]]
    )
    rows = ["".join(text for text, _ink in row) for row in facts.laid_out(20)]
    assert rows == ["label  some words", "       that are too", "       long for it", "x y"]
    assert facts.text == "label  some words that are too long for it\nx y"


def test_narrow_facts_are_other_lines_of_one_row_each() -> None:
    facts = FactLines()
    facts._shown = [[("index line 3  ", "label"), ("- what is there", "")]]
    facts._narrow = [
        [("x ", "error"), ("a problem, told in full", "error")],
        [("index 3  ", "label"), ("- w" * 9, "")],
    ]
    assert "".join(text for text, _ink in facts.laid_out(60)[0]) == "index line 3  - what is there"
    rows = ["".join(text for text, _ink in row) for row in facts.laid_out(20)]
    assert rows == ["x a problem, told in", "  full", "index 3  - w- w- w-…"]


def test_lines_are_cut_on_the_right() -> None:
    lines = SpanLines([[("日本語", "label"), ("日本語", "")]])
    assert lines.line_spans(0, 8) == ([("日本語", "label"), ("…", "")], 7)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("plain", "plain"),
        ("\nfirst\nsecond", "first"),
        ("a\x1b[31mb\x00\x9b", "a[31mb"),
        ("tab\there", "tab here"),
        ("\u202eabc\u200b", "abc"),
        ("👨‍👩‍👧 日本", "👨‍👩‍👧 日本"),
        ("", ""),
    ],
)
def test_only_what_can_stand_in_a_line_is_taken(raw: str, kept: str) -> None:
    assert typed(raw) == kept


async def test_a_line_is_typed_pasted_and_left() -> None:
    app = BarApp()
    async with app.run_test() as pilot:
        line = app.query_one(LineInput)
        heard: list[str] = []
        line.ask("title [x]", app.answers.append, value="a", changed=heard.append)
        await pilot.press("b")
        app.post_message(events.Paste("c\x1bd\nsecond"))
        await pilot.pause()
        assert line.value == "abcd" and heard[-1] == "abcd"
        await pilot.press("enter")
        assert app.answers == ["abcd"] and not line.asking and app.focused is None
        line.ask("again", app.answers.append)
        await pilot.press("z", "escape")
        assert app.answers == ["abcd", None]


def test_key_events_and_messages_have_one_clock() -> None:
    # AskBar compares them.
    before, key, after = Message().time, events.Key("y", "y").time, Message().time
    assert before <= key <= after


@pytest.mark.parametrize("width", range(20, 70))
async def test_the_hint_of_a_question_is_whole_or_not_there(width: int) -> None:
    app = BarApp()
    async with app.run_test(size=(width, 10)) as pilot:
        bar = app.ask("Delete a.md and line 8 of MEMORY.md?")
        await pilot.pause()
        text = " ".join(bar.render_line(y).text for y in range(bar.size.height))
        assert ("(u" in text) == ("(u brings it back)" in text)


@pytest.mark.parametrize("width", range(24, 60))
async def test_many_choices_take_more_rows_and_are_never_cut(width: int) -> None:
    app = BarApp()
    async with app.run_test(size=(width, 12)) as pilot:
        bar = app.query_one(AskBar)
        words = ("user", "feedback", "project", "reference")
        bar.ask("Type of A?", [Choice(word[0], word) for word in words], app.answers.append)
        await pilot.pause()
        rows = [bar.render_line(y).text for y in range(bar.size.height)]
        assert all(any(f"{word[0]} {word}" in row for row in rows) for word in words)


async def test_an_editing_key_and_letters_in_one_burst_keep_their_order() -> None:
    class LineApp(App[None]):
        def compose(self) -> ComposeResult:
            yield LineInput()

    app = LineApp()
    heard: list[str | None] = []
    async with app.run_test() as pilot:
        line = app.query_one(LineInput)
        line.ask("name", heard.append, value="old")
        await pilot.pause()
        for key in ("ctrl+u", "n", "e", "w", "enter"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        await pilot.pause()
    assert heard == ["new"]


def test_names_take_a_row_each_where_rows_are_free_and_the_others_are_counted() -> None:
    names = Names([("a.md", ""), ("b.md", ""), ("c.md", "")], 2)

    def rows(width: int, height: int) -> list[str]:
        return ["".join(text for text, _ink in row) for row in names.rows(width, height)]

    assert rows(40, 4) == ["a.md", "b.md", "c.md", "and 2 more"]
    assert rows(40, 3) == ["a.md", "b.md", "and 3 more"]
    assert rows(40, 1) == ["a.md · b.md · c.md · +2"]
    assert rows(16, 1) == ["a.md · b.md · +3"] and rows(15, 1) == ["a.md · +4"]
    assert rows(8, 1) == ["a.… · +4"]
    assert [len(Names([("a", ""), ("b", "")]).rows(40, height)) for height in (1, 2)] == [1, 2]
