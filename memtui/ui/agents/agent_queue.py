"""The agent menu: what each agent beside memtui can be told, and how all that must hold for it stands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.i18n import _, ngettext
from memtui.late.dataclasses import dataclass
from memtui.ui.agents.reaching import CHANNEL
from memtui.ui.agents.words import (
    Line,
    agent_words,
    condition_lines,
    target_heading,
)
from memtui.ui.reviews.reviewing import Review
from memtui.ui.screens.review_screen import Beside, Entry
from memtui.ui.widgets.row_list import Cell, Row

if TYPE_CHECKING:
    from memtui.core.agent_typing import Condition, SlashCommand, Target
    from memtui.core.workspace import Workspace
    from memtui.ui.agents.reaching import Found, Reach
    from memtui.ui.agents.wishes import Wish
    from memtui.ui.desk import Desk

TEXT_CELLS = 17
"""Cells of the longest command with a blank behind it."""


SENDS = _("send"), _("Type it into the agent and press Enter; asks, y sends it")
COPIES = _("copy"), _("Copy the command: it cannot be typed into the agent now")
"""What Enter does on a row: as things stand."""


@dataclass(frozen=True, slots=True)
class Told:
    """What one row of the menu stands for."""

    target: Target
    command: SlashCommand


class AgentQueue(Review):
    """The menu on the screen."""

    def __init__(self, desk: Desk, reach: Reach) -> None:
        own = {
            "open": self._ask,
            "copy_path": self._copy,
            "rescan": lambda row_id: self.load(),
        }
        meanings = {
            "open": SENDS,
            "copy_path": (_("copy"), _("Copy the command, to paste it yourself")),
            "rescan": (_("look again"), _("Look again who runs, and what is in the way")),
        }
        super().__init__(desk, _("Agent"), opener="agent_menu", own=own, meanings=meanings)
        self._reach = reach
        reach.on_sent = self._show_text
        self._told: Mapping[str, Told] = {}
        self._because = ""

    def load(self) -> None:
        """Look who runs, in the background."""

        look = self._reach.looks()

        def job(workspace: Workspace) -> tuple[Found, list[Entry], dict[str, Told]]:
            found = look(workspace)
            return (found, *_entries(found, workspace.env.home))

        self._desk.work.do(job, self._show, channel="agent-menu", failed=self._desk.say_error)

    def closed(self) -> None:
        """Nobody waits for what is still being looked at."""
        self._reach.on_sent = lambda: None
        self._desk.work.forget("agent-menu")
        self._desk.work.forget(CHANNEL)
        self._desk.work.forget("review")

    def _show(self, result: tuple[Found, list[Entry], dict[str, Told]]) -> None:
        found, entries, self._told = result
        self._because = found.because
        if not self.is_open:
            return
        self.show(entries, [[(_("there is nothing that it could be told"), "muted")]])
        count = len(found.targets)
        words = ngettext("{count} pi in this tmux", "{count} pi in this tmux", count).format(count=count)
        self.screen.show_progress([words] if count else [found.because])

    def _show_text(self) -> None:
        """How everything stands now that must hold for the row under the cursor."""
        row_id, screen = self.row_id, self.screen
        told, entry = self._told.get(row_id), self.entries.get(row_id)
        if told is None or entry is None:
            self._desk.work.forget("review")
            screen.show_beside(row_id, (), Beside())
            return

        def job(workspace: Workspace) -> tuple[Condition, ...]:
            from memtui.ui.agents.wishes import command_wish

            command = told.command
            if command.asks_for:
                # it is asked for with Enter
                command = command.with_argument(command.asks_for)
            return self._reach.conditions(workspace, told.target, command_wish(command, told.target))

        def show(conditions: tuple[Condition, ...]) -> None:
            if self.row_id == row_id and self.entries.get(row_id) is entry:
                lines = condition_lines(conditions) or [[(self._because, "warn")]]
                texts = ["".join(text for text, _ink in line) for line in lines]
                can_send = bool(conditions) and all(each.holds is not False for each in conditions)
                screen.call("open", SENDS if can_send else COPIES)
                screen.show_beside(row_id, entry.reason, Beside(lines=texts, inks=lines))

        self._desk.work.do(job, show, channel="review", failed=self._desk.say_error)

    # What its keys do

    def _ask(self, row_id: str) -> None:
        told = self._told.get(row_id)
        if told is None:
            return
        if not told.command.asks_for:
            self._go(told.target, told.command)
            return

        def typed(text: str | None) -> None:
            if text is not None and text.strip():
                self._go(told.target, told.command.with_argument(text))

        self._desk.line_input.ask(told.command.asks_for, typed)

    def _go(self, target: Target, command: SlashCommand) -> None:
        def wish(workspace: Workspace, target: Target) -> Wish | str:
            from memtui.ui.agents.wishes import command_wish

            return command_wish(command, target)

        self._reach.begin_with(target, wish, "enter", self._because)

    def _copy(self, row_id: str) -> None:
        from memtui.ui.agents.wishes import command_wish
        from memtui.ui.copying import copy_text

        told = self._told.get(row_id)
        if told is not None:
            wish = command_wish(told.command, told.target)
            copy_text(self._desk, lambda workspace: (wish.text, wish.name_of_copy), self._desk.say)


# Rows


def _entries(found: Found, home: Path) -> tuple[list[Entry], dict[str, Told]]:
    """The rows of the menu, the agent that is meant first; each agent has a heading where there are several, or
    none."""
    first = () if found.meant is None else (found.meant,)
    entries: list[Entry] = []
    told: dict[str, Told] = {}
    for target in (*first, *(each for each in found.targets if each is not found.meant)):
        # the cursor is to stay with its agent when others come or go
        pane = target.agent.pane.id if target.agent is not None and target.agent.pane is not None else ""
        heading = Row(f"agent {pane}", (Cell(target_heading(target, home)),), kind="heading")
        entries.append(Entry(heading))
        for command in target.commands:
            row_id = f"{pane} {command.id}"
            told[row_id] = Told(target, command)
            entries.append(_entry(row_id, target, command, home))
    return entries, told


def _entry(row_id: str, target: Target, command: SlashCommand, home: Path) -> Entry:
    from memtui.core.safety import display

    text, does = display.line(command.text), display.line(command.does)
    cells = (Cell(text, "title", width=TEXT_CELLS), Cell(does))
    where = agent_words(target.agent, home) if target.agent is not None else _("the clipboard")
    reason: list[Line] = [
        [(text, "title"), (f"  {does}", "")],
        [(_("goes to") + "  ", "label"), (where, "")],
        [(_("from") + "     ", "label"), (display.line(_source(target, command)), "muted")],
    ]
    return Entry(Row(row_id, cells), reason)


def _source(target: Target, command: SlashCommand) -> str:
    """Whose command it is: the package with its version, as pi's settings name it."""
    extension = target.extensions.of(command.owner)
    return command.owner if extension is None else f"{extension.package} {extension.version}".rstrip()
