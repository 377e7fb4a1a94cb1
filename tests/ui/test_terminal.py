"""What a terminal sends, as events: Esc is never lost, a paste is one event whatever is in it."""

from __future__ import annotations

import asyncio
import itertools
import select
import signal

import pytest
from textual import events
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from memtui.ui.terminal import Bell, KeyParser, Terminal


def quiet(parser: KeyParser) -> list[Message]:
    """What a parser finds when nothing comes any more."""
    parser._begun_until = 0.0
    if parser._timeout_time is not None:
        parser._timeout_time = 0.0
    return list(parser.tick())


def heard(*pieces: str) -> list[str]:
    """The keys of what was sent in pieces, a paste as `paste:` and its text; an Esc at the end is over."""
    parser = KeyParser()
    found: list[Message] = [event for piece in pieces for event in parser.feed(piece)]
    found += quiet(parser)
    return [
        f"paste:{event.text}" if isinstance(event, events.Paste) else event.key
        for event in found
        if isinstance(event, (events.Paste, events.Key))
    ]


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("\x1bx", ["escape", "x"]),
        ("\x1bX", ["escape", "X"]),
        ("\x1bf", ["escape", "f"]),
        ("\x1b1", ["escape", "1"]),
        ("\x1b/", ["escape", "slash"]),
        ("\x1b\r", ["escape", "enter"]),
        ("\x1b\x03", ["escape", "ctrl+c"]),
        ("\x1b\x1bj", ["escape", "escape", "j"]),
        ("\x1b", ["escape"]),
        ("\x1b[", ["escape", "left_square_bracket"]),
        ("\x1bO", ["escape", "O"]),
        ("\x1bOz", ["escape", "O", "z"]),
        ("\x1b\x1b[A", ["escape", "up"]),
        ("j\x1bk\x1b", ["j", "escape", "k", "escape"]),
        ("\x1b[A\x1bOB\x1b[5~\x1b[Z\x1bOP\x1b[[A", ["up", "down", "pageup", "shift+tab", "f1", "f1"]),
        ("\x1b\x7f", ["ctrl+w"]),
        ("\x1b[27u", ["escape"]),
    ],
)
def test_u11_esc_and_a_key_in_one_write_are_these_two(sent: str, keys: list[str]) -> None:
    assert heard(sent) == keys


@pytest.mark.parametrize("sent", ["\x1bx", "\x1b[A", "\x1b[200~a\x1b[31mb\x1b[201~q", "\x1b[15~\x1b\r"])
def test_it_does_not_matter_where_what_was_sent_is_cut(sent: str) -> None:
    whole = heard(sent)
    assert heard(*sent) == whole
    for first, last in itertools.combinations(range(1, len(sent)), 2):
        assert heard(sent[:first], sent[first:last], sent[last:]) == whole


@pytest.mark.parametrize(
    "text",
    ["abc\x1b[31mz", "abc\x1bx d", "\x1b", "abc\x1b", "a\x1b\x1b\x1b[201", "d\ny\nq\n", "", "\x1b[A" * 3000],
)
def test_what_is_pasted_never_acts_as_keys(text: str) -> None:
    sent = f"\x1b[200~{text}\x1b[201~"
    assert heard(sent, "q") == [f"paste:{text}", "q"]
    pieces = [sent[at : at + 4096] for at in range(0, len(sent), 4096)]
    assert heard(*pieces) == [f"paste:{text}"]


def test_a_slow_paste_with_an_escape_in_it_does_not_break_out() -> None:
    parser = KeyParser()
    assert list(parser.feed("\x1b[200~abc\x1b")) == []
    assert quiet(parser) == []
    assert [type(event) for event in parser.feed("xd\x1b[201~")] == [events.Paste]


def test_an_end_within_what_is_pasted_does_not_end_it() -> None:
    assert heard("\x1b[200~abc\x1b[201~dy\x1b[201~q") == ["paste:abcdy", "q"]
    assert heard("\x1b[200~a\x1b[201~j\x1b[200~b\x1b[201~") == ["paste:a", "j", "paste:b"]


def test_a_sequence_that_nobody_knows_is_no_letters() -> None:
    parser = KeyParser()
    assert list(parser.feed("\x1b[?62;4c")) == []
    assert quiet(parser) == []
    assert [event.key for event in parser.feed("j") if isinstance(event, events.Key)] == ["j"]


async def test_u02_whoever_asks_memtui_to_end_is_heard_before_the_terminal_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app: App[int] = App()
    heard_when_taken: list[bool] = []
    loop = asyncio.get_running_loop()

    def take(driver: LinuxDriver) -> None:
        ending = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
        heard_when_taken.extend(loop.remove_signal_handler(number) for number in ending)

    monkeypatch.setattr(LinuxDriver, "start_application_mode", take)
    try:
        Terminal(app).start_application_mode()
    finally:
        for timer in app._timers:
            timer.stop()
    assert heard_when_taken == [True, True, True]


def test_leaving_does_not_wait_for_the_next_look_at_the_keys() -> None:
    bell = Bell()

    def wakes() -> bool:
        return bool(select.select([bell], [], [], 0)[0])

    assert not wakes()
    bell.set()
    bell.set()
    assert wakes() and bell.is_set()
    bell.clear()
    assert not wakes() and not bell.is_set()
    bell.close()
