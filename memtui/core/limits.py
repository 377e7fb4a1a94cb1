"""What each memory takes of the limit that binds, and which could go so that the rest fits. Pure.

Nothing is made up: a cost is counted on the text that is there, and what is proposed is to leave, not to write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from memtui.core.layouts.base import Budget, Memory, Snapshot
from memtui.core.layouts.facts.budgets import size
from memtui.core.text.section_sign import DELIMITER
from memtui.core.triage import queue
from memtui.late.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cost:
    """What a memory takes of a budget, in its unit: what deleting it gives back. `shares` are as many other
    memories that the same lines stand for: those go, and give back anything, only with the last of them."""

    memory: Memory
    cost: int
    shares: int = 0


@dataclass(frozen=True, slots=True)
class Bill:
    """A budget of a store and what each memory takes of it, the costliest first, of equal ones the more
    suspicious first.

    `would_fit` are ids of memories, no more than must: without them the rest fits; () where it fits already, or
    would not without all that can go.
    """

    snapshot: Snapshot
    budget: Budget
    costs: tuple[Cost, ...]
    would_fit: tuple[str, ...] = ()

    @property
    def over(self) -> int:
        """How much is too much, in the budget's unit; 0 = it fits."""
        return max(0, self.budget.used - self.budget.limit)


def bills(snapshots: Sequence[Snapshot], now: datetime) -> tuple[Bill, ...]:
    """The bills of all budgets that bind in these stores, in their order."""
    return tuple(
        _bill(snapshot, budget, now) for snapshot in snapshots for budget in binding_budgets(snapshot.budgets)
    )


def binding_budgets(budgets: Sequence[Budget]) -> tuple[Budget, ...]:
    """The budgets that memories share: the binding one of what is loaded, else those of each group."""
    loaded = [budget for budget in budgets if budget.scope == "inject"]
    if loaded:
        return (next((budget for budget in loaded if budget.binding), loaded[0]),)
    return tuple(budget for budget in budgets if budget.group)


def _bill(snapshot: Snapshot, budget: Budget, now: datetime) -> Bill:
    order = {suspect.memory.id: place for place, suspect in enumerate(queue([snapshot], {}, now, 0))}
    costs = _costs(snapshot, budget)
    costs.sort(key=lambda cost: (-cost.cost, order.get(cost.memory.id, len(order))))
    by_suspicion = sorted(costs, key=lambda cost: order.get(cost.memory.id, len(order)))
    return Bill(snapshot, budget, tuple(costs), _enough(by_suspicion, budget.used - budget.limit))


def _enough(costs: Sequence[Cost], over: int) -> tuple[str, ...]:
    """The first of these that together give back so much, without those that the others make needless."""
    going: list[Cost] = []
    left = over
    for cost in costs:
        if left <= 0:
            break
        if cost.cost and "delete" not in cost.memory.why_not:
            going.append(cost)
            left -= cost.cost
    if left > 0 or over <= 0:
        return ()
    for cost in sorted(going, key=lambda cost: cost.cost):
        if left + cost.cost <= 0:
            going.remove(cost)
            left += cost.cost
    return tuple(cost.memory.id for cost in going)


def _costs(snapshot: Snapshot, budget: Budget) -> list[Cost]:
    return _of_group(snapshot, budget) if budget.group else _of_index(snapshot, budget)


def _of_index(snapshot: Snapshot, budget: Budget) -> list[Cost]:
    if snapshot.index is None:
        return []
    lines = snapshot.index.document.lines
    in_file = Counter(memory.file for memory in snapshot.memories if memory.span is not None)
    costs = []
    for memory in snapshot.memories:
        cost = sum(
            size(lines[number - 1].text + lines[number - 1].eol.decode("ascii"), budget.unit)
            for number in memory.index_lines
        )
        if cost:
            shares = in_file[memory.file] - 1 if memory.span is not None else 0
            costs.append(Cost(memory, 0 if shares else cost, shares))
    return costs


def _of_group(snapshot: Snapshot, budget: Budget) -> list[Cost]:
    texts = {memory.id: _text(snapshot, memory) for memory in snapshot.memories if memory.group == budget.group}
    counted = Counter(texts.values())
    between = size(DELIMITER, budget.unit) if len(counted) > 1 else 0
    return [
        # the owner counts equal entries once
        Cost(memory, size(texts[memory.id], budget.unit) + between if counted[texts[memory.id]] == 1 else 0)
        for memory in snapshot.memories
        if memory.id in texts
    ]


def _text(snapshot: Snapshot, memory: Memory) -> str:
    file = snapshot.files.get(memory.file)
    if file is None or file.data is None or memory.span is None:
        return ""
    return file.data[memory.span[0] : memory.span[1]].decode("utf-8", "replace")
