"""The owners' own locks, taken the way their programs take them, so that each waits for the other.

A lock that somebody else made is never written to, touched or removed while it may be alive: proper-lockfile
ends the whole process of a holder whose lock directory changed under it (entries sheet 7).
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import socket
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from memtui.core import fs
from memtui.core.agents.processes import is_running
from memtui.core.errors import LockedError, StorageError, explain
from memtui.core.operations.plan import OwnerLock
from memtui.core.text.leftovers import OWN_TEMP_PREFIX
from memtui.i18n import _

RECORD_LIMIT_BYTES = 4096

HOLDER = "memtui"
"""What memtui's own lock records name as their operation's beginning, so that a later memtui knows them."""

Waits = Callable[[str], None]
"""Hears, in a sentence, for what is waited; called in the thread that waits."""

_TEMP_PREFIX = f"{OWN_TEMP_PREFIX}lock-"
_numbers = itertools.count(1)


@contextlib.contextmanager
def owner_locks(
    locks: Sequence[OwnerLock],
    verb: str = "",
    *,
    takes_over: Collection[Path] = (),
    waits: Waits | None = None,
) -> Iterator[None]:
    """Hold these locks, each after the owner's own pauses between attempts.

    `takes_over` are locks that were left behind, as a person agreed; one of memtui's own whose process is gone
    needs no such word. `waits` hears of each lock that has to be waited for. Where the directory of a lock does
    not exist there is nothing to be kept out of yet, and no lock is taken. Raises LockedError, and StorageError
    when the disk refuses.
    """
    with contextlib.ExitStack() as held:
        for lock in locks:
            if not fs.is_dir(lock.path.parent):
                continue
            try:
                held.callback(_take(lock, verb, lock.path in takes_over, waits))
            except OSError as error:
                reason = explain(error, lock.path)
                raise StorageError(
                    _("{reason} Without the owner's lock nothing is changed.").format(reason=reason)
                ) from error
        yield


def _take(lock: OwnerLock, verb: str, takes_over: bool, waits: Waits | None) -> Callable[[], None]:
    """Take one lock; gives what releases it."""
    if lock.rule.kind == "flock":
        return _take_flock(lock, waits)
    attempt = _try_directory if lock.rule.kind == "directory" else _try_record
    for number, pause in enumerate((*lock.rule.waits_s, None)):
        release = attempt(lock, verb, takes_over)
        if release is not None:
            return release
        if pause is not None:
            if not number:
                _tell(lock, waits)
            time.sleep(pause)
    raise LockedError(_held(lock))


# Directories (proper-lockfile)


def _try_directory(lock: OwnerLock, verb: str, takes_over: bool) -> Callable[[], None] | None:
    path = lock.path
    try:
        fs.make_dir(path)
    except FileExistsError:
        found = _time_of(path)
        if found is None or not _is_stale(lock, found):
            return None
        if not fs.is_dir(path):
            # another program's lock file under the same name; it is not memtui's to remove
            raise LockedError(_("a file stands where the lock {path} would be").format(path=path)) from None
        if not takes_over:
            raise LockedError(_left_behind(lock, found), left_behind=path) from None
        if _time_of(path) != found:
            return None
        with contextlib.suppress(FileNotFoundError):
            fs.remove_dir(path)
        return _try_directory(lock, verb, takes_over=False)
    # whole milliseconds, because the library compares no more than those
    own_ns = time.time_ns() // 1_000_000 * 1_000_000
    try:
        fs.set_times(path, own_ns)
    except OSError:
        with contextlib.suppress(OSError):
            fs.remove_dir(path)
        raise

    def release() -> None:
        if _time_of(path) == own_ns:
            with contextlib.suppress(OSError):
                fs.remove_dir(path)

    return release


def _is_stale(lock: OwnerLock, found_ns: int) -> bool:
    return lock.rule.stale_s is not None and found_ns < time.time_ns() - lock.rule.stale_s * 1e9


def _time_of(path: Path) -> int | None:
    try:
        return fs.mtime_ns(path)
    except FileNotFoundError:
        return None


# Records (pi-memory 2.x)


def _try_record(lock: OwnerLock, verb: str, takes_over: bool) -> Callable[[], None] | None:
    path = lock.path
    record = {
        "pid": os.getpid(),
        "hostname": socket.gethostname(),
        "startedAt": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "op": f"{HOLDER} {verb}".strip(),
    }
    data = json.dumps(record, separators=(",", ":")).encode()
    temp = path.with_name(f"{_TEMP_PREFIX}{os.getpid()}-{next(_numbers)}.tmp")
    try:
        fs.write_new(temp, data, mode=0o644)
        fs.link(temp, path)
    except FileExistsError:
        found = _record_of(path)
        if found is None:
            return None
        if takes_over or _is_own_and_gone(found):
            if _record_of(path) == found:
                fs.unlink(path, missing_ok=True)
            return None
        if _is_gone(found):
            raise LockedError(_left_behind(lock, None), left_behind=path) from None
        return None
    except OSError:
        # it may have happened although an error was reported
        _release_record(path, data)
        raise
    finally:
        # a name that stays is no reason to keep the lock: the next start removes it
        with contextlib.suppress(OSError):
            fs.unlink(temp, missing_ok=True)

    return lambda: _release_record(path, data)


def _release_record(path: Path, data: bytes) -> None:
    # nobody takes such a lock over: one more try before it keeps the owner's programs out
    for _try in range(2):
        with contextlib.suppress(OSError):
            if _record_of(path) == data:
                fs.unlink(path, missing_ok=True)


def _record_of(path: Path) -> bytes | None:
    try:
        return fs.read_file(path, limit_bytes=RECORD_LIMIT_BYTES).data
    except FileNotFoundError:
        return None


def _fields(data: bytes) -> dict[str, object]:
    try:
        values = json.loads(data)
    except ValueError:
        return {}
    return values if isinstance(values, dict) else {}


def _is_gone(data: bytes) -> bool:
    """Whether the holder was a process of this machine that is no more; what cannot be known is not gone."""
    fields = _fields(data)
    pid = fields.get("pid")
    if fields.get("hostname") != socket.gethostname() or not isinstance(pid, int) or pid <= 0:
        return False
    return not is_running(pid)


def _is_own_and_gone(data: bytes) -> bool:
    return str(_fields(data).get("op", "")).split(" ")[0] == HOLDER and _is_gone(data)


def release_own_record(path: Path) -> None:
    """Remove a lock that a killed memtui left: the owner's programs would wait for it for ever.

    What it had only begun to write goes too.
    """
    with contextlib.suppress(OSError):
        for entry in fs.list_dir(path.parent):
            pid = entry.name.removeprefix(_TEMP_PREFIX).partition("-")[0]
            if entry.name.startswith(_TEMP_PREFIX) and pid.isdecimal() and not is_running(int(pid)):
                fs.unlink(path.with_name(entry.name), missing_ok=True)
    with contextlib.suppress(OSError):
        found = _record_of(path)
        if found is not None and _is_own_and_gone(found) and _record_of(path) == found:
            fs.unlink(path, missing_ok=True)


# flock (Hermes)


def _take_flock(lock: OwnerLock, waits: Waits | None) -> Callable[[], None]:
    held = contextlib.ExitStack()
    try:
        held.enter_context(fs.locked(lock.path, wait_s=0))
    except TimeoutError:
        _tell(lock, waits)
        try:
            held.enter_context(fs.locked(lock.path, wait_s=sum(lock.rule.waits_s)))
        except TimeoutError:
            raise LockedError(_held(lock)) from None
    return held.close


# Words


def _tell(lock: OwnerLock, waits: Waits | None) -> None:
    if waits is not None:
        holder = describe_lock(lock.path) or _("another program")
        waits(_("waiting for {path}, held by {holder} …").format(path=lock.path, holder=holder))


def describe_lock(path: Path) -> str:
    """Who holds a lock and since when, as far as it says; '' when there is none. Never raises."""
    try:
        since = datetime.fromtimestamp(fs.mtime_ns(path) / 1e9).strftime("%Y-%m-%d %H:%M:%S")
        fields = {} if fs.is_dir(path) else _fields(_record_of(path) or b"")
    except (OSError, ValueError, OverflowError):
        return ""
    if "pid" in fields:
        return _("process {pid} on {host} ({op}) since {since}").format(
            pid=fields["pid"], host=fields.get("hostname", "?"), op=fields.get("op", "?"), since=since
        )
    return _("another program since {since}").format(since=since)


def _held(lock: OwnerLock) -> str:
    holder = describe_lock(lock.path)
    if not holder:
        return _("{path} is locked again and again; nothing was written, try again").format(path=lock.path)
    return _("{path} is held by {holder}; nothing was written, try again in a moment").format(
        path=lock.path, holder=holder
    )


def _left_behind(lock: OwnerLock, found_ns: int | None) -> str:
    return _("{path} was left behind by {holder}; nothing was written, it can be taken over").format(
        path=lock.path, holder=describe_lock(lock.path) or _("another program")
    )
