"""The one thread that talks to the core: jobs in order, results as messages with a generation number.

The UI thread does no file I/O, no parsing and no search; it hands over a job and hears of its result. A job
whose `channel` has a newer one waiting is passed over, so that holding a key does not queue up work.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.message import Message

from memtui.core.errors import MemtuiError
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace

TEND_S = 0.05
"""How often files that a late writer may hold are looked at while there are any."""

Job = Callable[["Workspace"], Any]
Then = Callable[[Any], None]
Failed = Callable[[MemtuiError], None]


class WorkDone(Message):
    """A job ended: `then` is to be called with its result, or `failed` with its error, in the UI thread."""

    def __init__(self, order: Order, result: Any, error: MemtuiError | None) -> None:
        super().__init__()
        self.order = order
        self.result = result
        self.error = error


class WorkNotes(Message):
    """Notes for the person that belong to no job; `settled` = no late writer is waited for any more."""

    def __init__(self, notes: tuple[str, ...], settled: bool) -> None:
        super().__init__()
        self.notes = notes
        self.settled = settled


class WorkWaits(Message):
    """A job waits for something that another program holds; `sentence` says what, as text from disk."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Order:
    """A job with its place in the row; `channel` '' = it is always done, and its result always heard."""

    generation: int
    channel: str
    job: Job
    then: Then
    failed: Failed | None
    is_change: bool


class Work:
    """Runs jobs on a thread of its own. `make` builds the workspace in that thread; `post` hands a message
    to the UI and may be called from any thread."""

    def __init__(self, make: Callable[[], Workspace], post: Callable[[Message], bool]) -> None:
        self._make = make
        self._post = post
        self._orders: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._newest: dict[str, int] = {}
        self._generation = 0
        self._changes = 0
        self.in_flight = ""
        self._thread = threading.Thread(target=self._run, name="memtui-work")

    @property
    def changes_in_flight(self) -> int:
        """How many jobs that change something are not done yet."""
        return self._changes

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def do(
        self,
        job: Job,
        then: Then,
        *,
        channel: str = "",
        failed: Failed | None = None,
        is_change: bool = False,
        in_flight: str = "",
    ) -> int:
        """Hand over a job; gives its generation. Called by the UI thread only.

        `is_change`: memtui is not left before it is done, unless the person insists; `in_flight` says what is
        being done then, where that is no change of a memory.
        """
        self._generation += 1
        if is_change:
            self.in_flight = in_flight
        if channel:
            self._newest[channel] = self._generation
        self._changes += is_change
        self._orders.put(Order(self._generation, channel, job, then, failed, is_change))
        return self._generation

    def forget(self, channel: str) -> None:
        """Nobody waits any more for what was handed over on this channel. Called by the UI thread only."""
        self._generation += 1
        self._newest[channel] = self._generation

    def heard(self, done: WorkDone) -> bool:
        """Note that a result arrived; whether it is still wanted. Called by the UI thread only."""
        self._changes -= done.order.is_change
        return not self._is_stale(done.order)

    def finish(self) -> None:
        """Let the thread end after the jobs that were handed over."""
        self._orders.put(None)

    def stop(self) -> None:
        """Wait until the thread has ended."""
        self.finish()
        if self._thread.is_alive():
            self._thread.join()

    def _is_stale(self, order: Order) -> bool:
        return bool(order.channel) and self._newest.get(order.channel) != order.generation

    def _run(self) -> None:
        workspace: Workspace | None = None
        while True:
            try:
                waits = workspace is not None and workspace.is_waiting
                order = self._orders.get(timeout=TEND_S if waits else None)
            except queue.Empty:
                if workspace is not None:
                    self._guarded_tend(workspace)
                continue
            if order is None:
                break
            if self._is_stale(order):
                self._post(WorkDone(order, None, None))
                continue
            result, error = None, None
            try:
                if workspace is None:
                    workspace = self._make()
                    workspace.waits = lambda sentence: _posted(self._post(WorkWaits(sentence)))
                result = order.job(workspace)
            except MemtuiError as known:
                error = known
            except Exception as unknown:
                error = as_known(unknown)
            self._post(WorkDone(order, result, error))
        if workspace is not None:
            workspace.close()

    def _guarded_tend(self, workspace: Workspace) -> None:
        try:
            notes = workspace.tend()
        except Exception as error:
            notes = (as_known(error).message,)
        settled = not workspace.is_waiting
        if notes or settled:
            self._post(WorkNotes(notes, settled))


def _posted(was: bool) -> None:
    """Nothing is to be done about a message that came after the end."""


def as_known(error: Exception) -> MemtuiError:
    """An error as one that is meant for the person."""
    if isinstance(error, MemtuiError):
        return error
    where = getattr(error, "filename", None)
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    if where:
        return MemtuiError(f"{where}: {reason}")
    kind = type(error).__name__
    return MemtuiError(
        _("{kind}: {reason} (a bug in memtui; please report it)").format(kind=kind, reason=reason)
    )
