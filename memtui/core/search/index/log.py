"""Which files the index holds, up to where: a log beside the engine's files, one line of JSON a step.

A step is announced before the engine gets its documents (`begin`) and noted after the engine has committed them
(`done`). What was begun and not done is taken out of the index at the next start and read again, so that
whatever is killed when, nothing is missing and nothing is there twice. Readers read on where they ended.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from memtui.core import fs
from memtui.late.dataclasses import dataclass, field

FORMAT = 1
LOG_NAME = "files.log"
_LIMIT_BYTES = 1 << 28
_HEAD_BYTES = 256
_COMPACT_FROM_BYTES = 1 << 18
_COMPACT_FACTOR = 4


class FileRow(NamedTuple):
    """What the index holds of one file. `sid` is its number, never given twice; sizes and offsets are bytes.

    What is said is indexed up to `said_to`, what tools gave up to `done_to`. `inode`, `size_bytes` and
    `mtime_ns` are the file's when it was read last; `mark` is a checksum of pieces of what stands before
    `said_to`. `is_linear`: every entry so far follows the one before it, whose id is `last_id`. `has_text`:
    somebody typed something already. `skipped` counts lines above the cap.
    """

    sid: int
    said_to: int = 0
    done_to: int = 0
    inode: int = 0
    size_bytes: int = 0
    mtime_ns: int = 0
    mark: int = 0
    is_linear: bool = True
    last_id: str = ""
    has_text: bool = False
    skipped: int = 0


@dataclass(slots=True)
class Begun:
    """A step that was announced: numbers of new files from `first_sid` on, and files that grow, with the
    offsets up to where each of the two kinds of documents is known to be there."""

    first_sid: int
    grown: list[tuple[int, int, int]] = field(default_factory=list)


class FilesLog:
    """The files by path, and what was begun and not done. `stamp` is the engine's number of its last commit
    that is noted here, `next_sid` the number of the next new file, `is_done`: all files were seen once."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / LOG_NAME
        self.files: dict[str, FileRow] = {}
        self.begun: list[Begun] = []
        self.next_sid = 1
        self.stamp = 0
        self.is_done = False
        self._read_to = 0
        self._inode: int | None = None
        self._changed_ns = 0
        self._head = b""

    # Reading

    def refresh(self) -> bool:
        """Take in what was written since; whether there was anything. A log that was written anew is read anew.

        Raises OSError, FileNotFoundError when there is none; ValueError for one of another format.
        """
        inode = fs.inode_of(self.path)
        if inode is None:
            raise FileNotFoundError(2, "no index", str(self.path))
        if inode != self._inode:
            self._forget()
            self._inode = inode
        size_bytes, changed_ns = fs.size_and_time(self.path)[0], fs.mtime_ns(self.path)
        # another log may stand in its place, even under the same inode
        if self._read_to and changed_ns != self._changed_ns and not self._is_same(size_bytes):
            self._forget()
            self._inode = inode
        self._changed_ns = changed_ns
        if size_bytes == self._read_to:
            return False
        data = fs.read_from(self.path, self._read_to, _LIMIT_BYTES)
        whole = data.rfind(b"\n") + 1
        if whole and not self._read_to:
            self._head = data[: data.index(b"\n") + 1]
        for line in data[:whole].splitlines():
            self._take(line)
        self._read_to += whole
        return whole > 0

    def _is_same(self, size_bytes: int) -> bool:
        head = fs.read_head(self.path, _HEAD_BYTES)
        return size_bytes >= self._read_to and head.startswith(self._head)

    def _forget(self) -> None:
        self.files, self.begun, self._read_to = {}, [], 0
        self.next_sid, self.stamp, self.is_done = 1, 0, False

    def _take(self, line: bytes) -> None:
        step = json.loads(line)
        match step["step"]:
            case "format":
                if step["format"] != FORMAT:
                    raise ValueError(f"{self.path} has another format")
            case "begin":
                grown = [(int(sid), int(said), int(done)) for sid, said, done in step["grown"]]
                self.begun.append(Begun(step["sids"][0], grown))
                self.next_sid = max(self.next_sid, step["sids"][1])
            case "done":
                self.begun = []
                for path in step["gone"]:
                    self.files.pop(path, None)
                for path, values in step["files"].items():
                    self.files[path] = FileRow._make(values)
                self.stamp = step["stamp"]
                self.next_sid = max(self.next_sid, step["next_sid"])
                self.is_done = step["is_done"]
            case _:
                raise ValueError(f"{self.path} has a step that is not known")

    # Writing: only by who holds the lock

    def create(self) -> None:
        """Begin a new, empty log."""
        fs.write_new(self.path, _first_line())
        self.refresh()

    def repair_end(self) -> None:
        """Cut off a last line that was not written whole, so that the next one stands alone."""
        if fs.size_and_time(self.path)[0] != self._read_to:
            self._write_anew()

    def begin(self, new_files: int, grown: Iterable[tuple[int, int, int]]) -> int:
        """Announce documents of so many new files and of files that grow; gives the first new number."""
        first = self.next_sid
        self._append(_begin_step(first, first + new_files, grown))
        return first

    def done(self, stamp: int, files: Mapping[str, FileRow], gone: Iterable[str], *, is_done: bool) -> None:
        """Note that the engine committed what was begun."""
        self._append(_done_step(stamp, files, gone, self.next_sid, is_done=is_done))
        self._compact()

    def _append(self, step: dict[str, Any]) -> None:
        fs.append(self.path, _line(step))
        self.refresh()

    def _compact(self) -> None:
        if self._read_to < _COMPACT_FROM_BYTES or self.begun:
            return
        if self._read_to > _COMPACT_FACTOR * 250 * (len(self.files) + 1):
            self._write_anew()

    def _write_anew(self) -> None:
        fresh = self.path.with_name(f"{LOG_NAME}.{os.urandom(4).hex()}.tmp")
        fs.write_new(fresh, _first_line() + b"".join(map(_line, self._steps())))
        fs.replace(fresh, self.path)
        self.refresh()

    def _steps(self) -> Iterator[dict[str, Any]]:
        yield _done_step(self.stamp, self.files, (), self.next_sid, is_done=self.is_done)
        for begun in self.begun:
            yield _begin_step(begun.first_sid, self.next_sid, begun.grown)


def _first_line() -> bytes:
    return _line({"step": "format", "format": FORMAT, "made": os.urandom(8).hex()})


def _begin_step(first_sid: int, next_sid: int, grown: Iterable[tuple[int, int, int]]) -> dict[str, Any]:
    return {"step": "begin", "sids": [first_sid, next_sid], "grown": [list(item) for item in grown]}


def _done_step(
    stamp: int, files: Mapping[str, FileRow], gone: Iterable[str], next_sid: int, *, is_done: bool
) -> dict[str, Any]:
    return {
        "step": "done",
        "stamp": stamp,
        "files": dict(files),
        "gone": list(gone),
        "next_sid": next_sid,
        "is_done": is_done,
    }


def _line(step: dict[str, Any]) -> bytes:
    return json.dumps(step, separators=(",", ":")).encode("ascii") + b"\n"
