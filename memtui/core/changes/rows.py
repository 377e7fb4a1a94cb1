"""A difference between two looks as rows: one a memory, and one a file for what belongs to no memory. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from memtui.core.changes.difference import Changes, How, between
from memtui.core.layouts.base import Memory, Snapshot
from memtui.late.dataclasses import dataclass

HOWS: tuple[How, ...] = ("removed", "changed", "new")
"""In the order of the rows: what was lost first."""


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One thing that is different: a memory as it `was` and as it is `now` (None = not there), or a file
    (both None). `id` is that of the memory as it was, else as it is, or the file's path."""

    id: str
    how: How
    title: str
    file: str
    was: Memory | None = None
    now: Memory | None = None

    @property
    def is_file(self) -> bool:
        """Whether it is about a file and not about one memory."""
        return self.was is None and self.now is None


def changed_rows(before: Snapshot, after: Snapshot) -> tuple[ChangedRow, ...]:
    """What is different in `after`, removed memories first, then changed and new ones, then files."""
    changes = between(before, after)
    rows = sorted(_memory_rows(before, after, changes), key=lambda row: HOWS.index(row.how))
    return (*rows, *_file_rows(before, after, changes, rows))


def _memory_rows(before: Snapshot, after: Snapshot, changes: Changes) -> Iterator[ChangedRow]:
    was = {memory.id: memory for memory in before.memories}
    now = {memory.id: memory for memory in after.memories}
    removed = [memory for key, memory in was.items() if key in changes.removed]
    new = [memory for key, memory in now.items() if key in changes.new]
    same = _same(before, after, removed, new)
    removed = [memory for memory in removed if memory.id not in same]
    new = [memory for memory in new if memory not in same.values()]
    partners = _partners(removed, new)
    if not after.store.profile.index_name:
        # where no index names them, they have no title but their first line, which may be another one
        partners |= _replaced(before, after, [m for m in removed if m.id not in partners], new)
    yield from (_row(memory, partners.get(memory.id)) for memory in removed)
    taken = {memory.id for memory in partners.values()}
    yield from (_row(None, memory) for memory in new if memory.id not in taken)
    # of several in one file each has its text as its id: what else is different is its file's
    yield from (
        _row(memory, now[key]) for key, memory in was.items() if key in changes.changed and memory.span is None
    )


def _row(was: Memory | None, now: Memory | None) -> ChangedRow:
    known = was or now
    assert known is not None
    how: How = "changed"
    if now is None or (was is not None and _has_text(was) and not _has_text(now)):
        how = "removed"
    elif was is None or (_has_text(now) and not _has_text(was)):
        how = "new"
    return ChangedRow(known.id, how, known.title, known.file, was, now)


def _has_text(memory: Memory) -> bool:
    return memory.state not in ("missing", "outside")


def _same(
    before: Snapshot, after: Snapshot, removed: Iterable[Memory], new: Iterable[Memory]
) -> dict[str, Memory]:
    """Those whose text is there as before: the blank lines between two in one file belong to the first of them,
    so that its text has another id once something else stands behind it."""
    there: dict[tuple[str, bytes], Memory] = {
        (memory.file, _bytes(after, memory).strip()): memory for memory in new if memory.span is not None
    }
    found = {}
    for memory in removed:
        key = memory.file, _bytes(before, memory).strip()
        if memory.span is not None and key in there:
            found[memory.id] = there.pop(key)
    return found


def _partners(removed: Iterable[Memory], new: Iterable[Memory]) -> dict[str, Memory]:
    """The new text of those that were rewritten: the only one of the same title in the same file."""
    places: dict[tuple[str, str], tuple[list[Memory], list[Memory]]] = defaultdict(lambda: ([], []))
    for number, memories in enumerate((removed, new)):
        for memory in memories:
            if memory.span is not None and memory.title:
                places[memory.file, memory.title][number].append(memory)
    return {old[0].id: fresh[0] for old, fresh in places.values() if len(old) == len(fresh) == 1}


def _replaced(
    before: Snapshot, after: Snapshot, removed: Iterable[Memory], new: Iterable[Memory]
) -> dict[str, Memory]:
    """The new text of those without a title of their own: what stands in their place and says much the same."""
    gone, fresh = ({m.id: m for m in memories if m.span is not None} for memories in (removed, new))
    found: dict[str, Memory] = {}
    for file in {memory.file for memory in gone.values()}:
        old = [memory.id for memory in before.memories if memory.file == file]
        now = [memory.id for memory in after.memories if memory.file == file]
        for tag, old_at, old_end, now_at, now_end in SequenceMatcher(
            None, old, now, autojunk=False
        ).get_opcodes():
            if tag != "replace" or old_end - old_at != now_end - now_at:
                continue
            for was_id, now_id in zip(old[old_at:old_end], now[now_at:now_end], strict=True):
                if was_id in gone and now_id in fresh:
                    words, there = _words(before, gone[was_id]), _words(after, fresh[now_id])
                    if (words & there).total() * 2 > max(words.total(), there.total()):
                        found[was_id] = fresh[now_id]
    return found


def _words(snapshot: Snapshot, memory: Memory) -> Counter[bytes]:
    return Counter(_bytes(snapshot, memory).split())


def _bytes(snapshot: Snapshot, memory: Memory) -> bytes:
    file = snapshot.files.get(memory.file)
    data = (file.data if file is not None else None) or b""
    return data[slice(*(memory.span or (0, 0)))]


def _file_rows(
    before: Snapshot, after: Snapshot, changes: Changes, rows: Sequence[ChangedRow]
) -> Iterator[ChangedRow]:
    covered = {row.file for row in rows}
    index = after.store.profile.index_name
    for file in changes.files:
        is_index = file.path == index and file.how == "changed"
        if _is_index_other(before, after, rows) if is_index else file.path not in covered:
            yield ChangedRow(file.path, file.how, file.path, file.path)


def _is_index_other(before: Snapshot, after: Snapshot, rows: Sequence[ChangedRow]) -> bool:
    """Whether lines of the index are different that name none of the memories of the rows."""
    files = {row.file for row in rows}
    old, new = unnamed_lines(before, files), unnamed_lines(after, files)
    return old != new


def unnamed_lines(snapshot: Snapshot, files: set[str]) -> Counter[bytes]:
    """The lines of the index, blank ones left out, that name none of these files."""
    named = {number for memory in snapshot.memories if memory.file in files for number in memory.index_lines}
    file = snapshot.files.get(snapshot.store.profile.index_name)
    lines = ((file.data if file is not None else None) or b"").split(b"\n")
    return Counter(line.strip() for number, line in enumerate(lines, 1) if number not in named and line.strip())
