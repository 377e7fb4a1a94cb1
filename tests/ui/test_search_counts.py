"""What a letter of a query costs, counted: no layout, no frame, no row that stays; and nobody waits for what an
older letter began."""

from __future__ import annotations

import gc
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from app_driver import running
from textual._compositor import Compositor
from textual.message import Message

from memtui.core.env import Env
from memtui.core.library import Library
from memtui.ui.answering import REST_S, Answer, Answering, Question
from memtui.ui.garbage import WORTH_A_LOOK, Garbage
from memtui.ui.panes.search import SearchPane
from memtui.ui.shelf import Shelf, ShelfHeard
from memtui.ui.widgets.row_list import RowList

WIDE = (120, 36)


def counting(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts what is laid out and painted anew from now on."""
    counts: Counter[str] = Counter()

    def count(owner: type, name: str, what: str) -> None:
        real = getattr(owner, name)

        def counted(*args: object, **named: object) -> object:
            counts[what] += 1
            return real(*args, **named)

        monkeypatch.setattr(owner, name, counted)

    count(Compositor, "reflow", "layouts")
    count(RowList, "_paint", "rows painted")
    count(SearchPane, "render_line", "rows of the frame")
    return counts


async def test_a_letter_paints_only_rows_that_are_others(env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library(env)
    assert library.update_index(library.session_files()).is_done
    async with running(env, WIDE) as driver:
        await driver.press("/", *"depl")
        found = driver.app.desk.search.list
        assert found.rows
        counts = counting(monkeypatch)
        await driver.press("o")
        assert counts["layouts"] == counts["rows of the frame"] == 0
        # the letters that match are others: each row once, also where it is told again with more
        assert 0 < counts["rows painted"] <= 2 * len(found.rows)
        counts.clear()
        driver.app.desk.searching.again()
        await driver.settled()
        assert not counts


async def test_a_scroll_bar_that_comes_or_goes_lays_out_once(env: Env, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(env, WIDE) as driver:
        await driver.press("3")
        found = driver.app.desk.search.list
        row = found.rows[0]
        many = [type(row)(f"r{number}", row.cells) for number in range(found.size.height + 5)]
        found.set_rows(many)
        await driver.settled()
        counts = counting(monkeypatch)
        for rows, layouts in ((many[:3], 1), (many[:2], 0), (many, 1), (many[:-1], 0)):
            counts.clear()
            found.set_rows(rows)
            await driver.settled()
            assert counts["layouts"] == layouts, len(rows)
            assert found.show_vertical_scrollbar is (len(rows) > found.size.height)


class Hits:
    """A search that gives hits, and calls what stands among them."""

    def __init__(self, *what: object) -> None:
        self.query, self.hidden, self.beyond, self.suggestion = None, Counter[str](), 0, ""
        self._what = what

    def __iter__(self) -> Iterator[object]:
        for item in self._what:
            if callable(item):
                item()
            else:
                yield item


def hit(kind: str) -> object:
    return SimpleNamespace(kind=kind)


@pytest.mark.parametrize(
    ("kinds", "rows", "is_quick", "again", "told"),
    [
        ("s" * 12, 8, True, False, [10, 12]),
        ("s" * 50, 0, True, False, [40, 50]),
        ("mmss", 8, False, False, [2, 4]),
        ("mmss", 8, True, False, [4]),
        ("ss!s!!s", 8, True, False, [2, 3, 4]),
        ("ss!s!!s", 8, True, True, [4]),
        ("!", 8, True, False, [0]),
    ],
)
def test_what_the_list_has_room_for_is_told_first_and_before_what_takes_long(
    kinds: str, rows: int, is_quick: bool, again: bool, told: list[int]
) -> None:
    answers: list[Answer] = []
    one = Answering(
        Question(1, "", (), False, rows=rows, again=again),
        0,
        answers.append,
        lambda _seconds: None,
        lambda: 0.0,
        is_quick=is_quick,
    )
    search: Any = Hits(*(partial(one.pause, "asking") if kind == "!" else hit(kind) for kind in kinds))
    one.run(search, lambda: False)
    assert [len(answer.hits) for answer in answers] == told
    assert [answer.done for answer in answers] == [False] * (len(told) - 1) + [True]
    # what it found does not wait for the garbage collector
    left = weakref.ref(one)
    gc.disable()
    try:
        del one, search
        assert left() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("kinds", "again", "rests", "told"),
    [("ssr", False, [REST_S], [2, 2]), ("r", False, [REST_S], [0]), ("ss!r", True, [REST_S], [2])],
)
def test_files_are_read_once_keys_pause(kinds: str, again: bool, rests: list[float], told: list[int]) -> None:
    answers: list[Answer] = []
    rested: list[float] = []
    question = Question(1, "", (), False, rows=8, again=again)
    one = Answering(question, 0, answers.append, rested.append, lambda: 0.0, is_quick=True)
    steps = {"r": partial(one.pause, "reading"), "!": partial(one.pause, "asking")}
    search: Any = Hits(*(steps.get(kind) or hit(kind) for kind in kinds))
    one.run(search, lambda: False)
    assert rested == rests
    assert [len(answer.hits) for answer in answers] == told


class SlowLibrary:
    """Stands for a library one of whose searches does not come to an end before it is told to."""

    def __init__(self) -> None:
        self.goes_on, self.is_at_it = threading.Event(), threading.Event()

    def sessions(self, _cancelled: object) -> list[object]:
        return []

    def session_files(self) -> list[object]:
        return []

    def index_status(self, _files: object) -> object:
        return SimpleNamespace(state="ready", behind_bytes=0)

    def index_changes(self) -> int:
        return 0

    def split(self, _sessions: object) -> tuple[list[object], Counter[str]]:
        return [], Counter()

    @property
    def places(self) -> object:
        return SimpleNamespace(directory="/")

    def save(self) -> None:
        """Nothing is to be kept."""

    def search(self, typed: str, *_given: object, **_named: object) -> Hits:
        def takes_long() -> None:
            self.is_at_it.set()
            assert self.goes_on.wait(30)

        return Hits(takes_long, hit("session")) if typed == "slow" else Hits(hit("session"))


def test_a_search_that_is_within_a_long_step_holds_up_no_other() -> None:
    library: Any = SlowLibrary()
    heard: list[ShelfHeard] = []
    has_answer = threading.Event()

    def post(message: Message) -> bool:
        assert isinstance(message, ShelfHeard)
        heard.append(message)
        if isinstance(message.what, Answer):
            has_answer.set()
        return True

    one = Shelf(lambda: library, post)
    one.start()
    one.ask("slow", ())
    assert library.is_at_it.wait(30)
    generation = one.ask("quick", (), waits=True)
    assert not has_answer.is_set()
    one.begin()
    assert has_answer.wait(30)
    library.goes_on.set()
    one.close()
    answers = [message.what for message in heard if isinstance(message.what, Answer)]
    assert {answer.question.generation for answer in answers} == {generation}


def test_garbage_is_looked_for_when_keys_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    timers: list[Callable[[], None]] = []
    resets: list[str] = []

    def set_timer(_seconds: float, callback: Callable[[], None]) -> object:
        timers.append(callback)
        return SimpleNamespace(reset=lambda: resets.append("reset"))

    collected: list[int] = []
    new = [0]
    monkeypatch.setattr(gc, "collect", collected.append)
    monkeypatch.setattr(gc, "get_count", lambda: (new[0], 0, 0))
    app: Any = SimpleNamespace(set_timer=set_timer)
    garbage = Garbage(app)
    for _key in range(3):
        garbage.key()
    assert (len(timers), len(resets), collected) == (1, 2, [])
    timers.pop()()
    assert collected == []
    new[0] = WORTH_A_LOOK
    for _pause in range(10):
        garbage.key()
        timers.pop()()
    assert collected == [0] * 9 + [1]


async def test_the_app_begins_a_search_behind_the_paint_of_what_was_typed(
    env: Env, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened: list[str] = []
    began, asked = Shelf.begin, Shelf.ask
    async with running(env, WIDE) as driver:
        await driver.press("/")
        line = driver.app.desk.search.line

        def begin(one: Shelf) -> None:
            happened.append("begun")
            began(one)

        def ask(one: Shelf, *given: Any, **named: Any) -> int:
            happened.append("asked")
            return asked(one, *given, **named)

        render = type(line._field).render_line

        def render_line(field: Any, y: int) -> object:
            happened.append("painted")
            return render(field, y)

        monkeypatch.setattr(Shelf, "begin", begin)
        monkeypatch.setattr(Shelf, "ask", ask)
        monkeypatch.setattr(type(line._field), "render_line", render_line)
        await driver.press("d")
    assert happened.index("asked") < happened.index("painted") < happened.index("begun")
