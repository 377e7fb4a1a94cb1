"""What the list of memories shows of the view: filter, order, marks, and where the cursor is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace
    from memtui.ui.arranging import Arranged, Arrangement
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item, View
    from memtui.ui.widgets.row_list import RowList


class Listing:
    """Arranges the rows on the work thread and brings the list in step. Lives in the UI thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.query = self._shown_query = ""
        self.cursor_id = ""
        """Where the cursor was last seen: at the very end the list is gone before it can be asked."""
        self._goes_to = ""
        self.only: frozenset[str] = frozenset()
        """The rows of the memories that alone are shown; empty = all are."""
        self._only_said = ""

    @property
    def _list(self) -> RowList:
        return self._desk.index.list

    # Filter and order

    @property
    def order(self) -> str:
        """The order of the memories: an id of `arranging.ORDERS`, '' for that of the index."""
        from memtui.ui.arranging import ORDERS, known_order

        return known_order(self._desk.remembered.order, ORDERS)

    @property
    def _arrangement(self) -> Arrangement:
        from memtui.ui.arranging import Arrangement

        return Arrangement(self.query, self.order, self.only)

    def sort(self, order: str) -> None:
        """Show the memories in this order from now on, also after the next start."""
        self._desk.remember(order=order)
        self.arrange()

    def filter(self, query: str) -> None:
        """Show only what matches, the cursor on the best match unless it was moved; '' shows all."""
        self.query = query
        self.arrange(to_best=True)

    def arrange(self, *, to_best: bool = False) -> None:
        """Show the rows of the view as the person wants them; the cursor stays."""
        from memtui.ui.arranging import Arranged, arrange

        view, arrangement = self._desk.view, self._arrangement
        if view is None:
            return

        def job(workspace: Workspace) -> Arranged:
            return arrange(view, arrangement)

        def show(found: Arranged) -> None:
            if self._desk.view is view and self._arrangement == found.arrangement:
                self._show(view, found, to_best=to_best)

        if not arrangement.query and not arrangement.order and not arrangement.only:
            # that is how the view was made: nothing to wait for
            show(Arranged(arrangement, view.rows, len(view.items), ""))
        else:
            self._desk.work.do(job, show, channel="arrange", failed=self._desk.say_error)

    def _show(self, view: View, found: Arranged, *, to_best: bool) -> None:
        from memtui.ui.arranging import ORDERS, said_order

        desk, arrangement = self._desk, found.arrangement
        empty = () if arrangement.query else desk.nothing_yet(view)
        only = self._only_said if arrangement.only else ""
        said = "  ".join(filter(None, (only, said_order(arrangement.order, ORDERS))))
        desk.index.show(found.rows, found.count, len(view.items), arrangement.query, empty, order=said)
        goes_to, self._goes_to = self._goes_to, ""
        if goes_to:
            self._list.go_to(goes_to)
        elif to_best and found.best and not desk.item_was_chosen:
            self._list.go_to(found.best)
        if arrangement.query != self._shown_query:
            self._shown_query = arrangement.query
            # the line in which a filter is typed may still take rows from the list, or give them back
            self._list.call_after_refresh(self._list.show_cursor)
        desk.show_status()
        desk.show_item()

    def show_only(self, rows: Iterable[str], said: str) -> None:
        """Show these memories alone, with a word for which they are, until all are shown again."""
        self.query, self.only, self._only_said = "", frozenset(rows), said
        self.arrange()

    def show_all(self) -> None:
        """Show every memory again."""
        self.query, self.only = "", frozenset()
        self.arrange()

    def go_to(self, row_id: str) -> None:
        """Put the cursor on a memory, taking a filter away that hides it."""
        if not self._list.go_to(row_id):
            self._goes_to = row_id
            self.show_all()

    # Another view

    def show_view(self, before: View | None, view: View, *, goes_to_new: bool) -> None:
        """Show the rows of another view. The cursor stays; it goes to the first memory that is new where that
        was asked for, and at the start to where it was when memtui was left."""
        if before is None:
            self._goes_to = self._place_of_last_time(view) or next(iter(view.items), "")
        elif goes_to_new:
            self._goes_to = new_row(before, view, self._list.cursor_id)
        for row_list in self._lists():
            row_list.keep_marks(view.items)
        self.only = self.only & view.items.keys()
        self.arrange()

    def _place_of_last_time(self, view: View) -> str:
        from memtui.ui.view import row_id_of

        places = [row_id_of(store, memory) for store, memory in self._desk.remembered.places.items()]
        return next((row_id for row_id in reversed(places) if row_id in view.items), "")

    def keep_place(self) -> None:
        """Remember where the cursor is, for the next start here. For the moment of leaving."""
        view = self._desk.view
        item = None if view is None else view.items.get(self.cursor_id)
        if view is None or item is None:
            return
        stores = [store.snapshot.store.id for store in view.stores]
        others = {store: place for store, place in self._desk.remembered.places.items() if store not in stores}
        self._desk.remember(places={**others, stores[item.store]: item.memory.id})

    # Marks

    @property
    def marked(self) -> tuple[Item, ...]:
        """The marked memories in the order of the list, behind them those that a filter hides."""
        view = self._desk.view
        ids = frozenset[str]().union(*(row_list.marked for row_list in self._lists()))
        if view is None or not ids:
            return ()
        shown = [row.id for row in self._list.rows if row.id in ids]
        hidden = ids.difference(shown)
        order = [*shown, *(row_id for row_id in view.items if row_id in hidden)]
        return tuple(view.items[row_id] for row_id in order if row_id in view.items)

    @property
    def hidden_marks(self) -> int:
        """How many marked memories a filter hides."""
        shown = {row.id for row in self._list.rows}
        return sum(item.row_id not in shown for item in self.marked)

    def mark(self, ids: Iterable[str]) -> None:
        """Mark these memories and no others, in every list that shows them; ends a range."""
        ids = frozenset(ids)
        for row_list in self._lists():
            row_list.marked = ids

    def end_range(self, *, keeps_marks: bool = True) -> bool:
        """End a range; whether there was one. What it covers stays marked, or gets back what it was."""
        ranging = [row_list for row_list in self._lists() if row_list.is_ranging]
        for row_list in ranging:
            row_list.end_range(keeps_marks=keeps_marks)
            self.mark(row_list.marked)
        return bool(ranging)

    def drop_marks(self) -> bool:
        """Take a range away, else the marks; whether there was one of them."""
        if self.end_range(keeps_marks=False):
            return True
        had = bool(self.marked)
        self.mark(())
        return had

    def _lists(self) -> tuple[RowList, ...]:
        desk = self._desk
        return (desk.index.list, desk.search.list) if desk.is_complete else (desk.index.list,)


def new_row(before: View, view: View, cursor_id: str) -> str:
    """The row of the memory that a change made, '' when there is none.

    A memory that shares its file has its text for an id: one beside it may have got another id although it says
    the same. So one with a place and title that nothing had before is it, else what took the cursor's place.
    """
    new = [item for row_id, item in view.items.items() if row_id not in before.items]

    def place(item: Item, of: View) -> tuple[str, str, str]:
        return of.stores[item.store].snapshot.store.id, item.memory.file, item.memory.title

    known = {place(item, before) for item in before.items.values()}
    under = before.items.get(cursor_id)
    ranked = [
        *(item for item in new if place(item, view) not in known),
        *(item for item in new if under is not None and place(item, view) == place(under, before)),
        *new,
    ]
    return ranked[0].row_id if ranked else ""
