"""A real pseudo terminal for tests: run a program in it, press keys, and look at the raw bytes it sent."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

KEYS = {
    "enter": b"\r",
    "escape": b"\x1b",
    "tab": b"\t",
    "space": b" ",
    "backspace": b"\x7f",
    "up": b"\x1b[A",
    "down": b"\x1b[B",
    "right": b"\x1b[C",
    "left": b"\x1b[D",
    "home": b"\x1b[H",
    "end": b"\x1b[F",
    "pageup": b"\x1b[5~",
    "pagedown": b"\x1b[6~",
    "f5": b"\x1b[15~",
}

LOOK_S = 0.01

# what Textual itself sends: modes and cursor (CSI h l H u), styles (CSI m), mode queries (CSI $p), and the
# shape of the pointer (OSC 22); a sequence that cannot be the program's own is left in place
_TEXTUALS_OWN = re.compile(
    rb"\x1b\[\?[0-9;]+[hl]|\x1b\[\?[0-9]+\$p|\x1b\[[0-9;]*H|\x1b\[[0-9;]*m|\x1b\[[<>=?][0-9;]*u"
    rb"|\x1b\]22;[a-z-]*(?:\x07|\x1b\\)"
)
_CONTROL = re.compile(rb"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]")


def strip_textual(raw: bytes) -> bytes:
    """The bytes sent to a terminal without Textual's own sequences.

    A style or cursor sequence that came from content looks like Textual's own: look for those in the raw bytes,
    by parameters that Textual does not use.
    """
    return _TEXTUALS_OWN.sub(b"", raw)


def stray_controls(raw: bytes) -> list[bytes]:
    """Controls that are neither Textual's own nor CR or LF, each with a few bytes around it."""
    text = strip_textual(raw)
    return [text[max(0, found.start() - 12) : found.end() + 12] for found in _CONTROL.finditer(text)]


class Terminal:
    """A program in a pseudo terminal of `columns` x `rows` cells; a context manager that ends the program.

    `raw` grows by what the program sends. Waiting has a limit in seconds that only a broken program reaches;
    nothing passes or fails by the clock.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environ: Mapping[str, str],
        cwd: Path,
        columns: int = 80,
        rows: int = 24,
        limit_s: float = 30.0,
    ) -> None:
        self.raw = b""
        self._limit_s = limit_s
        self._descriptor, inner = pty.openpty()
        self.resize(columns, rows)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=inner,
                stdout=inner,
                stderr=inner,
                cwd=cwd,
                env={**environ, "TERM": "xterm-256color"},
                start_new_session=True,
            )
        finally:
            os.close(inner)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._read(0)
        os.close(self._descriptor)

    @property
    def pid(self) -> int:
        """The number of the program's process."""
        return self._process.pid

    def resize(self, columns: int, rows: int) -> None:
        """Change the size; the program is told by SIGWINCH."""
        fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if hasattr(self, "_process"):
            import signal

            self._process.send_signal(signal.SIGWINCH)

    def press(self, *keys: str) -> None:
        """Send keys: names of `KEYS`, `ctrl+x`, or characters to type."""
        for key in keys:
            control = re.fullmatch(r"ctrl\+([a-z])", key)
            data = bytes([ord(control[1]) & 0x1F]) if control else KEYS.get(key, key.encode())
            os.write(self._descriptor, data)

    def wait_for(self, text: str, *, after: int = 0) -> int:
        """Read until `text` has been sent (styles between its letters do not matter); the bytes read so far.

        Only what came behind the first `after` bytes counts. Raises AssertionError when it never comes.
        """
        wanted = text.encode()
        self._read_until(lambda: wanted in strip_textual(self.raw[after:]), f"no {text!r}")
        return len(self.raw)

    def wait_until_quiet(self, quiet_s: float = 0.4) -> int:
        """Read until for `quiet_s` seconds nothing has come and the program had nothing to do; the bytes read so
        far. A program that waits for the processor is not quiet."""
        deadline = time.monotonic() + self._limit_s
        quiet_from = time.monotonic()
        while (now := time.monotonic()) - quiet_from < quiet_s:
            assert now < deadline, f"no rest after {self._limit_s} s"
            if self._read(LOOK_S) or self._is_at_work():
                quiet_from = time.monotonic()
        return len(self.raw)

    def read_for(self, seconds: float) -> None:
        """Take what is sent for so long."""
        until = time.monotonic() + seconds
        while (left_s := until - time.monotonic()) > 0:
            self._read(left_s)

    def seconds_to_paint(self, key: str, quiet_s: float = 0.08) -> float:
        """Press a key, and read until nothing has come for `quiet_s`; how long it took to the last byte.

        0 when nothing was painted.
        """
        start = last = time.perf_counter()
        self.press(key)
        while self._read(quiet_s):
            last = time.perf_counter()
        return last - start

    def wait_for_end(self) -> int:
        """Read until the program has ended; its exit status."""
        self._read_until(lambda: self._process.poll() is not None, "still running")
        self._read(0)
        return self._process.wait()

    def vanish(self) -> int:
        """Take the terminal away without a signal; the exit status of the program, which has to notice."""
        os.close(self._descriptor)
        self._descriptor = os.open(os.devnull, os.O_RDWR)
        return self._process.wait(self._limit_s)

    def _read_until(self, reached: Callable[[], bool], complaint: str) -> None:
        deadline = time.monotonic() + self._limit_s
        while not reached():
            if time.monotonic() > deadline:
                tail = strip_textual(self.raw)[-2000:].decode("utf-8", "replace")
                raise AssertionError(f"{complaint} after {self._limit_s} s; the screen's end: {tail}")
            self._read(0.05)

    def _is_at_work(self) -> bool:
        # where there is no /proc, what the program sends is all that is known of it
        for status in Path(f"/proc/{self._process.pid}/task").glob("*/stat"):
            with contextlib.suppress(OSError):
                if status.read_bytes().rpartition(b")")[2].split()[0] in (b"R", b"D"):
                    return True
        return False

    def _read(self, wait_s: float) -> bool:
        """Take what has been sent; whether there was anything."""
        before = len(self.raw)
        with contextlib.suppress(OSError):  # Linux: EIO once the program has closed its end
            while select.select([self._descriptor], [], [], wait_s)[0]:
                if not (chunk := os.read(self._descriptor, 1 << 16)):
                    break
                self.raw += chunk
                wait_s = 0
        return len(self.raw) > before
