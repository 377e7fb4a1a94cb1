"""What stands between a plan and the disk: the store's lock, and the proof that a path lies in the store."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from memtui.core import fs
from memtui.core.errors import LockedError, RefusedError, StorageError, explain
from memtui.core.layouts.base import digest
from memtui.i18n import _

LOCK_WAIT_S = 5.0
"""How long a change waits for another memtui that is in the middle of one."""


@contextlib.contextmanager
def store_lock(state_dir: Path, root: Path, *, wait_s: float | None = None) -> Iterator[None]:
    """Be the only memtui that changes the store at `root`, under whatever name it was reached.

    Waits `wait_s` seconds (None = LOCK_WAIT_S) for another one.

    Raises LockedError when another one keeps on, StorageError when there can be no lock file.
    """
    locks = state_dir / "locks"
    key = digest(bytes(fs.real_path(root)))[:32]
    with contextlib.ExitStack() as stack:
        try:
            fs.make_dirs(locks, mode=0o700)
            stack.enter_context(
                fs.locked(locks / f"{key}.lock", wait_s=LOCK_WAIT_S if wait_s is None else wait_s)
            )
        except TimeoutError:
            raise LockedError(
                _("another memtui is changing {root}; nothing was written, try again").format(root=root)
            ) from None
        except OSError as error:
            raise StorageError(
                _("{reason} Without a lock there nothing is changed.").format(reason=explain(error))
            ) from error
        yield


@contextlib.contextmanager
def store_locks(state_dir: Path, roots: Sequence[Path], *, wait_s: float | None = None) -> Iterator[None]:
    """Hold the locks of several stores, each once, in an order that everyone keeps. As `store_lock`."""
    by_place = {fs.real_path(root): root for root in roots}
    with contextlib.ExitStack() as stack:
        for place in sorted(by_place):
            stack.enter_context(store_lock(state_dir, by_place[place], wait_s=wait_s))
        yield


def check_inside(path: Path, roots: Sequence[Path]) -> None:
    """Refuse a path that lies in none of the stores when every link on the way is followed (RefusedError).

    A root itself may be reached through links: they are part of how the store was named.
    """
    around = [root for root in roots if path.is_relative_to(root)]
    if not around:
        raise RefusedError(_("{path} is not in {root}").format(path=path, root=roots[0]))
    if not any(_is_inside(path, root) for root in around):
        raise RefusedError(
            _("{path} leads out of the memory directory through a link; change it there").format(path=path)
        )


def _is_inside(path: Path, root: Path) -> bool:
    inner = path.relative_to(root)
    if not inner.parts or ".." in inner.parts:
        return False
    return fs.real_path(path.parent) == (fs.real_path(root) / inner).parent


def refuse_link(path: Path) -> RefusedError:
    """Why a symlink is not written over, with the place it leads to."""
    return RefusedError(
        _("{path} is a symbolic link to {target}; memtui does not replace it, change the file there").format(
            path=path, target=fs.real_path(path)
        ),
        code="symlink",
    )
