"""The key that sorts: a menu of one row, by whose letters the list under the cursor is ordered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.arranging import ORDERS, REVERSED, Order
from memtui.ui.asking import LEAVE, menu_question
from memtui.ui.found import SESSION_ORDERS
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.ui.desk import Desk


def next_order(order: str, chosen: str) -> str:
    """The order after choosing one: the same one again is turned over."""
    return REVERSED + chosen if order == chosen else chosen


class Sorting:
    """The one command of its name."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def sort(self) -> None:
        """Ask by what to sort the list; the letter of the order it has turns that over."""
        desk = self._desk
        active = desk.app.navigation.active
        if active != "search" and not (active == "topic" and desk.reading.is_open):
            self._ask(_("Sort memories"), ORDERS, desk.listing.order, desk.listing.sort)
        elif desk.searching.lists_sessions:
            sessions = desk.searching.session_list
            self._ask(_("Sort sessions"), SESSION_ORDERS, sessions.order, sessions.sort)
        else:
            desk.say(
                _("what was found stands best first; s sorts the sessions while nothing is typed"), "muted"
            )

    def _ask(self, what: str, orders: Mapping[str, Order], now: str, then: Callable[[str], None]) -> None:
        order = orders[now.removeprefix(REVERSED)]
        said = _("{order}, reversed").format(order=order.said) if now.startswith(REVERSED) else order.said
        ids = {order.letter: order_id for order_id, order in orders.items()}

        def answered(key: str) -> None:
            if key:
                then(next_order(now, ids[key]))

        choices = [*(Choice(order.letter, order.label) for order in orders.values()), LEAVE]
        self._desk.ask_bar.ask(menu_question(what, said), choices, answered, opener="s")
