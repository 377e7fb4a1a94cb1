"""What memories take of a limit, counted as their owner counts, and which could go."""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

import carry_stores
import entries_store
import facts_store
import pytest

from memtui.core.env import Env
from memtui.core.layouts.base import Budget, Limit, Problem, Remove, Snapshot
from memtui.core.layouts.owners import PROFILES
from memtui.core.limits import Bill, bills

NOW = datetime(2026, 11, 30, tzinfo=UTC)
D = entries_store.D


def index_of(count: int, *, limit: Limit | None = None, hook: str = "x") -> Snapshot:
    """So many memories with a line each, the first of them without a file."""
    lines = [f"- [m{n}](m{n}.md) — {hook}{'y' * n}\n" for n in range(count)]
    files = {f"m{n}.md": f"---\nname: m{n}\n---\ntext {n}\n" for n in range(1, count)}
    profile = PROFILES["zcode"]
    if limit is not None:
        profile = dataclasses.replace(profile, limits=(limit,))
    return facts_store.snap({"MEMORY.md": "".join(lines), **files}, profile=profile)


def bill_of(snapshot: Snapshot) -> Bill:
    (bill,) = bills([snapshot], NOW)
    return bill


@pytest.mark.parametrize("layout", carry_stores.LAYOUTS)
def test_a_cost_is_what_deleting_the_memory_gives_back(env: Env, tmp_path: Path, layout: str) -> None:
    carry_stores.fill(tmp_path, layout)
    workspace, _actions = carry_stores.open_actions(env)
    snapshot = workspace.scan(carry_stores.store_of(tmp_path, layout))

    def same(budgets: tuple[Budget, ...], wanted: Budget) -> int:
        return next(
            b.used for b in budgets if (b.scope, b.group, b.unit) == (wanted.scope, wanted.group, wanted.unit)
        )

    found = bills([snapshot], NOW)
    assert found and all(bill.costs and not bill.would_fit for bill in found)
    for bill in found:
        for cost in bill.costs:
            after = workspace.forecast(snapshot, (Remove(cost.memory.id),))
            given = bill.budget.used - same(after.budgets, bill.budget)
            # of several entries in one file the line goes with the last of them
            assert cost.cost == given or cost.shares == 1


def test_two_hundred_and_five_lines_fit_without_five_and_the_suspicious_are_named_first() -> None:
    problem = Problem("dead-link", "error", "gone", memory="m7.md")
    bill = bill_of(dataclasses.replace(index_of(205), problems=(problem,)))
    assert (bill.budget.unit, bill.budget.used, bill.over) == ("lines", 205, 5)
    assert {cost.cost for cost in bill.costs} == {1} and len(bill.would_fit) == 5
    assert bill.costs[0].memory.id == bill.would_fit[0] == "m7.md"
    assert bill_of(index_of(200)).would_fit == ()


@pytest.mark.parametrize("unit", ["bytes", "utf16", "codepoints"])
def test_the_costliest_stand_first_in_the_unit_of_the_limit(unit: str) -> None:
    limit = Limit("inject", unit, 150, "test")  # type: ignore[arg-type]
    bill = bill_of(index_of(6, limit=limit, hook="é"))
    assert [cost.memory.id for cost in bill.costs] == [f"m{n}.md" for n in (5, 4, 3, 2, 1, 0)]
    dash = 3 if unit == "bytes" else 1
    assert bill.costs[0].cost == len("- [m5](m5.md)  yyyyy\n") + dash + (2 if unit == "bytes" else 1)
    # no more go than must
    given = {cost.memory.id: cost.cost for cost in bill.costs}
    going = [given[memory] for memory in bill.would_fit]
    assert sum(going) >= bill.over and all(sum(going) - cost < bill.over for cost in going)


def test_entries_count_with_what_parts_them_and_equal_ones_once() -> None:
    snapshot = entries_store.snap({"MEMORY.md": f"ab{D}cdé{D}ab", "USER.md": "me"}, limit=4)
    memory, user = bills([snapshot], NOW)
    assert (memory.budget.group, user.budget.group) == ("memory", "user")
    assert [cost.cost for cost in memory.costs] == [6, 0, 0] and [cost.cost for cost in user.costs] == [2]
    assert len(memory.would_fit) == 1 and memory.over == 4 and not user.would_fit


def test_where_nothing_can_go_nothing_is_proposed() -> None:
    snapshot = index_of(205)
    memories = tuple(dataclasses.replace(memory, why_not={"delete": "no"}) for memory in snapshot.memories)
    assert bill_of(dataclasses.replace(snapshot, memories=memories)).would_fit == ()
    assert bills([dataclasses.replace(snapshot, budgets=())], NOW) == ()
