"""Lines at the end of a file that only ever grows: appended in one write, and cut off again.

Such a file is never replaced, since programs append to it by its name at any moment. A line of ours is cut off
only while it is the last thing in the file; where the system can (`Held.be_alone`), nobody writes in between.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Literal

from memtui.core import fs, streams
from memtui.core.operations.plan import Append, Cut
from memtui.core.writing import holders
from memtui.core.writing.current import Overtaken, Stuck
from memtui.i18n import _
from memtui.late import dataclasses

State = Literal["before", "between", "after"]

ALONE_WAIT_S = 1.0
"""How long a program that has the file open is waited for."""


def is_as_planned(step: Append | Cut, data: bytes) -> bool:
    """Whether the file is as it was when the step was planned. Raises OSError."""
    if streams.status_of(step.path) is None:
        return False
    with streams.held(step.path, writable=False) as file:
        return _fits(step, file, data)


def _fits(step: Append | Cut, file: streams.Held, data: bytes) -> bool:
    status = file.status
    if status.inode != step.inode:
        return False
    if isinstance(step, Cut):
        return _ends_in(file, step.at, data)
    last = file.read(step.at - 1, 1) if step.at else b"\n"
    return status.size_bytes == step.at and (last == b"\n" or data.startswith(b"\n"))


def _ends_in(file: streams.Held, at: int, data: bytes) -> bool:
    return file.status.size_bytes == at + len(data) and file.read(at, len(data)) == data


def append(step: Append, data: bytes, become: Callable[[Append], None]) -> None:
    """Append the step's bytes durably. Raises Overtaken when the file is not as planned, and OSError.

    Where another program was faster in the very moment, ours is cut off again; when it wrote behind ours as
    well, ours stays where it landed, which `become` is told.
    """
    with streams.held(step.path) as file:
        # a program that has it open is no reason to refuse: where the bytes landed is looked at below
        file.be_alone()
        if not _fits(step, file, data):
            raise Overtaken(step.path)
        landed = file.append(data)
        has_moved = fs.inode_of(step.path) != step.inode
        if (has_moved or landed != step.at) and _ends_in(file, landed, data):
            _cut(file, landed, data)
            raise Overtaken(step.path)
        file.flush()
    if landed != step.at:
        become(dataclasses.replace(step, at=landed))


def cut(step: Cut, data: bytes, say: Callable[[str], None]) -> None:
    """Cut the step's bytes off durably. Raises Overtaken when there is anything behind them, and OSError."""
    with streams.held(step.path) as file:
        if file.status.inode != step.inode or not _cut(file, step.at, data, say):
            raise Overtaken(step.path)
        file.flush()


def _cut(file: streams.Held, at: int, data: bytes, say: Callable[[str], None] | None = None) -> bool:
    alone = file.be_alone(ALONE_WAIT_S)
    if alone is False and holders.is_open(file.path, elsewhere=True):
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(file.path))
    if not _ends_in(file, at, data):
        return False
    file.cut(at)
    if not alone and say is not None:
        say(
            _(
                "nobody could be kept from {path} while it was cut; what another program wrote there in the "
                "same instant would not have been seen"
            ).format(path=file.path)
        )
    return True


def state_of_append(step: Append, data: bytes) -> State:
    """How far an append came: `between` = the file ends in a part of the bytes, at their place."""
    status = streams.status_of(step.path)
    if status is None or status.inode != step.inode or status.size_bytes <= step.at:
        return "before"
    with streams.held(step.path, writable=False) as file:
        beyond_bytes = status.size_bytes - step.at
        if beyond_bytes <= len(data):
            beyond = file.read(step.at, beyond_bytes)
            if data.startswith(beyond):
                return "after" if beyond == data else "between"
        return "after" if _holds(file, step.at, status.size_bytes, data) else "before"


def _holds(file: streams.Held, start: int, end: int, data: bytes) -> bool:
    carried = b""
    for piece in file.pieces(start, end):
        window = carried + piece
        if data in window:
            return True
        carried = window[-len(data) :]
    return False


def state_of_cut(step: Cut, data: bytes) -> State:
    """Whether the bytes are gone from their place."""
    status = streams.status_of(step.path)
    if status is None or status.inode != step.inode:
        return "before"
    with streams.held(step.path, writable=False) as file:
        return "before" if file.read(step.at, len(data)) == data else "after"


def take_back_append(step: Append, data: bytes) -> None:
    """Cut off what there is of the bytes. Raises OSError, and Stuck when something stands behind them."""
    if state_of_append(step, data) == "before":
        return
    with streams.held(step.path) as file:
        there = file.read(step.at, len(data))
        if not data.startswith(there) or not _cut(file, step.at, there):
            raise Stuck(stands=True)
        file.flush()


def take_back_cut(step: Cut, data: bytes) -> None:
    """Append the bytes again. Raises OSError, and Stuck when the file has grown since."""
    if state_of_cut(step, data) == "before":
        return
    with streams.held(step.path) as file:
        file.be_alone()
        if file.status.size_bytes != step.at:
            raise Stuck(stands=True)
        file.append(data)
        file.flush()


def finish(step: Append | Cut) -> None:
    """Make what has happened durable. Raises OSError."""
    if fs.kind_of(step.path) == "file":
        with streams.held(step.path) as file:
            file.flush()
