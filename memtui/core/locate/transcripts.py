"""Cheap looks at directories of conversations: how many there are, and what the heads of the files say."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from memtui.core import fs


def count_sessions(directory: Path) -> int:
    """Number of `*.jsonl` files directly in a directory; 0 when it cannot be read."""
    return len(session_files(directory))


def session_files(directory: Path) -> list[Path]:
    """The `*.jsonl` files directly in a directory, by name; empty when it cannot be read."""
    try:
        entries = fs.list_dir(directory)
    except (OSError, ValueError):
        return []
    return [directory / e.name for e in entries if e.kind == "file" and e.name.endswith(".jsonl")]


def first_values(path: Path, name: str, limit_bytes: int) -> list[str]:
    """The texts under a top-level key in the first whole lines of a file, each once, in order.

    Only `limit_bytes` bytes are read; lines that do not parse are passed over. Never raises.
    """
    return list(dict.fromkeys(values_in(_head(path, limit_bytes), name)))


def first_value(path: Path, name: str, limit_bytes: int) -> str:
    """The first of `first_values`, '' for none; what stands behind it is not parsed. Never raises."""
    return next(values_in(_head(path, limit_bytes), name), "")


def values_in(data: bytes, name: str) -> Iterator[str]:
    """The texts under a top-level key of lines of JSON; lines that do not parse, and texts that no file system
    has a name for, are passed over."""
    for line in data.split(b"\n"):
        if name.encode() not in line:
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        value = record.get(name) if isinstance(record, dict) else None
        if isinstance(value, str) and value and can_be_a_name(value):
            yield value


def can_be_a_name(text: str) -> bool:
    """Whether a file system could hold this text: JSON can spell halves of characters, which none can."""
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _head(path: Path, limit_bytes: int) -> bytes:
    try:
        return fs.read_head(path, limit_bytes)
    except (OSError, ValueError):
        return b""
