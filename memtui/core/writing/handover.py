"""The queue of replaced files, watched until no writer can be left, so that nothing is dropped unseen.

A program that opened a file before memtui put it out of its name goes on writing into it. A replaced file goes
only when the system says that nobody holds it open for writing (`holders`), or, where it cannot say so,
when the time for it is over. One that is still held when memtui leaves stays for its next start.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from memtui.core import fs
from memtui.core.errors import MemtuiError, explain
from memtui.core.history.journal import OpenChange
from memtui.core.history.records import Temp
from memtui.core.writing import holders
from memtui.core.writing.current import read_bytes
from memtui.core.writing.late import LateWrites, Replaced

LOOK_PAUSE_S = 0.004

_LAST_LOOKS = 20
"""How many last looks there are at most: a merge in one of them replaces a file, which is looked at in turn."""


class HandOver:
    """The replaced files of one change. `lock` guards every write into the store.

    No method raises: a file that cannot be dealt with stays for recovery, and the reason is among the notes.
    """

    def __init__(self, change: OpenChange, lock: Callable[[], AbstractContextManager[None]]) -> None:
        self._change = change
        self._lock = lock
        self._waiting: list[Replaced] = []
        self._notes: list[str] = []
        self._late = LateWrites(change, self.watch, self._say)
        self.spare_dirs = change.spare_dirs
        """Directories that go at the end, if nothing is in them; outermost first."""
        self.leaves_a_file = False
        """Whether a step left a file at its temp name for the next start to deal with."""

    @property
    def is_empty(self) -> bool:
        """Whether no replaced file is left."""
        return not self._waiting

    def watch(self, temp: Temp, accounted: bytes) -> None:
        """Wait for late writes into the replaced file at `temp`, of which `accounted` is dealt with."""
        self._waiting.append(Replaced(temp, accounted, accounted))

    def forget(self, temp: Temp) -> bytes | None:
        """Stop waiting for this one (it goes back to its name); the bytes that were dealt with."""
        for item in self._waiting:
            if item.temp.path == temp.path:
                self._waiting.remove(item)
                return item.base
        return None

    def is_watching(self, temp: Temp) -> bool:
        """Whether the replaced file at this temp name waits already."""
        return any(item.temp.path == temp.path for item in self._waiting)

    def settle(self, seconds: float) -> list[str]:
        """Look again and again for at most `seconds`, then a last time, and let go of the record.

        Returns the notes for the person.
        """
        deadline = time.monotonic() + seconds
        self.look()
        while self._waiting and time.monotonic() < deadline:
            time.sleep(LOOK_PAUSE_S)
            self.look()
        for _look in range(_LAST_LOOKS):
            self._look(is_last=True)
            if all(item.is_held for item in self._waiting):
                break
        self._close()
        return self.take_notes()

    def take_notes(self) -> list[str]:
        """The notes for the person that have come up since this was last asked."""
        notes, self._notes = self._notes, []
        return notes

    def look(self) -> None:
        """One look at every replaced file: complete late lines move to the live file at once, and what nobody
        can write to any more goes."""
        self._look()

    def look_before_done(self) -> None:
        """As `look`, with the store's lock held, and nothing goes: the change may still be taken back."""
        self._look(lock=contextlib.nullcontext, let_go=False)

    def _look(
        self,
        *,
        is_last: bool = False,
        let_go: bool = True,
        lock: Callable[[], AbstractContextManager[None]] | None = None,
    ) -> None:
        for item in list(self._waiting):
            try:
                # asked first: what is read after nobody could write is all there will be
                writers = holders.has_writers(item.temp.path)
                if is_last and writers and not holders.is_open(item.temp.path):
                    # refused for another reason than an open file: only time can tell
                    writers = None
                data = read_bytes(item.temp.path)
                if data is None:
                    self._waiting.remove(item)
                    continue
                item.looked_at(data, is_held=bool(writers))
                is_final = writers is False or (writers is None and is_last)
                if data != item.base:
                    with (lock or self._lock)():
                        self._late.take(item, data, final=is_final)
                if is_final and let_go:
                    fs.unlink(item.temp.path, missing_ok=True)
                    self._waiting.remove(item)
            except (OSError, MemtuiError) as error:
                # the next look may go better; if none does, the file stays for recovery
                item.is_held = True
                if is_last:
                    self._say(explain(error) if isinstance(error, OSError) else error.message)

    def _close(self) -> None:
        if not self._waiting:
            for directory in reversed(self.spare_dirs):
                with contextlib.suppress(OSError):
                    fs.remove_dir(directory)
            if not self.leaves_a_file:
                with contextlib.suppress(OSError):
                    self._change.settled()
        self._waiting.clear()
        self._change.close()

    def _say(self, note: str) -> None:
        if note not in self._notes:
            self._notes.append(note)
