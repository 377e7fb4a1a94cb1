"""Lines typed into the real pi: sent once and to the right extension, or not at all. Needs pi and tmux on PATH.

`MEMTUI_TYPING_ROUNDS=200` runs so many random rounds in place of a few.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from model_server import SLOW, model_server
from real_pi import PI, TMUX, WHY_NOT, WITH_COMPLETIONS, RealPi, without_completions

from memtui.core.agents.editor_screen import State, read_editor
from memtui.core.agents.keyboard import Keyboard, Screen
from memtui.core.agents.sending import insert, send
from memtui.core.agents.sent import Outcome, Sent
from memtui.core.agents.slash_commands import SlashCommand, commands
from memtui.core.locate.pi_extensions import Extension, Extensions

pytestmark = pytest.mark.skipif(PI is None or TMUX is None, reason=WHY_NOT)

ROUNDS = int(os.environ.get("MEMTUI_TYPING_ROUNDS", "12"))

SHARED = "Show the project memory shared with ZCode"
YANDYS = "Show memory status, toggle enabled, or open files"
ZCODE, AMASTER, YANDY = (
    Extension(owner, f"@scope/{owner}", "2.1.0", Path("settings.json"))
    for owner in ("zcode", "amaster", "yandy")
)
COMMANDS = {command.id: command for command in commands()}
RELOAD = COMMANDS["memory-reload"]

Start = Callable[..., RealPi]


@pytest.fixture
def heard() -> list[str]:
    """What the model was asked."""
    return []


@pytest.fixture
def start(tmp_path: Path, real_environ: Mapping[str, str], heard: list[str]) -> Iterator[Start]:
    """Starts pi with extensions: by keyword what of `RealPi` is to be different."""
    started: list[RealPi] = []
    with model_server(heard) as address:

        def start_one(extensions: Mapping[str, str], *, ready: bool = True, **rest: object) -> RealPi:
            folder = tmp_path / str(len(started))
            folder.mkdir()
            pi = RealPi(folder, real_environ, address, extensions, **rest)  # type: ignore[arg-type]
            started.append(pi)
            if ready:
                pi.wait_ready()
                pi.news()
            return pi

        yield start_one
        for pi in started:
            pi.close()


def give(pi: RealPi, command: SlashCommand, *installed: Extension) -> Sent:
    """Send a command, as memtui does."""
    return send(pi.seam, pi.agent, Extensions(installed, True), command)


def test_a_command_runs_once_and_in_the_right_extension(start: Start, heard: list[str]) -> None:
    for mode, others, installed in (
        ("fullscreen", {}, (ZCODE,)),
        ("regular", {"amaster": WITH_COMPLETIONS}, (ZCODE, AMASTER)),
        ("fullscreen", {"zz": without_completions("yandy", YANDYS)}, (ZCODE, YANDY)),
    ):
        pi = start({"zcode": without_completions("zcode", SHARED), **others}, settings={"tuiMode": mode})
        for command, owner in (
            (RELOAD, "zcode"),
            (COMMANDS["memory-status"], "amaster"),
            (COMMANDS["memory-on"], "yandy"),
        ):
            if owner in {extension.owner for extension in installed}:
                sent = give(pi, command, *installed)
                assert (sent.outcome, sent.copy) == (Outcome.RAN, ""), sent
                pi.wait(
                    lambda pi=pi, arguments=command.arguments: f"done {arguments}" in pi.text, "the command"
                )
                assert pi.news() == [{"ran": owner, "args": command.arguments}]
        assert give(pi, COMMANDS["reload"], *installed).outcome is Outcome.RAN
        pi.wait_for("Reloaded keybindings")
        assert pi.news() == [{"session": "reload"}]
        named = COMMANDS["name"].with_argument("täglich, #{pane_id} $HOME ;")
        assert give(pi, named, *installed).outcome is Outcome.RAN
        pi.wait_for("Session name set: täglich, #{pane_id} $HOME ;")
        assert pi.editor.state is State.EMPTY
        assert pi.tmux("list-buffers") == ""
        assert pi.tmux("show-options", "-p", "-t", pi.pane) == ""
    assert heard == []


def test_nothing_is_sent_while_pi_starts_or_works_or_is_gone(start: Start, heard: list[str]) -> None:
    both = {"zcode": without_completions("zcode", SHARED), "amaster": WITH_COMPLETIONS}
    pi = start(both, wait_ms=1500, ready=False)
    outcomes = set()
    while "[Extensions]" not in pi.text:
        sent = give(pi, RELOAD, ZCODE, AMASTER)
        outcomes.add(sent.outcome)
        assert sent.copy == ("" if sent.arrived else RELOAD.text)
    assert Outcome.REFUSED in outcomes
    assert Outcome.LEFT not in outcomes
    pi.wait_empty()
    assert [news for news in pi.news() if "prompt" in news] == []
    pi.command(f"answer {SLOW}")
    pi.wait_for("Working")
    # a command of an extension runs at once, and pi itself says no to a reload
    assert give(pi, RELOAD, ZCODE, AMASTER).outcome is Outcome.RAN
    sent = give(pi, COMMANDS["reload"], ZCODE, AMASTER)
    assert (sent.outcome, sent.copy) == (Outcome.REFUSED, "/reload")
    assert "Working" in sent.said
    assert insert(pi.seam, pi.agent, "a passage\n\x1b[201~\rof two lines\n").outcome is Outcome.INSERTED
    assert pi.editor.rows == ("a passage", "␛[201~", "of two lines")
    assert insert(pi.seam, pi.agent, "more").outcome is Outcome.REFUSED
    assert pi.editor.rows == ("a passage", "␛[201~", "of two lines")
    assert pi.news() == [{"prompt": f"answer {SLOW}"}, {"ran": "zcode", "args": "reload"}]
    assert len(heard) == 1


def test_a_memtui_or_a_pane_that_goes_away(start: Start) -> None:
    pi = start({"zcode": without_completions("zcode", SHARED)})
    agent = pi.agent
    # a memtui that is killed just then: tmux itself gives the keys back
    assert Keyboard(pi.seam, pi.pane).paste("text", Screen.of(pi.look()), closed=True)
    pi.type("lost")
    assert pi.editor.state is State.MODE
    pi.wait(lambda: pi.editor.state is State.TEXT, "keys")
    pi.type(" kept")
    pi.wait(lambda: pi.editor.rows == ("text kept",), "what was typed")
    pi.tmux("split-window", "-t", pi.pane, "sleep 100")
    pi.tmux("kill-pane", "-t", pi.pane)
    pi.news()
    sent = send(pi.seam, agent, Extensions((ZCODE,), True), RELOAD)
    assert (sent.outcome, sent.copy) == (Outcome.REFUSED, RELOAD.text)
    assert "gone" in sent.said


# Random rounds


def draft(some: random.Random) -> str:
    """Some words, as a person types them."""
    return "".join(some.choice("abcdefghijklmnopqrstuvwxyz  /?.") for _ in range(some.randint(1, 14)))


def type_lines(pi: RealPi, some: random.Random) -> None:
    for _line in range(some.randint(1, 9)):
        pi.type(draft(some))
        pi.keys("C-j")
    if some.random() < 0.7:
        pi.type("the last")


@dataclass(frozen=True)
class Case:
    """A state that pi is brought into: how; whether a line may arrive there, or only its name be tried; for a
    list or a dialog its words, and the key that ends it."""

    prepare: Callable[[RealPi, random.Random], object]
    may_run: bool = False
    is_tried: bool = False
    words: str = ""
    ends_by: str = "Escape"


def dialog(line: str, words: str, ends_by: str = "Escape") -> Case:
    """A dialog or a list that a line opens."""
    return Case(lambda pi, _some: (pi.command(line), pi.wait_for(words)), words=words, ends_by=ends_by)


STATES = {
    "empty": Case(lambda pi, some: None, may_run=True),
    "typing": Case(lambda pi, some: None, may_run=True),
    "unknown": Case(lambda pi, some: None, is_tried=True),
    "at work": Case(lambda pi, some: (pi.command(f"answer {SLOW}"), pi.wait_for("Working")), may_run=True),
    "starting": Case(lambda pi, some: (pi.restart(), time.sleep(some.random() * 1.2)), may_run=True),
    "draft": Case(lambda pi, some: pi.type(draft(some))),
    "lines": Case(type_lines),
    "inside": Case(lambda pi, some: (type_lines(pi, some), pi.keys("Up", "Up", "Home"))),
    "blank lines": Case(lambda pi, some: pi.keys(*["C-j"] * some.randint(1, 9))),
    "between": Case(lambda pi, some: (pi.keys("C-j", "C-j"), pi.keys("Up"))),
    "blanks": Case(lambda pi, some: pi.type(" " * some.randint(1, 5)), is_tried=True),
    "slash": Case(lambda pi, some: pi.type("/mem")),
    "copy mode": Case(lambda pi, some: pi.tmux("copy-mode", "-t", pi.pane)),
    "draft, copy mode": Case(lambda pi, some: (pi.type(draft(some)), pi.tmux("copy-mode", "-t", pi.pane))),
    "resume list": dialog("/resume", "Resume Session"),
    "tree": dialog("/tree", "Session Tree"),
    "models": dialog("/model", "Only showing models"),
    "settings": dialog("/settings", "Type to search"),
    "confirm": dialog("/ask confirm", "Really?"),
    "select": dialog("/ask select", "Pick one"),
    "input": dialog("/ask input", "Say it"),
    "editor": dialog("/ask editor", "Write it"),
    "overlay": dialog("/ask overlay", "| hello |", "q"),
}


def still(pi: RealPi) -> None:
    """Until pi draws nothing any more."""
    looks = [pi.look()]

    def is_still() -> bool:
        time.sleep(0.1)
        looks.append(pi.look())
        return looks[-4:] == looks[-1:] * 4

    pi.wait(is_still, "a screen that stays")


def leave(pi: RealPi, case: Case) -> None:
    """Back to an empty editor."""
    pi.tmux("copy-mode", "-q", "-t", pi.pane)
    if case.words:
        pi.keys(case.ends_by)
        pi.wait(lambda: case.words not in pi.text, f"the end of {case.words}")
    pi.tmux("send-keys", "-t", pi.pane, "-N", "30", "Down")
    pi.tmux("send-keys", "-t", pi.pane, "-N", "250", "BSpace")
    pi.wait_empty()
    pi.wait(lambda: "Working" not in pi.text, "the end of the answer")
    assert all({"overlay", "session"} & {*entry, *entry.values()} for entry in pi.news())


class Person(threading.Thread):
    """Types in a terminal of its own, into the same pane, while memtui does: never Enter."""

    def __init__(self, pi: RealPi, some: random.Random) -> None:
        super().__init__()
        self._pi = pi
        self._delay = some.random() * 0.2
        self._pieces = [some.choice((draft(some)[:1], draft(some)[:3])) for _ in range(some.randint(1, 8))]
        self._gaps = [some.random() * 0.05 for _ in self._pieces]

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def run(self) -> None:
        time.sleep(self._delay)
        for piece, gap in zip(self._pieces, self._gaps, strict=True):
            self._pi.press(piece)
            time.sleep(gap)


def round_in(pi: RealPi, heard: list[str], state: str, some: random.Random) -> str:
    """One sending in a state; gives how it ended, and fails where anything went anywhere that it should not."""
    case = STATES[state]
    clean = pi.look()
    case.prepare(pi, some)
    if not case.may_run and state != "unknown":
        pi.wait(lambda: pi.look() != clean, state)
        still(pi)
    before = pi.look()
    pi.news()
    person = Person(pi, some) if state == "typing" else None
    is_still = person is None and state not in ("starting", "at work")
    command, owner = (RELOAD, "zcode") if some.random() < 0.5 else (COMMANDS["memory-status"], "amaster")
    installed = (ZCODE, AMASTER)
    if state == "unknown":
        command, installed = COMMANDS["dream"], (ZCODE, AMASTER, YANDY)
    if person is not None:
        person.start()
    sent = give(pi, command, *installed)
    if person is not None:
        person.join()
    after = pi.look()
    if state == "starting":
        pi.wait_ready()
    news = [entry for entry in pi.news() if "session" not in entry]
    if sent.arrived:
        assert case.may_run, (state, sent, after)
        pi.wait(lambda: news or news.extend(pi.news()) or news, "the command")
        time.sleep(0.05)
        assert [*news, *pi.news()] == [{"ran": owner, "args": command.arguments}], (state, sent)
    else:
        assert sent.copy == command.text
        assert all("overlay" in entry for entry in news), (state, sent, news)
        if is_still:
            shown = "\n".join((*before.rows, "became", *after.rows))
            assert sent.outcome is Outcome.REFUSED, f"{state}: {sent}\n{shown}"
            # where the name was typed and taken back, pi's menu may have scrolled what stands above
            same = replace(after, rows=before.rows, cursor_y=before.cursor_y) if case.is_tried else after
            drawn = (read_editor(after).state, read_editor(after).rows)
            assert (same, drawn) == (before, (read_editor(before).state, read_editor(before).rows)), shown
    assert all(SLOW in text for text in heard), heard
    shown = f"{state}: {sent.outcome.value}"
    if person is not None:
        still(pi)
        # the keys are its own again, with nothing of tmux's in between
        pi.press("~")
        pi.wait(lambda: "~" in "".join(pi.editor.rows), "a key of the person")
        shown += f" typed {person.text!r} left {pi.editor.rows}"
    leave(pi, case)
    return shown


def test_random_rounds_send_nothing_but_the_line(start: Start, heard: list[str]) -> None:
    both = {"zcode": without_completions("zcode", SHARED), "amaster": WITH_COMPLETIONS}
    often = [8 if state in ("empty", "typing") else 1 for state in STATES]
    for mode in ("fullscreen", "regular"):
        pi = start(both, settings={"tuiMode": mode})
        pi.attach()
        for number in range(ROUNDS // 2):
            some = random.Random(f"{mode} {number}")
            print(round_in(pi, heard, some.choices(list(STATES), often)[0], some), flush=True)
