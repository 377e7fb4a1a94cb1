"""The keys that copy: `y` what leads there, `Y` the text itself. What is said names the place it went to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.cells import cell_len

from memtui.i18n import _, ngettext

if TYPE_CHECKING:
    from memtui.core.library import Session
    from memtui.core.workspace import Workspace
    from memtui.ui.clipboard import Copied
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item

PATH_CELLS = 32
"""Cells of a path in what is said."""

TextOf = Callable[["Workspace"], tuple[str, str]]
"""Gives a text with its name, or '' with the reason why there is none. Runs on the work thread."""


class Copying:
    """One method a command; each returns at once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def copy_path(self) -> None:
        """The path of the memory under the cursor, or those of all that are marked, one a line."""
        desk = self._desk
        if marked := self._take_marked():
            self._copy_paths(marked)
            return
        item = desk.item
        if item is None or desk.view is None:
            desk.say(_("there is no memory under the cursor"), "muted")
            return
        from memtui.core.safety import display

        path = desk.view.stores[item.store].snapshot.store.root / item.memory.file
        name = path_end(display.path(path, home=desk.app.env.home))
        self._copy(lambda workspace: (str(path), name))

    def copy_text(self) -> None:
        """What is selected, else the text of the memory under the cursor, or those of all that are marked, a
        blank line between."""
        desk = self._desk
        if self._copy_selected():
            return
        if marked := self._take_marked():
            self._copy_texts(marked)
            return
        item = desk.item
        if item is None or desk.view is None:
            desk.say(_("there is no memory under the cursor"), "muted")
            return
        snapshot, memory_id, file = desk.view.stores[item.store].snapshot, item.memory.id, item.name

        def text(workspace: Workspace) -> tuple[str, str]:
            from memtui.ui import wording

            found = workspace.text(snapshot, memory_id)
            if found is None:
                return "", _("{file} has no text").format(file=file)
            size = wording.size(len(found.text))
            what = _("the text of {file} ({size})").format(file=file, size=size)
            return found.text.decode("utf-8", "surrogateescape"), what

        self._copy(text)

    def _copy_selected(self) -> bool:
        from memtui.ui.selected import selected_text

        text = self._desk.app.screen.get_selected_text()
        if text:
            self._copy(selected_text(self._desk, text))
        return bool(text)

    def _take_marked(self) -> tuple[Item, ...]:
        # a verb ends the range that it is about
        self._desk.listing.end_range()
        return self._desk.marked

    def _copy_paths(self, marked: tuple[Item, ...]) -> None:
        view = self._desk.view
        assert view is not None
        roots = [store.snapshot.store.root for store in view.stores]
        paths = "\n".join(str(roots[item.store] / item.memory.file) for item in marked)
        what = ngettext("{count} path", "{count} paths", len(marked)).format(count=len(marked))
        self._copy(lambda workspace: (paths, what))

    def _copy_texts(self, marked: tuple[Item, ...]) -> None:
        view = self._desk.view
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

        self._copy(texts)

    def copy_resume(self) -> None:
        """The command that continues the session under the cursor."""
        session = self._session
        if session is not None:
            self.copy_resume_of(session)

    def copy_resume_of(self, session: Session, *, because: str = "") -> None:
        """The command that continues a session; `because` (safe) is said first, where it was not asked for."""
        env, say = self._desk.app.env, self._desk.say

        def say_why(text: str, ink: str) -> None:
            say(f"{because} · {text}" if because else text, "warn" if because else ink)

        def command(workspace: Workspace) -> tuple[str, str]:
            from memtui.core.library import Library
            from memtui.core.safety import display

            resume = Library(env).resume(session)
            if not resume.command:
                return "", display.line(resume.note)
            what = _("the command that continues it")
            return resume.command, f"{what} ({display.line(resume.note)})" if resume.note else what

        copy_text(self._desk, command, say_why)

    def copy_message(self) -> None:
        """What is selected, else the text of the message under the cursor."""
        if self._copy_selected():
            return
        session = self._session
        if session is None:
            return
        desk = self._desk
        offset = desk.message_offset
        if offset is None:
            desk.say(_("Enter opens it; then Y copies a message"), "muted")
            return
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

        self._copy(text)

    @property
    def _session(self) -> Session | None:
        session = self._desk.session
        if session is None:
            self._desk.say(_("there is no session under the cursor"), "muted")
        return session

    def _copy(self, text_of: TextOf) -> None:
        copy_text(self._desk, text_of, self._desk.say)


def path_end(path: str) -> str:
    """A path for a sentence that may be cut on the right: its last parts, at least the last."""
    *folders, end = path.split("/")
    while folders and cell_len(end) + cell_len(folders[-1]) < PATH_CELLS:
        end = f"{folders.pop()}/{end}"
    return f"…/{end}" if folders else end


def copy_text(desk: Desk, text_of: TextOf, say: Callable[[str, str], None]) -> None:
    """Copy a text, and say where it went (or why nothing did) with its ink."""
    env = desk.app.env

    def job(workspace: Workspace) -> tuple[str, Copied | None]:
        from memtui.core.safety import secrets
        from memtui.ui.clipboard import copy

        text, what = text_of(workspace)
        if secrets.find(text):
            what = _("{what}, with a secret in it").format(what=what)
        return what, copy(env, text) if text else None

    def then(found: tuple[str, Copied | None]) -> None:
        what, copied = found
        if copied is None:
            say(what, "warn")
            return
        if copied.for_terminal is not None:
            desk.app.send_to_terminal(copied.for_terminal)
        say(f"{copied.where}: {what}", "good" if copied.is_there else "warn")

    desk.work.do(job, then, failed=desk.say_error)
