"""What the keys do to a memory: asking, and handing the edit over. Each method returns at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memtui.i18n import _
from memtui.ui.asking import NO, YES, what_goes, why_not_index
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.layouts.base import Snapshot
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item


class Verbs:
    """One method a verb; each is called in the UI thread and returns at once."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing

    # Taking away, and back

    def delete(self) -> None:
        """Ask, naming the file and its index lines; `y` does it."""
        item = self._changing.changeable("delete")
        if item is None:
            return
        snapshot = self._changing.snapshot_of(item)
        what = what_goes(item, snapshot.store.profile.index_name)
        question = _("Delete {what}?").format(what=what)
        if snapshot.store.shared_by:
            question = _("Delete {what}, also for {projects}?").format(
                what=what, projects=self._others(snapshot)
            )

        def answered(key: str) -> None:
            if key == "y":
                from memtui.core.layouts.base import Remove

                self._changing.change(snapshot, "delete", (Remove(item.memory.id),))

        hint = _("(u brings it back)")
        self._desk.ask_bar.ask(question, (YES, NO), answered, opener="d", hint=hint, about=item.row_id)

    def _others(self, snapshot: Snapshot) -> str:
        from memtui.ui import wording

        home = self._desk.app.env.home
        return ", ".join(wording.sentence(project, home) for project in snapshot.store.shared_by)

    def undo(self) -> None:
        """Take the last change back."""
        self._changing.do(lambda workspace: workspace.undo(), hint=_("ctrl+r does it again"))

    def redo(self) -> None:
        """Make the change undone last again."""
        self._changing.do(lambda workspace: workspace.redo())

    # Fields

    def type(self) -> None:
        """Ask for the type by its first letter."""
        item = self._changing.changeable("type")
        if item is None:
            return
        snapshot = self._changing.snapshot_of(item)
        types = snapshot.store.profile.types
        words = {word[0]: word for word in types}
        choices = [Choice(letter, word, is_change=True) for letter, word in words.items()]

        def answered(key: str) -> None:
            if key:
                self._set(snapshot, item, "type", words[key])

        question = _("Type of {title}?").format(title=item.title)
        self._desk.ask_bar.ask(question, choices, answered, opener="t", about=item.row_id)

    def line(self) -> None:
        """Change its one line: the description, or the hook where that says something else."""
        item = self._changing.changeable("description")
        if item is None:
            return
        snapshot, memory = self._changing.snapshot_of(item), item.memory
        is_hook = bool(memory.hook) and memory.hook != memory.description
        field, now = ("hook", memory.hook or "") if is_hook else ("description", memory.description)
        label = _("index line") if is_hook else _("description")
        self._type_over(item, label, now, lambda text: self._set(snapshot, item, field, text))

    def rename(self) -> None:
        """Change its name: the file's, and what names it."""
        item = self._changing.changeable("rename")
        if item is None:
            return
        snapshot = self._changing.snapshot_of(item)
        name = item.memory.file.rsplit("/", 1)[-1].removesuffix(".md")

        def rename(text: str) -> None:
            from memtui.core.layouts.base import Rename

            self._changing.change(snapshot, "rename", (Rename(item.memory.id, text),))

        self._type_over(item, _("name"), name, rename)

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

        def titled(title: str | None) -> None:
            if title is not None and title.strip():
                described = self._described(snapshot, title.strip())
                desk.line_input.ask(_("about {title}").format(title=title.strip()), described)

        several = desk.view is not None and len(desk.view.stores) > 1
        label = _("title, in {store}").format(store=desk.store.name) if several else _("title")
        desk.line_input.ask(label, titled)

    def _described(self, snapshot: Snapshot, title: str) -> Callable[[str | None], None]:
        def described(text: str | None) -> None:
            if text is not None:
                from memtui.core.layouts.base import Add

                self._changing.change(snapshot, "add", (Add(title, text.strip()),))

        return described

    def _type_over(self, item: Item, label: str, now: str, then: Callable[[str], None]) -> None:
        from memtui.core.safety import display

        if display.line(now) != now.replace("\ufe0f", ""):
            self._desk.say(_("it holds characters that one line cannot show; e edits it"), "warn")
            return

        def typed(text: str | None) -> None:
            if text is not None and text != now:
                then(text)

        self._desk.line_input.ask(label, typed, value=now)

    def _set(self, snapshot: Snapshot, item: Item, field: Any, value: str) -> None:
        from memtui.core.layouts.base import SetField

        self._changing.change(snapshot, "set", (SetField(item.memory.id, field, value),))
