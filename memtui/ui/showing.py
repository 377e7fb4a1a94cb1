"""How a text is shown: as its source, or as Markdown to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.ui.desk import Desk


class Showing:
    """One method a command; each returns at once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def rendered(self) -> None:
        """Show texts to read, or as they are in their files again; the place in the text stays."""
        desk = self._desk
        is_rendered = not desk.remembered.rendered
        desk.remember(rendered=is_rendered)
        desk.say(
            _("texts are shown rendered") if is_rendered else _("texts are shown as their source"), "muted"
        )
        desk.show_item(self._row_id)

    @property
    def _row_id(self) -> str:
        item = self._desk.item
        return "" if item is None else item.row_id
