"""What the keys do to a session: name it, move it to the trash. Each method returns at once."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.asking import NO, YES
from memtui.ui.widgets.field import typed as one_line

if TYPE_CHECKING:
    from memtui.core.errors import MemtuiError
    from memtui.core.library import Session
    from memtui.core.session_actions import Archived, SessionActions
    from memtui.core.workspace import Outcome, Workspace
    from memtui.ui.changing import Changing
    from memtui.ui.desk import Desk


class SessionVerbs:
    """One method a command of the table."""

    def __init__(self, desk: Desk, changing: Changing) -> None:
        self._desk = desk
        self._changing = changing
        self._archived_to = "~/"

    def session_title(self) -> None:
        """Change the session's title in place."""
        session = self._session
        if session is None:
            return
        self._ask_title(session, one_line(session.name or ""))

    def _ask_title(self, session: Session, value: str) -> None:
        from memtui.core.safety import display
        from memtui.core.safety.secrets import masked

        def typed(text: str | None) -> None:
            if text is not None and text.strip() != masked(one_line(session.name or "")).strip():
                self._do(
                    lambda actions: actions.rename_session(session, text.strip()),
                    failed=lambda error: again(text, error),
                )

        def again(text: str, error: MemtuiError) -> None:
            self._desk.say_error(error)
            if not self._desk.is_asking:
                self._ask_title(session, text)

        label = _("title of “{session}”").format(session=display.line(session.title)[:60])
        self._desk.line_input.ask(label, typed, value=masked(value))

    def archive_session(self) -> None:
        """Ask where to, and copy the session there; nothing is written over."""
        session = self._session
        if session is not None:
            self._ask_archive(session, self._archived_to)

    def _ask_archive(self, session: Session, value: str) -> None:
        from memtui.core.safety import display

        env = self._desk.app.env

        def typed(text: str | None) -> None:
            if text is None or not text.strip():
                return
            named = text.strip()
            dest = (
                f"{env.home}/{named[2:]}"
                if named.startswith("~/")
                else str(env.home)
                if named == "~"
                else named
            )
            self._desk.work.do(partial(job, dest), partial(done, named), failed=partial(again, text))

        def job(dest: str, workspace: Workspace) -> Archived:
            from memtui.core.session_actions import SessionActions

            return SessionActions(workspace).archive_session(session, dest)

        def done(named: str, archived: Archived) -> None:
            from memtui.ui import wording

            self._archived_to = named
            path = display.path(archived.path, home=env.home)
            said = _("copied to {path} ({size})").format(path=path, size=wording.size(archived.size_bytes))
            if archived.left_out_bytes:
                said += " · " + _("its last line had no end yet and was left out")
            self._desk.say(said, "good")

        def again(text: str, error: MemtuiError) -> None:
            self._desk.say_error(error)
            if not self._desk.is_asking:
                self._ask_archive(session, text)

        label = _("copy “{session}” to which directory").format(session=display.line(session.title)[:40])
        self._desk.line_input.ask(label, typed, value=value)

    def trash_session(self) -> None:
        """Ask, with what happens to a pi that uses it; `y` moves it to the trash."""
        session = self._session
        if session is None:
            return

        def warning_of(workspace: Workspace) -> str:
            from memtui.core.session_actions import SessionActions

            return SessionActions(workspace).in_use(session)

        self._desk.work.do(warning_of, lambda warning: self._ask(session, warning), failed=self._desk.say_error)

    def _ask(self, session: Session, warning: str) -> None:
        from memtui.core.safety import display

        question = _("Move “{title}” to the trash?").format(title=display.line(session.title)[:60])
        width = max(20, self._desk.app.size.width - 2)
        home = self._desk.app.env.home
        told = [warning] if warning else []
        told += [
            _("It is in another file, too, which stays: {path}").format(path=display.path(copy.file, home=home))
            for copy in self._desk.searching.copies_of(session)
        ]
        details = [[(row, "warn")] for said in told for row in textwrap.wrap(display.line(said), width)]

        def answered(key: str) -> None:
            if key == "y":
                self._do(lambda actions: actions.trash_session(session, force=bool(warning)))

        hint = _("(u brings it back)")
        self._desk.ask_bar.ask(question, (YES, NO), answered, opener="d", details=details, hint=hint)

    def _do(
        self,
        job: Callable[[SessionActions], Outcome],
        failed: Callable[[MemtuiError], None] | None = None,
    ) -> None:
        def act(workspace: Workspace) -> Outcome:
            from memtui.core.session_actions import SessionActions

            outcome = job(SessionActions(workspace))
            self._changing.made_here(outcome)
            return outcome

        def done(outcome: Outcome) -> None:
            self._changing.say_outcome(outcome, self._desk.hint("undo", _("u undoes")))
            self._desk.searching.again()
            # the change can be undone from anywhere now
            self._desk.reload()

        self._desk.work.do(act, done, failed=failed or self._desk.say_error, is_change=True)

    @property
    def _session(self) -> Session | None:
        session = self._desk.session
        if session is None:
            self._desk.say(_("there is no session under the cursor"), "muted")
        return session
