"""Which keys the key bar shows at this moment."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memtui.ui.offers import key_bar, query_keys
from memtui.ui.why_not import here_of, why_not_here

if TYPE_CHECKING:
    from memtui.ui.desk import Desk


def keys_now(desk: Desk) -> list[tuple[str, str]]:
    """Keys and labels: those of a query while one is typed, else those that what the cursor is on takes."""
    if desk.searching.is_typing:
        return query_keys()
    here = here_of(desk)
    called, why_not = desk.beside.labels(here.session), partial(why_not_here, here)
    return key_bar(here.scope, why_not, pane=here.active, marks=here.marks, called=called)
