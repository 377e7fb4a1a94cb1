"""A process that the system shows as pi, for tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WAIT = "import sys; print(flush=True); sys.stdin.read()"


@contextmanager
def running_pi(cwd: Path) -> Iterator[subprocess.Popen[bytes]]:
    """It runs in a directory until it is done with."""
    words, pipe = ["/opt/bin/pi", "-S", "-c", WAIT], subprocess.PIPE
    with subprocess.Popen(words, executable=sys.executable, cwd=cwd, stdin=pipe, stdout=pipe) as child:
        assert child.stdout is not None and child.stdout.readline() == b"\n"
        yield child
        child.communicate()
