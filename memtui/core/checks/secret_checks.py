"""Problems of secrets: keys, tokens and passwords that whoever reads the memory reads too.

Cases: pains 13, T14. What is found is named by its kind and its first characters, never quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from memtui.core.layouts.base import Memory, Problem, Redact, Severity, Snapshot, digest
from memtui.core.safety import secrets
from memtui.core.text.document import decode, encode
from memtui.i18n import _

MOST_A_FILE = 100
"""So many of one file are told."""

_REMEMBERED_BYTES = 1 << 16


class _Found(NamedTuple):
    """A secret of a file: what it is, its beginning with signs for the rest, its digest, byte and line."""

    severity: Severity
    what: str
    shown: str
    digest: str
    at: int
    line: int


def in_the_clear(snapshot: Snapshot) -> Iterator[Problem]:
    """Secrets in the text of memories and in the index."""
    index_name = snapshot.store.profile.index_name
    of_file: dict[str, list[Memory]] = {}
    of_line: dict[int, Memory] = {}
    for memory in snapshot.memories:
        of_file.setdefault(memory.file, []).append(memory)
        of_line |= dict.fromkeys(memory.index_lines, memory)
    for path in dict.fromkeys((index_name, *of_file)):
        file = snapshot.files.get(path)
        if file is None or file.data is None:
            continue
        for item in _look(file.data):
            owner = of_line.get(item.line) if path == index_name else None
            owner = owner or _owner(of_file.get(path, ()), item.at)
            where = owner.file if owner is not None and _has_text(snapshot, owner.file) else path
            message = _("{what} in the clear ({shown}): every agent and person that reads this file reads it")
            yield Problem(
                "secret",
                item.severity,
                message.format(what=item.what, shown=item.shown),
                None if owner is None else owner.id,
                path,
                # of what is read from its end nobody counted the lines before
                None if file.offset else item.line,
                Redact(where, (item.digest,)) if _can_be_changed(snapshot) and not file.offset else None,
            )


def _can_be_changed(snapshot: Snapshot) -> bool:
    store = snapshot.store
    return store.writable and not store.profile.read_only and not store.profile.only_looked_at


def _has_text(snapshot: Snapshot, path: str) -> bool:
    file = snapshot.files.get(path)
    return file is not None and file.kind == "file" and file.data is not None


def _owner(memories: Sequence[Memory], at: int) -> Memory | None:
    """The memory of a file that a byte belongs to."""
    for memory in memories:
        if memory.span is None or memory.span[0] <= at < memory.span[1]:
            return memory
    return None


def _look(data: bytes) -> tuple[_Found, ...]:
    return _remembered(data) if len(data) <= _REMEMBERED_BYTES else _found_in(data)


def _found_in(data: bytes) -> tuple[_Found, ...]:
    text = decode(data)
    found: list[_Found] = []
    for secret in secrets.find(text)[:MOST_A_FILE]:
        value = text[secret.start : secret.end]
        found.append(
            _Found(
                secret.rule.severity,
                secret.rule.name,
                secrets.short(secret.rule, value),
                digest(encode(value)),
                len(encode(text[: secret.start])),
                text.count("\n", 0, secret.start) + 1,
            )
        )
    return tuple(found)


_remembered = lru_cache(maxsize=1024)(_found_in)


CHECKS = (in_the_clear,)
"""The checks of this family."""
