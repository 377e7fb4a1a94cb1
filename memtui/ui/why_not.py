"""Why a command cannot be done on what is under the cursor: one sentence for the key, the palette and the help.

Only what the screen already knows is asked: nothing is read for it, so '' is no promise that it will work.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, islice
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.late.dataclasses import dataclass
from memtui.ui.commands import BY_ID, SHARED, Scope

if TYPE_CHECKING:
    from memtui.core.library import Session
    from memtui.ui.desk import Desk
    from memtui.ui.navigation import PaneName
    from memtui.ui.view import Item, Notice, StoreView, View

ASKS_THE_HISTORY = frozenset({"undo", "redo"})
"""Commands that are tried whatever is said here: other programs write to the history too."""

VERBS = {
    "delete": "delete",
    "edit": "edit",
    "line": "description",
    "rename": "rename",
    "type": "type",
    "merge": "delete",
    "split": "edit",
}
"""Commands that a memory may refuse, by the name that `Memory.why_not` has for them."""

ON_MARKED = frozenset(
    {"delete", "type", "move", "merge", "index_lines", "copy_path", "copy_text", "insert_text"}
)
"""Commands that act on the marked memories where there are any."""

ON_A_STORE = frozenset({"add", "edit_index"})
"""Commands of a memory's scope that need its store only."""


ON_A_ROW = frozenset({"repair", "repair_all"})
"""Commands of a memory's scope that are about whatever row there is: their rule says it all."""


@dataclass(frozen=True, slots=True)
class Here:
    """What commands are about at one moment, looked up once for all of them."""

    desk: Desk
    active: PaneName
    scope: Scope
    view: View | None
    item: Item | None
    notice: Notice | None
    store: StoreView | None
    session: Session | None
    is_reading: bool
    marks: int


def here_of(desk: Desk) -> Here:
    """What commands are about now."""
    return Here(
        desk=desk,
        active=desk.app.navigation.active,
        scope=desk.scope,
        view=desk.view,
        item=desk.item,
        notice=desk.notice,
        store=desk.store,
        session=desk.session,
        is_reading=desk.reading.is_open,
        marks=len(getattr(desk, "marked", ())),
    )


def why_not(desk: Desk, command_id: str) -> str:
    """Why a command of the table cannot be done now, '' when it can (as far as the screen knows)."""
    return why_not_here(here_of(desk), command_id)


def why_not_here(here: Here, command_id: str) -> str:
    """The same about a moment that was looked up before."""
    reason = _of_kind(here, command_id)
    rule = RULES.get(command_id)
    return reason or (rule(here) if rule is not None else "")


def _of_kind(here: Here, command_id: str) -> str:
    """Why this kind of command has nothing to act on."""
    scope = BY_ID[command_id].scope
    if scope in SHARED:
        return ""
    if scope == "session":
        return "" if here.session is not None else _("there is no session under the cursor")
    if here.view is None:
        return _reading(here)
    if command_id in ON_A_ROW:
        return ""
    if command_id in ON_A_STORE:
        return _of_store(here, command_id)
    if here.marks and command_id in ON_MARKED:
        return ""
    if here.item is None:
        return _("there is no memory under the cursor")
    from memtui.core.safety import display
    from memtui.ui.asking import naming_verb, refusal_of

    verb = naming_verb(here.item.memory) if command_id == "rename" else VERBS.get(command_id)
    why = here.item.memory.why_not.get(verb, "") if verb is not None else ""
    if not why:
        return ""
    return refusal_of(here.view.stores[here.item.store].snapshot, here.item, display.line(why))


def _of_store(here: Here, command_id: str) -> str:
    from memtui.ui.asking import why_not_edit_index, why_not_index

    if here.store is None:
        return _("no store is used here; w shows them all")
    snapshot = here.store.snapshot
    return why_not_edit_index(snapshot) if command_id == "edit_index" else why_not_index(snapshot)


def _reading(here: Here) -> str:
    return _("the memories are not read yet") if here.view is None else ""


# Moving and opening


def _move(here: Here) -> str:
    if here.active == "index" and not here.desk.index.list.rows:
        return _reading(here) or _("the list is empty")
    if here.active == "search" and not here.desk.search.list.rows:
        return _("the list is empty")
    return ""


def _open(here: Here) -> str:
    if here.active == "topic":
        return _("this is the text already; h leads back")
    if here.active == "search":
        there = here.desk.searching.target is not None
        return "" if there else _("there is nothing under the cursor that could be opened")
    is_on_one = here.item is not None or here.notice is not None
    return _reading(here) or ("" if is_on_one else _("there is no memory under the cursor"))


def _back(here: Here) -> str:
    if here.active != "index" or here.desk.is_filtered or here.marks or here.desk.topic.text.text_selection:
        return ""
    return _("this is the list; q leaves memtui")


def _pane(name: PaneName) -> Callable[[Here], str]:
    def rule(here: Here) -> str:
        return _("this pane is the active one already") if here.active == name else ""

    return rule


def _hit(here: Here) -> str:
    if here.desk.reading.has_hits if here.is_reading else here.desk.finding.typed:
        return ""
    return _("nothing is searched for here; / does")


def _store_step(here: Here) -> str:
    if here.view is None:
        return _reading(here)
    return "" if len(here.view.stores) > 1 else _("there is only one store here; w shows them all")


def _problem(here: Here) -> str:
    if here.view is None:
        return _reading(here)
    rows = (item.row_id for item in here.view.items.values() if item.problems)
    with_problems = list(islice(chain(here.view.notices, rows), 2))
    if not with_problems:
        return _("no memory here has a problem")
    if with_problems == [here.desk.index.list.cursor_id] and here.active == "index":
        return _("no other memory here has a problem")
    return ""


def _filter(here: Here) -> str:
    if here.active == "search":
        return "" if here.desk.searching.session_count else _("there is no session to filter yet")
    if here.view is None:
        return _reading(here)
    return "" if here.view.items else _("there is no memory to filter yet")


def _sort(here: Here) -> str:
    if here.active == "search" or (here.active == "topic" and here.is_reading):
        if not here.desk.searching.lists_sessions:
            return _("what was found stands best first; s sorts the sessions while nothing is typed")
        return "" if here.desk.searching.session_count else _("there is no session to sort yet")
    if here.view is None:
        return _reading(here)
    return "" if here.view.items else _("there is no memory to sort yet")


def _triage(here: Here) -> str:
    if here.view is None:
        return _reading(here)
    return "" if here.view.items else _("there is no memory to go through yet")


def _limits(here: Here) -> str:
    if here.view is None:
        return _reading(here)
    budgets = (store.snapshot.budgets for store in here.view.stores)
    from memtui.core.limits import binding_budgets

    return "" if any(map(binding_budgets, budgets)) else _("no agent here has a limit on its memories")


def _changes(here: Here) -> str:
    return _reading(here) if here.view is None else ""


def _zoom(here: Here) -> str:
    return _("this pane has the whole screen already") if here.desk.main.has_class("-narrow") else ""


def _reveal(here: Here) -> str:
    from memtui.ui.revealing import why_not_reveal

    return why_not_reveal(here.desk)


# Changing


def _undo(here: Here) -> str:
    return "" if here.view is not None and here.view.undoable else _("there is nothing to undo here")


def _type(here: Here) -> str:
    item, view = here.item, here.view
    if item is None or view is None or view.stores[item.store].snapshot.store.profile.types:
        return ""
    return _("{owner} knows no types").format(owner=view.stores[item.store].name)


def _merge(here: Here) -> str:
    return "" if here.marks > 1 else _("space marks two or more; then m makes one of them")


def _index_lines(here: Here) -> str:
    if here.marks or here.item is None or here.item.memory.index_lines:
        return ""
    return _("no index line names it")


def _repair(here: Here) -> str:
    from memtui.ui.mending import why_not_mend

    return why_not_mend(here.store, here.item, here.notice)


def _repair_all(here: Here) -> str:
    from memtui.ui.mending import why_not_mend_all

    return why_not_mend_all(here.view, here.desk.marked if here.marks else ())


def _resume(here: Here) -> str:
    session = here.session
    if session is None or session.pi_opens:
        return ""
    from memtui.core.safety import display

    return _("pi cannot continue this session: {why}").format(why=display.line(session.hidden_because))


def _sessions_read(here: Here) -> str:
    return "" if here.desk.searching.session_count else _("no session is known here")


def _message(here: Here) -> str:
    if here.desk.message_offset is not None:
        return ""
    return _("Enter opens it; then Y copies a message")


def _insert(here: Here) -> str:
    from memtui.ui.agents.typing_keys import without_message

    return "" if here.desk.message_offset is not None else without_message()


def _remember(here: Here) -> str:
    if here.desk.message_offset is None:
        return _("Enter opens it; then a remembers a message")
    if here.view is None or here.session is None:
        return _reading(here)
    from memtui.ui.adding import store_for
    from memtui.ui.asking import why_not_index

    store = store_for(here.desk, here.session)
    return why_not_index(store.snapshot) if store is not None else _of_store(here, "add")


def _in_session(here: Here) -> str:
    return "" if here.is_reading and here.active == "topic" else _("Enter opens the session first")


RULES: dict[str, Callable[[Here], str]] = {
    **dict.fromkeys(("down", "up", "first", "last", "half_down", "half_up", "page_down", "page_up"), _move),
    "open": _open,
    "back": _back,
    "pane_index": _pane("index"),
    "pane_topic": _pane("topic"),
    "pane_search": _pane("search"),
    "pane_status": _pane("status"),
    "next_hit": _hit,
    "previous_hit": _hit,
    "next_store": _store_step,
    "previous_store": _store_step,
    "next_problem": _problem,
    "filter": _filter,
    "sort": _sort,
    "triage": _triage,
    "limits": _limits,
    "changes": _changes,
    "changes_since": _changes,
    "zoom": _zoom,
    "reveal": _reveal,
    "undo": _undo,
    "type": _type,
    "merge": _merge,
    "index_lines": _index_lines,
    "repair": _repair,
    "repair_all": _repair_all,
    "resume": _resume,
    "origin": _sessions_read,
    "memories_from": lambda here: _reading(here),
    "copy_message": _message,
    "insert_message": _insert,
    "remember": _remember,
    "next_message": _in_session,
    "previous_message": _in_session,
    "fold_tools": _in_session,
    "fold_thinking": _in_session,
}
"""What else may be in a command's way, by its id; a command without a rule can be done on its kind of thing."""
