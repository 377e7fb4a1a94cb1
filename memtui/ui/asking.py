"""The words of questions and refusals about memories. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Snapshot
    from memtui.ui.view import Item

YES = Choice("y", _("yes"), is_change=True)
NO = Choice("n", _("no"))
LEAVE = Choice("Esc", _("leave"))
"""Says how to leave a menu; that every other key leaves it too needs no row of its own."""


def menu_question(what: str, now: str) -> str:
    """The words above a menu: what is chosen, and what it is now."""
    return _("{what}, now {now}:").format(what=what, now=now)


def what_goes(item: Item, index_name: str) -> str:
    """What deleting a memory takes away: its file and the lines of the index."""
    lines = item.memory.index_lines
    if not lines:
        return item.file
    numbers = ", ".join(str(number) for number in lines)
    where = (_("line {numbers} of {index}") if len(lines) == 1 else _("lines {numbers} of {index}")).format(
        numbers=numbers, index=index_name
    )
    if item.memory.state in ("missing", "outside"):
        return where
    return _("{file} and {where}").format(file=item.file, where=where)


def why_not_index(snapshot: Snapshot) -> str:
    """Why the index cannot be written, before something is typed in vain; '' when there is no such reason."""
    from memtui.core.safety import display

    store = snapshot.store
    if not store.writable:
        return _("{path} is read-only").format(path=display.line(str(store.root)))
    index = store.profile.index_name
    blocked = (
        problem.message
        for problem in snapshot.problems
        if index and problem.file == index and problem.code in ("unreadable", "symlink")
    )
    return display.line(next(blocked, ""))


def most_telling(lines: tuple[str, ...]) -> list[str]:
    """The few lines of a difference that say most: what came says more than what went."""
    came = [line for line in lines if line.startswith("+")]
    return (came or list(lines))[:3]
