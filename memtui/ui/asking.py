"""The words of questions and refusals about memories. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Memory, Snapshot
    from memtui.ui.view import Item

YES = Choice("y", _("yes"), is_change=True)
NO = Choice("n", _("no"))
LEAVE = Choice("Esc", _("leave"))
"""Says how to leave a menu; that every other key leaves it too needs no row of its own."""


def menu_question(what: str, now: str) -> str:
    """The words above a menu: what is chosen, and what it is now."""
    return _("{what}, now {now}:").format(what=what, now=now)


TITLE_SHOWN = 60
"""Characters of a title that a question shows."""


def keyed(words: Sequence[str], taken: str = "") -> dict[str, str]:
    """A letter (else a digit) for each word, its own first one where that is free; without those `taken`."""
    found: dict[str, str] = {}
    for word in words:
        letters = [sign for sign in word.lower() if sign.isascii() and sign.isalnum()]
        spare = "123456789abcdefghijklmnopqrstuvwxyz"
        free = [sign for sign in (*letters, *spare) if sign not in found and sign not in taken]
        if free:
            found[free[0]] = word
    return found


def lies_with_others(snapshot: Snapshot, memory: Memory, going: Collection[str] = ()) -> bool:
    """Whether the file of a memory, and what names the file, stays when it goes: others lie there too.

    `going` are ids of memories that go with it.
    """
    return memory.span is not None and any(
        other.file == memory.file and other.id != memory.id and other.id not in going
        for other in snapshot.memories
    )


def what_goes(item: Item, snapshot: Snapshot) -> str:
    """What deleting a memory takes away: its entry or file, and the lines of the index."""
    memory = item.memory
    entry = ""
    if memory.span is not None:
        entry = _("the entry “{title}” of {file}").format(title=short(item.title), file=item.file)
    lines = memory.index_lines
    if not lines or lies_with_others(snapshot, memory):
        return entry or item.file
    numbers = ", ".join(str(number) for number in lines)
    where = (_("line {numbers} of {index}") if len(lines) == 1 else _("lines {numbers} of {index}")).format(
        numbers=numbers, index=snapshot.store.profile.index_name
    )
    if memory.state in ("missing", "outside"):
        return where
    if entry:
        return _("{entry}, the file and {where}").format(entry=entry, where=where)
    return _("{file} and {where}").format(file=item.file, where=where)


def short(title: str) -> str:
    """A title as a question names it: not all of a long one."""
    return title if len(title) <= TITLE_SHOWN else title[: TITLE_SHOWN - 1].rstrip() + "…"


def naming_verb(memory: Memory) -> str:
    """What changes a memory's name, as `Memory.why_not` calls it: its first line where that is all the name it
    has."""
    only_titled = memory.span is not None and "rename" in memory.why_not and "title" not in memory.why_not
    return "title" if only_titled else "rename"


def refusal_of(snapshot: Snapshot, item: Item, reason: str) -> str:
    """Why a verb cannot be done on a memory; `reason` is safe. What holds for all of a store names no file."""
    if not snapshot.store.writable or reason == snapshot.store.profile.read_only:
        return why_read_only(snapshot) or reason
    return _("{file}: {reason}").format(file=item.name, reason=reason)


def why_read_only(snapshot: Snapshot) -> str:
    """Why nothing of a store can be changed, '' when something can."""
    from memtui.core.safety import display

    store = snapshot.store
    if store.profile.read_only:
        return display.line(store.profile.read_only)
    return "" if store.writable else _("{path} is read-only").format(path=display.line(str(store.root)))


def why_not_index(snapshot: Snapshot) -> str:
    """Why the index cannot be written, before something is typed in vain; '' when there is no such reason."""
    from memtui.core.safety import display

    index = snapshot.store.profile.index_name
    blocked = (
        problem.message
        for problem in snapshot.problems
        if index and problem.file == index and problem.code in ("unreadable", "symlink")
    )
    return why_read_only(snapshot) or display.line(next(blocked, ""))


def why_not_edit_index(snapshot: Snapshot) -> str:
    """Why the index as a whole cannot be edited; '' when there is no such reason."""
    from memtui.core.safety import display

    if why_read_only(snapshot) or snapshot.store.profile.index_name:
        return why_not_index(snapshot)
    return _("{owner} has no index: e edits a memory").format(owner=display.line(snapshot.store.owner))


def most_telling(lines: tuple[str, ...]) -> list[str]:
    """The few lines of a difference that say most: what came says more than what went."""
    came = [line for line in lines if line.startswith("+")]
    return (came or list(lines))[:3]
