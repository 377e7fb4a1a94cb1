"""Hints: one sentence at a time that tells of a key, until the person has used it a few times.

What is told of stops by itself: `Desk.hint` gives '' for a command that was used often enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.ui.commands import BY_ID

if TYPE_CHECKING:
    from memtui.ui.desk import Desk

HINTED = frozenset({"help", "search", "add", "undo", "redo", "mark", "where"})
"""Commands that hints tell of: their uses are counted."""


def hint_of(desk: Desk) -> str:
    """The one hint for this moment, '' when the person knows the keys that would help here."""
    if desk.view is None:
        return ""
    sentences = {
        "search": searches(desk),
        "mark": _("space marks several") if "mark" in BY_ID and len(desk.view.items) > 1 else "",
    }
    hints = (desk.hint(command_id, sentence) for command_id, sentence in sentences.items() if sentence)
    return next(filter(None, hints), "")


def searches(desk: Desk) -> str:
    """That `/` searches the sessions of this machine, '' while none are known."""
    count = desk.searching.session_count
    if not count:
        return ""
    return ngettext("/ searches {count} session", "/ searches {count} sessions", count).format(count=count)
