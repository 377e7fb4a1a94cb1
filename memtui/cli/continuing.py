"""What comes after the app: the program that the person left it for takes its place, on the same terminal."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from memtui.core.errors import StorageError, explain

if TYPE_CHECKING:
    from memtui.core.library import Launch

HELD_BACK = ("SIGPIPE", "SIGXFSZ")
"""Signals that Python ignores; a program that takes its place would ignore them too."""


def go_on_as(launch: Launch) -> NoReturn:
    """Change to the directory and become the program. Raises StorageError when that cannot be."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    try:
        os.chdir(launch.directory)
    except OSError as error:
        raise StorageError(explain(error, Path(launch.directory))) from error
    for name in HELD_BACK:
        if (number := getattr(signal, name, None)) is not None:
            signal.signal(number, signal.SIG_DFL)
    environ = {**launch.environ, "PWD": launch.directory}
    try:
        os.execve(launch.words[0], launch.words, environ)
    except OSError as error:
        raise StorageError(explain(error, Path(launch.words[0]))) from error
