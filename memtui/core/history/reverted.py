"""Whether a change of ours is still in effect: an agent may write an old copy back over it.

Compared line by line, so that other changes to the same file do not matter; blank lines say nothing. A later
change of memtui's own explains what it did itself, and a line that another program wrote anew in the place of
ours is an edit like any other: only a line that is back, or an added one that vanished, is a reverted change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from memtui.core.history.objects import ObjectStore
from memtui.core.history.records import Record
from memtui.core.layouts.base import digest
from memtui.core.operations.plan import Trash, Write
from memtui.core.text.merge import split_lines

Lines = Counter[bytes]


@dataclass(frozen=True, slots=True)
class _Deed:
    """What one step of one change did to one file; None = no file."""

    change_id: str
    path: Path
    before: bytes | None
    after: bytes | None


@dataclass
class _Later:
    """What memtui's own later changes did to a file, and so explains how it is now."""

    gone: Lines
    back: Lines
    removed_file: bool = False


def undone_by_others(
    records: Iterable[Record], objects: ObjectStore, live: Mapping[Path, bytes | None]
) -> set[str]:
    """The ids of those records (newest first) whose lines are no longer, or again, in the live files.

    `live` maps paths to their present bytes (None = no such file). Steps on other paths, and those whose bytes
    the history no longer holds, are not judged.
    """
    deeds = list(_deeds_in_doubt(records, objects, live))
    reverted: set[str] = set()
    later: dict[Path, _Later] = {}
    for deed, old_lines in zip(deeds, _removed_until(deeds), strict=True):
        explained = later.setdefault(deed.path, _Later(Counter(), Counter()))
        if _is_reverted(deed, live[deed.path], explained, old_lines):
            reverted.add(deed.change_id)
        added, removed = _difference(deed.before, deed.after)
        explained.gone += removed
        explained.back += added
        explained.removed_file |= deed.after is None
    return reverted


def is_in_effect(before: bytes | None, after: bytes | None, now: bytes | None) -> bool:
    """Whether the change from `before` to `after` shows in `now` (None = no file)."""
    if now == after:
        return True
    if after is None or now is None:
        return now is None and after is None
    added, removed = _difference(before, after)
    return not added - _lines(now) and not removed & (_lines(now) - _lines(after))


def _is_reverted(deed: _Deed, now: bytes | None, later: _Later, old_lines: Lines) -> bool:
    if now is None:
        return deed.before is None and not later.removed_file
    added, removed = _difference(deed.before, deed.after)
    surplus = _lines(now) - _lines(deed.after) - later.back
    back = removed & surplus
    if deed.after is None:
        # a new file of the same name shares a line or two with the old one; an old copy shares most
        return back.total() * 2 > removed.total() or now == deed.before
    gone = added - _lines(now) - later.gone
    return bool(back or (gone and (not removed or old_lines & surplus)))


def _deeds_in_doubt(
    records: Iterable[Record], objects: ObjectStore, live: Mapping[Path, bytes | None]
) -> Iterator[_Deed]:
    """Deeds, newest first, down to the one that left a file as it is: before it nothing can be reverted."""
    keys_now = {path: None if data is None else digest(data) for path, data in live.items()}
    intact: set[Path] = set()
    for record in records:
        for step in reversed(record.steps):
            if not isinstance(step, Write | Trash) or (isinstance(step, Trash) and step.is_symlink):
                continue
            if step.path not in live or step.path in intact:
                continue
            keys = (step.before, step.after if isinstance(step, Write) else None)
            if keys[1] == keys_now[step.path]:
                intact.add(step.path)
                continue
            before, after = (None if key is None else objects.get(key) for key in keys)
            if all(key is None or data is not None for key, data in zip(keys, (before, after), strict=True)):
                yield _Deed(record.id, step.path, before, after)


def _removed_until(deeds: list[_Deed]) -> list[Lines]:
    """For each deed (newest first) the lines that it or an older one took out of its file."""
    removed: dict[Path, Lines] = {}
    result = []
    for deed in reversed(deeds):
        removed[deed.path] = removed.get(deed.path, Counter()) | _difference(deed.before, deed.after)[1]
        result.append(removed[deed.path])
    return result[::-1]


def _difference(before: bytes | None, after: bytes | None) -> tuple[Lines, Lines]:
    old, new = _lines(before), _lines(after)
    return new - old, old - new


def _lines(data: bytes | None) -> Lines:
    lines = (line.rstrip(b"\r\n") for line in split_lines(data or b""))
    return Counter(line for line in lines if line.strip())
