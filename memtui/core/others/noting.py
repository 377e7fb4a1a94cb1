"""When what stores look like is noted, in a run of the app."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from datetime import datetime, timedelta

from memtui.core.changes import is_same
from memtui.core.layouts.base import Snapshot
from memtui.core.others.looking import Others


class Noter:
    """Notes what is seen in a run of memtui: at once what lost text, and else not more often than every GAP."""

    GAP = timedelta(seconds=30)

    def __init__(self, others: Others) -> None:
        self._others = others
        self._noted: dict[str, Snapshot] = {}
        self._waiting: dict[str, Snapshot] = {}
        self.kept_bytes = 0
        """How much was kept for it so far."""

    def looked(self, snapshots: Iterable[Snapshot]) -> bool:
        """Take in a look; whether something waits for `settle`. Raises StorageError."""
        for snapshot in snapshots:
            noted = self._noted.get(snapshot.store.id)
            if noted is None:
                self._note(snapshot)
            elif is_same(self._waiting.get(snapshot.store.id, noted), snapshot):
                continue
            elif _loses(self._waiting.get(snapshot.store.id, noted), snapshot):
                # what is about to be lost is noted as it was seen last
                self.settle(snapshot.store.id)
                self._note(snapshot)
            elif _age(noted, snapshot) >= self.GAP:
                self._note(snapshot)
            else:
                self._waiting[snapshot.store.id] = snapshot
        return bool(self._waiting)

    def settle(self, store_id: str = "") -> None:
        """Note what waits. Raises StorageError."""
        for snapshot in [item for key, item in self._waiting.items() if key == (store_id or key)]:
            self._note(snapshot)

    def end(self, now: datetime) -> None:
        """Note what waits, and that all was so until now. Raises StorageError."""
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
