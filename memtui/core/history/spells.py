"""When a file was as it is now, as far as memtui's own history proves it. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from memtui.core.history.records import Record
from memtui.core.history.sightings import Seen, Sighting
from memtui.core.operations.plan import Trash, Write

Spell = tuple[datetime, datetime]
"""From when, and until when."""


class Past:
    """What the history tells of the files of the store at `root`; `records` are the newest first."""

    def __init__(self, root: Path, records: Sequence[Record], sightings: Iterable[Sighting]) -> None:
        self._steps: defaultdict[str, list[tuple[datetime, Write | Trash]]] = defaultdict(list)
        self._seen: defaultdict[str, list[tuple[datetime, Seen]]] = defaultdict(list)
        for record in reversed(records):
            for step in record.steps if record.state == "done" else ():
                if isinstance(step, Write | Trash) and step.path.is_relative_to(root):
                    self._steps[step.path.relative_to(root).as_posix()].append((record.when, step))
        for sighting in sightings:
            for path, seen in sighting.files.items():
                self._seen[path].append((sighting.when, seen))

    def spells(self, path: str, key: str) -> tuple[Spell, ...]:
        """The times at which the file at this relative path had the bytes with this digest.

        A look at it tells from the file's own time until the look; two changes of memtui's, one after the
        other, where the first left these bytes and the second met them.
        """
        return (*self._looked_at(path, key), *self._between(path, key))

    def removed(self) -> dict[str, datetime]:
        """The files that memtui took away, each with when it did last."""
        return {
            path: max(when for when, step in steps if isinstance(step, Trash))
            for path, steps in self._steps.items()
            if any(isinstance(step, Trash) for _when, step in steps)
        }

    def _looked_at(self, path: str, key: str) -> Iterator[Spell]:
        for when, seen in self._seen.get(path, ()):
            if seen.key == key and seen.updated is not None and seen.updated <= when:
                yield seen.updated, when

    def _between(self, path: str, key: str) -> Iterator[Spell]:
        left: tuple[str | None, datetime] | None = None
        for when, step in self._steps.get(path, ()):
            if left is not None and left[0] == key == step.before:
                yield left[1], when
            left = (step.after if isinstance(step, Write) else None), when
