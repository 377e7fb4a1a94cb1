"""Plain text for people: aligned columns, budgets and counts in words. Text from disk passes `display`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memtui.cli.documents import decode
from memtui.core.env import Env
from memtui.core.safety import display
from memtui.i18n import _, ngettext

if TYPE_CHECKING:
    from memtui.core.workspace import Budget, Problem, Snapshot, Store

WIDEST_COLUMN = 48
"""Cells that a column is padded to at most; longer cells push the rest of their row, and are never cut."""

SEVERITIES = ("error", "warning", "note")


def cells(text: str) -> int:
    """How many terminal cells a row of displayed text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_cells_of, text))


def _cells_of(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def table(rows: Sequence[Sequence[str]], *, indent: str = "  ") -> Iterator[str]:
    """Rows of displayed cells as aligned lines; columns that are empty everywhere are left out."""
    used = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [min(max(map(cells, column)), WIDEST_COLUMN) for column in used]
    for row in zip(*used, strict=True):
        padded = (cell + " " * max(0, width - cells(cell)) for cell, width in zip(row, widths, strict=True))
        yield (indent + "  ".join(padded)).rstrip()


def store_heading(store: Store, env: Env) -> str:
    """A store's id and place on one line."""
    state = "" if store.exists else _(" (not there yet)")
    return f"{display.line(store.id)}  {display.path(store.root, home=env.home)}{state}"


def budget(item: Budget) -> str:
    """`84/200 lines`, of a group `user 84/1,375 UTF-16 units`."""
    group = f"{item.group} " if item.group else ""
    return f"{group}{item.used:,}/{item.limit:,} {unit(item)}"


def unit(item: Budget) -> str:
    """The unit of a budget in words."""
    names = {
        "lines": _("lines"),
        "bytes": _("bytes"),
        "utf16": _("UTF-16 units"),
        "codepoints": _("code points"),
    }
    return names[item.unit]


def binding(snapshot: Snapshot) -> Budget | None:
    """The budget of a store that is nearest to its limit, among those of what the agent is given."""
    injected = [item for item in snapshot.budgets if item.scope == "inject"]
    candidates = injected or list(snapshot.budgets)
    return next((item for item in candidates if item.binding), candidates[0] if candidates else None)


def inject_budgets(snapshot: Snapshot) -> str:
    """All budgets of what the agent is given at its start, and where it stops, on one line ('' = none).

    Of an owner that only limits what is written, those.
    """
    budgets = [item for item in snapshot.budgets if item.scope == "inject"]
    budgets = budgets or [item for item in snapshot.budgets if item.scope == "write"]
    shares = ", ".join(map(budget, budgets))
    last = min((item.loaded[1] for item in budgets if item.loaded is not None), default=None)
    if last is None or not snapshot.store.loads:
        return shares
    return _("{shares} (loaded up to line {last:,})").format(shares=shares, last=last)


def counts(problems: Iterable[Problem]) -> dict[str, int]:
    """How many problems of each severity."""
    found = dict.fromkeys(SEVERITIES, 0)
    for item in problems:
        found[item.severity] += 1
    return found


def counts_in_words(found: dict[str, int]) -> str:
    """`2 errors, 1 warning`, only what is not zero."""
    words = (
        ngettext("{count} error", "{count} errors", found["error"]).format(count=found["error"]),
        ngettext("{count} warning", "{count} warnings", found["warning"]).format(count=found["warning"]),
        ngettext("{count} note", "{count} notes", found["note"]).format(count=found["note"]),
    )
    said = [words[place] for place, name in enumerate(SEVERITIES) if found[name]]
    return ", ".join(said) or _("no problems")


def numbers(values: Sequence[int]) -> str:
    """`3, 7`."""
    return ", ".join(map(str, values))


def size(count_bytes: int) -> str:
    """A number of bytes as a person says it."""
    for unit, name in ((1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")):
        if count_bytes >= unit:
            return f"{count_bytes / unit:.1f} {name}"
    return _("{count} bytes").format(count=count_bytes)


def when(moment: datetime | None) -> str:
    """A point in time to the minute, in the local time zone."""
    return "" if moment is None else moment.astimezone().strftime("%Y-%m-%d %H:%M")


def text(data: bytes) -> list[str]:
    """Text from disk as lines that are safe to print."""
    return display.lines(decode(data))
