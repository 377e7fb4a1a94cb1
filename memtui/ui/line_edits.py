"""Edits of one line, in place: a memory's hook or description, its name, a new memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.asking import keyed, naming_verb, short, why_not_index
from memtui.ui.metering import EditsOf, Metering
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit, Snapshot
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item


class LineEdits:
    """One method a command; each returns at once."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing
        self._metering = Metering(desk, changing)
        self._last_topics: dict[str, str] = {}

    def line(self) -> None:
        """Change its one line: the description, or the hook where that says something else."""
        item = self._changing.changeable("description")
        if item is None:
            return
        memory = item.memory
        is_hook = bool(memory.hook) and memory.hook != memory.description
        now = (memory.hook or "") if is_hook else memory.description
        label = (_("index line of {file}") if is_hook else _("description of {file}")).format(file=item.file)

        def edits_of(text: str) -> tuple[Edit, ...]:
            from memtui.core.layouts.base import SetField

            return (SetField(memory.id, "hook" if is_hook else "description", text),)

        self._type_over(item, label, now, "set", edits_of)

    def rename(self) -> None:
        """Change its name: the file's, and what names it."""
        here = self._desk.item
        verb = "rename" if here is None else naming_verb(here.memory)
        item = self._changing.changeable(verb)
        if item is None:
            return
        memory = item.memory
        is_entry = memory.span is not None
        name = memory.title if is_entry else memory.file.rsplit("/", 1)[-1].removesuffix(".md")

        def edits_of(text: str) -> tuple[Edit, ...]:
            from memtui.core.layouts.base import Rename, SetField

            return (SetField(memory.id, "title", text) if verb == "title" else Rename(memory.id, text),)

        text = _("first line in {file}") if verb == "title" else _("name of {file}")
        label = text.format(file=item.file if verb == "title" else short(item.name))
        self._type_over(item, label, name, "set" if verb == "title" else "rename", edits_of)

    def _type_over(self, item: Item, label: str, now: str, verb: str, edits_of: EditsOf) -> None:
        from memtui.core.safety import display

        if display.line(now) != now.replace("\ufe0f", ""):
            self._desk.say(_("it holds characters that one line cannot show; e edits it"), "warn")
            return
        snapshot = self._changing.snapshot_of(item)
        group = item.memory.group
        self._metering.ask(label, snapshot, verb, edits_of, value=now, unchanged=now, group=group)

    def add(self) -> None:
        """Ask for the group or topic where there are such, for a title, and one line about it; then make it."""
        desk = self._desk
        if desk.store is None:
            desk.say(_("no store is used here; w shows them all"), "warn")
            return
        snapshot = desk.store.snapshot
        why_not = why_not_index(snapshot)
        if why_not:
            desk.say(why_not, "warn")
            return

        profile, item = snapshot.store.profile, desk.item
        here = "" if item is None else item.memory.group
        place = desk.store.name
        if profile.groups:
            self._ask_group(snapshot, profile.groups, place)
        elif profile.names_groups:
            self._ask_topic(snapshot, self._last_topics.get(snapshot.store.id) or here, place)
        else:
            self._ask_title(snapshot, "", place)

    def _ask_group(self, snapshot: Snapshot, groups: tuple[str, ...], place: str) -> None:
        words = keyed(groups)

        def answered(key: str) -> None:
            if key:
                self._ask_title(snapshot, words[key], f"{place} · {words[key]}")

        text = _("Add to which group of {store}?")
        choices = [Choice(letter, group) for letter, group in words.items()]
        self._desk.ask_bar.ask(text.format(store=place), choices, answered, opener="a")

    def _ask_topic(self, snapshot: Snapshot, first: str, place: str) -> None:
        from memtui.ui.topics import topics_of

        known = topics_of(snapshot, first)

        def typed(topic: str | None) -> None:
            if topic is None:
                return
            topic = topic.strip()
            if topic:
                self._last_topics[snapshot.store.id] = topic
            self._ask_title(snapshot, topic, f"{place} · {topic}")

        label = _("new in {store}, topic").format(store=place)
        value = known[0] if known else ""
        self._desk.line_input.ask(label, typed, value=value, suggestions=known, offers=True)

    def _ask_title(self, snapshot: Snapshot, group: str, place: str) -> None:
        def edits_of(title: str) -> tuple[Edit, ...]:
            from memtui.core.layouts.base import Add

            return (Add(title.strip(), group=group),) if title.strip() else ()

        def titled(title: str) -> None:
            if title.strip():
                self._describe(snapshot, title.strip(), place, group)
            else:
                self._desk.say(_("nothing was added"), "muted")

        label = _("new in {store}, 1 of 2, title").format(store=place)
        self._metering.ask(label, snapshot, "add", edits_of, then=titled, group=group)

    def _describe(self, snapshot: Snapshot, title: str, store: str, group: str) -> None:
        def edits_of(text: str) -> tuple[Edit, ...]:
            from memtui.core.layouts.base import Add

            return (Add(title, text.strip(), group=group),)

        label = _("new in {store}, 2 of 2, one line about “{title}”").format(store=store, title=title)
        self._metering.ask(label, snapshot, "add", edits_of, group=group)
