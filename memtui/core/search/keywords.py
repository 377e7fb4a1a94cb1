"""The keywords of a query: `agent:pi`, `after:yesterday`. What is none of them is text like any other."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from memtui.core.search.dates import moment_of
from memtui.core.search.filters import PLACES, ROLES, Filters, SearchedPlace
from memtui.core.text.fold import fold
from memtui.i18n import _
from memtui.late import re

MEANINGS = {
    "agent": _("whose session or memory"),
    "store": _("memories of one store"),
    "type": _("memories of one type"),
    "in": _("memory, sessions or tools"),
    "role": _("who or what said it"),
    "dir": _("where it was said"),
    "after": _("from a day on"),
    "before": _("before a day"),
}
"""What each keyword asks for, in a few words."""
KEYWORDS = tuple(MEANINGS)

_TERM = re.compile(r'([A-Za-z]+):(?:"([^"]*)"(?!\S)|([^\s"]+)(?!\S))')
_OTHER_NUMBER: dict[str, SearchedPlace] = {"memories": "memory", "session": "sessions", "tool": "tools"}


class Term(NamedTuple):
    """A keyword with its value, as typed, and where in the query it ends."""

    keyword: str
    value: str
    end: int


def term_at(typed: str, at: int) -> Term | None:
    """What looks like a keyword with a value at the start of a word; whether the value is one, `take` tells."""
    match = _TERM.match(typed, at)
    if match is None or match[1].lower() not in KEYWORDS:
        return None
    return Term(match[1].lower(), (match[2] or match[3] or "").strip(), match.end())


class Collected:
    """The filters of a query as they are read. `now` is the moment from which days are counted."""

    def __init__(self, now: datetime | None) -> None:
        self._now = now
        self._names: dict[str, set[str]] = {}
        self._places: set[SearchedPlace] = set()
        self._dirs: dict[str, None] = {}
        self._moments: dict[str, list[datetime]] = {}

    def take(self, keyword: str, value: str) -> bool:
        """Note a value of a keyword; False when it is none that the keyword knows."""
        folded = fold(value)
        if not folded:
            return False
        match keyword:
            case "in":
                place = _OTHER_NUMBER.get(folded, folded)
                if place not in PLACES:
                    return False
                self._places.add(place)
            case "after" | "before":
                when = moment_of(value, self._now or datetime.now(UTC).astimezone())
                if when is None:
                    return False
                self._moments.setdefault(keyword, []).append(when)
            case "dir":
                # what stands for the home directory is not in the paths
                self._dirs[folded.removeprefix("~") if folded.startswith("~/") else folded] = None
            case _:
                # `type::x` and `store://x` are no names
                if not (folded in ROLES if keyword == "role" else folded[0].isalnum()):
                    return False
                self._names.setdefault(keyword, set()).add(folded)
        return True

    def filters(self) -> Filters:
        """All that was noted; of several moments the one that lets more pass."""

        def names(keyword: str) -> frozenset[str]:
            return frozenset(self._names.get(keyword, ()))

        return Filters(
            agents=names("agent"),
            stores=names("store"),
            types=names("type"),
            places=frozenset(self._places),
            roles=names("role"),
            dirs=tuple(self._dirs),
            after=min(self._moments.get("after", ()), default=None),
            before=max(self._moments.get("before", ()), default=None),
        )
