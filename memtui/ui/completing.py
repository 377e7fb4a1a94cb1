"""Completing the query of the search pane: what its last word may become. Lives in the UI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.core.library import Completion, Known
    from memtui.ui.desk import Desk
    from memtui.ui.listed import Listed

KEYWORDS = ("in", "role", "agent", "dir", "after", "before", "type", "store")
"""The keywords of a query, the most useful first."""


class Completing:
    """Offers keywords and the values that exist, in the row below the query.

    `listed` are the sessions that are known.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._known: tuple[object, object, Known] | None = None
        self.listed: Listed | None = None

    def start(self) -> None:
        """Look at the query from now on."""
        line = self._desk.search.line
        line.moved = self.show
        line.mark(_filter_spans)
        self._desk.search.know([f"{keyword}:" for keyword in KEYWORDS])

    def show(self) -> None:
        """Show what the word before the cursor may become."""
        self._desk.search.offer([(item.label, item.about) for item in self._offered()])

    def take(self) -> bool:
        """Put the first that is offered into the query; False when nothing is."""
        line, offered = self._desk.search.line, self._offered()
        if not offered:
            return False
        item = offered[0]
        is_whole = not item.text.endswith(":") and item.end == len(line.value)
        line.put(item.text + (" " if is_whole else ""), item.start, item.end)
        return True

    def without_unfinished(self) -> str:
        """The query without a filter at the cursor that has no value yet, while there are values to choose."""
        typed, offered = self._desk.search.line.value, self._offered()
        if not offered or offered[0].text.endswith(":"):
            return typed
        start, end = offered[0].start, offered[0].end
        is_filter = any(first == start for first, _last in _filter_spans(typed))
        return typed if is_filter else typed[:start] + typed[end:]

    def _offered(self) -> tuple[Completion, ...]:
        from memtui.core.library import complete

        line = self._desk.search.line
        return complete(line.value, line.cursor, self._values) if line.typing and line.value else ()

    def _values(self) -> Known:
        """The values that filters can have, collected anew when there is something new."""
        from memtui.core.library import known_from

        listed, view = self.listed, self._desk.view
        if self._known is None or self._known[0] is not listed or self._known[1] is not view:
            snapshots = () if view is None else tuple(store.snapshot for store in view.stores)
            sessions = () if listed is None else listed.sessions
            self._known = listed, view, known_from(snapshots, sessions, self._desk.app.env.home)
        return self._known[2]


def _filter_spans(typed: str) -> tuple[tuple[int, int], ...]:
    if ":" not in typed:
        # most queries need not wait for the import
        return ()
    from memtui.core.library import filter_spans

    return filter_spans(typed)
