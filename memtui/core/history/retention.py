"""How long the history is kept: by age and by size, oldest first; never a change that is still under way."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from memtui.core import fs
from memtui.core.history.journal import Journal
from memtui.core.history.records import Record, named_objects

BYTES_PER_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Pruned:
    """What a pruning removed: changes and bytes of text."""

    changes: int
    size_bytes: int


def prune(journal: Journal, now: datetime, keep_days: int, keep_mb: int, *, dry_run: bool = False) -> Pruned:
    """Remove changes older than `keep_days`, then the oldest until the texts fit in `keep_mb` megabytes.

    A text that no kept change names goes once it is older than `keep_days`, or with the change that named it.
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
        journal.objects.sweep()
    return chosen.pruned


@dataclass(frozen=True, slots=True)
class _Chosen:
    under_way: list[Record]
    changes: list[str]
    objects: list[str]
    pruned: Pruned


def _choose(journal: Journal, now: datetime, keep_days: int, keep_mb: int) -> _Chosen:
    objects = journal.objects.kept()
    oldest = now - timedelta(days=keep_days)
    kept: set[str] = set()
    named: set[str] = set()
    kept_bytes = 0
    under_way: list[Record] = []
    dropped: list[str] = []
    for record in journal.records():
        keys = named_objects(record)
        named |= keys
        fresh = {key for key in keys - kept if key in objects}
        size_bytes = sum(objects[key].size_bytes for key in fresh)
        fits = kept_bytes + size_bytes <= keep_mb * BYTES_PER_MB
        if record.state == "open" or not record.settled:
            under_way.append(record)
        elif not (fits and record.when >= oldest and not dropped):
            dropped.append(record.id)
            continue
        kept |= fresh
        kept_bytes += size_bytes
    unused = [
        key
        for key, item in objects.items()
        if key not in kept and (key in named or item.written_s < oldest.timestamp())
    ]
    pruned = Pruned(len(dropped), sum(objects[key].size_bytes for key in unused))
    return _Chosen(under_way, dropped, unused, pruned)
