"""Going on with a session: in a tmux window of its own, or in memtui's place. No shell reads any of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.core.agent_actions import TmuxError, run_program, window_words
from memtui.i18n import _
from memtui.ui.asking import NO, YES
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.env import Env
    from memtui.core.library import Launch, Session
    from memtui.core.workspace import Workspace
    from memtui.ui.copying import Copying
    from memtui.ui.desk import Desk

TITLE_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Ready:
    """What there is to run, or `hindrance`: why there is nothing; `copies` = the command helps all the same.

    `warning` says why a pi may be using the session, '' when none seems to. All but `launch` is safe to show.
    """

    launch: Launch | None = None
    hindrance: str = ""
    copies: bool = False
    warning: str = ""


class Resuming:
    """The command that goes on with a session; returns at once."""

    def __init__(self, desk: Desk, copying: Copying) -> None:
        self._desk = desk
        self._copying = copying

    def resume(self) -> None:
        """Go on with the session under the cursor in a window of tmux; outside of it, ask whether to leave."""
        desk, session = self._desk, self._desk.session
        if session is None:
            desk.say(_("there is no session under the cursor"), "muted")
            return
        env = desk.app.env

        def then(ready: Ready) -> None:
            if ready.launch is None:
                self._instead(session, ready)
            elif env.get("TMUX"):
                self._in_a_window(session, ready.launch, ready.warning)
            else:
                self._in_its_place(session, ready.launch, ready.warning)

        desk.work.do(lambda workspace: ready_to_resume(env, session), then, failed=desk.say_error)

    def _instead(self, session: Session, ready: Ready) -> None:
        if ready.copies:
            self._copying.copy_resume_of(session, because=ready.hindrance)
        else:
            self._desk.say(ready.hindrance, "warn")

    # Inside of tmux

    def _in_a_window(self, session: Session, launch: Launch, warning: str) -> None:
        if not warning:
            self._open_window(session, launch)
            return
        question = _("Resume “{title}” in a new tmux window all the same?").format(title=_title(session))
        self._ask(question, [warning], lambda: self._open_window(session, launch))

    def _open_window(self, session: Session, launch: Launch) -> None:
        desk = self._desk
        run, env = desk.run_program or run_program, desk.app.env

        def job(workspace: Workspace) -> tuple[str, str]:
            from memtui.core.safety import display

            words = window_words(display.line(session.title), launch.directory, launch.words, launch.environ)
            try:
                return display.line(run(words, env.environ)), ""
            except TmuxError as problem:
                return "", display.line(str(problem))

        def then(found: tuple[str, str]) -> None:
            from memtui.core.safety import display

            place, problem = found
            if problem:
                why = _("tmux opened no window: {problem}").format(problem=problem)
                self._in_its_place(session, launch, why)
                return
            said = _("“{title}” goes on in tmux window {place}, in {directory}")
            directory = display.path(launch.directory, home=env.home)
            desk.say(said.format(title=_title(session), place=place, directory=directory), "good")

        desk.work.do(job, then, failed=desk.say_error)

    # In memtui's place

    def _in_its_place(self, session: Session, launch: Launch, warning: str) -> None:
        question = _("Leave memtui and resume “{title}” here?").format(title=_title(session))
        app = self._desk.app
        self._ask(question, [warning] if warning else [], lambda: app.leave_for(launch))

    def _ask(self, question: str, warnings: list[str], do: Callable[[], None]) -> None:
        details: list[list[Span]] = [
            [(row, "warn")] for warning in warnings for row in self._desk.wrapped(warning)
        ]

        def answered(key: str) -> None:
            if key == "y":
                do()

        self._desk.ask_bar.ask(question, (YES, NO), answered, opener="r", details=details)


def ready_to_resume(env: Env, session: Session) -> Ready:
    """Look at the session, its directory and where pi is. On the work thread."""
    from memtui.core.library import Launch, Library
    from memtui.core.safety import display

    library = Library(env)
    session = library.look_again(session)
    found = library.resume(session)
    if not found.command:
        return Ready(hindrance=display.line(found.note))
    if not found.directory:
        return Ready(hindrance=_("{why}; y copies the command").format(why=display.line(found.note)))
    program = shutil.which(found.words[0], path=env.get("PATH") or None)
    if program is None:
        return Ready(hindrance=_("pi is not on the PATH"), copies=True)
    words = (str(env.cwd / program), *found.words[1:])
    reason = library.live_because(session)
    warning = ""
    if reason:
        warning = _(
            "This session may be in use: {reason}. Two pi that go on with it do not see each other: what they "
            "write ends on two branches of one file."
        ).format(reason=display.line(reason))
    return Ready(Launch(words, found.directory, env.environ), warning=warning)


def _title(session: Session) -> str:
    from memtui.core.safety import display

    return display.line(session.title)[:TITLE_SHOWN]
