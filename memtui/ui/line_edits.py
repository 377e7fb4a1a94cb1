"""Edits of one line, in place: a memory's hook or description, its name, a new memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.asking import why_not_index
from memtui.ui.metering import EditsOf, Metering

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
        item = self._changing.changeable("rename")
        if item is None:
            return
        memory = item.memory
        name = memory.file.rsplit("/", 1)[-1].removesuffix(".md")

        def edits_of(text: str) -> tuple[Edit, ...]:
            from memtui.core.layouts.base import Rename

            return (Rename(memory.id, text),)

        self._type_over(item, _("name of {file}").format(file=item.file), name, "rename", edits_of)

    def _type_over(self, item: Item, label: str, now: str, verb: str, edits_of: EditsOf) -> None:
        from memtui.core.safety import display

        if display.line(now) != now.replace("\ufe0f", ""):
            self._desk.say(_("it holds characters that one line cannot show; e edits it"), "warn")
            return
        snapshot = self._changing.snapshot_of(item)
        self._metering.ask(label, snapshot, verb, edits_of, value=now, unchanged=now)

    def add(self) -> None:
        """Ask for a title and one line about it, then make it."""
        desk = self._desk
        if desk.store is None:
            desk.say(_("no store is used here; w shows them all"), "warn")
            return
        snapshot = desk.store.snapshot
        why_not = why_not_index(snapshot)
        if why_not:
            desk.say(why_not, "warn")
            return

        def edits_of(title: str) -> tuple[Edit, ...]:
            from memtui.core.layouts.base import Add

            return (Add(title.strip()),) if title.strip() else ()

        store = desk.store.name

        def titled(title: str) -> None:
            if title.strip():
                self._describe(snapshot, title.strip(), store)
            else:
                desk.say(_("nothing was added"), "muted")

        label = _("new in {store}, 1 of 2, title").format(store=store)
        self._metering.ask(label, snapshot, "add", edits_of, then=titled)

    def _describe(self, snapshot: Snapshot, title: str, store: str) -> None:
        def edits_of(text: str) -> tuple[Edit, ...]:
            from memtui.core.layouts.base import Add

            return (Add(title, text.strip()),)

        label = _("new in {store}, 2 of 2, one line about “{title}”").format(store=store, title=title)
        self._metering.ask(label, snapshot, "add", edits_of)
