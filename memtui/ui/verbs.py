"""What the keys do to a memory: asking, and handing the edit over. Each method returns at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.core.layouts.base import Remove, SetField
from memtui.i18n import _
from memtui.ui.asking import LEAVE, keyed, menu_question, what_goes
from memtui.ui.bulk import (
    Bulk,
    batches,
    common_types,
    count_words,
    details,
    refusal,
    sharers,
    sort_out,
    types_now,
    what_goes_of_many,
)
from memtui.ui.outcomes import Batch
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Snapshot
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item


class Verbs:
    """One method a verb; each is called in the UI thread and returns at once."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    # Taking away, and back

    def delete(self) -> None:
        """Ask, naming the file and its index lines, or how much is marked; `y` does it."""
        marked = self._take_marked()
        if marked:
            self._delete_marked(marked)
            return
        item = self._changing.changeable("delete")
        if item is None:
            return
        snapshot = self._changing.snapshot_of(item)
        what = what_goes(item, snapshot)
        question = _("Delete {what}?").format(what=what)
        if snapshot.store.shared_by:
            question = _("Delete {what}, also for {projects}?").format(
                what=what, projects=self._others(snapshot)
            )

        batch = Batch(snapshot, (Remove(item.memory.id),))
        hint = _("(u brings it back)")
        self._changing.review(question, "delete", (batch,), opener="d", hint=hint, about=item.row_id)

    def _take_marked(self) -> tuple[Item, ...]:
        # a verb ends the range that it is about
        self._desk.listing.end_range()
        return self._desk.marked

    def _delete_marked(self, marked: tuple[Item, ...]) -> None:
        bulk, view = sort_out(marked, "delete"), self._desk.view
        if view is None or not self._some_can(bulk):
            return
        if len(bulk.items) == 1:
            item = bulk.items[0]
            what = what_goes(item, view.stores[item.store].snapshot)
        else:
            what = what_goes_of_many(view, bulk.items)
        question = _("Delete {what}?").format(what=what)
        if projects := sharers(view, bulk.items, self._desk.app.env.home):
            question = _("Delete {what}, also for {projects}?").format(what=what, projects=projects)
        changes = batches(view, bulk.items, lambda item: Remove(item.memory.id))
        hint = _("(u brings them back)") if len(changes) == 1 else _("(u brings them back, store by store)")
        self._review("delete", question, changes, bulk, opener="d", hint=hint)

    def _review(
        self, verb: str, question: str, changes: tuple[Batch, ...], bulk: Bulk, *, opener: str, hint: str
    ) -> None:
        view = self._desk.view
        assert view is not None
        rows = details(view, bulk, self._desk.listing.hidden_marks)
        others = sharers(view, bulk.items, self._desk.app.env.home) if len(bulk.items) > 1 else ""
        self._changing.review(question, verb, changes, details=rows, opener=opener, hint=hint, sharers=others)

    def _some_can(self, bulk: Bulk) -> bool:
        if not bulk.items:
            self._desk.say(refusal(bulk), "warn")
        return bool(bulk.items)

    def _others(self, snapshot: Snapshot) -> str:
        from memtui.ui import wording

        home = self._desk.app.env.home
        return ", ".join(wording.sentence(project, home) for project in snapshot.store.shared_by)

    def redo(self) -> None:
        """Make the change undone last again."""
        self._changing.do(lambda workspace, takes_over: workspace.redo(takes_over=takes_over))

    # Fields

    def type(self) -> None:
        """Ask for the type by its first letter; of all that are marked, with a look at what would change."""
        marked = self._take_marked()
        if marked:
            self._type_marked(marked)
            return
        item = self._changing.changeable("type")
        if item is None:
            return
        snapshot = self._changing.snapshot_of(item)
        types = snapshot.store.profile.types
        words = keyed(types)
        choices = [*(Choice(letter, word, is_change=True) for letter, word in words.items()), LEAVE]

        def answered(key: str) -> None:
            if key:
                self._set(snapshot, item, "type", words[key])

        what = _("Type of “{title}”").format(title=item.title)
        question = menu_question(what, types_now((item,)))
        rows = self._desk.live.caution_rows(item.row_id)
        self._desk.ask_bar.ask(question, choices, answered, opener="t", details=rows, about=item.row_id)

    def _type_marked(self, marked: tuple[Item, ...]) -> None:
        bulk, view = sort_out(marked, "type"), self._desk.view
        if view is None or not self._some_can(bulk):
            return
        words = keyed(common_types(view, bulk.items))
        if not words:
            self._desk.say(_("the owners of the marked memories have no type in common"), "warn")
            return
        now = types_now(bulk.items)

        def answered(key: str) -> None:
            if key:
                what = count_words(len(bulk.items))
                question = _("Set the type of {what} from {now} to {type}?").format(
                    what=what, now=now, type=words[key]
                )
                changes = batches(view, bulk.items, lambda item: SetField(item.memory.id, "type", words[key]))
                self._review("set", question, changes, bulk, opener=key, hint=_("(u takes it back)"))

        question = menu_question(_("Type of {what}").format(what=count_words(len(bulk.items))), now)
        choices = [*(Choice(letter, word) for letter, word in words.items()), LEAVE]
        self._desk.ask_bar.ask(question, choices, answered, opener="t")

    def _set(self, snapshot: Snapshot, item: Item, field: Any, value: str) -> None:
        self._changing.change(snapshot, "set", (SetField(item.memory.id, field, value),))
