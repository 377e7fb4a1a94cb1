"""Problems: what is provably wrong in a store, each with the place and what the agent will do or not see.

Every check is a pure function from a `Snapshot` to problems; one module a family. `look` and `run` put them
together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from memtui.core.checks import (
    budget_checks,
    encoding_checks,
    frontmatter_checks,
    hidden_checks,
    index_checks,
    secret_checks,
    store_checks,
)
from memtui.core.layouts.base import Problem, Snapshot

Check = Callable[[Snapshot], Iterator[Problem]]

CHECKS: tuple[Check, ...] = (
    *store_checks.CHECKS,
    *budget_checks.CHECKS,
    *index_checks.CHECKS,
    *encoding_checks.CHECKS,
    *frontmatter_checks.CHECKS,
    *secret_checks.CHECKS,
    *hidden_checks.CHECKS,
)
"""All checks, in the order in which equally severe problems are reported."""

_RANK = {"error": 0, "warning": 1, "note": 2}


def look(snapshot: Snapshot) -> tuple[Problem, ...]:
    """All problems of a store, those that its layout found included, the most severe first; without repairs
    but those that were found with them."""
    return in_order((*snapshot.problems, *(problem for check in CHECKS for problem in check(snapshot))))


def run(snapshot: Snapshot) -> tuple[Problem, ...]:
    """The same with their repairs, which takes as long again: each is tried."""
    found = look(snapshot)
    if not found:
        return ()
    # a healthy store loads none of it
    from memtui.core.checks.repairs import with_repairs

    return tuple(with_repairs(snapshot, found))


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems with the most severe first; equally severe ones stay as they are."""
    return tuple(sorted(problems, key=lambda problem: _RANK[problem.severity]))
