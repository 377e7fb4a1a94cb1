"""What families of the closer look are made of: subjects, surroundings, families. Pure."""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal

from memtui.core.layouts.base import Edit, Problem, Severity, Snapshot
from memtui.core.text.frontmatter import Frontmatter
from memtui.late.dataclasses import dataclass

Kind = Literal["file", "dir", "other", "missing", "unknown"]
"""What stands at a path, symlinks followed; `unknown` = it may not be asked."""

Cancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Subject:
    """One memory as a family looks at it, or a store's index (`memory` is '').

    `text` is the exact source (what is not UTF-8 is replaced), and it begins at line `line` of `file`, which is
    relative to the store's root; the body begins at character `body_at`. `updated` is when it was last changed
    as far as its format or its file says; `of_project`: it is about the working directory; what is not
    `changeable` memtui only reads. Two equal subjects have the same problems, wherever else their store
    changes.
    """

    store: str
    memory: str
    owner: str
    layout: str
    root: Path
    file: str
    title: str
    text: str
    line: int = 1
    body_at: int = 0
    updated: datetime | None = None
    of_project: bool = True
    changeable: bool = True

    @property
    def body(self) -> str:
        """The text below the frontmatter."""
        return self.text[self.body_at :]

    @property
    def is_index(self) -> bool:
        """Whether it is the index of its store."""
        return not self.memory

    def line_of(self, at: int) -> int:
        """The line of the file that character `at` of the text stands in."""
        return self.line + self.text.count("\n", 0, at)

    def problem(
        self, code: str, severity: Severity, message: str, at: int | None = None, repair: Edit | None = None
    ) -> Problem:
        """A problem of this memory, at a character of its text where that is known."""
        line = None if at is None else self.line_of(at)
        return Problem(code, severity, message, self.memory or None, self.file, line, repair)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What may be asked of the place that memories speak of. Looks only; nothing is ever executed.

    `home` and `project` (the working directory) are absolute. The functions answer from the disk and may be
    slow the first time; their answers are compared later to see whether anything changed, so they are small
    and hashable. None as an answer always means: not known.
    """

    home: Path
    project: Path
    today: Callable[[], date]
    kind_of: Callable[[Path], Kind]
    """What stands at an absolute path."""
    real_path: Callable[[Path], Path]
    """An absolute path with every link followed."""
    has_command: Callable[[str], bool]
    """Whether a program of this name is on PATH."""
    has_ref: Callable[[str], bool | None]
    """Whether the project's repository has a branch (local or remote) or tag of this name."""
    has_task: Callable[[str, str], bool | None]
    """Whether the project defines this task for a tool (`make`, `npm`, `just`)."""
    project_paths: Callable[[str], tuple[str, ...] | None]
    """The paths in the project, relative to its root, that end with these whole names (`auth/login.py`), a few
    at most."""
    instructions: Callable[[], tuple[tuple[Path, str], ...]]
    """The instruction files that agents read here (AGENTS.md, CLAUDE.md), each with its text."""


Each = Callable[[Subject, Surroundings], Iterable[Problem]]
"""Looks at one memory."""

Across = Callable[[Sequence[Subject], Surroundings, Cancelled], Iterable[tuple[Subject, Problem]]]
"""Looks at all memories of all stores at once; a long look ends early once it is cancelled."""


@dataclass(frozen=True, slots=True)
class Family:
    """Checks that belong together, with the codes that they may give; one of the two functions or both."""

    name: str
    codes: tuple[str, ...]
    each: Each | None = None
    across: Across | None = None


def sources(snapshot: Snapshot) -> Iterator[tuple[str, bytes, int]]:
    """The exact bytes of every memory that has any, by its id, and of the index (''); and where in their file
    they begin."""
    index = snapshot.files.get(snapshot.store.profile.index_name)
    if index is not None and index.data is not None:
        yield "", index.data, 0
    for memory in snapshot.memories:
        file = snapshot.files.get(memory.file) if memory.state == "ok" else None
        if file is None or file.data is None:
            continue
        start, end = memory.span or (0, len(file.data))
        yield memory.id, file.data if memory.span is None else file.data[start:end], start


def subjects(snapshot: Snapshot) -> Iterator[tuple[bytes, Subject]]:
    """The memories of a store and its index as families look at them, each with its exact bytes."""
    store = snapshot.store
    memories = {memory.id: memory for memory in snapshot.memories}
    # one that several projects share may speak of another, one that was opened by its path of any
    of_project = not (store.profile.of_person or store.shared_by or store.tier == "path")
    ends: dict[str, list[int]] = {}
    for memory_id, data, start in sources(snapshot):
        memory = memories.get(memory_id)
        name = store.profile.index_name if memory is None else memory.file
        file = snapshot.files[name]
        if start and name not in ends:
            ends[name] = _line_ends(file.data or b"")
        block = snapshot.frontmatters.get(name) if memory is not None and memory.span is None else None
        yield (
            data,
            Subject(
                store=store.id,
                memory=memory_id,
                owner=store.owner,
                layout=store.layout,
                root=store.root,
                file=name,
                title="" if memory is None else memory.title,
                text=data.decode("utf-8", "replace"),
                line=1 + (bisect_right(ends[name], start - 1) if start else 0),
                body_at=0 if block is None else len(data[: block.body_start].decode("utf-8", "replace")),
                updated=None if memory is None else _stamp(block) or memory.updated or file.updated,
                of_project=of_project,
                changeable=not store.profile.read_only,
            ),
        )


_STAMPS = (("metadata", "modified"), ("modified",), ("updated",))


def _stamp(block: Frontmatter | None) -> datetime | None:
    """When a memory itself says that it was last changed: a copy or a checkout gives its file another time."""
    if block is None:
        return None
    for path in _STAMPS:
        with contextlib.suppress(ValueError):
            return datetime.fromisoformat((block.get(*path) or "")[:10]).replace(tzinfo=UTC)
    return None


def _line_ends(data: bytes) -> list[int]:
    found, at = [], data.find(b"\n")
    while at >= 0:
        found.append(at)
        at = data.find(b"\n", at + 1)
    return found


Place = tuple[str, str]
"""A store's id and a memory's ('' = the index, or the store as a whole)."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a closer look found, by place, each with the bytes that it is about."""

    found: Mapping[Place, tuple[bytes, tuple[Problem, ...]]]

    def of(self, snapshot: Snapshot) -> tuple[Problem, ...]:
        """What was found in those memories of a store that still say the same."""
        store = snapshot.store.id
        problems: list[Problem] = []
        for memory, data, _start in sources(snapshot):
            known = self.found.get((store, memory))
            if known is not None and known[0] == data:
                problems += known[1]
        return tuple(problems)
