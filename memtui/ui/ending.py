"""How the app ends when nobody pressed `q`: a signal, a terminal that went away, a mistake of its own."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from memtui.core.errors import MemtuiError
from memtui.i18n import _

if TYPE_CHECKING:
    from textual.app import App

    from memtui.core.env import Env

CODE = "bug"

TERMINAL_LOOK_S = 2.0
"""How often it is looked whether the terminal is still there."""

KEYBOARD = ("SIGINT", "SIGQUIT")
"""Signals that ctrl+c and ctrl+\\ send to every program of the terminal."""

ENDING = ("SIGTERM", "SIGHUP")
"""Signals that ask one program to end."""


def end_with_signals(app: App[int]) -> None:
    """Give the terminal back when memtui is asked to end, or the terminal goes away: status 128 + signal.

    Called before the terminal is taken: a signal that nobody hears in between would leave it taken.
    """
    import asyncio

    loop = asyncio.get_running_loop()
    for number in (*_numbers(ENDING), signal.SIGINT):
        loop.add_signal_handler(number, partial(app.exit, return_code=128 + number))
    app.set_interval(TERMINAL_LOOK_S, partial(_end_without_terminal, app))


def _end_without_terminal(app: App[int]) -> None:
    """A terminal may vanish without a word (its signal was blocked, or went to another session); reading from
    what is left of it would cost a whole processor."""
    import termios

    try:
        termios.tcgetattr(0)
    except (termios.error, OSError):
        app.exit(return_code=128 + signal.SIGHUP)


@contextlib.contextmanager
def deaf_beside_another() -> Iterator[None]:
    """While another program has the terminal, ctrl+c is that program's; who asks memtui to end waits for it."""
    missed: list[int] = []
    wakeup = signal.set_wakeup_fd(-1)
    kept = {number: signal.signal(number, _unheard) for number in _numbers(KEYBOARD)}
    kept |= {number: signal.signal(number, lambda got, _: missed.append(got)) for number in _numbers(ENDING)}
    # ctrl+z is for both: the shell waits until memtui, too, has stopped
    kept[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, _stop)
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
        if missed:
            os.kill(os.getpid(), missed[0])


def _numbers(names: tuple[str, ...]) -> list[signal.Signals]:
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


def _stop(number: int, frame: object) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def _unheard(number: int, frame: object) -> None:
    """Somebody else's; a handler of our own, since a child would inherit that a signal is ignored."""


def crashed(env: Env, error: Exception) -> MemtuiError:
    """The one line that a person reads about a mistake of memtui's; the rest is in a file.

    What was being changed is whole, since every change is journalled and the work thread has ended. The line
    holds no text of the error: that may be a memory's.
    """
    from memtui.core.crash_log import keep_crash, place_of
    from memtui.core.safety import display

    kind = type(error).__name__
    what = _("a mistake in memtui ended it ({kind} at {place}); nothing is half-written").format(
        kind=kind, place=place_of(error) or "?"
    )
    try:
        path = keep_crash(env, error)
    except OSError:
        return MemtuiError(_("{what}; please report it").format(what=what), code=CODE)
    return MemtuiError(
        _("{what}; please report it with {path} (read it first: it may quote a memory)").format(
            what=what, path=display.path(path, home=env.home)
        ),
        code=CODE,
    )
