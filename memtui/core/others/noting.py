"""When what stores look like is noted, in a run of the app."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from memtui.core.changes import is_same
from memtui.core.layouts.base import Snapshot
from memtui.core.others.looking import Others
from memtui.late import dataclasses


class Noter:
    """Notes what is seen in a run of memtui: at once what lost text, and else not more often than every GAP."""

    GAP = timedelta(seconds=30)

    def __init__(self, others: Others) -> None:
        self._others = others
        self._todo: dict[str, Snapshot] = {}
        self._keeping: dict[str, Iterator[None]] = {}
        self._noted: dict[str, Snapshot] = {}
        self._waiting: dict[str, Snapshot] = {}
        self.kept_bytes = 0
        """How much was kept for it so far."""

    @property
    def is_waiting(self) -> bool:
        """Whether something waits for `settle`."""
        return bool(self._waiting)

    def looked(self, snapshots: Iterable[Snapshot]) -> None:
        """Take in a look, for `go_on`."""
        for snapshot in snapshots:
            known = self._todo.get(snapshot.store.id)
            if known is not None and _loses(known, snapshot):
                self._take(known)
            self._todo[snapshot.store.id] = snapshot
            self._keeping.pop(snapshot.store.id, None)

    def go_on(self, seconds: float = math.inf) -> bool:
        """Note what was taken in, for about so long; whether all is done. Raises StorageError."""
        deadline = time.monotonic() + seconds
        while self._todo:
            store_id, snapshot = next(iter(self._todo.items()))
            if store_id not in self._noted:
                # the first time there is much to keep
                keeping = self._keeping.setdefault(store_id, self._others.keeping(snapshot))
                for _kept in keeping:
                    if time.monotonic() > deadline:
                        return False
            del self._todo[store_id]
            self._take(snapshot)
        return True

    def _take(self, snapshot: Snapshot) -> None:
        store_id = snapshot.store.id
        noted = self._noted.get(store_id)
        before = self._waiting.get(store_id, noted)
        if noted is None or before is None:
            self._note(snapshot)
        elif is_same(before, snapshot):
            return
        elif _loses(before, snapshot):
            # what is about to be lost is noted as it was seen last
            self.settle(store_id)
            self._note(snapshot)
        elif _age(noted, snapshot) >= self.GAP:
            self._note(snapshot)
        else:
            self._waiting[store_id] = snapshot

    def settle(self, store_id: str = "") -> None:
        """Note what waits. Raises StorageError."""
        for snapshot in [item for key, item in self._waiting.items() if key == (store_id or key)]:
            self._note(snapshot)

    def end(self, now: datetime) -> None:
        """Note all that was taken in, and that all was so until now. Raises StorageError."""
        self.go_on()
        self.settle()
        for snapshot in self._noted.values():
            store = dataclasses.replace(snapshot.store, read_at=now)
            self._others.note(dataclasses.replace(snapshot, store=store), ends=True)

    def _note(self, snapshot: Snapshot) -> None:
        self._waiting.pop(snapshot.store.id, None)
        self._noted[snapshot.store.id] = snapshot
        self.kept_bytes += self._others.note(snapshot)


def _loses(before: Snapshot, after: Snapshot) -> bool:
    """Whether a line that was there is there no more."""
    for path, file in before.files.items():
        now = after.files.get(path)
        if file.data is None or (now is not None and now.data == file.data):
            continue
        data = b"" if now is None or now.data is None else now.data
        if not data.startswith(file.data) and not set(file.data.splitlines()) <= set(data.splitlines()):
            return True
    return False


def _age(noted: Snapshot, snapshot: Snapshot) -> timedelta:
    before, now = noted.store.read_at, snapshot.store.read_at
    return timedelta(0) if before is None or now is None else now - before
