"""The thread around `Rounds`: started after the first frame, ended with everything it holds."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from memtui.core.watch.mounts import Mount, read_mounts
from memtui.core.watch.native import NativeFactory, WatchdogNative
from memtui.core.watch.roots import Root
from memtui.core.watch.rounds import OnChange, Rounds
from memtui.core.watch.times import Pacer, SystemPacer, Times, WatchState
from memtui.i18n import _

_JOIN_S = 5.0


class Watcher:
    """Calls `on_change` with the paths to look at again, always from one thread of its own.

    A path is given as its root is named; the path of a root (or of a directory) stands for everything below it.
    Every root is announced once when its watch is armed, because nobody watched it before: so after `start`,
    after `set_roots` for the new ones, and when a vanished root is back. The set is empty when only `state`
    changed. Whether bytes really changed is for the receiver to compare: that is also what makes memtui's own
    writes silent.
    """

    def __init__(
        self,
        roots: Iterable[Root],
        on_change: OnChange,
        *,
        hot: Iterable[Path] = (),
        pacer: Pacer | None = None,
        times: Times | None = None,
        make_native: NativeFactory = WatchdogNative,
        mounts: Callable[[], tuple[Mount, ...]] = read_mounts,
    ) -> None:
        self._pacer = pacer or SystemPacer()
        self._closing = threading.Event()
        self._off = WatchState("off", _("not started"))
        self._thread: threading.Thread | None = None
        self._rounds = Rounds(
            on_change,
            pacer=self._pacer,
            times=times or Times(),
            make_native=make_native,
            read_mounts=mounts,
            goes_on=lambda: not self._closing.is_set(),
        )
        self._rounds.set_roots(roots)
        self._rounds.set_hot(hot)

    def start(self) -> None:
        """Start the thread, which imports and starts everything else; for after the first frame. Once only."""
        if self._thread is None and not self._closing.is_set():
            self._thread = threading.Thread(target=self._run, name="memtui-watch", daemon=True)
            self._thread.start()

    @property
    def state(self) -> WatchState:
        """How changes are noticed now."""
        running = self._thread is not None and self._thread.is_alive() and not self._closing.is_set()
        return self._rounds.state if running else self._off

    @property
    def last_error(self) -> Exception | None:
        """The newest exception that `on_change` (or a turn) raised; it ended nothing."""
        return self._rounds.last_error

    def set_roots(self, roots: Iterable[Root]) -> None:
        """Change what is watched; from any thread. The same roots again change nothing."""
        self._rounds.set_roots(roots)

    def set_hot(self, paths: Iterable[Path]) -> None:
        """Name the files to look at every 2 s by stat (sessions that grew recently); from any thread."""
        self._rounds.set_hot(paths)

    def close(self) -> None:
        """End all threads and free all descriptors; no call of `on_change` begins afterwards."""
        self._off = WatchState("off", _("closed"))
        self._closing.set()
        self._pacer.wake()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(_JOIN_S)

    def _run(self) -> None:
        try:
            while not self._closing.is_set():
                self._pacer.wait(self._turn())
        finally:
            self._end()

    def _end(self) -> None:
        try:
            self._rounds.close()
        except Exception as error:
            # a thread that ends with an exception prints it on stderr, which is the screen of the app
            self._rounds.last_error = error

    def _turn(self) -> float:
        try:
            return self._rounds.turn()
        except Exception as error:
            self._rounds.last_error = error
            return 1.0
