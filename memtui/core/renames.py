"""Two renames that Python lacks: exchange two names, and move to a name that must be free (only for `fs`).

Linux has `renameat2` (since 3.15), macOS `renamex_np` (since 10.12); both depend on the file system.
"""

from __future__ import annotations

import errno
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path

_AT_FDCWD = -100
_NOREPLACE_LINUX, _EXCHANGE_LINUX = 1, 2
_SWAP_MACOS, _EXCL_MACOS = 2, 4
_SYSCALL_RENAMEAT2 = {"x86_64": 316, "aarch64": 276, "riscv64": 276, "i686": 353, "armv7l": 382}
UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
"""Error numbers that mean "this file system cannot", not "this went wrong"."""


class UnsupportedEffectError(OSError):
    """The file system cannot exchange two names, or cannot rename without replacing."""


def exchange(first: Path, second: Path) -> None:
    """Swap two names in one step. Raises UnsupportedEffectError or OSError."""
    _rename(first, second, _EXCHANGE_LINUX, _SWAP_MACOS)


def move(source: Path, target: Path) -> None:
    """Rename to a name that must be free. Raises FileExistsError, UnsupportedEffectError or OSError."""
    _rename(source, target, _NOREPLACE_LINUX, _EXCL_MACOS)


def _rename(source: Path, target: Path, flag_linux: int, flag_macos: int) -> None:
    names = os.fsencode(source), os.fsencode(target)
    if any(b"\0" in name for name in names):
        raise ValueError("embedded null byte")  # C would stop reading there and rename another file
    # ctypes raises no audit event of its own, and tests watch for writes by audit events
    sys.audit("os.rename", os.fsdecode(source), os.fsdecode(target), -1, -1)
    rename = _rename_function()
    if rename is None:
        raise UnsupportedEffectError(errno.ENOSYS, "no exclusive rename on this system")
    flag = flag_macos if sys.platform == "darwin" else flag_linux
    if rename(*names, flag) != 0:
        import ctypes

        number = ctypes.get_errno()
        kind = UnsupportedEffectError if number in UNSUPPORTED else OSError
        raise kind(number, os.strerror(number), str(source), None, str(target))


@functools.cache
def _rename_function() -> Callable[[bytes, bytes, int], int] | None:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        function = libc.renamex_np
        function.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint)
        return lambda source, target, flags: int(function(source, target, flags))
    if sys.platform != "linux":
        return None
    try:
        function: Callable[..., int] = libc.renameat2
    except AttributeError:
        number = _SYSCALL_RENAMEAT2.get(os.uname().machine)
        if number is None:
            return None
        function = functools.partial(libc.syscall, ctypes.c_long(number))
    return lambda source, target, flags: int(
        function(_AT_FDCWD, ctypes.c_char_p(source), _AT_FDCWD, ctypes.c_char_p(target), ctypes.c_uint(flags))
    )
