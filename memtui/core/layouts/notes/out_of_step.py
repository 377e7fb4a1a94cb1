"""Index lines of a notes store that do not say what the owner writes into them (topics sheet 9.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memtui.core.layouts.base import Memory, Problem, Relist, Store
from memtui.core.layouts.dash_index import Entry
from memtui.i18n import _


def out_of_step(
    store: Store, memories: Sequence[Memory], named: Mapping[str, Sequence[Entry]]
) -> Iterator[Problem]:
    """Index lines that do not say the description of their note."""
    for memory in memories:
        if memory.state != "ok" or any(reason for verb, reason in memory.why_not.items() if verb == "title"):
            continue
        for entry in named.get(memory.file, ()):
            if entry.hook != memory.description:
                text = _("the owner writes the description of {file} into this line, which says something else")
                yield Problem(
                    "hook-mismatch",
                    "note",
                    text.format(file=memory.file),
                    memory.id,
                    store.profile.index_name,
                    entry.number,
                    Relist(derives=(memory.file,)),
                    is_safe=entry.hook in memory.description,
                )
