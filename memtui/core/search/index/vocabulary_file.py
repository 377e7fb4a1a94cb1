"""The vocabulary of an index in a file beside it: to ask the engine for so many words holds up keys.

The first line says of which state of the index it is, and how long the rest is; the rest are the words, one a
line.
"""

from __future__ import annotations

import contextlib
import zlib
from array import array
from collections.abc import Iterable
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from memtui.core import fs
from memtui.core.search.index.log import FileRow
from memtui.core.search.index.vocabulary import Vocabulary

VOCABULARY_NAME = "words"
_FRESH_NAME = "words.tmp"
_FORMAT = "words-1"
_LIMIT_BYTES = 1 << 26
_HEAD_BYTES = 80
_SAID = attrgetter("sid", "said_to", "mark")


class Kept(NamedTuple):
    """A vocabulary, and the `said_state` of the index that it is of."""

    state: int
    vocabulary: Vocabulary


class _Head(NamedTuple):
    state: int
    is_whole: bool
    size_bytes: int


def said_state(rows: Iterable[FileRow]) -> int:
    """A checksum of what is said in the files of an index: another one where it holds more, less or others."""
    return zlib.crc32(array("Q", chain.from_iterable(sorted(map(_SAID, rows)))).tobytes())


def keep_vocabulary(folder: Path, vocabulary: Vocabulary, state: int) -> None:
    """Put a vocabulary beside the index that is in this `said_state`; for who writes the index. Never raises.

    Without it the words are looked up in the index.
    """
    data = "\n".join(vocabulary.terms).encode()
    head = f"{_FORMAT} {state} {int(vocabulary.is_whole)} {len(data)}\n".encode()
    fresh = folder / _FRESH_NAME
    with contextlib.suppress(OSError):
        fs.unlink(fresh, missing_ok=True)
        try:
            fs.write_new(fresh, head + data)
            fs.replace(fresh, folder / VOCABULARY_NAME)
        finally:
            fs.unlink(fresh, missing_ok=True)


def kept_vocabulary(folder: Path) -> Kept | None:
    """The vocabulary beside an index; None where there is none. Never raises."""
    with contextlib.suppress(OSError, ValueError):
        first, _end, rest = fs.read_file(folder / VOCABULARY_NAME, limit_bytes=_LIMIT_BYTES).data.partition(
            b"\n"
        )
        head = _parsed(first)
        if len(rest) == head.size_bytes:
            terms = rest.decode().split("\n") if rest else []
            return Kept(head.state, Vocabulary(terms, is_whole=head.is_whole))
    return None


def has_vocabulary(folder: Path, state: int) -> bool:
    """Whether there is one of an index in this `said_state`. Never raises."""
    path = folder / VOCABULARY_NAME
    with contextlib.suppress(OSError, ValueError):
        first, end, _rest = fs.read_head(path, _HEAD_BYTES).partition(b"\n")
        head = _parsed(first)
        size_bytes = len(first) + len(end) + head.size_bytes
        return head.state == state and fs.size_and_time(path)[0] == size_bytes
    return False


def _parsed(line: bytes) -> _Head:
    """Raises ValueError for any other line."""
    name, state, is_whole, size_bytes = line.decode().split(" ")
    if name != _FORMAT:
        raise ValueError(name)
    return _Head(int(state), is_whole == "1", int(size_bytes))
