"""Advisory locks (flock) on files of their own; imported on use, for no other system than POSIX has them."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def locked(path: Path, *, wait_s: float = 5.0) -> Iterator[None]:
    """Hold an exclusive advisory lock on `path` (created 0600); raises TimeoutError after `wait_s` seconds."""
    import fcntl

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + wait_s
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise TimeoutError(errno.EWOULDBLOCK, "lock is held", str(path)) from None
                time.sleep(0.005)
        yield
    finally:
        os.close(descriptor)
