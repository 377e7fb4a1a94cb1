"""Which change `undo` and `redo` mean, and the plan that takes a change back on today's bytes.

Undo is a plan like any other: the same comparison, merge and journal. Any change that still applies can be
undone, not only the last; what others wrote since stays.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from datetime import datetime
from pathlib import Path
from typing import Literal

from memtui.core import fs
from memtui.core.errors import ConflictError, NothingToDoError, StorageError, UnknownIdError, explain
from memtui.core.history.inverse_files import invert
from memtui.core.history.objects import ObjectStore
from memtui.core.history.records import Record
from memtui.core.layouts.base import digest
from memtui.core.operations.plan import Append, Cut, Link, Plan, Step, Trash, WholeFile, Write
from memtui.core.text.merge import merge
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

ReadBytes = Callable[[Path], bytes | None]
"""A regular file's bytes, or None when nothing is at that name. Raises OSError."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a person's, with where it stands now.

    `latest` is the record whose steps are in effect (the change itself, or its last redo), or for an undone
    one the record of the undo.
    """

    record: Record
    latest: Record
    state: Literal["done", "undone", "interrupted"]

    @property
    def when(self) -> datetime:
        """When it was made."""
        return self.record.when


def changes_of(records: Iterable[Record]) -> list[Change]:
    """The person's changes, newest first, from records, newest first; undo and redo fold into their change.

    An undo or redo that was interrupted stands for itself until it is taken back, so that it has an id to name.
    """
    latest: dict[str, Record] = {}
    changes: list[Change] = []
    for record in records:
        if record.state == "rolled-back":
            continue
        if record.target is not None:
            if record.id in latest:
                continue
            if record.state == "done":
                latest.setdefault(record.target, record)
            else:
                changes.append(Change(record, record, "interrupted"))
            continue
        last = latest.get(record.id, record)
        if last.undoes is not None:
            changes.append(Change(record, last, "undone"))
        elif record.state == "open" and last is record:
            changes.append(Change(record, last, "interrupted"))
        else:
            changes.append(Change(record, last, "done"))
    return changes


def choose_undo(changes: list[Change], change_id: str, roots: AbstractSet[Path]) -> Change:
    """The change to undo: the one of this id, or the last one done in one of these directories.

    Raises UnknownIdError or NothingToDoError.
    """
    if change_id:
        change = change_of_id(changes, change_id)
        if change.state == "undone":
            raise NothingToDoError(_("change {id} is undone already").format(id=change_id))
        return change
    for change in changes:
        if change.state != "undone" and not roots.isdisjoint(change.record.roots):
            return change
    raise NothingToDoError(_("there is nothing to undo here"))


def change_of_id(changes: list[Change], change_id: str) -> Change:
    """The change of this id. Raises UnknownIdError."""
    change = next((item for item in changes if item.record.id == change_id), None)
    if change is None:
        raise UnknownIdError(_("there is no change {id} in the history").format(id=change_id))
    return change


def choose_redo(changes: list[Change], roots: AbstractSet[Path], change_id: str = "") -> Change:
    """The undone change of this id, or the one undone last here, if nothing was changed after it.

    Raises UnknownIdError or NothingToDoError.
    """
    if change_id:
        change = change_of_id(changes, change_id)
        if change.state != "undone":
            raise NothingToDoError(_("change {id} is not undone").format(id=change_id))
        return change
    here = [change for change in changes if not roots.isdisjoint(change.record.roots)]
    undone = [change for change in here if change.state == "undone"]
    if undone:
        change = max(undone, key=lambda item: int(item.latest.id))
        if all(int(item.record.id) < int(change.latest.id) for item in here):
            return change
    raise NothingToDoError(_("there is nothing to redo here"))


def plan_undo(change: Change, objects: ObjectStore, read: ReadBytes) -> Plan:
    """Take a change back.

    Raises ConflictError (another program changed the very same lines since), NothingToDoError or StorageError.
    """
    summary = _("undid: {summary}").format(summary=change.record.summary)
    return _invert(change.latest, objects, read, summary, verb="undo", undoes=change.record.id)


def plan_redo(change: Change, objects: ObjectStore, read: ReadBytes) -> Plan:
    """Make an undone change again. Raises as `plan_undo`."""
    summary = _("redid: {summary}").format(summary=change.record.summary)
    return _invert(change.latest, objects, read, summary, verb="redo", redoes=change.record.id)


def _invert(
    record: Record,
    objects: ObjectStore,
    read: ReadBytes,
    summary: str,
    *,
    verb: str,
    undoes: str | None = None,
    redoes: str | None = None,
) -> Plan:
    inverter = _Inverter(record, objects, read)
    steps = inverter.steps()
    if not steps:
        raise NothingToDoError(
            _("nothing of change {id} ({summary}) is left to take back").format(
                id=record.id, summary=record.summary
            )
        )
    return Plan(
        store_id=record.store_id,
        root=record.root,
        steps=tuple(steps),
        blobs=inverter.blobs,
        summary=summary,
        verb=verb,
        undoes=undoes,
        redoes=redoes,
        other_roots=record.other_roots,
    )


class _Inverter:
    """Turns a record's steps around, last first, against the bytes of today.

    A step that never happened (an interrupted change) is as it should be already, and so inverts to nothing.
    """

    def __init__(self, record: Record, objects: ObjectStore, read: ReadBytes) -> None:
        self._record = record
        self._objects = objects
        self._read_disk = read
        self.blobs: dict[str, bytes] = {}
        # a renamed file lives on under its new name, edits included: they go back with it
        self._moved = {
            step.successor: step
            for step in record.steps
            if isinstance(step, Trash) and step.successor is not None
        }

    def steps(self) -> list[Step]:
        """The inverse steps; those that are already as they should be are left out."""
        inverse: list[Step] = []
        for step in reversed(self._record.steps):
            if isinstance(step, Link):
                target = self._object(step.after)
                if self._links_to(step.path, target):
                    inverse.append(Trash(step.path, self._keep(target), 0o777, is_symlink=True))
            elif isinstance(step, Trash):
                inverse += self._untrash(step)
            elif isinstance(step, WholeFile):
                inverse += self._invert_whole(step)
            elif step.before is None:
                inverse += self._uncreate(step)
            else:
                inverse += self._unwrite(step, step.before)
        return inverse

    def _invert_whole(self, step: WholeFile) -> list[WholeFile]:
        data = self._object(step.data) if isinstance(step, Append | Cut) else b""
        if data:
            self._keep(data)
        return invert(step, data, self._conflict)

    def _unwrite(self, step: Write, before_key: str) -> list[Step]:
        before, after = self._object(before_key), self._object(step.after)
        now = self._read(step.path)
        if now is None:
            raise self._conflict(step.path, _("is gone"))
        merged = merge(after, now, before)
        if merged.clash:
            raise self._conflict(step.path, _("was changed in the same place"))
        if merged.data == now:
            return []
        return [Write(step.path, self._keep(now), self._keep(merged.data), step.mode)]

    def _uncreate(self, step: Write) -> list[Step]:
        now = self._read(step.path)
        if now is None:
            return []
        moved = self._moved.get(step.path)
        if moved is None and now != self._object(step.after):
            raise self._conflict(step.path, _("was changed since it was made"))
        return [Trash(step.path, self._keep(now), step.mode, successor=None if moved is None else moved.path)]

    def _untrash(self, step: Trash) -> list[Step]:
        before = self._object(step.before)
        if step.is_symlink:
            if self._links_to(step.path, before):
                return []
            if fs.kind_of(step.path) is not None:
                raise self._conflict(step.path, _("exists again"))
            return [Link(step.path, self._keep(before))]
        if step.successor is not None:
            before = self._carry_edits(step, step.successor, before)
        now = self._read(step.path)
        if now == before:
            return []
        if now is not None:
            raise self._conflict(step.path, _("exists again with another text"))
        return [Write(step.path, None, self._keep(before), step.mode)]

    def _links_to(self, path: Path, target: bytes) -> bool:
        return fs.kind_of(path) == "symlink" and os.fsencode(fs.read_link(path)) == target

    def _carry_edits(self, step: Trash, successor: Path, before: bytes) -> bytes:
        now = self._read(successor)
        written = [item for item in self._record.steps if isinstance(item, Write) and item.path == successor]
        if now is None or not written:
            return before
        merged = merge(self._object(written[0].after), now, before)
        if merged.clash:
            raise self._conflict(successor, _("was changed in the same place"))
        return merged.data

    def _read(self, path: Path) -> bytes | None:
        try:
            return self._read_disk(path)
        except OSError as error:
            raise StorageError(explain(error, path)) from error

    def _object(self, key: str) -> bytes:
        data = self._objects.get(key)
        if data is None and self._objects.was_purged(key):
            raise ConflictError(
                _("the text of change {id} was purged; it cannot be taken back").format(id=self._record.id)
            )
        if data is None:
            raise ConflictError(
                _("the text of change {id} is no longer in the history; it cannot be taken back").format(
                    id=self._record.id
                )
            )
        return data

    def _keep(self, data: bytes) -> str:
        key = digest(data)
        self.blobs[key] = data
        return key

    def _conflict(self, path: Path, what: str) -> ConflictError:
        return ConflictError(
            _("{name} {what}; change {id} was not taken back, nothing was written").format(
                name=path.name, what=what, id=self._record.id
            )
        )
