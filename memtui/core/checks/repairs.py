"""The repair of each problem: the edit that mends it, and whether that is proven to be safe.

Safe is what loses no text that is nowhere else (but that of an index line whose file is gone), and changes for
agents nothing but what the problem's sentence says.
What a layout knows better it says itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from memtui.core.checks.index_repairs import IndexRepairs, Repair
from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Discard, Edit, How, Problem, Refusal, Relist, Reshape, SetText, Snapshot
from memtui.core.layouts.mends import OF_FRONTMATTER, draft_of
from memtui.core.layouts.table import LAYOUTS
from memtui.core.safety import display
from memtui.core.text import document as documents
from memtui.core.text import frontmatter_mends as fronts
from memtui.core.text.leftovers import leftover_kind
from memtui.late import dataclasses


def with_repairs(snapshot: Snapshot, problems: Iterable[Problem]) -> list[Problem]:
    """The problems, each with its repair where it has one and its layout gave it none."""
    found = list(problems)
    if not snapshot.store.writable:
        return found
    of_index = IndexRepairs(snapshot, LAYOUTS[snapshot.store.layout], found)

    def mended(problem: Problem) -> Problem:
        rule = _RULES.get(problem.code)
        repair = rule(snapshot, problem) if rule is not None else of_index.repair(problem)
        if repair is None:
            return problem
        return dataclasses.replace(problem, repair=repair[0], is_safe=repair[1])

    return [problem if problem.repair is not None else mended(problem) for problem in found]


def _reshaped(snapshot: Snapshot, problem: Problem, how: How, is_safe: bool) -> Repair | None:
    """The repair of a file, if that mends it."""
    if problem.file is None:
        return None
    edit = Reshape(problem.file, how)
    done = LAYOUTS[snapshot.store.layout].edit(snapshot, edit)
    return None if isinstance(done, Refusal) else (edit, is_safe)


def _frontmatter(how: How) -> Callable[[Snapshot, Problem], Repair | None]:
    """A rule that offers this way of mending a frontmatter wherever it works, as a safe one."""

    def rule(snapshot: Snapshot, problem: Problem) -> Repair | None:
        try:
            draft_of(snapshot, problem.file or "", how, OF_FRONTMATTER[how])
        except RefusedError:
            return None
        return Reshape(problem.file or "", how), True

    return rule


def _altered(snapshot: Snapshot, problem: Problem) -> Repair | None:
    file, block = snapshot.files.get(problem.file or ""), snapshot.frontmatters.get(problem.file or "")
    if file is None or file.data is None or block is None:
        return None
    found = fronts.reason_at(documents.parse(file.data), block, problem.line)
    if found is None:
        return None
    reason, path, seen = found
    if reason != "comment":
        return _frontmatter("quote")(snapshot, problem)
    if path[-1] == "type" and seen in snapshot.store.profile.types:
        # the word is right, and what follows is a comment on it
        return None
    return _reshaped(snapshot, problem, "quote-comment", False)


def _twice(snapshot: Snapshot, problem: Problem) -> Repair | None:
    block = snapshot.frontmatters.get(problem.file or "")
    return _reshaped(snapshot, problem, "one-key", block is not None and fronts.repeats_agree(block))


def _undescribed(snapshot: Snapshot, problem: Problem) -> Repair | None:
    memory = snapshot.memory(problem.memory or "")
    if memory is None or len(memory.index_lines) != 1 or snapshot.index is None:
        return None
    line = snapshot.index.line(memory.index_lines[0])
    is_entry = line is not None and line.is_entry and len(line.links) == 1
    return _reshaped(snapshot, problem, "describe", True) if is_entry else None


def _line_ends(snapshot: Snapshot, problem: Problem) -> Repair | None:
    return _reshaped(snapshot, problem, "lf", True)


def _unended(snapshot: Snapshot, problem: Problem) -> Repair | None:
    return _reshaped(snapshot, problem, "final-newline", True)


def _hidden(snapshot: Snapshot, problem: Problem) -> Repair | None:
    """Never safe: what nobody sees may have been meant all the same."""
    if problem.file == snapshot.store.profile.index_name and problem.line is not None:
        edit: Edit = Relist(shows=(problem.line,))
    else:
        memory = snapshot.memory(problem.memory or "")
        file = snapshot.files.get(problem.file or "")
        if memory is None or file is None or file.data is None:
            return None
        if memory.span is None:
            return _reshaped(snapshot, problem, "visible", False)
        text = documents.decode(file.data[slice(*memory.span)])
        # its owner may block the text for another reason: it blocks it now as well
        edit = SetText(memory.id, documents.encode(display.without_hidden(text)), insists=True)
    done = LAYOUTS[snapshot.store.layout].edit(snapshot, edit)
    return None if isinstance(done, Refusal) else (edit, False)


def _leftovers(snapshot: Snapshot, problem: Problem) -> Repair | None:
    """Never safe: a backup may hold what is nowhere else."""
    kinds = ("conflict", "backup", "temp")
    paths = [path for path in sorted(snapshot.files) if leftover_kind(path.rpartition("/")[2]) in kinds]
    return (Discard(tuple(paths)), False) if paths else None


_RULES: Mapping[str, Callable[[Snapshot, Problem], Repair | None]] = {
    "strict-yaml": _frontmatter("quote"),
    "value-altered": _altered,
    "duplicate-key": _twice,
    "unclosed-frontmatter": _frontmatter("close"),
    "late-frontmatter": _frontmatter("lift"),
    "no-frontmatter": _undescribed,
    "no-description": _undescribed,
    "crlf": _line_ends,
    "no-final-newline": _unended,
    "hidden-chars": _hidden,
    "leftover": _leftovers,
}
"""The repairs that are not of the index, by the problem's code."""
