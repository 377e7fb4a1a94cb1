"""The entry point: `memtui`, `python -m memtui`."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from memtui.core.env import Env

FRAMES_PER_SECOND = "480"
"""How often Textual paints at most: what a key leads to comes in two paints, and at its own default the second
one waits for a sixtieth of a second."""


SWITCH_S = 0.001
"""How long a thread may keep others waiting (seconds; by default 0.005)."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status; without one, that of the process. Never raises."""
    if argv is not None:
        return _run(argv)
    # a command is over before looking for garbage would pay: without, it takes an eighth less time
    gc.disable()
    status = _run(sys.argv[1:])
    gc.freeze()
    return status


def enter() -> NoReturn:
    """Run the process' command line, and end it without taking all apart: that takes longer than many commands.

    Threads that are waited for, functions of `atexit` and what is still to be printed come first.
    """
    status = main()
    if (threads := sys.modules.get("threading")) is not None:
        for thread in threads.enumerate():
            if not thread.daemon and thread is not threads.current_thread():
                thread.join()
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        # as the interpreter itself ends then, with its message
        sys.exit(status)
    os._exit(status)


def _run(argv: Sequence[str]) -> int:
    try:
        from memtui.cli.run import run
        from memtui.core.env import build_env
    except KeyboardInterrupt:
        return 130
    return run(argv, build_env, _open_app)


def _open_app(env: Env, owner: str, path: Path | None, is_new: bool) -> int:
    # the app looks for garbage again once its first frame is out
    # Textual reads its frame rate from the environment when it is imported
    os.environ.setdefault("TEXTUAL_FPS", FRAMES_PER_SECOND)  # noqa: TID251
    # a search in its own thread may hold up a key by as much, several times a frame
    sys.setswitchinterval(SWITCH_S)
    from memtui.ui.app import run_app

    left = run_app(env, owner, path, is_new=is_new)
    if left.first:
        from memtui.cli.own_pane import say_it_is_there

        say_it_is_there(left.first)
    if left.launch is None:
        return left.status
    from memtui.cli.continuing import go_on_as

    return go_on_as(left.launch)


if __name__ == "__main__":
    enter()
