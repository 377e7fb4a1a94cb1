"""Whole files into the trash and back, whatever their size, beside a program that goes on writing.

A program that appends by name (pi does) makes a new file when the old one was taken away. Bringing the old one
back then means: the old lines first, behind them what the program wrote meanwhile, each once and in order. The
names of a step: `path`, where the file belongs; `place`, where it lies in the trash; `temp`, beside `path`.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from memtui.core import fs, streams
from memtui.core.history.objects import make_private_dir
from memtui.core.history.trash import UNFINISHED
from memtui.core.operations.plan import Stash, Unstash
from memtui.core.sessions.quick import look_at
from memtui.core.writing import holders
from memtui.core.writing.current import Overtaken, Stuck
from memtui.core.writing.names import aside_of, exchange_names, give_back, tidy_aside
from memtui.late import dataclasses

State = Literal["before", "between", "after"]

WRITERS_WAIT_S = 1.0
"""How long a program that still has a replaced file open is waited for."""

_PAUSE_S = 0.004
_CALM_LOOKS = 12
_TRIES = 8
_NEEDLE_BYTES = 1 << 16


def is_free_for_return(path: Path) -> bool:
    """Whether a file can come back to `path`: nothing is there, or what pi ignores for its missing header.

    Raises OSError for anything but a file.
    """
    return streams.status_of(path) is None or not look_at(path).pi_opens


# Into the trash


def is_there(step: Stash) -> bool:
    """Whether the file is as it was when the step was planned. Raises OSError."""
    status = streams.status_of(step.path)
    if status is None or status.inode != step.inode:
        return False
    return status.size_bytes == step.size_bytes or (step.may_grow and status.size_bytes > step.size_bytes)


def stash(step: Stash, temp: Path) -> bool:
    """Move the file into the trash; False when a program still writes to what was copied there.

    Raises Overtaken and OSError.
    """
    make_private_dir(step.place.parent)
    if not is_there(step):
        raise Overtaken(step.path)
    taken = _take(step, temp)
    if fs.inode_of(taken) != step.inode:
        # another program put a new file there in the same instant
        give_back(taken, step.path)
        raise Overtaken(step.path)
    fs.fsync_dir(step.path.parent)
    if taken == step.place:
        fs.fsync_dir(step.place.parent)
        return True
    _copy(temp, _unfinished(step.place))
    fs.replace(_unfinished(step.place), step.place)
    fs.fsync_dir(step.place.parent)
    return finish_stash(step, temp)


def _take(step: Stash, temp: Path) -> Path:
    # neither name is used by another program, so that a plain rename replaces nothing
    try:
        try:
            fs.replace(step.path, step.place)
            return step.place
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
        fs.replace(step.path, temp)
        return temp
    except FileNotFoundError:
        raise Overtaken(step.path) from None


def _unfinished(place: Path) -> Path:
    return place.with_name(place.name + UNFINISHED)


def _copy(source: Path, target: Path) -> None:
    fs.unlink(target, missing_ok=True)
    with streams.held(source, writable=False) as file:
        status = file.status
        streams.copy_new(file, target, status.size_bytes, mode=status.mode)
    _keep_times(source, target)


def _keep_times(source: Path, target: Path) -> None:
    status = streams.status_of(source)
    if status is not None:
        fs.keep_owner(source, target)
        fs.set_times(target, status.mtime_ns)


def state_of_stash(step: Stash, temp: Path) -> State:
    """How far a move into the trash came: `between` = the file is still beside its old name."""
    if fs.kind_of(step.place) is not None:
        return "after"
    return "before" if fs.kind_of(temp) is None else "between"


def take_back_stash(step: Stash, temp: Path) -> None:
    """Bring the file back. Raises OSError, and Stuck when it is complete on another file system."""
    state = state_of_stash(step, temp)
    if state == "before":
        return
    if state == "after":
        if fs.kind_of(temp) is not None:
            raise Stuck(stands=True)
        try:
            fs.replace(step.place, temp)
        except OSError as error:
            if error.errno == errno.EXDEV:
                raise Stuck(stands=True) from None
            raise
    fs.unlink(_unfinished(step.place), missing_ok=True)
    own_bytes, handed_to = _own_bytes(step, temp), None
    try:
        if fs.inode_of(temp) == step.inode:
            handed_to = put_back(temp, step.path, own_bytes)
    except Overtaken:
        fs.replace(temp, step.place)
        raise Stuck(stands=True) from None
    if not _hand_over_rest(temp, step.path, own_bytes, handed_to):
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), str(step.path))


def _own_bytes(step: Stash, temp: Path) -> int:
    """How many bytes are the file's own, if an earlier try put the lines of a newer one behind them."""
    older, newer = (temp, step.path) if fs.inode_of(temp) == step.inode else (step.path, temp)
    with streams.held(older, writable=False) as file:
        if streams.status_of(newer) is not None:
            with streams.held(newer, writable=False) as other:
                found = _find(file, step.size_bytes, _first_line(other))
            if found is not None:
                return found
        return file.status.size_bytes


def finish_stash(step: Stash, temp: Path) -> bool:
    """Hand over what was written while the file was copied, and remove it; False while a program still writes.

    Raises OSError.
    """
    if fs.kind_of(temp) is None:
        return True

    def take_growth(_is_last: bool) -> None:
        with streams.held(temp, writable=False) as file, streams.held(step.place) as copy:
            _hand_over_and_flush(copy, file, copy.status.size_bytes, is_last=True)

    return _dismiss(temp, take_growth)


# Back from the trash


def unstash(step: Unstash, temp: Path, become: Callable[[Unstash], None]) -> bool:
    """Bring the file back; False when a program still writes to a replaced one (look again at the next start).

    Raises Overtaken when another session stands at its name, or the file has left the trash, and OSError.
    """
    if streams.status_of(step.place) is None or not is_free_for_return(step.path):
        raise Overtaken(step.path)

    def note(place: Path, *, is_copied: bool = False) -> None:
        nonlocal step
        status = streams.status_of(place)
        assert status is not None
        inode = 0 if is_copied else status.inode
        if (inode, status.size_bytes) != (step.inode, step.size_bytes):
            step = dataclasses.replace(step, inode=inode, size_bytes=status.size_bytes)
            become(step)

    note(step.place, is_copied=not step.inode)
    try:
        fs.replace(step.place, temp)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # its inode tells the old file from a newer one after a crash: none as long as the copy is not whole
        note(step.place, is_copied=True)
        _copy(step.place, temp)
    note(temp)
    handed_to = put_back(temp, step.path, step.size_bytes)
    return finish_unstash(step, temp, handed_to)


def put_back(temp: Path, path: Path, size_bytes: int) -> int | None:
    """Give the file at `temp` (the first `size_bytes` bytes are its own) its name back.

    Where a headless file stands, its lines go behind, and that file waits at `temp` for `finish_unstash`; gives
    up to where (bytes) they went, None where that is to be looked for. Raises Overtaken when a session with a
    header stands there, and OSError.
    """
    for _try in range(_TRIES):
        if give_back(temp, path):
            return None
        if not is_free_for_return(path):
            raise Overtaken(path)
        try:
            handed_to = _put_over(temp, path, size_bytes)
        except FileNotFoundError:
            continue
        fs.fsync_dir(path.parent)
        return handed_to
    raise Overtaken(path)


def _put_over(temp: Path, path: Path, size_bytes: int) -> int | None:
    with streams.held(path, writable=False) as newer, streams.held(temp) as older:
        if older.status.size_bytes > size_bytes:
            older.cut(size_bytes)
        _end_line(older)
        copied = newer.line_start(newer.status.size_bytes)
        older.append_from(newer, 0, copied)
        older.flush()
        # from the exchange on a program that opens the name waits, until the last lines are in their place
        older.be_alone()
        try:
            exchange_names(temp, path)
        except FileNotFoundError:
            tidy_aside(temp, path)
            raise
        handed_to = None
        if fs.inode_of(temp) == newer.status.inode:
            is_alone = newer.be_alone(WRITERS_WAIT_S)
            handed_to = _hand_over(older, newer, copied, is_last=is_alone is True)
            newer.let_in()
        older.let_in()
        older.flush()
        return handed_to


def _hand_over(older: streams.Held, newer: streams.Held, start: int, *, is_last: bool) -> int:
    """Append what `newer` holds from `start` on; up to where that was.

    Whole lines only unless `is_last`: of another line the rest may come behind what others append.
    """
    end = newer.status.size_bytes
    if not is_last:
        end = newer.line_start(end)
    if start < end:
        older.append_from(newer, start, end)
    return max(start, end)


def _end_line(file: streams.Held) -> None:
    end = file.status.size_bytes
    if end and file.read(end - 1, 1) != b"\n":
        file.append(b"\n")


def state_of_unstash(step: Unstash, temp: Path) -> State:
    """How far a return came: `between` = the file is beside its name, not yet under it."""
    if step.inode and fs.inode_of(step.path) == step.inode:
        return "after"
    if fs.kind_of(temp) is None and fs.kind_of(step.place) is not None:
        return "before"
    return "between"


def take_back_unstash(step: Unstash, temp: Path) -> None:
    """Put the file into the trash again. Raises OSError, and Stuck where it has to stay."""
    state = state_of_unstash(step, temp)
    if state == "before":
        return
    if state == "after":
        status = streams.status_of(step.path)
        has_grown = status is None or status.size_bytes != step.size_bytes
        if has_grown or fs.kind_of(temp) is not None or fs.kind_of(step.place) is not None:
            raise Stuck(stands=True)
        try:
            fs.replace(step.path, step.place)
        except OSError as error:
            if error.errno == errno.EXDEV:
                raise Stuck(stands=True) from None
            raise
        return
    if fs.kind_of(aside_of(temp)) is not None:
        tidy_aside(temp, step.path)
    if fs.kind_of(step.place) is not None:
        # only a copy from another file system
        fs.unlink(temp, missing_ok=True)
    elif fs.kind_of(temp) is not None:
        with streams.held(temp) as file:
            if file.status.size_bytes > step.size_bytes:
                file.cut(step.size_bytes)
                file.flush()
        fs.replace(temp, step.place)


def finish_unstash(step: Unstash, temp: Path, handed_to: int | None = None) -> bool:
    """Hand over what a replaced file got last, and remove it; False while a program still writes to it.

    `handed_to` is what `put_back` gave. Raises OSError.
    """
    tidy_aside(temp, step.path)
    if not _hand_over_rest(temp, step.path, step.size_bytes, handed_to):
        return False
    fs.unlink(step.place, missing_ok=True)
    return True


def _hand_over_rest(temp: Path, path: Path, own_bytes: int, handed_to: int | None) -> bool:
    """Append what a replaced file has got since, and remove it; False while a program has it open."""
    if fs.kind_of(temp) is None:
        return True

    def take_rest(is_last: bool) -> None:
        nonlocal handed_to
        with streams.held(temp, writable=False) as newer, streams.held(path) as older:
            # looked for once: others append between what is handed over
            start = _missing_from(older, own_bytes, newer) if handed_to is None else handed_to
            handed_to = _hand_over_and_flush(older, newer, start, is_last=is_last)

    return _dismiss(temp, take_rest)


def _hand_over_and_flush(older: streams.Held, newer: streams.Held, start: int, *, is_last: bool) -> int:
    end = _hand_over(older, newer, start, is_last=is_last)
    if end > start:
        older.flush()
    return end


def _dismiss(path: Path, take: Callable[[bool], None]) -> bool:
    """Remove a replaced file as soon as nobody can write to it any more, and all it holds was taken.

    `take` hears whether nothing will come after it. False, and it stays, while a program keeps it open.
    """
    deadline = time.monotonic() + WRITERS_WAIT_S
    calm_looks, last_bytes = 0, -1
    while True:
        # asked first: what is read after nobody could write is all there will be
        writers = holders.has_writers(path)
        if writers and not holders.is_open(path):
            writers = None
        size_bytes, _time = fs.size_and_time(path)
        calm_looks, last_bytes = (calm_looks + 1 if size_bytes == last_bytes else 0), size_bytes
        is_last = writers is False or (writers is None and calm_looks >= _CALM_LOOKS)
        take(is_last)
        if is_last:
            fs.unlink(path)
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(_PAUSE_S)


# Whose lines are where


def _first_line(file: streams.Held) -> bytes:
    head = file.read(0, _NEEDLE_BYTES)
    return head[: head.find(b"\n") + 1] or head


def _find(file: streams.Held, start: int, wanted: bytes) -> int | None:
    """The offset of some bytes in a file from `start` on."""
    carried, offset = b"", start
    for piece in file.pieces(start, file.status.size_bytes):
        window = carried + piece
        at = window.find(wanted) if wanted else -1
        if at >= 0:
            return offset - len(carried) + at
        offset += len(piece)
        carried = window[-len(wanted) :] if wanted else b""
    return None


def _missing_from(older: streams.Held, own_bytes: int, newer: streams.Held) -> int:
    """From where on the lines of `newer` are not behind the first `own_bytes` bytes of `older` yet.

    What others wrote there since may begin in the same way, so that only whole lines count then.
    """
    offset = _find(older, own_bytes, _first_line(newer))
    if offset is None:
        return 0
    end, same = newer.status.size_bytes, 0
    while same < end:
        size = min(streams.CHUNK_BYTES, end - same)
        theirs, ours = newer.read(same, size), older.read(offset + same, size)
        if theirs != ours:
            same += _common(theirs, ours)
            return same if older.status.size_bytes == offset + same else newer.line_start(same)
        same += size
    return end


def _common(first: bytes, second: bytes) -> int:
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[:middle] == second[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
