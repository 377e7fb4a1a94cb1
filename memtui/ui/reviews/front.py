"""What lies over the panes and has the keys of memories meanwhile: a review. What it is asked and told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit, Snapshot
    from memtui.core.workspace import Outcome
    from memtui.ui.screens.review_screen import ReviewScreen
    from memtui.ui.view import Item, View


class Front(Protocol):
    """Stands in front of the panes: while it does, commands are about its memory, ask in its bar and say what
    came of them on its screen. All of it in the UI thread."""

    @property
    def screen(self) -> ReviewScreen:
        """The screen on which is asked, typed and said."""

    @property
    def item(self) -> Item | None:
        """The memory that keys are about, as it is now; None where the cursor is on none."""

    @property
    def marked(self) -> tuple[Item, ...]:
        """The memories that are marked there."""

    @property
    def source_line(self) -> int:
        """The line of its text that is at the top of the screen."""

    def say(self, text: str, ink: str = "") -> None:
        """Say one sentence, safe for display; '' takes away what was said."""

    def view_changed(self) -> None:
        """The stores are other ones than before, whoever changed them."""

    def change_began(self, about: str) -> None:
        """A change of a memory was handed over; `about` is its row in the view, '' = no single one."""

    def change_ended(self, about: str, outcome: Outcome | None) -> None:
        """It was made, and the view shows it; None: it was not."""


def row_of_edits(view: View | None, snapshot: Snapshot, edits: tuple[Edit, ...]) -> str:
    """The row of the first memory that these edits are about, '' when the view has none of them."""
    ids = {getattr(edit, "memory_id", None) for edit in edits}
    stores = view.stores if view is not None else ()
    rows = (
        item.row_id
        for store in stores
        if store.snapshot.store.id == snapshot.store.id
        for item in store.items
        if item.memory.id in ids
    )
    return next(rows, "")
