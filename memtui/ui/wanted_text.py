"""The text that a key is about which takes one: what is selected, else what is marked or under the cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.workspace import Workspace
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item

TextOf = Callable[["Workspace"], tuple[str, str]]
"""Gives a text with its name, or '' with the reason why there is none. Runs on the work thread."""


def memory_text(desk: Desk) -> TextOf | None:
    """What is selected, else the texts of all that are marked, a blank line between, else that of the memory
    under the cursor. None where there is none, which is said."""
    if (selected := _selected(desk)) is not None:
        return selected
    # a verb ends the range that it is about
    desk.listing.end_range()
    if marked := desk.marked:
        return _of_marked(desk, marked)
    item = desk.item
    if item is None or desk.view is None:
        desk.say(_("there is no memory under the cursor"), "muted")
        return None
    snapshot, memory_id, file = desk.view.stores[item.store].snapshot, item.memory.id, item.name

    def text(workspace: Workspace) -> tuple[str, str]:
        from memtui.ui import wording

        found = workspace.text(snapshot, memory_id)
        if found is None:
            return "", _("{file} has no text").format(file=file)
        size = wording.size(len(found.text))
        what = _("the text of {file} ({size})").format(file=file, size=size)
        return found.text.decode("utf-8", "surrogateescape"), what

    return text


def _of_marked(desk: Desk, marked: tuple[Item, ...]) -> TextOf:
    view = desk.view
    assert view is not None

    def texts(workspace: Workspace) -> tuple[str, str]:
        from memtui.ui import wording

        found = [workspace.text(view.stores[item.store].snapshot, item.memory.id) for item in marked]
        texts = [text.text for text in found if text is not None]
        if not texts:
            return "", _("none of the marked has a text")
        whole = b"\n".join(text if text.endswith(b"\n") else text + b"\n" for text in texts)
        what = _("{count} of {marked} texts ({size})").format(
            count=len(texts), marked=len(marked), size=wording.size(len(whole))
        )
        return whole.decode("utf-8", "surrogateescape"), what

    return texts


def message_text(desk: Desk, without_message: str) -> TextOf | None:
    """What is selected, else the text of the message under the cursor. None where there is none, which is said:
    `without_message` where a session has none under the cursor."""
    if (selected := _selected(desk)) is not None:
        return selected
    session, offset = desk.session, desk.message_offset
    if session is None or offset is None:
        desk.say(_("there is no session under the cursor") if session is None else without_message, "muted")
        return None
    env = desk.app.env

    def text(workspace: Workspace) -> tuple[str, str]:
        from memtui.core.library import Library
        from memtui.ui import wording
        from memtui.ui.book import text_of
        from memtui.ui.transcript_lines import moment

        transcript = Library(env).transcript(session.file, offset)
        position = transcript.position_of(offset)
        message = None if position is None else transcript.message(position)
        words = "" if message is None else text_of(message)
        if message is None or not words:
            return "", _("this message has no text")
        size = wording.size(len(words.encode("utf-8", "surrogatepass")))
        when = "" if message.timestamp is None else moment(message.timestamp, env.now())
        return words, _("the message {when} ({size})").format(when=when, size=size)

    return text


def _selected(desk: Desk) -> TextOf | None:
    from memtui.ui.selected import selected_text

    text = desk.app.screen.get_selected_text()
    return selected_text(desk, text) if text else None
