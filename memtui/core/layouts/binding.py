"""Which budget matters most: the one with the highest share of its limit, among those of its scope."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.layouts.base import Budget
from memtui.late import dataclasses


def with_binding(found: Sequence[Budget]) -> tuple[Budget, ...]:
    """The budgets, in each scope the fullest one marked as `binding` (the first of equally full ones)."""
    highest: dict[str, Budget] = {}
    for budget in found:
        best = highest.get(budget.scope)
        if best is None or budget.used * best.limit > best.used * budget.limit:
            highest[budget.scope] = budget
    return tuple(
        dataclasses.replace(budget, binding=True) if budget is highest[budget.scope] else budget
        for budget in found
    )
