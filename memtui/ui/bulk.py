"""What a verb means for many memories: which of them it can be done to, the edits a store, the words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.safety import display
from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass
from memtui.ui import wording
from memtui.ui.asking import lies_with_others
from memtui.ui.outcomes import Batch
from memtui.ui.widgets.ask_bar import Names

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit
    from memtui.ui.view import Item, View
    from memtui.ui.widgets.spans import Span

FILES_NAMED = 12
"""Memories that a question about many names at most; the others are counted."""


@dataclass(frozen=True, slots=True)
class Bulk:
    """The memories that a verb can be done to, and the others, each with the reason, safe for display."""

    items: tuple[Item, ...]
    refused: tuple[tuple[Item, str], ...]


def sort_out(items: Iterable[Item], verb: str) -> Bulk:
    """Which memories the verb (a key of `Memory.why_not`) can be done to."""
    items = tuple(items)
    reasons = [(item, item.memory.why_not.get(verb, "")) for item in items]
    return Bulk(
        tuple(item for item, reason in reasons if not reason),
        tuple((item, display.line(reason)) for item, reason in reasons if reason),
    )


def batches(view: View, items: Sequence[Item], edit_of: Callable[[Item], Edit]) -> tuple[Batch, ...]:
    """One batch a store, so that its index is written once and one undo brings everything back."""
    by_store: dict[int, list[Item]] = {}
    for item in items:
        by_store.setdefault(item.store, []).append(item)
    return tuple(
        Batch(view.stores[number].snapshot, tuple(edit_of(item) for item in some))
        for number, some in by_store.items()
    )


def count_words(count: int) -> str:
    """So many memories."""
    return ngettext("{count} memory", "{count} memories", count).format(count=count)


def what_goes_of_many(view: View, items: Sequence[Item]) -> str:
    """What deleting them takes away: how many, their size, and the lines of the index."""
    size = wording.size(sum(item.memory.size_bytes for item in items))
    many = _("{memories} ({size})").format(memories=count_words(len(items)), size=size)
    going = lines_that_go(view, items)
    lines, stores = len(going), {store for store, _number in going}
    if not lines:
        return many
    indexes = {view.stores[store].snapshot.store.profile.index_name for store in stores}
    if len(stores) > 1:
        where = ngettext("{count} index line", "{count} index lines", lines).format(count=lines)
    else:
        where = ngettext("{count} line of {index}", "{count} lines of {index}", lines).format(
            count=lines, index=display.line(next(iter(indexes)))
        )
    return _("{memories} and {where}").format(memories=many, where=where)


def lines_that_go(view: View, items: Sequence[Item]) -> frozenset[tuple[int, int]]:
    """The store and number of each line of an index that names nothing any more when these memories go."""
    ids: dict[int, set[str]] = {}
    for item in items:
        ids.setdefault(item.store, set()).add(item.memory.id)
    return frozenset(
        (item.store, number)
        for item in items
        if item.memory.index_lines
        and not lies_with_others(view.stores[item.store].snapshot, item.memory, ids[item.store])
        for number in item.memory.index_lines
    )


def sharers(view: View, items: Iterable[Item], home: Path) -> str:
    """The other projects whose agents read the stores of these memories; '' when there are none."""
    stores = dict.fromkeys(item.store for item in items)
    projects = [project for number in stores for project in view.stores[number].snapshot.store.shared_by]
    return ", ".join(wording.sentence(project, home) for project in dict.fromkeys(projects))


def details(view: View, bulk: Bulk, hidden: int) -> list[Sequence[Span]]:
    """The rows above a question about many: the first names, what is not done and why, what cannot be seen."""
    names = [(_name(view, item, bulk.items), "muted") for item in bulk.items[:FILES_NAMED]]
    rows: list[Sequence[Span]] = [Names(names, len(bulk.items) - len(names))]
    if bulk.refused:
        rows.append([(refusal(bulk), "warn")])
    if hidden:
        said = ngettext(
            "{count} of them is hidden by the filter", "{count} of them are hidden by the filter", hidden
        )
        rows.append([(said.format(count=hidden), "warn")])
    return rows


def refusal(bulk: Bulk) -> str:
    """How many of the marked it can be done to, and why not to the others."""
    done, of = len(bulk.items), len(bulk.items) + len(bulk.refused)
    item, reason = bulk.refused[0]
    said = _("{done} of {all}; {file}: {reason}").format(done=done, all=of, file=item.name, reason=reason)
    more = len(bulk.refused) - 1
    return _("{refusal}, and {count} more").format(refusal=said, count=more) if more else said


def _name(view: View, item: Item, among: Sequence[Item]) -> str:
    several = any(other.store != item.store for other in among)
    return f"{view.stores[item.store].name}: {item.name}" if several else item.name


def types_now(items: Iterable[Item]) -> str:
    """The type that all of these have, or that there is none or more than one; safe for display."""
    known = {item.memory.type for item in items}
    if len(known) > 1:
        return _("mixed")
    return display.line(next(iter(known), "") or _("none"))


def common_types(view: View, items: Iterable[Item]) -> tuple[str, ...]:
    """The types that every owner among these knows, in the order of the first."""
    known = [
        view.stores[number].snapshot.store.profile.types for number in dict.fromkeys(i.store for i in items)
    ]
    return tuple(word for word in known[0] if all(word in types for types in known)) if known else ()
