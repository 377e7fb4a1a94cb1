"""Problems to one plan that mends them: each file's bytes first, then the index, then the rest. Pure.

What mending one thing brings to light (a block that is closed may hold a value that needs quotes) is mended in
the same plan, so that a second run finds nothing to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from memtui.core import checks
from memtui.core.checks.index_repairs import united
from memtui.core.layouts.base import (
    Discard,
    Draft,
    Edit,
    How,
    Layout,
    Problem,
    Refusal,
    Relist,
    Reshape,
    Snapshot,
    StoredFile,
)
from memtui.core.operations.compose import in_order, plan_of
from memtui.core.operations.plan import Plan
from memtui.i18n import _, ngettext
from memtui.late import dataclasses
from memtui.late.dataclasses import dataclass, field

VERB = "repair"
ROUNDS = 4
"""So often a store is looked at again for what mending it brought to light."""

SPELLED_OUT = 2
"""So many mends of one kind are named in the history; more are counted."""

NEED_ROOM = frozenset({"orphan", "no-index"})
"""Codes whose repair adds lines to an index: it is safe where these fit within its limits."""

Key = tuple[str, str | None, str | None, bool]
"""What a problem is known by while lines move: code, memory, file, and whether its repair is safe."""

_ORDER: tuple[How, ...] = (
    "lf",
    "normalise",
    "split-headings",
    "lift",
    "close",
    "one-key",
    "quote",
    "quote-comment",
    "describe",
    "visible",
    "final-newline",
)
"""The order in which one file is mended: each way may rely on those before it."""


def key_of(problem: Problem) -> Key:
    """What a problem is known by."""
    return problem.code, problem.memory, problem.file, problem.is_safe


@dataclass(frozen=True, slots=True)
class Mended:
    """The plan of one store, the problems that it mends, and those that it leaves, each with the reason."""

    plan: Plan
    done: tuple[Problem, ...]
    left: tuple[tuple[Problem, str], ...] = ()


@dataclass
class _Work:
    """A store while it is mended in memory."""

    snapshot: Snapshot
    files: dict[str, StoredFile]
    drafts: list[Draft] = field(default_factory=list)
    done: dict[Problem, None] = field(default_factory=dict)
    left: dict[Problem, str] = field(default_factory=dict)


def mend(
    layout: Layout,
    snapshot: Snapshot,
    wanted: Collection[Key] | None = None,
    leaves: Collection[str] = (),
) -> Mended:
    """The plan that mends all problems of a checked snapshot with a safe repair, or those `wanted`.

    Leftovers that it `leaves` (by their paths) stay. What the layout refuses is left, with its reason; so is a
    wanted problem that is not there (any more).
    """
    work = _Work(snapshot, dict(snapshot.files))
    tried: set[Key] = set()
    refused: set[Key] = set()
    for _round in range(ROUNDS):
        chosen = [
            problem
            for problem in work.snapshot.problems
            if problem.repair is not None
            and problem not in work.done
            and key_of(problem) not in refused
            and (problem.is_safe if wanted is None else key_of(problem) in wanted)
        ]
        if not chosen:
            break
        tried.update(map(key_of, chosen))
        _mend_once(layout, work, chosen, leaves)
        refused = {key_of(problem) for problem in work.left}
        again = layout.scan(snapshot.store, work.files.values())
        work.snapshot = dataclasses.replace(again, problems=checks.run(again))
    changes = [change for draft in work.drafts for change in draft.changes]
    notes = [note for draft in work.drafts for note in draft.notes]
    plan = plan_of(snapshot, changes, _summary(work), VERB, [*notes, *_leavings(work, wanted, tried)])
    return Mended(plan, tuple(work.done), tuple(work.left.items()))


def joined(parts: Sequence[Mended]) -> Plan:
    """The plans of several stores (at least one) as one change with one undo; one without a step drops out."""
    plans = [part.plan for part in parts if part.plan.steps] or [parts[0].plan]
    first, others = plans[0], plans[1:]
    notes = [note for part in parts for note in part.plan.notes]
    return dataclasses.replace(
        first,
        steps=tuple(step for plan in plans for step in plan.steps),
        blobs={key: data for plan in plans for key, data in plan.blobs.items()},
        summary=first.summary if not others else _count_words(sum(len(part.done) for part in parts)),
        locks=in_order([lock for plan in plans for lock in plan.locks]),
        notes=tuple(dict.fromkeys(notes)),
        other_roots=tuple(plan.root for plan in others),
    )


def _mend_once(layout: Layout, work: _Work, chosen: Sequence[Problem], leaves: Collection[str]) -> None:
    by_edit: dict[Edit, list[Problem]] = {}
    for problem in chosen:
        if problem.repair is not None:
            by_edit.setdefault(problem.repair, []).append(problem)
    reshapes = sorted(
        (edit for edit in by_edit if isinstance(edit, Reshape)),
        key=lambda edit: (edit.path, _ORDER.index(edit.how)),
    )
    # these look at bytes alone: the parsed parts of the snapshot may be older than its files
    bare = dataclasses.replace(work.snapshot, files=work.files)
    for shape in reshapes:
        _try(layout, work, bare, shape, by_edit[shape])
    rest: list[tuple[Edit, list[Problem]]] = []
    lines = [edit for edit in by_edit if isinstance(edit, Relist)]
    if lines:
        rest.append((united(lines), [problem for edit in lines for problem in by_edit[edit]]))
    rest += [
        (edit, found) for edit, found in by_edit.items() if not isinstance(edit, Reshape | Relist | Discard)
    ]
    gone = [edit for edit in by_edit if isinstance(edit, Discard)]
    if gone:
        paths = dict.fromkeys(path for edit in gone for path in edit.paths if path not in leaves)
        found = [problem for edit in gone for problem in by_edit[edit]]
        if paths:
            rest.append((Discard(tuple(paths)), found))
        else:
            work.left.update(dict.fromkeys(found, _("what lies there may still be written to, or is new")))
    for edit, found in rest:
        current = layout.scan(work.snapshot.store, work.files.values())
        _try(layout, work, current, edit, found)


def _try(layout: Layout, work: _Work, current: Snapshot, edit: Edit, problems: Iterable[Problem]) -> None:
    result = layout.edit(current, edit)
    if isinstance(result, Refusal):
        work.left.update(dict.fromkeys(problems, result.reason))
        return
    work.done.update(dict.fromkeys(problems))
    work.drafts.append(result)
    for change in result.changes:
        if change.after is None:
            work.files.pop(change.path, None)
        else:
            work.files[change.path] = dataclasses.replace(
                change.before, path=change.path, kind="file", data=change.after
            )


def _summary(work: _Work) -> str:
    summaries = list(dict.fromkeys(draft.summary for draft in work.drafts))
    if len(summaries) <= SPELLED_OUT and len({problem.code for problem in work.done}) == 1:
        return ", ".join(summaries)
    return _count_words(len(work.done))


def _count_words(count: int) -> str:
    return ngettext("mended {count} problem", "mended {count} problems", count).format(count=count)


def _leavings(work: _Work, wanted: Collection[Key] | None, tried: Collection[Key]) -> list[str]:
    """What is left as it is, in sentences: one for each reason."""
    reasons = Counter(work.left.values())
    notes = [
        ngettext("{count} problem stays: {reason}", "{count} problems stay: {reason}", count).format(
            count=count, reason=reason
        )
        for reason, count in reasons.items()
    ]
    overtaken = len(set(wanted or ()) - set(tried))
    if overtaken:
        text = ngettext(
            "{count} problem is no longer there as it was; it was left out",
            "{count} problems are no longer there as they were; they were left out",
            overtaken,
        )
        notes.append(text.format(count=overtaken))
    if any(problem.code in NEED_ROOM and not problem.is_safe for problem in work.done):
        notes.append(_("with that the index is longer than what its agent loads or accepts"))
    left = [p for p in work.snapshot.problems if p.code in NEED_ROOM and p.repair is not None and not p.is_safe]
    if wanted is None and left:
        text = ngettext(
            "{count} file without an index line stays so: there is no room for its line within the limit",
            "{count} files without an index line stay so: there is no room for their lines within the limit",
            len(left),
        )
        notes.append(text.format(count=len(left)))
    return notes
