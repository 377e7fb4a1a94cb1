"""Mending: the problems of stores to one plan that a person sees first, and to one change that undo takes back.

The door beside `workspace`, whose history it writes into; it belongs to the thread of its workspace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from pathlib import Path

from memtui.core import fs
from memtui.core.checks.index_repairs import united
from memtui.core.errors import RefusedError
from memtui.core.layouts.base import Discard, How, Problem, Redact, Relist, Reshape, Snapshot, Store, StoredFile
from memtui.core.layouts.reader import read_named
from memtui.core.layouts.table import LAYOUTS
from memtui.core.operations.mending import Key, Mended, joined, key_of, mend
from memtui.core.operations.plan import Plan
from memtui.core.safety.secrets import REDACTED
from memtui.core.text import document as documents
from memtui.core.text.leftovers import leftover_kind
from memtui.core.workspace import Outcome, Workspace
from memtui.i18n import _
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass

__all__ = ["Key", "Mending", "Proposal", "key_of", "repair_words"]

NAMED = 3
"""So many files are named where several go."""

WRITING_S = 60
"""A half-written file that was written to this short ago may be finished yet."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What mending means: the plan, and the problems that it mends with the snapshots they are of."""

    plan: Plan
    done: tuple[tuple[Snapshot, Problem], ...]
    _stores: tuple[tuple[Store, tuple[Key, ...]], ...] = ()


class Mending:
    """Mends the stores of one workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def propose(
        self, snapshots: Iterable[Snapshot], wanted: Mapping[str, Collection[Key]] | None = None
    ) -> Proposal:
        """The plan that mends these snapshots: everything with a safe repair, or by store what is `wanted`.

        Stores that cannot be written are left out. Raises RefusedError where nothing can be mended.
        """
        parts: list[tuple[Snapshot, Mended]] = []
        for snapshot in _each_once(snapshots):
            keys = None if wanted is None else wanted.get(snapshot.store.id, ())
            if snapshot.store.writable and (keys is None or keys):
                parts.append((snapshot, _mended(snapshot, keys)))
        done = [(snapshot, problem) for snapshot, part in parts for problem in part.done]
        if not done:
            reasons = [reason for _snapshot, part in parts for _problem, reason in part.left]
            notes = [note for _snapshot, part in parts for note in part.plan.notes]
            raise RefusedError(next(iter([*reasons, *notes]), _("nothing here calls for a repair")))
        stores = [(snapshot.store, tuple(dict.fromkeys(map(key_of, part.done)))) for snapshot, part in parts]
        plan = joined([part for _snapshot, part in parts])
        return Proposal(plan, tuple(done), tuple(pair for pair in stores if pair[1]))

    def run(self, proposal: Proposal, *, takes_over: Collection[Path] = ()) -> Outcome:
        """Do what was proposed, as one change of all its stores.

        Everything is looked at again: what is still wrong in the same way is mended, the rest is left out, and
        a note says so. Raises as `Workspace.apply`.
        """
        scan, shown = self._workspace.scan, set(_leftovers(p for _snapshot, p in proposal.done))
        for snapshot in _each_once(snapshot for snapshot, _problem in proposal.done):
            shown |= {line for _problem, lines in _index_lines(snapshot) for line in lines}
        return self._workspace.apply(
            # what a line names may have come or gone while its own file stayed as it was: always look again
            lambda: joined([_mended(scan(store), keys, shown) for store, keys in proposal._stores]),
            takes_over=takes_over,
        )


def repair_words(snapshot: Snapshot, problems: Sequence[Problem]) -> str:
    """What the repairs of problems of one code do, in a few words that may hold text from disk; '' for none."""
    edits = list(dict.fromkeys(problem.repair for problem in problems if problem.repair is not None))
    first, index = (edits[0] if edits else None), snapshot.store.profile.index_name
    if first is None:
        return ""
    if isinstance(first, Reshape):
        return _WAYS[first.how]
    if isinstance(first, Relist):
        return _line_words(united(edit for edit in edits if isinstance(edit, Relist)), index)
    if isinstance(first, Discard):
        names = ", ".join(first.paths[:NAMED])
        more = len(first.paths) - NAMED
        if more > 0:
            names = _("{names} and {count} more").format(names=names, count=more)
        return _("moving {names} to the trash").format(names=names)
    if isinstance(first, Redact):
        return _("putting {redacted} in its place").format(redacted=REDACTED)
    hidden = problems[0].code == "hidden-chars"
    return _("taking the characters out that nobody sees") if hidden else _("its repair")


_WAYS: Mapping[How, str] = {
    "normalise": _("writing it as its owner does"),
    "split-headings": _("splitting it at its headings"),
    "lf": _("converting its line ends to LF"),
    "final-newline": _("putting a line end at its end"),
    "lift": _("putting its frontmatter where readers look"),
    "close": _("closing its frontmatter with a line ---"),
    "one-key": _("leaving only the last line of that key"),
    "quote": _("putting quotes around the value"),
    "quote-comment": _("putting quotes around the value, # and all"),
    "describe": _("writing the description that follows from its index line or its titles"),
    "visible": _("taking the characters out that nobody sees"),
}


def _line_words(edit: Relist, index: str) -> str:
    """What is done to the index, where it is only one thing."""
    if len(edit.drops) == 1:
        return _("taking line {number} out of {index}").format(number=edit.drops[0][1], index=index)
    for count, one, many in (
        (len(edit.drops), "", _("taking {count} lines out of {index}")),
        (len(edit.adds), _("adding its line to {index}"), _("adding {count} lines to {index}")),
        (
            len(edit.derives),
            _("writing its line in {index} as its owner does"),
            _("writing {count} lines of {index} as their owner does"),
        ),
    ):
        if count:
            return (one if count == 1 else many).format(count=count, index=index)
    return _("taking the characters out that nobody sees")


def _mended(snapshot: Snapshot, wanted: Collection[Key] | None, shown: Set[str] | None = None) -> Mended:
    """What mending a store means; of leftovers and index lines only those that were `shown` go (None = all)."""
    # there may be ten thousand
    keys = None if wanted is None else frozenset(wanted)
    unseen = [problem for problem, lines in _index_lines(snapshot) if shown is not None and not lines <= shown]
    if keys is not None and (others := keys.intersection(map(key_of, unseen))):
        done = _mended(snapshot, keys - others, shown)
        text = _("another program changed what {index} says there since you looked: {count} left as it is")
        note = text.format(index=snapshot.store.profile.index_name, count=len(others))
        return dataclasses.replace(done, plan=dataclasses.replace(done.plan, notes=(*done.plan.notes, note)))
    chosen = [p for p in snapshot.problems if (p.is_safe if keys is None else key_of(p) in keys)]
    paths = _leftovers(chosen)
    read = {file.path: file for file in read_named(snapshot.store, _unread(snapshot, paths))}
    if read:
        snapshot = dataclasses.replace(snapshot, files={**snapshot.files, **read})
    now = snapshot.store.read_at
    leaves = {
        path
        for path in paths
        if (shown is not None and path not in shown) or _is_fresh(snapshot.files.get(path), now)
    }
    return mend(LAYOUTS[snapshot.store.layout], snapshot, keys, leaves)


def _leftovers(problems: Iterable[Problem]) -> list[str]:
    """The paths of the leftovers that the repairs of these problems take away."""
    edits = (problem.repair for problem in problems)
    return [path for edit in edits if isinstance(edit, Discard) for path in edit.paths]


def _index_lines(snapshot: Snapshot) -> Iterator[tuple[Problem, Set[str]]]:
    """The problems whose repair takes lines of the index away or writes them anew, each with these lines."""
    index = snapshot.files.get(snapshot.store.profile.index_name)
    rows = documents.parse((index.data if index is not None else None) or b"").lines
    for problem in snapshot.problems:
        if isinstance(edit := problem.repair, Relist):
            numbers = {number for _path, number in edit.drops}
            if edit.derives and problem.line is not None:
                numbers.add(problem.line)
            yield problem, {rows[number - 1].text for number in numbers if number <= len(rows)}


def _unread(snapshot: Snapshot, paths: Iterable[str]) -> list[str]:
    """Those that are only known by name: most owners' leftovers are."""
    files = snapshot.files
    return [path for path in paths if (file := files.get(path)) is None or file.data is None]


def _is_fresh(file: StoredFile | None, now: datetime | None) -> bool:
    """Whether a half-written file may still be written to."""
    if file is None or file.updated is None or now is None or leftover_kind(file.path) != "temp":
        return False
    return abs((now - file.updated).total_seconds()) < WRITING_S


def _each_once(snapshots: Iterable[Snapshot]) -> Sequence[Snapshot]:
    """The snapshots without a second one of the same directory."""
    return list(
        {fs.real_path(snapshot.store.root): snapshot for snapshot in reversed(list(snapshots))}.values()
    )[::-1]
