"""Whether a change of ours is still in effect: an agent may write an old copy back over it.

Compared line by line, so that other changes to the same file do not matter; blank lines say nothing. A later
change of memtui's own explains what it did itself, and a line that another program wrote anew in the place of
ours is an edit like any other: only a line that is back, or an added one that vanished, is a reverted change.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from memtui.core.history.objects import ObjectStore
from memtui.core.history.records import Record
from memtui.core.layouts.base import digest
from memtui.core.operations.plan import Trash, Write
from memtui.late.dataclasses import dataclass

LOOKS_BACK = 50
"""How many of the newest changes of a store are checked for having been wiped out."""

Lines = Counter[bytes]


@dataclass(frozen=True, slots=True)
class _Deed:
    """What one step of one change did to one file (None = no file), and the lines it added and removed."""

    change_id: str
    path: Path
    before: bytes | None
    after: bytes | None
    added: Lines
    removed: Lines


@dataclass
class _Later:
    """What memtui's own later changes did to a file, and so explains how it is now."""

    gone: Lines
    back: Lines
    removed_file: bool = False


def reverted_in(
    root: Path, records: Iterable[Record], objects: ObjectStore, read: Callable[[Path], bytes | None]
) -> dict[str, str]:
    """Those changes in a store that another program wiped out there, by id with their summaries.

    Looks at the newest LOOKS_BACK of them; an undo or redo counts for the change it is about. `read` gives a
    file's bytes (None = no file); files that it cannot read (OSError) are not judged.
    """
    here = (record for record in records if root in record.roots and record.state == "done")
    newest = list(islice(here, LOOKS_BACK))
    live: dict[Path, bytes | None] = {}
    steps = (step for record in newest for step in record.steps if isinstance(step, Write | Trash))
    paths = {step.path for step in steps if step.path.is_relative_to(root)}
    for path in paths:
        with contextlib.suppress(OSError):
            live[path] = read(path)
    ids = undone_by_others(newest, objects, live)
    return {record.target or record.id: record.summary for record in newest if record.id in ids}


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
        explained.gone += deed.removed
        explained.back += deed.added
        explained.removed_file |= deed.after is None
    return reverted


def is_in_effect(before: bytes | None, after: bytes | None, now: bytes | None) -> bool:
    """Whether the change from `before` to `after` shows in `now` (None = no file)."""
    if now == after:
        return True
    if after is None or now is None:
        return False
    added, removed = _difference(before, after)
    there, meant = _lines(now), _lines(after)
    return not _missing(added, there) and not _surplus(removed, there, meant)


def _is_reverted(deed: _Deed, now: bytes | None, later: _Later, old_lines: Lines) -> bool:
    if now is None:
        return deed.before is None and not later.removed_file
    there, meant = _lines(now), _lines(deed.after)
    back = _surplus(deed.removed, there, meant) - later.back
    if deed.after is None:
        # a new file of the same name shares a line or two with the old one; an old copy shares most
        return back.total() * 2 > deed.removed.total() or now == deed.before
    gone = _missing(deed.added, there) - later.gone
    return bool(back or (gone and (not deed.removed or _surplus(old_lines, there, meant) - later.back)))


def _deeds_in_doubt(
    records: Iterable[Record], objects: ObjectStore, live: Mapping[Path, bytes | None]
) -> Iterator[_Deed]:
    """Deeds, newest first, down to the one that left a file as it is: before it nothing can be reverted, unless
    another program wrote between memtui's own changes.
    """
    records = list(records)
    keys_now = {path: None if data is None else digest(data) for path, data in live.items()}
    unbroken = _unbroken(records, keys_now)
    intact: set[Path] = set()
    for record in records:
        for step in _judged_steps(record):
            if step.path not in live or step.path in intact:
                continue
            keys = _keys(step)
            if keys[1] == keys_now[step.path] and step.path in unbroken:
                intact.add(step.path)
                continue
            before, after = (None if key is None else objects.get(key) for key in keys)
            if all(key is None or data is not None for key, data in zip(keys, (before, after), strict=True)):
                yield _Deed(record.id, step.path, before, after, *_difference(before, after))


def _unbroken(records: Iterable[Record], keys_now: Mapping[Path, str | None]) -> set[Path]:
    """The files that nobody else wrote between the oldest of these changes and the one that left a file as it
    is: each change began with what the one before it had left."""
    began_with: dict[Path, str | None] = {}
    broken: set[Path] = set()
    for record in records:
        for step in _judged_steps(record):
            before, after = _keys(step)
            if step.path in began_with:
                if after != began_with[step.path]:
                    broken.add(step.path)
            elif step.path not in keys_now or after != keys_now[step.path]:
                continue
            began_with[step.path] = before
    return set(began_with) - broken


def _judged_steps(record: Record) -> Iterator[Write | Trash]:
    for step in reversed(record.steps):
        if isinstance(step, Write | Trash) and not (isinstance(step, Trash) and step.is_symlink):
            yield step


def _keys(step: Write | Trash) -> tuple[str | None, str | None]:
    """The digests of a file before and after a step (None = no file)."""
    return step.before, step.after if isinstance(step, Write) else None


def _removed_until(deeds: list[_Deed]) -> list[Lines]:
    """For each deed (newest first) the lines that it or an older one took out of its file."""
    removed: dict[Path, Lines] = {}
    result = []
    for deed in reversed(deeds):
        removed[deed.path] = removed.get(deed.path, Counter()) | deed.removed
        result.append(removed[deed.path])
    return result[::-1]


def _difference(before: bytes | None, after: bytes | None) -> tuple[Lines, Lines]:
    """The lines that were added and removed."""
    old, new = _lines(before), _lines(after)
    # most of a file is the same before and after: only what is between needs counting
    head = next((number for number, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), None)
    if head is None:
        head = min(len(old), len(new))
    room = min(len(old), len(new)) - head
    pairs = zip(reversed(old), reversed(new), strict=False)
    tail = next((number for number, pair in enumerate(pairs) if number == room or pair[0] != pair[1]), room)
    inner_old = Counter(line for line in old[head : len(old) - tail] if line.strip())
    inner_new = Counter(line for line in new[head : len(new) - tail] if line.strip())
    return inner_new - inner_old, inner_old - inner_new


def _missing(wanted: Lines, there: list[bytes]) -> Lines:
    return wanted - Counter({line: there.count(line) for line in wanted})


def _surplus(unwanted: Lines, there: list[bytes], meant: list[bytes]) -> Lines:
    """Those unwanted lines of which there are more than were meant to be."""
    return unwanted & Counter({line: there.count(line) - meant.count(line) for line in unwanted})


def _lines(data: bytes | None) -> list[bytes]:
    return (data or b"").replace(b"\r\n", b"\n").split(b"\n")
