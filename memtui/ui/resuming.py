"""`r`: to the pane of the pi that has a session, else the session goes on in tmux, or in memtui's place.

What is to be done is found out by the core; here it is asked and said. No shell reads any of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.late.dataclasses import replace
from memtui.ui.asking import NO, YES
from memtui.ui.widgets.ask_bar import Choice
from memtui.ui.widgets.spans import Span

if TYPE_CHECKING:
    from memtui.core.agent_resuming import Pane, Place, Ready, Tmux
    from memtui.core.library import Launch, Session
    from memtui.core.workspace import Workspace
    from memtui.ui.copying import Copying
    from memtui.ui.desk import Desk

TITLE_SHOWN = 60

DIGITS = "123456789"
"""The keys of panes in a question."""

ELSEWHERE = "o"
"""The key that opens pi in the other of the two places."""


class Resuming:
    """Going on with a session; returns at once."""

    def __init__(self, desk: Desk, copying: Copying) -> None:
        self._desk = desk
        self._copying = copying

    def resume(self) -> None:
        """Go to where the session under the cursor runs, else go on with it in tmux; outside of it, ask whether
        to leave."""
        desk, session = self._desk, self._desk.session
        if session is None:
            desk.say(_("there is no session under the cursor"), "muted")
            return

        def job(workspace: Workspace) -> Ready:
            from memtui.core.agent_resuming import ready_to_resume

            opened = desk.beside.finder_in(workspace).opened
            return ready_to_resume(desk.app.env, session, self._tmux(), opened)

        desk.work.do(job, self._decide, failed=desk.say_error)

    def _decide(self, ready: Ready) -> None:
        panes = ready.panes
        if len(panes) == 1 and ready.is_certain:
            self._go_to(ready, panes[0])
        elif panes:
            self._ask_where(ready, panes)
        else:
            self._go_on(ready)

    def _tmux(self) -> Tmux:
        from memtui.core.agent_resuming import Tmux, run_with_input

        return Tmux(self._desk.app.env.environ, self._desk.run_tmux or run_with_input)

    # To the pi that has it

    def _go_to(self, ready: Ready, pane: Pane) -> None:
        desk = self._desk

        def job(workspace: Workspace) -> str:
            from memtui.core.agent_resuming import TmuxError, go_to
            from memtui.core.safety import display

            try:
                go_to(self._tmux(), pane.id)
            except TmuxError as problem:
                return display.line(str(problem))
            return ""

        def then(problem: str) -> None:
            place = _place_of(pane)
            if problem:
                why = _("the pane of its pi, {place}, is gone: {problem}").format(place=place, problem=problem)
                self._go_on(replace(ready, running=(), warning=""), [why])
                return
            said = _("“{title}” runs in tmux pane {place}: went there")
            desk.say(said.format(title=_title(ready.session), place=place), "good")

        desk.work.do(job, then, failed=desk.say_error)

    def _ask_where(self, ready: Ready, panes: Sequence[Pane]) -> None:
        from memtui.core.safety import display

        shown = dict(zip(DIGITS, panes, strict=False))
        choices = [Choice(key, _("to {place}").format(place=_place_of(pane))) for key, pane in shown.items()]
        if ready.launch is not None:
            choices.append(Choice("y", _("resume all the same"), is_change=True))
        question = _("Where does “{title}” go on?").format(title=_title(ready.session))

        def answered(key: str) -> None:
            if key in shown:
                self._go_to(ready, shown[key])
            elif key == "y":
                self._open(ready, ready.place)

        self._ask(question, (*choices, NO), [display.line(ready.warning)], answered)

    # Anew

    def _go_on(self, ready: Ready, reasons: Sequence[str] = ()) -> None:
        """Resume it; `reasons` (safe) say why that is asked first."""
        from memtui.core.safety import display

        if ready.launch is None:
            self._instead(ready)
            return
        if ready.gone:
            reasons = [*reasons, self._why_there(ready, ready.launch)]
        if ready.warning:
            reasons = [*reasons, display.line(ready.warning)]
        if not self._desk.app.env.get("TMUX"):
            self._in_its_place(ready, ready.launch, reasons)
        elif reasons:
            self._ask_in_tmux(ready, ready.launch, reasons)
        else:
            self._open(ready, ready.place)

    def _instead(self, ready: Ready) -> None:
        from memtui.core.safety import display

        because = display.line(ready.hindrance)
        if ready.copies:
            self._copying.copy_resume_of(ready.session, because=because)
        else:
            self._desk.say(because, "warn")

    def _why_there(self, ready: Ready, launch: Launch) -> str:
        from memtui.core.safety import display

        sentences = {
            "main worktree": _(
                "Its directory {gone} is gone; {directory} is the main worktree of its repository."
            ),
            "worktree": _("Its directory {gone} is gone; {directory} is another worktree of its repository."),
            "parent": _("Its directory {gone} is gone; {directory} is the nearest that is there."),
        }
        home = self._desk.app.env.home
        gone, directory = display.path(ready.gone, home=home), display.path(launch.directory, home=home)
        sentence = sentences[ready.how].format(gone=gone, directory=directory)
        return _("{sentence} pi itself asks once more.").format(sentence=sentence)

    def _ask_in_tmux(self, ready: Ready, launch: Launch, reasons: Sequence[str]) -> None:
        place = ready.place
        if ready.gone:
            question = _("Resume “{title}” there, {where}?")
        else:
            question = _("Resume “{title}” {where} all the same?")
        question = question.format(title=_title(ready.session), where=_where(place))
        choices = (YES, Choice(ELSEWHERE, _where(place.other), is_change=True), NO)

        def answered(key: str) -> None:
            if key in ("y", ELSEWHERE):
                self._open(ready, place if key == "y" else place.other)

        self._ask(question, choices, reasons, answered)

    def _open(self, ready: Ready, place: Place) -> None:
        desk, launch = self._desk, ready.launch
        assert launch is not None
        env = desk.app.env

        def job(workspace: Workspace) -> tuple[str, str]:
            from memtui.core.agent_resuming import TmuxError, open_in_tmux
            from memtui.core.safety import display

            try:
                pane, where = open_in_tmux(self._tmux(), launch, display.line(ready.session.title), place)
                desk.beside.finder_in(workspace).opened[pane] = ready.session.file
                return display.line(where), ""
            except TmuxError as problem:
                return "", display.line(str(problem))

        def then(found: tuple[str, str]) -> None:
            from memtui.core.safety import display

            opened, problem = found
            if problem:
                why = _("tmux opened no window: {problem}").format(problem=problem)
                self._in_its_place(ready, launch, [why])
                return
            if place.side is None:
                said = _("“{title}” goes on in tmux window {place}, in {directory}")
            else:
                said = _("“{title}” goes on in tmux pane {place}, in {directory}")
            directory = display.path(launch.directory, home=env.home)
            desk.say(said.format(title=_title(ready.session), place=opened, directory=directory), "good")

        desk.work.do(job, then, failed=desk.say_error)

    def _in_its_place(self, ready: Ready, launch: Launch, reasons: Sequence[str]) -> None:
        if ready.gone:
            question = _("Leave memtui and resume “{title}” there?")
        else:
            question = _("Leave memtui and resume “{title}” here?")
        app = self._desk.app

        def answered(key: str) -> None:
            if key == "y":
                app.leave_for(launch)

        self._ask(question.format(title=_title(ready.session)), (YES, NO), reasons, answered)

    def _ask(
        self,
        question: str,
        choices: Sequence[Choice],
        reasons: Sequence[str],
        answered: Callable[[str], None],
    ) -> None:
        details: list[list[Span]] = [
            [(row, "warn")] for reason in reasons if reason for row in self._desk.wrapped(reason)
        ]
        self._desk.ask_bar.ask(question, tuple(choices), answered, opener="r", details=details)


def _title(session: Session) -> str:
    from memtui.core.safety import display

    return display.line(session.title)[:TITLE_SHOWN]


def _place_of(pane: Pane) -> str:
    from memtui.core.safety import display

    return display.line(pane.place)


def _where(place: Place) -> str:
    if place.side is None:
        return _("in a new tmux window")
    return _("at the right of memtui") if place.side == "right" else _("below memtui")
