"""Carrying memories to another store, or to another group of their own: where to, what is not kept, then y."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass
from memtui.ui.asking import keyed, short, why_read_only
from memtui.ui.bulk import count_words, sharers
from memtui.ui.hindrances import ask_once_more
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.layouts.base import Snapshot, Store
    from memtui.core.workspace import Outcome, Plan, Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item, View
    from memtui.ui.widgets.spans import Span

OFFERED = 9
"""Stores that are offered, one digit each."""


@dataclass(frozen=True, slots=True)
class Load:
    """The memories to carry, all of one store; `why_not_move` says why they can only be copied ('' = both)."""

    snapshot: Snapshot
    items: tuple[Item, ...]
    what: str
    why_not_move: str

    @property
    def ids(self) -> tuple[str, ...]:
        """Their ids."""
        return tuple(item.memory.id for item in self.items)

    @property
    def other_groups(self) -> tuple[str, ...]:
        """The groups of their store, where those are always the same, but for the one they are all in."""
        here = {item.memory.group for item in self.items}
        known = self.snapshot.store.profile.groups
        return tuple(group for group in known if here != {group})


def load_of(view: View, items: tuple[Item, ...]) -> Load:
    """What is to be carried: `items`, which are of one store."""
    from memtui.core.safety import display

    snapshot = view.stores[items[0].store].snapshot
    stays = next((item for item in items if "delete" in item.memory.why_not), None)
    why = why_read_only(snapshot)
    if not why and stays is not None:
        why = _("{file}: {reason}").format(file=stays.name, reason=display.line(stays.memory.why_not["delete"]))
    what = count_words(len(items))
    if len(items) == 1:
        what = _("“{title}”").format(title=short(items[0].title))
    return Load(snapshot, items, what, why)


class Moving:
    """The one command of its name, and the questions that follow it."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    def move(self) -> None:
        """Ask where to; of all that are marked, else of the memory under the cursor."""
        desk = self._desk
        desk.listing.end_range()
        items = desk.marked or ((desk.item,) if desk.item is not None else ())
        if not items or desk.view is None:
            desk.say(_("there is no memory under the cursor"), "muted")
            return
        if len({item.store for item in items}) > 1:
            desk.say(_("the marked memories are in several stores: move them store by store"), "warn")
            return
        load = load_of(desk.view, items)

        def job(workspace: Workspace) -> tuple[Store, ...]:
            from memtui.core.store_actions import StoreActions

            return StoreActions(workspace).targets(load.snapshot)

        desk.work.do(job, lambda stores: self._ask(load, stores, copy=bool(load.why_not_move)), channel="move")

    # Where to

    def _ask(self, load: Load, stores: tuple[Store, ...], *, copy: bool) -> None:
        groups: tuple[str, ...] = ()
        names_groups = False
        if not copy:
            groups = load.other_groups
            names_groups = load.snapshot.store.profile.names_groups
        if not stores and not groups and not names_groups:
            self._desk.say(_("there is no other store that it could go to; w shows every store"), "warn")
            return
        by_key = {str(number): store for number, store in enumerate(stores[:OFFERED], 1)}
        names = store_names(stores, self._desk.app.env.home)
        choices = [Choice(key, names[store.id]) for key, store in by_key.items()]
        letters = keyed(groups, taken="cnt")
        choices += [Choice(key, _("group {group}").format(group=group)) for key, group in letters.items()]
        choices += [Choice("t", _("another topic"))] if names_groups else []
        if stores and not copy:
            choices.append(Choice("c", _("copy instead")))
        choices.append(Choice("n", _("leave it")))

        def answered(key: str) -> None:
            if key == "c":
                self._ask(load, stores, copy=True)
            elif key == "t":
                self._ask_topic(load)
            elif key in letters:
                self._regroup(load, letters[key], key)
            elif key in by_key:
                self._carry(load, by_key[key], names[by_key[key].id], key, copy=copy)

        text = _("Copy {what} to:") if copy else _("Move {what} to:")
        details: list[list[Span]] = []
        if load.why_not_move:
            rows = self._desk.wrapped(_("only a copy: {reason}").format(reason=load.why_not_move))
            details += [[(row, "warn")] for row in rows]
        if len(stores) > OFFERED:
            more = len(stores) - OFFERED
            said = ngettext("{count} more store: `memtui move`", "{count} more stores: `memtui move`", more)
            details.append([(said.format(count=more), "muted")])
        self._desk.ask_bar.ask(
            text.format(what=load.what), choices, answered, opener="M", details=details, about=self._about(load)
        )

    def _hidden(self, load: Load) -> list[list[Span]]:
        """What a filter hides of what is marked."""
        hidden = self._desk.listing.hidden_marks if len(load.items) > 1 else 0
        if not hidden:
            return []
        said = ngettext(
            "{count} of them is hidden by the filter", "{count} of them are hidden by the filter", hidden
        )
        return [[(said.format(count=hidden), "warn")]]

    def _sharers(self, load: Load) -> str:
        """The other projects that many memories would be taken away from; '' for one, which is no bulk."""
        view = self._desk.view
        return sharers(view, load.items, self._desk.app.env.home) if view and len(load.items) > 1 else ""

    def _about(self, load: Load) -> str:
        return load.items[0].row_id if len(load.items) == 1 else ""

    def _ask_topic(self, load: Load) -> None:
        from memtui.ui.topics import topics_of

        def typed(topic: str | None) -> None:
            if topic and topic.strip():
                self._regroup(load, topic.strip(), "")

        here = load.items[0].memory.group
        known = [topic for topic in topics_of(load.snapshot, here) if topic != here]
        label = _("topic for {what}").format(what=load.what)
        self._desk.line_input.ask(label, typed, suggestions=known)

    # What is not kept, and y

    def _regroup(self, load: Load, group: str, opener: str) -> None:
        from memtui.core.layouts.base import Regroup

        snapshot = load.snapshot
        edits = tuple(
            Regroup(item.memory.id, group) for item in load.items if item.memory.group != group
        ) or tuple(Regroup(memory_id, group) for memory_id in load.ids)
        self._changing.propose(
            _("Move {what} to {place}?").format(what=load.what, place=_safe(group)),
            lambda workspace: workspace.plan(snapshot, "move", edits),
            lambda: ask_once_more(
                self._desk.ask_bar, self._sharers(load), lambda: self._changing.change(snapshot, "move", edits)
            ),
            details=self._hidden(load),
            opener=opener,
            hint=_("(u takes it back)"),
            about=self._about(load),
        )

    def _carry(
        self, load: Load, store: Store, name: str, opener: str, *, copy: bool, insists: bool = False
    ) -> None:
        from memtui.core.store_actions import StoreActions, Wish

        wish = Wish(insists=insists)

        def plan_of(workspace: Workspace) -> Plan:
            return StoreActions(workspace).plan_move(load.snapshot, load.ids, store, copy=copy, wish=wish)

        def job(workspace: Workspace, takes_over: Collection[Path]) -> Outcome:
            return StoreActions(workspace).move(
                load.snapshot, load.ids, store, copy=copy, wish=wish, takes_over=takes_over
            )

        def refused(error: MemtuiError) -> None:
            self._changing.unless_insisted(
                error,
                lambda: self._carry(load, store, name, "y", copy=copy, insists=True),
                lambda: self._changing.failed(error),
            )

        text = _("Copy {what} to {place}?") if copy else _("Move {what} to {place}?")
        hint = _("(u takes it back)") if copy else _("(u brings it back)")
        self._changing.propose(
            text.format(what=load.what, place=name),
            plan_of,
            lambda: ask_once_more(
                self._desk.ask_bar,
                "" if copy else self._sharers(load),
                lambda: self._changing.do(job, about=self._about(load)),
            ),
            refused=refused,
            details=self._hidden(load),
            opener=opener,
            hint=hint,
            about=self._about(load),
        )


def store_names(stores: tuple[Store, ...], home: Path) -> dict[str, str]:
    """What each store is called among these, by its id: one that is not used here by its place."""
    from memtui.ui import wording

    owners = [store.owner for store in stores if store.used]
    found = {}
    for store in stores:
        if store.used:
            found[store.id] = _safe(store.owner if owners.count(store.owner) == 1 else store.id)
        else:
            place = wording.place(store.root, home)
            found[store.id] = _("{place} (not used here)").format(place=place)
    return found


def _safe(text: str) -> str:
    from memtui.core.safety import display

    return display.line(text)
