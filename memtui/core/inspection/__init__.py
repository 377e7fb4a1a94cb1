"""The door to the closer look at stores: what takes longer than a first frame may, or needs their surroundings.

It reads, and never changes or executes anything. It belongs to one thread, which need not be the workspace's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from memtui.core.checks import in_order
from memtui.core.checks.closer.base import Cancelled, Family, Findings
from memtui.core.checks.closer.inspector import Inspector, Progress
from memtui.core.checks.closer.table import FAMILIES
from memtui.core.checks.codes import CODES
from memtui.core.env import Env
from memtui.core.inspection.around import look_around
from memtui.core.layouts.base import Snapshot
from memtui.late.dataclasses import replace

__all__ = ["CODES", "Findings", "Inspection", "Progress", "looked_closer", "with_findings"]


class Inspection:
    """Looks closer at stores as often as it is asked to; what did not change since is not checked again."""

    def __init__(self, env: Env, families: Sequence[Family] | None = None) -> None:
        self._env = env
        self._inspector = Inspector(FAMILIES if families is None else families)

    @property
    def looked_at(self) -> int:
        """How many memories the last look had to check anew."""
        return self._inspector.looked_at

    def inspect(
        self,
        snapshots: Iterable[Snapshot],
        cancelled: Cancelled = lambda: False,
        progress: Progress | None = None,
    ) -> Findings | None:
        """What is found in these stores; None when it was cancelled, which takes effect within one memory."""
        return self._inspector.inspect(snapshots, look_around(self._env), cancelled, progress)


def with_findings(snapshot: Snapshot, findings: Findings | None) -> Snapshot:
    """A store with what was found of it among its problems, as far as its memories still say the same."""
    found = () if findings is None else findings.of(snapshot)
    return replace(snapshot, problems=in_order((*snapshot.problems, *found))) if found else snapshot


def looked_closer(env: Env, snapshots: Sequence[Snapshot], only: Collection[str] = ()) -> tuple[Snapshot, ...]:
    """The same stores with every problem that a closer look finds; `only` = problems of these codes alone.

    For a command, which looks once.
    """
    families = [family for family in FAMILIES if not only or not set(family.codes).isdisjoint(only)]
    findings = Inspection(env, families).inspect(snapshots)
    complete = [with_findings(snapshot, findings) for snapshot in snapshots]
    if not only:
        return tuple(complete)
    return tuple(
        replace(snapshot, problems=tuple(problem for problem in snapshot.problems if problem.code in only))
        for snapshot in complete
    )
