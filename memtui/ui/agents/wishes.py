"""What a person may want typed into an agent, as one thing: a command with its Enter, a text without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.late.dataclasses import dataclass
from memtui.ui.agents.words import agent_words

if TYPE_CHECKING:
    from memtui.core.agent_actions import Agent, Tmux
    from memtui.core.agent_typing import Clock, Condition, Sent, SlashCommand, Target
    from memtui.core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Wish:
    """A line or a text for an agent.

    `text` is what goes to the clipboard where it cannot be typed; `name` is what sentences call it, safe for
    display. `has_enter`: it is sent, not only put there. `notes` are said with the question, `caution` also
    with a copy; all safe. `conditions` and `send` run on the work thread.
    """

    text: str
    name: str
    has_enter: bool
    conditions: Callable[[Tmux, Target], tuple[Condition, ...]]
    send: Callable[[Tmux, Target, Clock | None], Sent]
    notes: tuple[str, ...] = ()
    caution: str = ""

    @property
    def name_of_copy(self) -> str:
        """What it is called where it was copied."""
        return f"{self.name} ({self.caution})" if self.caution else self.name

    def question(self, agent: Agent, home: Path) -> str:
        """What is asked before anything is typed: it names the pane and what comes into it."""
        asks = _("Send {what} to {agent}?")
        if not self.has_enter:
            asks = _("Put {what} into the editor of {agent}, without Enter?")
        return asks.format(what=self.name, agent=agent_words(agent, home))


WishOf = Callable[["Workspace", "Target"], Wish | str]
"""Makes the wish for one agent, or says why there is none. Runs on the work thread."""


def command_wish(command: SlashCommand, target: Target, notes: tuple[str, ...] = ()) -> Wish:
    """A slash command for an agent, sent with its Enter."""
    from memtui.core.agent_typing import conditions_for, send
    from memtui.core.safety import display

    name = _("“{command}”").format(command=display.line(command.text))

    def conditions(tmux: Tmux, target: Target) -> tuple[Condition, ...]:
        assert target.agent is not None
        return conditions_for(tmux, target.agent, target.extensions, command)

    def go(tmux: Tmux, target: Target, clock: Clock | None) -> Sent:
        assert target.agent is not None
        return send(tmux, target.agent, target.extensions, command, clock)

    caution = display.line(target.clash_of(command))
    return Wish(command.text, name, True, conditions, go, notes, caution)


def insert_wish(text: str, what: str) -> Wish:
    """A text with its name (safe for display), put into the editor without Enter."""
    from memtui.core.agent_typing import conditions_for, insert
    from memtui.core.safety import secrets

    notes = (_("there is a secret in it"),) if secrets.find(text) else ()

    def conditions(tmux: Tmux, target: Target) -> tuple[Condition, ...]:
        assert target.agent is not None
        return conditions_for(tmux, target.agent, target.extensions, None)

    def go(tmux: Tmux, target: Target, clock: Clock | None) -> Sent:
        assert target.agent is not None
        return insert(tmux, target.agent, text, clock)

    return Wish(text, what, False, conditions, go, notes)
