"""What must hold before anything is typed into an agent's pane, each with how it stands now.

A condition that only the agent can answer (does it offer the command?) is seen while the name is typed: `holds`
is None until then.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from memtui.core.agents.base import PI, Agent
from memtui.core.agents.editor_screen import Editor, Look, State
from memtui.core.agents.slash_commands import PI_ITSELF, SlashCommand, claimants
from memtui.core.locate.pi_extensions import Extensions
from memtui.i18n import _
from memtui.late.dataclasses import dataclass

PROCESSES = Path("/proc")

ROOM = 2
"""So many columns of a row stay free: one for the cursor, and one for a blank behind the line."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: a stable id, what is demanded, whether it holds (None = not known before it is typed), and
    how it stands in words. `stands` may hold text of the pane: through `safety/display` only."""

    id: str
    demands: str
    holds: bool | None
    stands: str


def first_failing(conditions: Iterable[Condition]) -> Condition | None:
    """The first that is known not to hold."""
    return next((condition for condition in conditions if condition.holds is False), None)


def conditions_of(
    agent: Agent, look: Look, editor: Editor, extensions: Extensions | None, command: SlashCommand | None
) -> tuple[Condition, ...]:
    """All conditions for a command, or (None) for inserting a text, as one look shows them."""
    found = [_pane(look, editor), _user(agent, look), _keys(look), _editor(editor)]
    if command is not None and extensions is not None:
        found += _of_command(look, editor, extensions, command)
    return tuple(found)


def belongs_to_us(pid: int, processes: Path = PROCESSES) -> bool | None:
    """Whether a process is this user's; None where that cannot be told. Never raises."""
    try:
        return os.stat(processes / str(pid)).st_uid == os.getuid() if pid else None
    except OSError:
        return None


def what_is_there(editor: Editor) -> str:
    """What stands where pi's empty editor should be, in words."""
    if editor.state is State.EMPTY:
        return _("empty")
    if editor.state is State.TEXT:
        return _("there is a draft in its editor")
    return _("it shows a list or a dialog, or is starting")


def _pane(look: Look, editor: Editor) -> Condition:
    demands = _("the pane runs pi")
    if editor.state is State.GONE:
        return Condition("pane", demands, False, _("the pane is gone"))
    if look.command != PI:
        words = _("{program} runs in the pane").format(program=look.command or _("nothing"))
        return Condition("pane", demands, False, words)
    return Condition("pane", demands, True, _("yes"))


def _user(agent: Agent, look: Look) -> Condition:
    ours = belongs_to_us(agent.pid or look.pid)
    words = {True: _("yes"), False: _("it is another user's"), None: _("not known here")}
    return Condition("user", _("it is this user's"), ours, words[ours])


def _keys(look: Look) -> Condition:
    demands = _("keys reach pi")
    if look.in_mode:
        return Condition("keys", demands, False, _("tmux takes the keys (copy mode)"))
    if look.input_off:
        return Condition("keys", demands, False, _("tmux keeps the keys from its pane"))
    return Condition("keys", demands, True, _("yes"))


def _editor(editor: Editor) -> Condition:
    demands = _("its editor is empty")
    if editor.state in (State.GONE, State.NOT_PI, State.MODE):
        return Condition("editor", demands, None, _("not seen"))
    return Condition("editor", demands, editor.state is State.EMPTY, what_is_there(editor))


def _of_command(
    look: Look, editor: Editor, extensions: Extensions, command: SlashCommand
) -> Iterator[Condition]:
    known = command.owner == PI_ITSELF or extensions.loads(command.owner)
    words = _("seen when its name is typed") if known else _("its extension is not installed")
    yield Condition("offered", _("pi offers the command"), None if known else False, words)
    others = [owner for owner in claimants(command.name) if extensions.loads(owner)]
    alone = len(others) < 2
    words = _("yes") if alone else _("no: the right one is told by its description")
    yield Condition("alone", _("one extension has the name"), True if alone else None, words)
    if look.width:
        # the longest name that it may have there
        cells = len(command.text_as(f"{command.name}:1")) + 2 * editor.cursor_x + ROOM
        fits = command.text.isprintable() and cells <= look.width
        words = _("yes") if fits else _("it is too long for the pane")
        yield Condition("fits", _("the line fits into one row"), fits, words)
    if command.asks_for:
        words = _("not given: {argument}").format(argument=command.asks_for)
        yield Condition("asked", _("its argument is given"), False, words)
    if command.needs_rest:
        words = _("pi is at work: {doing}").format(doing=editor.doing) if editor.doing else _("yes")
        yield Condition("rests", _("pi is not at work"), not editor.doing, words)
