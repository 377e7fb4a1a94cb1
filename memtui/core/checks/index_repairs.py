"""The repairs of an index: dead and doubled lines go, files without a line get one, a missing index is built.

What is done to an index is tried on the whole of it: whether its layout can do it at all, and whether what is
added leaves no more of it outside of what the agent loads.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property

from memtui.core.layouts.base import Edit, Layout, Memory, Problem, Refusal, Relist, Snapshot
from memtui.core.text import document as documents
from memtui.core.text.index_lines import IndexLine
from memtui.late import dataclasses, re

Repair = tuple[Edit, bool]
"""An edit, and whether it is safe."""

MOST_TRIED = 200
"""Files whose names are tried one by one, where not all of them can be named in an index."""

_PLAIN_PATH = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_./-]*")
_INDENT = re.compile(r"[ \t]*")


class IndexRepairs:
    """The repairs of one snapshot's index; what several problems need is worked out once."""

    def __init__(self, snapshot: Snapshot, layout: Layout, problems: Sequence[Problem]) -> None:
        self._snapshot = snapshot
        self._layout = layout
        self._problems = problems
        self._by_id = {memory.id: memory for memory in snapshot.memories}
        self._rows = snapshot.index.document.lines if snapshot.index is not None else ()

    def repair(self, problem: Problem) -> Repair | None:
        """The repair of a problem of the index; None for one of anything else."""
        if problem.code in ("dead-link", "duplicate-line"):
            return self._of_line(problem) if self._is_open else None
        if problem.code == "orphan":
            memory = self._by_id.get(problem.memory or "")
            is_listed = memory is not None and memory.file in self._listed
            return (Relist(adds=(memory.file,)), self._has_room) if memory is not None and is_listed else None
        if problem.code == "no-index":
            return (Relist(adds=self._new), self._has_room) if self._new else None
        return None

    # What is done to the index as a whole

    @cached_property
    def _taken(self) -> Relist:
        """All that safe repairs do to lines that are there."""
        found = [repair for problem in self._problems if (repair := self._of_line(problem)) is not None]
        edits = [edit for edit, is_safe in found if is_safe]
        edits += [
            problem.repair for problem in self._problems if problem.repair is not None and problem.is_safe
        ]
        return united(edit for edit in edits if isinstance(edit, Relist))

    @cached_property
    def _new(self) -> tuple[str, ...]:
        """The files without a line that the index can name, in the order of the memories."""
        codes = {problem.code for problem in self._problems}
        without = {problem.memory for problem in self._problems if problem.code == "orphan"}
        hidden = {problem.memory for problem in self._problems if problem.code == "shadowed"}
        paths = [
            memory.file
            for memory in self._snapshot.memories
            if memory.state == "ok"
            and memory.id not in hidden
            and (memory.id in without or (memory.file and "no-index" in codes))
        ]
        paths = list(dict.fromkeys(paths))
        if not paths or self._delta(Relist(adds=tuple(paths))) is not None:
            return tuple(paths)
        tried = (
            [path for path in paths if _PLAIN_PATH.fullmatch(path) is None]
            if len(paths) > MOST_TRIED
            else paths
        )
        bad = {path for path in tried if self._delta(Relist(adds=(path,))) is None}
        named = tuple(path for path in paths if path not in bad)
        return named if named and self._delta(Relist(adds=named)) is not None else ()

    @cached_property
    def _listed(self) -> frozenset[str]:
        return frozenset(self._new)

    @cached_property
    def _has_room(self) -> bool:
        """Whether the index with all that is safe, the new lines included, is within its limits, or no more
        beyond them than now."""
        delta = self._delta(dataclasses.replace(self._taken, adds=self._new))
        if delta is None:
            return False
        before, after = (documents.decode(data) for data in delta)
        more = {
            "lines": after.count("\n") - before.count("\n"),
            "bytes": len(delta[1]) - len(delta[0]),
            "utf16": _units(after) - _units(before),
        }
        return all(
            more[budget.unit] <= 0 or budget.used + more[budget.unit] <= budget.limit
            for budget in self._snapshot.budgets
            if budget.scope in ("inject", "write") and not budget.group and budget.unit in more
        )

    @cached_property
    def _is_open(self) -> bool:
        """Whether lines of the index can be taken out at all."""
        found = (self._of_line(problem) for problem in self._problems)
        some = next((repair[0] for repair in found if repair is not None), None)
        return isinstance(some, Relist) and self._delta(some) is not None

    def _delta(self, wish: Relist) -> tuple[bytes, bytes] | None:
        """The index before and after; None where its layout cannot do that."""
        draft = self._layout.edit(self._snapshot, wish)
        if isinstance(draft, Refusal):
            return None
        return draft.changes[0].before.data or b"", draft.changes[0].after or b""

    # One line

    def _of_line(self, problem: Problem) -> Repair | None:
        memory, number = self._by_id.get(problem.memory or ""), problem.line
        if memory is None or number is None:
            return None
        if problem.code == "duplicate-line":
            return self._of_doubles(memory)
        if problem.code != "dead-link" or memory.file in self._snapshot.files:
            return None
        is_safe = self._is_absent(memory.file) and self._stands_alone(number)
        return Relist(drops=((memory.file, number),)), is_safe

    def _is_absent(self, path: str) -> bool:
        """Whether a file that was not read is nowhere: every folder above it was looked into, and no file has
        its name elsewhere or in another spelling."""
        parts = path.split("/")[:-1]
        folders = ["/".join(parts[: count + 1]) for count in range(len(parts))]
        profile, files = self._snapshot.store.profile, self._snapshot.files
        is_read = all(self._layout.enters(folder, profile) and folder not in files for folder in folders)
        is_known = self._layout.wants(path, profile) and "." not in files
        return is_read and is_known and _spelled(path.rpartition("/")[2]) not in self._names

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(_spelled(path.rpartition("/")[2]) for path in self._snapshot.files)

    def _stands_alone(self, number: int) -> bool:
        """Whether a line of the index is an entry, and no line below goes on with it."""
        line = self._by_number.get(number)
        if line is not None and not line.is_entry:
            return False
        below = self._rows[number].text if number < len(self._rows) else ""
        return not below.strip() or _indent(below) <= _indent(self._rows[number - 1].text)

    @cached_property
    def _by_number(self) -> dict[int, IndexLine]:
        index = self._snapshot.index
        return {line.number: line for line in index.lines} if index is not None else {}

    def _of_doubles(self, memory: Memory) -> Repair | None:
        """One line is left of those that name a file: the one that says what the file says, else the first."""
        lines = [self._by_number[number] for number in memory.index_lines if number in self._by_number]
        entries = [line for line in lines if line.is_entry and len(line.links) == 1]
        if len(entries) < 2:
            return None
        right = [line for line in entries if line.links[0].hook and line.links[0].hook == memory.description]
        kept = right[0] if right else entries[0]
        gone = [line.number for line in entries if line is not kept]
        said = {_words(self._rows[line.number - 1].text, line.bullet) for line in entries}
        is_safe = len(said) == 1 and all(self._stands_alone(number) for number in gone)
        return Relist(drops=tuple((memory.file, number) for number in gone)), is_safe


def united(edits: Iterable[Relist]) -> Relist:
    """Several wishes for one index as one; each line and each file once."""
    edits = list(edits)
    return Relist(
        drops=tuple(dict.fromkeys(drop for edit in edits for drop in edit.drops)),
        adds=tuple(dict.fromkeys(path for edit in edits for path in edit.adds)),
        derives=tuple(dict.fromkeys(path for edit in edits for path in edit.derives)),
        shows=tuple(dict.fromkeys(number for edit in edits for number in edit.shows)),
    )


def _spelled(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _indent(text: str) -> int:
    match = _INDENT.match(text)
    return match.end() if match is not None else 0


def _words(text: str, bullet: str) -> str:
    return " ".join(text.strip().removeprefix(bullet).split())
