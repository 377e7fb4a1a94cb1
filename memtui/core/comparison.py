"""The door to duplicates: groups of memories that say the same or nearly so, and what differs between them.

It reads instruction files, and never changes anything. It keeps nothing: every comparison is a new one, and may
be done in any thread.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memtui.core import fs
from memtui.core.checks.closer.base import Cancelled, subjects
from memtui.core.checks.closer.duplicates import text_of, texts_of
from memtui.core.duplicates import Code, Span, Text, differing, find_pairs, group
from memtui.core.env import Env
from memtui.core.layouts.base import Snapshot, Store
from memtui.core.locate.instructions import instructions
from memtui.core.workspace import Workspace
from memtui.late.dataclasses import dataclass

__all__ = ["Alike", "Code", "Member", "Span", "differing", "find_alike", "stores_here"]


@dataclass(frozen=True, slots=True)
class Member:
    """One of a group: a memory, or a passage of an instruction file (`memory` and `store` are '').

    `file` is where it stands, `line` (from 1) its first line there. `text` is what was compared. Strings may
    hold any text from disk.
    """

    store: str
    memory: str
    title: str
    file: Path
    line: int
    text: str

    @property
    def is_memory(self) -> bool:
        """Whether it is one of the memories."""
        return bool(self.memory)


@dataclass(frozen=True, slots=True)
class Alike:
    """Memories that say the same, or nearly; `score` (0-100) is how alike those are that are least so.

    The longest memory comes first, passages of instruction files last.
    """

    code: Code
    score: int
    members: tuple[Member, ...]


def stores_here(workspace: Workspace, *, all_stores: bool = False) -> tuple[Store, ...]:
    """The stores to compare: those that are used here, or all that exist; each directory once."""
    stores = workspace.used_stores()
    if all_stores:
        stores += tuple(store for store in workspace.locate().stores if store.exists and not store.used)
    return tuple({fs.real_path(store.root): store for store in reversed(stores)}.values())[::-1]


def find_alike(
    env: Env, snapshots: Iterable[Snapshot], cancelled: Cancelled = lambda: False
) -> tuple[Alike, ...]:
    """The groups among these stores and the instruction files that are read here, the most alike first.

    Nothing after `cancelled()`. Never raises.
    """
    members: list[Member] = []
    texts: list[Text] = []
    # one directory may be several stores, and its memories are no duplicates of themselves
    seen: dict[Path, str] = {}
    for snapshot in snapshots:
        store = snapshot.store
        if seen.setdefault(fs.real_path(store.root), store.id) != store.id:
            continue
        for _data, subject in subjects(snapshot):
            if subject.is_index:
                continue
            line, text = text_of(subject)
            texts.append(text)
            path = subject.root / subject.file
            members.append(Member(subject.store, subject.memory, subject.title, path, line, text.body.text))
    for path, source in instructions(env):
        for line, text in texts_of(source):
            texts.append(text)
            members.append(Member("", "", path.name, path, line, text.body.text))
    found = []
    for item in group(find_pairs(texts, cancelled)):
        inside = sorted((members[place] for place in item.members), key=_first_to_keep)
        found.append(Alike(item.code, item.score, tuple(inside)))
    return tuple(found)


def _first_to_keep(member: Member) -> tuple[bool, int]:
    return not member.is_memory, -len(member.text)
