"""The index lines of all that is marked at once: to the front or the end, taken out, said anew."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.asking import NO, short, why_not_index
from memtui.ui.bulk import Bulk, count_words, details, sharers
from memtui.ui.hindrances import ask_once_more
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.text_actions import How
    from memtui.core.workspace import Outcome, Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item


class LineBulk:
    """The one command of its name."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def index_lines(self) -> None:
        """Ask what to do with the index lines of the marked memories, else of the one under the cursor."""
        desk = self._desk
        desk.listing.end_range()
        items = desk.marked or ((desk.item,) if desk.item is not None else ())
        if not items:
            desk.say(_("there is no memory under the cursor"), "muted")
            return
        if len({item.store for item in items}) > 1:
            desk.say(_("the marked memories are in several stores: mark those of one"), "warn")
            return
        why = why_not_index(self._changing.snapshot_of(items[0]))
        if why:
            desk.say(why, "warn")
            return
        doing: dict[str, tuple[How, str]] = {
            "f": ("front", _("to the front of the index")),
            "e": ("end", _("to its end")),
            "d": ("describe", _("say the description")),
            "t": ("unlist", _("take out, the files stay")),
        }

        def answered(key: str) -> None:
            if key in doing:
                self._propose(items, *doing[key], opener=key)

        choices = [*(Choice(key, label) for key, (_how, label) in doing.items()), NO]
        desk.ask_bar.ask(_("Index lines of {what}:").format(what=self._what(items)), choices, answered)

    def _what(self, items: Sequence[Item]) -> str:
        return (
            _("“{title}”").format(title=short(items[0].title)) if len(items) == 1 else count_words(len(items))
        )

    def _propose(self, items: Sequence[Item], how: How, label: str, *, opener: str) -> None:
        from memtui.core.text_actions import TextActions

        view = self._desk.view
        assert view is not None
        snapshot, ids = self._changing.snapshot_of(items[0]), tuple(item.memory.id for item in items)
        is_bulk = len(items) > 1
        others = sharers(view, items, self._desk.app.env.home) if is_bulk else ""

        def job(workspace: Workspace, takes_over: Collection[Path]) -> Outcome:
            return TextActions(workspace).index_lines(snapshot, ids, how, takes_over=takes_over)

        hidden = self._desk.listing.hidden_marks if is_bulk and self._desk.front is None else 0
        self._changing.propose(
            _("Index lines of {what}: {how}?").format(what=self._what(items), how=label),
            lambda workspace: TextActions(workspace).plan_index_lines(snapshot, ids, how),
            lambda: ask_once_more(self._desk.ask_bar, others, lambda: self._changing.do(job)),
            details=details(view, Bulk(tuple(items), ()), hidden) if is_bulk else (),
            opener=opener,
            hint=_("(u takes it back)"),
            about=items[0].row_id if not is_bulk else "",
        )
