"""What is selected with the mouse, and whether that is what the file holds to the letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk
    from memtui.ui.wanted_text import TextOf


def selected_text(desk: Desk, text: str) -> TextOf:
    """The text that is selected, with a name that tells where it is not what the file holds: rendered, or
    with signs in place of what cannot be seen."""
    topic = desk.topic
    view, span = topic.text, topic.text.selected_lines
    item = desk.view.items.get(topic.shown_id) if desk.view is not None else None
    if span is None or item is None or desk.view is None:
        return lambda workspace: (text, _sized(_("the selected text ({size})"), text))
    if topic.rendered is not None:
        return lambda workspace: (text, _sized(_("the selected text as rendered ({size})"), text))
    first, last = span
    shown = list(view.lines[first - 1 : last])
    snapshot, memory_id = desk.view.stores[item.store].snapshot, item.memory.id

    def selected(workspace: Workspace) -> tuple[str, str]:
        found = workspace.text(snapshot, memory_id)
        source = "" if found is None else found.text.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        lines = [line.removesuffix("\r") for line in source.split("\n")[first - 1 : last]]
        if lines == shown:
            return text, _sized(_("the selected text ({size})"), text)
        return text, _sized(_("the selected text as shown, with signs for what is hidden ({size})"), text)

    return selected


def _sized(words: str, text: str) -> str:
    from memtui.ui import wording

    return words.format(size=wording.size(len(text.encode("utf-8", "surrogatepass"))))
