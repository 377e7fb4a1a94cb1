"""The process that writes the index, so that neither its work nor its memory is the app's.

`main` reads the paths of all session files from its input, the most
important first, each ended by a NUL; says how far it came in lines of JSON; and ends. Killing it costs nothing
but what it had not committed.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from memtui.core.errors import MemtuiError
from memtui.core.search.index.folder import IndexBusyError, remove_older
from memtui.core.search.index.progress import BUSY, DONE, FAILED, Progress
from memtui.core.search.index.writer import BESIDE, FULL, update_index
from memtui.late import dataclasses

NICENESS = 19
TELL_EVERY_S = 0.2

FEW_PROCESSORS = 2
"""With so many a build leaves one to whoever works beside it."""


def main(cache_dir: Path) -> int:
    """Write the index of the files named on the input; gives the exit status."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    names = sys.stdin.buffer.read().split(b"\0")
    files = [Path(os.fsdecode(name)) for name in names if name]
    told_at = 0.0

    def told(progress: Progress) -> None:
        nonlocal told_at
        if time.monotonic() - told_at >= TELL_EVERY_S:
            told_at = time.monotonic()
            _say(dataclasses.asdict(progress))

    try:
        efforts = BESIDE if (os.cpu_count() or 1) <= FEW_PROCESSORS else FULL
        progress = update_index(cache_dir, files, efforts=efforts, told=told)
    except IndexBusyError:
        return BUSY
    except (OSError, ValueError, MemtuiError) as error:
        _say({"error": str(error)})
        return FAILED
    if progress.is_done:
        remove_older(cache_dir)
    _say(dataclasses.asdict(progress))
    return DONE


def _say(what: dict[str, Any]) -> None:
    try:
        print(json.dumps(what), flush=True)
    except OSError:
        # nobody listens any more
        os._exit(DONE)
