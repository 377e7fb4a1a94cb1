"""Getting something to an agent: who is meant, the question, the sending; else the clipboard, with the reason.

Lives in the UI thread; everything that runs tmux or reads is handed to the work thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.late.dataclasses import dataclass
from memtui.ui.asking import LEAVE, NO, YES
from memtui.ui.navigation import LEAVING
from memtui.ui.widgets.ask_bar import Choice

if TYPE_CHECKING:
    from memtui.core.agent_actions import Tmux
    from memtui.core.agent_typing import Clock, Condition, Target
    from memtui.core.library import Session
    from memtui.core.workspace import Workspace
    from memtui.ui.agents.wishes import Wish, WishOf
    from memtui.ui.clipboard import Copied
    from memtui.ui.desk import Desk
    from memtui.ui.widgets.spans import Span

MOST_CHOICES = 9
"""Agents that can be chosen among by a digit."""

SHARE_OF_NOTES = 3
"""What is said above a question takes that part of the rows at most: the question has to stay in view."""

CHANNEL = "agent"
"""Only what was asked for last is still looked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """The agents that can be typed to, which of them is `meant` (None: several may be), why there is none."""

    targets: tuple[Target, ...]
    meant: Target | None
    because: str = ""

    @property
    def others(self) -> int:
        """How many there are beside the one that is meant."""
        return len(self.targets) - (self.meant is not None)


@dataclass(frozen=True, slots=True)
class Ready:
    """A wish looked at for one agent; `because` says why it cannot be typed there, safe for display."""

    target: Target
    wish: Wish
    because: str = ""


class Reach:
    """Asks, sends, copies and says. `clock` is the seam to time, None = the system's."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.clock: Clock | None = None
        self.on_sent: Callable[[], None] = lambda: None
        """Hears that something was typed, or was not."""

    def looks(self) -> Callable[[Workspace], Found]:
        """A look at who can be typed to, for the work thread; one call of tmux."""
        return partial(self._look, self._desk.searching.sessions)

    def _look(self, sessions: Sequence[Session], workspace: Workspace) -> Found:
        from memtui.core.agent_typing import meant, nobody, targets
        from memtui.ui.agents.words import nobody_because

        env, finder = workspace.env, self._desk.beside.finder_in(workspace)
        running = finder.find(sessions, again=True)
        found = targets(env, running.agents)
        if not found:
            alone = nobody(env)
            return Found((), alone, nobody_because(running, has_tmux=finder.tmux.is_here))
        return Found(found, meant(found, env.cwd))

    def conditions(self, workspace: Workspace, target: Target, wish: Wish) -> tuple[Condition, ...]:
        """How everything stands that must hold. On the work thread."""
        return () if target.agent is None else wish.conditions(self._tmux(workspace), target)

    def _tmux(self, workspace: Workspace) -> Tmux:
        return self._desk.beside.finder_in(workspace).tmux

    # From a key to the question

    def begin(self, wish_of: WishOf, opener: str) -> None:
        """Type what is wished into the agent that is meant; where several may be, ask which first."""
        look = self.looks()

        def job(workspace: Workspace) -> Found | Ready | str:
            found = look(workspace)
            if found.meant is None:
                return found
            return self._prepare(workspace, wish_of, found.meant, found)

        def then(result: Found | Ready | str) -> None:
            if isinstance(result, Found):
                self._ask_which(result.targets, wish_of, opener)
            else:
                self._go_on(result, opener)

        self._desk.work.do(job, then, channel=CHANNEL, failed=self._desk.say_error)

    def begin_with(self, target: Target, wish_of: WishOf, opener: str, because: str = "") -> None:
        """Type what is wished into this agent; `because` says why there is none to type to."""

        def job(workspace: Workspace) -> Ready | str:
            return self._prepare(workspace, wish_of, target, Found((), None, because))

        self._desk.work.do(
            job, partial(self._go_on, opener=opener), channel=CHANNEL, failed=self._desk.say_error
        )

    def _prepare(self, workspace: Workspace, wish_of: WishOf, target: Target, found: Found) -> Ready | str:
        from memtui.late.dataclasses import replace
        from memtui.ui.agents.words import others_line, told_of, why_not_typed

        wish = wish_of(workspace, target)
        if isinstance(wish, str):
            return wish
        if target.agent is None:
            return Ready(target, wish, found.because)
        if others := others_line(found.others):
            wish = replace(wish, notes=(*wish.notes, others))
        because = why_not_typed(self.conditions(workspace, target, wish))
        return Ready(target, wish, told_of(target.agent, "", because) if because else "")

    def _ask_which(self, found: Sequence[Target], wish_of: WishOf, opener: str) -> None:
        from memtui.ui.agents.words import session_title, target_heading

        desk = self._desk
        if not self._may_ask():
            return
        by_digit = {str(number): target for number, target in enumerate(found[:MOST_CHOICES], 1)}
        home = desk.app.env.home
        titles = {row.file: row.title for row in desk.searching.sessions}
        choices = [
            Choice(digit, target_heading(target, home, session_title(target, titles)))
            for digit, target in by_digit.items()
        ]

        def answered(digit: str) -> None:
            if digit:
                self.begin_with(by_digit[digit], wish_of, digit)

        hint = _("(A lists them all)") if len(found) > MOST_CHOICES else ""
        desk.ask_bar.ask(_("Which pi?"), (*choices, LEAVE), answered, opener=opener, hint=hint)

    def _go_on(self, ready: Ready | str, opener: str) -> None:
        if isinstance(ready, str):
            self._desk.say(ready, "warn")
        elif ready.because or ready.target.agent is None:
            self._copy(ready)
        elif self._may_ask():
            self._ask(ready, opener)

    def _may_ask(self) -> bool:
        # the person went on while it was looked for
        return self._desk.is_on_top and not self._desk.is_asking

    def _ask(self, ready: Ready, opener: str) -> None:
        desk, agent = self._desk, ready.target.agent
        assert agent is not None
        notes = filter(None, (*ready.wish.notes, ready.wish.caution))
        rows = [row for note in notes for row in desk.wrapped(note)]
        most = desk.app.size.height // SHARE_OF_NOTES
        if len(rows) > most:
            rows = [*rows[: most - 1], f"{rows[most - 1]} …"]
        details: list[list[Span]] = [[(row, "note")] for row in rows]

        def answered(key: str) -> None:
            if key == "y":
                self._send(ready)

        question = ready.wish.question(agent, desk.app.env.home)
        desk.ask_bar.ask(question, (YES, NO), answered, opener=opener, details=details)

    # What is done then

    def _copy(self, ready: Ready) -> None:
        from memtui.ui.agents.words import instead
        from memtui.ui.copying import copy_text

        wish = ready.wish
        copy_text(
            self._desk,
            lambda workspace: (wish.text, wish.name_of_copy),
            self._desk.say,
            because=instead(ready.because),
        )

    def _send(self, ready: Ready) -> None:
        desk, wish, target = self._desk, ready.wish, ready.target
        agent = target.agent
        assert agent is not None
        from memtui.ui.agents.words import place_of

        clock = self.clock

        def job(workspace: Workspace) -> tuple[str, bool, Copied | None]:
            from memtui.ui.agents.words import told_of
            from memtui.ui.clipboard import copy

            sent = wish.send(self._tmux(workspace), target, clock)
            copied = copy(workspace.env, sent.copy) if sent.copy else None
            name = wish.name if sent.arrived and not wish.has_enter else ""
            return told_of(agent, name, sent.said), sent.arrived, copied

        def then(result: tuple[str, bool, Copied | None]) -> None:
            from memtui.ui.agents.words import instead
            from memtui.ui.copying import say_copied

            said, arrived, copied = result
            if not arrived and desk.ask_bar.asking and desk.ask_bar.about == LEAVING:
                # whoever wants to leave is to see first that nothing was typed
                desk.ask_bar.leave()
            if copied is None:
                desk.say(said, "good" if arrived else "warn")
            else:
                say_copied(desk, copied, wish.name_of_copy, desk.say, because=instead(said))
            self.on_sent()

        desk.say(_("typing into {pane} …").format(pane=place_of(agent)), "muted")
        in_flight = _("Something is being typed into the agent; memtui leaves once it is.")
        desk.work.do(job, then, failed=desk.say_error, is_change=True, in_flight=in_flight)
