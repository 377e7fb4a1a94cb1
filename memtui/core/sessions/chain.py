"""Which entries lie on the active branch, found while a file is walked from its end to its start.

The leaf is the last entry of the file; from there the branch goes from parent to parent (pi-and-zcode sheet
A2). Parents nearly always stand before their children, so one walk backward with one wanted id decides. The
ids that were passed are remembered, because the last entry with an id is the one that counts and a damaged
file may name a parent that comes later, or itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from memtui.core.sessions.blocks import ACTIVE, OTHER
from memtui.core.sessions.records import Found

MOST_IDS = 100_000
"""Ids that are remembered at most; beyond it only parents that stand before their children are followed."""


class Chain:
    """The walk of one file. `linear`: entries have no ids (version 1), so all are on the branch.

    `started`: the leaf was met; `wanted` is the id of the next entry of the branch, None at its end. `late`
    are offsets of entries walked before that turned out to be on the branch.
    """

    def __init__(self, linear: bool) -> None:
        self.linear = linear
        self.started = False
        self.wanted: bytes | None = None
        self.leaf: bytes | None = None
        self.late: list[int] = []
        # for an id: offset of its last entry * 2, plus 1 when that is on the branch, and its parent
        self._passed: dict[bytes, tuple[int, bytes | None]] = {}

    def walk(self, found: Sequence[Found]) -> list[int]:
        """The branches of entries that stand right before those that were walked last.

        Entries without an id cannot be placed and count as active, and so does what is damaged.
        """
        branches = [ACTIVE] * len(found)
        if self.linear:
            return branches
        for at in range(len(found) - 1, -1, -1):
            item = found[at]
            if item.kind == "session" or item.kind == "damaged":
                continue
            if not self.started:
                self.started, self.leaf = True, item.id
                self._take(item)
            elif item.id is None:
                continue
            elif item.id == self.wanted:
                self._take(item)
            else:
                branches[at] = OTHER
                self._remember(item, 0)
        return branches

    def _take(self, item: Found) -> None:
        self.wanted = item.parent
        self._remember(item, 1)
        while self.wanted is not None and (known := self._passed.get(self.wanted)) is not None:
            place, parent = known
            if place & 1:
                self.wanted = None
                return
            self._passed[self.wanted] = (place | 1, parent)
            self.late.append(place >> 1)
            self.wanted = parent

    def _remember(self, item: Found, active: int) -> None:
        if item.id is not None and item.id not in self._passed and len(self._passed) < MOST_IDS:
            self._passed[item.id] = (item.offset * 2 + active, item.parent)

    def is_followed_by(self, newer: Chain) -> bool:
        """Whether a walk of appended entries leads to this one's leaf and changes nothing before it."""
        if self.linear or newer.linear:
            return self.linear and newer.linear
        leads_here = not newer.started or (newer.wanted is not None and newer.wanted == self.leaf)
        if not leads_here or newer.late or self.wanted in newer._passed:
            return False
        return self._passed.keys().isdisjoint(newer._passed)

    def add(self, newer: Chain) -> None:
        """Take over the walk of appended entries that follows this one."""
        room = max(0, MOST_IDS - len(self._passed))
        self._passed.update(list(newer._passed.items())[:room])
        if newer.started:
            self.started, self.leaf = True, newer.leaf
