"""What is kept of a mistake that ended memtui: one file in its state folder, private to the person.

The traceback names places in the code, never the values that were held there; only the error's own message
may quote a text.
"""

from __future__ import annotations

import platform
import traceback
from pathlib import Path

from memtui import __version__
from memtui.core import fs
from memtui.core.env import Env
from memtui.core.safety import display

FILE_NAME = "crash.log"


def place_of(error: BaseException) -> str:
    """Where an error was raised, as `file.py:12`; '' when nobody knows."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def keep_crash(env: Env, error: BaseException) -> Path:
    """Write down what happened, in place of what was there; the file, of mode 0600. Raises OSError."""
    head = (
        f"memtui {__version__}, Python {platform.python_version()}, {platform.system()}, {env.now():%F %T %z}"
    )
    lines = "".join(traceback.TracebackException.from_exception(error).format())
    path = env.state_dir / FILE_NAME
    fs.make_dirs(env.state_dir, mode=0o700)
    fs.unlink(path, missing_ok=True)
    fs.write_new(path, f"{head}\n{display.block(lines)}".encode("utf-8", "backslashreplace"))
    return path
