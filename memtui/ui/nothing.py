"""What stands where there is nothing to show: why, and what can be done. Pure; the most important line first,
because a short screen has no room for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.ui.view import StoreView, View

Lines = list[list[Span]]


def no_memory(view: View, why_not_add: str = "", searches: str = "") -> Lines:
    """No memory in any store: where each owner would keep one. `why_not_add` is the reason why `a` cannot add,
    `searches` tells that there are sessions; both '' where there is nothing to tell."""
    from memtui.ui.status_text import own_lines
    from memtui.ui.view import is_unreadable

    unreadable = [store for store in view.stores if is_unreadable(store)]
    if unreadable:
        lines: Lines = own_lines(unreadable, ("error", "warning", "note", ""))
        return [*lines, [(_("F5 reads again · w shows every store"), "muted")]]
    adds = [] if why_not_add else [_("a adds one")]
    keys = [*adds, _("w shows every store"), *([searches] if searches else [])]
    lines = [[(_("No memory here yet."), "title")], [(" · ".join(keys), "muted")]]
    if not view.stores:
        return [*lines, [(_("No agent is known to keep any for this directory."), "")]]
    if why_not_add:
        lines.append([(why_not_add, "warn")])
    for store in view.stores:
        lines.append([(_("{owner} would keep it in").format(owner=store.name), "")])
        lines.append([(f"  {store.path}", "muted"), (f"  ({_state(store)})", "muted")])
    return lines


def _state(store: StoreView) -> str:
    place = store.snapshot.store
    if not place.exists:
        return _("nothing there")
    return _("empty") if place.writable else _("empty, read-only")


def not_read(message: str) -> Lines:
    """The stores could not be read at all; `message` is safe and says why."""
    return [
        [(_("The memories could not be read."), "title")],
        [(message, "error")],
        [(_("F5 reads again · w shows every store · q leaves"), "muted")],
    ]


def no_sessions(here: bool, others: int) -> str:
    """No session is listed; `others` is how many there are in other projects."""
    if here and others:
        return _("no sessions here; H shows the {count} of all projects").format(count=others)
    return _("no sessions here, nor in any other project")


def nothing_found(here: bool) -> str:
    """A search found nothing; `here` = it looked into this project's sessions only."""
    again = _("/ changes the query")
    if here:
        again += " · " + _("H searches all projects")
    return _("nothing found") + " · " + again


def no_text(view: View | None, active: str) -> Sequence[str]:
    """The lines of the text pane while nothing is under the cursor."""
    if view is None:
        return (_("reading …"),)
    if active == "search":
        return (_("Enter opens what is under the cursor."),)
    return (
        _("No memory is under the cursor."),
        _("Enter on a session (3) or on something found (/) opens it."),
    )
