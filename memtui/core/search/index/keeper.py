"""Keeping the index up to date from beside it: when to write, by a process of its own, and how far that is."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from memtui.core.search.index.progress import BUSY, DONE, Progress
from memtui.late.dataclasses import dataclass

WAIT_S = 20.0
"""What is appended is indexed so long after it was seen: until then it is read at each search."""

MUCH_BYTES = 2 << 20
"""With so much to read at each search the index is written soon."""

SOON_S = 2.0
BUSY_S = 5.0
FAILED_S = 60.0
"""After so long a write is tried again when another memtui was writing, or it went wrong."""


_PACKAGE_ROOT = Path(__file__).resolve().parents[4]
_START = (
    "import sys; sys.path.append(sys.argv[1]); from pathlib import Path; "
    "from memtui.core.search.index.child import main; sys.exit(main(Path(sys.argv[2])))"
)
"""Starts the process with this very memtui, and never with modules of the directory that it runs in."""


def child_command(cache_dir: Path) -> list[str]:
    """The command that starts the process for an index; see `child.main`."""
    return [sys.executable, "-P", "-c", _START, str(_PACKAGE_ROOT), str(cache_dir)]


@dataclass(frozen=True, slots=True)
class Writing:
    """How writing the index goes: `progress` while it runs, None else; `problem` is what went wrong last."""

    progress: Progress | None = None
    problem: str = ""

    @property
    def is_running(self) -> bool:
        """Whether a process is writing now."""
        return self.progress is not None


class IndexKeeper:
    """Starts the process that writes, one at a time. `told` is called from a thread of its own."""

    def __init__(
        self, cache_dir: Path, told: Callable[[Writing], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._cache_dir, self._told, self._clock = cache_dir, told, clock
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._not_before = float("-inf")
        self._wanted_since: float | None = None
        self._left_bytes = 0
        self._closed = False

    def consider(self, files: Sequence[Path], behind_bytes: int, *, is_first: bool) -> float | None:
        """Write the index if it is time to; gives the seconds after which to ask again, None for never.

        `behind_bytes` is what would be read; `is_first`: not all files were ever indexed.
        """
        with self._lock:
            if self._closed or self._process is not None:
                return None
            # what cannot be read is behind for ever
            if behind_bytes <= self._left_bytes and not is_first:
                self._wanted_since = None
                return None
            now = self._clock()
            since = self._wanted_since = now if self._wanted_since is None else self._wanted_since
            wait_s = 0.0 if is_first else SOON_S if behind_bytes >= MUCH_BYTES else WAIT_S
            due = max(since + wait_s, self._not_before)
            if now < due:
                return due - now
            self._start(files)
            return None

    def close(self) -> None:
        """End the process; what it had committed stays."""
        with self._lock:
            self._closed = True
            process = self._process
        if process is not None:
            process.kill()
        if self._thread is not None:
            self._thread.join()

    def _start(self, files: Sequence[Path]) -> None:
        try:
            self._process = subprocess.Popen(
                child_command(self._cache_dir),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            self._not_before = self._clock() + FAILED_S
            self._told(Writing(problem=str(error)))
            return
        names = b"".join(bytes(path) + b"\0" for path in files)
        self._thread = threading.Thread(
            target=self._listen, args=(self._process, names), name="memtui-index", daemon=True
        )
        self._thread.start()

    def _listen(self, process: subprocess.Popen[bytes], names: bytes) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._send(process.stdin, names)
        problem, left_bytes = "", 0
        for line in process.stdout:
            said = _read(line)
            if "error" in said:
                problem = str(said["error"])
            elif (progress := _progress(said)) is not None:
                left_bytes = progress.left_bytes
                self._tell(Writing(progress))
        process.stdout.close()
        status = process.wait()
        if status not in (DONE, BUSY) and not problem:
            problem = f"status {status}"
        with self._lock:
            self._process = None
            self._wanted_since = None
            self._left_bytes = left_bytes if status == DONE else 0
            pause_s = {DONE: SOON_S, BUSY: BUSY_S}.get(status, FAILED_S)
            self._not_before = self._clock() + pause_s
        self._tell(Writing(problem=problem))

    @staticmethod
    def _send(stdin: IO[bytes], names: bytes) -> None:
        try:
            stdin.write(names)
            stdin.close()
        except OSError:
            # it ended before: its status says why
            return

    def _tell(self, writing: Writing) -> None:
        if not self._closed:
            self._told(writing)


def _read(line: bytes) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _progress(said: dict[str, Any]) -> Progress | None:
    try:
        return Progress(**said)
    except TypeError:
        return None
