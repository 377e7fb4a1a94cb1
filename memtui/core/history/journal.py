"""The journal: every change is written down before its first effect, and so can be taken back after a crash.

Below `<state>/history`: `objects/` (bytes by digest), `changes/` (one record a change, named by its number),
`sessions/` (whole files that were taken away), `sightings/` (what stores looked like), `lock`. Directories are
0700, files 0600. Numbers rise by one, whatever the clock says.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path

from memtui.core import fs
from memtui.core.history.objects import ObjectStore, make_private_dir
from memtui.core.history.records import (
    Record,
    State,
    Temp,
    event_line,
    intent_line,
    is_torn,
    named_objects,
    named_places,
    parse_record,
    step_temp,
    step_to_json,
)
from memtui.core.history.sightings import Sightings
from memtui.core.history.trash import WholeFileTrash
from memtui.core.operations.plan import Plan, Step
from memtui.core.text.leftovers import OWN_TEMP_PREFIX

TEMP_SUFFIX = ".tmp"
"""Temp names start with a dot and do not end in .md: no agent and no layout reads them."""

_SUFFIX = ".jsonl"


class Journal:
    """All changes on this machine, newest first, and the object store behind them.

    With `keeps` False (the history is switched off) a change is remembered only until it is settled.
    """

    def __init__(self, state_dir: Path, now: Callable[[], datetime], *, keeps: bool = True) -> None:
        self.root = state_dir / "history"
        self.objects = ObjectStore(self.root / "objects")
        self.trash = WholeFileTrash(self.root / "sessions")
        self.sightings = Sightings(self.root / "sightings", self.objects, self.locked)
        self.keeps = keeps
        self._changes = self.root / "changes"
        self._now = now

    def begin(self, plan: Plan, missing_dirs: tuple[Path, ...]) -> OpenChange:
        """Write a plan's bytes and intent down, durably, before anything happens.

        Raises OSError; TimeoutError while another memtui writes its own.
        """
        make_private_dir(self._changes)
        # the lock also keeps `prune` from taking away bytes that are about to be named
        with self.locked():
            self.objects.put_all(dict(plan.blobs))
            undone = None if plan.undoes is None else self.record(plan.undoes)
            spare_dirs = () if undone is None else undone.made_dirs
            change_id = str(max(map(int, self._numbers()), default=0) + 1)
            temps = tuple(_temp_path(step.path, change_id) for step in plan.steps)
            path = self._path(change_id)
            intent = intent_line(plan, change_id, self._now(), temps, missing_dirs, spare_dirs)
            try:
                fs.write_new(path, intent)
                fs.fsync_dir(self._changes)
                return OpenChange(self, change_id, path, map(step_temp, plan.steps, temps), spare_dirs)
            except FileExistsError:
                raise
            except OSError:
                with contextlib.suppress(OSError):
                    fs.unlink(path, missing_ok=True)
                raise

    def records(self) -> Iterator[Record]:
        """Every readable record, newest first; none where the folder cannot be read."""
        try:
            numbers = self._numbers()
        except OSError:
            return
        for number in reversed(numbers):
            record = self.record(number)
            if record is not None:
                yield record

    def record(self, change_id: str) -> Record | None:
        """The record of this change, or None."""
        data = self._read(change_id) if _is_number(change_id) else None
        return None if data is None else parse_record(data)

    def reopen(self, record: Record) -> OpenChange:
        """Go on with a record after a crash. Raises TimeoutError while another process holds it."""
        return OpenChange(self, record.id, self._path(record.id), record.temps, record.spare_dirs)

    def forget(self, change_ids: Iterable[str]) -> None:
        """Remove records (not the objects they name)."""
        for change_id in change_ids:
            fs.unlink(self._path(change_id), missing_ok=True)

    def torn(self) -> list[str]:
        """The numbers of records that hold nothing: killed while they were written, before any effect."""
        return [number for number in self._numbers() if is_torn(self._read(number) or b"")]

    def is_held(self, record: Record) -> bool:
        """Whether a running memtui is at work on this change."""
        try:
            with fs.locked(self._path(record.id), wait_s=0):
                return False
        except TimeoutError:
            return True

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only memtui that begins changes or removes old ones. Raises TimeoutError."""
        with fs.locked(self.root / "lock"):
            yield

    def _numbers(self) -> list[str]:
        if not fs.is_dir(self._changes):
            return []
        names = (entry.name.removesuffix(_SUFFIX) for entry in fs.list_dir(self._changes))
        return sorted((name for name in names if _is_number(name)), key=int)

    def _path(self, change_id: str) -> Path:
        return self._changes / f"{change_id:0>8}{_SUFFIX}"

    def _read(self, change_id: str) -> bytes | None:
        try:
            return fs.read_file(self._path(change_id)).data
        except OSError:
            return None


class OpenChange:
    """A record being written: the change is under way, or its replaced files still wait for late writers.

    It holds a lock on the record until `close`, so that no other memtui takes the change for a crashed one.
    """

    def __init__(
        self,
        journal: Journal,
        change_id: str,
        path: Path,
        temps: Iterable[Temp],
        spare_dirs: tuple[Path, ...] = (),
    ) -> None:
        self.id = change_id
        self.objects = journal.objects
        self.temps = list(temps)
        self.spare_dirs = spare_dirs
        self.holds_only_copy = False
        """Whether bytes of another program are in no file any more: they stay, also with the history off."""
        self._journal = journal
        self._path = path
        self._lock = contextlib.ExitStack()
        if fs.kind_of(path) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        self._lock.enter_context(fs.locked(path, wait_s=0))

    def new_temp(self, beside: Path, holds: str | None, accounted: str | None) -> Temp:
        """One more temp name in the directory of `beside`, written down before it is made."""
        temp = Temp(_temp_path(beside, self.id), beside, holds, accounted)
        self._note("temp", path=str(temp.path), live=str(beside), holds=holds, accounted=accounted)
        self.temps.append(temp)
        return temp

    def step_becomes(self, index: int, step: Step) -> Temp:
        """Step `index` is carried out with these bytes instead of the planned ones."""
        self._note("step", index=index, step=step_to_json(step))
        self.temps[index] = step_temp(step, self.temps[index].path)
        return self.temps[index]

    def accounts_for(self, temp: Temp, digest: str) -> None:
        """Bytes up to this digest of a replaced file have been dealt with."""
        self._note("accounted", path=str(temp.path), digest=digest)

    def settled(self) -> None:
        """No temp name of this change is left in the store."""
        # not flushed: were it lost, the next start would look for temps, find none and say it again
        self._note("settled", flush=False)
        if not self._journal.keeps and not self.holds_only_copy:
            self._vanish()

    def finish(self, state: State) -> None:
        """All steps have happened (`done`), or no step is in effect (`rolled-back`)."""
        self._note(state)

    def close(self) -> None:
        """Let go of the record."""
        self._lock.close()

    def _note(self, event: str, *, flush: bool = True, **values: object) -> None:
        fs.append(self._path, b"\n" + event_line(event, **values), flush=flush)

    def _vanish(self) -> None:
        record = self._journal.record(self.id)
        if record is None or record.state == "open":
            return
        with self._journal.locked():
            others = [other for other in self._journal.records() if other.id != self.id]
            still_named = {
                key for other in others for key in named_objects(other)
            } | self._journal.sightings.named()
            still_there = {place for other in others for place in named_places(other)}
            self._journal.forget([self.id])
            self.objects.forget(named_objects(record) - still_named)
            self._journal.trash.forget(named_places(record) - still_there)


def _temp_path(beside: Path, change_id: str) -> Path:
    return beside.with_name(f"{OWN_TEMP_PREFIX}{change_id}-{secrets.token_hex(4)}{TEMP_SUFFIX}")


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdecimal() and len(name) <= 18
