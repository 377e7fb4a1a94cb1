"""The keys that get something to the agent: `R` reloads its memory, `A` lists what it can be told, `>` puts a
text into its editor. Each method returns at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from memtui.i18n import _
from memtui.ui.agents.reaching import Reach
from memtui.ui.wanted_text import TextOf, memory_text, message_text

if TYPE_CHECKING:
    from memtui.core.agent_actions import Agent
    from memtui.core.agent_memory import Carried
    from memtui.core.agent_typing import Target
    from memtui.core.layouts.base import Snapshot
    from memtui.core.workspace import Workspace
    from memtui.ui.agents.wishes import Wish
    from memtui.ui.desk import Desk


class TypingKeys:
    """One method a command of the table."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.reach = Reach(desk)

    def reload_agent(self) -> None:
        """Have the agent take its memory in anew: asks, y sends it."""
        view = self._desk.view
        snapshots = () if view is None else tuple(store.snapshot for store in view.stores)
        self.reach.begin(partial(_reload, snapshots), "R")

    def agent_menu(self) -> None:
        """What each agent can be told, with what is in the way of it."""
        from memtui.ui.agents.agent_queue import AgentQueue

        queue = AgentQueue(self._desk, self.reach)
        if queue.open():
            queue.load()

    def insert_text(self) -> None:
        """Put what `Y` copies of memories into the agent's editor, without Enter: asks, y does it."""
        self._insert(memory_text(self._desk))

    def insert_message(self) -> None:
        """Put what `Y` copies of a message into the agent's editor, without Enter: asks, y does it."""
        self._insert(message_text(self._desk, without_message()))

    def _insert(self, text_of: TextOf | None) -> None:
        if text_of is None:
            return

        def wish(workspace: Workspace, target: Target) -> Wish | str:
            from memtui.ui.agents.wishes import insert_wish

            text, what = text_of(workspace)
            return insert_wish(text, what) if text else what

        self.reach.begin(wish, ">")


def without_message() -> str:
    """Why a session alone is nothing to put into an editor."""
    return _("Enter opens it; then > puts a message into the agent's editor")


def _reload(snapshots: Sequence[Snapshot], workspace: Workspace, target: Target) -> Wish | str:
    """The command that brings the newest memory into the agent; else why there is none to type, by what is
    known of its owner's program."""
    from memtui.ui.agents.wishes import command_wish
    from memtui.ui.agents.words import brings_words, carried_words, comes_by_itself

    carried = [] if target.agent is None else _carried(snapshots, workspace, target, target.agent)
    said = tuple(carried_words(each) for each in carried)
    if carried and all(comes_by_itself(each) for each in carried):
        said = (_("nothing needs typing"), *said)
    command = target.reload
    if command is None and any("reload" in each.loaded.row.by for each in carried):
        command = next((each for each in target.commands if each.id == "reload"), None)
    if command is not None:
        return command_wish(command, target, said)
    if carried:
        return _("nothing to type · {sentences}").format(sentences=brings_words(carried))
    return _("no extension that pi loads has a command that reloads its memory; A shows what there is")


def _carried(
    snapshots: Sequence[Snapshot], workspace: Workspace, target: Target, agent: Agent
) -> list[Carried]:
    """What the agent carries of the stores that its extensions keep."""
    from memtui.core.agent_memory import AgentMemory

    its = [snapshot for snapshot in snapshots if target.extensions.loads(snapshot.store.owner)]
    return list(AgentMemory(workspace).carried([agent], its))
