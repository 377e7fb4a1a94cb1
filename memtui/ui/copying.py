"""The keys that copy: `y` what leads there, `Y` the text itself. What is said names the place it went to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memtui.i18n import _

if TYPE_CHECKING:
    from memtui.core.library import Session
    from memtui.core.workspace import Workspace
    from memtui.ui.clipboard import Copied
    from memtui.ui.desk import Desk


class Copying:
    """One method a command; each returns at once."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def copy_path(self) -> None:
        """The path of the memory under the cursor."""
        desk = self._desk
        item = desk.item
        if item is None or desk.view is None:
            desk.say(_("there is no memory under the cursor"), "muted")
            return
        from memtui.core.safety import display

        path = desk.view.stores[item.store].snapshot.store.root / item.memory.file
        name = display.path(path, home=desk.app.env.home)
        self._copy(lambda workspace: (str(path), name))

    def copy_text(self) -> None:
        """The text of the memory under the cursor."""
        desk = self._desk
        item = desk.item
        if item is None or desk.view is None:
            desk.say(_("there is no memory under the cursor"), "muted")
            return
        snapshot, memory_id, file = desk.view.stores[item.store].snapshot, item.memory.id, item.file

        def text(workspace: Workspace) -> tuple[str, str]:
            from memtui.ui import wording

            found = workspace.text(snapshot, memory_id)
            if found is None:
                return "", _("{file} has no text").format(file=file)
            size = wording.size(len(found.text))
            what = _("the text of {file} ({size})").format(file=file, size=size)
            return found.text.decode("utf-8", "surrogateescape"), what

        self._copy(text)

    def copy_resume(self) -> None:
        """The command that continues the session under the cursor."""
        session = self._session
        if session is None:
            return
        env = self._desk.app.env

        def command(workspace: Workspace) -> tuple[str, str]:
            from memtui.core.library import Library
            from memtui.core.safety import display

            resume = Library(env).resume(session)
            if not resume.command:
                return "", display.line(resume.note)
            what = _("the command that continues it")
            return resume.command, f"{what} ({display.line(resume.note)})" if resume.note else what

        self._copy(command)

    def copy_message(self) -> None:
        """The text of the message under the cursor."""
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

    def _copy(self, text_of: Callable[[Workspace], tuple[str, str]]) -> None:
        """Copy a text; `text_of` gives it with its name, or '' with the reason why there is none."""
        env = self._desk.app.env

        def job(workspace: Workspace) -> tuple[str, Copied | None]:
            from memtui.ui.clipboard import copy

            text, what = text_of(workspace)
            return what, copy(env, text) if text else None

        def then(found: tuple[str, Copied | None]) -> None:
            what, copied = found
            if copied is None:
                self._desk.say(what, "warn")
                return
            if copied.for_terminal is not None:
                self._desk.app.copy_to_clipboard(copied.for_terminal)
            self._desk.say(f"{what} {copied.where}", "good" if copied.is_there else "warn")

        self._desk.work.do(job, then, failed=self._desk.say_error)
