"""A thread that another one goes on in the place of, when it is within a step that cannot be ended."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

MOST_LEFT = 2
"""So many threads may be within a last step at a time: they compute beside the keys, and more of them would
hold up each other and the paint."""


class Relay:
    """Runs `run` in a thread, and again in the next one; the one before ends at its next look at `is_left`.

    `lock` is of whoever owns it, and guards what the threads are asked for as well.
    """

    def __init__(self, run: Callable[[], None], name: str, lock: threading.Lock) -> None:
        self._run, self._name, self._lock = run, name, lock
        self._is_in_step = False
        self._left: list[threading.Thread] = []
        self._thread = self._new_thread()

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name=self._name, daemon=True)

    def start(self) -> None:
        """Start the first thread."""
        self._thread.start()

    def pass_on(self) -> None:
        """Have another thread go on, where this one is within a step. Called with the lock held."""
        self._left = [thread for thread in self._left if thread.is_alive()]
        if self._is_in_step and len(self._left) < MOST_LEFT:
            self._is_in_step = False
            self._left.append(self._thread)
            self._thread = self._new_thread()
            self._thread.start()

    def end(self, wait_s: float) -> None:
        """Wait so long for the end of the thread, which must know already that it is wanted no more."""
        if self._thread.is_alive():
            self._thread.join(wait_s)

    # In the thread

    @property
    def is_left(self) -> bool:
        """Whether another thread goes on in the place of this one."""
        return self._thread is not threading.current_thread()

    @contextlib.contextmanager
    def step(self, *, is_long: bool = True) -> Iterator[None]:
        """What is done now may take long, or, within such a step, not."""
        before = self._note(is_long)
        try:
            yield
        finally:
            self._note(before)

    def _note(self, is_in_step: bool) -> bool:
        with self._lock:
            before = self._is_in_step
            if not self.is_left:
                self._is_in_step = is_in_step
            return before
