"""What the terminal sends, read so that an Esc is never lost and a paste never acts as keys.

Textual's own reader takes Esc and a key in one write for alt and that key (tmux holds an Esc back for its
escape-time and sends both together), and hands out what follows an ESC within a paste as keys.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import signal
import socket
from codecs import getincrementaldecoder
from collections.abc import Iterator
from threading import Event

from textual import constants, events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._parser import ParseError
from textual._time import get_time
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from memtui.late import re
from memtui.ui.ending import end_with_signals

ESC = "\x1b"

_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")

ALT_BACKSPACE = "\x1b\x7f"
"""Takes a word back in every shell; nobody leaves a line and then presses Backspace."""

READ_BYTES = 4096

LOOK_S = 0.1
"""How often it is looked whether an Esc stayed alone."""


class KeyParser(XTermParser):
    """Makes events of what a terminal sends: Esc and a key are these two, and a paste is one event.

    A terminal that sends alt and a key as Esc and the key cannot be told from one that sends the two.
    """

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._begun = ""
        self._begun_until = 0.0
        self._paste: _Paste | None = None

    def feed(self, data: str) -> Iterator[Message]:
        """The events of a piece of what was sent; '' ends it."""
        if not data:
            yield from super().feed("")
            return
        left, self._begun = self._begun + data, ""
        while left:
            if self._paste is not None:
                after = self._paste.take(left)
                if after is None:
                    return
                yield events.Paste(self._paste.text)
                self._paste, left = None, after
                continue
            plain, escape, after = left.partition(ESC)
            if plain:
                yield from super().feed(plain)
            left = escape + after
            if not left:
                return
            if _BEGUN.match(left):
                self._begun, self._begun_until = left, get_time() + constants.ESCAPE_DELAY
                return
            sequence = _sequence_at(left)
            left = left[len(sequence) :]
            if sequence == BRACKETED_PASTE_START:
                self._paste = _Paste()
            elif sequence == ESC:
                yield _escape()
            else:
                yield from super().feed(sequence)

    def tick(self) -> Iterator[Message]:
        """What is certain by now: an Esc that nothing followed, at most `[` or `O`."""
        if 0 < len(self._begun) <= 2 and get_time() >= self._begun_until:
            begun, self._begun = self._begun, ""
            yield _escape()
            if begun[1:]:
                yield from super().feed(begun[1:])
        # Textual itself waits for sequences only that nobody knows: what is in them are no keys
        for _unknown in super().tick():
            pass


class _Paste:
    """What is pasted, as it comes in."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self._parts).replace("\x00", "")

    def take(self, piece: str) -> str | None:
        """Add a piece; what stands behind the end, None while there was none.

        Where a second end follows in the piece without a start, what was pasted held the first.
        """
        whole = (self._parts.pop() if self._parts else "") + piece
        at = whole.find(BRACKETED_PASTE_END)
        if at < 0:
            # the end may be cut anywhere
            self._parts += [whole[: 1 - len(BRACKETED_PASTE_END)], whole[1 - len(BRACKETED_PASTE_END) :]]
            return None
        start = whole.find(BRACKETED_PASTE_START, at)
        at = whole.rfind(BRACKETED_PASTE_END, 0, None if start < 0 else start)
        self._parts.append(whole[:at].replace(BRACKETED_PASTE_END, ""))
        return whole[at + len(BRACKETED_PASTE_END) :]


def _escape() -> events.Key:
    return events.Key("escape", ESC)


def _sequence_at(text: str) -> str:
    """What belongs together at the start of a text that begins with ESC."""
    if (match := _SEQUENCE.match(text)) is not None:
        return match.group()
    if text.startswith(ALT_BACKSPACE):
        return ALT_BACKSPACE
    return text[:3] if text[1:2] == "O" and text[:3] in ANSI_SEQUENCES_KEYS else ESC


class Bell(Event):
    """An event that wakes who waits for a file: its `fileno` can be read from as long as it is set."""

    def __init__(self) -> None:
        super().__init__()
        self._heard, self._rung = socket.socketpair()

    def fileno(self) -> int:
        """The descriptor to wait for."""
        return self._heard.fileno()

    def set(self) -> None:
        """Set it, and wake who waits."""
        if not self.is_set():
            super().set()
            self._rung.send(b".")

    def clear(self) -> None:
        """It is not set any more."""
        if self.is_set():
            self._heard.recv(1)
            super().clear()

    def close(self) -> None:
        """Give the descriptors back."""
        self._heard.close()
        self._rung.close()


class Terminal(LinuxDriver):
    """Textual's terminal, read with `KeyParser`, and given back whoever ends the app."""

    _bell: Bell | None = None

    def start_application_mode(self) -> None:
        """Take the terminal, with an ear for those who ask for it back."""
        if self._bell is None:
            # Textual's own event wakes nobody: leaving would take as long as a look at the keys
            self.exit_event = self._bell = Bell()
        end_with_signals(self._app)
        # Textual's own ear for it would be all ears within any step, also one that keeps what is written locked
        asyncio.get_running_loop().add_signal_handler(signal.SIGTSTP, self._sigtstp_application)
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Nothing is read any more."""
        super().close()
        if self._bell is not None:
            self._bell.close()
            self._bell = None

    def run_input_thread(self) -> None:
        """Read until the driver is asked to stop."""
        parser = KeyParser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        # others cannot wait for terminals everywhere
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            if self._bell is not None:
                selector.register(self._bell, selectors.EVENT_READ)
            is_over = False
            while not is_over:
                # once more after the end: what is there already is read
                is_over = self.exit_event.is_set()
                # a character may be cut; nothing to feed is the end to a parser
                ready = selector.select(0 if is_over else LOOK_S)
                if any(key.fd == self.fileno for key, _mask in ready):
                    try:
                        data = os.read(self.fileno, READ_BYTES)
                    except OSError:
                        data = b""
                    if not data:
                        # the terminal is gone: it would be ready to read nothing for ever
                        break
                    if text := decode(data):
                        for event in parser.feed(text):
                            self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
        try:
            for _event in parser.feed(""):
                pass
        except (EOFError, ParseError):
            pass
