"""When a file was as it is now, as far as memtui's own history proves it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from memtui.core.history.records import Record
from memtui.core.history.sightings import Sighting
from memtui.core.operations.plan import Trash, Write

Spell = tuple[datetime, datetime]
"""From when, and until when."""


def spells(
    path: str, root: Path, key: str, records: Sequence[Record], sightings: Iterable[Sighting]
) -> tuple[Spell, ...]:
    """The times at which the file `path` of a store had the bytes with this digest.

    A look at it tells from the file's own time until the look; two changes of memtui's, one after the other,
    where the first left these bytes and the second met them (`records` are the newest first).
    """
    return (*_seen(path, key, sightings), *_between(root / path, key, records))


def _seen(path: str, key: str, sightings: Iterable[Sighting]) -> Iterator[Spell]:
    for sighting in sightings:
        seen = sighting.files.get(path)
        if seen is not None and seen.key == key and seen.updated is not None and seen.updated <= sighting.when:
            yield seen.updated, sighting.when


def _between(path: Path, key: str, records: Sequence[Record]) -> Iterator[Spell]:
    left: tuple[str | None, datetime] | None = None
    for record in reversed(records):
        if record.state != "done":
            continue
        for step in record.steps:
            if step.path != path or not isinstance(step, Write | Trash):
                continue
            if left is not None and left[0] == key == step.before:
                yield left[1], record.when
            left = (step.after if isinstance(step, Write) else None), record.when


def removed(root: Path, records: Sequence[Record]) -> dict[str, datetime]:
    """The files of a store that memtui took away, each with when it did last (`records`: the newest first)."""
    found: dict[str, datetime] = {}
    for record in reversed(records):
        for step in record.steps if record.state == "done" else ():
            if isinstance(step, Trash) and step.path.is_relative_to(root):
                found[step.path.relative_to(root).as_posix()] = record.when
    return found
