"""The keys that copy: `y` what leads there, `Y` the text itself. What is said names the place it went to."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.cells import cell_len

from memtui.i18n import _, ngettext
from memtui.ui.wanted_text import TextOf, memory_text, message_text

if TYPE_CHECKING:
    from memtui.core.library import Session
    from memtui.core.workspace import Workspace
    from memtui.ui.clipboard import Copied
    from memtui.ui.desk import Desk
    from memtui.ui.view import Item

Say = Callable[[str, str], None]
"""Says a sentence that is safe for display, with its ink."""

PATH_CELLS = 32
"""Cells of a path in what is said."""


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
        self._copy_wanted(memory_text(self._desk))

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

    def copy_resume(self) -> None:
        """The command that continues the session under the cursor."""
        session = self._session
        if session is not None:
            self.copy_resume_of(session)

    def copy_resume_of(self, session: Session, *, because: str = "") -> None:
        """The command that continues a session; `because` (safe) is said first, where it was not asked for."""
        env = self._desk.app.env

        def command(workspace: Workspace) -> tuple[str, str]:
            from memtui.core.library import Library
            from memtui.core.safety import display

            resume = Library(env).resume(session)
            if not resume.command:
                return "", display.line(resume.note)
            what = _("the command that continues it")
            return resume.command, f"{what} ({display.line(resume.note)})" if resume.note else what

        copy_text(self._desk, command, self._desk.say, because=because)

    def copy_message(self) -> None:
        """What is selected, else the text of the message under the cursor."""
        self._copy_wanted(message_text(self._desk, _("Enter opens it; then Y copies a message")))

    @property
    def _session(self) -> Session | None:
        session = self._desk.session
        if session is None:
            self._desk.say(_("there is no session under the cursor"), "muted")
        return session

    def _copy_wanted(self, text_of: TextOf | None) -> None:
        if text_of is not None:
            self._copy(text_of)

    def _copy(self, text_of: TextOf) -> None:
        copy_text(self._desk, text_of, self._desk.say)


def path_end(path: str) -> str:
    """A path for a sentence that may be cut on the right: its last parts, at least the last."""
    *folders, end = path.split("/")
    while folders and cell_len(end) + cell_len(folders[-1]) < PATH_CELLS:
        end = f"{folders.pop()}/{end}"
    return f"…/{end}" if folders else end


def copy_text(desk: Desk, text_of: TextOf, say: Say, *, because: str = "") -> None:
    """Copy a text, and say where it went (or why nothing did) with its ink; `because` (safe) is said first,
    where copying was not asked for."""
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
            say(_after(because, what), "warn")
        else:
            say_copied(desk, copied, what, say, because=because)

    desk.work.do(job, then, failed=desk.say_error)


def say_copied(desk: Desk, copied: Copied, what: str, say: Say, *, because: str = "") -> None:
    """Say where a text went, and send the terminal its part of it."""
    if copied.for_terminal is not None:
        desk.app.send_to_terminal(copied.for_terminal)
    ink = "good" if copied.is_there and not because else "warn"
    say(_after(because, f"{copied.where}: {what}"), ink)


def _after(because: str, text: str) -> str:
    return f"{because} · {text}" if because else text
