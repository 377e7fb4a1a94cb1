"""The few errors memtui raises on purpose; each says what happened, where, and what a person can do."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from pathlib import Path

from memtui.i18n import _

_REASONS = {
    errno.EACCES: _("permission denied"),
    errno.EPERM: _("permission denied"),
    errno.EROFS: _("the disk is read-only"),
    errno.ENOSPC: _("the disk is full"),
    errno.EDQUOT: _("the disk quota is used up"),
    errno.EIO: _("the disk reported an input/output error"),
    errno.EBUSY: _("another program keeps it busy"),
    errno.ENOENT: _("it is gone"),
    errno.ENOTDIR: _("a file stands where a directory was"),
    errno.EISDIR: _("it is a directory, not a file"),
    errno.EINVAL: _("it is not a regular file"),
    errno.ELOOP: _("it is a symbolic link"),
    errno.ENAMETOOLONG: _("the name is too long"),
    errno.EFBIG: _("it is too large"),
}


class MemtuiError(Exception):
    """An error meant for the person: one sentence, a stable `code` and the exit status of the command line.

    `exit_status` follows the command line's contract: 1 nothing found, 2 usage or environment,
    3 conflict, held lock or an id that is gone.
    """

    code = "error"
    exit_status = 2

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code


class UsageError(MemtuiError):
    """What was asked cannot be done as asked: wrong arguments, no store, several candidates."""

    code = "usage"


class StorageError(MemtuiError):
    """The file system refused: permission, read-only, full disk, a vanished directory."""

    code = "storage"


class RefusedError(MemtuiError):
    """memtui will not do this to that memory, and says why (a symlink, a file outside, not UTF-8).

    `can_insist`: the owner's scanner is against it; it is done where the person insists.
    """

    code = "refused"

    def __init__(self, message: str, *, code: str | None = None, can_insist: bool = False) -> None:
        super().__init__(message, code=code)
        self.can_insist = can_insist


class NothingToDoError(MemtuiError):
    """There is nothing to undo, redo or find."""

    code = "nothing"
    exit_status = 1


class UnknownIdError(MemtuiError):
    """No memory, store or change has this id (any more)."""

    code = "unknown-id"
    exit_status = 3


class ConflictError(MemtuiError):
    """Another program changed what this action is about; nothing was written.

    `theirs` and `yours` are lines of a short diff, as text from disk (not yet made safe for display).
    """

    code = "conflict"
    exit_status = 3

    def __init__(self, message: str, *, theirs: tuple[str, ...] = (), yours: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.theirs = theirs
        self.yours = yours


class LockedError(MemtuiError):
    """Another memtui, or the owner of the store, holds the lock.

    `left_behind` is a lock whose holder seems to be gone: a person may agree that it is taken over.
    """

    code = "locked"
    exit_status = 3

    def __init__(self, message: str, *, left_behind: Path | None = None) -> None:
        super().__init__(message, code="stale-lock" if left_behind is not None else None)
        self.left_behind = left_behind


def in_several_stores(name: str, store_ids: Iterable[str]) -> UsageError:
    """The error for an id or a file that several stores have; says how to name one of them."""
    message = _("{id} is in several stores; name one with --store: {ids}")
    return UsageError(message.format(id=name, ids=", ".join(store_ids)), code="several-stores")


def explain(error: OSError, path: Path | None = None) -> str:
    """An OSError as a short sentence, its place and what happened; `path` is named instead of its own."""
    place = path if path is not None else error.filename or ""
    reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
    return _("{place}: {reason}.").format(place=place, reason=reason)
