"""One masked secret at a time, readable while its text is open: never longer, and nothing of it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.layouts.base import Snapshot
    from memtui.core.workspace import Workspace
    from memtui.ui.book import Book
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item, Notice


class Revealed:
    """Which secrets of the open memory are shown unmasked; a session's are its book's."""

    def __init__(self) -> None:
        self._row_id = ""
        self._seen: frozenset[str] = frozenset()

    def seen_in(self, row_id: str) -> frozenset[str]:
        """The secrets of a memory that are shown."""
        return self._seen if row_id == self._row_id else frozenset()

    def moved_to(self, row_id: str) -> None:
        """Another text is open now: what was shown in the one before is hidden."""
        if row_id != self._row_id:
            self.show(row_id, frozenset())

    def show(self, row_id: str, seen: frozenset[str]) -> None:
        """Show these secrets of a memory, and no others."""
        self._row_id, self._seen = row_id, seen


class Revealing:
    """The one command of its name. Lives in the UI thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def reveal(self) -> None:
        """Show the first masked secret from the top of the screen on; again: the next, at last none."""
        desk = self._desk
        front, view = desk.front, desk.topic.text if desk.front is None else desk.front.screen.text
        lines = [*view.lines[view.top_line - 1 :], *view.lines[: view.top_line - 1]]
        if desk.reading.is_open and front is None:

            def turn(book: Book) -> None:
                book.seen = next_seen(book.secrets(), lines, book.seen)

            desk.reading.reveal(turn, self._say)
            return
        row_id, view_now = _row_of(desk), desk.view
        item = None if view_now is None else view_now.items.get(row_id) or view_now.notices.get(row_id)
        if item is None or view_now is None:
            self._say(None)
            return
        snapshot, before = view_now.stores[item.store].snapshot, desk.revealed.seen_in(row_id)

        def job(workspace: Workspace) -> frozenset[str]:
            return next_seen(_secrets_of(workspace, snapshot, item), lines, before)

        def then(seen: frozenset[str]) -> None:
            if _row_of(desk) != row_id or desk.front is not front:
                return
            desk.revealed.show(row_id, seen)
            if front is not None:
                front.view_changed()
            else:
                desk.show_item(row_id)
            self._say(seen or (frozenset() if before else None))

        desk.work.do(job, then, channel="reveal", failed=desk.say_error)

    def _say(self, seen: frozenset[str] | None) -> None:
        if seen is None:
            self._desk.say(_("no secret is masked in this text"), "muted")
        elif seen:
            self._desk.say(_("one secret is shown; . again shows the next, or hides it"), "warn")
        else:
            self._desk.say(_("every secret is masked again"), "muted")


def why_not_reveal(desk: Desk) -> str:
    """Why there is nothing to reveal or to hide again in the text that is open, '' when there may be."""
    from memtui.core.safety.secrets import MASK

    book, front = desk.reading.book, desk.front
    if desk.revealed.seen_in(_row_of(desk)) or (front is None and book is not None and book.seen):
        return ""
    lines = desk.topic.text.lines if front is None else front.screen.text.lines
    is_masked = any(MASK * 3 in line for line in lines)
    return "" if is_masked else _("no secret is masked in this text")


def _row_of(desk: Desk) -> str:
    """The row of the memory whose text is open, on the panes or in a review over them."""
    if desk.front is None:
        return desk.topic.shown_id
    item = desk.front.item
    return "" if item is None else item.row_id


def next_seen(masks: Mapping[str, str], lines: Sequence[str], before: frozenset[str]) -> frozenset[str]:
    """Which secret is shown after `before`: the next of those that stand in these lines, none after the last.

    `masks` are the secrets with what stands for them while they are masked.
    """
    places: dict[str, int] = {}
    for value, mask in masks.items():
        first = (value if value in before else mask).splitlines()[0]
        place = next((number for number, line in enumerate(lines) if first in line), None)
        if place is not None:
            places[value] = place
    order = sorted(places, key=lambda value: places[value])
    now = next((number for number, value in enumerate(order) if value in before), -1)
    return frozenset(order[now + 1 : now + 2])


def _secrets_of(workspace: Workspace, snapshot: Snapshot, item: Item | Notice) -> dict[str, str]:
    """The secrets of what a row stands for, each with what stands for it. Runs on the work thread."""
    from memtui.core.safety import secrets
    from memtui.ui.view import Notice

    if isinstance(item, Notice):
        file = snapshot.files.get(item.problem.file or "")
        texts: tuple[bytes | str, ...] = (file.data or b"",) if file is not None else ()
    else:
        memory, found = item.memory, workspace.text(snapshot, item.memory.id)
        texts = (b"" if found is None else found.text, memory.title, memory.description, memory.hook or "")
    decoded = (text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text for text in texts)
    return {value: mask for text in decoded for value, mask in secrets.masks(text).items()}
