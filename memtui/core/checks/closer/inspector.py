"""Runs the families over stores, and remembers: what did not change since is not looked at again.

A finding rests on the memory itself and on what the surroundings answered. Both are remembered: an equal memory
is looked at again only when one of those answers is another one by now. Belongs to one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from memtui.core.checks.closer.base import Cancelled, Family, Findings, Place, Subject, Surroundings, subjects
from memtui.core.layouts.base import Problem, Snapshot
from memtui.late.dataclasses import dataclass, fields, replace

Progress = Callable[[int, int], None]
"""Hears how many memories were looked at, and of how many."""

Asked = tuple[str, tuple[Any, ...], Any]
"""A question, what it was about, and its answer."""


@dataclass(frozen=True, slots=True)
class _Known:
    about: object
    asked: tuple[Asked, ...]
    found: tuple[tuple[Subject, Problem], ...]


class Inspector:
    """Looks closer at stores with these families, over and over."""

    def __init__(self, families: Sequence[Family]) -> None:
        self._families = families
        self._known: dict[tuple[str, ...], _Known] = {}
        self.looked_at = 0
        """How many memories the last look had to look at anew, in one family or more."""

    def inspect(
        self,
        snapshots: Iterable[Snapshot],
        around: Surroundings,
        cancelled: Cancelled = lambda: False,
        progress: Progress | None = None,
    ) -> Findings | None:
        """Every problem of the families in these stores; None when it was cancelled."""
        pairs = [pair for snapshot in snapshots for pair in subjects(snapshot)]
        known, self._known = self._known, {}
        # what is known is kept however this ends: a look that was cancelled is taken up again
        result = self._inspect(pairs, around, known, cancelled, progress)
        if result is None:
            self._known = known | self._known
        return result

    def _inspect(
        self,
        pairs: Sequence[tuple[bytes, Subject]],
        around: Surroundings,
        known: dict[tuple[str, ...], _Known],
        cancelled: Cancelled,
        progress: Progress | None,
    ) -> Findings | None:
        self.looked_at = 0
        found: dict[Place, list[Problem]] = {}
        for number, (_data, subject) in enumerate(pairs):
            if cancelled():
                return None
            looked = False
            for family in self._families:
                if family.each is not None:
                    key = (family.name, subject.store, subject.memory)
                    is_new, results = self._look(key, subject, around, known, partial(_each, family, subject))
                    looked |= is_new
                    _add(found, results)
            self.looked_at += looked
            if progress is not None and looked:
                progress(number + 1, len(pairs))
        everything = tuple(subject for _data, subject in pairs)
        for family in self._families:
            if family.across is not None:
                across = partial(_across, family, everything, cancelled)
                _is_new, results = self._look((family.name,), everything, around, known, across)
                if cancelled():
                    # half a look is nothing to remember
                    self._known.pop((family.name,), None)
                    return None
                _add(found, results)
        return Findings(
            {(s.store, s.memory): (data, tuple(found.get((s.store, s.memory), ()))) for data, s in pairs}
        )

    def _look(
        self,
        key: tuple[str, ...],
        about: object,
        around: Surroundings,
        known: dict[tuple[str, ...], _Known],
        check: Callable[[Surroundings], Iterable[tuple[Subject, Problem]]],
    ) -> tuple[bool, tuple[tuple[Subject, Problem], ...]]:
        before = known.get(key)
        if before is not None and before.about == about and _is_still_so(before.asked, around):
            self._known[key] = before
            return False, before.found
        asked: dict[Asked, None] = {}
        found = tuple(check(_noting(around, asked)))
        self._known[key] = _Known(about, tuple(asked), found)
        return True, found


def _each(family: Family, subject: Subject, around: Surroundings) -> list[tuple[Subject, Problem]]:
    assert family.each is not None
    return [(subject, problem) for problem in family.each(subject, around)]


def _across(
    family: Family, everything: Sequence[Subject], cancelled: Cancelled, around: Surroundings
) -> Iterable[tuple[Subject, Problem]]:
    assert family.across is not None
    return family.across(everything, around, cancelled)


def _add(found: dict[Place, list[Problem]], results: Iterable[tuple[Subject, Problem]]) -> None:
    for subject, problem in results:
        found.setdefault((subject.store, subject.memory), []).append(problem)


def _noting(around: Surroundings, asked: dict[Asked, None]) -> Surroundings:
    """The same surroundings; every question is noted with its answer."""

    def ask(name: str, *about: Any) -> Any:
        answer = getattr(around, name)(*about)
        asked[name, about, answer] = None
        return answer

    questions = [field.name for field in fields(around) if callable(getattr(around, field.name))]
    asking: dict[str, Any] = {name: partial(ask, name) for name in questions}
    return replace(around, **asking)


def _is_still_so(asked: Iterable[Asked], around: Surroundings) -> bool:
    return all(getattr(around, name)(*about) == answer for name, about, answer in asked)
