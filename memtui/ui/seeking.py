"""Looking for something that may take long, in a thread of its own: a newer key ends it within one chunk."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from textual.message import Message

from memtui.core.errors import MemtuiError
from memtui.late.dataclasses import dataclass
from memtui.ui.work import as_known

Cancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Errand:
    """What is looked for: `job` runs in the thread and ends early once it hears that it is cancelled; `then`
    gets what it found, `failed` why nothing was, in the UI thread."""

    job: Callable[[Cancelled], Any]
    then: Callable[[Any], None]
    failed: Callable[[MemtuiError], None]


class Sought(Message):
    """An errand ended. Posted by its thread."""

    def __init__(self, errand: Errand, result: Any, error: MemtuiError | None) -> None:
        super().__init__()
        self.errand = errand
        self.result = result
        self.error = error


class Seeker:
    """One errand at a time. `post` hands a message to the UI and may be called from any thread; all else is
    called in the UI thread. `idle` is set while nothing is looked for."""

    def __init__(self, post: Callable[[Message], bool]) -> None:
        self._post = post
        self._errand: Errand | None = None
        self._thread: threading.Thread | None = None
        self.idle = threading.Event()
        self.idle.set()

    def seek(self, errand: Errand) -> None:
        """Begin, in the place of what was looked for before."""
        self.cancel()
        self._errand = errand
        self.idle.clear()
        self._thread = threading.Thread(target=self._run, args=(errand,), name="memtui-seeker", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Nobody wants any more what is being looked for."""
        self._errand = None
        self.idle.set()

    def heard(self, sought: Sought) -> None:
        """Hand over what was found, unless it is not wanted any more."""
        if sought.errand is not self._errand:
            return
        self.cancel()
        if sought.error is None:
            sought.errand.then(sought.result)
        else:
            sought.errand.failed(sought.error)

    def close(self) -> None:
        """End within one chunk of the work."""
        self.cancel()
        if self._thread is not None:
            self._thread.join()

    def _run(self, errand: Errand) -> None:
        result, error = None, None
        try:
            result = errand.job(lambda: self._errand is not errand)
        except Exception as problem:
            error = as_known(problem)
        self._post(Sought(errand, result, error))
