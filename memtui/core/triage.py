"""Which memories call for a decision, the most suspicious first. Pure.

What a person kept is passed over until its text changes, something new is found in it, or a time has passed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

from memtui.core.kept import Keeps, Kept
from memtui.core.layouts.base import Memory, Problem, Snapshot, digest
from memtui.late.dataclasses import dataclass

SEVERITIES = ("error", "warning", "note")
"""Worst first."""

SUSPICION = (
    "threat",
    "secret",
    "conflicting-values",
    "past-deadline",
    "stale-reference",
    "duplicate",
    "near-duplicate",
    "relative-date",
    "dead-link",
    "duplicate-line",
)
"""Codes by what they say against the text of a memory, within a severity; the others come after them."""

PASSED_OVER = frozenset({"not-loaded"})
"""Codes that say nothing against a memory: many are beyond the cut only because of others."""

_PLACE = {code: place for place, code in enumerate(SUSPICION)}

Why = Literal["new", "changed", "found", "due"]
"""Why it is in the queue: never kept; kept, but its text changed since; something else was found in it; the
time has passed."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A memory that calls for a decision; `problems` are its own, worst first. `kept` is when it was kept
    last, None = never."""

    snapshot: Snapshot
    memory: Memory
    problems: tuple[Problem, ...]
    why: Why
    kept: datetime | None = None


def text_digest(snapshot: Snapshot, memory: Memory) -> str:
    """The identity of what a person decides on: the memory's text, and what its index line says."""
    file = snapshot.files.get(memory.file)
    data = file.data if file is not None and file.data is not None else b""
    if memory.span is not None:
        data = data[memory.span[0] : memory.span[1]]
    return digest(data + b"\0" + (memory.hook or "").encode("utf-8", "surrogatepass"))


def keep_of(snapshot: Snapshot, memory: Memory, problems: Iterable[Problem], now: datetime) -> Kept:
    """What is remembered of a memory that is kept now, with its own problems."""
    return Kept(text_digest(snapshot, memory), now, frozenset(problem.code for problem in problems))


def queue(snapshots: Sequence[Snapshot], keeps: Keeps, now: datetime, again_days: int) -> tuple[Suspect, ...]:
    """The memories of these stores that call for a decision, the most suspicious first: by the severity and
    code of what was found in them, then by age, the oldest first.

    What was kept comes back after `again_days` (0 = never by time). Stores that nothing can be changed in are
    passed over.
    """
    ranked = []
    for number, snapshot in enumerate(snapshots):
        if not snapshot.store.writable or snapshot.store.profile.read_only:
            continue
        problems = _by_memory(snapshot)
        kept = keeps.get(snapshot.store.id, {})
        for place, memory in enumerate(snapshot.memories):
            own = problems.get(memory.id, ())
            suspect = _suspect(snapshot, memory, own, kept.get(memory.id), now, again_days)
            if suspect is not None:
                ranked.append((*_rank(own), _age(memory), number, place, suspect))
    ranked.sort(key=lambda entry: entry[:-1])
    return tuple(entry[-1] for entry in ranked)


def next_due(keeps: Keeps, store_ids: Sequence[str], again_days: int) -> datetime | None:
    """When the first of the kept memories of these stores comes back by itself; None = none does."""
    times = [kept.when for store_id in store_ids for kept in keeps.get(store_id, {}).values()]
    return min(times) + timedelta(days=again_days) if times and again_days else None


def _suspect(
    snapshot: Snapshot,
    memory: Memory,
    problems: tuple[Problem, ...],
    kept: Kept | None,
    now: datetime,
    again_days: int,
) -> Suspect | None:
    why: Why
    if kept is None:
        why = "new"
    elif kept.digest != text_digest(snapshot, memory):
        why = "changed"
    elif not kept.codes.issuperset(problem.code for problem in problems):
        why = "found"
    elif again_days and now - kept.when >= timedelta(days=again_days):
        why = "due"
    else:
        return None
    return Suspect(snapshot, memory, problems, why, None if kept is None else kept.when)


def _by_memory(snapshot: Snapshot) -> Mapping[str, tuple[Problem, ...]]:
    found: dict[str, list[Problem]] = {}
    for problem in snapshot.problems:
        if problem.memory is not None and problem.code not in PASSED_OVER:
            found.setdefault(problem.memory, []).append(problem)
    return {memory: tuple(sorted(problems, key=_place)) for memory, problems in found.items()}


def _place(problem: Problem) -> tuple[int, int, str]:
    return SEVERITIES.index(problem.severity), _PLACE.get(problem.code, len(_PLACE)), problem.code


def _rank(problems: tuple[Problem, ...]) -> tuple[int, int, int]:
    """How suspicious, least first: the worst problem, then how many kinds there are."""
    if not problems:
        return len(SEVERITIES), 0, 0
    severity, code, _name = _place(problems[0])
    return severity, code, -len({problem.code for problem in problems})


def _age(memory: Memory) -> float:
    """When it was changed last, in seconds; what is not known comes last."""
    updated = memory.updated
    if updated is None:
        return float("inf")
    return (updated if updated.tzinfo else updated.replace(tzinfo=UTC)).timestamp()
