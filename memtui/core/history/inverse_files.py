"""Turning around what was done to a whole file: an appended line is cut off, a file in the trash comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memtui.core import streams
from memtui.core.errors import ConflictError, StorageError, explain
from memtui.core.operations.plan import Append, Cut, Stash, Unstash, WholeFile
from memtui.core.sessions.quick import look_at
from memtui.i18n import _

Conflict = Callable[[Path, str], ConflictError]
"""The error for a file and what is the matter with it."""


def invert(step: WholeFile, data: bytes, conflict: Conflict) -> list[WholeFile]:
    """The step that takes this one back on today's files; none when it is not in effect.

    `data` are the bytes of an Append or Cut. Raises ConflictError and StorageError.
    """
    try:
        if isinstance(step, Append):
            return _cut(step, data, conflict)
        if isinstance(step, Cut):
            return _append(step, data, conflict)
        return _unstash(step, conflict) if isinstance(step, Stash) else _stash(step, conflict)
    except OSError as error:
        raise StorageError(explain(error, step.path)) from error


def _cut(step: Append, data: bytes, conflict: Conflict) -> list[WholeFile]:
    status = streams.status_of(step.path)
    if status is None:
        raise conflict(step.path, _("is gone"))
    with streams.held(step.path, writable=False) as file:
        # a crash may have kept from the history where the bytes landed
        end = status.size_bytes - len(data)
        at = end if end > step.at and file.read(end, len(data)) == data else step.at
        beyond = file.read(at, len(data) + 1)
    if not beyond and status.size_bytes == at:
        return []
    if not beyond.startswith(data):
        raise conflict(step.path, _("was changed in the same place"))
    if len(beyond) > len(data):
        raise conflict(step.path, _("has new lines behind it; give the session another name instead"))
    return [Cut(step.path, status.inode, at, step.data)]


def _append(step: Cut, data: bytes, conflict: Conflict) -> list[WholeFile]:
    status = streams.status_of(step.path)
    if status is None:
        raise conflict(step.path, _("is gone"))
    with streams.held(step.path, writable=False) as file:
        if file.read(step.at, len(data)) == data:
            return []
    if status.size_bytes != step.at:
        # the line says which entry it follows
        raise conflict(step.path, _("has grown since; give the session its name anew"))
    return [Append(step.path, status.inode, step.at, step.data)]


def _unstash(step: Stash, conflict: Conflict) -> list[WholeFile]:
    status, there = streams.status_of(step.place), streams.status_of(step.path)
    if status is None:
        if there is not None and there.inode == step.inode:
            return []
        raise conflict(step.path, _("is no longer in the trash"))
    if there is not None and look_at(step.path).pi_opens:
        raise conflict(step.path, _("exists again as another session"))
    parent = step.path.parent
    while (device := streams.device_of(parent)) is None and parent != parent.parent:
        parent = parent.parent
    inode = status.inode if device == status.device else 0
    return [Unstash(step.path, inode, status.size_bytes, step.place)]


def _stash(step: Unstash, conflict: Conflict) -> list[WholeFile]:
    if streams.status_of(step.place) is not None:
        return []
    there = streams.status_of(step.path)
    if there is None:
        raise conflict(step.path, _("is gone"))
    return [Stash(step.path, there.inode, there.size_bytes, step.place)]
