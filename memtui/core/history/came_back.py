"""Memories that were deleted from here and are there again: re-learned by an agent, or an old copy was written.

Compared by content, and for a memory with a file of its own also by its name. What memtui itself brought back
(an undo, a new memory of the same text) has not come back by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Literal

from memtui.core.history.objects import ObjectStore
from memtui.core.history.records import Record
from memtui.core.history.reverted import LOOKS_BACK
from memtui.core.history.undo import changes_of
from memtui.core.layouts.base import Memory, Snapshot
from memtui.core.operations.plan import Trash, Write
from memtui.core.text import document as documents
from memtui.core.text import frontmatter as frontmatters
from memtui.late.dataclasses import dataclass

DELETING = frozenset({"delete", "move", "merge", "triage"})
"""Verbs that take memories away; of all others what is back is a reverted change."""

TELLING = 16
"""Characters; a shorter text may be there twice by chance."""


@dataclass(frozen=True, slots=True)
class CameBack:
    """A memory that is there again: the change that deleted it, and `since` the time of its file, where known.

    `how`: the same text, or another one under the same name.
    """

    memory: Memory
    change_id: str
    deleted: datetime
    since: datetime | None
    how: Literal["same", "named"]


@dataclass(frozen=True)
class _Gone:
    change_id: str
    number: int
    when: datetime
    path: Path
    before: bytes
    after: bytes | None

    @cached_property
    def body(self) -> str:
        """The text of a file that went, as it is compared."""
        return _body(self.before)

    @cached_property
    def sides(self) -> tuple[str, str]:
        """A file of several memories before and after, as it is compared."""
        return _normal(self.before), _normal(self.after or b"")


def came_back(snapshot: Snapshot, records: Iterable[Record], objects: ObjectStore) -> tuple[CameBack, ...]:
    """The memories of a store that one of its newest LOOKS_BACK changes deleted, if it is still in effect.

    `records` are newest first. What the history no longer holds is not judged.
    """
    root = snapshot.store.root
    here = [record for record in records if root in record.roots][:LOOKS_BACK]
    gone = [item for item in _deletions(here, objects) if item.path.is_relative_to(root)]
    if not gone:
        return ()
    texts = _Texts(snapshot)
    found: dict[str, CameBack] = {}
    for item in gone:
        for memory in snapshot.memories:
            if memory.id in found or memory.state != "ok":
                continue
            how = _how(item, root / memory.file, memory, texts)
            if how is not None and not _is_ours(item, root / memory.file, texts.of(memory), here, objects):
                found[memory.id] = CameBack(memory, item.change_id, item.when, memory.updated, how)
    return tuple(found.values())


class _Texts:
    """The texts of a store's memories as they are compared, each made once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[str, str] = {}

    def of(self, memory: Memory) -> str:
        text = self._known.get(memory.id)
        if text is None:
            file = self._snapshot.files.get(memory.file)
            data = b"" if file is None or file.data is None else file.data
            if memory.span is not None:
                text = _normal(data[slice(*memory.span)])
            else:
                text = _body(data, self._snapshot.frontmatters.get(memory.file))
            self._known[memory.id] = text
        return text


def _deletions(records: Iterable[Record], objects: ObjectStore) -> Iterable[_Gone]:
    for change in changes_of(records):
        record = change.latest
        if change.state != "done" or change.record.verb not in DELETING:
            continue
        for step in record.steps:
            before = None
            if isinstance(step, Trash) and not step.is_symlink and step.successor is None:
                before, after = objects.get(step.before), None
            elif isinstance(step, Write) and step.before is not None:
                before, after = objects.get(step.before), objects.get(step.after)
                if after is None:
                    continue
            if before is not None:
                yield _Gone(change.record.id, int(record.id), record.when, step.path, before, after)


def _how(gone: _Gone, path: Path, memory: Memory, texts: _Texts) -> Literal["same", "named"] | None:
    if gone.after is not None:
        # one of several memories in its file
        if path != gone.path or memory.span is None:
            return None
        text, (before, after) = texts.of(memory), gone.sides
        return "same" if len(text) >= TELLING and text in before and text not in after else None
    if memory.span is not None:
        return None
    if path == gone.path:
        return "same" if _overlap(gone.body, texts.of(memory)) else "named"
    # a text that was there before as well has not come back
    is_newer = memory.updated is None or memory.updated >= gone.when
    return "same" if is_newer and len(gone.body) >= TELLING and gone.body == texts.of(memory) else None


def _is_ours(gone: _Gone, path: Path, text: str, records: Iterable[Record], objects: ObjectStore) -> bool:
    """Whether a later change of memtui's own wrote the text there."""
    for record in records:
        if int(record.id) <= gone.number or record.state != "done":
            continue
        for step in record.steps:
            if isinstance(step, Write) and step.path == path:
                after = objects.get(step.after)
                if after is not None and text in _normal(after):
                    return True
    return False


def _overlap(was: str, now: str) -> bool:
    """Whether most words of a text are there again."""
    words = Counter(was.split())
    return was == now or (words & Counter(now.split())).total() * 2 > words.total()


def _body(data: bytes, known: frontmatters.Frontmatter | None = None) -> str:
    block = known or frontmatters.parse(documents.parse(data))
    return _normal(data[block.body_start :] if block.state in ("ok", "late") else data)


def _normal(data: bytes) -> str:
    return " ".join(documents.decode(data).split())
