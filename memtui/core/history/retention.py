"""How long the history is kept: by age and by size, oldest first; never a change that is still under way."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Generic, TypeVar

from memtui.core import fs
from memtui.core.history.journal import Journal
from memtui.core.history.records import Record, named_objects, named_places
from memtui.core.history.sightings import Sighting, keys_of
from memtui.late.dataclasses import dataclass

BYTES_PER_MB = 1_000_000

LARGE_KEPT_DAYS = 7
"""A session in the trash is kept this long whatever its size: one of them alone can be more than the limit."""


_Thing = TypeVar("_Thing", str, Path)


@dataclass(frozen=True, slots=True)
class Pruned:
    """What a pruning removed: changes, and bytes of texts and sessions."""

    changes: int
    size_bytes: int


def prune(journal: Journal, now: datetime, keep_days: int, keep_mb: int, *, dry_run: bool = False) -> Pruned:
    """Remove changes older than `keep_days`, then the oldest until the texts fit in `keep_mb` megabytes.

    A text that no kept change names goes once it is older than `keep_days`, or with the change that named it.
    What stores looked like is kept as long, in the room that the changes leave, and not at all once the history
    is switched off. Sessions in the trash have a room of `keep_mb` of their own, so that a large one puts out
    no text; one that does not fit goes when it is LARGE_KEPT_DAYS old.
    With `dry_run` nothing goes, and the answer is what would. While another memtui is at work nothing goes
    either: it may be about to name what is here. Raises OSError.
    """
    if not fs.is_dir(journal.root):
        return Pruned(0, 0)
    if dry_run:
        return _choose(journal, now, keep_days, keep_mb).pruned
    with journal.locked():
        chosen = _choose(journal, now, keep_days, keep_mb)
        if any(journal.is_held(record) for record in chosen.under_way):
            return Pruned(0, 0)
        journal.forget(chosen.changes + journal.torn())
        journal.objects.forget(chosen.objects)
        journal.trash.forget(chosen.places)
        for path, first in chosen.sightings.items():
            journal.sightings.keep_from(path, first)
        journal.objects.sweep()
    return chosen.pruned


@dataclass(frozen=True, slots=True)
class _Chosen:
    under_way: list[Record]
    changes: list[str]
    objects: list[str]
    places: list[Path]
    sightings: dict[Path, int]
    pruned: Pruned


class _Room(Generic[_Thing]):
    """The things of one kind (texts, or whole files) with their sizes, and which of them are to stay."""

    def __init__(self, sizes: dict[_Thing, int], keep_mb: int) -> None:
        self.sizes: dict[_Thing, int] = sizes
        self.kept: set[_Thing] = set()
        self.named: set[_Thing] = set()
        self._free_bytes = keep_mb * BYTES_PER_MB

    def fits(self, things: set[_Thing]) -> bool:
        """Whether these fit in beside what stays already."""
        self.named |= things
        return self._bytes(things) <= self._free_bytes

    def keep(self, things: set[_Thing]) -> None:
        """Let these stay."""
        self._free_bytes -= self._bytes(things)
        self.kept |= things

    def _bytes(self, things: set[_Thing]) -> int:
        return sum(self.sizes.get(thing, 0) for thing in things - self.kept)


def _choose(journal: Journal, now: datetime, keep_days: int, keep_mb: int) -> _Chosen:
    objects, trash = journal.objects.kept(), journal.trash.kept()
    oldest, large_oldest = (now - timedelta(days=days) for days in (keep_days, LARGE_KEPT_DAYS))
    texts = _Room({key: item.size_bytes for key, item in objects.items()}, keep_mb)
    files = _Room({path: status.size_bytes for path, status in trash.items()}, keep_mb)
    under_way: list[Record] = []
    dropped: list[str] = []
    is_full = False
    for record in journal.records():
        keys, places = named_objects(record), named_places(record)
        fits_texts, fits_files = texts.fits(keys), files.fits(places)
        if record.state == "open" or not record.settled:
            under_way.append(record)
        elif places & trash.keys():
            if record.when < oldest or not (fits_files or record.when >= large_oldest):
                dropped.append(record.id)
                continue
        elif is_full or not fits_texts or record.when < oldest:
            is_full = True
            dropped.append(record.id)
            continue
        texts.keep(keys)
        files.keep(places)
    logs = journal.sightings.logs()
    sightings = (
        _first_kept(logs, texts, oldest) if journal.keeps else {path: len(log) for path, log in logs.items()}
    )
    texts.named |= {
        key for path, first in sightings.items() for item in logs[path][:first] for key in keys_of(item)
    }
    unused = [
        key
        for key, item in objects.items()
        if key not in texts.kept and (key in texts.named or item.written_s < oldest.timestamp())
    ]
    places_unused = [
        path
        for path, status in trash.items()
        if path not in files.kept and (path in files.named or status.ctime_ns / 1e9 < oldest.timestamp())
    ]
    size_bytes = sum(texts.sizes[key] for key in unused) + sum(files.sizes[path] for path in places_unused)
    return _Chosen(under_way, dropped, unused, places_unused, sightings, Pruned(len(dropped), size_bytes))


def _first_kept(logs: dict[Path, tuple[Sighting, ...]], texts: _Room[str], oldest: datetime) -> dict[Path, int]:
    """The number of the oldest sighting of each store that stays; as many as there are where none does.

    The newest one before `oldest` stays as what the next was different from.
    """
    first = {path: len(log) for path, log in logs.items()}
    newest_first = [(item.when, path, number) for path, log in logs.items() for number, item in enumerate(log)]
    for _when, path, number in sorted(newest_first, key=lambda place: (place[0], place[2]), reverse=True):
        log = logs[path]
        is_recent = number + 1 < len(log) and log[number + 1].when >= oldest
        keys = keys_of(log[number])
        if number + 1 == first[path] and (is_recent or log[number].when >= oldest) and texts.fits(keys):
            texts.keep(keys)
            first[path] = number
    return first
