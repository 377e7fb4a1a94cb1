"""Keys and pastes are handed out one by one, each when all that the one before it led to is done.

Textual hands a key to whoever has the focus when the key comes in. Keys that come in together would so reach
a line that the first of them closes, or miss one that it opens.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial

from textual import events
from textual.app import App
from textual.message import Message
from textual.widget import Widget

LOST_S = 0.5
"""After this long a key counts as done: who had it may be gone."""


class KeyDone(Message, verbose=True):
    """Goes the way of a key, behind it; heard by the app when all is done that the key led to."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class OneByOne:
    """What waits between the terminal and the app. Lives in the UI thread."""

    def __init__(self, app: App[int], hand_out: Callable[[events.Event], Awaitable[None]]) -> None:
        self._app = app
        self._hand_out = hand_out
        self._waiting: deque[events.Event] = deque()
        self._number = 0
        self._is_busy = False
        self._is_watched = False
        self._deaf_until = 0.0

    async def take(self, event: events.Event) -> None:
        """Hand an event out, or keep it until its turn comes."""
        self._waiting.append(event)
        if not self._is_busy:
            await self._next()
        elif not self._is_watched:
            self._is_watched = True
            self._app.set_timer(LOST_S, partial(self._may_be_lost, self._number))

    async def done(self, message: KeyDone) -> None:
        """The event with this number is done."""
        if self._is_busy and message.number == self._number:
            await self._next()

    async def _may_be_lost(self, number: int) -> None:
        self._is_watched = False
        if self._is_busy and number == self._number:
            await self._next()
        elif self._waiting:
            self._is_watched = True
            self._app.set_timer(LOST_S, partial(self._may_be_lost, self._number))

    async def _next(self) -> None:
        self._is_busy = False
        while self._waiting and not self._is_busy:
            event = self._waiting.popleft()
            if event.time <= self._deaf_until:
                continue
            target = self._app.focused or self._app.screen
            self._number += 1
            self._is_busy = True
            await self._hand_out(event)
            self._is_busy = self._follow(target, self._number)

    def _follow(self, target: Widget, number: int) -> bool:
        def send() -> None:
            # behind what a field tells itself of the key
            target.post_message(KeyDone(number))

        return target.call_later(send)

    # Deaf

    def ignore(self, seconds: float) -> None:
        """Drop what is typed in the next seconds, unless `listen` comes earlier."""
        self._deaf_until = Message().time + seconds

    def listen(self) -> None:
        """Drop what was typed until now, and nothing any more."""
        self._deaf_until = Message().time
