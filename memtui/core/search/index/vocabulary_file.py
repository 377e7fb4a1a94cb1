"""The vocabulary of an index in a file beside it: to ask the engine for so many words holds up keys."""

from __future__ import annotations

import contextlib
import os
import zlib
from array import array
from collections.abc import Iterable
from pathlib import Path

from memtui.core import fs
from memtui.core.search.index.log import FileRow
from memtui.core.search.index.vocabulary import Vocabulary

VOCABULARY_NAME = "words"
_LIMIT_BYTES = 1 << 26
_FORMAT = "words-1"


def said_state(rows: Iterable[FileRow]) -> int:
    """A checksum of what is said in the files of an index: another one where it holds more, less or others."""
    places = array("Q")
    for row in sorted(rows):
        places.append(row.sid)
        places.append(row.said_to)
    return zlib.crc32(places.tobytes())


def write_vocabulary(folder: Path, vocabulary: Vocabulary, state: int) -> None:
    """Put a vocabulary beside the index that is in this `said_state`. Raises OSError."""
    head = f"{_FORMAT} {state} {int(vocabulary.is_whole)}"
    data = "\n".join([head, *vocabulary.terms]).encode("utf-8", "surrogatepass")
    fresh = folder / f"{VOCABULARY_NAME}.{os.urandom(4).hex()}.tmp"
    fs.write_new(fresh, data)
    fs.replace(fresh, folder / VOCABULARY_NAME)


def read_vocabulary(folder: Path, state: int) -> Vocabulary | None:
    """The vocabulary of an index in this `said_state`; None where there is none. Never raises."""
    with contextlib.suppress(OSError, ValueError):
        path = folder / VOCABULARY_NAME
        if _is_of(fs.read_head(path, len(_FORMAT) + 16), state):
            head, *terms = fs.read_file(path, limit_bytes=_LIMIT_BYTES).data.decode("utf-8").split("\n")
            # it may have been replaced between
            if _is_of(head.encode(), state):
                return Vocabulary(terms, is_whole=head.endswith(" 1"))
    return None


def has_vocabulary(folder: Path, state: int) -> bool:
    """Whether there is one of an index in this `said_state`. Never raises."""
    with contextlib.suppress(OSError):
        return _is_of(fs.read_head(folder / VOCABULARY_NAME, len(_FORMAT) + 16), state)
    return False


def _is_of(head: bytes, state: int) -> bool:
    return head.split(b" ")[:2] == [_FORMAT.encode(), str(state).encode()]
