"""After a crash: finish or take back what a killed memtui had begun, and look at what it left behind.

A change without `done` is completed when every step had happened, taken back unasked when every file equals
what it was before or after its step, and otherwise left for `memtui undo ID`. A leftover temp is compared with
what it is known to hold before it is removed: it may be a replaced file with somebody's late lines in it.
"""

from __future__ import annotations

import contextlib
from itertools import islice
from pathlib import Path

from memtui.core import fs
from memtui.core.errors import LockedError, MemtuiError, NothingToDoError, StorageError, explain
from memtui.core.history.journal import Journal, OpenChange
from memtui.core.history.records import Record, Temp
from memtui.core.history.undo import Change, plan_undo
from memtui.core.layouts.base import digest
from memtui.core.operations.plan import Link, Trash, WholeFile, Write
from memtui.core.writing import whole_files
from memtui.core.writing.current import Stuck, read_bytes, read_identity
from memtui.core.writing.guard import store_locks
from memtui.core.writing.handover import HandOver
from memtui.core.writing.names import tidy_aside
from memtui.core.writing.rollback import RollBack
from memtui.i18n import _

LOOK_BACK = 200
"""How many of the newest changes are looked at."""


def recover(journal: Journal, state_dir: Path) -> tuple[str, ...]:
    """Bring every interrupted change to an end; returns notes for the person. Never raises on one of them."""
    notes: list[str] = []
    dealt_with: set[str] = set()
    for record in islice(journal.records(), LOOK_BACK):
        if record.target is not None and record.state == "done":
            dealt_with.add(record.target)
        if not _needs_care(record):
            continue
        try:
            with store_locks(state_dir, record.roots, wait_s=0):
                change = journal.reopen(record)
                try:
                    # it may have been brought to an end since it was read
                    fresh = journal.record(record.id)
                    if fresh is not None and _needs_care(fresh):
                        notes += _recover(fresh, journal, change, is_dealt_with=record.id in dealt_with)
                finally:
                    change.close()
        except (TimeoutError, LockedError):
            # another memtui is at work on it
            continue
        except OSError as error:
            notes.append(explain(error))
        except StorageError as error:
            notes.append(error.message)
    return tuple(notes)


def _needs_care(record: Record) -> bool:
    return record.state == "open" or not record.settled


def _recover(record: Record, journal: Journal, change: OpenChange, *, is_dealt_with: bool) -> list[str]:
    handover = HandOver(change, contextlib.nullcontext)
    notes: list[str] = []
    if record.state == "rolled-back":
        handover.spare_dirs = record.made_dirs
    elif record.state == "open" and is_dealt_with:
        # a person took it back (or made it again) with `undo ID`: that record says how it ended
        change.finish("done")
    elif record.state == "open":
        notes.append(_roll(record, journal, change, handover))
    else:
        _finish(record, handover)
    temps_of_files = {
        temp.path for step, temp in zip(record.steps, record.temps, strict=False) if isinstance(step, WholeFile)
    }
    for temp in list(change.temps):
        if temp.path in temps_of_files:
            continue
        _look_at_leftover(temp, record, journal, change, handover)
    return notes + handover.settle(0)


def _roll(record: Record, journal: Journal, change: OpenChange, handover: HandOver) -> str:
    blobs = _blobs(record, journal)
    states = (
        []
        if blobs is None
        else [
            whole_files.state_of(step, temp.path, blobs) if isinstance(step, WholeFile) else _state(step)
            for step, temp in zip(record.steps, record.temps, strict=False)
        ]
    )
    if blobs is None or "other" in states:
        if _has_nothing_to_take_back(record, journal):
            change.finish("rolled-back")
            return _("{summary}: interrupted, nothing of it is left").format(summary=record.summary)
        return _left_for_undo(record)
    if states and all(state == "after" for state in states):
        for directory in dict.fromkeys(step.path.parent for step in record.steps):
            fs.fsync_dir(directory)
        _finish(record, handover)
        change.finish("done")
        return _("{summary}: finished after an interruption").format(summary=record.summary)
    try:
        RollBack(record.steps, blobs, change, handover).run(
            index for index, state in enumerate(states) if state != "before"
        )
    except Stuck:
        return _left_for_undo(record)
    change.finish("rolled-back")
    handover.spare_dirs = record.made_dirs
    return _("{summary}: interrupted, taken back").format(summary=record.summary)


def _finish(record: Record, handover: HandOver) -> None:
    for step, temp in zip(record.steps, record.temps, strict=False):
        if isinstance(step, WholeFile) and not whole_files.finish(step, temp.path):
            handover.leaves_a_file = True


def _has_nothing_to_take_back(record: Record, journal: Journal) -> bool:
    try:
        plan_undo(Change(record, record, "interrupted"), journal.objects, read_bytes)
    except NothingToDoError:
        return True
    except MemtuiError:
        return False
    return False


def _left_for_undo(record: Record) -> str:
    return _(
        "{summary}: interrupted, and its files were changed since; `memtui undo {id}` takes it back"
    ).format(summary=record.summary, id=record.id)


def _blobs(record: Record, journal: Journal) -> dict[str, bytes] | None:
    blobs: dict[str, bytes] = {}
    for step in record.steps:
        for key in (getattr(step, name, None) for name in ("before", "after", "data")):
            if key is not None:
                data = journal.objects.get(key)
                if data is None:
                    return None
                blobs[key] = data
    return blobs


def _state(step: Write | Trash | Link) -> str:
    is_symlink = isinstance(step, Link) or (isinstance(step, Trash) and step.is_symlink)
    if fs.kind_of(step.path) not in (None, "symlink" if is_symlink else "file"):
        return "other"
    now = read_identity(step.path, is_symlink=is_symlink)
    key = None if now is None else digest(now)
    after = None if isinstance(step, Trash) else step.after
    before = None if isinstance(step, Link) else step.before
    if key == after:
        return "after"
    return "before" if key == before else "other"


def _look_at_leftover(
    temp: Temp, record: Record, journal: Journal, change: OpenChange, handover: HandOver
) -> None:
    """What memtui wrote itself goes; a replaced file is handed over."""
    if handover.is_watching(temp):
        return
    tidy_aside(temp.path, temp.live or temp.path)
    if fs.kind_of(temp.path) not in (None, "file"):
        fs.unlink(temp.path)
    data = read_bytes(temp.path)
    if data is None:
        return
    ours = None if temp.holds is None else journal.objects.get(temp.holds)
    accounted = None if temp.accounted is None else journal.objects.get(temp.accounted)
    beginnings = [item for item in (ours, accounted) if item is not None and data.startswith(item)]
    if ours is not None and ours.startswith(data):
        # killed while it was written, it seems, be it behind the whole of the old text (one that only grows);
        # a replaced file cut short by its writer looks the same
        journal.objects.put(data)
        handover.watch(temp, data)
    elif beginnings:
        base = max(beginnings, key=len)
        handover.watch(temp, base + _delivered(temp, data[len(base) :], ours, accounted))
    elif accounted is not None and record.state == "done":
        handover.watch(temp, accounted)
    else:
        # taken back meanwhile: whether this text was before or after ours cannot be told any more
        journal.objects.put(data)
        change.holds_only_copy = True
        handover.watch(temp, data)


def _delivered(temp: Temp, tail: bytes, ours: bytes | None, accounted: bytes | None) -> bytes:
    """The part of a tail that reached the live file although no note says so: the crash came in between."""
    live = None if temp.live is None else read_bytes(temp.live)
    known = ours if ours is not None else accounted or b""
    end = len(tail)
    while live is not None and end > 0:
        if live.count(tail[:end]) > known.count(tail[:end]):
            return tail[:end]
        end = tail.rfind(b"\n", 0, end - 1) + 1
    return b""
