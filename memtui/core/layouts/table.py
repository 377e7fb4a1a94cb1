"""Every layout by its name; each is loaded when a store has it, as few of them are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from memtui.core.layouts.base import Layout, LayoutTable


def _facts() -> Layout:
    from memtui.core.layouts.facts.layout import FACTS

    return FACTS


def _entries() -> Layout:
    from memtui.core.layouts.entries.layout import ENTRIES

    return ENTRIES


def _topics() -> Layout:
    from memtui.core.layouts.topics.layout import TOPICS

    return TOPICS


def _notes() -> Layout:
    from memtui.core.layouts.notes.layout import NOTES

    return NOTES


def _events() -> Layout:
    from memtui.core.layouts.events.layout import EVENTS

    return EVENTS


class _Table(Mapping[str, Layout]):
    """The layouts that were asked for, and how the others are loaded."""

    def __init__(self, loaders: Mapping[str, Callable[[], Layout]]) -> None:
        self._loaders = loaders
        self._loaded: dict[str, Layout] = {}

    def __getitem__(self, name: str) -> Layout:
        if (layout := self._loaded.get(name)) is None:
            layout = self._loaded[name] = self._loaders[name]()
        return layout

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaders)

    def __len__(self) -> int:
        return len(self._loaders)


LAYOUTS: LayoutTable = _Table(
    {"facts": _facts, "entries": _entries, "topics": _topics, "notes": _notes, "events": _events}
)
