"""Edits of one line, in place: a memory's hook or description, its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.asking import naming_verb, short
from memtui.ui.metering import EditsOf, Metering

if TYPE_CHECKING:
    from memtui.core.layouts.base import Edit
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
        from memtui.core.safety import display, secrets

        if secrets.find(now):
            self._desk.say(_("it holds a secret, which would be seen: x takes it out, e edits it"), "warn")
            return
        if display.line(now) != now.replace("\ufe0f", ""):
            self._desk.say(_("it holds characters that one line cannot show; e edits it"), "warn")
            return
        snapshot = self._changing.snapshot_of(item)
        group = item.memory.group
        self._metering.ask(label, snapshot, verb, edits_of, value=now, unchanged=now, group=group)
